// a broadcast repeats, it does not shrink
use girih::Shape;
use girih::tile::*;

fn main() {
    let x = Tile::<i32, Shape![4, 4]>::iota();
    let _ = x.broadcast::<Shape![4, 1]>();
}

// a broadcast adds dimensions, it does not remove any
use girih::Shape;
use girih::tile::*;

fn main() {
    let x = Tile::<i32, Shape![1, 4]>::iota();
    let _ = x.broadcast::<Shape![4]>();
}

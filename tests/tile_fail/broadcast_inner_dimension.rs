// the last dimensions meet: 4 and 8
use girih::Shape;
use girih::tile::*;

fn main() {
    let x = Tile::<i32, Shape![4]>::iota();
    let _ = x.broadcast::<Shape![4, 8]>();
}

// i64 narrows to i32
use girih::Shape;
use girih::tile::*;

fn main() {
    let x = Tile::<i32, Shape![4, 4]>::iota();
    let s = Tile::<i64, Shape![2, 2]>::iota();
    let _ = x.insert(&s, (0, 1));
}

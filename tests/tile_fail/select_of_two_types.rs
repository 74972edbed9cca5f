// both are of one type
use girih::Shape;
use girih::tile::*;

fn main() {
    let x = Tile::<i32, Shape![4]>::iota();
    let y = Tile::<i64, Shape![4]>::iota();
    let _ = x.gt(1).select(&x, &y);
}

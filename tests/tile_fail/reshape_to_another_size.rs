// 8 elements are not 16
use girih::Shape;
use girih::tile::*;

fn main() {
    let x = Tile::<i32, Shape![2, 4]>::iota();
    let _ = x.reshape::<Shape![4, 4]>();
}

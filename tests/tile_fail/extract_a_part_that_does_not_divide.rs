// 16 does not divide 8
use girih::Shape;
use girih::tile::*;

fn main() {
    let x = Tile::<i32, Shape![32, 8]>::iota();
    let _ = x.extract::<Shape![2, 16]>((0, 0));
}

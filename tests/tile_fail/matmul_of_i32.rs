// integers of 8 bits
use girih::Shape;
use girih::tile::*;

fn main() {
    let a = Tile::<i32, Shape![16, 16]>::iota();
    let _ = a.matmul(&a);
}

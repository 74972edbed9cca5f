// dimensions are counted from 0
use girih::Shape;
use girih::tile::*;
use typenum::*;

fn main() {
    let x = Tile::<i32, Shape![4, 4]>::iota();
    let _ = x.sum::<U2>();
}

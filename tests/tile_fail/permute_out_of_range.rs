// dimensions are counted from 0
use girih::Shape;
use girih::tile::*;
use typenum::*;

fn main() {
    let x = Tile::<i32, Shape![4, 2, 2]>::iota();
    let _ = x.permute::<(U1, U2, U3)>();
}

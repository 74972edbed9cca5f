// each dimension once
use girih::Shape;
use girih::tile::*;
use typenum::*;

fn main() {
    let x = Tile::<i32, Shape![4, 2, 2]>::iota();
    let _ = x.permute::<(U0, U2, U0)>();
}

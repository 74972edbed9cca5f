// 4 bits are no whole bytes
use girih::Shape;
use girih::tile::*;
use typenum::*;

fn main() {
    let x = Tile::<bool, Shape![4]>::zeros();
    let _ = x.repack::<F4E2M1, U0>();
}

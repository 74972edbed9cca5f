// 19 bits are no whole bytes
use girih::Shape;
use girih::tile::*;
use typenum::*;

fn main() {
    let x = Tile::<Tf32, Shape![16]>::zeros();
    let _ = x.repack::<u8, U0>();
}

// 16 bits are no whole u32
use girih::Shape;
use girih::tile::*;
use typenum::*;

fn main() {
    let x = Tile::<u8, Shape![4, 2]>::iota();
    let _ = x.repack::<u32, U1>();
}

// 2^26 elements are too many
use girih::Shape;
use girih::tile::*;
use typenum::*;

fn main() {
    let x = Tile::<u64, Shape![1048576]>::iota();
    let _ = x.repack::<bool, U0>();
}

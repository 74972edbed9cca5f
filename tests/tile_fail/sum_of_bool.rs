// count after a cast
use girih::Shape;
use girih::tile::*;
use typenum::*;

fn main() {
    let x = Tile::<bool, Shape![4]>::zeros();
    let _ = x.sum::<U0>();
}

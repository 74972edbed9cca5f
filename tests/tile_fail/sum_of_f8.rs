// no reductions of small floats
use girih::Shape;
use girih::tile::*;
use typenum::*;

fn main() {
    let x = Tile::<F8E5M2, Shape![4, 4]>::zeros();
    let _ = x.sum::<U1>();
}

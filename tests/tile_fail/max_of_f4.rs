// no reductions of small floats
use girih::Shape;
use girih::tile::*;
use typenum::*;

fn main() {
    let x = Tile::<F4E2M1, Shape![4, 4]>::zeros();
    let _ = x.reduce_max::<U1>();
}

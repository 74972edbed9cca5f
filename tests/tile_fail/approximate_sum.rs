// sums are rounded
use girih::Shape;
use girih::tile::*;
use girih::tile::typed::*;
use typenum::*;

fn main() {
    let x = Tile::<f32, Shape![4]>::ones();
    let _ = x.sum_with::<Approximate, U0>();
}

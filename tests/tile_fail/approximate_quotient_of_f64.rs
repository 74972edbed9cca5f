// f32 only
use girih::Shape;
use girih::tile::*;
use girih::tile::typed::*;

fn main() {
    let x = Tile::<f64, Shape![4]>::ones();
    let _ = x.div_with::<Approximate, _>(&x);
}

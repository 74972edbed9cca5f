// square roots are rounded
use girih::Shape;
use girih::tile::*;
use girih::tile::typed::*;

fn main() {
    let x = Tile::<f64, Shape![4]>::ones();
    let _ = x.sqrt_with::<Full>();
}

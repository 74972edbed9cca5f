// the result has the type of the first
use girih::Shape;
use girih::tile::*;

fn main() {
    let x = Tile::<f16, Shape![4]>::ones();
    let y = Tile::<f32, Shape![4]>::ones();
    let _ = x.fma(&y, &y);
}

// the number would be narrowed
use girih::Shape;
use girih::tile::*;

fn main() {
    let x = Tile::<f32, Shape![4]>::zeros();
    let _ = 2.0f64 * &x;
}

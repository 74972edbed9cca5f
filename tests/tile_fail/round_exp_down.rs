// exp is full or approximate
use girih::Shape;
use girih::tile::*;
use girih::tile::rounding::*;

fn main() {
    let x = Tile::<f32, Shape![4]>::ones();
    let _ = x.exp_with::<TowardNegative>();
}

// the last dimensions meet: 8 and 16
use girih::Shape;
use girih::tile::*;

fn main() {
    let x = Tile::<f32, Shape![16, 8]>::zeros();
    let bias = Tile::<f32, Shape![16]>::zeros();
    let _ = &x + &bias;
}

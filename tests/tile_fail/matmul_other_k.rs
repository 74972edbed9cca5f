// K is 16 here and 8 there
use girih::Shape;
use girih::tile::*;

fn main() {
    let a = Tile::<f32, Shape![16, 16]>::zeros();
    let b = Tile::<f32, Shape![8, 16]>::zeros();
    let _ = a.matmul(&b);
}

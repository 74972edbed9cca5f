// factors are of one type
use girih::Shape;
use girih::tile::*;

fn main() {
    let a = Tile::<f16, Shape![16, 16]>::zeros();
    let b = Tile::<bf16, Shape![16, 8]>::zeros();
    let c = Tile::<f32, Shape![16, 8]>::zeros();
    let _ = a.mma(&b, &c);
}

// the result is (M,N)
use girih::Shape;
use girih::tile::*;

fn main() {
    let a = Tile::<f16, Shape![16, 16]>::zeros();
    let b = Tile::<f16, Shape![16, 8]>::zeros();
    let c = Tile::<f32, Shape![8, 16]>::zeros();
    let _ = a.mma(&b, &c);
}

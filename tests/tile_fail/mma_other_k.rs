// K is 16 here and 8 there
use girih::Shape;
use girih::tile::*;

fn main() {
    let a = Tile::<f16, Shape![16, 16]>::zeros();
    let b = Tile::<f16, Shape![8, 8]>::zeros();
    let c = Tile::<f32, Shape![16, 8]>::zeros();
    let _ = a.mma(&b, &c);
}

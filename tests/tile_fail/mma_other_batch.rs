// a batch is that of the result, or 1
use girih::Shape;
use girih::tile::*;

fn main() {
    let a = Tile::<f16, Shape![2, 16, 16]>::zeros();
    let b = Tile::<f16, Shape![4, 16, 8]>::zeros();
    let c = Tile::<f32, Shape![4, 16, 8]>::zeros();
    let _ = a.mma(&b, &c);
}

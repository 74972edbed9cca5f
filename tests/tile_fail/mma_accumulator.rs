// bf16 is summed in f32
use girih::Shape;
use girih::tile::*;

fn main() {
    let a = Tile::<bf16, Shape![16, 16]>::zeros();
    let b = Tile::<bf16, Shape![16, 8]>::zeros();
    let c = Tile::<bf16, Shape![16, 8]>::zeros();
    let _ = a.mma(&b, &c);
}

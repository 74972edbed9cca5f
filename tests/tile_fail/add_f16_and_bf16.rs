// neither holds the other
use girih::Shape;
use girih::tile::*;

fn main() {
    let x = Tile::<f16, Shape![4]>::zeros();
    let y = Tile::<bf16, Shape![4]>::zeros();
    let _ = &x + &y;
}

// floats have no bits to join
use girih::Shape;
use girih::tile::*;

fn main() {
    let x = Tile::<f32, Shape![4]>::zeros();
    let _ = &x & &x;
}

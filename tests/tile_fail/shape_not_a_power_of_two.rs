// lengths are powers of two
use girih::Shape;
use girih::tile::*;

fn main() {
    let _ = Tile::<f32, Shape![3, 4]>::full(0.0);
}

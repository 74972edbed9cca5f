// at most 8 dimensions
use girih::Shape;
use girih::tile::*;

fn main() {
    let _ = Tile::<f32, Shape![1, 1, 1, 1, 1, 1, 1, 1, 2]>::full(0.0);
}

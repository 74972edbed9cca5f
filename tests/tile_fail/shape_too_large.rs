// at most 2^24 elements
use girih::Shape;
use girih::tile::*;

fn main() {
    let _ = Tile::<f32, Shape![65536, 512]>::full(0.0);
}

// a shape is a tuple of types
use girih::tile::*;

fn main() {
    let _ = Tile::<f32, [usize; 2]>::full(0.0);
}

// floats are cast
use girih::Shape;
use girih::tile::*;

fn main() {
    let _ = Tile::<f32, Shape![4]>::iota();
}

// elements are not converted
use girih::Shape;
use girih::tile::*;

fn main() {
    let _ = Tile::<f32, Shape![2]>::new(vec![1.0f64, 2.0]);
}

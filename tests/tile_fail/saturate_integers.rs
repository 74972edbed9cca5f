// saturation is for floats to integers
use girih::Shape;
use girih::tile::*;

fn main() {
    let x = Tile::<i32, Shape![4]>::iota();
    let _ = x.cast_saturating::<i8>();
}

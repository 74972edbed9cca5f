// all but ties away
use girih::Shape;
use girih::tile::*;
use girih::tile::rounding::*;

fn main() {
    let x = Tile::<f64, Shape![4]>::zeros();
    let _ = x.cast_rounded::<f32, TiesAway>();
}

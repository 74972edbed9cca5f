// small floats round ties to even
use girih::Shape;
use girih::tile::*;
use girih::tile::rounding::*;

fn main() {
    let x = Tile::<f32, Shape![4]>::zeros();
    let _ = x.cast_rounded::<F8E4M3, TowardZero>();
}

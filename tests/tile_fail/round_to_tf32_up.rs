// to even, to zero, away
use girih::Shape;
use girih::tile::*;
use girih::tile::rounding::*;

fn main() {
    let x = Tile::<f32, Shape![4]>::zeros();
    let _ = x.cast_rounded::<Tf32, TowardPositive>();
}

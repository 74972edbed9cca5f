// e8m0 rounds toward zero or up
use girih::Shape;
use girih::tile::*;
use girih::tile::rounding::*;

fn main() {
    let x = Tile::<f32, Shape![4]>::ones();
    let _ = x.cast_rounded::<F8E8M0, TiesToEven>();
}

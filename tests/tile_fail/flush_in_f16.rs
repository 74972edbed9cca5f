// f32 only
use girih::Shape;
use girih::tile::*;
use girih::tile::rounding::*;
use girih::tile::typed::*;

fn main() {
    let x = Tile::<f16, Shape![4]>::ones();
    let _ = x.add_with::<Flush<TiesToEven>, _>(&x);
}

// exp2 is full
use girih::Shape;
use girih::tile::*;
use girih::tile::typed::*;

fn main() {
    let x = Tile::<f32, Shape![4]>::ones();
    let _ = x.exp2_with::<Approximate>();
}

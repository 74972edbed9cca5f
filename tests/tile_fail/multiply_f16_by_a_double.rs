// the literal is a double, which would be narrowed
use girih::Shape;
use girih::tile::*;

fn main() {
    let x = Tile::<f16, Shape![4]>::zeros();
    let _ = &x * 2.0;
}

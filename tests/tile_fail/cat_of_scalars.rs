// scalars have no dimension
use girih::Shape;
use girih::tile::*;
use typenum::*;

fn main() {
    let x = Tile::<i32, Shape![]>::from(1);
    let _ = x.cat::<U0, _>(&x);
}

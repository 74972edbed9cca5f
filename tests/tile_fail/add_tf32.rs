// no arithmetic on tf32
use girih::Shape;
use girih::tile::*;

fn main() {
    let x = Tile::<Tf32, Shape![4]>::zeros();
    let _ = &x + &x;
}

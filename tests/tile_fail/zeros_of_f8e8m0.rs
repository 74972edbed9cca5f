// its numbers are powers of two
use girih::Shape;
use girih::tile::*;

fn main() {
    let _ = Tile::<F8E8M0, Shape![4]>::zeros();
}

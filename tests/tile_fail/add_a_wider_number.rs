// the number would be narrowed
use girih::Shape;
use girih::tile::*;

fn main() {
    let x = Tile::<u8, Shape![4]>::iota();
    let _ = &x + 1i32;
}

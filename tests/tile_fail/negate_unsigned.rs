// unsigned numbers have no sign
use girih::Shape;
use girih::tile::*;

fn main() {
    let x = Tile::<u32, Shape![4]>::iota();
    let _ = -&x;
}

// 255 is no i8
use girih::Shape;
use girih::tile::*;

fn main() {
    let _ = Tile::<i8, Shape![256]>::iota();
}

// 19 types are elements
use girih::Shape;
use girih::tile::*;

fn main() {
    let _ = Tile::<char, Shape![4]>::full('a');
}

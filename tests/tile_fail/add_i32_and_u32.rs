// neither holds the other
use girih::Shape;
use girih::tile::*;

fn main() {
    let x = Tile::<i32, Shape![4]>::iota();
    let y = Tile::<u32, Shape![4]>::iota();
    let _ = &x + &y;
}

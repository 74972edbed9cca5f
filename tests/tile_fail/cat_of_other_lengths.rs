// equal lengths
use girih::Shape;
use girih::tile::*;
use typenum::*;

fn main() {
    let x = Tile::<i32, Shape![2, 4]>::iota();
    let y = Tile::<i32, Shape![2, 2]>::iota();
    let _ = x.cat::<U0, _>(&y);
}

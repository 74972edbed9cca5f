// a part has the rank of the whole
use girih::Shape;
use girih::tile::*;

fn main() {
    let x = Tile::<i32, Shape![32, 8]>::iota();
    let _ = x.extract::<Shape![8]>((0, 0));
}

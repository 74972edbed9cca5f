// one entry a dimension
use girih::Shape;
use girih::tile::*;

fn main() {
    let x = Tile::<i32, Shape![4, 4]>::iota();
    let _ = x.extract::<Shape![2, 2]>((1,));
}

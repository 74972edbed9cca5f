// integer sums are exact
use girih::Shape;
use girih::tile::*;
use girih::tile::rounding::*;

fn main() {
    let x = Tile::<i32, Shape![4]>::iota();
    let _ = x.add_with::<TowardZero, _>(&x);
}

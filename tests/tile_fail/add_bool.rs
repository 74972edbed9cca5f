// bool is for logic
use girih::Shape;
use girih::tile::*;

fn main() {
    let x = Tile::<bool, Shape![4]>::zeros();
    let _ = &x + &x;
}

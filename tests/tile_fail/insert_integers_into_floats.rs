// integer to float always counts as narrowing
use girih::Shape;
use girih::tile::*;

fn main() {
    let x = Tile::<f32, Shape![4, 4]>::zeros();
    let s = Tile::<i32, Shape![2, 2]>::iota();
    let _ = x.insert(&s, (0, 1));
}

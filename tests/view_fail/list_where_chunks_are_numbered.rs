use girih::{Shape, prelude::*};
fn main() {
    let x = [0; 8];
    let rows = Tile::<i32, Shape![2]>::full(0);
    TensorSpan::right(&x, [2, 4]).unwrap().partition::<Shape![2, 2]>().load((rows, 0)).unwrap();
}

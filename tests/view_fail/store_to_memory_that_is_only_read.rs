use girih::{Shape, prelude::*};
fn main() {
    let x = [0; 8];
    let tile = Tile::<i32, Shape![2]>::full(1);
    TensorSpan::right(&x, [8]).unwrap().partition::<Shape![2]>().store(&tile, 0).unwrap();
}

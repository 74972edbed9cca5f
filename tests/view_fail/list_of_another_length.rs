use girih::{Shape, prelude::*};
fn main() {
    let x = [0; 8];
    let rows = Tile::<i32, Shape![4]>::full(0);
    TensorSpan::right(&x, [2, 4]).unwrap().gather::<Shape![2, 2], U0>().load((rows, 0)).unwrap();
}

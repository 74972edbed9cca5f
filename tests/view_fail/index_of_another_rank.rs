use girih::{Shape, prelude::*};
fn main() {
    let x = [0; 8];
    TensorSpan::right(&x, [2, 4]).unwrap().partition::<Shape![2, 2]>().load((0, 0, 0)).unwrap();
}

use girih::{Shape, prelude::*};
fn main() {
    let x = [0; 8];
    TensorSpan::right(&x, [8]).unwrap().partition::<Shape![2]>().load(1.0).unwrap();
}

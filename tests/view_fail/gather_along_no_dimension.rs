use girih::{Shape, prelude::*};
fn main() {
    let x = [0; 8];
    let view = TensorSpan::right(&x, [2, 4]).unwrap().gather::<Shape![2, 2], U2>();
}

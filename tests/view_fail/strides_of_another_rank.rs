use girih::{Shape, prelude::*};
fn main() {
    let x = [0; 8];
    let view = TensorSpan::right(&x, [8]).unwrap().strided::<Shape![2], (U1, U1)>();
}

use girih::{Shape, prelude::*, view};
fn main() {
    let x = [0; 8];
    TensorSpan::right(&x, [8]).unwrap().partition::<Shape![2]>().atomic_load(0, view::Release, view::Device).unwrap();
}

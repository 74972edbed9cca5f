use girih::{Shape, prelude::*, view};
fn main() {
    let x = [0; 8];
    TensorSpan::right(&x, [8]).unwrap().partition::<Shape![2]>().load_masked(0, view::Nan).unwrap();
}

use girih::{Shape, prelude::*, tile::F8E5M2, view};
fn main() {
    let x = [F8E5M2::default(); 8];
    TensorSpan::right(&x, [8]).unwrap().partition::<Shape![2]>().load_masked(0, view::PositiveInfinity).unwrap();
}

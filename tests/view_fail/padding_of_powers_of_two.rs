use girih::{Shape, prelude::*, tile::F8E8M0, view};
fn main() {
    let x = [F8E8M0::default(); 8];
    TensorSpan::right(&x, [8]).unwrap().partition::<Shape![2]>().load_masked(0, view::Zero).unwrap();
}

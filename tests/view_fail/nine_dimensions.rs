use girih::{Shape, prelude::*, tile::*, view, view::TensorSpan};
fn main() {
    let x = [0; 8];
    let span = TensorSpan::right(&x, [1; 9]);
}

use girih::prelude::*;
fn main() {
    let x = [0; 8];
    let span = TensorSpan::right(&x, [8]).unwrap().indexed::<f32>();
}

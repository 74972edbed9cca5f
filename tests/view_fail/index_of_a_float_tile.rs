use girih::{Shape, prelude::*};
fn main() {
    let x = [0; 8];
    let at = Tile::<f32, ()>::from(1.0);
    TensorSpan::right(&x, [2, 4]).unwrap().partition::<Shape![2, 2]>().load((at, 0)).unwrap();
}

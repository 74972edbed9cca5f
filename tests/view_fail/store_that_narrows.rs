use girih::{Shape, prelude::*};
fn main() {
    let mut x = [0f32; 8];
    let tile = Tile::<f64, Shape![2]>::full(1.0);
    TensorSpan::right(&mut x, [8]).unwrap().partition::<Shape![2]>().store(&tile, 0).unwrap();
}

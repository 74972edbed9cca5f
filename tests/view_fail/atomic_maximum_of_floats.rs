use girih::{Shape, prelude::*, view};
fn main() {
    let mut x = [0f32; 8];
    let tile = Tile::<f32, Shape![2]>::full(1.0);
    let view = TensorSpan::right(&mut x, [8]).unwrap().partition::<Shape![2]>();
    view.atomic_max(&tile, 0, view::Relaxed, view::Device).unwrap();
}

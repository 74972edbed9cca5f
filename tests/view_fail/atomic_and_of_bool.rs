use girih::{Shape, prelude::*, view};
fn main() {
    let mut x = [true; 8];
    let tile = Tile::<bool, Shape![2]>::full(true);
    let view = TensorSpan::right(&mut x, [8]).unwrap().partition::<Shape![2]>();
    view.atomic_and(&tile, 0, view::Relaxed, view::Device).unwrap();
}

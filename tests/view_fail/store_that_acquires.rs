use girih::{Shape, prelude::*, view};
fn main() {
    let mut x = [0; 8];
    let tile = Tile::<i32, Shape![2]>::full(1);
    let view = TensorSpan::right(&mut x, [8]).unwrap().partition::<Shape![2]>();
    view.atomic_store(&tile, 0, view::Acquire, view::Device).unwrap();
}

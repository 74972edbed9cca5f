use girih::{Shape, prelude::*, tile::F8E4M3, view};
fn main() {
    let mut x = [F8E4M3::default(); 8];
    let tile = Tile::<F8E4M3, Shape![2]>::full(F8E4M3::default());
    let view = TensorSpan::right(&mut x, [8]).unwrap().partition::<Shape![2]>();
    view.atomic_add(&tile, 0, view::Relaxed, view::Device).unwrap();
}

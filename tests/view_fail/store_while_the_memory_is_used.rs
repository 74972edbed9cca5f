use girih::{Shape, prelude::*};
fn main() {
    let mut x = [0; 8];
    let view = TensorSpan::right(&mut x, [8]).unwrap().partition::<Shape![2]>();
    let first = &x[0];
    view.store(&Tile::full(1), 0).unwrap();
    println!("{first}");
}

// what flushes already is no mode to be flushed
use girih::Shape;
use girih::tile::typed::{Approximate, Flush};
use girih::tile::*;

fn main() {
    let x = Tile::<f32, Shape![4]>::full(2.0);
    let _ = x.sqrt_with::<Flush<Flush<Approximate>>>();
}

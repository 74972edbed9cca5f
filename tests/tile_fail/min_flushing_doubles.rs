// Only singles are flushed.
use girih::Shape;
use girih::tile::Tile;
use girih::tile::typed::{Flush, Suppress};

fn main() {
    let a = Tile::<f64, Shape![16]>::ones();
    let _ = a.min_with::<Flush<Suppress>, _>(1.0);
}

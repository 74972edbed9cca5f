// Whole powers have whole exponents.
use girih::Shape;
use girih::tile::Tile;

fn main() {
    let x = Tile::<f32, Shape![16]>::ones();
    let _ = x.powi(&x);
}

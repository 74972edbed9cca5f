// Powers are of floats.
use girih::Shape;
use girih::tile::Tile;

fn main() {
    let _ = Tile::<i32, Shape![16]>::ones().powi(2);
}

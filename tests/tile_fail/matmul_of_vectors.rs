// Vectors have no product of matrices.
use girih::Shape;
use girih::tile::Tile;

fn main() {
    let a = Tile::<f32, Shape![16]>::ones();
    let _ = a.matmul(&a);
}

// scales have the rows of their matrix
use girih::Shape;
use girih::tile::*;

fn main() {
    let a = Tile::<F8E4M3, Shape![16, 64]>::zeros();
    let b = Tile::<F8E4M3, Shape![64, 8]>::zeros();
    let (p, q) = (Tile::<F8E8M0, Shape![8, 2]>::ones(), Tile::<F8E8M0, Shape![2, 8]>::ones());
    let _ = a.scaled_mma(&p, &b, &q, &Tile::<f32, Shape![16, 8]>::zeros());
}

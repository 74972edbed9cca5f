// no scans of small floats
use girih::Shape;
use girih::tile::*;
use typenum::*;

fn main() {
    let x = Tile::<F8UE5M3, Shape![4, 4]>::zeros();
    let _ = x.scan_sum::<U1>(Direction::Forward);
}

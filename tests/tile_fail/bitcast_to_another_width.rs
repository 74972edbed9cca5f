// 32 bits are not 16
use girih::Shape;
use girih::tile::*;

fn main() {
    let x = Tile::<f32, Shape![4]>::zeros();
    let _ = x.bitcast::<u16>();
}

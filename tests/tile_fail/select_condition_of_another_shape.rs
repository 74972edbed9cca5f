// the condition broadcasts to the tiles
use girih::Shape;
use girih::tile::*;

fn main() {
    let x = Tile::<i32, Shape![4]>::iota();
    let c = Tile::<bool, Shape![2]>::ones();
    let _ = c.select(&x, &x);
}

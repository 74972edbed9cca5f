//! Pictures of layouts, as SVG files in a folder: `cargo run --example draw -- pictures`.

use girih::layout::draw::Color;
use girih::prelude::*;
use std::{env, fs, path::PathBuf};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(env::args().nth(1).unwrap_or_else(|| "pictures".into()));
    fs::create_dir_all(&folder)?;

    let row_major = layout!((8,64):(64,1));
    // chunks of 8 halves are permuted by the row
    let swizzled = Composed::new(&Swizzle::new(3, 3, 3)?, 0, &row_major)?;
    let c_fragment = layout!(((4,8),(2,2)):((32,1),(16,8)));
    let tiles = layout!(((4,4),(2,4)):((8,32),(1,2)));

    let pictures = [
        ("offsets", Drawing::of(&layout!((4,(2,4)):(2,(1,8))))?),
        ("tiles", Drawing::of(&tiles)?.color(Color::Tile)),
        ("m16n8_c", Drawing::tv(&c_fragment, &ints!((16, 8)))?.title("m16n8 C fragment")),
        ("column", Drawing::banks(&layout!((32,32):(32,1)), 4, 4)?.title("f32 columns of a row-major tile")),
        ("rows", Drawing::banks(&row_major, 2, 16)?.title("8 rows of halves, 16 bytes to a thread")),
        ("swizzled_rows", Drawing::banks(&swizzled, 2, 16)?.title("the same, swizzled")),
    ];
    for (name, drawing) in pictures {
        let path = folder.join(name).with_extension("svg");
        fs::write(&path, drawing.svg())?;
        println!("{}", path.display());
    }
    println!("{}", layout!((4,(2,4)):(2,(1,8))).table()?);
    Ok(())
}

//! A transposition in tiles of 32 x 32; the matrix has ragged edges.

#[path = "data/digits.rs"]
mod digits;

use digits::{IMAGES, PIXELS};
use girih::Shape;
use girih::program::program;
use girih::view::Zero;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let transpose = program("transpose", |p| {
        let (rows, cols) = (p.symbol("rows"), p.symbol("cols"));
        let x = p.input::<u8, 2>("x", [rows, cols]).partition::<Shape![32, 32]>();
        let y = p.output::<u8, 2>("y", [cols, rows]).partition::<Shape![32, 32]>();
        let [i, j] = p.grid([rows.ceil_div(32), cols.ceil_div(32)]);
        y.store_masked(x.load_masked((i, j), Zero).transpose(), (j, i));
    })?;
    print!("{transpose}");

    let x = digits::read()?;
    let mut y = vec![0u8; x.len()];
    let report = transpose.host().arg("x", (&x, [IMAGES, PIXELS])).arg("y", &mut y).run()?;

    println!("{IMAGES} x {PIXELS} in {} x {} blocks", report.grid[0], report.grid[1]);
    match (0..x.len()).all(|at| y[at % PIXELS * IMAGES + at / PIXELS] == x[at]) {
        true => {
            println!("every element is where it belongs");
            Ok(())
        }
        false => Err("an element is not where it belongs".into()),
    }
}

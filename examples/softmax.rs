//! Softmax over the rows of a matrix: each block takes four rows, of up to 128 columns.

#[path = "data/digits.rs"]
mod digits;

use digits::{IMAGES, PIXELS};
use girih::Shape;
use girih::program::program;
use girih::view::NegativeInfinity;
use std::error::Error;
use typenum::U1;

fn main() -> Result<(), Box<dyn Error>> {
    let softmax = program("softmax", |p| {
        let (rows, cols) = (p.symbol("rows"), p.symbol("cols"));
        p.require(cols.le(128));
        let x = p.input::<f32, 2>("x", [rows, cols]).partition::<Shape![4, 128]>();
        let y = p.output::<f32, 2>("y", [rows, cols]).partition::<Shape![4, 128]>();
        let [i] = p.grid([rows.ceil_div(4)]);
        let row = x.load_masked((i, 0), NegativeInfinity);
        let e = (row - row.reduce_max::<U1>()).exp();
        y.store_masked(e / e.sum::<U1>(), (i, 0));
    })?;
    print!("{softmax}");

    let x: Vec<f32> = digits::read()?.into_iter().map(f32::from).collect();
    let mut y = vec![0.0; x.len()];
    let report = softmax.host().arg("x", (&x, [IMAGES, PIXELS])).arg("y", &mut y).run()?;

    println!(
        "{IMAGES} rows in {} blocks; the first one's largest share is {:.3}",
        report.grid[0],
        largest(&y[..PIXELS])
    );
    digits::compare(&y, &x.chunks(PIXELS).flat_map(plain).collect::<Vec<f32>>(), 1e-6)
}

fn largest(row: &[f32]) -> f32 {
    row.iter().copied().fold(f32::NEG_INFINITY, f32::max)
}

fn plain(row: &[f32]) -> Vec<f32> {
    let e: Vec<f64> = row.iter().map(|x| f64::from(x - largest(row)).exp()).collect();
    let sum: f64 = e.iter().sum();
    e.iter().map(|e| (e / sum) as f32).collect()
}

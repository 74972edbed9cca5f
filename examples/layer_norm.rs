//! Layer norm: each row to mean 0 and variance 1, then scaled and shifted by weights of its own for each column.

#[path = "data/digits.rs"]
mod digits;

use digits::{IMAGES, PIXELS};
use girih::Shape;
use girih::program::program;
use girih::view::Zero;
use std::error::Error;
use typenum::U1;

fn main() -> Result<(), Box<dyn Error>> {
    let layer_norm = program("layer_norm", |p| {
        let rows = p.symbol("rows");
        let epsilon = p.scalar::<f32>("epsilon");
        let x = p.input::<f32, 2>("x", (rows, 64)).partition::<Shape![8, 64]>();
        let [gamma, beta] =
            ["gamma", "beta"].map(|name| p.input::<f32, 1>(name, [64]).partition::<Shape![64]>().load(0));
        let y = p.output::<f32, 2>("y", (rows, 64)).partition::<Shape![8, 64]>();
        let [i] = p.grid([rows.ceil_div(8)]);
        let x = x.load_masked((i, 0), Zero);
        let centred = x - x.sum::<U1>() / 64;
        let variance = (centred * centred).sum::<U1>() / 64;
        y.store_masked(centred * (variance + epsilon).rsqrt() * gamma + beta, (i, 0));
    })?;
    print!("{layer_norm}");

    let x: Vec<f32> = digits::read()?.into_iter().map(f32::from).collect();
    let gamma: Vec<f32> = (0..PIXELS).map(|j| 1.0 + j as f32 / 64.0).collect();
    let beta: Vec<f32> = (0..PIXELS).map(|j| j as f32 / 8.0).collect();
    let mut y = vec![0.0; x.len()];
    let host = layer_norm.host().arg("epsilon", 1e-5f32).arg("x", &x).arg("y", &mut y);
    let report = host.arg("gamma", &gamma).arg("beta", &beta).run()?;

    println!("{IMAGES} rows in {} blocks", report.grid[0]);
    let plain = x.chunks(PIXELS).flat_map(|row| {
        let mean = row.iter().map(|&x| f64::from(x)).sum::<f64>() / 64.0;
        let variance = row.iter().map(|&x| (f64::from(x) - mean).powi(2)).sum::<f64>() / 64.0;
        let scale = 1.0 / (variance + 1e-5).sqrt();
        let one = |((x, gamma), beta): ((&f32, &f32), &f32)| {
            ((f64::from(*x) - mean) * scale * f64::from(*gamma) + f64::from(*beta)) as f32
        };
        row.iter().zip(&gamma).zip(&beta).map(one).collect::<Vec<f32>>()
    });
    digits::compare(&y, &plain.collect::<Vec<f32>>(), 1e-5)
}

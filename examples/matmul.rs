//! A matrix product by tensor-core operations: `X X^T` of the digits, with a loop over k. The transposed matrix is the same memory
//! through another layout.

#[path = "data/digits.rs"]
mod digits;

use digits::{IMAGES, PIXELS};
use girih::Shape;
use girih::program::program;
use girih::tile::f16;
use girih::view::Zero;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let matmul = program("matmul", |p| {
        let [m, n, k] = ["m", "n", "k"].map(|name| p.symbol(name));
        let a = p.input::<f16, 2>("a", [m, k]).partition::<Shape![64, 32]>();
        let b = p.input_with::<f16, 2>("b", p.layout([k, n], (1, k))).partition::<Shape![32, 64]>();
        let c = p.output::<f32, 2>("c", [m, n]).partition::<Shape![64, 64]>();
        let [i, j] = p.grid([m.ceil_div(64), n.ceil_div(64)]);
        let sum = p.fold(k.ceil_div(32), p.zeros::<f32, Shape![64, 64]>(), |k, sum| {
            a.load_masked((i, k), Zero).mma(b.load_masked((k, j), Zero), sum)
        });
        c.store_masked(sum, (i, j));
    })?;
    print!("{matmul}");

    let pixels = digits::read()?;
    let x: Vec<f16> = pixels.iter().map(|&x| f16::from(x)).collect();
    let mut c = vec![0.0f32; IMAGES * IMAGES];
    let report =
        matmul.host().arg("a", (&x, [IMAGES, PIXELS])).arg("b", (&x, [PIXELS, IMAGES])).arg("c", &mut c).run()?;

    println!("{IMAGES} x {IMAGES} in {} x {} blocks", report.grid[0], report.grid[1]);
    let dot = |a: &[u8], b: &[u8]| a.iter().zip(b).map(|(&a, &b)| u32::from(a) * u32::from(b)).sum::<u32>() as f32;
    let rows = || pixels.chunks(PIXELS);
    digits::compare(&c, &rows().flat_map(|a| rows().map(move |b| dot(a, b))).collect::<Vec<f32>>(), 0.0)
}

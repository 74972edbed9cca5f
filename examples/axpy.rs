//! `y = a x + y` for a length that no tile divides: the last block loads and stores only what is there.

#[path = "data/digits.rs"]
mod digits;

use girih::Shape;
use girih::program::program;
use girih::view::Zero;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let axpy = program("axpy", |p| {
        let n = p.symbol("n");
        let a = p.scalar::<f32>("a");
        let x = p.input::<f32, 1>("x", [n]).partition::<Shape![4096]>();
        let y = p.inout::<f32, 1>("y", [n]).partition::<Shape![4096]>();
        let [i] = p.grid([n.ceil_div(4096)]);
        let sum = x.load_masked(i, Zero) * a + y.load_masked(i, Zero);
        y.store_masked(sum, i);
    })?;
    print!("{axpy}");

    let x: Vec<f32> = digits::read()?.into_iter().map(f32::from).collect();
    let before: Vec<f32> = (0..x.len()).map(|i| i as f32).collect();
    let mut y = before.clone();
    let report = axpy.host().arg("a", 0.5f32).arg("x", &x).arg("y", &mut y).run()?;

    println!("{} elements in {} blocks", x.len(), report.grid[0]);
    let plain: Vec<f32> = x.iter().zip(before).map(|(x, y)| 0.5 * x + y).collect();
    digits::compare(&y, &plain, 0.0)
}

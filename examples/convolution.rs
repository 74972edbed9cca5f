//! A 3 x 3 convolution of images: windows of 4 x 4 pixels, one apart, are the overlapping chunks of a strided view. The kernel is
//! padded to the window with zeros; a block makes one pixel of 64 images.

#[path = "data/digits.rs"]
mod digits;

use girih::Shape;
use girih::program::program;
use girih::view::Zero;
use std::error::Error;
use typenum::{U1, U2, U64};

fn main() -> Result<(), Box<dyn Error>> {
    let convolution = program("conv", |p| {
        let (images, h, w) = (p.symbol("images"), p.symbol("h"), p.symbol("w"));
        let (rows, cols) = (p.symbol("rows"), p.symbol("cols"));
        p.require((rows + 2).eq(h));
        p.require((cols + 2).eq(w));
        let windows = p.input::<f32, 3>("x", [images, h, w]).strided::<Shape![64, 4, 4], (U64, U1, U1)>();
        let kernel = p.input::<f32, 2>("kernel", [3, 3]).partition::<Shape![4, 4]>().load_masked([0, 0], Zero);
        let y = p.output::<f32, 3>("y", [images, rows, cols]).partition::<Shape![64, 1, 1]>();
        let [row, col, i] = p.grid([rows, cols, images.ceil_div(64)]);
        let products = windows.load_masked((i, row, col), Zero) * kernel;
        y.store_masked(products.sum::<U1>().sum::<U2>(), (i, row, col));
    })?;
    print!("{convolution}");

    const EDGES: [[f32; 3]; 3] = [[-1.0, -1.0, -1.0], [-1.0, 8.0, -1.0], [-1.0, -1.0, -1.0]];
    let x: Vec<f32> = digits::read()?.into_iter().map(f32::from).collect();
    let mut y = vec![0.0; digits::IMAGES * 6 * 6];
    let host = convolution.host().arg("x", (&x, [digits::IMAGES, 8, 8])).arg("kernel", EDGES.as_flattened());
    let report = host.arg("y", (&mut y, [digits::IMAGES, 6, 6])).run()?;

    println!(
        "{} images of 8 x 8 in {} x {} x {} blocks",
        digits::IMAGES,
        report.grid[0],
        report.grid[1],
        report.grid[2]
    );
    let mut plain = vec![];
    for image in x.chunks(digits::PIXELS) {
        for (row, col) in (0..6).flat_map(|row| (0..6).map(move |col| (row, col))) {
            let taps = (0..3).flat_map(|i| (0..3).map(move |j| (i, j)));
            plain.push(taps.map(|(i, j)| EDGES[i][j] * image[8 * (row + i) + col + j]).sum());
        }
    }
    digits::compare(&y, &plain, 0.0)
}

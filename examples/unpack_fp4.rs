//! Numbers of four bits, two in a byte, unpacked: a tile of bytes is repacked as a tile of `f4e2m1` twice as long, then converted.

#[path = "data/digits.rs"]
mod digits;

use girih::Shape;
use girih::program::program;
use girih::tile::F4E2M1;
use girih::view::Zero;
use std::error::Error;
use typenum::U0;

/// The numbers that four bits stand for, by their code; bit 3 is the sign.
const VALUES: [f32; 8] = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0];

fn main() -> Result<(), Box<dyn Error>> {
    let unpack = program("unpack_fp4", |p| {
        let bytes = p.symbol("bytes");
        let x = p.input::<u8, 1>("x", [bytes]).partition::<Shape![1024]>();
        let y = p.output::<f32, 1>("y", [bytes * 2]).partition::<Shape![2048]>();
        let [i] = p.grid([bytes.ceil_div(1024)]);
        y.store_masked(x.load_masked(i, Zero).repack::<F4E2M1, U0>().cast::<f32>(), i);
    })?;
    print!("{unpack}");

    // the code of a pixel: its grey value, halved; the sign alternates
    let codes: Vec<u8> =
        digits::read()?.iter().enumerate().map(|(i, x)| (x / 2).min(7) | ((i % 2) as u8) << 3).collect();
    let packed: Vec<u8> = codes.chunks(2).map(|pair| pair[0] | pair[1] << 4).collect();
    let mut y = vec![0.0; codes.len()];
    let report = unpack.host().arg("x", &packed).arg("y", &mut y).run()?;

    println!("{} numbers from {} bytes in {} blocks", y.len(), packed.len(), report.grid[0]);
    let plain = codes.iter().map(|&code| if code & 8 != 0 { -1.0 } else { 1.0 } * VALUES[usize::from(code & 7)]);
    digits::compare(&y, &plain.collect::<Vec<f32>>(), 0.0)
}

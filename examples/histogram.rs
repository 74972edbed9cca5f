//! A histogram by atomic additions: a tile of pixels is a list of bins, and blocks add to them at the same time. Where the last tile
//! has no pixels it names a bin that there is not, to which the masked form adds nothing.

#[path = "data/digits.rs"]
mod digits;

use girih::Shape;
use girih::program::program;
use girih::view::{Device, Relaxed, Zero};
use std::error::Error;
use typenum::U0;

fn main() -> Result<(), Box<dyn Error>> {
    let histogram = program("histogram", |p| {
        let (n, bins) = (p.symbol("n"), p.symbol("bins"));
        let x = p.input::<u8, 1>("x", [n]).partition::<Shape![1024]>();
        let counts = p.inout::<u32, 1>("counts", [bins]).gather::<Shape![1024], U0>();
        let [i] = p.grid([n.ceil_div(1024)]);
        let inside = (p.iota::<i32, Shape![1024]>() + i * 1024).lt(p.value::<i32>(n));
        let bin = inside.select(x.load_masked(i, Zero).cast::<i32>(), p.full(-1));
        counts.atomic_add_masked(p.full::<u32, Shape![1024]>(1), bin, Relaxed, Device);
    })?;
    print!("{histogram}");

    let x = digits::read()?;
    let mut counts = [0u32; 17];
    let report = histogram.host().arg("x", &x).arg("counts", &mut counts).run()?;

    println!("{} pixels in {} blocks\n value   count", x.len(), report.grid[0]);
    for (value, &count) in counts.iter().enumerate() {
        println!("{value:6} {count:7}  {}", "#".repeat(count as usize / 1000));
        if count as usize != x.iter().filter(|&&x| usize::from(x) == value).count() {
            return Err(format!("the count of {value} is wrong").into());
        }
    }
    Ok(())
}

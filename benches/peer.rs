//! One round of timings as JSON lines `{"name": ..., "ns": ...}`, to be alternated with a program of another
//! implementation that prints the same names: `cargo bench --bench peer`; with `-- show`, the results instead.

// errors carry their operands inline
#![allow(clippy::result_large_err)]

use girih::prelude::*;
use std::fmt::Debug;
use std::hint::black_box;
use std::time::Instant;

struct Round {
    show: bool,
}

impl Round {
    /// The least of five means, each over two milliseconds or more.
    fn time<T: Debug>(&self, name: &str, mut f: impl FnMut() -> T) {
        if self.show {
            return println!("{name} = {:?}", f());
        }
        let mut run = |n: u64| {
            let start = Instant::now();
            // results are looked at where they are: a caller does not move 512 bytes either
            (0..n).for_each(|_| _ = black_box(&f()));
            start.elapsed().as_nanos() as f64
        };
        let mut n = 1;
        while run(n) < 2e6 {
            n *= 2;
        }
        let best = (0..5).map(|_| run(n) / n as f64).fold(f64::INFINITY, f64::min);
        println!("{{\"name\":\"{name}\",\"ns\":{best:.3}}}");
    }
}

#[inline(never)]
fn fold(layout: &Layout, data: &[u32]) -> Result<u32, LayoutError> {
    Ok(layout.offsets()?.fold(0, |sum, o| data[o as usize].wrapping_add(sum)))
}

#[inline(never)]
fn for_loop(layout: &Layout, data: &[u32]) -> Result<u32, LayoutError> {
    let mut sum = 0u32;
    for o in layout.offsets()? {
        sum = sum.wrapping_add(data[o as usize]);
    }
    Ok(sum)
}

#[inline(never)]
fn evaluate(layout: &Layout, data: &[u32]) -> Result<u32, LayoutError> {
    let mut sum = 0u32;
    for i in 0..layout.size()? {
        sum = sum.wrapping_add(data[layout.at(i)? as usize]);
    }
    Ok(sum)
}

fn main() {
    let round = Round { show: std::env::args().any(|a| a == "show") };
    let a = layout!((8,16,4):(64,4,1));
    let nested = layout!(((4,2),(8,3)):((1,16),(32,4)));
    let rows = layout!((4,8):(2,8));
    let four = layout!(4:2);
    let split = layout!((2,(1,6),4):(1,(6,2),12));
    let tiler = tiler![4, 8];

    for (x, y) in [(&a, &rows), (&a, &four), (&nested, &rows)] {
        round.time(&format!("composition {x} o {y}"), || black_box(x).compose(black_box(y)));
    }
    round.time(&format!("coalesce {split}"), || black_box(&split).coalesce());
    round.time("complement 4:2 in 512", || black_box(&four).complement(*black_box(&512)));
    round.time(&format!("logical_divide {a} by 4:2"), || black_box(&a).logical_divide(black_box(&four)));
    round.time(&format!("logical_divide {a} by <4,8>"), || black_box(&a).logical_divide_by_mode(black_box(&tiler)));
    round.time(&format!("evaluate {a} at 77"), || black_box(&a).at(*black_box(&77)));
    round.time(&format!("evaluate {a} at (3,7,2)"), || black_box(&a).at_coord(*black_box(&[3, 7, 2])));

    for l in [a, layout!((3,5,7):(35,7,1)), layout!((64,64,16):(16,1024,1))] {
        let data: Vec<u32> = (0..65536u32).map(|i| i.wrapping_mul(2654435761) >> 7).collect();
        round.time(&format!("sum over {l}, loops"), || fold(black_box(&l), &data));
        round.time(&format!("sum over {l}, iterator"), || for_loop(black_box(&l), &data));
        round.time(&format!("sum over {l}, 1-D"), || evaluate(black_box(&l), &data));
    }
}

//! A GEMM from layouts: builds the tiling, proves that it computes each output once, runs it on real data, checks the result.
//!
//! ```text
//! cargo run --release --example gemm                    X * X^T of examples/data/digits.npy
//! cargo run --release --example gemm -- A.npy B.npy     A (M,K) * B (K,N) of your own
//! ```
//! The picture of the tiling is written to target/gemm_tiling.svg, or where `--svg FILE` says.

mod host;
mod npy;
mod tiling;

use girih::prelude::*;
use indicatif::{ProgressBar, ProgressStyle};
use std::{error::Error, path::PathBuf, process::ExitCode, time::Instant};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("gemm: {e}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut svg = None;
    let mut files = vec![];
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--svg" => svg = Some(PathBuf::from(args.next().ok_or("--svg needs a file")?)),
            "--help" | "-h" => {
                println!(
                    "gemm [A.npy B.npy] [--svg FILE]: A (M,K) * B (K,N); X * X^T of the shipped digits without files"
                );
                return Ok(());
            }
            option if option.starts_with('-') => return Err(format!("no option {option}; --help shows those").into()),
            _ => files.push(PathBuf::from(arg)),
        }
    }
    let svg = match svg {
        Some(file) => file,
        None => {
            // the build's own folder may be elsewhere
            let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target");
            std::fs::create_dir_all(&folder)?;
            folder.join("gemm_tiling.svg")
        }
    };
    // B is taken as (N,K): the transposed view of a file costs nothing, it is another layout
    let (a, b) = match &files[..] {
        [] => {
            let x = npy::read(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples/data/digits.npy"))?;
            (x.clone(), x)
        }
        [a, b] => (npy::read(a)?, npy::read(b)?.select(&[1, 0])?),
        _ => return Err("two .npy files are needed, or none".into()),
    };
    let (m, k) = (a.layout().mode(0)?.size()?, a.layout().mode(1)?.size()?);
    let (n, kb) = (b.layout().mode(0)?.size()?, b.layout().mode(1)?.size()?);
    if k != kb {
        return Err(format!("A is {m} x {k} and B is {kb} x {n}: the inner sizes differ").into());
    }
    let c = Layout::row_major(&IntTuple::flat(&[m, n])?)?;

    println!("C ({m},{n}) = A ({m},{k}) * B ({n},{k})^T");
    println!("  A {}   B {}   C {c}", a.layout(), b.layout());

    let tiling = tiling::Tiling::simt();
    let tiles = c.zipped_divide_ceil(&tiling.mn)?;
    println!("\ntiling");
    println!("  C by {}: {}", tiling.mn, tiles.layout);
    println!("  real where {}", tiles.guard);
    println!("  A by {}: {}", tiling.mk, a.layout().zipped_divide_ceil(&tiling.mk)?.layout);
    println!("  B by {}: {}", tiling.nk, b.layout().zipped_divide_ceil(&tiling.nk)?.layout);
    println!("  copied by (thread,value) {} to shared memory {}", tiling.copy, tiling.smem);
    println!("  threads {}; (thread,value) in the C tile: {}", tiling.threads, tiling.thread_value()?);

    let start = Instant::now();
    let proof = tiling.prove(a.layout(), b.layout(), &c)?;
    println!("\nproof ({:.0} us, certificates checked)\n{proof}", start.elapsed().as_secs_f64() * 1e6);
    println!("\nshared memory banks");
    for (what, banks) in tiling.banks()? {
        println!("  {what}: {banks}");
    }

    let ctas = tiles.layout.mode(1)?.size()?;
    let bar = ProgressBar::new(ctas as u64);
    bar.set_style(ProgressStyle::with_template("  {bar:40} {pos}/{len} CTAs, {eta} left")?);
    let start = Instant::now();
    let out = host::run(&tiling, &a.view(), &b.view(), c, || bar.inc(1))?;
    let seconds = start.elapsed().as_secs_f64();
    bar.finish_and_clear();
    let flops = 2.0 * (m * n * k) as f64;
    println!("\nrun on the host: {ctas} CTAs of {} threads", tiling.threads.size()?);
    println!("  {seconds:.3} s, {:.2} GFLOP/s, every output written once", flops / seconds / 1e9);

    let plain = host::plain(&a.view(), &b.view(), c)?;
    let same = |(x, y): (&f32, &f32)| x == y || x.is_nan() && y.is_nan();
    let wrong = out.memory().iter().zip(plain.memory()).filter(|&(x, y)| !same((x, y))).count();
    if wrong > 0 {
        return Err(format!("{wrong} of {} elements differ from the plain product", m * n).into());
    }
    println!("  equal to the plain product in all {} elements", m * n);

    // the inverse of (thread,value) -> place tells whose each place is
    let owner = tiling.thread_value()?.right_inverse()?;
    let (bm, bn, _) = tiling::blocks();
    let threads = tiling.threads.size()?;
    let tile = (IntTuple::flat(&[bm, bn])?, |place: i64| owner.at(place).unwrap_or(0) % threads);
    let drawing =
        Drawing::of(&tile)?.title(format!("the thread of each element of a C tile, {}", tiling.thread_value()?));
    std::fs::write(&svg, drawing.svg()).map_err(|e| format!("{}: {e}", svg.display()))?;
    let here = std::env::current_dir()?;
    println!("\npicture: {}", svg.strip_prefix(here).unwrap_or(&svg).display());
    Ok(())
}

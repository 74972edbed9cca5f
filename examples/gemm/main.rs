//! A GEMM from layouts: builds the tiling, proves that it computes each output once, generates the kernel, runs it on a GPU if
//! there is one and on the simulator otherwise, on real data, and checks the result.
//!
//! ```text
//! cargo run --release --example gemm                    X * X^T of examples/data/digits.npy
//! cargo run --release --example gemm -- A.npy B.npy     A (M,K) * B (K,N) of your own
//! ```
//! The picture of the tiling is written to target/gemm_tiling.svg, or where `--svg FILE` says.

mod gpu;
mod host;
mod npy;
mod simulator;

use girih::gpu::atom::NumericType;
use girih::gpu::gemm::{Gemm, Matrix};
use girih::gpu::ptx::Target;
use girih::prelude::*;
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
    let ((a, of_a), (b, of_b)) = (operand(&a)?, operand(&b)?);
    let (m, n, k) = (a.rows, b.rows, a.depth);
    if k != b.depth {
        return Err(format!("A is {m} x {k} and B is {} x {n}: the inner sizes differ", b.depth).into());
    }
    println!("C ({m},{n}) = A ({m},{k}) * B ({n},{k})^T");
    println!("  A ({m},{k}):({},{})   B ({n},{k}):({},{})", a.strides[0], a.strides[1], b.strides[0], b.strides[1]);

    let gemm = Gemm::new(of_a, of_b, Matrix::row_major(NumericType::F32));
    let start = Instant::now();
    let kernel = gemm.build(Target::SM_80)?;
    let ptx = kernel.ptx();
    let built = start.elapsed();
    let layouts = kernel.layouts();
    let [bm, bn, bk] = layouts.tile;
    println!("\ntiling: {bm} x {bn} of C by a block of {} threads, k by {bk}", kernel.launch().block[0]);
    println!("  (thread,value) in the C tile: {}", layouts.c);
    for (name, i) in [("A", 0), ("B", 1)] {
        let shared = &layouts.shared[i];
        let place = if shared.is_plain() { shared.inner().to_string() } else { shared.to_string() };
        println!("  {name} copied by (thread,value) {} to shared memory {place}", layouts.copies[i]);
    }
    println!("\nproved:");
    for certificate in kernel.certificate() {
        certificate.check()?;
        println!("  {}", certificate.claim);
    }
    println!("\nkernel: {} lines of PTX, from the layouts in {:.1} ms", ptx.lines().count(), built.as_secs_f64() * 1e3);
    let launch = kernel.launch();
    println!("  grid {}, {} bytes of shared memory", launch.grid[0], launch.static_shared + launch.dynamic_shared);

    let flops = 2.0 * (m * n * k) as f64;
    let c = if gpu::is_there() {
        let (c, name, time) = gpu::run(&kernel, &a, &b)?;
        println!(
            "\nrun on {name}: {:.1} us, {:.2} TFLOP/s",
            time.as_secs_f64() * 1e6,
            flops / time.as_secs_f64() / 1e12
        );
        c
    } else {
        let start = Instant::now();
        let (c, report) = simulator::run(&kernel, &a, &b)?;
        let (seconds, instructions) = (start.elapsed().as_secs_f64(), report.thread_instructions());
        println!("\nno GPU here, run on the simulator: {seconds:.2} s, no fault found");
        print!("{}", report.summary());
        println!("  {:.0} million instructions of threads a second", instructions as f64 / seconds / 1e6);
        c
    };
    let same = |(x, y): (&f32, &f32)| x == y || x.is_nan() && y.is_nan();
    let wrong = c.iter().zip(&host::plain(&a, &b)).filter(|&(x, y)| !same((x, y))).count();
    if wrong > 0 {
        return Err(format!("{wrong} of {} elements differ from the plain product", m * n).into());
    }
    println!("  equal to the plain product in all {} elements", m * n);

    // the inverse of (thread,value) -> place tells whose each place is; the corner of one warp
    let (owner, threads) = (layouts.c.right_inverse()?, i64::from(kernel.launch().block[0]));
    let corner = (ints!((64, 64)), |i: i64| owner.at(i % 64 + bm * (i / 64)).unwrap_or(0) % threads);
    let drawing = Drawing::of(&corner)?.title(format!("the thread of each element of C's tile, {}", layouts.c));
    std::fs::write(&svg, drawing.svg()).map_err(|e| format!("{}: {e}", svg.display()))?;
    let here = std::env::current_dir()?;
    println!("\npicture: {}", svg.strip_prefix(here).unwrap_or(&svg).display());
    Ok(())
}

/// The factor in memory, and what the kernel is told of it: rows or columns in one piece, else copied to rows in one piece.
fn operand(t: &Tensor<f32>) -> Result<(host::Operand, Matrix), Box<dyn Error>> {
    let extent = |i| t.layout().mode(i).and_then(|m| m.size());
    let stride = |i| t.layout().mode(i).and_then(|m| m.leaf_stride(0)).map(|s| s.value().unwrap_or(0));
    let (rows, depth) = (extent(0)?, extent(1)?);
    let plain = Matrix::row_major(NumericType::F32);
    let (memory, strides, matrix) = match (stride(0)?, stride(1)?) {
        (ld, 1) if ld >= depth => (t.memory().to_vec(), [ld, 1], plain),
        (1, ld) if ld >= rows => (t.memory().to_vec(), [1, ld], Matrix::column_major(NumericType::F32)),
        _ => {
            let compact = t.view().select(&[1, 0])?.to_compact()?;
            (compact.memory().to_vec(), [depth, 1], plain)
        }
    };
    // allocations begin at multiples of 256 bytes, so the distance between lines decides
    let matrix = if strides[0].max(strides[1]) % 4 == 0 { matrix.aligned(16) } else { matrix };
    let [rows, depth] = [rows, depth].map(|n| n as usize);
    Ok((host::Operand { memory, rows, depth, strides: strides.map(|s| s as usize) }, matrix))
}

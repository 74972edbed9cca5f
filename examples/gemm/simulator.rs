//! The kernel on the simulator.

use crate::host::{Operand, sizes};
use girih::gpu::gemm::GemmKernel;
use girih::gpu::launch::Arg;
use girih::gpu::sim::{Buffer, Report, Simulation};
use indicatif::{ProgressBar, ProgressStyle};
use std::error::Error;

/// C, and what was counted. A fault of the kernel is an error.
pub fn run(kernel: &GemmKernel, a: &Operand, b: &Operand) -> Result<(Vec<f32>, Report), Box<dyn Error>> {
    let (x, y, mut c) = (Buffer::from_slice(&a.memory), Buffer::from_slice(&b.memory), Buffer::new(a.rows * b.rows));
    let bar = ProgressBar::no_length();
    bar.set_style(ProgressStyle::with_template("  {bar:40} {pos}/{len} blocks, {eta} left")?);
    let simulation = Simulation::new(kernel.module())?.progress(|done, of| {
        bar.set_length(of);
        bar.set_position(done);
    });
    let mut args = vec![x.arg(), y.arg(), c.arg_mut()];
    args.extend(sizes(a, b)?.map(Arg::from));
    let report = simulation.launch(kernel.launch(), &args)?;
    bar.finish_and_clear();
    Ok((c.to_vec()?, report))
}

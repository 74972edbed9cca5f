//! The kernel on a GPU.

use crate::host::{Operand, sizes};
use girih::gpu::gemm::GemmKernel;
use std::error::Error;
use std::time::Duration;

/// C, the name of the device, and the time of a launch.
pub type Run = (Vec<f32>, String, Duration);

/// Is there a GPU?
pub fn is_there() -> bool {
    #[cfg(feature = "gpu")]
    return girih::gpu::device::Device::count() > 0;
    #[cfg(not(feature = "gpu"))]
    return false;
}

#[cfg(not(feature = "gpu"))]
pub fn run(_: &GemmKernel, _: &Operand, _: &Operand) -> Result<Run, Box<dyn Error>> {
    Err("built without the feature `gpu`".into())
}

#[cfg(feature = "gpu")]
pub fn run(kernel: &GemmKernel, a: &Operand, b: &Operand) -> Result<Run, Box<dyn Error>> {
    use girih::gpu::device::{Buffer, Device};
    use girih::gpu::launch::Arg;
    let device = Device::new(0)?;
    let stream = device.default_stream();
    let loaded = device.load(&kernel.ptx())?.kernel(kernel.launch())?;
    let (x, y) = (Buffer::from_slice(&stream, &a.memory)?, Buffer::from_slice(&stream, &b.memory)?);
    let mut c = Buffer::from_slice(&stream, &vec![f32::NAN; a.rows * b.rows])?;
    let sizes = sizes(a, b)?;
    let mut launch = || {
        let mut args = vec![(&x).into(), (&y).into(), (&mut c).into()];
        args.extend(sizes.map(Arg::from));
        loaded.launch(&stream, &args)
    };
    // the first launch pays for what later ones do not
    launch()?;
    let begin = stream.record()?;
    launch()?;
    let time = stream.record()?.since(&begin)?;
    Ok((c.download(&stream)?, device.name()?, time))
}

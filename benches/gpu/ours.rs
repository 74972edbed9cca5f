//! Our kernels: generated, or brought as PTX with a launch description.

use crate::Result;
use crate::args::{Case, Product, Work};
use crate::data::Type;
use girih::gpu::atom::NumericType;
use girih::gpu::copy::Stream as Vectors;
use girih::gpu::device::{Buffer, Device, Kernel, Stream};
use girih::gpu::gemm::{Gemm, Matrix};
use girih::gpu::launch::{Arg, DataType, Launch, Param};
use girih::gpu::ptx::Target;
use std::path::Path;
use std::time::Instant;

/// A kernel with a name.
pub struct Ours {
    pub name: String,
    kernel: Kernel,
    device: Device,
}

/// What a parameter's name may mean.
enum Named {
    Memory { address: u64, bytes: usize },
    Integer(usize),
    Float(f32),
}

impl Ours {
    pub fn new(device: &Device, name: impl Into<String>, ptx: &str, launch: &Launch) -> Result<Ours> {
        let (name, kernel) = (name.into(), device.load(ptx)?.kernel(launch)?);
        let a = kernel.attributes()?;
        println!(
            "{name}: {} registers, {} bytes spilled, {} + {} bytes of shared memory, {} blocks on a multiprocessor",
            a.registers,
            a.local,
            a.shared,
            launch.dynamic_shared,
            kernel.blocks_per_multiprocessor()?
        );
        Ok(Ours { name, kernel, device: device.clone() })
    }

    fn load(device: &Device, ptx: &Path, launch: &Path) -> Result<Ours> {
        let launch = Launch::from_json(&std::fs::read_to_string(launch)?)?;
        let name = ptx.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ours::new(device, name, &std::fs::read_to_string(ptx)?, &launch)
    }

    /// C = A B.
    pub fn product(&self, stream: &Stream, p: &Product, a: &Buffer<u8>, b: &Buffer<u8>, c: &Buffer<u8>) -> Result<()> {
        let memory = |b: &Buffer<u8>| Named::Memory { address: b.address(), bytes: b.bytes() };
        self.launch(stream, |name| {
            Some(match name {
                "a" => memory(a),
                "b" => memory(b),
                "c" => memory(c),
                "m" => Named::Integer(p.m),
                "n" => Named::Integer(p.n),
                "k" => Named::Integer(p.k),
                "lda" => Named::Integer(p.lda()),
                "ldb" => Named::Integer(p.ldb()),
                "ldc" => Named::Integer(p.n),
                _ => return None,
            })
        })
    }

    /// y from x: a copy, or y += alpha x.
    pub fn stream(&self, stream: &Stream, alpha: f32, x: &Buffer<f32>, y: &Buffer<f32>) -> Result<()> {
        let memory = |b: &Buffer<f32>| Named::Memory { address: b.address(), bytes: b.bytes() };
        self.launch(stream, |name| {
            Some(match name {
                "x" => memory(x),
                "y" => memory(y),
                "n" => Named::Integer(x.len()),
                "a" | "alpha" => Named::Float(alpha),
                _ => return None,
            })
        })
    }

    fn launch(&self, stream: &Stream, value: impl Fn(&str) -> Option<Named>) -> Result<()> {
        let arg = |p: &Param| -> Result<Arg> {
            let wrong = || format!("{}: the bench has no argument for parameter {p:?}", self.name);
            Ok(match (p, value(p.name()).ok_or_else(wrong)?) {
                (Param::Pointer { to, access, .. }, Named::Memory { address, bytes }) => {
                    // SAFETY: the buffer outlives the launch's work, as dropping it waits; kernels under test read and write
                    // the arrays of the case, whose elements are bytes to Rust
                    unsafe { Arg::pointer(address, bytes as u64, *to, access.writes()).on(&self.device) }
                }
                (Param::Number { of: DataType::U32, .. }, Named::Integer(n)) => u32::try_from(n)?.into(),
                (Param::Number { of: DataType::S32, .. }, Named::Integer(n)) => i32::try_from(n)?.into(),
                (Param::Number { of: DataType::U64, .. }, Named::Integer(n)) => (n as u64).into(),
                (Param::Number { of: DataType::S64, .. }, Named::Integer(n)) => (n as i64).into(),
                (Param::Number { of: DataType::F32, .. }, Named::Float(x)) => x.into(),
                _ => return Err(wrong().into()),
            })
        };
        let args = self.kernel.description().params.iter().map(arg).collect::<Result<Vec<_>>>()?;
        Ok(self.kernel.launch(stream, &args)?)
    }
}

/// Kernels for a product: ours, and those of files.
pub fn products(device: &Device, case: &Case, p: &Product) -> Result<Vec<Ours>> {
    let matrix = |of: Type, along_row: bool, ld: usize| {
        let ty = numeric(of);
        let matrix = if along_row { Matrix::row_major(ty) } else { Matrix::column_major(ty) };
        matrix.aligned(1 << (ld * of.bytes()).trailing_zeros().min(4))
    };
    let (a, b) = (matrix(p.of, p.a_along_k, p.lda()), matrix(p.of, p.b_along_k, p.ldb()));
    let target = target(device);
    let start = Instant::now();
    let kernel = Gemm::new(a, b, matrix(p.of.result(), true, p.n)).build(target)?;
    let ptx = kernel.ptx();
    println!("{}: {:.2} ms from layouts to PTX", kernel.launch().entry, 1e3 * start.elapsed().as_secs_f64());
    let mut kernels = vec![Ours::new(device, &kernel.launch().entry, &ptx, kernel.launch())?];
    kernels.extend(files(device, case)?);
    Ok(kernels)
}

fn numeric(of: Type) -> NumericType {
    match of {
        Type::F32 => NumericType::F32,
        Type::Tf32 => NumericType::TF32,
        Type::Bf16 => NumericType::BF16,
        Type::F16 => NumericType::F16,
        Type::S8 => NumericType::S8,
        Type::S32 => NumericType::S32,
        Type::E4m3 => NumericType::E4M3,
    }
}

/// Kernels for a copy or axpy: ours, and those of files.
pub fn streams(device: &Device, case: &Case) -> Result<Vec<Ours>> {
    let stream = if matches!(case.work, Work::Copy(_)) {
        Vectors::copy(NumericType::F32)
    } else {
        Vectors::axpy(NumericType::F32)
    };
    let (module, launch) = stream.aligned(16).build(target(device))?;
    let mut kernels = vec![Ours::new(device, &launch.entry, &module.to_string(), &launch)?];
    kernels.extend(files(device, case)?);
    Ok(kernels)
}

fn target(device: &Device) -> Target {
    let (major, minor) = device.compute_capability();
    Target::of_device(major as u16, minor as u16)
}

fn files(device: &Device, case: &Case) -> Result<Vec<Ours>> {
    case.files.iter().map(|(ptx, launch)| Ours::load(device, ptx, launch)).collect()
}

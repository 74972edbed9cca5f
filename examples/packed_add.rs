//! Eight packed additions of two halves each: one instruction applied over tensors of registers.
//!
//! `cargo run --release --example packed_add` prints the PTX, runs it, on a GPU or else on the simulator, and compares with the host.

use girih::gpu::apply::{ApplyOptions, MemoryTensor, RegisterTensor};
use girih::gpu::kernel::Kernel;
use girih::gpu::ptx::{Module, Target, Type};
use girih::gpu::sim::{Buffer, Grid};
use girih::prelude::*;
use half::f16;

const WORDS: i64 = 8;

/// `out = a + b`, each of 8 words of two halves, by one thread.
fn packed_add() -> Result<Module, Box<dyn std::error::Error>> {
    let mut k = Kernel::new("packed_add", Target::SM_80, [1, 1, 1]);
    let [a, b, out] = ["a", "b", "out"].map(|name| {
        let pointer = k.pointer(name, Type::B32);
        MemoryTensor::new(&pointer.at(&0.into()), &layout!((8,1):(1,1)), WORDS, 4)
    });
    let [x, y] = [(); 2].map(|()| RegisterTensor::new(&k.regs(Type::B32, WORDS as usize), &layout!((8,1):(1,1))));
    let options = ApplyOptions::default();
    k.apply("ld.global.b32", &[(&x).into(), (&a).into()], &options)?;
    k.apply("ld.global.b32", &[(&y).into(), (&b).into()], &options)?;
    k.apply("add.rn.f16x2", &[(&x).into(), (&x).into(), (&y).into()], &options)?;
    k.apply("st.global.b32", &[(&out).into(), (&x).into()], &options)?;
    Ok(k.finish()?)
}

/// Two halves to a word, the first in the low bits.
fn packed(halves: &[f16]) -> Vec<u32> {
    halves.chunks(2).map(|p| u32::from(p[0].to_bits()) | u32::from(p[1].to_bits()) << 16).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let module = packed_add()?;
    println!("{module}");
    let a: Vec<f16> = (0..16).map(|i| f16::from_f32(i as f32)).collect();
    let b = vec![f16::from_f32(2.0); 16];
    let sums: Vec<f16> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
    let (a, b) = (packed(&a), packed(&b));
    let (out, place) = match on_a_gpu(&module, &a, &b)? {
        Some(out) => (out, "a GPU"),
        None => (simulated(&module, &a, &b)?, "the simulator"),
    };
    assert_eq!(out, packed(&sums), "{place} and the host differ");
    println!("on {place}: {sums:?}, as on the host");
    Ok(())
}

/// What the kernel computes, on the simulator.
fn simulated(module: &Module, a: &[u32], b: &[u32]) -> Result<Vec<u32>, Box<dyn std::error::Error>> {
    let (a, b, mut out) = (Buffer::from_slice(a), Buffer::from_slice(b), Buffer::new(WORDS as usize));
    let report = module.simulate(Grid::new(1, 1), &[a.arg(), b.arg(), out.arg_mut()])?;
    print!("{}", report.summary());
    Ok(out.to_vec()?)
}

#[cfg(not(feature = "gpu"))]
fn on_a_gpu(_: &Module, _: &[u32], _: &[u32]) -> Result<Option<Vec<u32>>, Box<dyn std::error::Error>> {
    Ok(None)
}

/// What the kernel computes, if there is a GPU.
#[cfg(feature = "gpu")]
fn on_a_gpu(module: &Module, a: &[u32], b: &[u32]) -> Result<Option<Vec<u32>>, Box<dyn std::error::Error>> {
    use girih::gpu::device::{Buffer, Device};
    use girih::gpu::launch::{DataType, Launch, Param, Usage};
    if Device::count() == 0 {
        return Ok(None);
    }
    let device = Device::new(0)?;
    let stream = device.default_stream();
    let pointer = |name, usage| Param::pointer(name, DataType::U32, usage).holding((4 * WORDS as u64).into());
    let launch = Launch {
        params: vec![pointer("a", Usage::Read), pointer("b", Usage::Read), pointer("out", Usage::Write)],
        entry: "packed_add".into(),
        ..Launch::default()
    };
    let kernel = device.load(&module.to_string())?.kernel(&launch)?;
    let (a, b) = (Buffer::from_slice(&stream, a)?, Buffer::from_slice(&stream, b)?);
    // no word of the result is this
    let mut out = Buffer::from_slice(&stream, &[u32::MAX; WORDS as usize])?;
    kernel.launch(&stream, &[(&a).into(), (&b).into(), (&mut out).into()])?;
    Ok(Some(out.download(&stream)?))
}

//! Sequences for what a target lacks: code for old targets, executed, equals the host's arithmetic.

use girih::gpu::kernel::{Bf16Op, Kernel};
use girih::gpu::launch::*;
use girih::gpu::ptx::{Reg, Target, Type};
use half::{bf16, f16};

#[path = "common/machine.rs"]
mod machine;
#[allow(dead_code)]
#[path = "common/random.rs"]
mod random;
use machine::Machine;
use random::Rng;

const N: usize = 1 << 18;

/// `out[i] = f(x[i], y[i])` of words, built for the target.
fn map(target: Target, ty: Type, x: &[u32], y: &[u32], f: impl Fn(&mut Kernel, Reg, Reg) -> Reg) -> Vec<u32> {
    let (machine, mut k) = (Machine::new(80), Kernel::new("map", target, [256, 1, 1]));
    let [a, b, c] = ["x", "y", "out"].map(|name| k.pointer(name, ty));
    let i = k.ctaid() * 256 + k.tid();
    let (p, q) = (k.load(&a.at(&i), 1)[0], k.load(&b.at(&i), 1)[0]);
    let r = f(&mut k, p, q);
    k.store(&c.at(&i).of(Type::B32), &[r]);
    let launch = Launch {
        entry: "map".into(),
        params: vec![
            Param::pointer("x", DataType::U32, Usage::Read),
            Param::pointer("y", DataType::U32, Usage::Read),
            Param::pointer("out", DataType::U32, Usage::Write),
        ],
        block: [256, 1, 1],
        grid: [(N as u64 / 256).into(), 1.into(), 1.into()],
        ..Launch::default()
    };
    let (x, y, mut out) = (machine.buffer(x), machine.buffer(y), machine.buffer(&[0u32; N]));
    let kernel = machine.kernel(&k.finish().unwrap(), &launch);
    kernel.launch(vec![x.all(), y.all(), out.all_mut()]).unwrap();
    out.download()
}

/// Any bits: zeros, subnormal numbers, infinities and NaNs among them.
fn words(seed: u64) -> Vec<u32> {
    let mut random = Rng::new(seed);
    let special =
        [0u32, 1 << 31, 0x7F80_0000, 0xFF80_0000, 0x7F80_0001, 0x7FFF_FFFF, 1, 0x7F7F_FFFF, 0x3F80_8000, 0x3F81_8000];
    (0..N).map(|i| if i % 16 == 0 { random.of(&special) } else { random.below(1 << 32) as u32 }).collect()
}

/// Equal bits, or both no number.
fn same(of: &str, i: usize, got: u16, want: bf16) {
    let got = bf16::from_bits(got);
    assert!(got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan(), "{of} {i}: {got:?}, not {want:?}");
}

#[test]
fn pairs_of_bf16_equal_the_conversion() {
    let (x, y) = (words(1), words(2));
    for target in [Target::SM_75, Target::SM_80] {
        let got = map(target, Type::F32, &x, &y, |k, a, b| k.bf16x2_of(a, b));
        for (i, got) in got.iter().enumerate() {
            same("low", i, *got as u16, bf16::from_f32(f32::from_bits(x[i])));
            same("high", i, (got >> 16) as u16, bf16::from_f32(f32::from_bits(y[i])));
        }
    }
}

#[test]
fn pairs_of_f16_equal_the_conversion() {
    let (x, y) = (words(3), words(4));
    for target in [Target::SM_75, Target::SM_80] {
        let got = map(target, Type::F32, &x, &y, |k, a, b| k.f16x2_of(a, b));
        for (i, got) in got.iter().enumerate() {
            for (got, of) in [(*got as u16, x[i]), ((got >> 16) as u16, y[i])] {
                let (got, want) = (f16::from_bits(got), f16::from_f32(f32::from_bits(of)));
                assert!(
                    got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan(),
                    "{of:#x}: {got:?}, not {want:?}"
                );
            }
        }
    }
}

#[test]
fn arithmetic_of_bf16_is_rounded_once() {
    let (x, y) = (words(5), words(6));
    for op in [Bf16Op::Add, Bf16Op::Sub, Bf16Op::Mul] {
        for target in [Target::SM_80, Target::SM_90] {
            let got = map(target, Type::B32, &x, &y, |k, a, b| k.bf16x2(op, a, b));
            for (i, got) in got.iter().enumerate() {
                for shift in [0, 16] {
                    let [a, b] = [x[i], y[i]].map(|w| f64::from(bf16::from_bits((w >> shift) as u16)));
                    // exact in doubles: of products always, of sums where one does not vanish beside the other, and there the lesser only
                    // decides ties, which the double keeps
                    let exact = match op {
                        Bf16Op::Add => a + b,
                        Bf16Op::Sub => a - b,
                        Bf16Op::Mul => a * b,
                    };
                    same(&format!("{op:?} {a:e} {b:e}"), i, (got >> shift) as u16, rounded(exact));
                }
            }
        }
    }
}

/// To the nearest bf16, ties to even, from a double: through an f32 that is rounded to odd, so that it is rounded once.
fn rounded(x: f64) -> bf16 {
    let near = x as f32;
    if f64::from(near) == x || !near.is_finite() && !x.is_finite() {
        return bf16::from_f32(near);
    }
    // the neighbour nearer to zero, with its last bit set
    let below = if f64::from(near).abs() > x.abs() { f32::from_bits(near.to_bits() - 1) } else { near };
    bf16::from_f32(f32::from_bits(below.to_bits() | 1))
}

//! Atomics: what memory holds after `atom` and `red`.

#[cfg(test)]
mod tests;

use crate::gpu::ptx::Opcode;
use half::{bf16, f16};

/// From what memory holds and one or two operands to what it holds next.
type Function = fn(u128, u128, u128) -> u128;

/// What an `atom`, `red` or `red.async` does to each element of its vector; a scalar is one element, `.f16x2` too
/// (PTX ISA, "Parallel Synchronization and Communication Instructions: atom").
#[derive(Clone, Copy)]
pub(super) struct Combine {
    bits: u32,
    operands: usize,
    reads: bool,
    global: Function,
    shared: Function,
}

impl Combine {
    /// Does what memory holds afterwards depend on what it held?
    pub fn reads(&self) -> bool {
        self.reads
    }

    /// How many it takes besides what memory holds: 2 for `cas`, else 1.
    pub fn operands(&self) -> usize {
        self.operands
    }

    /// What a place in shared or in global memory holds afterwards; `c` is what `cas` writes. Bits above the width are ignored, and
    /// zero in the result.
    pub fn run(&self, shared: bool, old: u128, b: u128, c: u128) -> u128 {
        let mask = u128::MAX >> (128 - self.bits);
        let f = if shared { self.shared } else { self.global };
        f(old & mask, b & mask, c & mask) & mask
    }
}

/// The meaning of an atomic; none for other opcodes.
pub(super) fn combine(opcode: Opcode) -> Option<Combine> {
    if !matches!(opcode.mnemonic(), "atom" | "red") {
        return None;
    }
    let ty = opcode.qualifiers().last()?;
    let (global, shared) = opcode.qualifiers().find_map(|op| functions(op, ty))?;
    let bits = match ty {
        "f16x2" | "bf16x2" => 32,
        _ => ty.trim_start_matches(char::is_alphabetic).parse().ok().filter(|bits| (1..=128).contains(bits))?,
    };
    let operands = if opcode.has("cas") { 2 } else { 1 };
    Some(Combine { bits, operands, reads: !opcode.has("exch"), global, shared })
}

/// What happens in global and in shared memory. They differ for `.add.f32`, which flushes subnormal inputs and results in global
/// memory only (PTX ISA), and in which NaN `.add.f64` makes, of which the PTX ISA says nothing: an H200 does this.
fn functions(op: &str, ty: &str) -> Option<(Function, Function)> {
    let f: Function = match (op, ty) {
        ("add", "f32") => {
            return Some((
                |a, b, _| flushed(add_f32(flushed(a as u32), flushed(b as u32))).into(),
                |a, b, _| add_f32(a as u32, b as u32).into(),
            ));
        }
        ("add", "f64") => {
            return Some((
                |a, b, _| add_f64(b as u64, a as u64, 0).into(),
                |a, b, _| add_f64(a as u64, b as u64, 1 << 51).into(),
            ));
        }
        ("add", "f16" | "f16x2") => |a, b, _| f16_each(a, b, |x, y| x + y),
        ("min", "f16" | "f16x2") => |a, b, _| f16_each(a, b, lesser),
        ("max", "f16" | "f16x2") => |a, b, _| f16_each(a, b, greater),
        ("add", "bf16" | "bf16x2") => |a, b, _| bf16_each(a, b, |x, y| x + y),
        ("min", "bf16" | "bf16x2") => |a, b, _| bf16_each(a, b, lesser),
        ("max", "bf16" | "bf16x2") => |a, b, _| bf16_each(a, b, greater),
        ("min", "s32") => |a, b, _| (a as i32).min(b as i32) as u32 as u128,
        ("max", "s32") => |a, b, _| (a as i32).max(b as i32) as u32 as u128,
        ("min", "s64") => |a, b, _| (a as i64).min(b as i64) as u64 as u128,
        ("max", "s64") => |a, b, _| (a as i64).max(b as i64) as u64 as u128,
        ("min", _) => |a, b, _| a.min(b),
        ("max", _) => |a, b, _| a.max(b),
        ("add", _) => |a, b, _| a.wrapping_add(b),
        ("and", _) => |a, b, _| a & b,
        ("or", _) => |a, b, _| a | b,
        ("xor", _) => |a, b, _| a ^ b,
        ("inc", _) => |a, b, _| if a >= b { 0 } else { a + 1 },
        ("dec", _) => |a, b, _| if a == 0 || a > b { b } else { a - 1 },
        ("exch", _) => |_, b, _| b,
        ("cas", _) => |a, b, c| if a == b { c } else { a },
        _ => return None,
    };
    Some((f, f))
}

fn add_f32(a: u32, b: u32) -> u32 {
    let sum = f32::from_bits(a) + f32::from_bits(b);
    if sum.is_nan() { 0x7fff_ffff } else { sum.to_bits() }
}

/// A zero of the same sign for a subnormal.
fn flushed(x: u32) -> u32 {
    if f32::from_bits(x).is_subnormal() { x & 1 << 31 } else { x }
}

/// The first of two NaNs is the result, with these bits set.
fn add_f64(a: u64, b: u64, quiet: u64) -> u64 {
    match [a, b].into_iter().find(|&x| f64::from_bits(x).is_nan()) {
        Some(nan) => nan | quiet,
        None => {
            let sum = f64::from_bits(a) + f64::from_bits(b);
            if sum.is_nan() { 0xfff8 << 48 } else { sum.to_bits() }
        }
    }
}

/// Rounded twice, to `f32` and to `f16`, a sum is the same as rounded once: 24 bits are at least 2 * 11 + 2, and subnormal
/// sums are exact.
fn f16_each(a: u128, b: u128, f: impl Fn(f32, f32) -> f32) -> u128 {
    each_half(a, b, |a, b| f16::from_f32(f(f16::from_bits(a).to_f32(), f16::from_bits(b).to_f32())).to_bits(), 0x7c00)
}

/// As [`f16_each`]: 24 bits are at least 2 * 8 + 2.
fn bf16_each(a: u128, b: u128, f: impl Fn(f32, f32) -> f32) -> u128 {
    each_half(
        a,
        b,
        |a, b| bf16::from_f32(f(bf16::from_bits(a).to_f32(), bf16::from_bits(b).to_f32())).to_bits(),
        0x7f80,
    )
}

/// Both halves of a word; every NaN, which is above infinity, becomes the canonical one.
fn each_half(a: u128, b: u128, f: impl Fn(u16, u16) -> u16, infinity: u16) -> u128 {
    let half = |shift| match f((a >> shift) as u16, (b >> shift) as u16) {
        x if x & 0x7fff > infinity => 0x7fff,
        x => u128::from(x),
    };
    half(0) | half(16) << 16
}

/// The other one if one is NaN; -0 is less than +0.
pub(super) fn lesser(a: f32, b: f32) -> f32 {
    match (a.is_nan(), b.is_nan()) {
        (true, _) => b,
        (_, true) => a,
        _ => core::cmp::min_by(a, b, f32::total_cmp),
    }
}

pub(super) fn greater(a: f32, b: f32) -> f32 {
    -lesser(-a, -b)
}

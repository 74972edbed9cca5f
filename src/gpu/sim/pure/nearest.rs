//! Results rounded to nearest, fast: by the processor's doubles.
//!
//! A single or half is computed as a double and rounded again. The second rounding does no harm: a double has more than twice the
//! bits of a single and two, which suffices for a sum, product, quotient or root (a subnormal quotient is no nearer to a tie, nor
//! ever one), and `fused` rounds to odd.

use super::Pure;
use super::arithmetic::{Arithmetic, Operation};
use crate::tile::element::exact::fused;
use crate::tile::element::format::{BF16, F16, F32, F64, Format};
use crate::tile::element::round::Mode;

/// None for what is not to nearest, or rare.
pub(super) fn pure(arithmetic: Arithmetic, numbers: u32) -> Option<Pure> {
    const F32_FTZ: Format = F32.without_subnormals();
    const F16_FTZ: Format = F16.without_subnormals();
    if arithmetic.mode != Mode::Even || arithmetic.sat || arithmetic.relu || arithmetic.oob {
        return None;
    }
    let operation = arithmetic.operation;
    match (arithmetic.format, numbers) {
        (F64, _) => double(arithmetic),
        (F32, 1) => one(operation, read_single::<false>, round_single::<false>),
        (F32_FTZ, 1) => one(operation, read_single::<true>, round_single::<true>),
        (F16, 1) => one(operation, |x| read(F16, x), |x| round(F16, x)),
        (F16, _) => two(operation, |x| read(F16, x), |x| round(F16, x)),
        (F16_FTZ, 1) => one(operation, |x| read(F16_FTZ, x), |x| round(F16_FTZ, x)),
        (F16_FTZ, _) => two(operation, |x| read(F16_FTZ, x), |x| round(F16_FTZ, x)),
        (BF16, 1) => one(operation, |x| read(BF16, x), |x| round(BF16, x)),
        (BF16, _) => two(operation, |x| read(BF16, x), |x| round(BF16, x)),
        _ => None,
    }
}

trait Read: Fn(u64) -> f64 + Copy + Send + Sync + 'static {}
impl<F: Fn(u64) -> f64 + Copy + Send + Sync + 'static> Read for F {}
trait Round: Fn(f64) -> u64 + Copy + Send + Sync + 'static {}
impl<F: Fn(f64) -> u64 + Copy + Send + Sync + 'static> Round for F {}

/// For registers of one number.
fn one(operation: Operation, x: impl Read, r: impl Round) -> Option<Pure> {
    Some(match operation {
        Operation::Add => Pure::two(move |a, b| r(x(a) + x(b))),
        Operation::Sub => Pure::two(move |a, b| r(x(a) - x(b))),
        Operation::Mul => Pure::two(move |a, b| r(x(a) * x(b))),
        Operation::Fma => Pure::three(move |a, b, c| r(fused(x(a), x(b), x(c)))),
        Operation::Div => Pure::two(move |a, b| r(x(a) / x(b))),
        Operation::Rcp => Pure::one(move |a| r(1.0 / x(a))),
        Operation::Sqrt => Pure::one(move |a| r(x(a).sqrt())),
        Operation::Abs => Pure::one(move |a| r(x(a).abs())),
        Operation::Neg => Pure::one(move |a| r(-x(a))),
        Operation::Min | Operation::Max => return None,
    })
}

/// For registers of two halves.
fn two(operation: Operation, x: impl Read, r: impl Round) -> Option<Pure> {
    let h = move |a: u64| x(a >> 16);
    let pair = move |low, high| r(low) | r(high) << 16;
    Some(match operation {
        Operation::Add => Pure::two(move |a, b| pair(x(a) + x(b), h(a) + h(b))),
        Operation::Sub => Pure::two(move |a, b| pair(x(a) - x(b), h(a) - h(b))),
        Operation::Mul => Pure::two(move |a, b| pair(x(a) * x(b), h(a) * h(b))),
        Operation::Fma => Pure::three(move |a, b, c| pair(fused(x(a), x(b), x(c)), fused(h(a), h(b), h(c)))),
        Operation::Abs => Pure::one(move |a| pair(x(a).abs(), h(a).abs())),
        Operation::Neg => Pure::one(move |a| pair(-x(a), -h(a))),
        _ => return None,
    })
}

#[inline(always)]
fn read_single<const FTZ: bool>(x: u64) -> f64 {
    let x = f32::from_bits(x as u32);
    let tiny = FTZ && x.abs() < f32::MIN_POSITIVE;
    f64::from(if tiny { 0f32.copysign(x) } else { x })
}

#[inline(always)]
fn round_single<const FTZ: bool>(x: f64) -> u64 {
    let single = x as f32;
    let single = if FTZ && x.abs() < flushed(F32) { 0f32.copysign(single) } else { single };
    u64::from(if single.is_nan() { 0x7fff_ffff } else { single.to_bits() })
}

/// The double of the low bits.
#[inline(always)]
fn read(f: Format, x: u64) -> f64 {
    let magnitude = f.magnitude(x);
    let bits = magnitude << shift(f);
    let number = f64::from_bits(bits) / scale(f);
    let number = if magnitude >= f.infinity { f64::from_bits(bits | F64.infinity) } else { number };
    let number = if f.subnormals || magnitude >= f.least_normal() { number } else { 0.0 };
    if f.is_negative(x) { -number } else { number }
}

#[inline(always)]
fn round(f: Format, x: f64) -> u64 {
    let largest = f64::from_bits(f.infinity << shift(f)) / scale(f);
    let magnitude = x.abs().min(largest);
    // the unit of the last bit of the format is that of the last bit of a double of this power of two
    let least = f64::from_bits(f.least_normal() << shift(f)) / scale(f);
    let power = (magnitude.max(least).to_bits() & F64.infinity) + ((shift(f) as u64) << 52);
    let power = f64::from_bits(power);
    let rounded = (magnitude + power) - power;
    let rounded = if !f.subnormals && magnitude < flushed(f) { 0.0 } else { rounded };
    let bits = (rounded * scale(f)).to_bits() >> shift(f);
    let sign = if x.is_sign_negative() { f.sign } else { 0 };
    if x.is_nan() { f.sign - 1 } else { bits | sign }
}

/// How many more bits of fraction a double has.
#[inline(always)]
fn shift(f: Format) -> u32 {
    f.least_normal().leading_zeros() - F64.least_normal().leading_zeros()
}

/// What takes the exponents of a format to those that have the same bits in a double.
#[inline(always)]
fn scale(f: Format) -> f64 {
    f64::from_bits(f.one() << shift(f))
}

/// What is smaller is flushed. A number that rounds to the least normal, were there smaller ones, is not.
#[inline(always)]
fn flushed(f: Format) -> f64 {
    let least = f64::from_bits(f.least_normal() << shift(f)) / scale(f);
    least - least / (4 * f.least_normal()) as f64
}

/// The processor's NaNs are not those of a GPU.
fn double(arithmetic: Arithmetic) -> Option<Pure> {
    let x = f64::from_bits;
    let r = move |result: f64, operands| {
        if result.is_nan() { arithmetic.compute(operands) } else { result.to_bits() }
    };
    Some(match arithmetic.operation {
        Operation::Add => Pure::two(move |a, b| r(x(a) + x(b), [a, b, 0])),
        Operation::Sub => Pure::two(move |a, b| r(x(a) - x(b), [a, b, 0])),
        Operation::Mul => Pure::two(move |a, b| r(x(a) * x(b), [a, b, 0])),
        Operation::Fma => Pure::three(move |a, b, c| r(x(a).mul_add(x(b), x(c)), [a, b, c])),
        Operation::Div => Pure::two(move |a, b| r(x(a) / x(b), [a, b, 0])),
        Operation::Rcp => Pure::one(move |a| r(1.0 / x(a), [a, 0, 0])),
        Operation::Sqrt => Pure::one(move |a| r(x(a).sqrt(), [a, 0, 0])),
        _ => return None,
    })
}

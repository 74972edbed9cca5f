//! Approximate functions, PTX ISA 9.7.3 and 9.7.4: `ex2`, `lg2`, `sin`, `cos`, `tanh`, `rcp`, `rsqrt`, `sqrt` and `div` with
//! `.approx` or `.full`.
//!
//! A GPU's result may differ from what is computed here: that is the exact value, rounded to the nearest; `sin` and `cos` are those
//! of the source in turns, cut to an f32, which is how an H200 reduces it. How far they may lie apart is [`error()`]. Zeros,
//! infinities and NaNs are those of the ISA's tables.
//!
//! | instruction | the ISA's largest error |
//! |---|---|
//! | `ex2.approx.f32` | 2 ulp |
//! | `ex2.approx.f16`, `.bf16` | relative 2^-9.9, 2^-7 |
//! | `lg2.approx.f32` | absolute 2^-22 in (0.5, 2), relative 2^-22 elsewhere |
//! | `sin.approx.f32`, `cos.approx.f32` | absolute 2^-20.5 in [-2π, 2π], 2^-14.7 in [-100π, 100π] |
//! | `tanh.approx.f32` | relative 2^-11 |
//! | `tanh.approx.f16`, `.bf16` | absolute 2^-10.987, 2^-8 |
//! | `rcp.approx.f32` | 1 ulp |
//! | `rsqrt.approx.f32` | relative 2^-22.9 |
//! | `sqrt.approx.f32` | relative 2^-23 |
//! | `div.approx.f32` | 2 ulp for a divisor in [2^-126, 2^126] |
//! | `div.full.f32` | 2 ulp |
//! | `rcp.approx.ftz.f64`, `rsqrt.approx.f64`, `rsqrt.approx.ftz.f64` | not stated |
//!
//! An H200 keeps to these, but for the subnormal results of `ex2.approx.f16`, which can be off by one unit; `rsqrt.approx.f64` was
//! within one unit, the two others within one of the upper half. Its `sin` of tiny numbers is zero; one `cos` was 2^-20.45 from the
//! exact one, and all within 2^-21 of what is computed here.

use super::Pure;
use super::narrow::format;
use crate::gpu::ptx::{Instruction, Opcode, Type};
use crate::tile::element::format::{F32, F64, Format};
use crate::tile::element::round::Mode;
use core::f64::consts::PI;

/// How far an approximate result may lie from the exact one.
/// ```
/// use girih::gpu::{ptx::Opcode, sim::approx::{Error, error}};
/// assert_eq!(error(&Opcode::parse("rcp.approx.f32")?, 3.0), Some(Error::Ulp(1.0)));
/// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Error {
    /// units in the last place of the result
    Ulp(f64),
    /// of the exact result
    Relative(f64),
    /// as it stands
    Absolute(f64),
}

/// The largest error that the PTX ISA (9.7.3, 9.7.4) states for an approximate instruction, given its source (of `div`, the
/// divisor); none for other instructions, and where nothing is stated.
/// ```
/// use girih::gpu::{ptx::Opcode, sim::approx::{Error, error}};
/// let sin = Opcode::parse("sin.approx.f32")?;
/// assert_eq!(error(&sin, 1.0), Some(Error::Absolute(2f64.powf(-20.5))));
/// assert_eq!(error(&sin, 1000.0), None);
/// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
/// ```
pub fn error(op: &Opcode, x: f64) -> Option<Error> {
    use Error::{Absolute, Relative, Ulp};
    let ty = approximate(op)?;
    let size = x.abs();
    let two = |power: f64| power.exp2();
    Some(match (op.mnemonic(), ty) {
        ("ex2", Type::F32) => Ulp(2.0),
        ("ex2", Type::F16 | Type::F16x2) => Relative(two(-9.9)),
        ("ex2", _) => Relative(two(-7.0)),
        ("lg2", _) if 0.5 < x && x < 2.0 => Absolute(two(-22.0)),
        ("lg2", _) => Relative(two(-22.0)),
        ("sin" | "cos", _) if size <= 2.0 * PI => Absolute(two(-20.5)),
        ("sin" | "cos", _) if size <= 100.0 * PI => Absolute(two(-14.7)),
        ("tanh", Type::F32) => Relative(two(-11.0)),
        ("tanh", Type::F16 | Type::F16x2) => Absolute(two(-10.987)),
        ("tanh", _) => Absolute(two(-8.0)),
        ("rcp", Type::F32) => Ulp(1.0),
        ("rsqrt", Type::F32) => Relative(two(-22.9)),
        ("sqrt", _) => Relative(two(-23.0)),
        ("div", _) if op.get("rnd") == Some("full") || (two(-126.0)..=two(126.0)).contains(&size) => Ulp(2.0),
        _ => return None,
    })
}

/// The type of an approximate instruction; none for others.
fn approximate(op: &Opcode) -> Option<Type> {
    let known = matches!(op.mnemonic(), "ex2" | "lg2" | "sin" | "cos" | "tanh" | "rcp" | "rsqrt" | "sqrt" | "div");
    let approximate = op.qualifiers().any(|q| q == "approx" || q == "full");
    if known && approximate { op.qualifiers().last()?.parse().ok() } else { None }
}

pub(super) fn pure(i: &Instruction) -> Option<Pure> {
    let op = i.opcode();
    let ty = approximate(&op)?;
    let flush = op.has("ftz");
    let (format, count, stride) = format(ty)?;
    let read = move |x| format.value(if flush { format.flush(x) } else { x });
    let write = move |y: f64| {
        let bits = format.encode(y, Mode::Even);
        if flush { format.flush(bits) } else { bits }
    };
    if op.mnemonic() == "div" {
        let quotient = if op.get("rnd") == Some("full") { |a, b| a / b } else { by_reciprocal };
        return Some(Pure::two(move |a, b| write(quotient(read(a), read(b)))));
    }
    let f: fn(f64) -> f64 = match op.mnemonic() {
        "ex2" => f64::exp2,
        "lg2" => f64::log2,
        "sin" => |x| reduced(x).sin(),
        "cos" => |x| reduced(x).cos(),
        "tanh" => f64::tanh,
        "sqrt" => f64::sqrt,
        "rcp" => |x| 1.0 / x,
        "rsqrt" => |x| 1.0 / x.sqrt(),
        _ => return None,
    };
    Some(match count {
        1 if ty == Type::F64 && flush => Pure::one(move |x| of_upper_half(f, x)),
        1 if ty == Type::F64 => Pure::one(move |x| of_double(f, x)),
        1 => Pure::one(move |x| write(f(read(x)))),
        _ => Pure::one(move |x| (0..count).map(|n| write(f(read(x >> (stride * n)))) << (stride * n)).sum()),
    })
}

/// An angle with the sine and cosine that an H200 approximates: turns are rounded towards zero, and whole ones are left out.
fn reduced(x: f64) -> f64 {
    let turns = x * f64::from(0.5 * core::f32::consts::FRAC_1_PI);
    F32.value(F32.encode(turns, Mode::Zero)) % 1.0 * 2.0 * PI
}

/// `div.approx` multiplies by a reciprocal, which is zero for the largest divisors.
fn by_reciprocal(a: f64, b: f64) -> f64 {
    let flushed = b.abs() > 126f64.exp2() && b.is_finite();
    if flushed { a * 0f64.copysign(b) } else { a / b }
}

/// A double from all of one: a NaN stays, as a quiet one; those that are made have the sign of an H200's.
fn of_double(f: fn(f64) -> f64, x: u64) -> u64 {
    let y = f(f64::from_bits(x));
    if y.is_nan() { F64.nan_of(&[x]) } else { y.to_bits() }
}

/// A double in its upper 32 bits, from the upper 32 of a source: 20 bits of mantissa, and no subnormals.
fn of_upper_half(f: fn(f64) -> f64, x: u64) -> u64 {
    const UPPER: Format = Format::ieee(11, 20);
    let y = f(f64::from_bits(F64.flush(x >> 32 << 32)));
    UPPER.flush(UPPER.encode(y, Mode::Even)) << 32
}

#[cfg(test)]
mod tests;

//! Conversions of packed numbers: several sources into one register, or all numbers of one register.

use super::Pure;
use super::convert::{Ending, floating};
use super::narrow::{BF16, Format, Mode};
use crate::gpu::ptx::{Opcode, Type};

pub(super) fn pure(op: Opcode, to: Type, from: Type) -> Option<Pure> {
    if to == Type::Ue8m0x2 {
        return to_powers(op, from);
    }
    let ending = Ending::of(op, to)?;
    let (_, count, stride) = Format::of(to)?;
    if from == Type::Ue8m0x2 {
        return Some(Pure::one(move |x| {
            (0..count).map(|n| ending.float(power(x >> (8 * n)), Mode::Even) << (stride * n)).sum()
        }));
    }
    let (format, packed, step) = Format::of(from)?;
    if op.has("rs") {
        let random = random(to);
        return Some(Pure::many(1, move |s, d| {
            let Some((bits, values)) = s.split_last() else { return };
            // the first source goes to the top
            d[0] = values
                .iter()
                .enumerate()
                .fold(0, |all, (n, x)| all << stride | ending.float(format.value(*x), random(*bits, n)));
        }));
    }
    let mode = floating(op)?;
    Some(match packed {
        1 => Pure::two(move |a, b| ending.float(format.value(a), mode) << stride | ending.float(format.value(b), mode)),
        _ => Pure::one(move |x| {
            (0..count).map(|n| ending.float(format.value(x >> (step * n)), mode) << (stride * n)).sum()
        }),
    })
}

/// The random bits of the `n`th source: two of 16 bits in a register, the upper one for the first half of the sources.
fn random(to: Type) -> fn(u64, usize) -> Mode {
    const fn half(bits: u64, upper: bool) -> u64 {
        if upper { bits >> 16 & 0xffff } else { bits & 0xffff }
    }
    match to {
        Type::F16x2 => |bits, n| Mode::Random { bits: half(bits, n < 1) & 0x1fff, width: 13 },
        Type::Bf16x2 => |bits, n| Mode::Random { bits: half(bits, n < 1), width: 16 },
        // the upper bytes of both halves for the first two, the lower bytes for the others
        Type::E2m1x4 => |bits, n| {
            let bits = if n < 2 { bits >> 8 } else { bits };
            Mode::Random { bits: bits >> 8 & 0xff00 | bits & 0xff, width: 16 }
        },
        _ => |bits, n| Mode::Random { bits: half(bits, n < 2), width: 16 },
    }
}

/// The code of NaN in ue8m0.
const NAN: u64 = 0xff;

/// The power of two of a ue8m0 code.
fn power(code: u64) -> f64 {
    match code & 0xff {
        NAN => f64::NAN,
        code => f64::from_bits((code + 1023 - 127) << 52),
    }
}

/// To ue8m0: the exponent of the magnitude, rounded down or up; zero and what is too small are the least power.
fn to_powers(op: Opcode, from: Type) -> Option<Pure> {
    let (format, packed, _) = Format::of(from)?;
    let (up, finite) = (floating(op)? == Mode::Up, op.has("satfinite"));
    let code = move |x: f64| {
        let bits = x.abs().to_bits();
        let above = up && bits & ((1 << 52) - 1) != 0;
        let code = (bits >> 52) + u64::from(above);
        match code.saturating_sub(1023 - 127) {
            _ if x.is_nan() => NAN,
            code if finite => code.min(NAN - 1),
            code => code.min(NAN),
        }
    };
    Some(match packed {
        1 => Pure::two(move |a, b| code(format.value(a)) << 8 | code(format.value(b))),
        _ => Pure::one(move |x| code(BF16.value(x >> 16)) << 8 | code(BF16.value(x))),
    })
}

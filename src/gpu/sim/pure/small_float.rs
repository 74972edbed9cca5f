//! Conversions of packed numbers: several sources into one register, or all numbers of one register.

use super::Pure;
use super::convert::{Ending, floating};
use super::narrow::format;
use crate::gpu::ptx::{Opcode, Type};
use crate::tile::element::round::Mode;

pub(super) fn pure(op: Opcode, to: Type, from: Type) -> Option<Pure> {
    let ending = Ending::of(op, to)?;
    let (_, count, stride) = format(to)?;
    let (format, packed, step) = format(from)?;
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

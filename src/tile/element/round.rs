//! Rounding to formats of floating-point numbers.

use super::Rounding;
use super::format::{F32, F64, Format};

/// How a value between two neighbours is rounded (PTX ISA, rounding modifiers).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// `.rn`: to the nearest, of two the even one
    Even,
    /// `.rna`: to the nearest, of two the one away from zero
    Away,
    /// `.rz`: towards zero
    Zero,
    /// `.rm`: down
    Down,
    /// `.rp`: up
    Up,
    /// `.rs`: away from zero if the bits that are cut off, plus these, carry; as many of them as `width`
    Random { bits: u64, width: u32 },
}

impl From<Rounding> for Mode {
    fn from(r: Rounding) -> Mode {
        match r {
            Rounding::TiesToEven => Mode::Even,
            Rounding::TowardZero => Mode::Zero,
            Rounding::TowardNegative => Mode::Down,
            Rounding::TowardPositive => Mode::Up,
            Rounding::TiesAway => Mode::Away,
        }
    }
}

/// A finite number, `significand * 2^exponent`; zeros have signs. Exponents are such as products and quotients of doubles have.
///
/// One that does not fit may stand for the numbers between its even neighbours, if its lowest bit is set (rounding to odd):
/// rounded to a format with two bits less or fewer, it gives what they give.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Number<Significand = u64> {
    pub negative: bool,
    pub significand: Significand,
    pub exponent: i32,
}

/// What lies above half of the last bit kept is nearer to the next number.
const HALF: u64 = 1 << 63;

impl Format {
    /// The bits of a number, rounded.
    pub fn round(&self, mode: Mode, x: Number) -> u64 {
        // of what has no sign the magnitude counts, PTX ISA cvt to ue8m0x2
        let sign = if x.negative { self.sign } else { 0 };
        if x.significand == 0 {
            return sign;
        }
        // as the magnitude is rounded: what is down of a negative number is up, and down is towards zero
        let mode = match mode {
            Mode::Down if sign != 0 => Mode::Up,
            Mode::Up if sign != 0 => Mode::Down,
            mode => mode,
        };
        // the exponent of the leading bit, above that of the least normal number; without subnormals, what lies below is rounded
        // as if normal numbers went on, and is zero if that does not make it the least of them
        let lead = x.exponent + x.significand.ilog2() as i32 + self.bias() - 1;
        let lead = if self.subnormals { lead.max(0) } else { lead };
        // the rest in units of 2^-64 of the last bit kept
        let (kept, rest) = match lead + self.lowest() - x.exponent {
            cut @ ..=0 => (x.significand << -cut, 0),
            cut @ 1..=63 => (x.significand >> cut, x.significand << (64 - cut)),
            64 => (0, x.significand),
            // less than half, and more than what is kept of it
            cut => (0, x.significand.checked_shr(cut as u32 - 64).unwrap_or(0) | 1),
        };
        let up = match mode {
            Mode::Even => rest > HALF || rest == HALF && kept & 1 == 1,
            Mode::Away => rest >= HALF,
            Mode::Zero | Mode::Down => false,
            Mode::Up => rest > 0,
            Mode::Random { bits, width } => (rest >> (64 - width)) + bits >= 1 << width,
        };
        // the leading bit, and a carry out of the mantissa, go into the exponent
        let bits = ((lead as u64) << self.mantissa).wrapping_add(kept + u64::from(up));
        let largest = if matches!(mode, Mode::Zero | Mode::Down) { self.max } else { self.infinity };
        sign | if lead < 0 && bits != self.least_normal() { 0 } else { bits.min(largest) }
    }

    /// The bits of a value, rounded.
    pub fn encode(&self, x: f64, mode: Mode) -> u64 {
        if x.is_nan() {
            return self.nan;
        }
        if x.is_infinite() {
            return self.infinity | if x < 0.0 { self.sign } else { 0 };
        }
        // the usual mode by the machine's own arithmetic
        match (self.exponent, self.mantissa) {
            (11, 52) => self.read(x.to_bits()),
            (8, 23) if mode == Mode::Even && self.subnormals => (x as f32).to_bits().into(),
            (..=8, ..=22) if mode == Mode::Even && self.subnormals => self.nearest(odd(x)),
            _ => self.round(mode, F64.unpack(x.to_bits())),
        }
    }

    /// The bits of a single rounded to nearest even, in a format of fewer bits with subnormals: [`encode`](Self::encode) without
    /// branches, so that loops are vectors.
    #[inline(always)]
    pub fn nearest(&self, x: f32) -> u64 {
        let magnitude = x.to_bits() & 0x7fff_ffff;
        let cut = F32.mantissa - self.mantissa;
        let even = magnitude >> cut & 1;
        let rounded = (magnitude + (1 << (cut - 1)) - 1 + even) >> cut;
        let normal = rounded.wrapping_sub(((F32.bias() - self.bias()) as u32) << self.mantissa);
        // where this format's numbers are at equal distances, so are the singles from a power of two on: the sum rounds
        let power = ((F32.bias() + 1 - self.bias() + cut as i32) as u32) << F32.mantissa;
        let subnormal = (f32::from_bits(magnitude) + f32::from_bits(power)).to_bits().wrapping_sub(power);
        let least_normal = ((F32.bias() + 1 - self.bias()) as u32) << F32.mantissa;
        let code = if magnitude < least_normal { subnormal } else { normal };
        let code = code.min(self.infinity as u32);
        let sign = (x.to_bits() >> 31) * self.sign as u32;
        u64::from(if magnitude > 0x7f80_0000 { self.nan as u32 } else { code | sign })
    }
}

/// A double as a single, rounded to odd: rounded again, to a format with two bits less or fewer, it gives what the double gives.
#[inline(always)]
pub(crate) fn odd(x: f64) -> f32 {
    let near = x as f32;
    let back = f64::from(near);
    let toward_zero = near.to_bits() - u32::from(back.abs() > x.abs());
    f32::from_bits(toward_zero | u32::from(back != x))
}

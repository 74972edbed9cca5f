//! Formats of floating-point numbers, those of IEEE 754 and small ones: their codes, and what these stand for. What rounds to
//! them is in [`round`](super::round), arithmetic in [`exact`](super::exact).

use super::ElementType;
use super::round::Number;

/// A format of sign, biased exponent and mantissa; the sign is missing in some.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Format {
    pub(super) exponent: u32,
    pub(super) mantissa: u32,
    /// are there numbers between zero and the least normal one? If not, results have none, and [`read`](Self::read) none either
    pub subnormals: bool,
    /// the bit of the sign, 0 if there is none
    pub sign: u64,
    /// the bits of the largest finite number
    pub max: u64,
    /// the magnitude of what is too large for every finite number: infinity, or the largest one
    pub infinity: u64,
    /// all bits but the sign's: the canonical NaN, or what a NaN becomes where there is none
    pub nan: u64,
}

pub(crate) const F16: Format = Format::ieee(5, 10);
pub(crate) const BF16: Format = Format::ieee(8, 7);
pub(crate) const F32: Format = Format::ieee(8, 23);
pub(crate) const F64: Format = Format::ieee(11, 52);
pub(crate) const TF32: Format = Format::ieee(8, 10);
pub(crate) const E5M2: Format = Format::ieee(5, 2);
pub(crate) const E4M3: Format = Format::with_nan(4, 3);
pub(crate) const UE5M3: Format = Format::with_nan(5, 3).unsigned();
/// Powers of two: code 0 is the least of them, there is no zero. Rounds magnitudes, toward zero or up; below code 1 there is but
/// one number, as in formats without subnormals.
pub(crate) const E8M0: Format = Format::with_nan(8, 0).unsigned().without_subnormals();
pub(crate) const E2M1: Format = Format::finite(2, 1);
pub(crate) const E2M3: Format = Format::finite(2, 3);
pub(crate) const E3M2: Format = Format::finite(3, 2);

impl Format {
    /// With infinities and NaNs.
    pub const fn ieee(exponent: u32, mantissa: u32) -> Format {
        let nan = (1 << (exponent + mantissa)) - 1;
        let infinity = nan >> mantissa << mantissa;
        Format { exponent, mantissa, subnormals: true, sign: nan + 1, max: infinity - 1, infinity, nan }
    }

    /// Without infinities, with one NaN of each sign.
    const fn with_nan(exponent: u32, mantissa: u32) -> Format {
        let ieee = Format::ieee(exponent, mantissa);
        Format { max: ieee.nan - 1, infinity: ieee.nan - 1, ..ieee }
    }

    /// With neither.
    const fn finite(exponent: u32, mantissa: u32) -> Format {
        let ieee = Format::ieee(exponent, mantissa);
        Format { max: ieee.nan, infinity: ieee.nan, ..ieee }
    }

    const fn unsigned(self) -> Format {
        Format { sign: 0, ..self }
    }

    /// The format of a floating-point element.
    pub const fn of(ty: ElementType) -> Option<Format> {
        Some(match ty {
            ElementType::F16 => F16,
            ElementType::Bf16 => BF16,
            ElementType::F32 => F32,
            ElementType::F64 => F64,
            ElementType::Tf32 => TF32,
            ElementType::F8E4M3 => E4M3,
            ElementType::F8E5M2 => E5M2,
            ElementType::F8UE5M3 => UE5M3,
            ElementType::F8E8M0 => E8M0,
            ElementType::F4E2M1 => E2M1,
            _ => return None,
        })
    }

    /// As the arithmetic of `.ftz` has it. Its `cvt` rounds to subnormals and flushes them after that.
    pub const fn without_subnormals(self) -> Format {
        Format { subnormals: false, ..self }
    }

    /// With overflow to what follows the largest finite number, which is infinity or else NaN.
    pub const fn overflowing(self) -> Format {
        Format { infinity: self.max + (self.max < self.nan) as u64, ..self }
    }

    /// With overflow, of infinities too, to the largest finite number. Only for results: the codes of infinities are NaNs.
    pub const fn saturating(self) -> Format {
        Format { infinity: self.max, ..self }
    }

    /// How many bits it has.
    pub const fn bits(&self) -> u32 {
        (self.sign | self.nan).count_ones()
    }

    /// The bits under the sign's; those above the format's are ignored.
    pub const fn magnitude(&self, bits: u64) -> u64 {
        bits & self.nan
    }

    pub const fn is_negative(&self, bits: u64) -> bool {
        bits & self.sign != 0
    }

    /// The order of numbers, -0 below +0.
    pub const fn is_less(&self, a: u64, b: u64) -> bool {
        match (self.is_negative(a), self.is_negative(b)) {
            (false, false) => a < b,
            (true, true) => a > b,
            (negative, _) => negative,
        }
    }

    /// The exponent of one is this.
    pub const fn bias(&self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The bits of one.
    pub const fn one(&self) -> u64 {
        (self.bias() as u64) << self.mantissa
    }

    /// The bits of the least number that is not subnormal.
    pub const fn least_normal(&self) -> u64 {
        1 << self.mantissa
    }

    /// The exponent of a subnormal's last bit.
    pub const fn lowest(&self) -> i32 {
        1 - self.bias() - self.mantissa as i32
    }

    /// Subnormal numbers to zeros of their sign.
    pub const fn flush(&self, bits: u64) -> u64 {
        if self.magnitude(bits) < self.least_normal() { bits & self.sign } else { bits }
    }

    /// An operand as arithmetic reads it.
    pub const fn read(&self, bits: u64) -> u64 {
        if self.subnormals { bits } else { self.flush(bits) }
    }

    pub const fn is_infinite(&self, bits: u64) -> bool {
        self.max < self.infinity && self.magnitude(bits) == self.infinity
    }

    pub const fn is_nan(&self, bits: u64) -> bool {
        self.magnitude(bits) > self.infinity
    }

    /// The bit that makes a NaN quiet.
    pub const fn quiet(&self) -> u64 {
        self.least_normal() >> 1
    }

    /// A NaN of this format with the sign and the leading payload of another's, whether they make it a quiet one or not.
    pub const fn carried(&self, bits: u64, from: &Format) -> u64 {
        let payload = bits & (from.least_normal() - 1);
        let payload = match self.mantissa.checked_sub(from.mantissa) {
            Some(wider) => payload << wider,
            None => payload >> (from.mantissa - self.mantissa),
        };
        let sign = if from.is_negative(bits) { self.sign } else { 0 };
        sign | self.infinity | payload
    }

    /// The NaN that an operation makes of these operands. Doubles keep the first one and make it quiet; others are all the same.
    pub fn nan_of(&self, operands: &[u64]) -> u64 {
        match operands.iter().find(|x| self.is_nan(**x)) {
            _ if self.bits() < 64 => self.nan,
            Some(x) => x | self.quiet(),
            None => self.sign | self.infinity | self.quiet(),
        }
    }

    /// The number of some bits that are neither NaN nor infinite.
    pub const fn unpack(&self, bits: u64) -> Number {
        let fraction = bits & (self.least_normal() - 1);
        let (significand, field) = match self.magnitude(bits) >> self.mantissa {
            // without a mantissa, code 0 is a power of two as others are
            0 if self.mantissa > 0 => (fraction, 1),
            field => (fraction | self.least_normal(), field as i32),
        };
        Number { negative: self.is_negative(bits), significand, exponent: self.lowest() - 1 + field }
    }

    /// The value of these bits, exactly; those above the format's are ignored.
    pub const fn value(&self, bits: u64) -> f64 {
        match (self.exponent, self.mantissa) {
            (11, 52) => return f64::from_bits(bits),
            (8, 23) => return f32::from_bits(bits as u32) as f64,
            (8, 7) => return f32::from_bits((bits as u32) << 16) as f64,
            _ => {}
        }
        let sign = if self.is_negative(bits) { -1.0 } else { 1.0 };
        if self.magnitude(bits) > self.max {
            return if self.is_infinite(bits) { sign * f64::INFINITY } else { f64::NAN };
        }
        let x = self.unpack(bits);
        // no format but those above reaches the subnormals of f64
        let power = f64::from_bits(((x.exponent + F64.bias()) as u64) << F64.mantissa);
        sign * x.significand as f64 * power
    }
}

/// The single of a half, exactly, without branches; a NaN becomes the canonical one.
#[inline(always)]
pub(crate) fn half_to_single(bits: u16) -> f32 {
    let magnitude = u32::from(bits & 0x7fff) << 13;
    let rebias = 112 << F32.mantissa;
    // a subnormal half is the distance of two normal singles
    let least = f32::from_bits(rebias + (1 << F32.mantissa));
    let subnormal = (f32::from_bits(least.to_bits() + magnitude) - least).to_bits();
    let finite = if magnitude < 1 << F32.mantissa { subnormal } else { magnitude + rebias };
    let size = if bits & 0x7fff < 0x7c00 { finite } else { 0x7f80_0000 };
    let sign = u32::from(bits & 0x8000) << 16;
    f32::from_bits(if bits & 0x7fff > 0x7c00 { F32.nan as u32 } else { size | sign })
}

//! Formats of floating-point numbers, also small ones, and conversions that round to them. Arithmetic rounded once in the four formats
//! of IEEE 754 is in [`exact`](super::exact).

use super::{ElementType, Rounding};

/// A format of sign, biased exponent and mantissa, with subnormals; the sign is missing in some.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Format {
    exponent: u32,
    mantissa: u32,
    signed: bool,
    /// the bits of the largest finite number
    pub max: u64,
    /// is what follows it infinity?
    infinity: bool,
    /// what a NaN becomes
    pub nan: u64,
}

/// How a value between two neighbours is rounded (PTX ISA, rounding modifiers).
#[derive(Clone, Copy, PartialEq, Debug)]
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

pub(crate) const F16: Format = Format::ieee(5, 10);
pub(crate) const BF16: Format = Format::ieee(8, 7);
pub(crate) const F32: Format = Format::ieee(8, 23);
pub(crate) const F64: Format = Format::ieee(11, 52);
pub(crate) const TF32: Format = Format::ieee(8, 10);
pub(crate) const E5M2: Format = Format::ieee(5, 2);
pub(crate) const E4M3: Format = Format::with_nan(4, 3, true);
pub(crate) const UE5M3: Format = Format::with_nan(5, 3, false);
/// Powers of two: code 0 is the least of them, there is no zero. Rounds magnitudes, toward zero or up.
pub(crate) const E8M0: Format = Format::with_nan(8, 0, false);
pub(crate) const E2M1: Format = Format::finite(2, 1);
pub(crate) const E2M3: Format = Format::finite(2, 3);
pub(crate) const E3M2: Format = Format::finite(3, 2);

impl Format {
    /// With infinities and NaNs, whose canonical one has all bits set.
    pub const fn ieee(exponent: u32, mantissa: u32) -> Format {
        let nan = (1 << (exponent + mantissa)) - 1;
        Format { exponent, mantissa, signed: true, max: nan - (1 << mantissa), infinity: true, nan }
    }

    /// Without infinities, with one NaN of each sign.
    const fn with_nan(exponent: u32, mantissa: u32, signed: bool) -> Format {
        let nan = (1 << (exponent + mantissa)) - 1;
        Format { exponent, mantissa, signed, max: nan - 1, infinity: false, nan }
    }

    /// With neither: a NaN becomes the largest number.
    const fn finite(exponent: u32, mantissa: u32) -> Format {
        let max = (1 << (exponent + mantissa)) - 1;
        Format { exponent, mantissa, signed: true, max, infinity: false, nan: max }
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

    /// With overflow to what follows the largest finite number, which is infinity or else NaN.
    pub const fn overflowing(self) -> Format {
        Format { infinity: self.max < self.nan, ..self }
    }

    /// With overflow, of infinities too, to the largest finite number. Only for results: the codes of infinities are NaNs.
    pub const fn saturating(self) -> Format {
        Format { infinity: false, ..self }
    }

    /// How many codes there are.
    pub const fn codes(&self) -> u64 {
        (self.below_sign() + 1) << self.signed as u32
    }

    /// The bits under the sign's.
    const fn below_sign(&self) -> u64 {
        (1 << (self.exponent + self.mantissa)) - 1
    }

    /// The bit of the sign, 0 if there is none.
    pub const fn sign(&self) -> u64 {
        if self.signed { self.below_sign() + 1 } else { 0 }
    }

    /// The exponent of one is this.
    const fn bias(&self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The bits of one.
    pub const fn one(&self) -> u64 {
        (self.bias() as u64) << self.mantissa
    }

    /// Only powers of two?
    const fn powers(&self) -> bool {
        self.mantissa == 0
    }

    /// Is it closer to zero than every normal number?
    pub const fn is_subnormal(&self, bits: u64) -> bool {
        bits & self.below_sign() < 1 << self.mantissa
    }

    /// Subnormal numbers to zeros of their sign.
    pub const fn flush(&self, bits: u64) -> u64 {
        if self.is_subnormal(bits) { bits & self.sign() } else { bits }
    }

    /// Is it a NaN?
    pub const fn is_nan(&self, bits: u64) -> bool {
        bits & self.below_sign() > self.beyond()
    }

    /// Is it an infinity?
    pub const fn is_infinite(&self, bits: u64) -> bool {
        self.infinity && bits & self.below_sign() == self.beyond()
    }

    /// The value of these bits, exactly; those above the format's are ignored.
    pub const fn value(&self, bits: u64) -> f64 {
        match (self.exponent, self.mantissa) {
            (11, 52) => return f64::from_bits(bits),
            (8, 23) => return f32::from_bits(bits as u32) as f64,
            (8, 7) => return f32::from_bits((bits as u32) << 16) as f64,
            _ => {}
        }
        let magnitude = bits & self.below_sign();
        let sign = if bits & self.sign() == 0 { 1.0 } else { -1.0 };
        if magnitude > self.max {
            return if self.infinity && magnitude == self.max + 1 { sign * f64::INFINITY } else { f64::NAN };
        }
        let field = magnitude >> self.mantissa;
        let fraction = magnitude & ((1 << self.mantissa) - 1);
        let (significand, field) = match field {
            0 if !self.powers() => (fraction, 1),
            _ => (fraction | 1 << self.mantissa, field),
        };
        // no format but those above reaches the subnormals of f64
        let exponent = field as i32 - self.bias() - self.mantissa as i32;
        let power = f64::from_bits(((exponent + F64.bias()) as u64) << F64.mantissa);
        sign * significand as f64 * power
    }

    /// The bits of a value in this format.
    pub fn encode(&self, x: f64, mode: Mode) -> u64 {
        let sign = if x.is_sign_negative() { self.sign() } else { 0 };
        if x.is_nan() {
            return self.nan;
        }
        if x.is_infinite() {
            return sign | self.beyond();
        }
        match (self.exponent, self.mantissa) {
            (11, 52) => return x.to_bits(),
            // the usual mode by the machine's own arithmetic
            (8, 23) if mode == Mode::Even => return (x as f32).to_bits().into(),
            (0..8, _) | (8, 1..23) if mode == Mode::Even => return self.nearest(odd(x)),
            _ => {}
        }
        let bits = x.to_bits();
        let field = bits >> F64.mantissa & 0x7ff;
        let fraction = bits & ((1 << F64.mantissa) - 1);
        let significand = if field == 0 { fraction } else { fraction | 1 << F64.mantissa };
        let exponent = field.max(1) as i32 - F64.bias() - F64.mantissa as i32;
        round(x.is_sign_negative(), exponent, significand, self, mode)
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
        let code = code.min(self.beyond() as u32);
        let sign = if self.signed { x.to_bits() >> 31 << (self.exponent + self.mantissa) } else { 0 };
        u64::from(if magnitude > 0x7f80_0000 { self.nan as u32 } else { code | sign })
    }

    /// A NaN of this format with the sign and the leading payload of another's, whether they make it a quiet one or not.
    pub const fn carried(&self, bits: u64, from: &Format) -> u64 {
        let payload = bits & ((1 << from.mantissa) - 1);
        let payload = match self.mantissa.checked_sub(from.mantissa) {
            Some(wider) => payload << wider,
            None => payload >> (from.mantissa - self.mantissa),
        };
        let sign = if bits & from.sign() == 0 { 0 } else { self.sign() };
        sign | self.beyond() | payload
    }

    /// The bit that makes a NaN quiet.
    pub const fn quiet(&self) -> u64 {
        1 << (self.mantissa - 1)
    }

    /// The magnitude of what is too large for every finite number: infinity, or the largest one.
    const fn beyond(&self) -> u64 {
        self.max + self.infinity as u64
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

/// `±significand * 2^exponent` in a format.
pub(crate) fn round(sign: bool, exponent: i32, significand: u64, format: &Format, mode: Mode) -> u64 {
    // of what has no sign the magnitude counts, PTX ISA cvt to ue8m0x2
    let sign = sign && format.signed;
    let minus = if sign { format.sign() } else { 0 };
    if significand == 0 {
        return minus;
    }
    let mantissa = format.mantissa as i32;
    // of the leading bit, counted from that of the smallest normal number
    let lead = (significand.ilog2() as i32).saturating_add(exponent).saturating_add(format.bias() - 1);
    if format.powers() && (lead < -1 || lead == -1 && significand.is_power_of_two()) {
        return 0;
    }
    let lead = lead.max(0);
    let unit = lead + 1 - format.bias() - mantissa;
    let quotient = shift(significand, unit.saturating_sub(exponent), sign, mode);
    // a carry out of the mantissa goes into the exponent
    let bits = ((lead as u64) << format.mantissa).saturating_add(quotient);
    let away = match mode {
        Mode::Zero => false,
        Mode::Down => sign,
        Mode::Up => !sign,
        Mode::Even | Mode::Away | Mode::Random { .. } => true,
    };
    minus
        | if bits <= format.max {
            bits
        } else if away {
            format.beyond()
        } else {
            format.max
        }
}

/// `significand / 2^by` as an integer.
fn shift(significand: u64, by: i32, sign: bool, mode: Mode) -> u64 {
    if by <= 0 {
        return significand << by.unsigned_abs();
    }
    // far below one, only the bits that decide are kept: whatever lies under them counts as one more
    let far = by.unsigned_abs().saturating_sub(62);
    let by = by.unsigned_abs() - far;
    let kept = significand.checked_shr(far).unwrap_or(0);
    let lost = kept.checked_shl(far).unwrap_or(0) != significand;
    let significand = kept | u64::from(lost);
    let quotient = significand >> by;
    let rest = significand & ((1 << by) - 1);
    let half = 1 << (by - 1);
    let up = match mode {
        Mode::Even => rest > half || rest == half && quotient & 1 == 1,
        Mode::Away => rest >= half,
        Mode::Zero => false,
        Mode::Down => sign && rest > 0,
        Mode::Up => !sign && rest > 0,
        Mode::Random { bits, width } => {
            let cut = if by > width { rest >> (by - width) } else { rest << (width - by) };
            cut + bits >= 1 << width
        }
    };
    quotient + u64::from(up)
}

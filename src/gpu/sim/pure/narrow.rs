//! Formats of floating-point numbers, and exact values rounded to them.

use crate::gpu::ptx::Type;

/// A format of sign, biased exponent and mantissa, with subnormals.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Format {
    exponent: u32,
    mantissa: u32,
    /// the bits of the largest finite number
    pub max: u64,
    /// is what follows it infinity?
    infinity: bool,
    /// what a NaN becomes
    pub nan: u64,
}

/// How a value between two neighbours is rounded (PTX ISA, rounding modifiers).
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Mode {
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

pub(super) const F16: Format = Format::ieee(5, 10);
pub(super) const BF16: Format = Format::ieee(8, 7);
pub(super) const F32: Format = Format::ieee(8, 23);
pub(super) const F64: Format = Format::ieee(11, 52);
pub(super) const TF32: Format = Format::ieee(8, 10);
const E5M2: Format = Format::ieee(5, 2);
const E4M3: Format = Format { exponent: 4, mantissa: 3, max: 0x7e, infinity: false, nan: 0x7f };
const E2M1: Format = Format::finite(2, 1);
const E2M3: Format = Format::finite(2, 3);
const E3M2: Format = Format::finite(3, 2);

impl Format {
    /// With infinities and NaNs, whose canonical one has all bits set.
    pub const fn ieee(exponent: u32, mantissa: u32) -> Format {
        let nan = (1 << (exponent + mantissa)) - 1;
        Format { exponent, mantissa, max: nan - (1 << mantissa), infinity: true, nan }
    }

    /// With neither: a NaN becomes the largest number.
    const fn finite(exponent: u32, mantissa: u32) -> Format {
        let max = (1 << (exponent + mantissa)) - 1;
        Format { exponent, mantissa, max, infinity: false, nan: max }
    }

    /// The format of a type's numbers, how many it packs, and bits from one to the next.
    pub fn of(ty: Type) -> Option<(Format, u32, u32)> {
        Some(match ty {
            Type::F16 => (F16, 1, 16),
            Type::F16x2 => (F16, 2, 16),
            Type::Bf16 => (BF16, 1, 16),
            Type::Bf16x2 => (BF16, 2, 16),
            Type::F32 => (F32, 1, 32),
            Type::F64 => (F64, 1, 64),
            Type::Tf32 => (TF32, 1, 32),
            Type::E5m2x2 => (E5M2, 2, 8),
            Type::E5m2x4 => (E5M2, 4, 8),
            Type::E4m3x2 => (E4M3, 2, 8),
            Type::E4m3x4 => (E4M3, 4, 8),
            Type::E2m1x2 => (E2M1, 2, 4),
            Type::E2m1x4 => (E2M1, 4, 4),
            Type::E2m3x2 => (E2M3, 2, 8),
            Type::E2m3x4 => (E2M3, 4, 8),
            Type::E3m2x2 => (E3M2, 2, 8),
            Type::E3m2x4 => (E3M2, 4, 8),
            _ => return None,
        })
    }

    /// The bit of the sign.
    pub const fn sign(&self) -> u64 {
        1 << (self.exponent + self.mantissa)
    }

    /// The exponent of one is this.
    const fn bias(&self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The bits of one.
    pub const fn one(&self) -> u64 {
        (self.bias() as u64) << self.mantissa
    }

    /// Is it closer to zero than every normal number?
    pub const fn is_subnormal(&self, bits: u64) -> bool {
        bits & (self.sign() - 1) < 1 << self.mantissa
    }

    /// Subnormal numbers to zeros of their sign.
    pub const fn flush(&self, bits: u64) -> u64 {
        if self.is_subnormal(bits) { bits & self.sign() } else { bits }
    }

    /// The value of these bits, exactly; those above the format's are ignored.
    pub fn value(&self, bits: u64) -> f64 {
        match (self.exponent, self.mantissa) {
            (11, 52) => return f64::from_bits(bits),
            (8, 23) => return f32::from_bits(bits as u32).into(),
            (8, 7) => return f32::from_bits((bits as u32) << 16).into(),
            _ => {}
        }
        let magnitude = bits & (self.sign() - 1);
        let sign = if bits & self.sign() == 0 { 1.0 } else { -1.0 };
        if magnitude > self.max {
            return if self.infinity && magnitude == self.max + 1 { sign * f64::INFINITY } else { f64::NAN };
        }
        let field = magnitude >> self.mantissa;
        let fraction = magnitude & ((1 << self.mantissa) - 1);
        let significand = if field == 0 { fraction } else { fraction | 1 << self.mantissa };
        // no format but those above reaches the subnormals of f64
        let exponent = field.max(1) as i32 - self.bias() - self.mantissa as i32;
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
        // the usual ones by the machine's own arithmetic
        let single = x as f32;
        match (self.exponent, self.mantissa) {
            (11, 52) => return x.to_bits(),
            (8, 23) if mode == Mode::Even => return single.to_bits().into(),
            (5, 10) if mode == Mode::Even && f64::from(single) == x => {
                return half::f16::from_f32(single).to_bits().into();
            }
            (8, 7) if mode == Mode::Even && f64::from(single) == x => {
                return half::bf16::from_f32(single).to_bits().into();
            }
            _ => {}
        }
        let bits = x.to_bits();
        let field = bits >> F64.mantissa & 0x7ff;
        let fraction = bits & ((1 << F64.mantissa) - 1);
        let significand = if field == 0 { fraction } else { fraction | 1 << F64.mantissa };
        let exponent = field.max(1) as i32 - F64.bias() - F64.mantissa as i32;
        round(sign != 0, exponent, significand.into(), self, mode)
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

/// `±significand * 2^exponent` in a format.
pub(super) fn round(sign: bool, exponent: i32, significand: u128, format: &Format, mode: Mode) -> u64 {
    let minus = if sign { format.sign() } else { 0 };
    if significand == 0 {
        return minus;
    }
    let mantissa = format.mantissa as i32;
    // of the leading bit, counted from that of the smallest normal number
    let lead = (significand.ilog2() as i32).saturating_add(exponent).saturating_add(format.bias() - 1).max(0);
    let unit = lead + 1 - format.bias() - mantissa;
    let quotient = shift(significand, unit.saturating_sub(exponent), sign, mode) as u64;
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
fn shift(significand: u128, by: i32, sign: bool, mode: Mode) -> u128 {
    if by <= 0 {
        return significand << by.unsigned_abs();
    }
    // far below one, only the bits that decide are kept: whatever lies under them counts as one more
    let far = (by.unsigned_abs()).saturating_sub(126);
    let by = by.unsigned_abs() - far;
    let kept = significand.checked_shr(far).unwrap_or(0);
    let lost = kept.checked_shl(far).unwrap_or(0) != significand;
    let significand = kept | u128::from(lost);
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
            cut + u128::from(bits) >= 1 << width
        }
    };
    quotient + u128::from(up)
}

#[cfg(test)]
pub(super) mod tests;

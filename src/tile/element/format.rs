//! Formats of floating-point numbers, and exact values rounded to them: the one home of rounding to a format.

use super::Rounding;

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
        round(x.is_sign_negative(), exponent, significand.into(), self, mode)
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
pub(crate) fn round(sign: bool, exponent: i32, significand: u128, format: &Format, mode: Mode) -> u64 {
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

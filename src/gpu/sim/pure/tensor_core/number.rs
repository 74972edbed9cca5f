//! Numbers as the tensor core takes them apart, and how it rounds.

/// A binary floating-point format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Format {
    exponent: u32,
    mantissa: u32,
    /// low bits that are not looked at
    ignored: u32,
    /// the largest exponent is of infinities and NaNs; else all ones is NaN, and the rest are numbers
    infinities: bool,
}

pub(super) const F32: Format = Format { exponent: 8, mantissa: 23, ignored: 0, infinities: true };
pub(super) const TF32: Format = Format { exponent: 8, mantissa: 10, ignored: 13, infinities: true };
pub(super) const BF16: Format = Format { exponent: 8, mantissa: 7, ignored: 0, infinities: true };
pub(super) const F16: Format = Format { exponent: 5, mantissa: 10, ignored: 0, infinities: true };
pub(super) const E5M2: Format = Format { exponent: 5, mantissa: 2, ignored: 0, infinities: true };
pub(super) const E4M3: Format = Format { exponent: 4, mantissa: 3, ignored: 0, infinities: false };

/// A number, with the exponent that it counts as in an alignment.
#[derive(Clone, Copy)]
pub(super) struct Number {
    /// of the format's field: a subnormal has that of the smallest normal number
    pub exponent: i16,
    pub value: f64,
}

impl Number {
    /// The same number of a smaller format in f16, which has normal ones for some of its subnormals.
    pub fn in_f16(self) -> Number {
        let leading = (self.value.abs().to_bits() >> 52) as i16 - 1023;
        let has_exponent = (ZERO + 1..SPECIAL).contains(&self.exponent);
        Number { exponent: if has_exponent { leading.max(1 - F16.bias() as i16) } else { self.exponent }, ..self }
    }
}

// Exponents of what has none: sums of two tell zeros from numbers, and numbers from infinities and NaNs, even times zero.
const ZERO: i16 = -3000;
const SPECIAL: i16 = 12000;
/// More than the exponent of any product of numbers.
pub(super) const FINITE: i16 = 4000;

/// How a sum is rounded to a format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Rounding {
    /// to nearest, ties to even
    Even,
    /// toward zero, where so many low bits of the mantissa are left out
    Zero { cut: u32 },
}

impl Format {
    const fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// All ones but for the sign: the NaN that tensor cores return.
    pub const fn nan(self) -> u64 {
        (1 << (self.exponent + self.mantissa)) - 1
    }

    /// Bits above the format's are not looked at.
    #[inline(always)]
    pub fn unpack(self, bits: u64) -> Number {
        let bits = bits >> self.ignored;
        let magnitude = bits & self.nan();
        let (field, mantissa) = ((magnitude >> self.mantissa) as i32, magnitude & ((1 << self.mantissa) - 1));
        let hidden = u64::from(field != 0) << self.mantissa;
        let exponent = field.max(1) - self.bias();
        let special = if self.infinities { field == (1 << self.exponent) - 1 } else { magnitude == self.nan() };
        let (exponent, value) = match (special, magnitude) {
            (true, _) => (SPECIAL, if self.infinities && mantissa == 0 { f64::INFINITY } else { f64::NAN }),
            (_, 0) => (ZERO, 0.0),
            _ => (exponent as i16, (mantissa | hidden) as i64 as f64 * power(exponent - self.mantissa as i32)),
        };
        let sign = bits >> (self.exponent + self.mantissa) << 63;
        Number { exponent, value: f64::from_bits(value.to_bits() ^ sign) }
    }

    /// The value rounded; zero is positive, subnormals are kept, NaN is all ones.
    #[inline(always)]
    pub fn round(self, value: f64, rounding: Rounding) -> u64 {
        let infinity = self.nan() >> self.mantissa << self.mantissa;
        let sign = value.to_bits() >> 63 << (self.exponent + self.mantissa);
        if value.is_nan() {
            return self.nan();
        }
        if value.is_infinite() {
            return infinity | sign;
        }
        let magnitude = value.abs();
        let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(1 - self.bias());
        let cut = if let Rounding::Zero { cut } = rounding { cut } else { 0 };
        let units = magnitude * power(self.mantissa as i32 - cut as i32 - exponent);
        let units = match rounding {
            // as large as a double may be whose units are ones
            Rounding::Even => (units + power(52)) - power(52),
            Rounding::Zero { .. } => units,
        };
        // the leading bit of a normal number is one more in the field
        let field = (exponent + self.bias() - 1) as u64;
        let bits = ((field << self.mantissa) + ((units as i64 as u64) << cut)).min(infinity);
        if bits == 0 { 0 } else { bits | sign }
    }
}

/// 2 to the `n`, that of a normal double.
#[inline(always)]
pub(super) fn power(n: i32) -> f64 {
    f64::from_bits(((1023 + n) as u64) << 52)
}

/// A row of a factor, filled up with zeros.
#[derive(Clone, Copy)]
pub(super) struct Row<const K: usize> {
    pub exponents: [i16; K],
    pub values: [f64; K],
}

impl<const K: usize> Row<K> {
    #[inline(always)]
    pub fn of(numbers: impl Iterator<Item = Number>) -> Row<K> {
        let mut row = Row { exponents: [ZERO; K], values: [0.0; K] };
        for ((exponent, value), number) in row.exponents.iter_mut().zip(&mut row.values).zip(numbers) {
            (*exponent, *value) = (number.exponent, number.value);
        }
        row
    }
}

//! Floating-point formats, and rounding to them in integers.

use crate::tile::element::Rounding;

/// How a result is rounded that its format does not have, PTX ISA 9.7.3.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// `.rn`: ties to even
    Nearest,
    /// `.rz`
    Zero,
    /// `.rm`
    Down,
    /// `.rp`
    Up,
}

impl From<Rounding> for Mode {
    /// Of the modes of arithmetic, which has no ties away.
    fn from(r: Rounding) -> Mode {
        match r {
            Rounding::TiesToEven | Rounding::TiesAway => Mode::Nearest,
            Rounding::TowardZero => Mode::Zero,
            Rounding::TowardNegative => Mode::Down,
            Rounding::TowardPositive => Mode::Up,
        }
    }
}

/// A binary format of IEEE 754: a sign, so many bits of exponent, so many of fraction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Format {
    exponent: u32,
    fraction: u32,
    /// else zeros of their sign stand for them
    subnormals: bool,
}

pub(crate) const F16: Format = Format::new(5, 10);
pub(crate) const BF16: Format = Format::new(8, 7);
pub(crate) const F32: Format = Format::new(8, 23);
pub(crate) const F64: Format = Format::new(11, 52);

/// A finite number, `significand * 2^exponent`; zeros have signs.
///
/// One that does not fit may stand for the numbers between its even neighbours, if its lowest bit is set (rounding to odd): rounded
/// to a format with two bits less or fewer, it gives what they give.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Number<Significand = u64> {
    pub negative: bool,
    pub significand: Significand,
    pub exponent: i32,
}

impl Number {
    /// The same, its leading bit at the top.
    pub fn normalised(self) -> Number {
        let shift = self.significand.leading_zeros();
        let significand = self.significand.checked_shl(shift).unwrap_or(0);
        Number { significand, exponent: self.exponent - shift as i32, ..self }
    }
}

impl Format {
    const fn new(exponent: u32, fraction: u32) -> Format {
        Format { exponent, fraction, subnormals: true }
    }

    /// As `.ftz` has it.
    pub const fn without_subnormals(self) -> Format {
        Format { subnormals: false, ..self }
    }

    pub fn has_subnormals(self) -> bool {
        self.subnormals
    }

    /// How many bits it has.
    pub fn bits(self) -> u32 {
        1 + self.exponent + self.fraction
    }

    /// The bit of the sign.
    pub fn sign(self) -> u64 {
        1 << (self.exponent + self.fraction)
    }

    /// Without its sign.
    pub fn magnitude(self, x: u64) -> u64 {
        x & (self.sign() - 1)
    }

    pub fn is_negative(self, x: u64) -> bool {
        x & self.sign() != 0
    }

    /// The order of numbers, -0 below +0.
    pub fn is_less(self, a: u64, b: u64) -> bool {
        match (self.is_negative(a), self.is_negative(b)) {
            (false, false) => a < b,
            (true, true) => a > b,
            (negative, _) => negative,
        }
    }

    pub fn infinity(self) -> u64 {
        ((1 << self.exponent) - 1) << self.fraction
    }

    pub fn is_infinite(self, x: u64) -> bool {
        self.magnitude(x) == self.infinity()
    }

    pub fn is_nan(self, x: u64) -> bool {
        self.magnitude(x) > self.infinity()
    }

    pub fn one(self) -> u64 {
        (self.bias() as u64) << self.fraction
    }

    /// The least number that is not subnormal.
    pub fn least_normal(self) -> u64 {
        1 << self.fraction
    }

    fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The exponent of a subnormal's lowest bit.
    fn lowest(self) -> i32 {
        1 - self.bias() - self.fraction as i32
    }

    /// An operand as it is read.
    pub fn read(self, x: u64) -> u64 {
        if self.subnormals || self.magnitude(x) >= self.least_normal() { x } else { x & self.sign() }
    }

    /// The NaN that an operation makes of these operands. Doubles keep the first one and make it quiet; others are all the same.
    pub fn nan(self, operands: &[u64]) -> u64 {
        match operands.iter().find(|x| self.is_nan(**x)) {
            _ if self.bits() < 64 => self.sign() - 1,
            Some(x) => x | self.least_normal() >> 1,
            None => self.sign() | self.infinity() | self.least_normal() >> 1,
        }
    }

    /// The number of some bits that are neither NaN nor infinite.
    pub fn unpack(self, x: u64) -> Number {
        let (fraction, exponent) = (x & (self.least_normal() - 1), (self.magnitude(x) >> self.fraction) as i32);
        let hidden = if exponent > 0 { self.least_normal() } else { 0 };
        let exponent = self.lowest() + (exponent - 1).max(0);
        Number { negative: self.is_negative(x), significand: fraction | hidden, exponent }
    }

    /// The bits of a number, rounded.
    pub fn round(self, mode: Mode, x: Number) -> u64 {
        let sign = if x.negative { self.sign() } else { 0 };
        if x.significand == 0 {
            return sign;
        }
        let top = x.exponent + 63 - x.significand.leading_zeros() as i32;
        // the exponent of the result's lowest bit; without subnormals, what is small is rounded before it is found to be
        let lowest = top - self.fraction as i32;
        let lowest = if self.subnormals { lowest.max(self.lowest()) } else { lowest };
        let (kept, rest) = match lowest - x.exponent {
            shift @ ..=0 => (x.significand << -shift, 0),
            shift @ 1..=63 => (x.significand >> shift, x.significand << (64 - shift)),
            64 => (0, x.significand),
            // less than half
            _ => (0, 1),
        };
        let away = match mode {
            Mode::Nearest => rest > HALF || rest == HALF && kept % 2 == 1,
            Mode::Zero => false,
            Mode::Down => x.negative && rest > 0,
            Mode::Up => !x.negative && rest > 0,
        };
        let kept = kept + u64::from(away);
        let magnitude = match lowest - self.lowest() {
            -1 if kept == 2 * self.least_normal() => self.least_normal(),
            ..0 => 0,
            _ if top > self.bias() => self.infinity(),
            // a carry out of the significand, and the hidden bit, go to the exponent
            exponent => ((exponent as u64) << self.fraction) + kept,
        };
        let overflows_to_largest = match mode {
            Mode::Nearest => false,
            Mode::Zero => true,
            Mode::Down => !x.negative,
            Mode::Up => x.negative,
        };
        let largest = self.infinity() - u64::from(overflows_to_largest);
        sign | magnitude.min(largest)
    }
}

/// What lies above half of the last bit kept is nearer to the next number.
const HALF: u64 = 1 << 63;

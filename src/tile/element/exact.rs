//! Sums, products, quotients and roots, rounded once, in integers: any format in any mode.
//!
//! None where there is no number: a NaN among the operands, or an operation that IEEE 754 calls invalid.

use super::format::Format;
use super::round::{Mode, Number};

/// `a + b`
pub(crate) fn add(f: &Format, mode: Mode, a: u64, b: u64) -> Option<u64> {
    fma(f, mode, a, f.one(), b)
}

/// `a * b`
pub(crate) fn mul(f: &Format, mode: Mode, a: u64, b: u64) -> Option<u64> {
    // a zero of the product's sign adds nothing in any mode
    fma(f, mode, a, b, (a ^ b) & f.sign)
}

/// `a * b + c`
pub(crate) fn fma(f: &Format, mode: Mode, a: u64, b: u64, c: u64) -> Option<u64> {
    let sign = (a ^ b) & f.sign;
    if f.is_nan(a) || f.is_nan(b) || f.is_nan(c) {
        return None;
    }
    if f.is_infinite(a) || f.is_infinite(b) {
        let zero = f.magnitude(a) == 0 || f.magnitude(b) == 0;
        let opposed = f.is_infinite(c) && c & f.sign != sign;
        return (!zero && !opposed).then_some(sign | f.infinity);
    }
    if f.is_infinite(c) {
        return Some(c);
    }
    let (a, b, c) = (f.unpack(a), f.unpack(b), f.unpack(c));
    let product = Number {
        negative: sign != 0,
        significand: u128::from(a.significand) * u128::from(b.significand),
        exponent: a.exponent + b.exponent,
    };
    let c = Number { negative: c.negative, significand: u128::from(c.significand), exponent: c.exponent };
    Some(f.round(mode, sum(product, c, mode)))
}

/// The sum, to odd. Neither has more than 106 bits.
fn sum(x: Number<u128>, y: Number<u128>, mode: Mode) -> Number {
    let (x, y) = (leading(x), leading(y));
    let (big, small) = match (x.significand, y.significand) {
        (_, 0) => (x, y),
        (0, _) => (y, x),
        _ if x.exponent >= y.exponent => (x, y),
        _ => (y, x),
    };
    // big has zeros where bits of small are lost
    let shift = big.exponent.saturating_sub(small.exponent).max(0) as u32;
    let small_significand = odd(small.significand, shift);
    let opposed = big.negative != small.negative;
    let (significand, flip) = match opposed {
        false => (big.significand + small_significand, false),
        true if big.significand >= small_significand => (big.significand - small_significand, false),
        true => (small_significand - big.significand, true),
    };
    // equal numbers of opposite sign give the zero of the mode
    let negative = if significand == 0 && opposed { mode == Mode::Down } else { big.negative != flip };
    let excess = 64u32.saturating_sub(significand.leading_zeros());
    Number { negative, significand: odd(significand, excess) as u64, exponent: big.exponent + excess as i32 }
}

/// With its leading bit two below the top: a sum fits.
fn leading(x: Number<u128>) -> Number<u128> {
    match x.significand.leading_zeros() {
        128 => x,
        zeros => {
            let shift = zeros as i32 - 2;
            Number { significand: x.significand << shift, exponent: x.exponent - shift, ..x }
        }
    }
}

/// Without its lowest bits; the last one kept is set if any of them was.
fn odd(x: u128, bits: u32) -> u128 {
    let kept = x.checked_shr(bits).unwrap_or(0);
    let lost = x != kept.checked_shl(bits).unwrap_or(0);
    kept | u128::from(lost)
}

/// A number other than zero, its leading bit at the top.
fn normalised(x: Number) -> Number {
    let zeros = x.significand.leading_zeros();
    Number { significand: x.significand << zeros, exponent: x.exponent - zeros as i32, ..x }
}

/// `a / b`
pub(crate) fn div(f: &Format, mode: Mode, a: u64, b: u64) -> Option<u64> {
    let sign = (a ^ b) & f.sign;
    if f.is_nan(a) || f.is_nan(b) {
        return None;
    }
    match (f.is_infinite(a), f.is_infinite(b), f.magnitude(a) == 0, f.magnitude(b) == 0) {
        (true, true, ..) | (_, _, true, true) => return None,
        (true, ..) | (_, _, _, true) => return Some(sign | f.infinity),
        (_, true, ..) | (_, _, true, _) => return Some(sign),
        _ => {}
    }
    let (a, b) = (normalised(f.unpack(a)), normalised(f.unpack(b)));
    let (dividend, divisor) = (u128::from(a.significand) << 63, u128::from(b.significand));
    let inexact = u64::from(dividend % divisor != 0);
    let significand = (dividend / divisor) as u64 | inexact;
    Some(f.round(mode, Number { negative: sign != 0, significand, exponent: a.exponent - b.exponent - 63 }))
}

/// The square root of `a`.
pub(crate) fn sqrt(f: &Format, mode: Mode, a: u64) -> Option<u64> {
    if f.magnitude(a) == 0 {
        return Some(a);
    }
    if f.is_nan(a) || f.is_negative(a) {
        return None;
    }
    if f.is_infinite(a) {
        return Some(a);
    }
    let a = normalised(f.unpack(a));
    // the root of an even power of two is one
    let shift = 62 + a.exponent.rem_euclid(2);
    let square = u128::from(a.significand) << shift;
    let root = square.isqrt();
    let inexact = u64::from(root * root != square);
    Some(f.round(
        mode,
        Number { negative: false, significand: root as u64 | inexact, exponent: (a.exponent - shift) / 2 },
    ))
}

/// `a * b + c` where the product is exact, rounded to odd: if it is no double, to the neighbour whose last bit is set.
#[inline(always)]
pub(crate) fn fused(a: f64, b: f64, c: f64) -> f64 {
    let product = a * b;
    let sum = product + c;
    let of_c = sum - product;
    let error = (product - (sum - of_c)) + (c - of_c);
    let bits = sum.to_bits();
    // of infinities the error is NaN
    let step = u64::from(error.abs() > 0.0) & !bits;
    let inward = (error.to_bits() ^ bits) >> 63;
    f64::from_bits(bits.wrapping_add(step).wrapping_sub(2 * (step & inward)))
}

//! The aligned sum: what all floating-point formats but f64 go through.

use super::number::{FINITE, Format, Number, Rounding, Row, power};

/// One sum of all products and the accumulator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Sum {
    /// bits that are kept below the largest exponent
    pub fraction: i32,
    pub c: Format,
    pub d: Format,
    pub rounding: Rounding,
}

/// No sum is aligned to a smaller exponent.
const FLOOR: i16 = -133;

impl Sum {
    /// An element of D.
    #[inline(always)]
    pub fn dot<const K: usize>(&self, a: &Row<K>, b: &Row<K>, c: u64) -> u64 {
        self.d.round(aligned(self.fraction, a, b, self.c.unpack(c)), self.rounding)
    }
}

/// The sum, not yet rounded; infinite or NaN if a term is.
#[inline(always)]
fn aligned<const K: usize>(fraction: i32, a: &Row<K>, b: &Row<K>, c: Number) -> f64 {
    let exponents = a.exponents.iter().zip(&b.exponents);
    let top = exponents.fold(c.exponent.max(FLOOR), |top, (a, b)| top.max(a.wrapping_add(*b)));
    let products = a.values.iter().zip(&b.values).map(|(a, b)| a * b);
    if top > FINITE {
        // no product overflows a double: it is infinite or NaN when a term is, or when two are opposite
        return products.sum::<f64>() + c.value;
    }
    // a term is below 2^(fraction + 2) units, and exact: a product has at most 22 bits
    let (unit, scale) = (power(i32::from(top) - fraction), power(fraction - i32::from(top)));
    let sum = products.fold(whole(c.value * scale), |sum, product| sum.wrapping_add(whole(product * scale)));
    // every one counted from `ORIGIN`
    let sum = sum.wrapping_sub((ORIGIN.to_bits() as i64).wrapping_mul(K as i64 + 1));
    sum as f64 * unit
}

/// A double with ones as units: what is added to it is rounded to integers, which its bits count.
const ORIGIN: f64 = 1.5 * (1u64 << 52) as f64;

/// The integer part, toward zero, counted from `ORIGIN`'s bits. Of a number of at most 24 bits below 2^27.
///
/// Rounding to nearest after a step of almost a half toward zero: the fraction of such a number is at most `1 - 2^-24`.
/// (A conversion to integers is no instruction on vectors of every processor.)
#[inline(always)]
fn whole(x: f64) -> i64 {
    const STEP: f64 = 0.5 - 1.0 / (1u64 << 25) as f64;
    ((x - STEP.copysign(x)) + ORIGIN).to_bits() as i64
}

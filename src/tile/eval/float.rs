//! Functions of the floats that have arithmetic.

use super::operand::{map, zip, zip3};
use super::step::{Arithmetic, Loop, Outcome};
use crate::tile::element::format::{self, Format, half_to_single};
use crate::tile::element::round::{self, odd};
use crate::tile::element::{BasicFloat, ElementType, bf16, exact, f16};
use crate::tile::op::{Binary, Fold, Mode, Nan, Precision, Unary};
use crate::tile::value::AnyTile;
use core::ops::{Add, Div, Mul, Rem, Sub};

/// A basic float: how the machine computes with it, and rounds what is wider.
///
/// `f16` and `bf16` compute as singles, and results are rounded again. The second rounding does no harm: a single has at least
/// twice the bits of a half and two, which suffices for a sum, product or quotient. So it is of subnormal results: those of
/// `bf16` lie 16 bits above the last one of a single, as many as its products have, and no quotient is nearer to a tie than that.
pub(super) trait Real: BasicFloat + PartialOrd {
    /// the type that the machine computes in
    type Work: Copy
        + Add<Output = Self::Work>
        + Sub<Output = Self::Work>
        + Mul<Output = Self::Work>
        + Div<Output = Self::Work>
        + Rem<Output = Self::Work>;
    const FORMAT: Format;

    fn work(self) -> Self::Work;
    /// The square root: rounding it again, to a half, does no harm either.
    fn root(self) -> Self;
    /// Rounded to nearest.
    fn of_work(x: Self::Work) -> Self;
    fn double(self) -> f64;
    /// Rounded to nearest.
    fn of_double(x: f64) -> Self;
}

macro_rules! reals {
    ($($t:ident: $work:ident, $format:ident, $to_work:expr, $of_work:expr, $narrow:expr;)+) => {$(
        impl Real for $t {
            type Work = $work;
            const FORMAT: Format = format::$format;

            #[inline(always)]
            fn work(self) -> $work {
                $to_work(self)
            }
            #[inline(always)]
            fn root(self) -> $t {
                $of_work(self.work().sqrt())
            }
            #[inline(always)]
            fn of_work(x: $work) -> $t {
                $of_work(x)
            }
            #[inline(always)]
            fn double(self) -> f64 {
                self.work().into()
            }
            #[inline(always)]
            fn of_double(x: f64) -> $t {
                $of_work($narrow(x))
            }
        }
        impl Arithmetic for $t {
            fn unary(f: Unary, x: &AnyTile) -> Option<Outcome> {
                unary::<$t>(f, x)
            }
            fn binary(f: Binary, body: impl Loop<$t>) -> Option<Outcome> {
                binary(f, body)
            }
            fn fold(f: Fold, body: impl Loop<$t>) -> Option<Outcome> {
                fold(f, body)
            }
            #[inline(always)]
            fn is_below(self, other: $t) -> bool {
                self < other || self == other && self.is_sign_negative() && !other.is_sign_negative()
            }
        }
    )+};
}
reals! {
    f16: f32, F16, |x: f16| half_to_single(x.to_bits()), |x| f16::from_bits(format::F16.nearest(x) as u16), odd;
    bf16: f32, BF16, |x: bf16| f32::from_bits(u32::from(x.to_bits()) << 16),
        |x| bf16::from_bits(format::BF16.nearest(x) as u16), odd;
    f32: f32, F32, |x| x, |x| x, |x| x as f32;
    f64: f64, F64, |x| x, |x| x, |x| x;
}

/// The NaN of an operation that has no number to give.
#[inline(always)]
fn nan<E: Real>() -> E {
    E::from_bits(E::FORMAT.nan_of(&[]))
}

/// The result, if it is a number; else the NaN that an H200 makes: of an `f64` the first NaN among the operands that it keeps, in
/// the order in which the instruction looks for it. Without branches, so that loops become vectors.
#[inline(always)]
pub(super) fn number<E: Real, const N: usize>(result: E, operands: [E; N]) -> E {
    let quiet = E::FORMAT.quiet();
    let first = |last: E, x: E| if is_nan(x) { E::from_bits(x.to_bits() | quiet) } else { last };
    let nan = match E::TYPE {
        ElementType::F64 => operands.into_iter().rev().fold(nan(), first),
        _ => nan(),
    };
    // told by its bits: a comparison of floats that makes another NaN of a NaN may be dropped by the compiler, to which all are one
    if E::FORMAT.is_nan(result.to_bits()) { nan } else { result }
}

/// How results are rounded and subnormals read, if not simply to nearest.
fn special<E: Real>(m: Mode) -> Option<(Format, round::Mode)> {
    let mode = match m.precision {
        Precision::Rounded(r) => r.into(),
        Precision::Full | Precision::Approximate => round::Mode::Even,
    };
    let format = if m.flush { E::FORMAT.without_subnormals() } else { E::FORMAT };
    (m.flush || mode != round::Mode::Even).then_some((format, mode))
}

/// The exact result of numbers given as bits, rounded.
type Exact<const N: usize> = fn(&Format, round::Mode, [u64; N]) -> Option<u64>;

/// Where there is no number, the NaN is that of rounding to nearest.
#[inline(always)]
fn exactly<E: Real, const N: usize>(
    f: Exact<N>,
    (format, mode): (Format, round::Mode),
    x: [E; N],
    near: impl Fn([E; N]) -> E,
) -> E {
    let read = x.map(|x| format.read(x.to_bits()));
    f(&format, mode, read).map_or_else(|| near(read.map(E::from_bits)), E::from_bits)
}

/// A function of two numbers by the machine, if it rounds as asked.
fn rounded<E: Real>(m: Mode, body: impl Loop<E>, near: impl Fn(E, E) -> E + Copy, exact: Exact<2>) -> Outcome {
    match special::<E>(m) {
        None => body.with(near),
        Some(how) => slowly(body, how, exact, &|[a, b]| near(a, b)),
    }
}

/// Apart, so that there is one such loop for all functions.
fn slowly<E: Real>(
    body: impl Loop<E>,
    how: (Format, round::Mode),
    exact: Exact<2>,
    near: &dyn Fn([E; 2]) -> E,
) -> Outcome {
    body.with(move |a, b| exactly(exact, how, [a, b], near))
}

fn binary<E: Real>(f: Binary, body: impl Loop<E>) -> Option<Outcome> {
    Some(match f {
        Binary::Sub(m) => {
            let near = |a: E, b: E| number(E::of_work(a.work() - b.work()), [b, a]);
            rounded(m, body, near, |f, mode, [a, b]| exact::add(f, mode, a, b ^ f.sign))
        }
        Binary::Div(m) => {
            let near = |a: E, b: E| number(E::of_work(a.work() / b.work()), [a, b]);
            rounded(m, body, near, |f, mode, [a, b]| exact::div(f, mode, a, b))
        }
        // the remainder of a division to zero is exact
        Binary::Rem => body.with(|a, b| number(E::of_work(a.work() % b.work()), [])),
        // only those that flush are no folds
        Binary::Min(m) => body.with(move |a, b| {
            let [a, b] = [a, b].map(flushed);
            least(a, b, if m.nan == Nan::Suppress { is_nan(b) } else { is_nan(a) })
        }),
        Binary::Max(m) => body.with(move |a, b| {
            let [a, b] = [a, b].map(flushed);
            greatest(a, b, if m.nan == Nan::Suppress { is_nan(b) } else { is_nan(a) })
        }),
        Binary::Pow => body.with(|a, b| number(E::of_double(a.double().powf(b.double())), [])),
        _ => return None,
    })
}

fn fold<E: Real>(f: Fold, body: impl Loop<E>) -> Option<Outcome> {
    Some(match f {
        Fold::Sum(m) => {
            let near = |a: E, b: E| number(E::of_work(a.work() + b.work()), [b, a]);
            rounded(m, body, near, |f, mode, [a, b]| exact::add(f, mode, a, b))
        }
        Fold::Prod(m) => {
            let near = |a: E, b: E| number(E::of_work(a.work() * b.work()), [b, a]);
            rounded(m, body, near, |f, mode, [a, b]| exact::mul(f, mode, a, b))
        }
        // what is suppressed is in b, or else b stands for it; what is propagated is in a, or else b has it
        Fold::Min(Nan::Suppress) => extreme(body, |a, b| least(a, b, is_nan(b))),
        Fold::Min(Nan::Propagate) => extreme(body, |a, b| least(a, b, is_nan(a))),
        Fold::Max(Nan::Suppress) => extreme(body, |a, b| greatest(a, b, is_nan(b))),
        Fold::Max(Nan::Propagate) => extreme(body, |a, b| greatest(a, b, is_nan(a))),
        Fold::And | Fold::Or | Fold::Xor => return None,
    })
}

/// The order is of no account, but for which of several NaNs of `f64` is kept.
fn extreme<E: Real>(body: impl Loop<E>, f: impl Fn(E, E) -> E + Copy) -> Outcome {
    match E::TYPE {
        ElementType::F64 => body.with(f),
        _ => body.in_any_order(f),
    }
}

/// The elements as a fold in a mode reads them, so that those which meet no other are flushed too.
pub(super) fn read(f: Fold, x: &AnyTile) -> Outcome {
    match f {
        Fold::Sum(m) | Fold::Prod(m) if m.flush => map(x, flushed::<f32>),
        _ => Ok(x.clone()),
    }
}

/// Of a subnormal the zero of its sign.
fn flushed<E: Real>(x: E) -> E {
    E::from_bits(E::FORMAT.without_subnormals().read(x.to_bits()))
}

/// `x` to the power of `n`.
pub(super) fn powi<E: Real>(x: &AnyTile, n: &AnyTile) -> Outcome {
    zip(x, n, |x: E, n: i32| number(E::of_double(x.double().powf(n.into())), []))
}

/// The lesser of two; `a` if a NaN makes it the `first` choice, `b` if another one lets no comparison hold.
///
/// Without branches, so that loops become vectors. Equal numbers have the same bits, but for zeros of two signs.
#[inline(always)]
fn least<E: Real>(a: E, b: E, first: bool) -> E {
    let lesser = if (a < b) | first { a } else { b };
    number(if a == b { E::from_bits(a.to_bits() | b.to_bits()) } else { lesser }, [b, a])
}

#[inline(always)]
fn greatest<E: Real>(a: E, b: E, first: bool) -> E {
    let greater = if (a > b) | first { a } else { b };
    number(if a == b { E::from_bits(a.to_bits() & b.to_bits()) } else { greater }, [b, a])
}

#[inline(always)]
fn is_nan<E: Real>(x: E) -> bool {
    x.partial_cmp(&x).is_none()
}

fn unary<E: Real>(f: Unary, x: &AnyTile) -> Option<Outcome> {
    let by_double = |f: fn(f64) -> f64| map(x, |x: E| number(E::of_double(f(x.double())), []));
    let flushing = |m: Mode, f: fn(f64) -> f64| match special::<E>(m) {
        Some((format, _)) => map(x, |x: E| {
            let read = E::from_bits(format.read(x.to_bits()));
            E::from_bits(format.read(number(E::of_double(f(read.double())), []).to_bits()))
        }),
        None => by_double(f),
    };
    let sign = E::FORMAT.sign;
    Some(match f {
        Unary::Neg => map(x, |x: E| if is_nan(x) { number(x, [x]) } else { E::from_bits(x.to_bits() ^ sign) }),
        Unary::Abs => map(x, |x: E| if is_nan(x) { number(x, [x]) } else { E::from_bits(x.to_bits() & !sign) }),
        Unary::Sqrt(m) => {
            let near = |x: E| number(E::root(x), [x]);
            match special::<E>(m) {
                None => map(x, near),
                Some(how) => map(x, |x: E| exactly(|f, mode, [x]| exact::sqrt(f, mode, x), how, [x], |[x]| near(x))),
            }
        }
        Unary::Rsqrt(m) => flushing(m, |x| 1.0 / x.sqrt()),
        Unary::Exp(m) => flushing(m, f64::exp),
        Unary::Exp2(m) => flushing(m, f64::exp2),
        Unary::Tanh(m) => flushing(m, f64::tanh),
        Unary::Log => by_double(f64::ln),
        Unary::Log2 => by_double(f64::log2),
        Unary::Sin => by_double(f64::sin),
        Unary::Cos => by_double(f64::cos),
        Unary::Floor => by_double(f64::floor),
        Unary::Ceil => by_double(f64::ceil),
        Unary::Not | Unary::IsNan | Unary::IsInf => return None,
    })
}

/// `a * b + c`, rounded once.
pub(super) fn fma<E: Real>(m: Mode, operands: [&AnyTile; 3]) -> Outcome {
    let wide = |a: E, b: E, c: E| match E::TYPE {
        ElementType::F64 => a.double().mul_add(b.double(), c.double()),
        // the product of two singles is a double
        _ => exact::fused(a.double(), b.double(), c.double()),
    };
    let near = |a: E, b: E, c: E| number(E::of_double(wide(a, b, c)), [b, c, a]);
    match special::<E>(m) {
        None => zip3(operands, near),
        Some(how) => zip3(operands, |a: E, b: E, c: E| {
            exactly(|f, mode, [a, b, c]| exact::fma(f, mode, a, b, c), how, [a, b, c], |[a, b, c]| near(a, b, c))
        }),
    }
}

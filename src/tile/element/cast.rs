//! Conversion of elements: each goes through a single, a double or an integer that holds it exactly.

use super::format::{F32, F64, Format, half_to_single};
use super::round::{Number, odd};
use super::{Conversion, Element, ElementType, Rounding, RoundingMode, RoundsTo, SaturatesTo, Saturation};

/// An element as another type, rounded as [`default_rounding`](super::default_rounding) says.
///
/// | from | to | |
/// |---|---|---|
/// | any | `bool` | is it other than zero? A NaN is |
/// | `bool` | any | 0 or 1 |
/// | integral | integer | modulo 2^n |
/// | integral | float | rounded; beyond the largest number as floats to floats |
/// | float | integer | toward zero; out of range the nearest in range; a NaN is 0, but 2^(n-1) from `f64` and to 64 bits (PTX ISA, `cvt.rzi`) |
/// | float | `f16`, `bf16`, `tf32`, `f32`, `f64` | rounded; beyond the largest number infinity |
/// | float | `f8e4m3`, `f8e5m2`, `f4e2m1` | rounded; infinity and what is beyond the largest number become it (PTX ISA, `.satfinite`) |
/// | float | `f8ue5m3`, `f8e8m0` | the same with the magnitude, signs are dropped; to `f8e8m0` zero is 2^-127 |
///
/// What cuda::tiles leaves undefined, floats out of an integer's range, has the meaning of the PTX instruction here.
///
/// Subnormal numbers are kept everywhere. A NaN becomes the canonical NaN of its new type, all bits set but the sign, as on an H200;
/// in `f4e2m1`, which has none, it is 6. Its sign and payload stay between `f64` and the other basic floats, where it becomes a
/// quiet one, and from `bf16` and `tf32` to `f32`, which are moves of bits. `cvt.rna.tf32.f32` makes infinity of some NaNs;
/// here they stay NaNs.
/// ```
/// use girih::tile::element::{F8E4M3, bf16, cast};
/// assert_eq!(cast::<f32, i8>(-3.9), -3);
/// assert_eq!(cast::<f32, u8>(1000.0), 255);
/// assert_eq!(cast::<i32, u8>(-1), 255);
/// assert_eq!(cast::<f64, F8E4M3>(-1e9), F8E4M3::from_f32(-448.0));
/// assert_eq!(cast::<bool, bf16>(true), bf16::ONE);
/// ```
#[inline]
pub fn cast<A: Element, B: Element>(x: A) -> B {
    convert(Conversion::new(A::TYPE, B::TYPE), x)
}

/// A float as another float, with a rounding mode that the pair has. Otherwise as [`cast`].
/// ```
/// use girih::tile::element::cast_rounded;
/// use girih::tile::element::rounding::{TiesToEven, TowardZero};
/// let x = f64::from_bits(0x3ff0_0000_1400_0000); // 0x1.0000014p0
/// assert_eq!(cast_rounded::<f64, f32, _>(x, TiesToEven).to_bits(), 0x3f80_0001);
/// assert_eq!(cast_rounded::<f64, f32, _>(x, TowardZero).to_bits(), 0x3f80_0000);
/// ```
/// ```compile_fail
/// use girih::tile::element::{Tf32, cast_rounded, rounding::TowardPositive};
/// cast_rounded::<f32, Tf32, _>(1.0, TowardPositive);
/// ```
#[inline]
pub fn cast_rounded<A: RoundsTo<B, M>, B: Element, M: RoundingMode>(x: A, _mode: M) -> B {
    convert(Conversion { rounding: M::MODE, ..Conversion::new(A::TYPE, B::TYPE) }, x)
}

/// A basic float as an integral type, out of range the nearest in range, a NaN 0. To `bool` as [`cast`].
/// ```
/// use girih::tile::element::cast_saturating;
/// assert_eq!(cast_saturating::<f32, i16>(100000.0), 32767);
/// assert_eq!(cast_saturating::<f64, i64>(f64::NAN), 0);
/// ```
#[inline]
pub fn cast_saturating<A: SaturatesTo<B>, B: Element>(x: A) -> B {
    convert(Conversion { saturation: Saturation::Finite, ..Conversion::new(A::TYPE, B::TYPE) }, x)
}

/// Is it other than zero? A NaN is.
/// ```
/// use girih::tile::element::is_true;
/// assert!(is_true(f32::NAN) && is_true(-1i8) && !is_true(-0.0));
/// ```
#[inline]
pub fn is_true<E: Element>(x: E) -> bool {
    cast(x)
}

/// What holds every value of the source.
enum Via {
    Same,
    Single,
    Double,
    Integer,
}

const fn via(from: ElementType, to: ElementType) -> Via {
    match (from, to) {
        _ if from as u8 == to as u8 => Via::Same,
        (ElementType::F64, _) => Via::Double,
        (_, ElementType::F64) if from.is_float() => Via::Double,
        (_, ElementType::F64) if from.bits() <= 32 => Via::Double,
        _ if from.is_float() => Via::Single,
        _ if to.is_float() && from.bits() <= 16 => Via::Single,
        _ if to.is_float() && from.bits() <= 32 => Via::Double,
        _ => Via::Integer,
    }
}

#[inline(always)]
fn convert<A: Element, B: Element>(how: Conversion, x: A) -> B {
    match via(A::TYPE, B::TYPE) {
        Via::Same => B::from_bits(x.to_bits()),
        Via::Single => of_single(how, single(x)),
        Via::Double => of_double(how, double(x)),
        Via::Integer => of_integer(how, integer(x)),
    }
}

/// Some elements as a conversion has them between its two types: there is a loop for each type then and not for each pair.
#[derive(Clone, Copy)]
pub(crate) enum Lanes<'a> {
    /// the bits of elements that stay what they are
    Codes(&'a [u64]),
    Singles(&'a [f32]),
    Doubles(&'a [f64]),
    /// extended as their type says
    Integers(&'a [u64]),
}

/// As many elements as are converted together: few enough to stay in the first cache.
const CHUNK: usize = 512;

/// The elements as conversions to a type have them, some at a time.
pub(crate) fn lanes<A: Element>(from: &[A], to: ElementType, f: &mut dyn FnMut(Lanes)) {
    match via(A::TYPE, to) {
        Via::Same => codes(from, &mut |lanes| f(Lanes::Codes(lanes))),
        Via::Single => each(from, 0.0, single, |lanes| f(Lanes::Singles(lanes))),
        Via::Double => each(from, 0.0, double, |lanes| f(Lanes::Doubles(lanes))),
        Via::Integer => each(from, 0, integer, |lanes| f(Lanes::Integers(lanes))),
    }
}

/// The bits of the elements, some at a time.
pub(crate) fn codes<A: Element>(from: &[A], f: &mut dyn FnMut(&[u64])) {
    each(from, 0, A::to_bits, f);
}

fn each<A: Copy, T: Copy>(from: &[A], zero: T, into: impl Fn(A) -> T, mut f: impl FnMut(&[T])) {
    let mut buffer = [zero; CHUNK];
    for from in from.chunks(CHUNK) {
        let lanes = &mut buffer[..from.len()];
        lanes.iter_mut().zip(from).for_each(|(lane, x)| *lane = into(*x));
        f(lanes);
    }
}

impl Lanes<'_> {
    /// What the elements become, appended.
    pub fn append<B: Element>(self, how: Conversion, to: &mut Vec<B>) {
        // a rounding and a sign that the loop knows
        let nearest = Conversion { rounding: Rounding::TiesToEven, ..how };
        let exact = how.rounding == Rounding::TiesToEven;
        match self {
            Lanes::Codes(lanes) => to.extend(lanes.iter().map(|x| B::from_bits(*x))),
            Lanes::Singles(lanes) if exact => to.extend(lanes.iter().map(|x| of_single::<B>(nearest, *x))),
            Lanes::Singles(lanes) => to.extend(lanes.iter().map(|x| of_single::<B>(how, *x))),
            Lanes::Doubles(lanes) if exact => to.extend(lanes.iter().map(|x| of_double::<B>(nearest, *x))),
            Lanes::Doubles(lanes) => to.extend(lanes.iter().map(|x| of_double::<B>(how, *x))),
            Lanes::Integers(lanes) if how.from.is_signed() => {
                let how = Conversion { from: ElementType::I64, ..how };
                to.extend(lanes.iter().map(|x| of_integer::<B>(how, *x)));
            }
            Lanes::Integers(lanes) => {
                let how = Conversion { from: ElementType::U64, ..how };
                to.extend(lanes.iter().map(|x| of_integer::<B>(how, *x)));
            }
        }
    }
}

/// The value of a float that is not a double, or of an integer of 16 bits or fewer.
#[inline(always)]
fn single<A: Element>(x: A) -> f32 {
    let bits = x.to_bits();
    match (A::TYPE, Format::of(A::TYPE)) {
        (ElementType::F32, _) => f32::from_bits(bits as u32),
        (ElementType::F16, _) => half_to_single(bits as u16),
        (ElementType::Bf16, _) => f32::from_bits((bits as u32) << 16),
        (ElementType::Tf32, _) => f32::from_bits((bits as u32) << 13),
        (_, Some(format)) if format.is_nan(bits) => f32::from_bits(F32.nan as u32),
        (_, Some(format)) => format.value(bits) as f32,
        (_, None) if A::TYPE.is_signed() => f32::from(integer(x) as i16),
        (_, None) => f32::from(bits as u16),
    }
}

/// The value of a double, of another float, or of an integer of 32 bits or fewer.
#[inline(always)]
fn double<A: Element>(x: A) -> f64 {
    let bits = x.to_bits();
    match (A::TYPE, Format::of(A::TYPE)) {
        (ElementType::F64, _) => f64::from_bits(bits),
        (ElementType::F16 | ElementType::Bf16 | ElementType::F32, Some(format)) => {
            let value = f64::from(single(x));
            if value.is_nan() { f64::from_bits(F64.carried(bits, &format) | F64.quiet()) } else { value }
        }
        (_, Some(_)) => {
            let value = f64::from(single(x));
            if value.is_nan() { f64::from_bits(F64.nan) } else { value }
        }
        _ if A::TYPE.is_signed() => f64::from(integer(x) as i32),
        _ => f64::from(bits as u32),
    }
}

/// An integer's bits, extended as its type says.
#[inline(always)]
fn integer<A: Element>(x: A) -> u64 {
    let bits = x.to_bits();
    match A::TYPE {
        ElementType::I8 => bits as i8 as u64,
        ElementType::I16 => bits as i16 as u64,
        ElementType::I32 => bits as i32 as u64,
        _ => bits,
    }
}

/// The format of results: those of 8 bits and fewer saturate.
const fn target(ty: ElementType) -> Option<Format> {
    match Format::of(ty) {
        Some(format) if ty.bits() <= 8 => Some(format.saturating()),
        format => format,
    }
}

/// What a single becomes.
#[inline(always)]
fn of_single<B: Element>(how: Conversion, x: f32) -> B {
    B::from_bits(match (B::TYPE, target(B::TYPE)) {
        (ElementType::F32, _) => x.to_bits().into(),
        (_, Some(format)) if how.rounding == Rounding::TiesToEven => format.nearest(x),
        (_, Some(format)) => format.encode(x.into(), how.rounding.into()),
        (ElementType::Bool, _) => (x != 0.0).into(),
        (ElementType::I8, _) => x as i8 as u64,
        (ElementType::U8, _) => x as u8 as u64,
        (ElementType::I16, _) => x as i16 as u64,
        (ElementType::U16, _) => x as u16 as u64,
        (ElementType::I32, _) => x as i32 as u64,
        (ElementType::U32, _) => x as u32 as u64,
        (ElementType::I64 | ElementType::U64, _) if x.is_nan() => nan::<B>(how),
        (ElementType::I64, _) => x as i64 as u64,
        (_, None) => x as u64,
    })
}

/// What a double becomes.
#[inline(always)]
fn of_double<B: Element>(how: Conversion, x: f64) -> B {
    B::from_bits(match (B::TYPE, target(B::TYPE)) {
        (ElementType::F64, _) => x.to_bits(),
        (ElementType::F16 | ElementType::Bf16 | ElementType::F32, Some(format)) if x.is_nan() => {
            format.carried(x.to_bits(), &F64) | format.quiet()
        }
        (ElementType::F32, _) if how.rounding == Rounding::TiesToEven => (x as f32).to_bits().into(),
        (_, Some(format)) if how.rounding == Rounding::TiesToEven => format.nearest(odd(x)),
        (_, Some(format)) => format.encode(x, how.rounding.into()),
        (ElementType::Bool, _) => (x != 0.0).into(),
        _ if x.is_nan() => nan::<B>(how),
        (ElementType::I8, _) => x as i8 as u64,
        (ElementType::U8, _) => x as u8 as u64,
        (ElementType::I16, _) => x as i16 as u64,
        (ElementType::U16, _) => x as u16 as u64,
        (ElementType::I32, _) => x as i32 as u64,
        (ElementType::U32, _) => x as u32 as u64,
        (ElementType::I64, _) => x as i64 as u64,
        (_, None) => x as u64,
    })
}

/// What a NaN becomes in an integer where `cvt.rzi` does not make it 0.
#[inline(always)]
fn nan<B: Element>(how: Conversion) -> u64 {
    match how.saturation {
        Saturation::None => 1 << (B::TYPE.bits() - 1),
        Saturation::Finite => 0,
    }
}

/// What an integer becomes.
#[inline(always)]
fn of_integer<B: Element>(how: Conversion, x: u64) -> B {
    let negative = how.from.is_signed() && (x as i64) < 0;
    B::from_bits(match (B::TYPE, target(B::TYPE)) {
        (ElementType::Bool, _) => (x != 0).into(),
        (ElementType::F32, _) if negative => (x as i64 as f32).to_bits().into(),
        (ElementType::F32, _) => (x as f32).to_bits().into(),
        (ElementType::F64, _) if negative => (x as i64 as f64).to_bits(),
        (ElementType::F64, _) => (x as f64).to_bits(),
        (_, Some(format)) => {
            let significand = if negative { x.wrapping_neg() } else { x };
            format.round(how.rounding.into(), Number { negative, significand, exponent: 0 })
        }
        (_, None) => x,
    })
}

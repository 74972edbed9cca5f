//! Implicit conversions: what does not narrow, and the common type of two operands.

use super::{Arithmetic, Element, ElementType, F4E2M1, F8E4M3, F8E5M2, F8E8M0, F8UE5M3, Tf32, bf16, f16};
use core::fmt;

/// Does every value of `from` exist in `to`, so that storing and inserting convert by themselves?
///
/// Integral types: by range. Floats: along `f4e2m1` to `f8e4m3` and `f8e5m2`, these to `f16` and `bf16`, `f8e8m0` and `f8ue5m3`
/// to `bf16`, `f16` and `bf16` to `tf32` to `f32` to `f64`. Between integral types and floats every conversion narrows, as in
/// cuda::tiles.
/// ```
/// use girih::tile::element::{ElementType::*, non_narrowing};
/// assert!(non_narrowing(U8, I16) && non_narrowing(F8E4M3, Bf16));
/// assert!(!non_narrowing(I8, U16) && !non_narrowing(F16, Bf16) && !non_narrowing(I8, F64));
/// ```
pub const fn non_narrowing(from: ElementType, to: ElementType) -> bool {
    use ElementType::*;
    match (from, to) {
        _ if from.is_integral() && to.is_integral() => {
            let (lost, kept) = (from.bits() - from.is_signed() as u32, to.bits() - to.is_signed() as u32);
            lost <= kept && (to.is_signed() || !from.is_signed())
        }
        _ if !from.is_float() || !to.is_float() => false,
        (F4E2M1, F4E2M1 | F8E4M3 | F8E5M2) => true,
        (F8E4M3, F8E4M3) | (F8E5M2, F8E5M2) | (F8E8M0, F8E8M0) | (F8UE5M3, F8UE5M3) => true,
        (F4E2M1 | F8E4M3 | F8E5M2 | F16, F16) => true,
        (F16, Bf16) => false,
        (_, Bf16) => !matches!(from, Tf32 | F32 | F64),
        (_, Tf32) => !matches!(from, F32 | F64),
        (_, F32) => !matches!(from, F64),
        (_, F64) => true,
        _ => false,
    }
}

/// Every value of `Self` exists in `To`: [`non_narrowing`] as a fact of types. Every type widens to itself.
#[diagnostic::on_unimplemented(
    message = "storing `{Self}` as `{To}` would narrow",
    label = "not every value of `{Self}` exists in `{To}`, or one is a float and the other is not",
    note = "convert explicitly first, `.cast::<...>()`"
)]
pub trait Widens<To: Element>: Element {}

impl<E: Element> Widens<E> for E {}

macro_rules! widens {
    ($($from:ident: $($to:ty)*;)*) => { $($(impl Widens<$to> for $from {})*)* };
}

widens! {
    bool: i8 u8 i16 u16 i32 u32 i64 u64;
    i8: i16 i32 i64;
    u8: i16 u16 i32 u32 i64 u64;
    i16: i32 i64;
    u16: i32 u32 i64 u64;
    i32: i64;
    u32: i64 u64;
    F4E2M1: F8E4M3 F8E5M2 f16 bf16 Tf32 f32 f64;
    F8E4M3: f16 bf16 Tf32 f32 f64;
    F8E5M2: f16 bf16 Tf32 f32 f64;
    F8UE5M3: bf16 Tf32 f32 f64;
    F8E8M0: bf16 Tf32 f32 f64;
    f16: Tf32 f32 f64;
    bf16: Tf32 f32 f64;
    Tf32: f32 f64;
    f32: f64;
}

/// The type in which two operands meet: the float if one is a float, else the one that the other does not narrow to.
///
/// There is no promotion of small integers: `i8` and `i8` meet in `i8`.
/// ```
/// use girih::tile::element::{ElementType::*, common};
/// assert_eq!(common(U8, I16)?, I16);
/// assert_eq!(common(I64, F16)?, F16);
/// assert_eq!(common(I32, U32).unwrap_err().to_string(), "i32 and u32 have no common type without narrowing: convert one of them");
/// # Ok::<(), girih::tile::element::NoCommonType>(())
/// ```
///
/// # Errors
/// [`NoCommonType`] if neither holds the other (`i32` and `u32`, `f16` and `bf16`), and for restricted floats.
pub const fn common(a: ElementType, b: ElementType) -> Result<ElementType, NoCommonType> {
    if !a.is_arithmetic() || !b.is_arithmetic() {
        return Err(NoCommonType(a, b));
    }
    match (a.is_float(), b.is_float()) {
        (true, false) => Ok(a),
        (false, true) => Ok(b),
        _ if non_narrowing(a, b) => Ok(b),
        _ if non_narrowing(b, a) => Ok(a),
        _ => Err(NoCommonType(a, b)),
    }
}

/// Two operands that do not meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoCommonType(pub ElementType, pub ElementType);

impl fmt::Display for NoCommonType {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let NoCommonType(a, b) = self;
        match [a, b].into_iter().find(|t| !t.is_arithmetic()) {
            Some(t) => write!(f, "arithmetic on {t} does not exist: convert to an arithmetic type first, f32 for one"),
            None => write!(f, "{a} and {b} have no common type without narrowing: convert one of them"),
        }
    }
}

impl core::error::Error for NoCommonType {}

/// The type in which `Self` and `Other` meet: [`common`] as a fact of types.
#[diagnostic::on_unimplemented(
    message = "`{Self}` and `{Other}` have no common type without narrowing",
    label = "convert one of the operands, `.cast::<...>()`",
    note = "signed and unsigned integers of the same width do not meet, nor do f16 and bf16",
    note = "Tf32 and the floats of 8 and 4 bits are for storage and meet nothing: `.cast::<f32>()` first"
)]
pub trait Common<Other: Arithmetic>: Arithmetic {
    /// The common type.
    type Output: Arithmetic;
}

impl<E: Arithmetic> Common<E> for E {
    type Output = E;
}

macro_rules! common {
    ($($to:ident: $($from:ty)*;)*) => {$($(
        impl Common<$to> for $from {
            type Output = $to;
        }
        impl Common<$from> for $to {
            type Output = $to;
        }
    )*)*};
}

common! {
    i8: bool;
    u8: bool;
    i16: bool i8 u8;
    u16: bool u8;
    i32: bool i8 u8 i16 u16;
    u32: bool u8 u16;
    i64: bool i8 u8 i16 u16 i32 u32;
    u64: bool u8 u16 u32;
    f16: bool i8 u8 i16 u16 i32 u32 i64 u64;
    bf16: bool i8 u8 i16 u16 i32 u32 i64 u64;
    f32: bool i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16;
    f64: bool i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32;
}

//! The element types as Rust types, and their classes as traits.

use super::{ElementType, F4E2M1, F8E4M3, F8E5M2, F8E8M0, F8UE5M3, Tf32, bf16, f16};
use crate::tile::value::Stored;
use core::convert::identity;
use core::fmt::{Debug, Display};

mod sealed {
    pub trait Sealed {}
}
use sealed::Sealed;

/// A type of tile elements, one of the 19 of [`ElementType`].
/// ```
/// use girih::tile::element::{Element, ElementType, F4E2M1};
/// assert_eq!(<i16 as Element>::TYPE, ElementType::I16);
/// assert_eq!(Element::to_bits(-1i16), 0xffff);
/// assert_eq!(<F4E2M1 as Element>::from_bits(0b0011).to_string(), "1.5");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type",
    label = "not an element of tiles",
    note = "elements are bool, i8 to i64, u8 to u64, f16, bf16, f32, f64, Tf32, F8E4M3, F8E5M2, F8UE5M3, F8E8M0 and F4E2M1"
)]
pub trait Element: Copy + PartialEq + Debug + Display + Default + Send + Sync + 'static + Sealed + Stored {
    /// The type as a value.
    const TYPE: ElementType;

    /// Its code, in the lowest [`ElementType::bits`] bits: `bool` is 0 or 1, [`Tf32`] has 19 bits.
    fn to_bits(self) -> u64;

    /// The element of a code; bits above [`ElementType::bits`] are ignored.
    fn from_bits(bits: u64) -> Self;
}

/// The eight integers and `bool`: what `&`, `|` and `^` work on.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an integral type",
    label = "an integer or `bool` is needed here",
    note = "convert to an integer first, `.cast::<i32>()`, or compare with a number to get `bool`"
)]
pub trait Integral: Arithmetic {}

/// The eight integers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an integer",
    label = "one of i8 to i64 and u8 to u64 is needed here",
    note = "convert to an integer first, `.cast::<i32>()`"
)]
pub trait Integer: Integral + Number {}

/// The integral types and the basic floating-point ones.
#[diagnostic::on_unimplemented(
    message = "arithmetic on `{Self}` does not exist: convert to an arithmetic type first, `.cast::<f32>()`",
    label = "not an arithmetic type",
    note = "Tf32 and the floats of 8 and 4 bits are for storage, tensor cores and conversion only"
)]
pub trait Arithmetic: Element {}

/// What can be added and multiplied: the arithmetic types but `bool`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be added or multiplied: convert to a number first, `.cast::<f32>()`",
    label = "not a number",
    note = "Tf32 and the floats of 8 and 4 bits are for storage, tensor cores and conversion only",
    note = "for `bool`, use `&`, `|`, `^`, or count with `.cast::<i32>()`"
)]
pub trait Number: Arithmetic {}

/// The ten floating-point types.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a floating-point type",
    label = "a float is needed here",
    note = "convert first, `.cast::<f32>()`"
)]
pub trait Float: Element {}

/// `f16`, `bf16`, `f32` and `f64`: the floating-point types with arithmetic.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not one of f16, bf16, f32 and f64",
    label = "a float with arithmetic is needed here",
    note = "convert first, `.cast::<f32>()`"
)]
pub trait BasicFloat: Float + Number {}

/// Elements whose bits are those of an unsigned number: `type: variant, to_bits, from_bits`.
macro_rules! elements {
    ($($t:ty: $variant:ident, $to:expr, $from:expr;)*) => {$(
        impl Sealed for $t {}
        impl Element for $t {
            const TYPE: ElementType = ElementType::$variant;

            #[inline]
            fn to_bits(self) -> u64 {
                $to(self) as u64
            }

            #[inline]
            fn from_bits(bits: u64) -> $t {
                $from(bits as _)
            }
        }
    )*};
}

elements! {
    bool: Bool, u8::from, |bits: u64| bits & 1 == 1;
    i8: I8, i8::cast_unsigned, u8::cast_signed;
    u8: U8, identity::<u8>, identity::<u8>;
    i16: I16, i16::cast_unsigned, u16::cast_signed;
    u16: U16, identity::<u16>, identity::<u16>;
    i32: I32, i32::cast_unsigned, u32::cast_signed;
    u32: U32, identity::<u32>, identity::<u32>;
    i64: I64, i64::cast_unsigned, u64::cast_signed;
    u64: U64, identity::<u64>, identity::<u64>;
    f16: F16, f16::to_bits, f16::from_bits;
    bf16: Bf16, bf16::to_bits, bf16::from_bits;
    f32: F32, f32::to_bits, f32::from_bits;
    f64: F64, f64::to_bits, f64::from_bits;
    Tf32: Tf32, Tf32::to_bits, Tf32::from_bits;
    F8E4M3: F8E4M3, F8E4M3::to_bits, F8E4M3::from_bits;
    F8E5M2: F8E5M2, F8E5M2::to_bits, F8E5M2::from_bits;
    F8UE5M3: F8UE5M3, F8UE5M3::to_bits, F8UE5M3::from_bits;
    F8E8M0: F8E8M0, F8E8M0::to_bits, F8E8M0::from_bits;
    F4E2M1: F4E2M1, F4E2M1::to_bits, F4E2M1::from_bits;
}

macro_rules! class {
    ($class:ident: $($t:ty)*) => { $(impl $class for $t {})* };
}

class!(Integral: bool i8 u8 i16 u16 i32 u32 i64 u64);
class!(Integer: i8 u8 i16 u16 i32 u32 i64 u64);
class!(Arithmetic: bool i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64);
class!(Number: i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64);
class!(Float: f16 bf16 f32 f64 Tf32 F8E4M3 F8E5M2 F8UE5M3 F8E8M0 F4E2M1);
class!(BasicFloat: f16 bf16 f32 f64);

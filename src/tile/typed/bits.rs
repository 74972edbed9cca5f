//! Widths of elements in types.

use super::len::{Divides, Length};
use crate::tile::element::*;
use typenum::{U1, U4, U8, U16, U32, U64};

/// The width of an element in bits.
pub trait Width {
    /// as [`ElementType::bits`]
    type Bits;
    /// as [`ElementType::bitcast_bits`]
    type CastBits;
}

macro_rules! width {
    ($($bits:ident $cast:ident: $($e:ident)+;)+) => {
        $($(impl Width for $e { type Bits = $bits; type CastBits = $cast; })+)+
    };
}
/// tf32: no power of two
pub enum Odd {}
width! {
    U1 U8: bool;
    U4 U4: F4E2M1;
    U8 U8: i8 u8 F8E4M3 F8E5M2 F8UE5M3 F8E8M0;
    U16 U16: i16 u16 f16 bf16;
    U32 U32: i32 u32 f32;
    U64 U64: i64 u64 f64;
    Odd Odd: Tf32;
}

/// Elements as wide as those: their bits can be read as elements of that type.
#[diagnostic::on_unimplemented(
    message = "the bits of `{Self}` are no `{To}`",
    note = "a bitcast goes between types of equal width; `bool` counts as 8 bits"
)]
pub trait Bitcasts<To> {}
impl<A: Width, B: Width> Bitcasts<B> for A where A::CastBits: SameWidth<B::CastBits> {}

/// The same width.
#[diagnostic::on_unimplemented(
    message = "elements of `{Self}` bits have not the width of elements of `{Other}` bits",
    note = "a bitcast goes between types of equal width; `bool` counts as 8 bits"
)]
pub trait SameWidth<Other> {}
impl<N> SameWidth<N> for N {}

/// A dimension of this length of elements `From` whose bits are whole elements `To`.
#[diagnostic::on_unimplemented(
    message = "the bits of `{Self}` elements `{From}` are no whole number of elements `{To}`",
    note = "repack needs a dimension whose bits are whole bytes and a power of two of the new elements"
)]
pub trait Regroups<From, To> {
    /// The length in elements `To`.
    type Output: Length;
}
impl<N: Length, A: Width, B: Width> Regroups<A, B> for N
where
    N: RegroupsBits<A::Bits, B::Bits>,
{
    type Output = <N as RegroupsBits<A::Bits, B::Bits>>::Output;
}

/// [`Regroups`] by width.
#[diagnostic::on_unimplemented(
    message = "the bits of `{Self}` elements of `{From}` bits are no whole number of elements of `{To}` bits",
    note = "repack needs a dimension whose bits are whole bytes and a power of two of the new elements"
)]
pub trait RegroupsBits<From, To> {
    /// The new length.
    type Output: Length;
}
macro_rules! regroups {
    ($($from:ident: $($to:ident)+;)+) => {
        $(impl<N: Length> RegroupsBits<$from, $from> for N {
            type Output = N;
        }
        $(impl<N: Length> RegroupsBits<$from, $to> for N
        where
            // whole bytes, and whole elements
            U8: Divides<N::Times<$from>>,
            $to: Divides<N::Times<$from>>,
        {
            type Output = <$to as Divides<N::Times<$from>>>::Parts;
        })+)+
    };
}
regroups! {
    U1: U4 U8 U16 U32 U64;
    U4: U1 U8 U16 U32 U64;
    U8: U1 U4 U16 U32 U64;
    U16: U1 U4 U8 U32 U64;
    U32: U1 U4 U8 U16 U64;
    U64: U1 U4 U8 U16 U32;
}
impl<N: Length> RegroupsBits<Odd, Odd> for N {
    type Output = N;
}

//! Widths of elements in types.

use super::len::{Halves, Length, Numeral};
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
    label = "elements of another width",
    note = "a bitcast goes between types of equal width; `bool` counts as 8 bits; `repack` regroups bits along a dimension"
)]
pub trait Bitcasts<To> {}
#[diagnostic::do_not_recommend]
impl<A: Width, B: Width> Bitcasts<B> for A where A::CastBits: SameWidth<B::CastBits> {}

/// The same width.
pub trait SameWidth<Other> {}
impl<N> SameWidth<N> for N {}

/// A dimension of this length of elements `From` whose bits are whole elements `To`.
#[diagnostic::on_unimplemented(
    message = "the bits of `{Self}` elements `{From}` are no whole number of elements `{To}`",
    label = "these bits do not regroup",
    note = "the bits along the dimension are whole bytes and a power of two of the new elements; tf32 has 19 bits"
)]
pub trait Regroups<From, To> {
    /// The length in elements `To`.
    type Output: Length;
}
#[diagnostic::do_not_recommend]
impl<N: Numeral, A: Width, B: Width> Regroups<A, B> for N
where
    N::Length: RegroupsBits<A::Bits, B::Bits>,
{
    type Output = <N::Length as RegroupsBits<A::Bits, B::Bits>>::Output;
}

/// [`Regroups`] by width.
#[diagnostic::on_unimplemented(
    message = "the bits along the dimension are no whole bytes, or no whole number of the new elements",
    label = "these bits do not regroup"
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
        $(#[diagnostic::do_not_recommend]
        impl<N: Length> RegroupsBits<$from, $to> for N
        where
            // whole bytes, and whole elements
            U8: Halves<N::Times<$from>>,
            $to: Halves<N::Times<$from>>,
        {
            type Output = <$to as Halves<N::Times<$from>>>::Parts;
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

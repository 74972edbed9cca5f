//! Lengths in types: typenum's powers of two.
//!
//! A power of two is `U1`, or `UInt<X, B0>` of a power of two `X`. Arithmetic on them is structural, without bounds that
//! callers would have to repeat: the types are the same as those of typenum's `Prod`, `Sum` and `Quot`.
//!
//! Rules about lengths are traits of [`N`], so that messages of the compiler say `N<8>` and not
//! `UInt<UInt<UInt<UInt<UTerm, B1>, B0>, B0>, B0>`.

use typenum::{B0, NonZero, U1, UInt, Unsigned};

/// A power of two: the length of a dimension.
#[diagnostic::on_unimplemented(
    message = "a length of a tile is no power of two, or no number at all: `{Self}`",
    note = "lengths are `U1`, `U2`, `U4`, ... of typenum",
    note = "typenum writes a number in bits from the left: 6 is `UInt<UInt<UInt<UTerm, B1>, B1>, B0>`"
)]
pub trait Length: Unsigned + NonZero + Copy + Default + Send + Sync + 'static {
    /// Its product with another one.
    type Times<N: Length>: Length;
    /// The same length as messages say it.
    type Numeral: Numeral;
}
impl Length for U1 {
    type Times<N: Length> = N;
    type Numeral = N<1>;
}
impl<X: Length> Length for UInt<X, B0> {
    type Times<N: Length> = UInt<X::Times<N>, B0>;
    type Numeral = <X::Numeral as Numeral>::Double;
}

/// Twice a length.
pub type Double<N> = UInt<N, B0>;

/// A length up to 2^24, as messages of the compiler say it.
#[derive(Clone, Copy, Debug)]
pub struct N<const LENGTH: u32>;

/// More than 2^24.
#[derive(Clone, Copy, Debug)]
pub struct TooMany;

/// What no operand is. A rule with further ways to hold, by these, is judged when the types of all operands are known, and broken
/// with its own message; else the compiler would conclude the other operand from the first and call that one mismatched.
#[derive(Clone, Copy, Debug)]
pub enum Undecided<const WAY: u8 = 0> {}

/// [`N`] or [`TooMany`].
pub trait Numeral {
    /// Twice this.
    type Double: Numeral;
    /// The same as typenum has it.
    type Length: Length;
}
impl Numeral for TooMany {
    type Double = TooMany;
    type Length = UInt<typenum::U16777216, B0>;
}

/// A length whose parts have that length.
#[diagnostic::on_unimplemented(
    message = "a dimension of length `{Whole}` has no parts of length `{Self}`",
    note = "the lengths of a part divide those of the whole"
)]
pub trait Divides<Whole> {
    /// How many parts there are.
    type Parts: Length;
}
#[diagnostic::do_not_recommend]
impl<A: Numeral, B: Numeral> Divides<B> for A
where
    A::Length: Halves<B::Length>,
{
    type Parts = <A::Length as Halves<B::Length>>::Parts;
}

/// [`Divides`], by halving both.
#[diagnostic::on_unimplemented(
    message = "the bits along the dimension are no whole bytes, or no whole number of the new elements",
    label = "these bits do not regroup"
)]
pub trait Halves<Whole> {
    /// The quotient.
    type Parts: Length;
}
#[diagnostic::do_not_recommend]
impl<N: Length> Halves<N> for U1 {
    type Parts = N;
}
#[diagnostic::do_not_recommend]
impl<X: Halves<Y>, Y: Length> Halves<UInt<Y, B0>> for UInt<X, B0> {
    type Parts = X::Parts;
}

/// Two lengths that broadcast to each other: equal, or one of them 1.
#[diagnostic::on_unimplemented(
    message = "dimensions of lengths `{Self}` and `{Other}` do not broadcast to each other",
    label = "the shapes on both sides do not fit",
    note = "dimensions are aligned at the last one; two that meet are equal, or one of them is 1"
)]
pub trait Meets<Other> {
    /// The longer one.
    type Longer: Numeral;
}

/// A length that broadcasts to that one: equal to it, or 1.
#[diagnostic::on_unimplemented(
    message = "a dimension of length `{Self}` does not broadcast to length `{To}`",
    label = "the shape does not broadcast to that one",
    note = "dimensions are aligned at the last one; only those of length 1 are repeated"
)]
pub trait Fills<To> {}

/// At most 2^24: as many elements as a tile may have.
#[diagnostic::on_unimplemented(message = "a tile has at most 2^24 elements", label = "this tile would have more")]
pub trait Fits {}

macro_rules! numbers {
    ($($number:literal $length:ident $double:ty;)+) => {$(
        impl Numeral for N<$number> {
            type Double = $double;
            type Length = typenum::$length;
        }
        impl Fits for N<$number> {}
        #[diagnostic::do_not_recommend]
        impl Meets<N<$number>> for N<$number> {
            type Longer = N<$number>;
        }
        #[diagnostic::do_not_recommend]
        impl Fills<N<$number>> for N<$number> {}
        #[diagnostic::do_not_recommend]
        impl Fills<Undecided> for N<$number> {}
    )+};
}
numbers! {
    1 U1 N<2>; 2 U2 N<4>; 4 U4 N<8>; 8 U8 N<16>; 16 U16 N<32>; 32 U32 N<64>; 64 U64 N<128>; 128 U128 N<256>; 256 U256 N<512>;
    512 U512 N<1024>; 1024 U1024 N<2048>; 2048 U2048 N<4096>; 4096 U4096 N<8192>; 8192 U8192 N<16384>; 16384 U16384 N<32768>;
    32768 U32768 N<65536>; 65536 U65536 N<131072>; 131072 U131072 N<262144>; 262144 U262144 N<524288>; 524288 U524288 N<1048576>;
    1048576 U1048576 N<2097152>; 2097152 U2097152 N<4194304>; 4194304 U4194304 N<8388608>; 8388608 U8388608 N<16777216>;
    16777216 U16777216 TooMany;
}
macro_rules! broadcast {
    ($($number:literal)+) => {$(
        #[diagnostic::do_not_recommend]
        impl Meets<N<$number>> for N<1> {
            type Longer = N<$number>;
        }
        #[diagnostic::do_not_recommend]
        impl Meets<N<1>> for N<$number> {
            type Longer = N<$number>;
        }
        #[diagnostic::do_not_recommend]
        impl Fills<N<$number>> for N<1> {}
    )+};
}
broadcast!(
    2 4 8 16 32 64 128 256 512 1024 2048 4096 8192 16384 32768 65536 131072 262144 524288 1048576 2097152 4194304 8388608 16777216
);

/// The same number of elements.
#[diagnostic::on_unimplemented(
    message = "the tile has `{Self}` elements, the shape asked for has `{Other}`",
    label = "a reshape keeps the number of elements"
)]
pub trait SameSize<Other> {}
#[diagnostic::do_not_recommend]
impl<N> SameSize<N> for N {}

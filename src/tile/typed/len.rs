//! Lengths in types: typenum's powers of two.
//!
//! A power of two is `U1`, or `UInt<X, B0>` of a power of two `X`. Arithmetic on them is structural, without bounds that
//! callers would have to repeat: the types are the same as those of typenum's `Prod`, `Sum` and `Quot`.

use typenum::{B0, NonZero, U1, UInt, Unsigned};

/// A power of two: the length of a dimension.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no length of a tile: lengths are powers of two of typenum, `U1`, `U2`, `U4`, ...",
    note = "typenum writes a number as its bits from the left: 6 is `UInt<UInt<UInt<UTerm, B1>, B1>, B0>`"
)]
pub trait Length: Unsigned + NonZero + Copy + Default + Send + Sync + 'static {
    /// Its product with another one.
    type Times<N: Length>: Length;
}
impl Length for U1 {
    type Times<N: Length> = N;
}
impl<X: Length> Length for UInt<X, B0> {
    type Times<N: Length> = UInt<X::Times<N>, B0>;
}

/// Twice a length.
pub type Double<N> = UInt<N, B0>;

/// This length divides that one.
#[diagnostic::on_unimplemented(
    message = "a dimension of length `{Whole}` has no parts of length `{Self}`",
    note = "the lengths of a part divide those of the whole; both are powers of two (halved as often as the message could)"
)]
pub trait Divides<Whole> {
    /// How many parts there are.
    type Parts: Length;
}
impl<N: Length> Divides<N> for U1 {
    type Parts = N;
}
impl<X: Divides<Y>, Y: Length> Divides<UInt<Y, B0>> for UInt<X, B0> {
    type Parts = X::Parts;
}

/// Two lengths that broadcast to each other: equal, or one of them 1.
#[diagnostic::on_unimplemented(
    message = "dimensions of length `{Self}` and `{Other}` do not broadcast to each other",
    note = "dimensions are aligned at the last one; two that meet are equal, or one of them is 1"
)]
pub trait Meets<Other> {
    /// The longer one.
    type Longer: Length;
}
impl Meets<U1> for U1 {
    type Longer = U1;
}
impl<X: Length> Meets<UInt<X, B0>> for U1 {
    type Longer = UInt<X, B0>;
}
impl<X: Length> Meets<U1> for UInt<X, B0> {
    type Longer = UInt<X, B0>;
}
impl<X: Length> Meets<UInt<X, B0>> for UInt<X, B0> {
    type Longer = UInt<X, B0>;
}

/// A length that broadcasts to that one: equal to it, or 1.
#[diagnostic::on_unimplemented(
    message = "a dimension of length `{Self}` does not broadcast to length `{To}`",
    note = "dimensions are aligned at the last one; only those of length 1 are repeated"
)]
pub trait Fills<To> {}
impl<N: Length> Fills<N> for U1 {}
impl<X: Length> Fills<UInt<X, B0>> for UInt<X, B0> {}

/// The same number.
#[diagnostic::on_unimplemented(
    message = "the number of elements is `{Self}` here and `{Other}` there",
    note = "a reshape keeps the number of elements"
)]
pub trait Is<Other> {}
impl<N> Is<N> for N {}

/// At most 2^24: as many elements as a tile may have.
#[diagnostic::on_unimplemented(message = "a tile has at most 2^24 elements, not `{Self}`")]
pub trait Fits {}
macro_rules! fits {
    ($($n:ident)+) => { $(impl Fits for typenum::$n {})+ };
}
fits!(
    U1 U2 U4 U8 U16 U32 U64 U128 U256 U512 U1024 U2048 U4096 U8192 U16384 U32768 U65536 U131072 U262144 U524288 U1048576 U2097152 U4194304 U8388608 U16777216
);

//! Tiles made of nothing.

use super::shape::TileShape;
use super::tile::{Evaluate, Tile};
use crate::tile::element::*;
use crate::tile::op::Op;
use crate::tile::value::AnyTile;

impl<E: Element, S: TileShape> Tile<E, S> {
    /// All elements equal to one (cuda::tiles: `full`).
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// assert_eq!(Tile::<i32, Shape![2, 2]>::full(42).to_string(), "(42 42)\n(42 42)");
    /// ```
    pub fn full(x: E) -> Self {
        Tile::wrap(AnyTile::apply(Op::Full(Self::TYPE, x.to_bits()), &[]))
    }

    /// 0, 1, 2, ... in row-major order (cuda::tiles: `iota`); the last number exists in the type.
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// assert_eq!(Tile::<i32, Shape![2, 4]>::iota().to_string(), "(0 1 2 3)\n(4 5 6 7)");
    /// ```
    pub fn iota() -> Self
    where
        E: Counts<S::Size>,
    {
        Tile::wrap(AnyTile::apply(Op::Iota(Self::TYPE), &[]))
    }

    /// All ones; of `bool`, `true` (cuda::tiles: `ones`).
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// assert_eq!(Tile::<i32, Shape![2, 2]>::ones().to_string(), "(1 1)\n(1 1)");
    /// ```
    pub fn ones() -> Self {
        Tile::full(cast(true))
    }

    /// All zeros, of positive sign; of `bool`, `false` (cuda::tiles: `zeros`).
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// assert_eq!(Tile::<f64, Shape![2, 2]>::zeros().to_string(), "(0 0)\n(0 0)");
    /// ```
    pub fn zeros() -> Self
    where
        E: HasZero,
    {
        Tile::full(E::from_bits(0))
    }
}

impl<E: Element> From<E> for Tile<E, ()> {
    fn from(x: E) -> Self {
        Tile::full(x)
    }
}

/// A type with a zero, whose bits are zeros: all but [`F8E8M0`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no zero",
    label = "a type with a zero is needed here",
    note = "F8E8M0 has powers of two only, the least is 2^-127"
)]
pub trait HasZero: Element {}
macro_rules! zero {
    ($($e:ident)+) => { $(impl HasZero for $e {})+ };
}
zero!(bool i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64 Tf32 F8E4M3 F8E5M2 F8UE5M3 F4E2M1);

/// An integral type in which 0 to `N - 1` exist.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not count `{N}` elements",
    label = "elements 0, 1, 2, ... do not all exist in `{Self}`",
    note = "i8 counts to 128 elements, u8 to 256, i16 to 32768, u16 to 65536, wider integers to all; floats do not count: \
            `iota` of integers, then `.cast::<f32>()`"
)]
pub trait Counts<N>: Integral {}
macro_rules! counts {
    ($($e:ident $most:literal;)+) => {$(
        #[diagnostic::do_not_recommend]
        impl<N: super::Divides<super::N<$most>>> Counts<N> for $e {}
    )+};
}
counts! {
    bool 2;
    i8 128;
    u8 256;
    i16 32768;
    u16 65536;
    i32 16777216;
    u32 16777216;
    i64 16777216;
    u64 16777216;
}

//! Mappings of spans: layouts in types, or of which the type knows the rank.

use super::ViewError;
use super::index::{Many, One};
use crate::layout::Layout;
use crate::layout::typed::{Col, L, Ordered, Row, StaticInt, StaticLayout, StaticTuple};
use crate::tile::TileShape;
use crate::tile::typed::HasRank;
use core::marker::PhantomData;
use typenum::{Bit, U0, U1, U2, U3, U4, U5, U6, U7, UInt, Unsigned};

/// A number of dimensions in a type.
#[derive(Clone, Copy, Debug)]
pub enum Rank<const R: usize> {}

/// The mapping of a span: from coordinates of elements to offsets.
///
/// It is [`Fixed`], of extents and strides that are types, or [`Runtime`].
pub trait Mapping: Copy {
    /// Its rank, a [`Rank`].
    type Rank: Numbered;
    /// The layout.
    fn layout(&self) -> Layout;
}

/// A mapping that is a layout in types: it takes no room.
/// ```
/// use girih::prelude::*;
/// use girih::view::{Fixed, Mapping};
/// assert_eq!(Fixed::<Row<(U5, U10)>>::default().layout(), layout!((5,10):(10,1)));
/// ```
pub struct Fixed<A>(PhantomData<fn() -> A>);

impl<A> Clone for Fixed<A> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<A> Copy for Fixed<A> {}
impl<A> Default for Fixed<A> {
    fn default() -> Self {
        Fixed(PhantomData)
    }
}
impl<A: StaticLayout + StaticRank> Mapping for Fixed<A> {
    type Rank = A::Rank;
    fn layout(&self) -> Layout {
        A::LAYOUT
    }
}

/// A mapping of rank `R` whose extents and strides are known when the program runs.
/// ```
/// use girih::prelude::*;
/// use girih::view::Runtime;
/// assert!(Runtime::<2>::new(layout!((5,10):(10,1))).is_ok());
/// assert_eq!(Runtime::<1>::new(layout!((5,10):(10,1))).unwrap_err().to_string(), "rank 1 does not fit a span of rank 2");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Runtime<const R: usize>(Layout);

impl<const R: usize> Runtime<R> {
    /// A layout of this rank.
    ///
    /// # Errors
    /// It has another rank.
    pub const fn new(layout: Layout) -> Result<Self, ViewError> {
        if layout.rank() == R {
            Ok(Runtime(layout))
        } else {
            Err(ViewError::Rank { got: R as u8, span: layout.rank() as u8 })
        }
    }
}
impl<const R: usize> Mapping for Runtime<R>
where
    Rank<R>: Numbered,
{
    type Rank = Rank<R>;
    fn layout(&self) -> Layout {
        self.0
    }
}

/// A rank from 1 to 8: an index of it has so many numbers.
#[diagnostic::on_unimplemented(message = "spans of `{Self}` have no views", note = "spans have 1 to 8 dimensions")]
pub trait Numbered {
    /// The kinds of its dimensions: all [`One`].
    type Kinds;
}

/// A layout in types whose rank is a type: [`Row`], [`Col`], [`L`] and [`Ordered`] of a tuple or an integer.
#[diagnostic::on_unimplemented(
    message = "the type does not say the rank of `{Self}`",
    note = "the fixed mapping of a span is `Row<Shape>`, `Col<Shape>`, `L<Shape, Stride>` or `Ordered<Shape, Order>`"
)]
pub trait StaticRank {
    /// The rank, a [`Rank`].
    type Rank: Numbered;
}
impl<S: StaticTuple + StaticRank> StaticRank for Row<S> {
    type Rank = S::Rank;
}
impl<S: StaticTuple + StaticRank> StaticRank for Col<S> {
    type Rank = S::Rank;
}
impl<S: StaticTuple + StaticRank, D> StaticRank for L<S, D> {
    type Rank = S::Rank;
}
impl<S: StaticTuple + StaticRank, O> StaticRank for Ordered<S, O> {
    type Rank = S::Rank;
}
impl<U: Unsigned, B: Bit> StaticRank for UInt<U, B>
where
    Self: StaticInt,
{
    type Rank = Rank<1>;
}

/// A shape of tiles of rank `R`.
#[diagnostic::on_unimplemented(
    message = "tiles of shape `{Self}` do not fit a span of `{R}`",
    note = "the shape of a chunk has as many dimensions as the span"
)]
pub trait TileOf<R>: TileShape {}
impl<S: HasRank<R>, const R: usize> TileOf<Rank<R>> for S {}

/// Strides between chunks of a span of rank `R`: a tuple of typenum's positive numbers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` are no strides between chunks of a span of `{R}`",
    note = "strides are a tuple with a positive number of typenum for each dimension: `(U3, U4)`"
)]
pub trait Strides<R> {
    /// The strides.
    const STRIDES: &'static [i64];
}

/// A stride between chunks.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no stride between chunks",
    note = "a stride is a number of typenum, at least 1"
)]
pub trait Positive: Unsigned {}
impl<U: Unsigned, B: Bit> Positive for UInt<U, B> {}

/// The kinds of the dimensions of a shape when rows are listed along dimension `D`.
#[diagnostic::on_unimplemented(
    message = "there is no dimension `{D}` to gather along in `{Self}`",
    note = "dimensions are counted from `U0`"
)]
pub trait Listed<D>: TileShape {
    /// [`Many`] of the length at `D`, [`One`] elsewhere.
    type Kinds;
}

/// The same kind for every name.
type Same<K, Name> = <K as Named<Name>>::Kind;
/// See [`Same`].
pub trait Named<Name> {
    /// the kind itself
    type Kind;
}
impl<K, Name> Named<Name> for K {
    type Kind = K;
}

macro_rules! ranks {
    ($($rank:literal: $([$($before:ident)*] $d:ident $at:ident [$($behind:ident)*])+;)+) => {$(
        impl Numbered for Rank<$rank> {
            type Kinds = ($(Same<One, typenum::$at>,)+);
        }
        impl<$($d),+> StaticRank for ($($d,)+) {
            type Rank = Rank<$rank>;
        }
        impl<$($d: Positive),+> Strides<Rank<$rank>> for ($($d,)+) {
            const STRIDES: &'static [i64] = &[$($d::I64),+];
        }
        $(
            impl<$($before,)* $d, $($behind),*> Listed<$at> for ($($before,)* $d, $($behind,)*)
            where
                ($($before,)* $d, $($behind,)*): TileShape,
            {
                type Kinds = ($(Same<One, $before>,)* Many<$d>, $(Same<One, $behind>,)*);
            }
        )+
    )+};
}
ranks! {
    1: [] A U0 [];
    2: [] A U0 [B] [A] B U1 [];
    3: [] A U0 [B C] [A] B U1 [C] [A B] C U2 [];
    4: [] A U0 [B C D] [A] B U1 [C D] [A B] C U2 [D] [A B C] D U3 [];
    5: [] A U0 [B C D E] [A] B U1 [C D E] [A B] C U2 [D E] [A B C] D U3 [E] [A B C D] E U4 [];
    6: [] A U0 [B C D E F] [A] B U1 [C D E F] [A B] C U2 [D E F] [A B C] D U3 [E F] [A B C D] E U4 [F]
       [A B C D E] F U5 [];
    7: [] A U0 [B C D E F G] [A] B U1 [C D E F G] [A B] C U2 [D E F G] [A B C] D U3 [E F G] [A B C D] E U4 [F G]
       [A B C D E] F U5 [G] [A B C D E F] G U6 [];
    8: [] A U0 [B C D E F G H] [A] B U1 [C D E F G H] [A B] C U2 [D E F G H] [A B C] D U3 [E F G H]
       [A B C D] E U4 [F G H] [A B C D E] F U5 [G H] [A B C D E F] G U6 [H] [A B C D E F G] H U7 [];
}

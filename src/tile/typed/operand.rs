//! What stands on the right of an operator: a tile, a reference to one, or a number.

use super::shape::{Broadcast, TileShape};
use super::tile::{Tile, Value};
use crate::tile::element::{Arithmetic, Common, Element, bf16, cast, f16};
use crate::tile::op::Op;

/// What can be combined with a `Tile<E, S, V>` element by element: both are converted to a common element type and broadcast to a
/// common shape.
///
/// Two tiles take the common type of [`Common`]; a number takes the tile's, if it is a [`ScalarOf`] it (cuda::tiles: arithmetic
/// conversions).
#[diagnostic::on_unimplemented(
    message = "a tile of `{E}` cannot be combined with this",
    label = "not beside a tile of `{E}`",
    note = "two tiles need a common type of their elements, and shapes that broadcast to each other: cast one of them",
    note = "a number is of the type of the elements; beside floats it may be an integer, or a float that is not narrowed",
    note = "Tf32 and the floats of 8 and 4 bits are for storage: `.cast::<f32>()` first",
    note = "in a program, an `Extent` is a tile by `p.value::<i32>(n)`, and a tile at hand is no part of it: pass it as an input"
)]
pub trait Operand<E: Element, S: TileShape, V: Value> {
    /// The elements of both, after conversion.
    type Element: Element;
    /// The shape of both, after broadcasting.
    type Shape: TileShape;
    /// The tile and this, converted.
    #[track_caller]
    fn meet(&self, tile: &Tile<E, S, V>) -> [Tile<Self::Element, Self::Shape, V>; 2];
}

impl<E, S, F, T, V> Operand<E, S, V> for Tile<F, T, V>
where
    E: Common<F>,
    F: Arithmetic,
    S: Broadcast<T>,
    T: TileShape,
    V: Value,
{
    type Element = <E as Common<F>>::Output;
    type Shape = <S as Broadcast<T>>::Output;
    fn meet(&self, tile: &Tile<E, S, V>) -> [Tile<Self::Element, Self::Shape, V>; 2] {
        [tile.conformed(), self.conformed()]
    }
}

impl<E: Element, S: TileShape, V: Value, R: Operand<E, S, V>> Operand<E, S, V> for &R {
    type Element = R::Element;
    type Shape = R::Shape;
    fn meet(&self, tile: &Tile<E, S, V>) -> [Tile<Self::Element, Self::Shape, V>; 2] {
        R::meet(self, tile)
    }
}

/// An [`Operand`] that takes the element type and the shape of a tile, which stays as it is.
#[diagnostic::on_unimplemented(
    message = "this cannot take the type of a tile of `{E}`",
    label = "not beside a tile of `{E}`",
    note = "its elements convert to those of the tile without narrowing, and its shape broadcasts to the tile's"
)]
pub trait Conforms<E: Element, S: TileShape, V: Value>: Operand<E, S, V, Element = E, Shape = S> {}
#[diagnostic::do_not_recommend]
impl<E: Element, S: TileShape, V: Value, R: Operand<E, S, V, Element = E, Shape = S>> Conforms<E, S, V> for R {}

/// What stands beside a tile of its type and shape as the other choice: such a tile, a reference to one, or a number.
#[diagnostic::on_unimplemented(
    message = "a tile of `{E}` like the first one, or a number, is needed here",
    label = "not like the first one",
    note = "both have the same elements and shape; a number is of the type of the elements"
)]
pub trait Alternative<E: Element, S: TileShape, V: Value> {
    /// As a tile beside this one.
    #[track_caller]
    fn to(&self, tile: &Tile<E, S, V>) -> Tile<E, S, V>;
}
impl<E: Element, S: TileShape, V: Value> Alternative<E, S, V> for Tile<E, S, V> {
    fn to(&self, _: &Tile<E, S, V>) -> Tile<E, S, V> {
        self.clone()
    }
}
impl<E: Element, S: TileShape, V: Value> Alternative<E, S, V> for &Tile<E, S, V> {
    fn to(&self, _: &Tile<E, S, V>) -> Tile<E, S, V> {
        (*self).clone()
    }
}

/// A number that takes the element type `E` beside a tile of them: of that type itself; beside floats also integers and floats
/// that do not narrow.
///
/// Among integers only the type itself, narrower than cuda::tiles has it, so that literals have a type: in `x + 1` the 1 is what
/// `x` is of. `Tile::from(n)` of another integer is a tile like any other.
#[diagnostic::on_unimplemented(
    message = "a number of type `{Self}` beside a tile of `{E}`",
    label = "this number is no `{E}`, and would be narrowed or is of another integer type",
    note = "write the number in the type of the tile's elements, or cast the tile: `x.cast::<f32>()`"
)]
pub trait ScalarOf<E: Element>: Element {}
impl<E: Arithmetic> ScalarOf<E> for E {}
macro_rules! scalars {
    ($($e:ident: $($number:ident)+;)+) => { $($(impl ScalarOf<$e> for $number {})+)+ };
}
scalars! {
    f16: bool i8 u8 i16 u16 i32 u32 i64 u64;
    bf16: bool i8 u8 i16 u16 i32 u32 i64 u64;
    f32: bool i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16;
    f64: bool i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32;
}

impl<E: Element, S: TileShape, V: Value> Tile<E, S, V> {
    /// Elements and shape that a trait found for both sides of an operator.
    #[track_caller]
    pub(super) fn conformed<F: Element, T: TileShape>(&self) -> Tile<F, T, V> {
        let tile = self.cast::<F>();
        match S::SHAPE == T::SHAPE {
            true => Tile::wrap(tile.value().clone()),
            false => Tile::wrap(V::apply(Op::Broadcast(T::SHAPE), &[tile.value()])),
        }
    }
}

macro_rules! numbers {
    ($($number:ty)+) => {$(
        impl<E: Element, S: TileShape, V: Value> Operand<E, S, V> for $number
        where
            $number: ScalarOf<E>,
        {
            type Element = E;
            type Shape = S;
            fn meet(&self, tile: &Tile<E, S, V>) -> [Tile<E, S, V>; 2] {
                [tile.clone(), self.to(tile)]
            }
        }
        impl<E: Element, S: TileShape, V: Value> Alternative<E, S, V> for $number
        where
            $number: ScalarOf<E>,
        {
            fn to(&self, tile: &Tile<E, S, V>) -> Tile<E, S, V> {
                let number: E = cast(*self);
                Tile::wrap(tile.value().constant(Op::Full(Tile::<E, S>::TYPE, number.to_bits())))
            }
        }
    )+};
}
numbers!(bool i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64);

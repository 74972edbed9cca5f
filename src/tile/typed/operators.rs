//! Operators: `+ - * / % & | ^ << >>` and unary `-` and `!`.

use super::operand::{Conforms, Operand};
use super::shape::TileShape;
use super::tile::{Tile, Value};
use crate::tile::element::{Element, Integer, Integral, Number};
use crate::tile::op::{Binary, Mode, Op, Unary};
use core::ops;

/// An elementwise function of two operands that meet in one type.
#[track_caller]
pub(super) fn binary<E, S, V, R>(f: Binary, a: &Tile<E, S, V>, b: &R) -> Tile<R::Element, R::Shape, V>
where
    E: Element,
    S: TileShape,
    V: Value,
    R: Operand<E, S, V>,
{
    let [a, b] = b.meet(a);
    Tile::wrap(V::apply(Op::Binary(f), &[a.value(), b.value()]))
}

/// An operator on what [`Operand`] brings together: a tile on the left, or a number with a tile on the right.
macro_rules! operator {
    ($Trait:ident $method:ident, $class:ident, $function:expr, $($number:ty)+) => {
        impl<E: Element, S: TileShape, V: Value, R: Operand<E, S, V>> ops::$Trait<R> for &Tile<E, S, V>
        where
            R::Element: $class,
        {
            type Output = Tile<R::Element, R::Shape, V>;
            #[track_caller]
            fn $method(self, other: R) -> Self::Output {
                binary($function, self, &other)
            }
        }
        impl<E: Element, S: TileShape, V: Value, R: Operand<E, S, V>> ops::$Trait<R> for Tile<E, S, V>
        where
            R::Element: $class,
        {
            type Output = Tile<R::Element, R::Shape, V>;
            #[track_caller]
            fn $method(self, other: R) -> Self::Output {
                binary($function, &self, &other)
            }
        }
        $(
            impl<E: $class, S: TileShape, V: Value> ops::$Trait<&Tile<E, S, V>> for $number
            where
                $number: Conforms<E, S, V>,
            {
                type Output = Tile<E, S, V>;
                #[track_caller]
                fn $method(self, tile: &Tile<E, S, V>) -> Tile<E, S, V> {
                    let [b, a] = self.meet(tile);
                    Tile::wrap(V::apply(Op::Binary($function), &[a.value(), b.value()]))
                }
            }
            impl<E: $class, S: TileShape, V: Value> ops::$Trait<Tile<E, S, V>> for $number
            where
                $number: Conforms<E, S, V>,
            {
                type Output = Tile<E, S, V>;
                #[track_caller]
                fn $method(self, tile: Tile<E, S, V>) -> Tile<E, S, V> {
                    self.$method(&tile)
                }
            }
        )+
    };
}
/// [`operator`] with the numbers of a class.
macro_rules! operators {
    ($($Trait:ident $method:ident: Number, $function:expr;)+) => {
        $(operator!($Trait $method, Number, $function, i8 u8 i16 u16 i32 u32 i64 u64 half::f16 half::bf16 f32 f64);)+
    };
    ($($Trait:ident $method:ident: Integral, $function:expr;)+) => {
        $(operator!($Trait $method, Integral, $function, bool i8 u8 i16 u16 i32 u32 i64 u64);)+
    };
    ($($Trait:ident $method:ident: Integer, $function:expr;)+) => {
        $(operator!($Trait $method, Integer, $function, i8 u8 i16 u16 i32 u32 i64 u64);)+
    };
}
operators! {
    Add add: Number, Binary::Add(Mode::default());
    Sub sub: Number, Binary::Sub(Mode::default());
    Mul mul: Number, Binary::Mul(Mode::default());
    Div div: Number, Binary::Div(Mode::default());
    Rem rem: Number, Binary::Rem;
}
operators! {
    BitAnd bitand: Integral, Binary::And;
    BitOr bitor: Integral, Binary::Or;
    BitXor bitxor: Integral, Binary::Xor;
}
operators! {
    Shl shl: Integer, Binary::Shl;
    Shr shr: Integer, Binary::Shr;
}

macro_rules! prefix {
    ($($Trait:ident $method:ident: $class:ident, $function:expr;)+) => {$(
        impl<E: $class, S: TileShape, V: Value> ops::$Trait for &Tile<E, S, V> {
            type Output = Tile<E, S, V>;
            #[track_caller]
            fn $method(self) -> Tile<E, S, V> {
                self.map($function)
            }
        }
        impl<E: $class, S: TileShape, V: Value> ops::$Trait for Tile<E, S, V> {
            type Output = Tile<E, S, V>;
            #[track_caller]
            fn $method(self) -> Tile<E, S, V> {
                self.map($function)
            }
        }
    )+};
}
prefix! {
    Neg neg: Number, Unary::Neg;
    Not not: Integral, Unary::Not;
}

impl<E: Element, S: TileShape, V: Value> Tile<E, S, V> {
    /// An elementwise function that keeps the type.
    #[track_caller]
    pub(super) fn map(&self, f: Unary) -> Self {
        Tile::wrap(V::apply(Op::Unary(f), &[self.value()]))
    }
}

//! The typed tile.

use super::len::N;
use super::shape::TileShape;
use crate::tile::TileError;
use crate::tile::element::Element;
use crate::tile::op::Op;
use crate::tile::shape::TileType;
use crate::tile::value::AnyTile;
use core::fmt;
use core::marker::PhantomData;

/// A tile: an immutable value of elements `E` in a shape `S`, a tuple of typenum's powers of two.
///
/// Operations are methods and operators; their rules are bounds, so that what does not fit does not compile. `V` is what holds
/// the elements: a [tile in memory](AnyTile) on which an operation is done at once, or a node of a
/// [program](crate::program) that records it. The methods are the same.
///
/// A scalar is a tile of shape `()`; Rust's numbers stand for one beside a tile.
/// ```
/// use girih::Shape;
/// use girih::tile::Tile;
/// use typenum::*;
/// let x = Tile::<i32, Shape![2, 4]>::iota();
/// let y = x.reshape::<Shape![4, 2]>() * 10 + 1;
/// assert_eq!(y.to_string(), "( 1 11)\n(21 31)\n(41 51)\n(61 71)");
/// ```
pub struct Tile<E: Element, S: TileShape, V = AnyTile> {
    value: V,
    ty: PhantomData<fn() -> (E, S)>,
}

/// What holds the elements of a typed tile: [`AnyTile`] does operations at once, a program's node records them. There are
/// no others.
// who holds a tile calls its methods, whose bounds check the types: only they may ask for results
#[expect(private_bounds)]
pub trait Value: Evaluate {
    /// What an operation gives that may be refused for the value of an index: a `Result` where it is evaluated at once.
    type Checked<T>;
}

/// How a [`Value`] evaluates operations, or records them. The typed methods have checked the types of the operands when they
/// call it.
pub(crate) trait Evaluate: Clone {
    /// The result of an operation on at least one operand.
    #[track_caller]
    fn apply(op: Op, operands: &[&Self]) -> Self;
    /// The result of an operation without operands, beside this value.
    #[track_caller]
    fn constant(&self, op: Op) -> Self;
    /// The result of an operation that has an index among its operands.
    #[track_caller]
    fn checked<T>(op: Op, operands: &[&Self], wrap: impl FnOnce(Self) -> T) -> Self::Checked<T>
    where
        Self: Value;
}

impl Value for AnyTile {
    type Checked<T> = Result<T, TileError>;
}

impl Evaluate for AnyTile {
    fn apply(op: Op, operands: &[&AnyTile]) -> AnyTile {
        match op.eval(operands) {
            Ok(tile) => tile,
            // the bounds of the typed methods say what `Op::result` says
            Err(e) => unreachable!("{e}"),
        }
    }

    fn constant(&self, op: Op) -> AnyTile {
        AnyTile::apply(op, &[])
    }

    fn checked<T>(op: Op, operands: &[&AnyTile], wrap: impl FnOnce(AnyTile) -> T) -> <Self as Value>::Checked<T> {
        op.eval(operands).map(wrap)
    }
}

/// A tile or a reference to one, where a method takes a tile beside its own: handles of programs are `Copy`, tiles at hand
/// are not.
#[diagnostic::on_unimplemented(
    message = "the tile does not fit here: its elements, its shape or its holder is another one",
    label = "does not fit",
    note = "the two shapes stand in the line on the trait: lengths are binary numbers of typenum, `UInt<UInt<UTerm, B1>, B0>` is 2",
    note = "to the shape of a chunk use `.broadcast` or `.reshape`; in a program, a tile at hand is no part of it: pass it as an input"
)]
pub trait AsTile<E: Element, S: TileShape, V> {
    /// The tile.
    fn as_tile(&self) -> &Tile<E, S, V>;
}
impl<E: Element, S: TileShape, V> AsTile<E, S, V> for Tile<E, S, V> {
    fn as_tile(&self) -> &Tile<E, S, V> {
        self
    }
}
impl<E: Element, S: TileShape, V> AsTile<E, S, V> for &Tile<E, S, V> {
    fn as_tile(&self) -> &Tile<E, S, V> {
        self
    }
}

impl<E: Element, S: TileShape, V> Tile<E, S, V> {
    /// What it is.
    pub const TYPE: TileType = TileType::new(E::TYPE, S::SHAPE);

    pub(crate) fn wrap(value: V) -> Self {
        Tile { value, ty: PhantomData }
    }

    /// What holds its elements: a tile without types.
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let x = Tile::<i32, Shape![2, 4]>::full(7);
    /// assert_eq!(x.value().layout().to_string(), "(2,4):(0,0)"); // held once
    /// ```
    pub fn value(&self) -> &V {
        &self.value
    }
}

impl<E: Element, S: TileShape> Tile<E, S> {
    /// A tile of these elements in row-major order.
    ///
    /// # Errors
    /// There are not as many as the shape has.
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let x = Tile::<f32, Shape![2, 2]>::new(vec![1.0, 2.0, 3.0, 4.0])?;
    /// assert_eq!(x.to_string(), "(1 2)\n(3 4)");
    /// assert!(Tile::<f32, Shape![2, 2]>::new(vec![1.0]).is_err());
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    pub fn new(values: Vec<E>) -> Result<Self, TileError> {
        AnyTile::new(S::SHAPE, values).map(Tile::wrap)
    }

    /// Its elements in row-major order.
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// assert_eq!(Tile::<u8, Shape![4]>::iota().to_vec(), [0, 1, 2, 3]);
    /// ```
    pub fn to_vec(&self) -> Vec<E> {
        // its elements are of this type
        self.value.to_vec().unwrap_or_default()
    }

    /// The element of a tile that has one.
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// assert_eq!(Tile::<i32, Shape![4]>::iota().sum::<typenum::U0>().item(), 6);
    /// ```
    pub fn item(&self) -> E
    where
        S: TileShape<Size = N<1>>,
    {
        self.to_vec().first().copied().unwrap_or_default()
    }

    /// A tile whose type was found when the program ran.
    ///
    /// # Errors
    /// It has another type.
    /// ```
    /// # use girih::{Shape, tile::{AnyTile, Tile}};
    /// let x = AnyTile::scalar(1.5f32);
    /// assert_eq!(Tile::<f32, ()>::from_any(x.clone())?.item(), 1.5);
    /// let e = Tile::<f32, Shape![1]>::from_any(x).unwrap_err();
    /// assert_eq!(e.to_string(), "a tile of f32() is no tile of f32(1)");
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    pub fn from_any(tile: AnyTile) -> Result<Self, TileError> {
        if tile.ty() == Self::TYPE {
            Ok(Tile::wrap(tile))
        } else {
            Err(TileError::Type { got: tile.ty(), expected: Self::TYPE })
        }
    }
}

impl<E: Element, S: TileShape, V: Clone> Clone for Tile<E, S, V> {
    fn clone(&self) -> Self {
        Tile { value: self.value.clone(), ty: PhantomData }
    }
}
impl<E: Element, S: TileShape, V: Copy> Copy for Tile<E, S, V> {}

impl<E: Element, S: TileShape, V: fmt::Display> fmt::Display for Tile<E, S, V> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.value.fmt(f)
    }
}
impl<E: Element, S: TileShape, V: fmt::Display> fmt::Debug for Tile<E, S, V> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}\n{}", Self::TYPE, self.value)
    }
}

//! Tiles whose type is known when the program runs.

use super::element::*;
use super::layouts;
use super::shape::{Shape, TileType};
use super::{TileError, gather};
use crate::layout::{Layout, LayoutError};
use std::sync::Arc;

/// The elements of a tile, of any type.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Data {
    Bool(Arc<Vec<bool>>),
    I8(Arc<Vec<i8>>),
    U8(Arc<Vec<u8>>),
    I16(Arc<Vec<i16>>),
    U16(Arc<Vec<u16>>),
    I32(Arc<Vec<i32>>),
    U32(Arc<Vec<u32>>),
    I64(Arc<Vec<i64>>),
    U64(Arc<Vec<u64>>),
    F16(Arc<Vec<f16>>),
    Bf16(Arc<Vec<bf16>>),
    F32(Arc<Vec<f32>>),
    F64(Arc<Vec<f64>>),
    Tf32(Arc<Vec<Tf32>>),
    F8E4M3(Arc<Vec<F8E4M3>>),
    F8E5M2(Arc<Vec<F8E5M2>>),
    F8UE5M3(Arc<Vec<F8UE5M3>>),
    F8E8M0(Arc<Vec<F8E8M0>>),
    F4E2M1(Arc<Vec<F4E2M1>>),
}

/// `body` with `$E` as the element type that a value names, of the types listed; `else` for others.
macro_rules! dispatch {
    ($element:expr, [$($variant:ident: $type:ty),+], $E:ident => $body:expr, else $other:expr) => {
        match $element {
            $($crate::tile::ElementType::$variant => { type $E = $type; $body })+
            #[allow(unreachable_patterns)]
            _ => $other,
        }
    };
}
/// [`dispatch`] over all types.
macro_rules! any {
    ($element:expr, $E:ident => $body:expr) => {
        $crate::tile::value::arithmetic!($element, $E => $body, else $crate::tile::value::dispatch!($element, [
            Tf32: $crate::tile::Tf32, F8E4M3: $crate::tile::F8E4M3, F8E5M2: $crate::tile::F8E5M2,
            F8UE5M3: $crate::tile::F8UE5M3, F8E8M0: $crate::tile::F8E8M0, F4E2M1: $crate::tile::F4E2M1
        ], $E => $body, else unreachable!("all types are listed")))
    };
}
/// [`dispatch`] over the arithmetic types.
macro_rules! arithmetic {
    ($element:expr, $E:ident => $body:expr, else $other:expr) => {
        $crate::tile::value::dispatch!($element, [
            Bool: bool, I8: i8, U8: u8, I16: i16, U16: u16, I32: i32, U32: u32, I64: i64, U64: u64,
            F16: half::f16, Bf16: half::bf16, F32: f32, F64: f64
        ], $E => $body, else $other)
    };
}
pub(crate) use {any, arithmetic, dispatch};

/// Which [`Data`] holds elements of a type.
pub trait Stored: Sized {
    /// These elements.
    fn data(values: Vec<Self>) -> Data;
    /// The elements, if they are of this type.
    fn values(data: &Data) -> Option<&[Self]>;
}

macro_rules! stored {
    ($($variant:ident: $type:ty),+) => {
        $(impl Stored for $type {
            fn data(values: Vec<Self>) -> Data {
                Data::$variant(Arc::new(values))
            }
            fn values(data: &Data) -> Option<&[Self]> {
                if let Data::$variant(values) = data { Some(values) } else { None }
            }
        })+
        impl Data {
            /// The type of the elements.
            pub fn element(&self) -> ElementType {
                match self {
                    $(Data::$variant(_) => ElementType::$variant,)+
                }
            }
        }
    };
}
stored!(
    Bool: bool, I8: i8, U8: u8, I16: i16, U16: u16, I32: i32, U32: u32, I64: i64, U64: u64,
    F16: f16, Bf16: bf16, F32: f32, F64: f64,
    Tf32: Tf32, F8E4M3: F8E4M3, F8E5M2: F8E5M2, F8UE5M3: F8UE5M3, F8E8M0: F8E8M0, F4E2M1: F4E2M1
);

/// A tile whose element type and shape are values: what tools use, and what a typed [`Tile`](super::Tile) holds.
///
/// It is immutable. Its memory is shared: reshaping, permuting, broadcasting and extracting make a new layout and copy nothing.
/// ```
/// use girih::tile::{AnyTile, Op, Shape};
/// let x = AnyTile::new(Shape::new(&[2, 4])?, (0..8).collect::<Vec<i32>>())?;
/// let t = Op::Permute(girih::tile::Map::new(&[1, 0])).eval(&[&x])?;
/// assert_eq!((t.ty().to_string(), t.layout().to_string()), ("i32(4,2)".into(), "(4,2):(1,4)".into()));
/// assert_eq!(t.to_vec::<i32>(), Some(vec![0, 4, 1, 5, 2, 6, 3, 7]));
/// # Ok::<(), girih::tile::TileError>(())
/// ```
#[derive(Clone)]
pub struct AnyTile {
    data: Data,
    shape: Shape,
    layout: Layout,
    base: usize,
}

impl AnyTile {
    /// A tile of these elements in row-major order.
    ///
    /// # Errors
    /// There are not as many as the shape has.
    /// ```
    /// # use girih::tile::{AnyTile, Shape};
    /// let x = AnyTile::new(Shape::new(&[2, 2])?, vec![1u8, 2, 3, 4])?;
    /// assert_eq!(x.to_string(), "(1 2)\n(3 4)");
    /// let e = AnyTile::new(Shape::new(&[2, 2])?, vec![1u8, 2, 3]).unwrap_err();
    /// assert_eq!(e.to_string(), "3 values are not the 4 elements of (2,2)");
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    pub fn new<E: Element>(shape: Shape, values: Vec<E>) -> Result<AnyTile, TileError> {
        if values.len() != shape.size() {
            return Err(TileError::Values { got: values.len(), shape });
        }
        Ok(AnyTile { data: E::data(values), shape, layout: shape.layout()?, base: 0 })
    }

    /// A tile of one element everywhere, held once.
    pub(super) fn splat<E: Element>(shape: Shape, value: E) -> Result<AnyTile, TileError> {
        let layout = layouts::broadcast(&Layout::UNIT, &Shape::SCALAR, &shape)?;
        Ok(AnyTile { data: E::data(vec![value]), shape, layout, base: 0 })
    }

    /// A scalar: a tile of rank 0.
    /// ```
    /// # use girih::tile::AnyTile;
    /// assert_eq!(AnyTile::scalar(1.5f32).ty().to_string(), "f32()");
    /// ```
    pub fn scalar<E: Element>(value: E) -> AnyTile {
        AnyTile { data: E::data(vec![value]), shape: Shape::SCALAR, layout: Layout::UNIT, base: 0 }
    }

    /// What it is.
    pub fn ty(&self) -> TileType {
        TileType::new(self.element(), self.shape)
    }

    /// The type of its elements.
    pub fn element(&self) -> ElementType {
        self.data.element()
    }

    /// Its shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Where its elements are: from a coordinate to an index into its memory, counted from where the tile begins.
    /// ```
    /// # use girih::{layout, tile::{AnyTile, Op, Shape}};
    /// let row = AnyTile::new(Shape::new(&[4])?, vec![0, 1, 2, 3])?;
    /// let rows = Op::Broadcast(Shape::new(&[2, 4])?).eval(&[&row])?;
    /// assert_eq!(*rows.layout(), layout!((2,4):(0,1))); // the same memory twice
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The elements as they lie in memory, if that is in row-major order without gaps, and they are of this type.
    /// ```
    /// # use girih::tile::{AnyTile, Map, Op, Shape};
    /// let x = AnyTile::new(Shape::new(&[2, 2])?, vec![0, 1, 2, 3])?;
    /// assert_eq!(x.row_major::<i32>(), Some(&[0, 1, 2, 3][..]));
    /// assert_eq!(x.row_major::<u32>(), None);
    /// assert_eq!(Op::Permute(Map::new(&[1, 0])).eval(&[&x])?.row_major::<i32>(), None);
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    pub fn row_major<E: Element>(&self) -> Option<&[E]> {
        // the last dimension is the fastest of a tile, the first of a layout
        let compact = self
            .layout
            .reverse()
            .is_ok_and(|l| l.same_function(&Layout::UNIT) || l.coalesce().stride().as_int() == Some(1));
        let values = E::values(&self.data)?;
        if compact { values.get(self.base..self.base + self.shape.size()) } else { None }
    }

    /// The elements in row-major order, wherever they lie, if they are of this type.
    /// ```
    /// # use girih::tile::{AnyTile, Map, Op, Shape};
    /// let x = AnyTile::new(Shape::new(&[2, 2])?, vec![0, 1, 2, 3])?;
    /// assert_eq!(Op::Permute(Map::new(&[1, 0])).eval(&[&x])?.to_vec(), Some(vec![0, 2, 1, 3]));
    /// assert_eq!(x.to_vec::<u32>(), None);
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    pub fn to_vec<E: Element>(&self) -> Option<Vec<E>> {
        let values = E::values(&self.data)?;
        Some(match self.row_major() {
            Some(values) => values.to_vec(),
            None => gather::collect(&values[self.base..], &self.layout, self.shape),
        })
    }

    /// A tile of the elements with these codes, in row-major order: what a tool has that does not name their type.
    ///
    /// # Errors
    /// There are not as many as the shape has, or one is no code of the type.
    /// ```
    /// use girih::tile::{AnyTile, ElementType, Shape, TileType};
    /// let ty = TileType::new(ElementType::F4E2M1, Shape::new(&[4])?);
    /// let x = AnyTile::from_codes(ty, &[0, 1, 2, 15])?;
    /// assert_eq!((x.to_string(), x.codes()), ("(  0 0.5   1  -6)".into(), vec![0, 1, 2, 15]));
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    pub fn from_codes(ty: TileType, codes: &[u64]) -> Result<AnyTile, TileError> {
        let element = ty.element;
        if let Some(&bits) = codes.iter().find(|code| **code >> (element.bits() - 1) > 1) {
            return Err(TileError::Bits { bits, element });
        }
        let codes = codes.iter().copied();
        any!(element, E => AnyTile::new::<E>(ty.shape, codes.map(Element::from_bits).collect()))
    }

    /// The codes of the elements, in row-major order: their bits, with zeros above.
    /// ```
    /// # use girih::tile::{AnyTile, Shape};
    /// assert_eq!(AnyTile::new(Shape::new(&[2])?, vec![-1i8, 1])?.codes(), [0xff, 1]);
    /// assert_eq!(AnyTile::scalar(-0.0f32).codes(), [0x8000_0000]);
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    pub fn codes(&self) -> Vec<u64> {
        any!(self.element(), E => self.to_vec::<E>().unwrap_or_default().into_iter().map(Element::to_bits).collect())
    }

    /// Are all its elements one in memory?
    pub(super) fn is_splat(&self) -> bool {
        let layout = self.layout.coalesce();
        layout.stride().as_int() == Some(0) || layout.shape().as_int() == Some(1)
    }

    /// The element that all are in memory, as a scalar.
    pub(super) fn single(&self) -> Option<AnyTile> {
        self.is_splat().then(|| AnyTile { shape: Shape::SCALAR, layout: Layout::UNIT, ..self.clone() })
    }

    /// The memory that the layout goes into, from where the tile begins.
    pub(super) fn memory<E: Element>(&self) -> Option<&[E]> {
        E::values(&self.data)?.get(self.base..)
    }

    /// The only element of a scalar, as an integer: an index.
    pub(crate) fn index(&self) -> Option<i128> {
        let bits = any!(self.element(), E => Element::to_bits(*self.memory::<E>()?.first()?));
        Some(self.element().integer(bits))
    }

    /// The same memory through another layout, or, where that has none, a copy in row-major order through the layout of that.
    fn relayout(
        &self,
        shape: Shape,
        operation: impl Fn(&Layout) -> Result<(Layout, i64), LayoutError>,
    ) -> Result<AnyTile, TileError> {
        if let Ok((layout, offset)) = operation(&self.layout) {
            return Ok(AnyTile { data: self.data.clone(), shape, layout, base: self.base + offset as usize });
        }
        let copy = self.compact()?;
        let (layout, offset) = operation(&copy.layout)?;
        Ok(AnyTile { shape, layout, base: copy.base + offset as usize, ..copy })
    }

    /// The same tile in row-major order.
    pub(super) fn compact(&self) -> Result<AnyTile, TileError> {
        any!(self.element(), E => match self.row_major::<E>() {
            Some(_) => Ok(self.clone()),
            None => AnyTile::new(self.shape, self.to_vec::<E>().unwrap_or_default()),
        })
    }

    pub(super) fn reshape(&self, to: Shape) -> Result<AnyTile, TileError> {
        self.relayout(to, |l| Ok((layouts::reshape(l, &to)?, 0)))
    }

    pub(super) fn permute(&self, map: &[u8]) -> Result<AnyTile, TileError> {
        self.relayout(self.shape.permute(map)?, |l| Ok((layouts::permute(l, map)?, 0)))
    }

    pub(super) fn broadcast(&self, to: Shape) -> Result<AnyTile, TileError> {
        self.relayout(to, |l| Ok((layouts::broadcast(l, &self.shape, &to)?, 0)))
    }

    /// The part with this coordinate.
    pub(super) fn part(&self, part: Shape, coordinate: &[&AnyTile]) -> Result<AnyTile, TileError> {
        let at = self.coordinate(part, coordinate)?;
        self.relayout(part, |l| layouts::part(l, &part, &at))
    }

    /// The tile with the part of this coordinate replaced.
    pub(super) fn insert<E: Element>(&self, part: &AnyTile, coordinate: &[&AnyTile]) -> Result<AnyTile, TileError> {
        let at = self.coordinate(part.shape, coordinate)?;
        let mut whole = self.to_vec::<E>().unwrap_or_default();
        let (layout, offset) = layouts::part(&self.shape.layout()?, &part.shape, &at)?;
        let values = part.to_vec::<E>().unwrap_or_default();
        gather::scatter(&values, &mut whole[offset as usize..], &layout);
        AnyTile::new(self.shape, whole)
    }

    fn coordinate(&self, part: Shape, coordinate: &[&AnyTile]) -> Result<Vec<i64>, TileError> {
        let one = |(dim, tile): (usize, &&AnyTile)| {
            let (index, parts) = (tile.index().unwrap_or(-1), self.shape.extent(dim) / part.extent(dim));
            match (0..parts.into()).contains(&index) {
                true => Ok(index as i64),
                false => Err(TileError::Index { dim: dim as u8, index, parts }),
            }
        };
        coordinate.iter().enumerate().map(one).collect()
    }
}

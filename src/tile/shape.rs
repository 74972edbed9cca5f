//! Shapes of tiles as values.

use super::TileError;
use super::element::ElementType;
use super::op::Map;
use crate::layout::{IntTuple, Layout, LayoutError};
use core::fmt;

/// The most elements a tile may have, and the longest dimension: 2^24.
pub const LIMIT: u32 = 1 << 24;
/// The highest rank of a tile.
pub const RANK: usize = 8;

/// The shape of a tile: up to [`RANK`] extents, each a power of two, at most [`LIMIT`] elements in all.
///
/// Rank 0 is a scalar. Dimensions are counted from the left, and the *last* is the fastest: "row-major" in the texts of tile
/// operations. Layouts count the other way around; [`Shape::layout`] is where the two meet.
/// ```
/// use girih::tile::Shape;
/// let s = Shape::new(&[2, 4])?;
/// assert_eq!((s.to_string(), s.size(), s.layout()?.to_string()), ("(2,4)".into(), 8, "(2,4):(4,1)".into()));
/// let e = Shape::new(&[3]).unwrap_err();
/// assert_eq!(e.to_string(), "(3) is no shape of a tile: dimension 0 is 3, which is no power of two");
/// # Ok::<(), girih::tile::TileError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    rank: u8,
    /// logarithms of the extents; zero beyond the rank
    logs: [u8; RANK],
}

impl Shape {
    /// The shape of a scalar.
    pub const SCALAR: Shape = Shape { rank: 0, logs: [0; RANK] };

    /// A shape of these extents.
    ///
    /// # Errors
    /// An extent is no power of two, there are more than [`LIMIT`] elements or more than [`RANK`] dimensions.
    /// ```
    /// # use girih::tile::Shape;
    /// assert_eq!(Shape::new(&[])?, Shape::SCALAR);
    /// assert!(Shape::new(&[1 << 24]).is_ok());
    /// let e = Shape::new(&[1 << 13, 1 << 12]).unwrap_err();
    /// assert_eq!(e.to_string(), "a tile has at most 16777216 elements (2^24), these are 2^25");
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    pub const fn new(extents: &[u32]) -> Result<Shape, TileError> {
        if extents.len() > RANK {
            return Err(TileError::Rank { got: extents.len(), expected: RANK });
        }
        let mut shape = Shape { rank: extents.len() as u8, logs: [0; RANK] };
        let (mut dim, mut log) = (0, 0);
        while dim < extents.len() {
            if !extents[dim].is_power_of_two() {
                return Err(TileError::NotPowerOfTwo { dim: dim as u8, extent: extents[dim], rank: shape.rank });
            }
            shape.logs[dim] = extents[dim].trailing_zeros() as u8;
            log += extents[dim].trailing_zeros();
            dim += 1;
        }
        if log > LIMIT.trailing_zeros() { Err(TileError::TooLarge { log_size: log as u16 }) } else { Ok(shape) }
    }

    /// A shape of extents that bounds on types have checked.
    pub(super) const fn fitting(extents: &[u32]) -> Shape {
        match Shape::new(extents) {
            Ok(shape) => shape,
            Err(_) => panic!("a tile has at most 8 dimensions and 2^24 elements, and lengths that are powers of two"),
        }
    }

    /// How many dimensions it has.
    pub const fn rank(&self) -> usize {
        self.rank as usize
    }

    /// The length of a dimension, counted from the left; 1 for those it does not have.
    /// ```
    /// # use girih::tile::Shape;
    /// let s = Shape::new(&[2, 4])?;
    /// assert_eq!([s.extent(0), s.extent(1), s.extent(2)], [2, 4, 1]);
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    pub const fn extent(&self, dim: usize) -> u32 {
        if dim < RANK { 1 << self.logs[dim] } else { 1 }
    }

    /// The lengths of all dimensions, from the left.
    /// ```
    /// # use girih::tile::Shape;
    /// assert_eq!(Shape::new(&[2, 4])?.extents().rev().collect::<Vec<_>>(), [4, 2]);
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    pub fn extents(&self) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator + '_ {
        self.logs[..self.rank()].iter().map(|log| 1 << log)
    }

    /// How many elements it has: the product of the extents.
    /// ```
    /// # use girih::tile::Shape;
    /// assert_eq!((Shape::new(&[2, 1, 4])?.size(), Shape::SCALAR.size()), (8, 1));
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    pub const fn size(&self) -> usize {
        let (mut log, mut dim) = (0, 0);
        while dim < RANK {
            log += self.logs[dim];
            dim += 1;
        }
        1 << log
    }

    /// The shape with another length of one dimension.
    ///
    /// # Errors
    /// There is no such dimension, the length is no power of two, or there are too many elements.
    /// ```
    /// # use girih::tile::Shape;
    /// let s = Shape::new(&[2, 4])?;
    /// assert_eq!(s.with(1, 1)?, Shape::new(&[2, 1])?); // what a reduction along dimension 1 leaves
    /// assert_eq!(s.with(2, 1).unwrap_err().to_string(), "(2,4) has no dimension 2: they count from 0, the last is 1");
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    pub const fn with(&self, dim: usize, extent: u32) -> Result<Shape, TileError> {
        if dim >= self.rank() {
            return Err(TileError::Dim { dim, shape: *self });
        }
        let mut extents = [1; RANK];
        let mut i = 0;
        while i < self.rank() {
            extents[i] = if i == dim { extent } else { self.extent(i) };
            i += 1;
        }
        Shape::new(extents.split_at(self.rank()).0)
    }

    /// The shape that both broadcast to: dimensions are aligned at the last one, and of two that meet either they are equal
    /// or one of them is 1 (cuda::tiles: tile operations, broadcasting).
    ///
    /// # Errors
    /// [`TileError::Broadcast`], or there are too many elements.
    /// ```
    /// # use girih::tile::Shape;
    /// let (a, b) = (Shape::new(&[4, 1])?, Shape::new(&[8])?);
    /// assert_eq!(a.broadcast(&b)?, Shape::new(&[4, 8])?);
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    pub const fn broadcast(&self, other: &Shape) -> Result<Shape, TileError> {
        let (long, short) = if self.rank >= other.rank { (self, other) } else { (other, self) };
        let (lead, mut extents, mut dim) = (long.rank() - short.rank(), [1; RANK], 0);
        while dim < long.rank() {
            let (a, b) = (long.extent(dim), if dim < lead { 1 } else { short.extent(dim - lead) });
            if a != b && a != 1 && b != 1 {
                return Err(TileError::Broadcast { from: *self, to: *other });
            }
            extents[dim] = if a == 1 { b } else { a };
            dim += 1;
        }
        Shape::new(extents.split_at(long.rank()).0)
    }

    /// Does a tile of this shape broadcast to that one: is each of its trailing dimensions 1 or as long as there?
    /// ```
    /// # use girih::tile::Shape;
    /// let (row, wide) = (Shape::new(&[4])?, Shape::new(&[2, 4])?);
    /// assert!(row.broadcasts_to(&wide) && !wide.broadcasts_to(&row));
    /// assert!(!Shape::new(&[2])?.broadcasts_to(&wide)); // the last dimensions meet
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    pub const fn broadcasts_to(&self, to: &Shape) -> bool {
        let Some(lead) = to.rank().checked_sub(self.rank()) else { return false };
        let mut dim = 0;
        while dim < self.rank() {
            if self.extent(dim) != 1 && self.extent(dim) != to.extent(dim + lead) {
                return false;
            }
            dim += 1;
        }
        true
    }

    /// The shape whose dimension `i` is dimension `map[i]` of this one.
    ///
    /// # Errors
    /// `map` does not name each dimension once.
    /// ```
    /// # use girih::tile::Shape;
    /// let s = Shape::new(&[2, 4, 8])?;
    /// assert_eq!(s.permute(&[2, 0, 1])?, Shape::new(&[8, 2, 4])?);
    /// assert!(s.permute(&[0, 0, 1]).is_err());
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    pub const fn permute(&self, map: &[u8]) -> Result<Shape, TileError> {
        let (mut seen, mut dim, mut logs) = (0u32, 0, [0; RANK]);
        while dim < map.len() && dim < RANK {
            if (map[dim] as usize) < self.rank() {
                seen |= 1 << map[dim];
                logs[dim] = self.logs[map[dim] as usize];
            }
            dim += 1;
        }
        if map.len() != self.rank() || seen != (1 << self.rank()) - 1 {
            return Err(TileError::Permutation { shape: *self, map: Map::new(map) });
        }
        Ok(Shape { rank: self.rank, logs })
    }

    /// Can parts of this shape be cut from a tile of that one: is each of its lengths a divisor of the one there?
    /// ```
    /// # use girih::tile::Shape;
    /// let whole = Shape::new(&[4, 8])?;
    /// assert!(Shape::new(&[4, 2])?.divides(&whole));
    /// assert!(!Shape::new(&[8, 2])?.divides(&whole) && !Shape::new(&[2])?.divides(&whole)); // too long; another rank
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    pub const fn divides(&self, whole: &Shape) -> bool {
        let mut dim = 0;
        while dim < self.rank() {
            if self.logs[dim] > whole.logs[dim] {
                return false;
            }
            dim += 1;
        }
        self.rank == whole.rank
    }

    /// The extents as an integer tuple; that of a scalar is `1`.
    ///
    /// # Errors
    /// Never: the ranks of tiles fit integer tuples. The signature is the algebra's.
    /// ```
    /// # use girih::{ints, tile::Shape};
    /// assert_eq!(Shape::new(&[2, 4])?.tuple()?, ints!((2, 4)));
    /// assert_eq!(Shape::SCALAR.tuple()?, ints!(1));
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    pub const fn tuple(&self) -> Result<IntTuple, LayoutError> {
        if self.rank == 0 {
            return Ok(IntTuple::int(1));
        }
        let (mut modes, mut dim) = ([IntTuple::int(1); RANK], 0);
        while dim < self.rank() {
            modes[dim] = IntTuple::int(self.extent(dim) as i64);
            dim += 1;
        }
        IntTuple::tuple(modes.split_at(self.rank()).0)
    }

    /// The layout of its elements in row-major order: the last dimension is the fastest. That of a scalar is `1:0`.
    ///
    /// # Errors
    /// As [`Shape::tuple`].
    /// ```
    /// # use girih::{layout, tile::Shape};
    /// assert_eq!(Shape::new(&[2, 4, 8])?.layout()?, layout!((2,4,8):(32,8,1)));
    /// assert_eq!(Shape::SCALAR.layout()?, layout!(1:0));
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    pub const fn layout(&self) -> Result<Layout, LayoutError> {
        Layout::row_major(&tri!(self.tuple()))
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("(")?;
        for (i, extent) in self.extents().enumerate() {
            write!(f, "{}{extent}", if i == 0 { "" } else { "," })?;
        }
        f.write_str(")")
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// What a tile is: the type of its elements and its shape, printed `f32(2,4)`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TileType {
    /// the type of its elements
    pub element: ElementType,
    /// its shape
    pub shape: Shape,
}

impl TileType {
    /// Elements of a type in a shape.
    /// ```
    /// # use girih::tile::{ElementType, Shape, TileType};
    /// assert_eq!(TileType::new(ElementType::F32, Shape::new(&[2, 4])?).to_string(), "f32(2,4)");
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    pub const fn new(element: ElementType, shape: Shape) -> TileType {
        TileType { element, shape }
    }

    /// A single element.
    /// ```
    /// # use girih::tile::{ElementType, Shape, TileType};
    /// assert_eq!(TileType::scalar(ElementType::F32), TileType::new(ElementType::F32, Shape::SCALAR));
    /// ```
    pub const fn scalar(element: ElementType) -> TileType {
        TileType { element, shape: Shape::SCALAR }
    }

    /// The same shape of other elements.
    /// ```
    /// # use girih::tile::{ElementType, Shape, TileType};
    /// let mask = TileType::new(ElementType::F32, Shape::new(&[2, 4])?).of(ElementType::Bool);
    /// assert_eq!(mask.to_string(), "bool(2,4)");
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    pub const fn of(&self, element: ElementType) -> TileType {
        TileType { element, ..*self }
    }

    /// The same elements in another shape.
    /// ```
    /// # use girih::tile::{ElementType, Shape, TileType};
    /// let flat = TileType::new(ElementType::F32, Shape::new(&[2, 4])?).shaped(Shape::new(&[8])?);
    /// assert_eq!(flat.to_string(), "f32(8)");
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    pub const fn shaped(&self, shape: Shape) -> TileType {
        TileType { shape, ..*self }
    }
}

impl fmt::Display for TileType {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", self.element, self.shape)
    }
}

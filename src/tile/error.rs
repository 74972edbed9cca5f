//! Why a tile operation is refused.

use super::element::{ConversionError, ElementType};
use super::op::Op;
use super::shape::{LIMIT, RANK, Shape, TileType};
use crate::layout::LayoutError;
use core::fmt;

/// Why a tile operation has no result: what the typed layer refuses to compile, and indices.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum TileError {
    /// an extent is no power of two
    NotPowerOfTwo { dim: u8, extent: u32, rank: u8 },
    /// more than [`LIMIT`] elements: two to this
    TooLarge { log_size: u16 },
    /// more dimensions than [`RANK`], or not as many as expected
    Rank { got: u8, expected: u8 },
    /// there is no such dimension
    Dim { dim: u8, shape: Shape },
    /// the shapes do not broadcast to each other, or one not to the other
    Broadcast { from: Shape, to: Shape },
    /// a dimension map that does not name each dimension once
    Permutation { shape: Shape },
    /// another number of operands
    Operands { op: Op, got: u8, expected: u8 },
    /// operand `at` should have another type
    Operand { op: Op, at: u8, got: TileType, expected: TileType },
    /// the operation does not exist for these elements
    Element { op: Op, got: ElementType },
    /// a reshape to another number of elements
    Size { from: Shape, to: Shape },
    /// tiles that do not go behind each other along this dimension
    Cat { first: TileType, second: TileType, dim: u8 },
    /// a part that does not divide the whole
    Part { part: Shape, whole: Shape },
    /// there is no part of this number along this dimension
    Index { dim: u8, index: i64, parts: u32 },
    /// values up to the number of elements do not fit the type
    Iota(TileType),
    /// bits that do not regroup
    Repack { from: TileType, to: ElementType, dim: u8 },
    /// bits of another width
    Bitcast { from: ElementType, to: ElementType },
    /// a mode of arithmetic that this operation does not have for these elements
    Mode { op: Op, element: ElementType },
    /// matrices that do not multiply
    Mma { a: TileType, b: TileType, c: TileType },
    /// scales that do not fit the matrices
    Scales { matrix: TileType, scale: TileType },
    /// a conversion that does not exist
    Conversion(ConversionError),
    /// a tile of another type
    Type { got: TileType, expected: TileType },
    /// a layout that cannot be: no tile has it
    Layout(LayoutError),
    /// values of another number than the shape has
    Values { got: usize, shape: Shape },
}

impl From<LayoutError> for TileError {
    fn from(e: LayoutError) -> TileError {
        TileError::Layout(e)
    }
}

impl From<ConversionError> for TileError {
    fn from(e: ConversionError) -> TileError {
        TileError::Conversion(e)
    }
}

impl fmt::Display for TileError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl core::error::Error for TileError {}

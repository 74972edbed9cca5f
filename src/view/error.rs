//! Why a chunk cannot be accessed.

use super::access::{AccessKind, AtomicOp, Order, Padding, Scope};
use crate::layout::LayoutError;
use crate::tile::{ElementType, TileError, TileType};
use core::fmt;

/// Why a span or a view cannot be, or an access to a chunk is refused. Nothing was read or written then.
///
/// What the specification leaves undefined is among them.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum ViewError {
    /// the span has another rank than the tile, the strides or the index
    Rank { got: u8, span: u8 },
    /// chunks that are no step apart
    Stride { dim: u8, stride: i64 },
    /// there is no such dimension to gather along
    Dim { dim: u8, rank: u8 },
    /// indices of this type
    IndexType(ElementType),
    /// an extent, or the offset of the last element, that the index type cannot hold
    TooLong { length: i64, index: ElementType },
    /// a layout that is no mapping of a span
    Layout(LayoutError),
    /// rows that are longer than the distance between them
    Pitch { padded: i64, length: i64 },
    /// an array whose elements do not fill their memory, each place once
    Gaps,
    /// elements before the beginning of the memory
    Backwards { least: i64 },
    /// elements beyond the end of the memory
    Memory { last: i64, len: usize },
    /// an index that the index type cannot hold
    Unrepresentable { dim: u8, index: i128, ty: ElementType },
    /// no element of the chunk is in the span
    Outside { dim: u8, index: i128, stride: i64, extent: i64 },
    /// an element of the chunk is not in the span, and the access is not masked
    Partial { dim: u8, index: i128, stride: i64, tile: u32, extent: i64 },
    /// row `at` of those to be gathered is not in the span, and the access is not masked
    Gather { dim: u8, at: u32, index: i128, extent: i64 },
    /// two rows of a store are one row of the span: they race
    Duplicate { dim: u8, index: i128, first: u32, second: u32 },
    /// two elements of the span, by their one-dimensional coordinates, are one in memory
    NotInjective { first: i64, second: i64, offset: i64 },
    /// it could not be decided whether two elements of the span are one in memory
    Undecided,
    /// elements without such a value
    Padding { padding: Padding, element: ElementType },
    /// an order and scope that this kind of access does not have
    Order { kind: AccessKind, strong: Option<(Order, Scope)> },
    /// an atomic operation that does not exist for these elements
    Atomic { op: AtomicOp, element: ElementType },
    /// the least integer is subtracted, whose negative does not exist
    Negation { element: ElementType },
    /// the hint is not in 1 to 10
    Latency(u8),
    /// another tile than the chunk's, or another tile as an index
    Tile { got: TileType, expected: TileType },
    /// elements of another type than the memory's
    Element { got: ElementType, expected: ElementType },
    /// an access of another kind than what is done
    Kind(AccessKind),
    /// a tile that cannot be
    Unmade(TileError),
}

impl From<LayoutError> for ViewError {
    fn from(e: LayoutError) -> ViewError {
        ViewError::Layout(e)
    }
}

impl From<TileError> for ViewError {
    fn from(e: TileError) -> ViewError {
        ViewError::Unmade(e)
    }
}

impl fmt::Display for ViewError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            ViewError::Rank { got, span } => write!(f, "rank {got} does not fit a span of rank {span}"),
            ViewError::Stride { dim, stride } => {
                write!(f, "dimension {dim}: chunks {stride} apart; the stride is at least 1")
            }
            ViewError::Dim { dim, rank } => write!(f, "there is no dimension {dim} in a span of rank {rank}"),
            ViewError::IndexType(ty) => write!(f, "{ty} is no type of indices: take an integer type"),
            ViewError::TooLong { length, index } => write!(f, "{length} is no {index}: index the span by a wider type"),
            ViewError::Layout(e) => write!(f, "no mapping of a span: {e}"),
            ViewError::Pitch { padded, length } => write!(f, "lines of {length} elements are no {padded} apart"),
            ViewError::Gaps => {
                f.write_str("the array leaves gaps in memory, or repeats elements by a stride of 0: take a span of the whole array, or copy it")
            }
            ViewError::Backwards { least } => {
                write!(f, "the layout reaches offset {least}: a span begins at the first element of its memory")
            }
            ViewError::Memory { last, len } => {
                write!(f, "the layout reaches offset {last}, the memory has {len} elements")
            }
            ViewError::Unrepresentable { dim, index, ty } => {
                write!(f, "dimension {dim}: index {index} is no {ty}, the index type of the span")
            }
            ViewError::Outside { dim, index, stride, extent } => write!(
                f,
                "dimension {dim}: chunk {index} begins at {index}*{stride}, the span has {extent} elements: \
                 there is no such chunk"
            ),
            ViewError::Partial { dim, index, stride, tile, extent } => write!(
                f,
                "dimension {dim}: chunk {index} has elements {index}*{stride}+(0..{tile}), the span has {extent}: \
                 use the masked form"
            ),
            ViewError::Gather { dim, at, index, extent } => {
                write!(f, "dimension {dim}: row {at} is number {index} of {extent}: use the masked form")
            }
            ViewError::Duplicate { dim, index, first, second } => {
                write!(f, "dimension {dim}: rows {first} and {second} are both stored to number {index}")
            }
            ViewError::NotInjective { first, second, offset } => {
                write!(
                    f,
                    "elements {first} and {second} of the span are both at offset {offset}: it can only be loaded from"
                )
            }
            ViewError::Undecided => write!(f, "could not decide whether two elements of the span are one in memory"),
            ViewError::Padding { padding, element } => {
                let what = match padding {
                    Padding::Zero => return write!(f, "{element} has no zero to pad with: load whole chunks"),
                    Padding::NegativeZero => "-0",
                    Padding::PositiveInfinity => "infinity",
                    Padding::NegativeInfinity => "-infinity",
                    Padding::Nan => "NaN",
                };
                write!(f, "{element} has no {what} to pad with: only floats f16, bf16, f32, f64 do")
            }
            ViewError::Order { kind, strong } => {
                match strong {
                    Some((order, scope)) => write!(f, "{order:?} in scope {scope:?}")?,
                    None => f.write_str("no order")?,
                }
                f.write_str(match kind {
                    AccessKind::Load => ": a load is relaxed or acquire",
                    AccessKind::Store => ": a store is relaxed or release",
                    AccessKind::Atomic(_) => ": an atomic operation is relaxed, in the scope of a device or a block",
                })
            }
            ViewError::Atomic { op: op @ (AtomicOp::Add | AtomicOp::Sub), element } => {
                write!(f, "no atomic {op:?} on {element}: it is for integers of 32 and 64 bits, f16, bf16, f32 and f64")
            }
            ViewError::Atomic { op, element } => {
                write!(f, "no atomic {op:?} on {element}: it is for integers of 32 and 64 bits")
            }
            ViewError::Negation { element } => {
                write!(f, "the least {element} is subtracted: its negative is no {element}")
            }
            ViewError::Latency(latency) => write!(f, "latency {latency}: it is 1 to 10"),
            ViewError::Tile { got, expected } => write!(f, "a tile {got} where {expected} is needed"),
            ViewError::Element { got, expected } => write!(f, "elements {got} where {expected} is needed"),
            ViewError::Kind(kind) => write!(f, "{kind:?} is another access"),
            ViewError::Unmade(ref e) => e.fmt(f),
        }
    }
}

impl core::error::Error for ViewError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            ViewError::Layout(e) => Some(e),
            ViewError::Unmade(e) => Some(e),
            _ => None,
        }
    }
}

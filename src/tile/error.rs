//! Why a tile operation is refused.

use super::element::{ConversionError, ElementType};
use super::op::{Map, Op};
use super::print;
use super::shape::{LIMIT, Shape, TileType};
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
    /// more dimensions than [`RANK`](super::RANK)
    Rank { got: usize, expected: usize },
    /// there is no such dimension
    Dim { dim: usize, shape: Shape },
    /// the shapes do not broadcast to each other, or one not to the other
    Broadcast { from: Shape, to: Shape },
    /// a dimension map that does not name each dimension once
    Permutation { shape: Shape, map: Map },
    /// another number of operands
    Operands { op: Op, got: usize, expected: usize },
    /// operand `at` should have another type
    Operand { op: Op, at: u8, got: TileType, expected: TileType },
    /// bits that the type does not have
    Bits { bits: u64, element: ElementType },
    /// the operation does not exist for these elements
    Element { op: Op, got: ElementType },
    /// a reshape to another number of elements
    Size { from: Shape, to: Shape },
    /// tiles that do not go behind each other along this dimension
    Cat { first: TileType, second: TileType, dim: u8 },
    /// a part that does not divide the whole
    Part { part: Shape, whole: Shape },
    /// there is no part of this number along this dimension
    Index { dim: u8, index: i128, parts: u32 },
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
    /// matrices that do not multiply with scales
    ScaledMma { a: TileType, b: TileType, c: TileType },
    /// scales that do not fit the matrices
    Scales { matrix: TileType, scale: TileType },
    /// scales of the two matrices that are not alike
    UnlikeScales { a: TileType, b: TileType },
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
        match *self {
            TileError::NotPowerOfTwo { dim, extent, rank } => {
                let extents: Vec<String> =
                    (0..rank).map(|d| if d == dim { extent.to_string() } else { "_".into() }).collect();
                let shape = extents.join(",");
                write!(f, "({shape}) is no shape of a tile: dimension {dim} is {extent}, which is no power of two")
            }
            TileError::TooLarge { log_size } => {
                write!(f, "a tile has at most {LIMIT} elements (2^{}), these are 2^{log_size}", LIMIT.ilog2())
            }
            TileError::Rank { got, expected } => write!(f, "a tile has at most {expected} dimensions, these are {got}"),
            TileError::Dim { dim, shape } => match shape.rank() {
                0 => write!(f, "a scalar has no dimension {dim}"),
                rank => write!(f, "{shape} has no dimension {dim}: they count from 0, the last is {}", rank - 1),
            },
            TileError::Broadcast { from, to } => write!(
                f,
                "{from} and {to} do not broadcast: aligned at the last one, dimensions are equal or one of them is 1"
            ),
            TileError::Permutation { shape, map } => write!(
                f,
                "{:?} is no permutation of {shape}: it names each of {} once, counted from 0",
                map.dims(),
                many(shape.rank(), "dimension")
            ),
            TileError::Operands { op, got, expected } => {
                write!(f, "{op} takes {}, not {got}", many(expected, "operand"))
            }
            TileError::Operand { op, at, got, expected } => {
                let what = match (got.element == expected.element, got.shape == expected.shape) {
                    (true, _) => "reshape or broadcast",
                    (_, true) => "cast",
                    _ => "cast, and reshape or broadcast",
                };
                write!(f, "operand {at} of {op} is {got} where it takes {expected}: {what} it")
            }
            TileError::Bits { bits, element } => {
                write!(f, "{bits:#x} is no {element}: it has {}", many(element.bits() as usize, "bit"))
            }
            TileError::Element { op, got } => no_element(f, op, got),
            TileError::Size { from, to } => {
                write!(f, "{from} has {} elements and {to} {}: a reshape keeps their number", from.size(), to.size())
            }
            TileError::Cat { first, second, dim } => write!(
                f,
                "{first} and {second} do not join along dimension {dim}: that takes the same elements and equal shapes (a sum \
                 of two lengths is a power of two only if they are equal)"
            ),
            TileError::Part { part, whole } => {
                write!(f, "{part} is no part of {whole}: each length divides the one there, in as many dimensions")
            }
            TileError::Index { dim, index, parts } => {
                write!(f, "there is no part {index} along dimension {dim}: there are {parts}, counted from 0")
            }
            TileError::Iota(ty) => write!(
                f,
                "iota of {ty} would count to {}, beyond the largest {}: take a wider integer",
                ty.shape.size() - 1,
                ty.element
            ),
            TileError::Repack { from, to, dim } => {
                let bits = from.shape.extent(dim.into()) * from.element.bits();
                let why = match bits {
                    _ if !bits.is_multiple_of(8) => ", which are no whole bytes".into(),
                    _ if !bits.is_multiple_of(to.bits()) => String::new(),
                    _ => format!(", and {} elements are no power of two", bits / to.bits()),
                };
                let each = many(to.bits() as usize, "bit");
                write!(f, "dimension {dim} of {from} has {bits} bits{why}: they do not become {to} of {each} each")
            }
            TileError::Bitcast { from, to } => {
                let (a, b) = (from.bitcast_bits(), to.bitcast_bits());
                write!(f, "{from} has {a} bits and {to} {b}, a bitcast keeps them: use repack, or cast")
            }
            TileError::Mode { op, element } => write!(
                f,
                "{} of {element} does not exist: sums, products, quotients and roots of floats are .rn, .rz, .rm or .rp; exp, \
                 exp2, tanh and rsqrt are .full; .ftz and .approx, and .full of quotients, are for f32",
                print::in_mode(op)
            ),
            TileError::Mma { a, b, c } => write!(
                f,
                "{a} times {b} plus {c} is no mma: the shapes are (M,K), (K,N) and (M,N), in batches (B,M,K), (B,K,N) and \
                 (B,M,N); i8 and u8 add to i32, f8e4m3, f8e5m2 and f16 to f16 or f32, bf16, tf32 and f32 to f32, f64 to f64"
            ),
            TileError::ScaledMma { a, b, c } => write!(
                f,
                "{a} times {b} plus {c} is no scaled mma: the shapes are (M,K), (K,N) and (M,N), in batches (B,M,K), (B,K,N) and \
                 (B,M,N); both factors are f8e4m3, f8e5m2 or f4e2m1, and the sum is f32"
            ),
            TileError::Scales { matrix, scale } => write!(
                f,
                "{scale} are no scales of {matrix}: one for every 32 elements along k (f8e8m0 for f8e4m3, f8e5m2 and f4e2m1, \
                 f8ue5m3 for f4e2m1) or every 16 (f8e8m0, f8e4m3 and f8ue5m3 for f4e2m1)"
            ),
            TileError::UnlikeScales { a, b } => {
                write!(f, "scales {a} and {b} are not alike: both matrices have scales of one type, as many along k")
            }
            TileError::Conversion(e) => e.fmt(f),
            TileError::Type { got, expected } => write!(f, "a tile of {got} is no tile of {expected}"),
            TileError::Layout(e) => e.fmt(f),
            TileError::Values { got, shape } => {
                write!(f, "{got} values are not the {} elements of {shape}", shape.size())
            }
        }
    }
}

/// An operation that these elements do not have, and what has it.
fn no_element(f: &mut fmt::Formatter, op: Op, got: ElementType) -> fmt::Result {
    let takes = |e: ElementType| match op {
        Op::Unary(f) => f.takes(e),
        Op::Binary(f) => f.takes(e),
        Op::Reduce(fold, _) | Op::Scan(fold, ..) => fold.takes(e),
        Op::Fma(_) | Op::Powi => e.is_basic_float(),
        _ => e.is_arithmetic(),
    };
    let instead = match (op, takes(ElementType::I32), takes(ElementType::F32)) {
        (Op::Iota(_), ..) => return write!(f, "iota counts in integers, not in {got}: cast its result"),
        (Op::Extract(_) | Op::Insert, ..) => return write!(f, "an index of {op} is an integer, not {got}: cast it"),
        (_, true, true) if !got.is_float() => "a number",
        (_, true, false) => "an integer",
        _ => "f16, bf16, f32 or f64",
    };
    write!(f, "{op} does not exist for {got}: cast to {instead} first")
}

/// So many of something.
fn many(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

impl core::error::Error for TileError {}

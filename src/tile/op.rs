//! The operations on tiles as data.

use super::element::{Conversion, ElementType, Rounding};
use super::shape::{RANK, Shape, TileType};

/// Every operation from tiles to a tile: what an eager tile evaluates at once and a tile program records.
///
/// An operation is data: [`Op::result`] is its typing rule, [`Op::eval`] its meaning on the host. Operands have the types that
/// the operation needs exactly: conversions and broadcasts that the typed layer inserts are operations themselves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Op {
    /// equal elements, given by their bits: `full`, `ones`, `zeros`, and scalars
    Full(TileType, u64),
    /// 0, 1, 2, ... in row-major order
    Iota(TileType),
    /// an elementwise function of one tile
    Unary(Unary),
    /// an elementwise function of two tiles of one type
    Binary(Binary),
    /// the first tile to the power of the second, an `i32` each
    Powi,
    /// `a * b + c`, rounded once
    Fma(Mode),
    /// a comparison of two tiles of one type, elementwise: `bool`
    Compare(Compare),
    /// of a `bool` tile and two of one type: elements of the first where true, else of the second
    Select,
    /// elements converted to another type
    Cast(Conversion),
    /// elements with the same bits in another type as wide
    Bitcast(ElementType),
    /// the elements in row-major order in another shape
    Reshape(Shape),
    /// dimension `i` is the dimension of that number
    Permute(Map),
    /// repeated along dimensions of length 1, and along new ones in front
    Broadcast(Shape),
    /// the second tile behind the first along a dimension
    Cat(u8),
    /// a part of this shape; more operands: its coordinate among the parts, one scalar a dimension
    Extract(Shape),
    /// the first tile with one part replaced by the second; more operands: the part's coordinate
    Insert,
    /// the bits along a dimension as elements of another type
    Repack(ElementType, u8),
    /// a dimension folded to length 1
    Reduce(Fold, u8),
    /// the index of the least or greatest element along a dimension, of equal ones the first: `u32`
    Arg(Extreme, u8),
    /// running folds along a dimension, each element's own included
    Scan(Fold, u8, Direction),
    /// `a b + c` of matrices, or of a batch of them
    Mma,
    /// [`Op::Mma`] with scales for each run of elements along k: operands a, b, c, the scales of a and of b
    ScaledMma,
}

/// An elementwise function of one tile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Unary {
    /// of integers modulo 2^n, unsigned ones too
    Neg,
    Abs,
    /// all bits inverted; of a `bool` the other one
    Not,
    IsNan,
    IsInf,
    /// rounded, of `f32` also approximate
    Sqrt(Mode),
    /// [`Mode::FULL`], of `f32` also flushing
    Rsqrt(Mode),
    /// [`Mode::FULL`], of `f32` also approximate or flushing
    Exp(Mode),
    /// [`Mode::FULL`], of `f32` also flushing
    Exp2(Mode),
    Log,
    Log2,
    Sin,
    Cos,
    /// [`Mode::FULL`], of `f32` also approximate or flushing
    Tanh(Mode),
    Floor,
    Ceil,
}

/// An elementwise function of two tiles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Binary {
    Add(Mode),
    Sub(Mode),
    Mul(Mode),
    Div(Mode),
    Rem,
    Min(Extremum),
    Max(Extremum),
    Pow,
    And,
    Or,
    Xor,
    Shl,
    Shr,
}

/// A comparison; of floats as IEEE 754 has it: with a NaN only `Ne` holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// How exact a floating-point function is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Precision {
    /// the exact result, rounded
    Rounded(Rounding),
    /// within a few units of the last place: what a good library function gives
    Full,
    /// as the hardware's fast instruction (`.approx`), `f32` only
    Approximate,
}

impl Default for Precision {
    fn default() -> Precision {
        Precision::Rounded(Rounding::TiesToEven)
    }
}

/// How a floating-point result is rounded, and what becomes of subnormals. Sums, products, quotients, roots and `fma` round: their
/// usual mode is the default, ties to even. `exp`, `exp2`, `tanh` and `rsqrt` do not round exactly: theirs is [`Mode::FULL`].
/// ```
/// use girih::tile::{AnyTile, Binary, Mode, Op, Unary};
/// let zero = AnyTile::scalar(0.0f32);
/// assert_eq!(Op::Unary(Unary::Exp(Mode::FULL)).eval(&[&zero])?.to_vec(), Some(vec![1.0f32]));
/// assert_eq!(Op::Binary(Binary::Add(Mode::default())).eval(&[&zero, &zero])?.to_vec(), Some(vec![0.0f32]));
/// # Ok::<(), girih::tile::TileError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Mode {
    /// how exact it is
    pub precision: Precision,
    /// subnormal operands and results are zeros of their sign (`.ftz`, `f32` only)
    pub flush: bool,
}

impl Mode {
    /// Within a few units of the last place, with subnormals.
    pub const FULL: Mode = Mode { precision: Precision::Full, flush: false };
    /// As the hardware's fast instruction, with subnormals.
    pub const APPROXIMATE: Mode = Mode { precision: Precision::Approximate, flush: false };
}

/// What `min` and `max` make of a NaN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Nan {
    /// the other operand; NaN only of two NaNs (IEEE 754-2019 `maximumNumber`)
    #[default]
    Suppress,
    /// NaN (`maximum`)
    Propagate,
}

/// What `min` and `max` make of NaNs and of subnormals.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Extremum {
    /// what they make of a NaN
    pub nan: Nan,
    /// subnormal operands are zeros of their sign (`.ftz`, `f32` only)
    pub flush: bool,
}

impl Extremum {
    /// A number rather than a NaN, subnormals as they are: the default.
    pub const SUPPRESS: Extremum = Extremum { nan: Nan::Suppress, flush: false };
    /// A NaN rather than a number, subnormals as they are.
    pub const PROPAGATE: Extremum = Extremum { nan: Nan::Propagate, flush: false };
}

/// How many elements become one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Fold {
    Sum(Mode),
    Prod(Mode),
    Min(Nan),
    Max(Nan),
    /// of `bool`: all of them
    And,
    /// of `bool`: any of them
    Or,
    Xor,
}

/// Which element [`Op::Arg`] looks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Extreme {
    Min,
    Max,
}

/// Which end a scan begins at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[allow(missing_docs)]
pub enum Direction {
    #[default]
    Forward,
    Backward,
}

/// Which dimension goes where: dimension `i` of the result is dimension `map[i]` of the operand (`dimension_map` of cuda::tiles).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Map {
    rank: u8,
    /// one more than a shape has: a map that is cut off fits none
    dims: [u8; RANK + 1],
}

impl Map {
    /// A map of these dimensions. Of more than [`RANK`], one more is kept: such a map permutes no shape.
    pub const fn new(dims: &[u8]) -> Map {
        let mut map = Map { rank: 0, dims: [0; RANK + 1] };
        while (map.rank as usize) < dims.len() && (map.rank as usize) <= RANK {
            map.dims[map.rank as usize] = dims[map.rank as usize];
            map.rank += 1;
        }
        map
    }

    /// The dimensions, in order.
    pub const fn dims(&self) -> &[u8] {
        self.dims.split_at(self.rank as usize).0
    }
}

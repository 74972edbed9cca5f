//! Why an operation has no result: the reason, and the reason with its operands.

use super::text::Text;
use super::{Composed, IntTuple, Layout, Name, Swizzle, Tiler};
use core::fmt;

/// The reason, in plain numbers: at most 64 bytes. [`Error`] adds the operands.
/// ```
/// # use girih::prelude::*;
/// let e = layout!((8,64):(64,1)).at(512).unwrap_err();
/// assert_eq!(e, LayoutError::OutOfRange { index: 512, extent: 512 });
/// assert_eq!(e.to_string(), "coordinate 512 is not in 0..512");
/// let e = layout!((6,2):(8,2)).compose(&layout!(24:1)).unwrap_err(); // an Error: this, and the operands
/// assert_eq!(e.reason, LayoutError::OutOfDomain { reach: 23, size: 12 });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LayoutError {
    /// More than 24 leaf modes.
    TooManyModes,
    /// Leaves and parentheses are more than the nesting holds (64 together).
    TooDeep,
    /// More than 8 symbols, or more than 10 different factors of them, in one layout.
    TooManySymbols,
    /// A product of more than four symbols (or basis steps).
    TooManyFactors,
    /// A name is empty, longer than 8 characters or not of `[A-Za-z0-9_]`.
    BadName {
        /// length of the refused name
        len: usize,
    },
    /// A tuple without a mode.
    Empty,
    /// Two tuples that must have the same nesting, or one that must refine the other, do not.
    Incongruent {
        /// the first leaf where they differ
        leaf: usize,
    },
    /// An extent below 1; or a width, factor or divisor below 1 (then the leaf is 0).
    BadExtent {
        /// its leaf
        leaf: usize,
        /// the extent
        extent: i64,
    },
    /// A size, an offset or a coefficient leaves 64 bits (40 bits for a symbol's coefficient).
    Overflow,
    /// Integer and basis strides, or basis vectors of which one is a part of another, in one layout.
    MixedBasis,
    /// The result is a function with a stride that is a sum (`?lda+4`, `1@0+1@1`): no leaf holds it.
    SumStride,
    /// The values are coordinates where integers are needed, or the reverse.
    Codomain,
    /// `_` where a number is needed.
    Underscore,
    /// Two modes share a place in the order of `make_ordered_layout`.
    OrderTie {
        /// the shared order value
        order: i64,
    },
    /// There is no such mode.
    NoSuchMode {
        /// the mode asked for
        mode: usize,
        /// how many there are
        rank: usize,
    },
    /// A tiler or a coordinate has more modes than the layout.
    RankTooHigh {
        /// its rank
        rank: usize,
        /// the rank of the layout
        of: usize,
    },
    /// Two ranks that must be equal are not.
    RankMismatch {
        /// one
        rank: usize,
        /// the other
        other: usize,
    },
    /// A coordinate outside the domain.
    OutOfRange {
        /// the index, in the extent below
        index: i64,
        /// the extent (of the whole domain for a one-dimensional coordinate)
        extent: i64,
    },
    /// No coordinate has this value.
    NotAValue {
        /// the value
        value: i64,
    },
    /// The right side leaves the domain of the left side.
    OutOfDomain {
        /// the largest value of the right side
        reach: i64,
        /// the size of the left side
        size: i64,
    },
    /// The right side has negative values.
    NegativeStride {
        /// its leaf
        leaf: usize,
        /// the stride
        stride: i64,
    },
    /// No layout compatible with the right side has the values of the composition.
    NoLayout {
        /// The least witness: no compatible layout agrees with the composition on `0..=index`.
        index: i64,
        /// the composition there
        got: i64,
        /// what every compatible layout that agrees on `0..index` gives there
        forced: i128,
    },
    /// The exact search ended its budget: the question is neither answered yes nor no.
    TooHard {
        /// inner steps taken
        steps: u64,
    },
    /// A stride lies inside the span of the modes below it.
    Interleaved {
        /// the stride
        stride: i64,
        /// the span (or a multiple of it that is needed)
        span: i64,
    },
    /// The sorted strides are no chain of multiples, and no other radix was found that reads the values without carries.
    /// There may be a left inverse all the same.
    NoChain {
        /// the first stride off the chain
        stride: i64,
        /// the stride below it
        below: i64,
        /// and the span of that, extent times stride
        span: i64,
    },
    /// No mode of stride 1 (or of extent 1) can hold the parts of an element.
    NoUnitStride,
    /// Two coordinates have the same value.
    NotInjective {
        /// the lesser coordinate
        first: i64,
        /// the greater one
        second: i64,
    },
    /// Not divisible.
    NotDivisible {
        /// the extent or stride
        extent: i64,
        /// by this
        by: i64,
    },
    /// It depends on the values of the symbols.
    Undecided,
    /// A symbol that has no value yet. Without a name: the values are coordinates where integers are needed.
    Unbound {
        /// its name, or none
        name: Name,
    },
    /// A promise to be a multiple of a number below 1.
    BadPromise {
        /// the symbol
        name: Name,
        /// the multiple
        multiple: i64,
    },
    /// A value that breaks the symbol's promise to be a multiple, or to be at least 1.
    BrokenPromise {
        /// the symbol
        name: Name,
        /// its value
        value: i64,
        /// what it must be a multiple of
        multiple: i64,
    },
    /// A swizzle with negative bits, a shift shorter than its bits, or beyond 62 bits.
    BadSwizzle {
        /// B
        bits: i64,
        /// M
        base: i64,
        /// S
        shift: i64,
    },
    /// The operation has no exact result for a swizzle here.
    Swizzled {
        /// why, in a phrase
        why: &'static str,
    },
    /// The text is not what was expected.
    Text {
        /// byte where reading stopped
        at: usize,
        /// what could stand there
        expected: &'static str,
    },
    /// The memory is shorter than the image of the layout.
    Storage {
        /// least offset
        min: i64,
        /// largest offset
        max: i64,
        /// elements of the memory
        len: usize,
    },
    /// More cells than a picture or table shows.
    TooLarge {
        /// how many
        cells: i64,
        /// how many can be
        most: i64,
    },
    /// Two sizes that must be equal are not.
    SizeMismatch {
        /// one
        left: i64,
        /// the other
        right: i64,
    },
    /// An extent that is no power of two has no bits.
    NotPowerOfTwo {
        /// its leaf, or axis
        leaf: usize,
        /// the extent
        extent: i64,
    },
    /// The sum of what the bits of a coordinate add is not the XOR of what they switch: no layout is linear, no linear layout is
    /// a layout here.
    Carries {
        /// the least such coordinate
        index: i64,
        /// the sum there
        sum: i64,
        /// the XOR there
        xor: i64,
    },
    /// A linear layout is no product with this factor.
    NoFactor {
        /// the bit whose basis it is; none for the offset
        bit: Option<usize>,
        /// its basis
        got: i64,
        /// what it is in a product
        expected: i64,
    },
    /// There is no axis of this name.
    NoSuchAxis {
        /// the name
        name: Name,
    },
    /// Two axes have the same name.
    DuplicateAxis {
        /// the name
        name: Name,
    },
}

const _: () = assert!(size_of::<LayoutError>() <= 64);

impl Text {
    /// The reason as a sentence.
    pub(crate) const fn reason(&mut self, e: &LayoutError) -> &mut Text {
        use LayoutError::*;
        match *e {
            TooManyModes => self.str("more than 24 leaf modes"),
            TooDeep => self.str("leaves and parentheses are more than 64 together"),
            TooManySymbols => self.str("more than 8 symbols, or more than 10 factors of them"),
            TooManyFactors => self.str("a leaf holds four symbols and basis steps together, this one has more"),
            BadName { len } => {
                self.str("a name has 1 to 8 characters of [A-Za-z0-9_]; this one, of ").count(len).str(", does not")
            }
            Empty => self.str("a tuple needs at least one mode"),
            Incongruent { leaf } => self.str("the nestings do not fit: they differ at leaf ").count(leaf),
            BadExtent { leaf, extent } => {
                self.str("extent ").int(extent).str(" at leaf ").count(leaf).str(": extents are at least 1")
            }
            Overflow => {
                self.str("a size, an offset or a coefficient leaves its 64 bits (40 for a symbol's coefficient)")
            }
            MixedBasis => self.str("integer strides and basis strides, or nested basis vectors, cannot be added"),
            SumStride => self.str("a stride would be a sum of symbols or of basis vectors, which no leaf holds"),
            Codomain => self.str("the values of one side are coordinates, of the other integers"),
            Underscore => self.str("_ stands where a number is needed"),
            OrderTie { order } => self.str("two modes have order ").int(order).str(": they would overlap"),
            NoSuchMode { mode, rank } => self.str("there is no mode ").count(mode).str(": there are ").count(rank),
            RankTooHigh { rank, of } => self.str("rank ").count(rank).str(" is higher than the layout's ").count(of),
            RankMismatch { rank, other } => {
                self.str("the ranks are ").count(rank).str(" and ").count(other).str(", they must be equal")
            }
            OutOfRange { index, extent } => self.str("coordinate ").int(index).str(" is not in 0..").int(extent),
            NotAValue { value } => self.str("no coordinate has the value ").int(value),
            OutOfDomain { reach, size } => self
                .str("the right side reaches ")
                .int(reach)
                .str(", the domain of the left side ends at ")
                .wide(size as i128 - 1)
                .str("; the _extended form continues its last mode"),
            NegativeStride { leaf, stride } => self
                .str("stride ")
                .int(stride)
                .str(" at leaf ")
                .count(leaf)
                .str(" of the right side leaves the domain of the left side below 0"),
            NoLayout { .. } => self.str("no layout compatible with the right side has these values").witness(e),
            TooHard { steps } => self
                .str("not decided within ")
                .wide(steps as i128)
                .str(" steps (a hard subset-sum); a _within form takes a larger budget"),
            Interleaved { stride, span } => self
                .str("stride ")
                .int(stride)
                .str(" does not continue the span ")
                .int(span)
                .str(" of the modes below it"),
            NoChain { stride, below, span } => self
                .str("no chain left inverse: stride ")
                .int(stride)
                .str(" above one of ")
                .int(below)
                .str(" must be a multiple of it, and at least its span ")
                .int(span)
                .str("; and no other radix was found that reads the values without carries"),
            NoUnitStride => self.str("no mode of stride 1 holds the parts of an element next to each other"),
            NotInjective { first, second } => {
                self.str("coordinates ").int(first).str(" and ").int(second).str(" have the same value")
            }
            NotDivisible { extent, by } => self.int(by).str(" does not divide ").int(extent),
            Undecided => self.str("it depends on the values of the symbols: promise divisibility (?M{8}) or bind them"),
            Unbound { name } if name.0 == 0 => self.str("the values are coordinates, not integers"),
            Unbound { name } => self.str("?").name(name).str(" has no value: bind it"),
            BadPromise { name, multiple } => self.str("?").name(name).str(" cannot be a multiple of ").int(multiple),
            BrokenPromise { name, value, multiple: 1 } => {
                self.str("?").name(name).str(" = ").int(value).str(": a symbol is at least 1")
            }
            BrokenPromise { name, value, multiple } => self
                .str("?")
                .name(name)
                .str(" = ")
                .int(value)
                .str(": a symbol is at least 1 and this one a multiple of ")
                .int(multiple),
            BadSwizzle { bits, base, shift } => self
                .str("S<")
                .int(bits)
                .str(",")
                .int(base)
                .str(",")
                .int(shift)
                .str("> is no swizzle: bits and base at least 0, |shift| at least bits, all bits below 62"),
            Swizzled { why } => self.str(why),
            Text { at, expected } => self.str("at byte ").count(at).str(": expected ").str(expected),
            Storage { min, max, len } => self
                .str("the layout reaches offsets ")
                .int(min)
                .str("..=")
                .int(max)
                .str(", the memory has ")
                .count(len)
                .str(" elements"),
            TooLarge { cells, most } => self.int(cells).str(" cells are too many to draw: at most ").int(most),
            SizeMismatch { left, right } => {
                self.str("the sizes are ").int(left).str(" and ").int(right).str(", they must be equal")
            }
            NotPowerOfTwo { leaf, extent } => {
                self.str("extent ").int(extent).str(" at leaf ").count(leaf).str(" is no power of two")
            }
            Carries { index, sum, xor } => self
                .str("the bits do not add without carries: at ")
                .int(index)
                .str(" their sum is ")
                .int(sum)
                .str(", their XOR ")
                .int(xor),
            NoFactor { bit, got, expected } => {
                self.str("no factor: the ");
                match bit {
                    Some(i) => self.str("basis of bit ").count(i),
                    None => self.str("offset"),
                };
                self.str(" is ").int(got).str(", in a product it is ").int(expected)
            }
            NoSuchAxis { name } => self.str("there is no axis ").name(name),
            DuplicateAxis { name } => self.str("two axes are called ").name(name),
        }
    }

    const fn witness(&mut self, e: &LayoutError) -> &mut Text {
        if let LayoutError::NoLayout { index, got, forced } = *e {
            self.str(": at ").int(index).str(" it is ").int(got);
            self.str(", every one that agrees before gives ").wide(forced);
        }
        self
    }

    const fn operand(&mut self, o: &Operand) -> &mut Text {
        match o {
            Operand::None => self,
            Operand::Int(n) => self.int(*n),
            Operand::Layout(l) => self.layout(l),
            Operand::Tuple(t) => self.tuple(t),
            Operand::Tiler(t) => self.tiler(t),
            Operand::Swizzle(s) => self.swizzle(s),
            Operand::Composed(c) => self.composed(c),
        }
    }

    /// The operation with its operands, and the reason.
    pub(crate) const fn error(&mut self, e: &Error) -> &mut Text {
        if let (LayoutError::NoLayout { .. }, Operand::Layout(b)) = (&e.reason, &e.right) {
            self.operation(e).str("no layout compatible with ").tuple(&b.shape());
            return self.str(" has these values").witness(&e.reason);
        }
        self.operation(e).reason(&e.reason);
        if matches!(e.reason, LayoutError::NotDivisible { .. }) && e.has_ceil_form() {
            self.str("; the _ceil form rounds up and returns the guard");
        }
        self
    }

    const fn operation(&mut self, e: &Error) -> &mut Text {
        match (e.op.as_bytes(), &e.right) {
            (b"", _) => self,
            (b"compose", right) => self.operand(&e.left).str(" o ").operand(right).str(": "),
            (_, Operand::None) => self.str(e.op).str("(").operand(&e.left).str("): "),
            (_, right) => self.str(e.op).str("(").operand(&e.left).str(", ").operand(right).str("): "),
        }
    }
}

impl core::error::Error for LayoutError {}

impl LayoutError {
    /// One word for programs (the command line's `kind`).
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((8,64):(64,1)).at(512).unwrap_err().kind(), "domain");
    /// ```
    pub const fn kind(&self) -> &'static str {
        use LayoutError::*;
        match self {
            TooManyModes | TooDeep | TooManySymbols | TooManyFactors => "capacity",
            BadName { .. } | Text { .. } => "text",
            Empty | Incongruent { .. } | RankTooHigh { .. } | RankMismatch { .. } | NoSuchMode { .. } => "rank",
            BadExtent { .. } => "extent",
            Overflow => "overflow",
            MixedBasis | SumStride | Codomain => "codomain",
            Underscore => "underscore",
            OrderTie { .. } => "order",
            OutOfRange { .. } | NotAValue { .. } | OutOfDomain { .. } | NegativeStride { .. } => "domain",
            NoLayout { .. } => "no_layout",
            TooHard { .. } => "too_hard",
            Interleaved { .. } => "interleaved",
            NoChain { .. } => "no_chain",
            NoUnitStride => "no_unit_stride",
            NotInjective { .. } => "not_injective",
            NotDivisible { .. } => "not_divisible",
            Undecided => "undecided",
            Unbound { .. } | BadPromise { .. } | BrokenPromise { .. } => "symbol",
            BadSwizzle { .. } | Swizzled { .. } => "swizzle",
            Storage { .. } => "storage",
            TooLarge { .. } => "capacity",
            SizeMismatch { .. } => "size",
            NotPowerOfTwo { .. } => "extent",
            Carries { .. } | NoFactor { .. } => "linear",
            NoSuchAxis { .. } | DuplicateAxis { .. } => "axis",
        }
    }
}

/// An operation that has no result: its name, its operands in CuTe notation, and the [`reason`](Error::reason).
/// Attached once, by the public operation. (About a kilobyte, without a heap, so that it exists at compile time; use
/// `Box<Error>` in your own signatures, `?` converts.)
///
/// ```
/// use girih::prelude::*;
/// let e = layout!((4,6,8):(2,3,5)).compose(&layout!(6:3)).unwrap_err();
/// assert_eq!(
///     e.to_string(),
///     "(4,6,8):(2,3,5) o 6:3: no layout compatible with 6 has these values: \
///      at 3 it is 8, every one that agrees before gives 13"
/// );
/// ```
#[derive(Clone, Copy)]
pub struct Error {
    /// the operation, in this crate's spelling
    pub op: &'static str,
    /// why
    pub reason: LayoutError,
    pub(crate) left: Operand,
    pub(crate) right: Operand,
}

/// What an operation was applied to.
#[derive(Clone, Copy)]
pub(crate) enum Operand {
    None,
    Int(i64),
    Layout(Layout),
    Tuple(IntTuple),
    Tiler(Tiler),
    Swizzle(Swizzle),
    Composed(Composed),
}

impl Error {
    /// Without operands: the reason says it all.
    pub(crate) const fn bare(reason: LayoutError) -> Error {
        Error { op: "", reason, left: Operand::None, right: Operand::None }
    }
    /// A construction from one tuple.
    #[cold]
    pub(crate) const fn of_tuple(op: &'static str, a: &IntTuple, reason: LayoutError) -> Error {
        Error { op, reason, left: Operand::Tuple(*a), right: Operand::None }
    }
    /// A construction from two tuples.
    #[cold]
    pub(crate) const fn of_tuples(op: &'static str, a: &IntTuple, b: &IntTuple, reason: LayoutError) -> Error {
        Error { op, reason, left: Operand::Tuple(*a), right: Operand::Tuple(*b) }
    }
    /// The operation on one layout.
    #[cold]
    pub(crate) const fn unary(op: &'static str, a: &Layout, reason: LayoutError) -> Error {
        Error { op, reason, left: Operand::Layout(*a), right: Operand::None }
    }
    #[cold]
    pub(crate) const fn with_int(op: &'static str, a: &Layout, n: i64, reason: LayoutError) -> Error {
        Error { op, reason, left: Operand::Layout(*a), right: Operand::Int(n) }
    }
    #[cold]
    pub(crate) const fn binary(op: &'static str, a: &Layout, b: &Layout, reason: LayoutError) -> Error {
        Error { op, reason, left: Operand::Layout(*a), right: Operand::Layout(*b) }
    }
    #[cold]
    pub(crate) const fn with_tuple(op: &'static str, a: &Layout, b: &IntTuple, reason: LayoutError) -> Error {
        Error { op, reason, left: Operand::Layout(*a), right: Operand::Tuple(*b) }
    }
    #[cold]
    pub(crate) const fn tuple_with_int(op: &'static str, a: &IntTuple, n: i64, reason: LayoutError) -> Error {
        Error { op, reason, left: Operand::Tuple(*a), right: Operand::Int(n) }
    }
    #[cold]
    pub(crate) const fn with_tiler(op: &'static str, a: &Layout, b: &Tiler, reason: LayoutError) -> Error {
        Error { op, reason, left: Operand::Layout(*a), right: Operand::Tiler(*b) }
    }

    #[cold]
    pub(crate) const fn with_operand(op: &'static str, a: &Layout, right: Operand, reason: LayoutError) -> Error {
        Error { op, reason, left: Operand::Layout(*a), right }
    }
    /// The operation on a swizzled layout.
    #[cold]
    pub(crate) const fn swizzled(op: &'static str, a: &Composed, right: Operand, reason: LayoutError) -> Error {
        Error { op, reason, left: Operand::Composed(*a), right }
    }

    /// Is there a form of the operation that rounds up?
    const fn has_ceil_form(&self) -> bool {
        matches!(
            self.op.as_bytes(),
            b"logical_divide"
                | b"zipped_divide"
                | b"tiled_divide"
                | b"flat_divide"
                | b"tile_to_shape"
                | b"inner_partition"
                | b"outer_partition"
                | b"local_tile"
                | b"local_partition"
                | b"thrfrg_a"
                | b"thrfrg_b"
                | b"thrfrg_c"
                | b"partition_a"
                | b"partition_b"
                | b"partition_c"
                | b"tidfrg_s"
                | b"tidfrg_d"
                | b"partition_s"
                | b"partition_d"
        )
    }

    /// One word for programs: that of the [reason](LayoutError::kind).
    /// ```
    /// # use girih::prelude::*;
    /// let e = layout!((4,6,8):(2,3,5)).compose(&layout!(6:3)).unwrap_err();
    /// assert_eq!((e.op, e.kind()), ("compose", "no_layout"));
    /// ```
    pub const fn kind(&self) -> &'static str {
        self.reason.kind()
    }
}

impl From<LayoutError> for Error {
    fn from(reason: LayoutError) -> Error {
        Error::bare(reason)
    }
}
impl From<LayoutError> for Box<Error> {
    fn from(reason: LayoutError) -> Box<Error> {
        Box::new(reason.into())
    }
}
/// Equal reasons of the same operation.
impl PartialEq for Error {
    fn eq(&self, o: &Error) -> bool {
        self.op == o.op && self.reason == o.reason
    }
}
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(Text::new().error(self).as_str())
    }
}
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
impl core::error::Error for Error {}

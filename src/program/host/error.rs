//! Why a program cannot be run on the host.

use crate::layout::{IntTuple, Layout, LayoutError, Name};
use crate::program::ir::Parameter;
use crate::program::{Condition, Line};
use crate::tile::{ElementType, TileError, TileType};
use crate::view::{Access, AccessKind, Scope, ViewError};
use core::fmt;

/// Why a program was not run, or stopped. Memory is as it was before the run.
///
/// Of several errors it is that of the first block, whatever the number of threads.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum RunError {
    /// an argument for no parameter
    NoParameter { name: String },
    /// a parameter without an argument, or with two
    Arguments { name: String, given: usize },
    /// a scalar for a span, or a span for a scalar
    Shape { name: String, line: Line, scalar: bool },
    /// elements of another type
    Element { name: String, line: Line, got: ElementType, expected: ElementType },
    /// memory that is only borrowed for an output
    ReadOnly { name: String, line: Line },
    /// extents that are not those of the parameter
    Extents(Box<WrongExtents>),
    /// a tensor whose layout is not the parameter's
    Tensor { name: String, line: Line, got: Box<Layout>, expected: Box<Layout> },
    /// memory that is too short, or a layout that cannot be
    Memory { name: String, line: Line, error: Box<ViewError> },
    /// a value for no symbol
    NoSymbol { name: String },
    /// a symbol without a value
    Unbound { symbol: Name, line: Line },
    /// a symbol that is given two values
    BoundTwice { symbol: Name, line: Line, first: i64, second: i64 },
    /// a symbol that is below 1, or no multiple of what it is declared to be one of
    Symbol { symbol: Name, line: Line, value: i64, multiple: u32, told: Option<String> },
    /// a length of memory that no value of a symbol gives: elements are a multiple of `of` in number
    Length { name: String, line: Line, len: usize, of: i64 },
    /// memory of another length than the extents that a length told
    Lengths { name: String, line: Line, len: usize, size: i64 },
    /// a value that a symbol cannot have, or numbers that are too large
    Layout { line: Line, error: Box<LayoutError> },
    /// a condition that does not hold
    Requirement { condition: Box<Condition>, line: Line, left: i64, right: i64 },
    /// a grid with a negative extent, or more blocks than 2^31-1 along a dimension, or 2^40 in all
    Grid { line: Line, grid: Vec<i64> },
    /// an access that no chunk of the memory admits
    Access { line: Line, error: Box<ViewError> },
    /// an error of a statement in a block; the block's coordinate is empty where the program has no grid
    Block { block: Vec<i64>, line: Line, error: Box<Stop> },
    /// two blocks access an element, and which comes first is not determined
    Race(Box<Race>),
}

/// Extents that are passed for those of a parameter, and are others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongExtents {
    /// the parameter
    pub name: String,
    /// its line in the program's text
    pub line: Line,
    /// what is passed
    pub got: Vec<usize>,
    /// the parameter's, with symbols; none of a scalar
    pub expected: Option<IntTuple>,
}

impl WrongExtents {
    pub(super) fn new(parameter: &Parameter, got: &[usize], expected: Option<IntTuple>) -> WrongExtents {
        WrongExtents { name: parameter.name.clone(), line: parameter.line, got: got.to_vec(), expected }
    }
}

impl From<WrongExtents> for RunError {
    fn from(e: WrongExtents) -> RunError {
        RunError::Extents(Box::new(e))
    }
}

impl fmt::Display for WrongExtents {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let WrongExtents { name, line, got, expected } = self;
        match expected {
            Some(expected) => write!(f, "{line}: `{name}` is {expected}, ({}) is passed", numbers(got)),
            None => write!(f, "{line}: `{name}` is a scalar, it is passed with extents ({})", numbers(got)),
        }
    }
}

/// What stopped a block.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Stop {
    /// a tile operation has no result
    Tile(TileError),
    /// a chunk cannot be accessed
    View(ViewError),
    /// a loop that does not advance
    Step(i128),
    /// a number that a type does not have
    Number { value: i128, ty: TileType },
}

impl From<TileError> for Stop {
    fn from(e: TileError) -> Stop {
        Stop::Tile(e)
    }
}

impl From<ViewError> for Stop {
    fn from(e: ViewError) -> Stop {
        Stop::View(e)
    }
}

/// Two accesses of different blocks to one element, at least one of them a write, and not both strong.
#[derive(Clone, PartialEq, Debug)]
pub struct Race {
    /// the parameter
    pub name: String,
    /// the element's coordinate in the span
    pub element: IntTuple,
    /// the access of the block that comes first in the grid's order
    pub first: Party,
    /// the other one
    pub second: Party,
}

/// One side of a [`Race`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Party {
    /// the block's coordinate in the grid
    pub block: Vec<i64>,
    /// the access
    pub line: Line,
    /// what it does
    pub does: Touch,
}

/// What an access does to an element.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Touch {
    /// a weak store
    Store,
    /// a strong store or an atomic operation, in the scope of the block
    BlockStore,
    /// a strong store or an atomic operation, in a scope that holds other blocks
    StrongStore,
    /// a weak load
    Load,
    /// a strong load in the scope of the block
    BlockLoad,
    /// a strong load in a scope that holds other blocks
    StrongLoad,
}

impl Touch {
    /// All of them.
    pub(super) const ALL: [Touch; 6] =
        [Touch::Store, Touch::BlockStore, Touch::StrongStore, Touch::Load, Touch::BlockLoad, Touch::StrongLoad];

    /// What such an access does.
    pub(super) fn of(access: &Access) -> Touch {
        match (access.kind, access.strong) {
            (AccessKind::Load, None) => Touch::Load,
            (AccessKind::Load, Some((_, Scope::Block))) => Touch::BlockLoad,
            (AccessKind::Load, Some((_, Scope::Device | Scope::System))) => Touch::StrongLoad,
            (_, None) => Touch::Store,
            (_, Some((_, Scope::Block))) => Touch::BlockStore,
            (_, Some((_, Scope::Device | Scope::System))) => Touch::StrongStore,
        }
    }

    /// Must two blocks not do this and that to one element? One of them stores, and not both are strong between blocks.
    pub fn races(self, other: Touch) -> bool {
        let strong = |touch| matches!(touch, Touch::StrongStore | Touch::StrongLoad);
        let stores = |touch| matches!(touch, Touch::Store | Touch::BlockStore | Touch::StrongStore);
        (stores(self) || stores(other)) && !(strong(self) && strong(other))
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            RunError::NoParameter { name } => write!(f, "the program has no parameter `{name}`"),
            RunError::Arguments { name, given: 0 } => write!(f, "`{name}` has no argument: pass it with `arg`"),
            RunError::Arguments { name, given } => write!(f, "`{name}` has {given} arguments"),
            RunError::Shape { name, line, scalar: true } => write!(f, "{line}: `{name}` is memory, a scalar is passed"),
            RunError::Shape { name, line, scalar: false } => {
                write!(f, "{line}: `{name}` is a scalar, memory is passed")
            }
            RunError::Element { name, line, got, expected } => {
                write!(f, "{line}: `{name}` has elements {expected}, {got} are passed")
            }
            RunError::ReadOnly { name, line } => write!(f, "{line}: `{name}` is stored to: pass `&mut`"),
            RunError::Extents(extents) => extents.fmt(f),
            RunError::Tensor { name, line, got, expected } => {
                write!(f, "{line}: `{name}` is {expected}, a tensor {got} is passed")
            }
            RunError::Memory { name, line, error } => write!(f, "{line}: `{name}`: {error}"),
            RunError::NoSymbol { name } => write!(f, "the program has no symbol `{name}`"),
            RunError::BoundTwice { symbol, line, first, second } => {
                write!(f, "{line}: ?{symbol} is bound to {first} and to {second}")
            }
            RunError::Symbol { symbol, line, value, multiple, told } => {
                write!(f, "{line}: ?{symbol} = {value}")?;
                told.iter().try_for_each(|name| write!(f, " by what is passed for `{name}`"))?;
                f.write_str(": a symbol is at least 1")?;
                if *multiple > 1 { write!(f, " and this one a multiple of {multiple}") } else { Ok(()) }
            }
            RunError::Lengths { name, line, len, size } => write!(
                f,
                "{line}: `{name}` has {len} elements, the extents that a length tells are of {size}: pass extents or `bind` symbols"
            ),
            RunError::Length { name, line, len, of } => {
                write!(f, "{line}: `{name}` has {len} elements, which is no multiple of {of}")
            }
            RunError::Unbound { symbol, line } => {
                write!(f, "{line}: ?{symbol} has no value: `bind` it, or pass extents that tell it")
            }
            RunError::Layout { line, error } => write!(f, "{line}: {error}"),
            RunError::Requirement { condition, line, left, right } => {
                write!(f, "{line}: the program requires {condition}; here it is {left} and {right}")
            }
            RunError::Grid { line, grid } => {
                write!(
                    f,
                    "{line}: the grid is ({}): 0 to 2^31-1 blocks along a dimension are possible, 2^40 in all",
                    numbers(grid)
                )
            }
            RunError::Access { line, error } => write!(f, "{line}: {error}"),
            RunError::Block { block, line, error } if block.is_empty() => write!(f, "{line}: {error}"),
            RunError::Block { block, line, error } => write!(f, "{line}: in block ({}): {error}", numbers(block)),
            RunError::Race(race) => race.fmt(f),
        }
    }
}

impl core::error::Error for RunError {}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Stop::Tile(e) => e.fmt(f),
            Stop::View(e) => e.fmt(f),
            Stop::Step(step) => write!(f, "a loop by {step} does not advance"),
            Stop::Number { value, ty } => write!(f, "{value} is no {}", ty.element),
        }
    }
}

impl fmt::Display for Race {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Race { name, element, first, second } = self;
        write!(f, "a race for element {element} of `{name}`: {first}, {second}, in either order")
    }
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let does = match self.does {
            Touch::Store => "stores it",
            Touch::StrongStore => "stores it atomically",
            Touch::BlockStore => "stores it atomically within the block",
            Touch::Load => "loads it",
            Touch::BlockLoad => "loads it atomically within the block",
            Touch::StrongLoad => "loads it atomically",
        };
        write!(f, "block ({}) {does} at {}", numbers(&self.block), self.line)
    }
}

fn numbers(list: &[impl ToString]) -> String {
    list.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

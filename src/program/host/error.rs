//! Why a program cannot be run on the host.

use crate::layout::{IntTuple, LayoutError, Name};
use crate::program::{Condition, Line};
use crate::tile::{ElementType, TileError, TileType};
use crate::view::ViewError;
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
    Shape { name: String, scalar: bool },
    /// elements of another type
    Element { name: String, got: ElementType, expected: ElementType },
    /// memory that is only borrowed for an output
    ReadOnly { name: String },
    /// extents that are not those of the parameter
    Extents { name: String, got: Vec<i64>, expected: String },
    /// memory that is too short, or a layout that cannot be
    Memory { name: String, error: ViewError },
    /// a value for no symbol
    NoSymbol { name: String },
    /// a symbol without a value
    Unbound { symbol: Name },
    /// a value that a symbol cannot have, or numbers that are too large
    Layout(LayoutError),
    /// a condition that does not hold
    Requirement { condition: Condition, line: Line, left: i64, right: i64 },
    /// a grid without blocks, or with too many
    Grid { dim: usize, extent: i64 },
    /// an error of a statement in a block
    Block { block: Vec<i64>, line: Line, error: Stop },
    /// two blocks access an element, and which comes first is not determined
    Race(Box<Race>),
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
    Step(i64),
    /// a number that a type does not have
    Number { value: i64, ty: TileType },
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

impl From<LayoutError> for RunError {
    fn from(e: LayoutError) -> RunError {
        RunError::Layout(e)
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
#[allow(missing_docs)]
pub enum Touch {
    Store,
    StrongStore,
    Load,
    StrongLoad,
}

impl Touch {
    /// All of them.
    pub(super) const ALL: [Touch; 4] = [Touch::Store, Touch::StrongStore, Touch::Load, Touch::StrongLoad];

    /// Must two blocks not do this and that to one element?
    pub fn races(self, other: Touch) -> bool {
        let strong = |touch| matches!(touch, Touch::StrongStore | Touch::StrongLoad);
        let stores = |touch| matches!(touch, Touch::Store | Touch::StrongStore);
        (stores(self) || stores(other)) && !(strong(self) && strong(other))
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            RunError::NoParameter { name } => write!(f, "the program has no parameter `{name}`"),
            RunError::Arguments { name, given: 0 } => write!(f, "`{name}` has no argument: pass it with `arg`"),
            RunError::Arguments { name, given } => write!(f, "`{name}` has {given} arguments"),
            RunError::Shape { name, scalar: true } => write!(f, "`{name}` is memory, a scalar is passed"),
            RunError::Shape { name, scalar: false } => write!(f, "`{name}` is a scalar, memory is passed"),
            RunError::Element { name, got, expected } => {
                write!(f, "`{name}` has elements {expected}, {got} are passed")
            }
            RunError::ReadOnly { name } => write!(f, "`{name}` is stored to: pass `&mut`"),
            RunError::Extents { name, got, expected } => {
                write!(f, "`{name}` is {expected}, ({}) is passed", numbers(got))
            }
            RunError::Memory { name, error } => write!(f, "`{name}`: {error}"),
            RunError::NoSymbol { name } => write!(f, "the program has no symbol `{name}`"),
            RunError::Unbound { symbol } => {
                write!(f, "?{symbol} has no value: `bind` it, or pass extents that tell it")
            }
            RunError::Layout(e) => e.fmt(f),
            RunError::Requirement { condition, line, left, right } => {
                write!(f, "{line}: the program requires {condition}; here it is {left} and {right}")
            }
            RunError::Grid { dim, extent } => {
                write!(f, "dimension {dim} of the grid has {extent} blocks: 1 to 2^31-1 are needed")
            }
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
            Touch::Store => "stores",
            Touch::StrongStore => "stores atomically",
            Touch::Load => "loads",
            Touch::StrongLoad => "loads atomically",
        };
        write!(f, "block ({}) {does} it at {}", numbers(&self.block), self.line)
    }
}

fn numbers(list: &[i64]) -> String {
    list.iter().map(i64::to_string).collect::<Vec<_>>().join(",")
}

//! Why a program cannot be traced.

use super::Line;
use crate::layout::{Bound, Error, LayoutError, Name};
use crate::tile::{TileError, TileType};
use crate::view::ViewError;
use core::fmt;

/// Why a program cannot be traced, and where: the first mistake, at the line of the caller.
#[derive(Clone, PartialEq, Debug)]
pub struct ProgramError {
    /// the line of the call
    pub line: Line,
    /// what is wrong
    pub fault: Fault,
}

/// What is wrong with a program, where the types of its tiles could not say so.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum Fault {
    /// a tile made in the body of a loop or in a branch is used outside of it
    OutOfScope { made: Line, ty: TileType },
    /// a tile of another program
    Foreign,
    /// two parameters or two symbols of one name
    NameTaken { name: String },
    /// an extent or a stride of a span is a sum
    Sum { extent: Box<Bound> },
    /// a sum is divided
    SumDivided { sum: Box<Bound>, by: i64 },
    /// a parameter that cannot be
    Parameter { name: String, fault: Box<Fault> },
    /// there is a grid already
    SecondGrid { first: Line },
    /// a coordinate that the grid does not have
    NoGridDimension { dim: usize, rank: usize },
    /// a span made by `output` is loaded from
    LoadFromOutput,
    /// an atomic operation on a span made by `output`: it reads
    AtomicOnOutput,
    /// a symbol in a layout that the program does not have
    Undeclared { symbol: Name },
    /// an operation that has no result
    Tile(Box<TileError>),
    /// a span or a view that cannot be
    View(Box<ViewError>),
    /// arithmetic of extents, or a layout, that cannot be
    Layout(Box<LayoutError>),
    /// an operation on layouts that has no result
    Algebra(Box<Error>),
}

impl Fault {
    /// What is wrong with a parameter.
    pub(super) fn of(name: &str, fault: impl Into<Fault>) -> Fault {
        Fault::Parameter { name: name.into(), fault: Box::new(fault.into()) }
    }
}

impl From<TileError> for Fault {
    fn from(e: TileError) -> Fault {
        Fault::Tile(Box::new(e))
    }
}

impl From<ViewError> for Fault {
    fn from(e: ViewError) -> Fault {
        Fault::View(Box::new(e))
    }
}

impl From<LayoutError> for Fault {
    fn from(e: LayoutError) -> Fault {
        Fault::Layout(Box::new(e))
    }
}

impl From<Error> for Fault {
    fn from(e: Error) -> Fault {
        Fault::Algebra(Box::new(e))
    }
}

impl From<Box<Error>> for Fault {
    fn from(e: Box<Error>) -> Fault {
        Fault::Algebra(e)
    }
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.fault)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Fault::OutOfScope { made, ty } => write!(
                f,
                "this {ty} was made at {made} in the body of a loop or in a branch and does not exist outside: carry it \
                 (`fold`) or return it (`choose`)"
            ),
            Fault::Foreign => f.write_str("a tile of another program"),
            Fault::NameTaken { name } => write!(f, "`{name}` names something else already"),
            Fault::Sum { extent } => write!(
                f,
                "{extent} is no extent of a span: an extent is a product of symbols; make a symbol of its own for it and \
                 `require` that it equals the sum"
            ),
            Fault::SumDivided { sum, by } => write!(
                f,
                "the sum {sum} is not divided by {by}: make a symbol of its own for it, `let m = p.symbol(\"m\")`, \
                 `p.require(m.eq(..))`, and divide that"
            ),
            Fault::Parameter { name, fault } => write!(f, "`{name}`: {fault}"),
            Fault::SecondGrid { first } => write!(f, "the grid was given at {first}"),
            Fault::NoGridDimension { dim, rank } => {
                write!(f, "the grid has {rank} dimensions, none of number {dim}; `grid` comes before `block_id`")
            }
            Fault::LoadFromOutput => f.write_str("an output is not loaded from: make it with `inout`"),
            Fault::AtomicOnOutput => {
                f.write_str("an atomic operation reads, an output is not loaded from: make it with `inout`")
            }
            Fault::Undeclared { symbol } => write!(f, "?{symbol} is no symbol of the program: make it with `symbol`"),
            Fault::Tile(e) => e.fmt(f),
            Fault::View(e) => e.fmt(f),
            Fault::Layout(e) => e.fmt(f),
            Fault::Algebra(e) => e.fmt(f),
        }
    }
}

impl core::error::Error for ProgramError {}

//! Why a program cannot be traced.

use super::builder::MOST_NESTED;
use super::display::tuple;
use super::{Line, Quotient};
use crate::layout::{Error, Layout, LayoutError, Name};
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
    /// an extent, a comparison or a tile of another program
    Foreign,
    /// a name that is no identifier: letters, digits and `_`, the first no digit
    Name { name: String },
    /// two parameters or two symbols of one name
    NameTaken { name: String },
    /// an extent or a stride of a span is a sum, or a quotient that is no monomial
    Sum { extent: Box<Quotient> },
    /// arithmetic on a quotient that is no monomial
    Quotient { quotient: Box<Quotient> },
    /// an extent is divided by a number below 1
    Divisor { by: i64 },
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
    /// a parameter's memory through another layout than the parameter's
    SpanLayout { got: Box<Layout>, expected: Box<Layout> },
    /// what a loop's body returns is not of the types that the loop began with, or one branch gives other types than the other
    Carried { got: Box<[TileType]>, expected: Box<[TileType]> },
    /// an implementation of [`Carried`](super::Carried) that does not make of nodes the tiles which have them
    FromNodes,
    /// loops and branches that are nested too deep
    Nested,
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
            Fault::OutOfScope { made, ty } => {
                match ty.shape.rank() {
                    0 => write!(f, "this {} scalar", ty.element)?,
                    _ => write!(f, "this {ty}")?,
                }
                write!(
                    f,
                    " was made at {made} in the body of a loop or in a branch and does not exist outside: carry it \
                     (`fold`) or return it (`choose`)"
                )
            }
            Fault::Foreign => f.write_str("an extent, a comparison or a tile of another program: take one of this program"),
            Fault::Name { name } => write!(f, "`{name}` is no name: take a letter or `_`, then letters, digits and `_`"),
            Fault::NameTaken { name } => write!(f, "`{name}` names something else already"),
            Fault::Sum { extent } => write!(
                f,
                "{extent} is no extent of a span: an extent is a product of symbols; make a symbol of its own for it and \
                 `require` that it equals the sum"
            ),
            Fault::Quotient { quotient } => write!(
                f,
                "{quotient} is no sum of products to calculate with: make a symbol of its own for it, \
                 `let m = p.symbol(\"m\")`, `p.require(m.eq(..))`, and take that"
            ),
            Fault::Divisor { by } => write!(f, "an extent is divided by {by}: divide it by a number of at least 1"),
            Fault::Parameter { name, fault } => write!(f, "`{name}`: {fault}"),
            Fault::SecondGrid { first } => write!(f, "the grid was given at {first}"),
            Fault::NoGridDimension { dim, rank } => {
                write!(f, "the grid has {rank} dimensions, none of number {dim}; `grid` comes before `block_id`")
            }
            Fault::LoadFromOutput => f.write_str("an output is not loaded from: make it with `inout`"),
            Fault::AtomicOnOutput => {
                f.write_str("an atomic operation reads, an output is not loaded from: make it with `inout`")
            }
            Fault::SpanLayout { got, expected } => {
                write!(f, "a span of layout {got} over memory of layout {expected}: declare the parameter with the former")
            }
            Fault::Carried { got, expected } => {
                write!(f, "tiles of types {} go on as {}: give the same types", tuple(got), tuple(expected))
            }
            Fault::FromNodes => f.write_str(
                "an implementation of `Carried` makes other tiles of nodes than those that list them: let `from_nodes` take \
                 them in the order of `nodes`",
            ),
            Fault::Nested => {
                write!(f, "more than {MOST_NESTED} loops and branches in each other: write one loop for several")
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

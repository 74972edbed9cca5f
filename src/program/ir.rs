//! Programs as data: what a builder records, what the host evaluates and what a lowering reads.

use super::{Condition, Quotient};
use crate::layout::{Layout, Name};
use crate::tile::{ElementType, Op, TileType};
use crate::view::{Access, At, View};
use core::fmt;
use core::panic::Location;

/// A program on tiles, as data: parameters, conditions, a grid, and the statements that each block of the grid executes.
///
/// [`program`](super::program) makes one; its `Display` is a listing of it; [`Program::host`] evaluates it.
#[derive(Clone, Debug)]
pub struct Program {
    pub(super) name: String,
    pub(super) symbols: Vec<Symbol>,
    pub(super) parameters: Vec<Parameter>,
    pub(super) requirements: Vec<(Condition, Line)>,
    pub(super) grid: Vec<Quotient>,
    pub(super) grid_line: Option<Line>,
    pub(super) types: Vec<TileType>,
    pub(super) body: Body,
}

impl Program {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The symbols, in the order in which they were made.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// What a launch passes, in this order.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// What must hold for the symbols of every launch.
    pub fn requirements(&self) -> impl ExactSizeIterator<Item = (&Condition, Line)> {
        self.requirements.iter().map(|(condition, line)| (condition, *line))
    }

    /// How many blocks there are along each dimension; none for a single block.
    pub fn grid(&self) -> &[Quotient] {
        &self.grid
    }

    /// What each block executes.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// What a value is.
    pub fn ty(&self, value: Id) -> Option<TileType> {
        self.types.get(value.index()).copied()
    }

    /// How many values there are: their numbers are below this.
    pub fn values(&self) -> usize {
        self.types.len()
    }
}

/// A number that every launch gives or tells, at least 1.
#[derive(Clone, Copy, Debug)]
pub struct Symbol {
    /// its name
    pub name: Name,
    /// what it is a multiple of
    pub multiple: u32,
    /// where the program's text has it
    pub line: Line,
}

/// What a launch passes to a program.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// where the program's text has it
    pub line: Line,
    /// its name
    pub name: String,
    /// the type of its elements
    pub element: ElementType,
    /// what it is
    pub kind: ParameterKind,
}

/// What a [`Parameter`] is.
#[derive(Clone, Debug)]
pub enum ParameterKind {
    /// a tensor in memory: element `c` is at `layout(c)`, a mode of the layout for each of its dimensions
    Span(Box<Layout>, Use),
    /// one element
    Scalar,
}

/// What a program does with the memory of a span.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// it loads
    In,
    /// it stores
    Out,
    /// it loads and stores
    InOut,
}

/// The number of a value: a tile that some statement made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(pub(super) u32);

impl Id {
    /// Its number, from 0 on without gaps.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Statements one after another, and what they yield to the statement around them.
#[derive(Clone, Default, Debug)]
pub struct Body {
    /// in order
    pub statements: Vec<Statement>,
    /// the tiles that a loop carries on, or that a branch gives; none for the body of the program
    pub results: Vec<Id>,
}

impl Body {
    /// Does something with each statement, and then with those of the bodies in it, up to the first error.
    pub(super) fn each<'b, E>(&'b self, f: &mut impl FnMut(&'b Statement) -> Result<(), E>) -> Result<(), E> {
        for statement in &self.statements {
            f(statement)?;
            for body in statement.kind.bodies() {
                body.each(f)?;
            }
        }
        Ok(())
    }

    /// As [`Body::each`], with statements that may change.
    pub(super) fn each_mut<E>(&mut self, f: &mut impl FnMut(&mut Statement) -> Result<(), E>) -> Result<(), E> {
        for statement in &mut self.statements {
            f(statement)?;
            for body in statement.kind.bodies_mut() {
                body.each_mut(f)?;
            }
        }
        Ok(())
    }
}

/// One statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// where the program's text has it
    pub line: Line,
    /// what it does
    pub kind: Kind,
    /// the values that nothing after it uses
    pub last: Vec<Id>,
}

/// What a [`Statement`] does.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Kind {
    /// a tile operation
    Let { result: Id, op: Op, operands: Vec<Id> },
    /// the block's coordinate along a dimension of the grid, `i32`
    BlockId { result: Id, dim: usize },
    /// an extent as a scalar
    Extent { result: Id, value: Box<Quotient> },
    /// a scalar parameter
    Scalar { result: Id, parameter: usize },
    /// the tile of a chunk
    Load { result: Id, chunk: ChunkAccess },
    /// a tile stored to a chunk, or combined with it by an atomic operation, as the chunk's access says
    Store { tile: Id, chunk: ChunkAccess },
    /// a loop over `start, start + step, ...` below `end`
    For { range: [Id; 3], index: Id, carried: Vec<Carry>, body: Body },
    /// one of two blocks; the results are what it yields
    If { condition: Id, results: Vec<Id>, then: Body, otherwise: Body },
}

impl Kind {
    /// The values that it makes for the statements behind it.
    pub fn results(&self) -> Vec<Id> {
        match self {
            Kind::Let { result, .. }
            | Kind::BlockId { result, .. }
            | Kind::Extent { result, .. }
            | Kind::Scalar { result, .. }
            | Kind::Load { result, .. } => vec![*result],
            Kind::Store { .. } => vec![],
            Kind::For { carried, .. } => carried.iter().map(|carry| carry.result).collect(),
            Kind::If { results, .. } => results.clone(),
        }
    }

    /// The bodies in it: that of a loop, or of both branches.
    pub fn bodies(&self) -> Vec<&Body> {
        match self {
            Kind::For { body, .. } => vec![body],
            Kind::If { then, otherwise, .. } => vec![then, otherwise],
            _ => vec![],
        }
    }

    fn bodies_mut(&mut self) -> Vec<&mut Body> {
        match self {
            Kind::For { body, .. } => vec![body],
            Kind::If { then, otherwise, .. } => vec![then, otherwise],
            _ => vec![],
        }
    }

    /// The values that it uses, those of the blocks inside it not counted.
    pub fn operands(&self) -> Vec<Id> {
        match self {
            Kind::Let { operands, .. } => operands.clone(),
            Kind::BlockId { .. } | Kind::Extent { .. } | Kind::Scalar { .. } => vec![],
            Kind::Load { chunk, .. } => chunk.operands().collect(),
            Kind::Store { tile, chunk } => chunk.operands().chain([*tile]).collect(),
            Kind::For { range, carried, .. } => {
                range.iter().copied().chain(carried.iter().map(|carry| carry.initial)).collect()
            }
            Kind::If { condition, .. } => vec![*condition],
        }
    }
}

/// A chunk of a span, and how it is accessed.
#[derive(Clone, Debug)]
pub struct ChunkAccess {
    /// the number of the parameter
    pub parameter: usize,
    /// the span, and how it is divided
    pub view: View,
    /// load, store or atomic operation
    pub access: Access,
    /// which chunk: a number or a value for each dimension
    pub index: Vec<At<Id>>,
}

impl ChunkAccess {
    fn operands(&self) -> impl Iterator<Item = Id> {
        self.index.iter().filter_map(|at| match at {
            At::Tile(id) => Some(*id),
            At::Number(_) => None,
        })
    }
}

/// A tile that a loop carries.
#[derive(Clone, Copy, Debug)]
pub struct Carry {
    /// before the first pass
    pub initial: Id,
    /// in the body; what the next pass has is among the body's results, at the same place
    pub inside: Id,
    /// after the last pass
    pub result: Id,
}

/// A line of the source text.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Line(&'static Location<'static>);

impl Line {
    /// The line that called this, or what is marked `#[track_caller]` around it.
    #[track_caller]
    pub(super) fn here() -> Line {
        Line(Location::caller())
    }

    /// The file as the compiler names it, and the line in it.
    pub fn place(&self) -> (&'static str, u32) {
        (self.0.file(), self.0.line())
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(&format!("{}:{}", self.0.file(), self.0.line()))
    }
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{self}")
    }
}

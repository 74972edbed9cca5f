//! Tile programs.

mod builder;
mod control;
mod display;
mod error;
mod extent;
mod ir;
mod live;
mod node;
mod operation;

pub use builder::{Builder, program};
pub use control::{Carried, End, Over, Steps, steps};
pub use error::{Fault, ProgramError};
pub use extent::{Condition, Extent, Known, Relation};
pub use ir::{Block, Carry, Direction, Id, Kind, Line, Parameter, ParameterKind, Program, Statement};
pub use node::{Node, Var};

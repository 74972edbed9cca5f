//! Tile programs.

mod builder;
mod control;
mod display;
mod error;
mod extent;
mod host;
mod ir;
mod live;
mod memory;
mod node;
mod operation;

pub use builder::{Builder, program};
pub use control::{Carried, End, Over, Steps, steps};
pub use error::{Fault, ProgramError};
pub use extent::{Condition, Extent, Known, Relation};
pub use host::{Argument, Host, Party, Passed, Race, Report, RunError, Stop, Touch};
pub use ir::{Block, Carry, Chunk, Direction, Id, Kind, Line, Parameter, ParameterKind, Program, Statement};
pub use memory::{Extents, Input, Output, Span};
pub use node::{Node, Var};

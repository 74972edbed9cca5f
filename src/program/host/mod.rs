//! Programs evaluated on the host: their meaning.

mod argument;
mod block;
mod error;
mod footprint;
mod launch;
mod log;
mod race;
mod region;
mod run;
mod symbols;

pub use argument::{Argument, Passed};
pub use error::{Party, Race, RunError, Stop, Touch, WrongExtents};
pub use launch::{Host, Report};

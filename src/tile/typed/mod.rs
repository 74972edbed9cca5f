//! Tiles whose element type and shape are types: what does not fit does not compile.

mod bits;
mod len;
mod operand;
mod operators;
mod shape;
mod shaping;
mod tile;

pub use bits::{Bitcasts, Regroups};
pub use len::{Divides, Double, Fills, Fits, Is, Length, Meets};
pub use operand::{Operand, ScalarOf};
pub use shape::*;
pub use tile::{Tile, Value};

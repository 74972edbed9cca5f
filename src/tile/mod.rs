//! Tiles: immutable values of elements in a shape of powers of two, and the operations on them.

mod check;
pub mod element;
mod error;
mod eval;
mod gather;
pub mod layouts;
mod op;
mod print;
mod shape;
pub mod typed;
pub(crate) mod value;

pub use element::*;
pub use error::TileError;
pub use op::{Binary, Compare, Direction, Extreme, Fold, Map, Mode, Nan, Op, Precision, Unary};
pub use shape::{LIMIT, RANK, Shape, TileType};
pub use typed::{Tile, TileShape, Value};
pub use value::{AnyTile, Data, Stored};

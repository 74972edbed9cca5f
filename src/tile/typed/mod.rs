//! Tiles whose element type and shape are types: what does not fit does not compile.

mod bits;
mod convert;
mod create;
mod len;
mod math;
mod mma;
mod mode;
mod operand;
mod operators;
mod part;
mod reduce;
mod shape;
mod shaping;
mod tile;

pub use bits::{Bitcasts, Regroups};
pub use create::{Counts, HasZero};
pub use len::{Divides, Double, Fills, Fits, Length, Meets, N, Numeral, SameSize, TooMany, Undecided};
pub use mma::{Accumulates, Accumulator, Matmul, Multiplies, ScaledBy, Scales};
pub use mode::{Approximate, ArithmeticMode, DivMode, ExpMode, Flush, FlushMode, Full, SqrtMode, TypedMode};
pub use operand::{Conforms, Operand, ScalarOf};
pub use part::{Index, IndexEntry};
pub use reduce::Reduced;
pub use shape::*;
pub(crate) use tile::Evaluate;
pub use tile::{AsTile, Tile, Value};

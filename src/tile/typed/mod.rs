//! Tiles whose element type and shape are types: what does not fit does not compile.
//!
//! A rule of an operation is a bound of its method, and the bound is a trait that generic code can name: [the table](super) says
//! which. A message of the compiler names the rule that is broken and the lengths as [`N`]: the shapes `(N<2>, N<4>)` and
//! `(U2, U4)` are the same.
//! ```
//! use girih::Shape;
//! use girih::tile::typed::{Reduced, With};
//! use girih::tile::{BasicFloat, Tile};
//! use typenum::U1;
//!
//! /// The greatest magnitude of each row, of tiles of rank 2 and more.
//! fn peaks<E: BasicFloat, S: With<U1, U1>>(x: &Tile<E, S>) -> Tile<E, Reduced<S, U1>> {
//!     x.abs().reduce_max::<U1>()
//! }
//! let x = 3.0 - Tile::<i32, Shape![2, 4]>::iota().cast::<f32>();
//! assert_eq!(peaks(&x).to_vec(), [3.0, 4.0]);
//! ```

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
pub use len::{Divides, Double, Fills, Fits, Length, Meets, N, SameSize};
pub use mma::{Accumulates, Accumulator, Matmul, Multiplies, ScaledBy, Scales};
pub use mode::{Approximate, ArithmeticMode, DivMode, ExpMode, Flush, FlushMode, Full, SqrtMode, TypedMode};
pub use operand::{Conforms, Operand, ScalarOf};
pub use part::{Index, IndexEntry};
pub use reduce::Reduced;
pub use shape::{
    Broadcast, BroadcastsTo, Cat, Dim, ExtractableFrom, HasRank, Len, Permute, Repack, TileShape, Transpose, With,
};
pub(crate) use tile::Evaluate;
pub use tile::{AsTile, Tile, Value};

/// What the concepts are made of: lists of lengths, and rules about them. Messages of the compiler name these; there is nothing
/// here to call or to implement.
pub mod rules {
    pub use super::bits::{RegroupsBits, SameWidth, Width};
    pub use super::len::{Halves, Numeral, TooMany, Undecided};
    pub use super::mma::{Factor, Product, Scaled};
    pub use super::shape::{Concatenates, Cons, Differs, FillsAll, Nil, PartOf, Reversed, Zip};
}

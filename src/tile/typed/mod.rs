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
//! What holds for every shape must be said of a shape that is not known, too: an operator wants that `S` broadcasts with itself.
//! ```
//! # use girih::Shape;
//! use girih::tile::typed::{Broadcast, With};
//! use girih::tile::{Tile, TileShape};
//! use typenum::U1;
//!
//! fn square<S: Broadcast<S, Output = S>>(x: &Tile<f32, S>) -> Tile<f32, S> {
//!     x * x
//! }
//!
//! /// `R` is the shape of the rows' sums, which broadcasts with that of the rows to the latter.
//! fn shares<S: With<U1, U1, Output = R>, R: TileShape>(x: &Tile<f32, S>) -> Tile<f32, S>
//! where
//!     S: Broadcast<R, Output = S>,
//! {
//!     x / x.sum::<U1>()
//! }
//! let x = Tile::<f32, Shape![2, 2]>::ones();
//! assert_eq!((square(&x).to_vec(), shares(&x).to_vec()), (vec![1.0; 4], vec![0.5; 4]));
//! ```
//! Import typenum's numbers by name or from [`prelude`](crate::prelude): some of its operators are called as concepts here are.

mod bits;
mod choose;
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
pub use mode::{
    Approximate, ArithmeticMode, DivMode, ExpMode, ExtremumMode, Flush, FlushMode, Full, Propagate, SqrtMode, Suppress,
    TypedMode,
};
pub use operand::{Alternative, Conforms, Operand, ScalarOf};
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

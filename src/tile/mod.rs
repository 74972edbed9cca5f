//! Tiles: immutable values of elements in a shape of powers of two, and the operations on them.
//!
//! | | type and shape | operations | use it |
//! |---|---|---|---|
//! | [`Tile<E, S>`](Tile) | in types | methods and operators; what does not fit does not compile | to write kernels and references |
//! | `Tile<E, S, V>` | in types | the same, recorded by a [`Value`] | in tile programs |
//! | [`AnyTile`] | values | [`Op::eval`]; what does not fit is a [`TileError`] | in tools, and where types are read from a file |
//!
//! Softmax over the rows of a tile: a reduction keeps its dimension with length 1, so that its result broadcasts back.
//! ```
//! use girih::Shape;
//! use girih::tile::Tile;
//! use typenum::*;
//!
//! let x = Tile::<i32, Shape![2, 4]>::iota().cast::<f32>(); //    (0 1 2 3)
//!                                                            //    (4 5 6 7)
//! let shifted = &x - x.reduce_max::<U1>(); //                       (2,4) - (2,1)
//! let e = shifted.exp();
//! let softmax: Tile<f32, Shape![2, 4]> = &e / e.sum::<U1>();
//! let sums = softmax.sum::<U1>().to_vec();
//! assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-6));
//! ```
//!
//! # What is where
//! The specification is that of cuda::tiles, the tile types of CUDA C++ (CUDA 13.5: namespace `cuda::tiles`, the documents on tile
//! operations, strided views and element types). Each concept of it is a trait, so that generic code can name it in a bound; each
//! operation is a method. As data they are all [`Op`]s, with the same rules in [`Op::result`].
//!
//! | cuda::tiles | trait | method |
//! |---|---|---|
//! | `tile_shape`, `tile_rank` | [`TileShape`], its `Rank` | [`Shape!`](crate::Shape) |
//! | `scalar`, `integral`, `floating_point`, ... | [`Element`], [`Integral`], [`Float`], [`BasicFloat`], [`Arithmetic`], [`Number`] | |
//! | `full`, `ones`, from a scalar | | [`full`](Tile::full), [`ones`](Tile::ones), `Tile::from` |
//! | `zeros` | [`HasZero`](typed::HasZero) | [`zeros`](Tile::zeros) |
//! | `iota` | [`Counts`](typed::Counts) | [`iota`](Tile::iota) |
//! | `reshape` | [`SameSize`](typed::SameSize) | [`reshape`](Tile::reshape) |
//! | `tile_permutation_t`, `permute` | [`Permute`](typed::Permute) | [`permute`](Tile::permute) |
//! | `tile_transpose_t`, `transpose` | [`Transpose`](typed::Transpose) | [`transpose`](Tile::transpose) |
//! | `concatenation_compatible`, `concatenation_t`, `cat` | [`Cat`](typed::Cat) | [`cat`](Tile::cat) |
//! | `broadcastable_to`, `broadcast` | [`BroadcastsTo`](typed::BroadcastsTo) | [`broadcast`](Tile::broadcast) |
//! | `broadcast_compatible`, arithmetic conversions | [`Broadcast`](typed::Broadcast), [`Common`], [`Operand`](typed::Operand) | the operators |
//! | `extractable_from`, `extract`, `insert` | [`ExtractableFrom`](typed::ExtractableFrom), [`Index`](typed::Index) | [`extract`](Tile::extract), [`insert`](Tile::insert) |
//! | `non_narrowing_scalar_convertible_to` | [`Widens`] | [`insert`](Tile::insert), stores |
//! | `element_cast` | [`RoundsTo`], [`SaturatesTo`] | [`cast`](Tile::cast), [`cast_rounded`](Tile::cast_rounded), [`cast_saturating`](Tile::cast_saturating) |
//! | `element_bitcast` | [`Bitcasts`](typed::Bitcasts) | [`bitcast`](Tile::bitcast) |
//! | `repack` | [`Repack`](typed::Repack) | [`repack`](Tile::repack) |
//! | `select` | [`BroadcastsTo`](typed::BroadcastsTo) | [`select`](Tile::select) |
//! | `rounding_mode`, `subnormals_rounding_mode` | [`ArithmeticMode`](typed::ArithmeticMode), [`DivMode`](typed::DivMode), [`SqrtMode`](typed::SqrtMode), [`ExpMode`](typed::ExpMode), [`FlushMode`](typed::FlushMode) | [`add_with`](Tile::add_with), [`exp_with`](Tile::exp_with), ... |
//! | `nan_propagation_mode` | [`ExtremumMode`](typed::ExtremumMode) | [`min`](Tile::min), [`max`](Tile::max) and [`minimum`](Tile::minimum), [`maximum`](Tile::maximum); [`min_with`](Tile::min_with) |
//! | `pow`, `powi` | [`BasicFloat`] | [`pow`](Tile::pow), [`powi`](Tile::powi) |
//! | `sum`, `reduce_max`, `any_of`, `partial_sum`, ... | [`With`](typed::With) | [`sum`](Tile::sum), [`reduce_max`](Tile::reduce_max), [`any`](Tile::any), [`scan_sum`](Tile::scan_sum), ... |
//! | `mma`, `matmul`, `scaled_mma` | [`Multiplies`](typed::Multiplies), [`Accumulates`](typed::Accumulates), [`Scales`](typed::Scales) | [`mma`](Tile::mma), [`matmul`](Tile::matmul), [`scaled_mma`](Tile::scaled_mma) |
//!
//! An operation on shapes changes the tile's layout and moves nothing; [`layouts`] says how.

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
pub use op::{Binary, Compare, Direction, Extreme, Extremum, Fold, Map, Mode, Nan, Op, Precision, Unary};
pub use shape::{LIMIT, RANK, Shape, TileType};
pub use typed::{AsTile, Tile, TileShape, Value};
pub use value::AnyTile;

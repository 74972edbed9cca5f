//! Views: tensors in memory, divided into chunks that are loaded, stored and updated as tiles.
//!
//! A [`TensorSpan`] is memory and a layout into it. A view divides the span into chunks of the shape of a tile, numbered by an
//! index with one entry for each dimension:
//!
//! | view | chunks | for |
//! |---|---|---|
//! | [`PartitionView`], [`TensorSpan::partition`] | side by side | each element once: elementwise work, reductions, matrix products |
//! | [`StridedView`], [`TensorSpan::strided`] | at multiples of strides: overlapping, or with gaps | windows of a convolution or a stencil; every n-th block |
//! | [`GatherScatterView`], [`TensorSpan::gather`] | rows of one dimension in any order | look-ups, permutations, sparse rows, histograms |
//!
//! ```text
//! 10 elements in chunks of 4:  partition     strided by 3    strided by 6       gather of rows 7 0 3 3
//!                              0000111122..  0000            0000..1111         1..2...0..
//!                                               1111                               3
//!                                                  2222
//!                                                     3...
//! ```
//! Chunk `I` of strides `S` has the elements `I*S+J`, for all `J` in the tile. There is one for each `I` with `I*S` less than the
//! extent, in each dimension; in the drawing, dots in a last chunk are places beyond the span. Where these elements lie in memory
//! is a composition of layouts, [`View::mapping`].
//!
//! # Accesses
//! ```
//! use girih::Shape;
//! use girih::prelude::*;
//! use girih::view::{TensorSpan, Zero};
//! let image: Vec<f32> = (0..25).map(|i| i as f32).collect();
//! let mut sums = vec![0.0f32; 25];
//! let windows = TensorSpan::right(&image, [5, 5])?.strided::<Shape![2, 2], (U1, U1)>();
//! let out = TensorSpan::right(&mut sums, [5, 5])?.partition::<Shape![1, 1]>();
//! for (i, j) in (0..5).flat_map(|i| (0..5).map(move |j| (i, j))) {
//!     let sum = windows.load_masked((i, j), Zero)?.to_vec().iter().sum();
//!     out.store(Tile::<f32, Shape![1, 1]>::full(sum), (i, j))?;
//! }
//! assert_eq!((sums[0], sums[24]), (0.0 + 1.0 + 5.0 + 6.0, 24.0));
//! # Ok::<(), girih::view::ViewError>(())
//! ```
//! | | elements | whole chunk | `_masked`: elements outside | order, scope |
//! |---|---|---|---|---|
//! | [`load`](Divided::load) | all | else an error | are a [`Padding`]: zero, and -0, infinities, NaN of basic floats | weak |
//! | [`atomic_load`](Divided::atomic_load) | all | | | relaxed, acquire; any scope |
//! | [`store`](Divided::store) | that widen to the span's | | are not stored | weak |
//! | [`atomic_store`](Divided::atomic_store) | | | | relaxed, release; any scope |
//! | `atomic_and`, `or`, `xor`, `max`, `min` | 32- and 64-bit integers | | are not updated | relaxed; device, block |
//! | [`atomic_add`](Divided::atomic_add), `sub` | and `f16`, `bf16`, `f32`, `f64` | | | |
//!
//! The typed methods compile for these combinations only; [`Access::check`] is the same table for values. What an [`Access`] is
//! called and how it is done are apart: the same methods work on memory of the host, at once, and on memory of a program, where
//! they are recorded.
//!
//! # What is refused
//! The specification leaves these undefined; here each is a [`ViewError`], and nothing is read or written: a chunk wholly outside
//! the span, masked or not (a negative index is one; rows that are listed may all be outside under a mask); an element outside it without a mask; an index that the span's index
//! type cannot hold; a store or an atomic operation to a span two of whose elements are one in memory, which is decided
//! exactly; the subtraction of the least signed integer. Rows listed twice by a plain store race with each other, and are refused
//! too. Loads may overlap in every way, also those from a span with strides of 0. Sums of signed integers wrap, as in all of the
//! crate. Spans have 1 to 8 dimensions: a single element is a span of extent 1.
//!
//! # Memory model
//! Each element of a chunk is accessed by an operation of its own; the order of these is not specified, and a tile is not
//! accessed in one step. Plain operations are weak: of two that access an element from different threads, one of them writing,
//! one must happen before the other, or they race. Atomic ones are strong: within their scope they do not race, and they order
//! other accesses as their [`Order`] says. On the host every access is done before the next begins, which is one of the
//! executions that the model allows. Chunks of different indices may overlap; then their plain stores race if they are done by
//! different blocks, and a program's evaluation reports it. So do strong ones whose scope is the block, which other blocks are not
//! in. That evaluation takes no account of what acquire and release order between blocks: it reports weak accesses as a race also
//! where such a pair is between them.

mod access;
mod cells;
mod chunk;
mod divided;
mod error;
pub mod host;
mod index;
mod mapping;
mod memory;
#[cfg(feature = "ndarray")]
mod ndarray;
mod place;
mod rule;
mod span;

pub use access::{Access, AccessKind, AtomicOp, Hints, Order, Padding, Scope};
pub use cells::{Cells, CellsMut};
pub use chunk::{Chunks, View};
pub use divided::{Divided, Division, Gather, GatherScatterView, Partition, PartitionView, Strided, StridedView};
pub use error::ViewError;
pub use index::{At, Coordinate, Index, Many, One};
pub use mapping::{Fixed, Listed, Mapping, Numbered, Positive, Rank, Runtime, StaticRank, Strides, TileOf};
pub use memory::{Borrowed, Memory, MemoryMut};
pub(crate) use place::foreseen;
pub use rule::*;
pub use span::TensorSpan;

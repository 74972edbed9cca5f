//! Views: tensors in memory, divided into chunks that are loaded and stored as tiles.
mod access;
mod cells;
mod chunk;
mod divided;
mod error;
pub mod host;
mod index;
mod mapping;
mod memory;
mod place;
mod rule;
mod span;

pub use access::{Access, AtomicOp, Hints, Kind, Order, Padding, Scope};
pub use cells::{Cells, CellsMut};
pub use chunk::{Chunks, View, check_index};
pub use divided::{Divided, Division, Gather, GatherScatterView, Partition, PartitionView, Strided, StridedView};
pub use error::ViewError;
pub use index::{At, Coordinate, Index, Many, One};
pub use mapping::{Fixed, Listed, Mapping, Numbered, Positive, Rank, Runtime, StaticRank, Strides, TileOf};
pub use memory::{Borrowed, Memory, MemoryMut};
pub use rule::*;
pub use span::TensorSpan;

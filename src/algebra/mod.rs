//! Functions from layouts to layouts, and their laws.
//!
//! The operations are methods of [`Layout`](crate::layout::Layout) (and of tilers, tuples, composed layouts and tensors):
//!
//! | to | use | law |
//! |---|---|---|
//! | simplify | `coalesce`, `coalesce_by_mode`, `filter` | the same function (the same values) |
//! | apply one after the other | `compose`, `compose_by_mode`, `with_shape` | `r(c) = a(b(c))` |
//! | find what is left out | `complement`, `complement_exact` | together they tile an interval |
//! | turn around | `right_inverse`, `left_inverse` | `a(r(i)) = i`, `l(a(i)) = i` |
//! | cut into tiles | `logical_divide`, `zipped_divide`, `tiled_divide`, `flat_divide` | every element in one tile |
//! | ... that hang over | the same with `_ceil`: a [`Guarded`] layout | where the guard holds, every element once |
//! | lay out copies | `blocked_product`, `raked_product`, `logical_product`, `tile_to_shape` | copies share nothing |
//! | take one tile, one thread's part | `local_tile`, `local_partition` | slices of a divide |
//! | change the element width | `recast`, `upcast`, `downcast` | the same memory |
//! | see a power-of-two layout, swizzled or not, as a matrix over F2 | [`linear`] | the same values |
//! | decide what is true of layouts, with a certificate or a counterexample | [`prove`] | the claim, on the whole domain |
//! | find common vectors | `max_common_vector`, `max_common_layout` | both are the identity on it |
//!
//! Strict is the default: an overhang or a coordinate outside the domain is refused. `_ceil` rounds up and returns the guard,
//! `_extended` continues the last mode as CuTe does.
//!
//! # A tiled copy
//! What `make_tiled_copy` and `get_slice(5)` do, for a row-major matrix, 64 threads and vectors of 4:
//! ```
//! use girih::prelude::*;
//! let (thr, val) = (layout!((32,2):(2,1)), layout!((1,4):(4,1)));
//! // (m,n) of a 32 x 8 tile to (thread,value); its inverse is (thread,value) to (m,n)
//! let tv = thr.raked_product(&val)?.right_inverse()?.with_shape(&ints!((64, 4)))?;
//! assert_eq!(tv, layout!(((2,32),4):((128,1),32)));
//!
//! let tiles = layout!((96,40):(40,1)).zipped_divide(&tiler![32, 8])?;
//! let copy = Layout::tuple(&[tiles.mode(0)?.compose(&tv)?, tiles.mode(1)?])?; // ((thread,value),(tile,tile))
//! let (mine, offset) = copy.slice(&ints!(((5, _), (_, _))))?;
//! assert_eq!((mine, offset.value()), (layout!((4,3,5):(1,1280,8)), Some(84)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! [`Drawing::tv`](crate::layout::Drawing::tv) shows `tv`.

mod by_mode;
mod carries;
mod coalesce;
mod common;
mod complement;
pub mod compose;
mod divide;
pub mod exact;
mod guarded;
mod inverse;
pub mod laws;
mod like;
pub mod linear;
mod longest;
mod partition;
mod product;
pub mod prove;
mod radix;
mod recast;
mod shape;
#[cfg(feature = "proptest")]
pub mod strategy;
mod swizzled;
mod symbolic;
mod tensor;
pub mod typed;

pub use divide::{Guard, Guarded};

pub use guarded::GuardedTensor;
pub use partition::Part;
pub(crate) use partition::thread;
pub use swizzled::{DECAY_POINTS, Major, SmemSwizzle, smem_atom};

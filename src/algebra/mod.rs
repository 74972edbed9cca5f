//! Functions from layouts to layouts.
mod by_mode;
mod coalesce;
mod common;
mod complement;
mod compose;
mod divide;
mod exact;
mod guarded;
mod inverse;
pub mod laws;
mod like;
mod longest;
mod partition;
mod product;
mod radix;
mod recast;
mod shape;
#[cfg(feature = "proptest")]
pub mod strategy;
mod swizzled;
mod symbolic;
mod tensor;

pub use divide::{Guard, Guarded};
pub use exact::{BUDGET, CONST_BUDGET};
pub use guarded::GuardedTensor;
pub use partition::Part;
pub use swizzled::{DECAY_POINTS, Major, SmemSwizzle, smem_atom};

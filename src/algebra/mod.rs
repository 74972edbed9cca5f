//! Functions from layouts to layouts.
mod coalesce;
mod common;
mod complement;
mod compose;
mod decay;
mod divide;
mod exact;
mod inverse;
pub mod laws;
mod like;
mod longest;
mod product;
mod radix;
mod recast;
mod shape;
mod smem;
#[cfg(feature = "proptest")]
pub mod strategy;
mod swizzled;
mod symbolic;
mod transport;

pub use decay::DECAY_POINTS;
pub use divide::{Guard, Guarded};
pub use exact::CONST_BUDGET;
pub use smem::{Major, SmemSwizzle, smem_atom};

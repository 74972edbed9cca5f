//! Functions from layouts to layouts.
mod coalesce;
mod complement;
mod compose;
mod decay;
mod divide;
mod exact;
pub mod laws;
mod product;
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

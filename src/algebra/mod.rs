//! Functions from layouts to layouts.
mod coalesce;
mod complement;
mod compose;
mod divide;
mod exact;
mod guarded;
pub mod laws;
mod partition;
mod product;
#[cfg(feature = "proptest")]
pub mod strategy;
mod symbolic;
mod tensor;

pub use divide::{Guard, Guarded};
pub use exact::CONST_BUDGET;
pub use guarded::GuardedTensor;
pub use partition::Part;

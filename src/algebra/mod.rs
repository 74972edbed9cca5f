//! Functions from layouts to layouts.
mod coalesce;
mod complement;
mod compose;
mod divide;
mod exact;
pub mod laws;
mod product;
#[cfg(feature = "proptest")]
pub mod strategy;
mod symbolic;

pub use divide::{Guard, Guarded};
pub use exact::CONST_BUDGET;

//! Functions from layouts to layouts.
mod coalesce;
mod complement;
mod compose;
mod divide;
mod exact;
pub mod laws;
mod product;
pub mod swizzled;
mod symbolic;

pub use divide::{Guard, Guarded};
pub use exact::CONST_BUDGET;

//! What the hardware does with layouts: against counters read on a GPU, against slow definitions, against CuTe's tables.

mod atoms;
mod banks;
mod counters;
mod drawing;
mod fragment;
mod global;
mod swizzle;

#[path = "../common/random.rs"]
mod random;

pub use random::{Rng, cases};

//! Views: spans of memory in chunks.

mod access;
mod atomics;
mod errors;
mod gather;
mod index;
mod mapping;
#[cfg(feature = "ndarray")]
mod ndarray;
mod padding;
mod seed;
mod spans;

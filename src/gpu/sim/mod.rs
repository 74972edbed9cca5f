//! PTX on the CPU.

pub mod approx;
mod compare;
mod convert;
mod float;
mod half;
mod integer;
mod logic;
mod narrow;
mod pure;
mod small_float;
pub mod tensor_core;

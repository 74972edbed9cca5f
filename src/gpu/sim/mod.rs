//! PTX on the CPU.

mod approx;
mod compare;
mod convert;
mod float;
mod half;
mod integer;
mod logic;
mod matrix;
mod pure;
pub mod tensor_core;

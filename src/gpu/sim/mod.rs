//! PTX on the CPU.

mod approx;
mod atomic;
mod collective;
mod compare;
mod convert;
mod float;
mod half;
mod integer;
mod logic;
mod pure;
pub mod tensor_core;

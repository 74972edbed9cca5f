//! PTX on the CPU.

mod approx;
mod arithmetic;
mod compare;
mod convert;
mod exact;
mod float;
mod half;
mod integer;
mod logic;
mod nearest;
mod pure;
mod round;
pub mod tensor_core;

//! PTX on the CPU.

mod approx;
mod carry;
mod compare;
mod convert;
mod field;
mod float;
mod half;
mod integer;
mod logic;
mod mov;
mod packed;
mod pure;
pub mod tensor_core;
mod word;

//! PTX on the CPU.

mod approx;
mod compare;
mod convert;
mod describe;
mod float;
mod half;
mod integer;
mod logic;
mod pure;
pub mod tensor_core;

pub use describe::{Argument, DescribeError, Described, Description, Fill, Filled};

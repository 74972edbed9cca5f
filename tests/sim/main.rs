//! PTX on the CPU.

mod bugs;
#[path = "../common/ptxas.rs"]
mod ptxas;

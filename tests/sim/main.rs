//! PTX on the CPU against what we did not write: kernels of other compilers, and the GPU.

mod bugs;
mod foreign;
#[path = "../common/ptxas.rs"]
mod ptxas;
mod report;

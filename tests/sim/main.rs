//! PTX on the CPU against what we did not write: kernels of other compilers, and the GPU.

mod apply;
mod bugs;
mod foreign;
#[path = "../common/machine.rs"]
mod machine;
mod mutants;
#[path = "../common/ptxas.rs"]
mod ptxas;
#[allow(dead_code)]
#[path = "../common/random.rs"]
mod random;
mod report;

//! PTX on the CPU against what we did not write: kernels of other compilers, and the GPU.

mod apply;
#[path = "../common/machine.rs"]
mod machine;
#[path = "../common/random.rs"]
mod random;

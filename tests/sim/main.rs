//! PTX on the CPU against what we did not write: kernels of other compilers, and the GPU.

mod foreign;

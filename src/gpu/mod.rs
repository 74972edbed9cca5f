//! What the hardware does with a layout, and the instructions as data.
//!
//! | module | what | when |
//! |---|---|---|
//! | [`facts`] | bank conflicts, sectors, vector widths, fragment checks, the choice of a swizzle | before a kernel exists, and to see why it is slow |
//! | [`atom`] | matrix and copy instructions with their thread-value layouts, laid over threads | to build tilings, to check fragments |
//! | [`ptx`] | the table of instructions, modules, their text | to write, read and check PTX |
//! | [`kernel`] | a builder: registers, control flow, addresses from layouts | to generate kernels |
//! | [`apply`] | one instruction over tensors of registers | fragments, vectors, packed arithmetic |
//! | [`copy`](mod@copy) | a vector copied, `y = a x + y` | to have one |
//! | [`gemm`] | matrix products for all types and orders, derived from layouts and proved | to have one |
//! | [`launch`] | how a kernel is launched: parameters, grid, conditions, as a value and as JSON | beside every kernel |
//! | [`tensor_map`] | tensors and boxes for the copy engine, from layouts | kernels that use TMA |
//! | [`sim`] | PTX on the CPU: the bits of an H200, races, reads of what nothing wrote, counts | to run and check kernels without a GPU |
//! | `device` | the GPU: memory, modules, launches (feature `gpu`) | to run them |
//!
//! Pure computation: no device is needed, and no feature, except for `device` (feature `gpu`).

pub mod apply;
pub mod atom;
pub mod copy;
// the driver is called from here, and from nowhere else
#[cfg(feature = "gpu")]
#[allow(unsafe_code)]
pub mod device;
pub mod facts;
pub mod gemm;
pub mod kernel;
pub mod launch;
pub mod ptx;
pub mod sim;
pub mod tensor_map;

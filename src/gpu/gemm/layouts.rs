//! The layouts that a kernel was written from, to be looked at, drawn and walked.

use crate::layout::{Composed, Layout};

/// What one block does: its threads copy tiles of both operands to shared memory, and each computes some elements of the tile of C.
/// If C is column-major the kernel computes `C^T = B A^T`: operand 0 is B then, and rows and columns are those of `C^T`.
/// ```
/// use girih::gpu::{atom::NumericType::F32, gemm::{Gemm, Matrix}, ptx::Target};
/// use girih::prelude::*;
/// let f32s = Matrix::row_major(F32);
/// let kernel = Gemm::new(f32s, f32s, f32s).build(Target::SM_80)?;
/// let layouts = kernel.layouts();
/// assert_eq!(layouts.tile, [128, 256, 8]);
/// // every element of the tile of C has one thread and value
/// assert!(prove::bijective(&layouts.c, 128 * 256).proved().is_some());
/// # Ok::<(), girih::gpu::gemm::GemmError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct GemmLayouts {
    /// rows, columns and depth of a block's tile
    pub tile: [i64; 3],
    /// of each operand, (thread, value) to `row + rows * k`: what a thread copies
    pub copies: [Layout; 2],
    /// of each operand, (row, k) to the element in shared memory
    pub shared: [Composed; 2],
    /// (thread, value) to `row + rows * column` of C
    pub c: Layout,
}

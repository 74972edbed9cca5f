//! The factors, and the plain product.

use rayon::prelude::*;
use std::num::TryFromIntError;

/// A factor in memory, rows times k.
pub struct Operand {
    pub memory: Vec<f32>,
    pub rows: usize,
    pub depth: usize,
    /// elements from one row, and from one k, to the next
    pub strides: [usize; 2],
}

impl Operand {
    fn get(&self, row: usize, k: usize) -> f32 {
        self.memory[row * self.strides[0] + k * self.strides[1]]
    }
}

/// m, n, k and the distances between lines of A, B and C, as the kernel takes them.
pub fn sizes(a: &Operand, b: &Operand) -> Result<[u32; 6], TryFromIntError> {
    let ld = |o: &Operand| u32::try_from(o.strides[0].max(o.strides[1]));
    let [m, n, k] = [a.rows.try_into()?, b.rows.try_into()?, a.depth.try_into()?];
    Ok([m, n, k, ld(a)?, ld(b)?, n])
}

/// The definition: one rounding for each k, in order, as `fma` has it; so that results are equal bit for bit.
pub fn plain(a: &Operand, b: &Operand) -> Vec<f32> {
    (0..a.rows * b.rows)
        .into_par_iter()
        .map(|i| (0..a.depth).fold(0.0f32, |s, k| a.get(i / b.rows, k).mul_add(b.get(i % b.rows, k), s)))
        .collect()
}

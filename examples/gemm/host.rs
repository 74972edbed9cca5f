//! The kernel's layouts walked on the host, block by block: what the GPU does with the same layouts. And the plain product.

use girih::gpu::gemm::GemmLayouts;
use rayon::prelude::*;

/// What all blocks do alike, evaluated once.
struct Block {
    tile: [usize; 3],
    /// of each operand, what is copied: (row, k) in its tile to the place in shared memory
    copies: [Vec<([usize; 2], usize)>; 2],
    /// of each operand, the places of (row, k) in shared memory, row by row of k
    places: [Vec<usize>; 2],
    /// (m, n) of every thread's every value
    values: Vec<[usize; 2]>,
}

impl Block {
    fn new(layouts: &GemmLayouts) -> girih::Result<Block> {
        let [m, n, k] = layouts.tile;
        let operand = |i: usize, rows: i64| -> girih::Result<_> {
            let place = |row: i64, k: i64| layouts.shared[i].at_coord([row, k]).map(|p| p as usize);
            let copies = layouts.copies[i].offsets()?.map(|e| {
                let at = [e % rows, e / rows];
                Ok((at.map(|x| x as usize), place(at[0], at[1])?))
            });
            let places = (0..rows * k).map(|e| place(e % rows, e / rows));
            Ok((copies.collect::<girih::Result<Vec<_>>>()?, places.collect::<Result<Vec<_>, _>>()?))
        };
        let (a, b) = (operand(0, m)?, operand(1, n)?);
        let values = layouts.c.offsets()?.map(|e| [(e % m) as usize, (e / m) as usize]).collect();
        Ok(Block { tile: layouts.tile.map(|t| t as usize), copies: [a.0, b.0], places: [a.1, b.1], values })
    }

    /// The values of one tile of C: the tiles of k in order, each through shared memory.
    fn values(&self, operands: [&Operand; 2], first: [usize; 2], depth: usize) -> Vec<f32> {
        let bk = self.tile[2];
        let room = |i: usize| vec![f32::NAN; self.places[i].iter().max().map_or(0, |m| m + 1)];
        let mut shared = [room(0), room(1)];
        let mut acc = vec![0.0f32; self.values.len()];
        for begin in (0..depth).step_by(bk) {
            for i in 0..2 {
                for &([row, k], to) in &self.copies[i] {
                    shared[i][to] = operands[i].get(first[i] + row, begin + k);
                }
            }
            for k in 0..bk {
                let line = |i: usize| -> Vec<f32> {
                    let rows = self.tile[i];
                    self.places[i][k * rows..][..rows].iter().map(|&p| shared[i][p]).collect()
                };
                let (a, b) = (line(0), line(1));
                for (acc, [m, n]) in acc.iter_mut().zip(&self.values) {
                    *acc = a[*m].mul_add(b[*n], *acc);
                }
            }
        }
        acc
    }
}

/// A factor in memory, rows times k.
pub struct Operand {
    pub memory: Vec<f32>,
    pub rows: usize,
    pub depth: usize,
    /// elements from one row, and from one k, to the next
    pub strides: [usize; 2],
}

impl Operand {
    /// Zero beyond the edges, as the copies fill in.
    fn get(&self, row: usize, k: usize) -> f32 {
        if row < self.rows && k < self.depth { self.memory[row * self.strides[0] + k * self.strides[1]] } else { 0.0 }
    }
}

/// `C = A * B^T`, row-major. `step` is called after each block; an element that is not written exactly once is an error.
pub fn run(
    layouts: &GemmLayouts,
    a: &Operand,
    b: &Operand,
    step: impl Fn() + Sync,
) -> Result<Vec<f32>, Box<dyn std::error::Error>> {
    let block = Block::new(layouts)?;
    let [bm, bn, _] = block.tile;
    let across = a.rows.div_ceil(bm);
    let tiles: Vec<_> = (0..across * b.rows.div_ceil(bn))
        .into_par_iter()
        .map(|i| {
            let first = [i % across * bm, i / across * bn];
            let values = block.values([a, b], first, a.depth);
            step();
            (first, values)
        })
        .collect();
    let mut c = vec![f32::NAN; a.rows * b.rows];
    let mut writes = vec![0u8; c.len()];
    for (first, values) in tiles {
        for ([m, n], v) in block.values.iter().zip(values) {
            let (m, n) = (first[0] + m, first[1] + n);
            if m < a.rows && n < b.rows {
                c[m * b.rows + n] = v;
                writes[m * b.rows + n] += 1;
            }
        }
    }
    match writes.iter().position(|&n| n != 1) {
        None => Ok(c),
        Some(i) => Err(format!("({}, {}) is written {} times", i / b.rows, i % b.rows, writes[i]).into()),
    }
}

/// The definition: one rounding for each k, in order, as `fma` has it; so that results are equal bit for bit.
pub fn plain(a: &Operand, b: &Operand) -> Vec<f32> {
    (0..a.rows * b.rows)
        .into_par_iter()
        .map(|i| (0..a.depth).fold(0.0f32, |s, k| a.get(i / b.rows, k).mul_add(b.get(i % b.rows, k), s)))
        .collect()
}

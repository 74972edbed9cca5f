//! C out of the registers: neighbouring columns as vectors, guarded at the edges.

use super::claims::Claims;
use super::copies::Placed;
use super::tiling::Tiling;
use super::{GemmError, Matrix, memory_type};
use crate::algebra::prove;
use crate::gpu::atom::NumericType;
use crate::gpu::facts::Access;
use crate::gpu::kernel::{Index, Kernel, Pointer, Shared, Spot};
use crate::gpu::ptx::{Operand, Reg, Type};
use crate::layout::Layout;

/// A matrix of results, row-major, as a kernel sees it.
pub(super) struct Target<'a> {
    pub pointer: Pointer,
    pub ty: NumericType,
    pub layout: &'a Layout,
    /// of the matrix
    pub rows: &'a Index,
    pub columns: &'a Index,
    /// of the block's tile
    pub first: [Index; 2],
    /// elements that may be stored at once
    pub vector: usize,
}

/// Of each row of C that a thread has, its values in runs of neighbours: the same of every thread, as the layout from (thread, value)
/// to `row + rows * column` is a sum of both.
pub(super) fn runs(c: &Layout, rows: i64) -> Result<Vec<Vec<Vec<usize>>>, GemmError> {
    let mut values: Vec<([i64; 2], usize)> = c.mode(1)?.offsets()?.map(|at| [at % rows, at / rows]).zip(0..).collect();
    values.sort_unstable();
    let rows = values.chunk_by(|(a, _), (b, _)| a[0] == b[0]);
    let runs = |row: &[([i64; 2], usize)]| {
        let neighbours = |a: &([i64; 2], usize), b: &([i64; 2], usize)| a.0[1] + 1 == b.0[1];
        row.chunk_by(neighbours).map(|run| run.iter().map(|(_, value)| *value).collect()).collect()
    };
    Ok(rows.map(runs).collect())
}

/// Stores rows, each of some runs of neighbouring values.
pub(super) fn store(k: &mut Kernel, c: &Target, placed: &Placed, acc: &[Reg], rows: &[Vec<Vec<usize>>]) {
    let thread = k.tid();
    for runs in rows {
        let Some(first) = runs.first().and_then(|run| run.first()) else { continue };
        let [row, _] = placed.at(k, &thread, *first as i64);
        let row = row + &c.first[0];
        let inside = k.lt(&row, c.rows);
        k.branch(&inside, |k| {
            for run in runs {
                let [_, column] = placed.at(k, &thread, run[0] as i64);
                let values: Vec<Reg> = run.iter().map(|v| acc[*v]).collect();
                let words = packed(k, c.ty, &values);
                store_run(k, c, [&row, &(column + &c.first[1])], &words);
            }
        });
    }
}

/// A tile of 16-bit elements by way of shared memory, as whole rows of vectors of 16 bytes. Stored by themselves, the pairs of four
/// threads fill half a sector of memory, which made products of bf16 a sixth slower on an H200; those of 32 bits fill it, and are slower this
/// way.
pub(super) struct Staged {
    /// (row, column) to the element in shared memory: padded by a vector, so that eight rows of pairs lie in 32 banks
    tile: Layout,
    /// of the vectors that a thread stores
    placed: Placed,
    passes: i64,
}

impl Staged {
    /// Elements of a vector.
    const VECTOR: i64 = 8;

    /// Of a tile whose (thread, value) go to `row + rows * column`, if C is of 16 bits and vectors of it may be stored.
    pub fn new(claims: &mut Claims, tiling: &Tiling, c: &Layout, matrix: &Matrix) -> Result<Option<Staged>, GemmError> {
        let ([m, n, _], vector) = (tiling.tile, Staged::VECTOR);
        if matrix.bytes() != 2 || matrix.align < 16 {
            return Ok(None);
        }
        let tile = Layout::flat(&[m, n], &[n + vector, 1])?;
        let line = n / vector;
        let lines = tiling.threads() / line;
        let passes = m / lines;
        let tv = Layout::tuple(&[
            Layout::flat(&[line, lines], &[m * vector, 1])?,
            Layout::flat(&[vector, passes], &[m, lines])?,
        ])?;
        claims.proved(prove::injective(&tile))?;
        claims.proved(prove::bijective(&tv, m * n))?;
        let first = Layout::tuple(&[tv.mode(0)?, Layout::flat(&[passes], &[lines])?])?;
        claims.proved(prove::aligned(tile.compose(&first)?, vector))?;
        let warp = |tv: &Layout, values: i64| {
            let (lanes, values) = (Layout::flat(&[32], &[1])?, Layout::flat(&[values], &[1])?);
            tile.compose(&Layout::tuple(&[tv.mode(0)?.compose(&lanes)?, tv.mode(1)?.compose(&values)?])?)
        };
        claims.free("stores of the tile of C", &warp(c, 2)?, 16, Access::Store(4))?;
        claims.free("loads of the tile of C", &warp(&tv, vector)?, 16, Access::Load(16))?;
        Ok(Some(Staged { tile, placed: Placed::new(&tv, m, n)?, passes }))
    }

    /// Bytes of the tile.
    pub fn bytes(&self) -> Result<i64, GemmError> {
        Ok(2 * self.tile.cosize()?)
    }

    /// Stores pairs into shared memory, of which nothing is read or written any more, and vectors out of it.
    pub fn store(
        &self,
        k: &mut Kernel,
        c: &Target,
        ring: &Shared,
        placed: &Placed,
        acc: &[Reg],
        rows: &[Vec<Vec<usize>>],
    ) {
        let thread = k.tid();
        for pair in rows.iter().flatten() {
            let values: Vec<Reg> = pair.iter().map(|v| acc[*v]).collect();
            let words = packed(k, c.ty, &values);
            let at = placed.at(k, &thread, pair[0] as i64);
            let spot = self.spot(k, ring, &at);
            k.store(&spot, &words);
        }
        k.barrier();
        let vectors: Vec<_> = (0..self.passes)
            .map(|pass| {
                let at = self.placed.at(k, &thread, pass * Staged::VECTOR);
                let spot = self.spot(k, ring, &at);
                (at, k.load(&spot, 4))
            })
            .collect();
        for ([row, column], words) in vectors {
            let row = row + &c.first[0];
            let inside = k.lt(&row, c.rows);
            k.branch(&inside, |k| store_run(k, c, [&row, &(column + &c.first[1])], &words));
        }
    }

    fn spot(&self, k: &mut Kernel, ring: &Shared, at: &[Index; 2]) -> Spot {
        let element = k.offset(&self.tile, at);
        ring.at(&0.into()).plus(&(element * 2)).of(Type::B32)
    }
}

/// Stores neighbours of a row, which fill these registers.
fn store_run(k: &mut Kernel, c: &Target, [row, column]: [&Index; 2], words: &[Reg]) {
    let count = words.len() * 32 / c.ty.bits();
    let spot = |k: &mut Kernel, further: i64| {
        let element = k.offset(c.layout, &[row.clone(), column + further]);
        c.pointer.at(&element)
    };
    let scalars = |k: &mut Kernel| {
        let elements = unpacked(k, c.ty, words);
        for (i, value) in elements.iter().enumerate() {
            let inside = k.lt(&(column + i as i64), c.columns);
            let spot = spot(k, i as i64).of(memory_type(c.ty.bits() as i64 / 8));
            k.guarded(&inside, |k| k.store(&spot, &[*value]));
        }
    };
    if c.vector < count {
        return scalars(k);
    }
    let whole = k.lt(&(column + (count as i64 - 1)), c.columns);
    k.branch_or(
        &whole,
        |k| {
            let spot = spot(k, 0).of(Type::B32);
            k.store(&spot, words);
        },
        scalars,
    );
}

/// Two halves in a register, the first in the lower half; other types as they are.
fn packed(k: &mut Kernel, ty: NumericType, values: &[Reg]) -> Vec<Reg> {
    values
        .chunks(2)
        .flat_map(|pair| match ty {
            NumericType::F16 => vec![k.f16x2_of(pair[0], pair[1])],
            NumericType::BF16 => vec![k.bf16x2_of(pair[0], pair[1])],
            _ => pair.to_vec(),
        })
        .collect()
}

/// The elements in registers of their own.
fn unpacked(k: &mut Kernel, ty: NumericType, words: &[Reg]) -> Vec<Reg> {
    if ty.bits() == 32 {
        return words.to_vec();
    }
    words
        .iter()
        .flat_map(|word| {
            let halves = [k.reg(Type::B16), k.reg(Type::B16)];
            k.emit("mov.b32", vec![Operand::from(halves), word.into()]);
            halves
        })
        .collect()
}

//! C out of the registers: neighbouring columns as vectors, guarded at the edges.

use super::copies::Placed;
use super::memory_type;
use crate::gpu::atom::NumericType;
use crate::gpu::kernel::{Index, Kernel, Pointer};
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
                store_run(k, c, [&row, &(column + &c.first[1])], &values);
            }
        });
    }
}

fn store_run(k: &mut Kernel, c: &Target, [row, column]: [&Index; 2], values: &[Reg]) {
    let spot = |k: &mut Kernel, further: i64| {
        let element = k.offset(c.layout, &[row.clone(), column + further]);
        c.pointer.at(&element)
    };
    let scalars = |k: &mut Kernel| {
        let narrow = narrowed(k, c.ty, values);
        for (i, value) in narrow.iter().enumerate() {
            let inside = k.lt(&(column + i as i64), c.columns);
            let spot = spot(k, i as i64).of(memory_type(c.ty.bits() as i64 / 8));
            k.guarded(&inside, |k| k.store(&spot, &[*value]));
        }
    };
    if c.vector < values.len() {
        return scalars(k);
    }
    let whole = k.lt(&(column + (values.len() as i64 - 1)), c.columns);
    k.branch_or(
        &whole,
        |k| {
            let packed = packed(k, c.ty, values);
            let spot = spot(k, 0).of(Type::B32);
            k.store(&spot, &packed);
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

fn narrowed(k: &mut Kernel, ty: NumericType, values: &[Reg]) -> Vec<Reg> {
    if ty.bits() == 32 {
        return values.to_vec();
    }
    let words = packed(k, ty, values);
    words
        .into_iter()
        .flat_map(|word| {
            let halves = [k.reg(Type::B16), k.reg(Type::B16)];
            k.emit("mov.b32", vec![Operand::from(halves), word.into()]);
            halves
        })
        .collect()
}

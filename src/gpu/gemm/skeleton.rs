//! What all kernels have in common: the raster, the ring of stages, one barrier for each tile of k.

use super::copies::{Begun, Copies};
use super::mma::MmaCore;
use super::simt::SimtCore;
use super::tiling::Tiling;
use crate::gpu::kernel::{Index, Kernel};

/// Sizes up to here keep all coordinates within 32 bits.
pub(super) const MOST: i64 = 1 << 30;

/// What multiplies.
pub(super) enum Core<'a> {
    Simt(SimtCore<'a>),
    Mma(MmaCore<'a>),
}

impl Core<'_> {
    fn slices(&self) -> i64 {
        match self {
            Core::Simt(core) => core.slices(),
            Core::Mma(core) => core.slices(),
        }
    }

    /// Reads a slice of a stage into a half of the registers.
    fn fragment(&self, k: &mut Kernel, slice: i64, half: usize, stage: &Index) {
        match self {
            Core::Simt(core) => core.fragment(k, slice, half, stage),
            Core::Mma(core) => core.fragment(k, slice, half, stage),
        }
    }

    fn multiply(&self, k: &mut Kernel, half: usize) {
        match self {
            Core::Simt(core) => core.multiply(k, half),
            Core::Mma(core) => core.multiply(k, half),
        }
    }
}

/// First row and column of the block's tile: `group` tiles along m, then the next along n, then the next group.
pub(super) fn raster(k: &mut Kernel, tiling: &Tiling, [m, n]: [&Index; 2]) -> [Index; 2] {
    let ([tile_m, tile_n, _], group) = (tiling.tile, tiling.group);
    let (tiles_m, tiles_n) = (k.ceil_div(m, tile_m), k.ceil_div(n, tile_n));
    let block = k.ctaid();
    let whole = k.promised(&(tiles_n * group), 1, i32::MAX.into());
    let (which, inside) = k.div_rem_by(&block, &whole);
    let first = k.promised(&(which * group), 0, MOST / tile_m);
    let rows = k.min(&(tiles_m - &first), &group.into());
    let rows = k.promised(&rows, 1, group);
    let (column, row) = k.div_rem_by(&inside, &rows);
    // the grid has no block outside
    [k.promised(&((first + row) * tile_m), 0, MOST - 1), k.promised(&(column * tile_n), 0, MOST - 1)]
}

/// Copies the first tiles, then multiplies tile after tile and copies the one `stages - 1` further on.
pub(super) fn main_loop(
    k: &mut Kernel,
    tiling: &Tiling,
    copies: &[Begun; 2],
    core: &Core,
    stage_bytes: i64,
    depth: &Index,
) {
    let (step, ahead) = (tiling.tile[2], tiling.stages - 1);
    let asynchronous = copies.iter().any(Begun::is_asynchronous);
    let issue = |k: &mut Kernel, stage: &Index, first: &Index| {
        copies.iter().for_each(|c| c.issue(k, stage, first, depth));
        if asynchronous {
            k.copies_committed();
        }
    };
    let settle = |k: &mut Kernel, stage: &Index| copies.iter().for_each(|c| c.settle(k, stage));
    let wait = |k: &mut Kernel| {
        if asynchronous {
            k.copies_done(ahead as u32 - 1);
        }
        k.barrier();
    };
    for stage in 0..ahead {
        // tiles beyond k too, as zeros
        let begin = (stage * stage_bytes).into();
        issue(k, &begin, &(stage * step).into());
        settle(k, &begin);
    }
    let last = ahead * stage_bytes;
    let read = k.variable(&0.into(), 0, last);
    let write = k.variable(&last.into(), 0, last);
    wait(k);
    core.fragment(k, 0, 0, &0.into());
    k.for_each(&0.into(), depth, step, |k, first| {
        for slice in 0..core.slices() {
            let next = (slice + 1) % core.slices();
            if next == 0 {
                settle(k, &write);
                // all of the stage has been read: it is written from now on, once everyone is here
                k.assign(&write, &read);
                let wraps = k.eq(&read, &last.into());
                let following = k.select(wraps, &0.into(), &(&read + stage_bytes));
                k.assign(&read, &following);
                wait(k);
            }
            core.fragment(k, next, next as usize % 2, &read);
            if slice == 0 {
                issue(k, &write, &(first + ahead * step));
            }
            core.multiply(k, slice as usize % 2);
        }
    });
}

/// Waits for the copies beyond the last tile, and for everyone to have read it.
pub(super) fn drain(k: &mut Kernel, copies: &[Begun; 2]) {
    if copies.iter().any(Begun::is_asynchronous) {
        k.copies_done(0);
    }
    k.barrier();
}

/// Bytes of a stage's two parts, each from a multiple of 128 on.
pub(super) fn parts(copies: &[Copies; 2]) -> Result<[i64; 2], super::GemmError> {
    let [a, b] = copies.each_ref().map(Copies::part);
    Ok([a?, b?])
}

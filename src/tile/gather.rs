//! Elements out of memory and into it, in the row-major order of a tile.

use super::shape::Shape;
use crate::layout::{Layout, LayoutError};

/// The elements at a layout's values.
pub fn collect<E: Copy + Default>(memory: &[E], layout: &Layout, shape: Shape) -> Vec<E> {
    let mut values = vec![E::default(); shape.size()];
    let mode = |extent, there, here| Mode { extent, from: there, to: here };
    // a layout that has no row-major order was never made
    let _ = modes(layout, mode).and_then(|modes| transfer(memory, &mut values, &modes));
    values
}

/// Elements to a layout's values.
pub fn scatter<E: Copy + Default>(values: &[E], memory: &mut [E], layout: &Layout) {
    let mode = |extent, there, here| Mode { extent, from: here, to: there };
    let _ = modes(layout, mode).and_then(|modes| transfer(values, memory, &modes));
}

/// A loop: how often, and how far apart the elements are that it reads and writes.
#[derive(Clone, Copy)]
struct Mode {
    extent: usize,
    from: usize,
    to: usize,
}

/// The loops over a layout, the innermost first: as few as there can be.
fn modes(layout: &Layout, mode: impl Fn(usize, usize, usize) -> Mode) -> Result<Vec<Mode>, LayoutError> {
    let layout = layout.reverse()?.coalesce();
    let mut size = 1;
    let one = |i| {
        let known = (layout.leaf_extent(i)?.value(), layout.leaf_stride(i)?.value());
        let (Some(extent), Some(stride)) = known else { return Err(LayoutError::Undecided) };
        let mode = mode(extent as usize, stride as usize, size);
        size *= extent as usize;
        Ok(mode)
    };
    (0..layout.leaves()).map(one).collect()
}

fn transfer<E: Copy + Default>(from: &[E], to: &mut [E], modes: &[Mode]) -> Result<(), LayoutError> {
    let longer = modes.iter().enumerate().filter(|(_, mode)| mode.extent > 1);
    let write = longer.clone().min_by_key(|(_, mode)| mode.to);
    let read = longer.filter(|(_, mode)| mode.from > 0).min_by_key(|(_, mode)| mode.from);
    let Some((x, &columns)) = write else {
        to[0] = from[0];
        return Ok(());
    };
    match read {
        // what is next to each other in one memory is not in the other
        Some((y, &rows)) if rows.from < columns.from => {
            let mut buffer = [[E::default(); BLOCK]; BLOCK];
            each(modes, &[x, y], |f, t| transpose(&from[f..], &mut to[t..], [columns, rows], &mut buffer))
        }
        _ => each(modes, &[x], |f, t| line(&from[f..], &mut to[t..], columns)),
    }
}

/// Calls `f` with where the other loops are, in the memory that is read and in the one that is written.
fn each(modes: &[Mode], but: &[usize], mut f: impl FnMut(usize, usize)) -> Result<(), LayoutError> {
    let outer: Vec<_> = modes.iter().enumerate().filter(|(i, _)| !but.contains(i)).map(|(_, mode)| *mode).collect();
    let layout = |stride: fn(&Mode) -> usize| match outer.is_empty() {
        true => Ok(Layout::UNIT),
        false => {
            let extents: Vec<i64> = outer.iter().map(|mode| mode.extent as i64).collect();
            Layout::flat(&extents, &outer.iter().map(|mode| stride(mode) as i64).collect::<Vec<_>>())
        }
    };
    let (from, to) = (layout(|mode| mode.from)?, layout(|mode| mode.to)?);
    from.offsets()?.zip(to.offsets()?).for_each(|(from, to)| f(from as usize, to as usize));
    Ok(())
}

fn line<E: Copy>(from: &[E], to: &mut [E], mode: Mode) {
    let Mode { extent, .. } = mode;
    match (mode.from, mode.to) {
        (1, 1) => to[..extent].copy_from_slice(&from[..extent]),
        (0, 1) => to[..extent].fill(from[0]),
        (step, 1) => to[..extent].iter_mut().zip(from.iter().step_by(step)).for_each(|(to, &from)| *to = from),
        (step_from, step_to) => (0..extent).for_each(|i| to[i * step_to] = from[i * step_from]),
    }
}

/// Elements that are transposed together, in each direction: through a buffer, so that each cache line is read and written once,
/// however many of them share a place in the cache.
const BLOCK: usize = 32;

fn transpose<E: Copy>(from: &[E], to: &mut [E], [columns, rows]: [Mode; 2], buffer: &mut [[E; BLOCK]; BLOCK]) {
    let (width, height) = (columns.extent.min(BLOCK), rows.extent.min(BLOCK));
    for j in (0..rows.extent).step_by(BLOCK) {
        for i in (0..columns.extent).step_by(BLOCK) {
            for (a, buffer) in buffer.iter_mut().enumerate().take(width) {
                let from = &from[(i + a) * columns.from + j * rows.from..];
                line(from, buffer, Mode { extent: height, from: rows.from, to: 1 });
            }
            for b in 0..height {
                let to = &mut to[i * columns.to + (j + b) * rows.to..];
                if columns.to == 1 {
                    to[..width].iter_mut().zip(buffer.iter()).for_each(|(to, row)| *to = row[b]);
                } else {
                    (0..width).for_each(|a| to[a * columns.to] = buffer[a][b]);
                }
            }
        }
    }
}

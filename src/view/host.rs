//! Chunks loaded from memory on the host, and stored to it.
//!
//! Every check is made before the first element is touched, so that an error leaves memory as it was. Accesses happen one after
//! the other: orders and scopes ask for nothing more. Memory that several threads use is a [`CellsMut`] of its own.

use super::cells::{Cells, CellsMut};
use super::chunk::holds;
use super::index::At;
use super::place::{Axis, axes, rows};
use super::{Access, AccessKind, AtomicOp, View, ViewError};
use crate::tile::{AnyTile, Element, ElementType, bf16, f16};
use core::ops::{Add, Sub};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The tile of a chunk.
///
/// # Errors
/// The access is no load or does not exist for the elements, the memory is of other elements or too short, or the chunk is
/// not, or not wholly where it must be, in the span.
/// ```
/// use girih::prelude::*;
/// use girih::tile::{ElementType, Shape};
/// use girih::view::{Access, At, Chunks, View, host};
/// let view = View::new(ElementType::I32, layout!((4,4):(4,1)), ElementType::I64, Chunks::partition(Shape::new(&[2, 2])?))?;
/// let memory: Vec<i32> = (0..16).collect();
/// let tile = host::load(&view, &Access::LOAD, &[At::Number(1), At::Number(0)], &memory[..])?;
/// assert_eq!(tile.to_vec::<i32>(), Some(vec![8, 9, 12, 13]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn load<E: Element, C: Cells<E> + ?Sized>(
    view: &View,
    access: &Access,
    index: &[At<AnyTile>],
    cells: &C,
) -> Result<AnyTile, ViewError> {
    if access.kind != AccessKind::Load {
        return Err(ViewError::Kind(access.kind));
    }
    elements::<E>(view)?;
    let axes = axes(view, access, index, cells.len())?;
    // a chunk that is not masked has no elements outside
    let padding = E::from_bits(access.padding.bits(E::TYPE).unwrap_or(0));
    let mut out = Vec::with_capacity(view.chunks.tile().size());
    let Some((last, outer)) = axes.split_last() else { return Err(rank(view, index)) };
    rows(outer, 0, &mut |base| {
        let Some(base) = base else { return out.resize(out.len() + last.len(), padding) };
        match last {
            Axis::Run { first, step, inside, len } => {
                let begin = (base + first) as usize;
                match step {
                    1 => cells.append(begin, *inside, &mut out),
                    _ => out.extend((0..*inside).map(|j| cells.get(begin + j * *step as usize))),
                }
                out.resize(out.len() + len - inside, padding);
            }
            Axis::List(list) => {
                out.extend(list.iter().map(|at| at.map_or(padding, |at| cells.get((base + at) as usize))));
            }
        }
    });
    Ok(AnyTile::new(view.chunks.tile(), out)?)
}

/// A tile stored to a chunk, or combined with it by an atomic operation, as the access says.
///
/// # Errors
/// As [`load`], and also: the tile is not the chunk's, two elements of the span are one in memory, a row is stored to twice
/// without a strong operation, or the least integer is subtracted.
pub fn store<E: Element, C: CellsMut<E> + ?Sized>(
    view: &View,
    access: &Access,
    tile: &AnyTile,
    index: &[At<AnyTile>],
    cells: &C,
) -> Result<(), ViewError> {
    elements::<E>(view)?;
    if tile.ty() != view.tile() {
        return Err(ViewError::Tile { got: tile.ty(), expected: view.tile() });
    }
    let axes = axes(view, access, index, cells.len())?;
    let values: Cow<[E]> = match tile.row_major() {
        Some(values) => values.into(),
        None => tile.to_vec().unwrap_or_default().into(),
    };
    let Some((last, outer)) = axes.split_last() else { return Err(rank(view, index)) };
    let AccessKind::Atomic(op) = access.kind else {
        if access.kind == AccessKind::Load {
            return Err(ViewError::Kind(access.kind));
        }
        return Ok(each_row(outer, last, &values, |begin, step, values| match step {
            1 => cells.write(begin, values),
            _ => (0..).zip(values).for_each(|(j, &value)| cells.set(begin + j * step, value)),
        }));
    };
    let combine = combine(op, E::TYPE).ok_or(ViewError::Atomic { op, element: E::TYPE })?;
    let least = 1 << (E::TYPE.bits() - 1);
    if op == AtomicOp::Sub && E::TYPE.is_integer() && E::TYPE.is_signed() {
        let mut negated = true;
        each_row(outer, last, &values, |_, _, values| negated &= values.iter().all(|v| v.to_bits() != least));
        if !negated {
            return Err(ViewError::Negation { element: E::TYPE });
        }
    }
    each_row(outer, last, &values, |begin, step, values| {
        for (j, v) in (0..).zip(values) {
            cells.update(begin + j * step, |k| E::from_bits(combine(k.to_bits(), v.to_bits())));
        }
    });
    Ok(())
}

/// Do the sums of an atomic operation on signed integers exist, in whatever order elements of the tile are added to one in memory?
///
/// The views' methods ask this first. [`store`] does not, and wraps: what it changes may be memory to which other blocks add.
///
/// # Errors
/// As [`store`], or [`ViewError::Overflow`].
pub(super) fn sums<E: Element, C: CellsMut<E> + ?Sized>(
    view: &View,
    access: &Access,
    tile: &AnyTile,
    index: &[At<AnyTile>],
    cells: &C,
) -> Result<(), ViewError> {
    let AccessKind::Atomic(op @ (AtomicOp::Add | AtomicOp::Sub)) = access.kind else { return Ok(()) };
    let (element, bits) = (E::TYPE, E::TYPE.bits());
    if !(element.is_integer() && element.is_signed()) || tile.ty() != view.tile() {
        return Ok(());
    }
    let axes = axes(view, access, index, cells.len())?;
    let Some((last, outer)) = axes.split_last() else { return Err(rank(view, index)) };
    let number = |x: E| i128::from((x.to_bits() << (64 - bits)) as i64 >> (64 - bits));
    // the least and the greatest sum on the way, over all orders
    let mut ends: BTreeMap<usize, (i128, i128)> = BTreeMap::new();
    each_row(outer, last, &tile.to_vec().unwrap_or_default(), |begin, step, values| {
        for (j, &v) in (0..).zip(values) {
            let v = if op == AtomicOp::Add { number(v) } else { -number(v) };
            let at = begin + j * step;
            let (least, greatest) = ends.entry(at).or_insert_with(|| (number(cells.get(at)), number(cells.get(at))));
            *least += v.min(0);
            *greatest += v.max(0);
        }
    });
    match ends.into_iter().find(|(_, (least, greatest))| !holds(element, *least) || !holds(element, *greatest)) {
        Some((offset, _)) => Err(ViewError::Overflow { offset, element }),
        None => Ok(()),
    }
}

/// The elements in the span with their values in the tile: where each run of them begins, their distance, and the values.
fn each_row<E>(outer: &[Axis], last: &Axis, values: &[E], mut f: impl FnMut(usize, usize, &[E])) {
    let mut values = values.chunks(last.len());
    rows(outer, 0, &mut |base| {
        let (Some(values), Some(base)) = (values.next(), base) else { return };
        match last {
            Axis::Run { first, step, inside, .. } => f((base + first) as usize, *step as usize, &values[..*inside]),
            Axis::List(list) => {
                for (at, value) in list.iter().zip(values) {
                    if let Some(at) = at {
                        f((base + at) as usize, 1, core::slice::from_ref(value));
                    }
                }
            }
        }
    });
}

fn elements<E: Element>(view: &View) -> Result<(), ViewError> {
    match view.element == E::TYPE {
        true => Ok(()),
        false => Err(ViewError::Element { got: E::TYPE, expected: view.element }),
    }
}

fn rank(view: &View, index: &[At<AnyTile>]) -> ViewError {
    ViewError::Rank { got: index.len() as u8, span: view.rank() as u8 }
}

/// What an atomic operation makes of the bits of an element in memory and of one of the tile.
fn combine(op: AtomicOp, element: ElementType) -> Option<fn(u64, u64) -> u64> {
    fn max<E: Element + Ord>(k: u64, v: u64) -> u64 {
        E::from_bits(k).max(E::from_bits(v)).to_bits()
    }
    fn min<E: Element + Ord>(k: u64, v: u64) -> u64 {
        E::from_bits(k).min(E::from_bits(v)).to_bits()
    }
    fn add<E: Element + Add<Output = E>>(k: u64, v: u64) -> u64 {
        (E::from_bits(k) + E::from_bits(v)).to_bits()
    }
    fn sub<E: Element + Sub<Output = E>>(k: u64, v: u64) -> u64 {
        (E::from_bits(k) - E::from_bits(v)).to_bits()
    }
    use ElementType::{Bf16, F16, F32, F64, I32, I64};
    // of integers, what is done to 64 bits of which the upper ones are 0 is right in the lower ones
    Some(match (op, element) {
        _ if !op.takes(element) => return None,
        (AtomicOp::And, _) => |k, v| k & v,
        (AtomicOp::Or, _) => |k, v| k | v,
        (AtomicOp::Xor, _) => |k, v| k ^ v,
        (AtomicOp::Max, I32) => max::<i32>,
        (AtomicOp::Max, I64) => max::<i64>,
        (AtomicOp::Max, _) => max::<u64>,
        (AtomicOp::Min, I32) => min::<i32>,
        (AtomicOp::Min, I64) => min::<i64>,
        (AtomicOp::Min, _) => min::<u64>,
        (AtomicOp::Add, F16) => add::<f16>,
        (AtomicOp::Add, Bf16) => add::<bf16>,
        (AtomicOp::Add, F32) => add::<f32>,
        (AtomicOp::Add, F64) => add::<f64>,
        (AtomicOp::Add, _) => u64::wrapping_add,
        (AtomicOp::Sub, F16) => sub::<f16>,
        (AtomicOp::Sub, Bf16) => sub::<bf16>,
        (AtomicOp::Sub, F32) => sub::<f32>,
        (AtomicOp::Sub, F64) => sub::<f64>,
        (AtomicOp::Sub, _) => u64::wrapping_sub,
    })
}

//! Chunks loaded from memory on the host, and stored to it.
//!
//! Every check is made before the first element is touched, so that an error leaves memory as it was. Accesses happen one after
//! the other: orders and scopes ask for nothing more. Memory that several threads use is a [`CellsMut`] of its own.

use super::cells::{Cells, CellsMut};
use super::index::At;
pub(crate) use super::place::admits;
use super::place::{Axis, axes, rows};
use super::{Access, AccessKind, AtomicOp, View, ViewError};
use crate::tile::{AnyTile, Element, ElementType, TileType, bf16, f16};
use core::ops::{Add, Range, Sub};
use std::borrow::Cow;

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
    admits(view, access, cells.len())?;
    Located::new(view, access, index)?.load(cells)
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
    if access.kind == AccessKind::Load {
        return Err(ViewError::Kind(access.kind));
    }
    elements::<E>(view)?;
    admits(view, access, cells.len())?;
    let place = Located::new(view, access, index)?;
    place.check::<E>(tile)?;
    place.store(tile, cells);
    Ok(())
}

/// A chunk whose index is known: where its elements lie. The memory is as long as [`admits`] found it.
pub(crate) struct Located {
    outer: Vec<Axis>,
    last: Axis,
    tile: TileType,
    access: Access,
}

impl Located {
    pub fn new(view: &View, access: &Access, index: &[At<AnyTile>]) -> Result<Located, ViewError> {
        let mut outer = axes(view, access, index)?;
        let last = outer.pop().ok_or(ViewError::Rank { got: index.len() as u8, span: view.rank() as u8 })?;
        Ok(Located { outer, last, tile: view.tile(), access: *access })
    }

    /// The tile of the chunk.
    pub fn load<E: Element, C: Cells<E> + ?Sized>(&self, cells: &C) -> Result<AnyTile, ViewError> {
        // a chunk that is not masked has no elements outside
        let padding = E::from_bits(self.access.padding.bits(E::TYPE).unwrap_or(0));
        let mut out = Vec::with_capacity(self.tile.shape.size());
        rows(&self.outer, 0, &mut |base| {
            let Some(base) = base else {
                return out.resize(out.len() + self.last.len(), padding);
            };
            match &self.last {
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
        Ok(AnyTile::new(self.tile.shape, out)?)
    }

    /// May this tile be stored to the chunk?
    pub fn check<E: Element>(&self, tile: &AnyTile) -> Result<(), ViewError> {
        if tile.ty() != self.tile {
            return Err(ViewError::Tile { got: tile.ty(), expected: self.tile });
        }
        let least = 1 << (E::TYPE.bits() - 1);
        if self.access.kind == AccessKind::Atomic(AtomicOp::Sub) && E::TYPE.is_integer() && E::TYPE.is_signed() {
            let mut negated = true;
            self.each_row::<E>(tile, |_, _, values| negated &= values.iter().all(|v| v.to_bits() != least));
            if !negated {
                return Err(ViewError::Negation { element: E::TYPE });
            }
        }
        Ok(())
    }

    /// Stores a tile that [`Located::check`] admits, or combines it.
    pub fn store<E: Element, C: CellsMut<E> + ?Sized>(&self, tile: &AnyTile, cells: &C) {
        self.each_row::<E>(tile, |begin, step, values| write(self.access.kind, begin, step, values, cells));
    }

    /// How it is accessed.
    pub fn kind(&self) -> AccessKind {
        self.access.kind
    }

    /// The offsets of its elements in the span, as runs of neighbours.
    pub fn each_run(&self, mut f: impl FnMut(Range<usize>)) {
        rows(&self.outer, 0, &mut |base| {
            let Some(base) = base else { return };
            match &self.last {
                Axis::Run { first, step: 1, inside, .. } => {
                    f((base + first) as usize..(base + first) as usize + inside)
                }
                Axis::Run { first, step, inside, .. } => {
                    (0..*inside as i64).map(|j| (base + first + j * step) as usize).for_each(|at| f(at..at + 1));
                }
                Axis::List(list) => list.iter().flatten().map(|at| (base + at) as usize).for_each(|at| f(at..at + 1)),
            }
        });
    }

    /// The elements in the span with their values in a tile: where each run of them begins, their distance, and the values.
    pub fn each_row<E: Element>(&self, tile: &AnyTile, mut f: impl FnMut(usize, usize, &[E])) {
        let values = values(tile);
        let mut values = values.chunks(self.last.len());
        rows(&self.outer, 0, &mut |base| {
            let (Some(values), Some(base)) = (values.next(), base) else {
                return;
            };
            match &self.last {
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
}

/// Stores to elements `begin, begin + step, ...`, or combines values with them.
pub(crate) fn write<E: Element, C: CellsMut<E> + ?Sized>(
    kind: AccessKind,
    begin: usize,
    step: usize,
    values: &[E],
    cells: &C,
) {
    match kind {
        AccessKind::Load => {}
        AccessKind::Store if step == 1 => cells.write(begin, values),
        AccessKind::Store => (0..).zip(values).for_each(|(j, &value)| cells.set(begin + j * step, value)),
        AccessKind::Atomic(op) => {
            let Some(combine) = combine(op, E::TYPE) else { return };
            for (j, v) in (0..).zip(values) {
                cells.update(begin + j * step, |k| E::from_bits(combine(k.to_bits(), v.to_bits())));
            }
        }
    }
}

/// The elements of a tile in row-major order.
fn values<E: Element>(tile: &AnyTile) -> Cow<'_, [E]> {
    match tile.row_major() {
        Some(values) => values.into(),
        None => tile.to_vec().unwrap_or_default().into(),
    }
}

fn elements<E: Element>(view: &View) -> Result<(), ViewError> {
    match view.element == E::TYPE {
        true => Ok(()),
        false => Err(ViewError::Element { got: E::TYPE, expected: view.element }),
    }
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

//! Where the elements of one chunk lie on the host.

use super::chunk::{View, holds};
use super::index::{At, integers};
use super::memory::reaches;
use super::{Access, AccessKind, ViewError};
use crate::algebra::prove::{self, Counterexample, Verdict};
use crate::layout::Layout;
use crate::tile::{AnyTile, Shape, TileType};

/// One dimension of a chunk: the offsets of its elements, of those that are in the span.
pub(super) enum Axis {
    /// the first `inside` of `len` are, `step` apart
    Run { first: i64, step: i64, inside: usize, len: usize },
    /// any
    List(Vec<Option<i64>>),
}

impl Axis {
    pub fn len(&self) -> usize {
        match self {
            Axis::Run { len, .. } => *len,
            Axis::List(list) => list.len(),
        }
    }

    pub fn at(&self, j: usize) -> Option<i64> {
        match self {
            Axis::Run { first, step, inside, .. } => (j < *inside).then_some(first + j as i64 * step),
            Axis::List(list) => list[j],
        }
    }
}

/// Does the access exist for the view, and is the memory that of its span? The same for all chunks.
pub(crate) fn admits(view: &View, access: &Access, len: usize) -> Result<(), ViewError> {
    access.check(view.element)?;
    reaches(&view.span, len)?;
    match access.kind {
        AccessKind::Load => Ok(()),
        AccessKind::Store | AccessKind::Atomic(_) => injective(&view.span),
    }
}

/// The axes of a chunk, the last one the fastest.
pub(super) fn axes(view: &View, access: &Access, index: &[At<AnyTile>]) -> Result<Vec<Axis>, ViewError> {
    if index.len() != view.rank() {
        return Err(ViewError::Rank { got: index.len() as u8, span: view.rank() as u8 });
    }
    let axes = index.iter().enumerate().map(|(dim, at)| match view.chunks.gathered() {
        Some(listed) if listed == dim => listed_axis(view, access, dim, at),
        _ => chunk_axis(view, access, dim, at),
    });
    Ok(merged(axes.collect::<Result<_, _>>()?))
}

/// What is known of an access before symbols and the tiles of an index are: is it one that no launch admits?
pub(crate) fn foreseen(
    view: &View,
    access: &Access,
    index: impl Iterator<Item = Option<i128>>,
) -> Result<(), ViewError> {
    View::new(view.element, view.span, view.index, view.chunks)?;
    access.check(view.element)?;
    if access.kind != AccessKind::Load && view.span.known_leaves().is_some() {
        injective(&view.span)?;
    }
    for (dim, n) in index.enumerate() {
        if let (Some(n), Some(extent)) = (n, view.span.mode(dim)?.size_int()?.value()) {
            let index = numbers(view, dim, &At::Number(n), Shape::SCALAR)?[0];
            within(view, access, dim, index, extent)?;
        }
    }
    Ok(())
}

/// No two elements of the span are one in memory.
pub(super) fn injective(span: &Layout) -> Result<(), ViewError> {
    if apart(span) {
        return Ok(());
    }
    match prove::injective(span) {
        Verdict::Proved(_) => Ok(()),
        Verdict::Refuted(r) => match r.counterexample {
            Counterexample::Twice { j, i, value } => {
                Err(ViewError::NotInjective { first: j, second: i, offset: value })
            }
            _ => Err(ViewError::Undecided),
        },
        _ => Err(ViewError::Undecided),
    }
}

/// The usual spans need no proof: by increasing stride, each leaf steps over all those before.
fn apart(span: &Layout) -> bool {
    let Some((shape, stride)) = span.known_leaves() else {
        return false;
    };
    let mut leaves: Vec<_> = stride.iter().zip(shape).filter(|(_, n)| **n > 1).collect();
    leaves.sort_unstable();
    let mut reach = 0;
    leaves.iter().all(|(d, n)| {
        let over = **d > reach;
        reach += (*n - 1) * *d;
        over
    })
}

/// The numbers of an index's entry, each of the span's index type.
fn numbers(view: &View, dim: usize, at: &At<AnyTile>, shape: Shape) -> Result<Vec<i128>, ViewError> {
    let numbers = match at {
        At::Number(n) if shape.rank() == 0 => vec![*n],
        At::Number(_) => return Err(unlike(view, shape, TileType::scalar(view.index))),
        At::Tile(tile) if tile.shape() == shape => integers(tile).ok_or_else(|| unlike(view, shape, tile.ty()))?,
        At::Tile(tile) => return Err(unlike(view, shape, tile.ty())),
    };
    match numbers.iter().find(|&&n| !holds(view.index, n)) {
        Some(&index) => Err(ViewError::Unrepresentable { dim: dim as u8, index, ty: view.index }),
        None => Ok(numbers),
    }
}

fn unlike(view: &View, shape: Shape, got: TileType) -> ViewError {
    ViewError::Tile { got, expected: TileType::new(view.index, shape) }
}

/// Extent and stride of a dimension, if it is one mode.
fn mode(view: &View, dim: usize) -> Result<(i64, Option<i64>), ViewError> {
    if let Some((shape, stride)) = view.span.known_leaves()
        && shape.len() == view.rank()
    {
        return Ok((shape[dim], Some(stride[dim])));
    }
    Ok((view.span.mode(dim)?.size()?, None))
}

fn chunk_axis(view: &View, access: &Access, dim: usize, at: &At<AnyTile>) -> Result<Axis, ViewError> {
    let index = numbers(view, dim, at, Shape::SCALAR)?[0];
    let (extent, step) = mode(view, dim)?;
    let (tile, _) = view.chunks.step(dim);
    let (begin, inside) = within(view, access, dim, index, extent)?;
    Ok(match step {
        Some(step) => Axis::Run { first: begin * step, step, inside: inside as usize, len: tile as usize },
        None => {
            let mode = view.span.mode(dim)?;
            let offset = |j: i64| {
                if j < inside { mode.at(begin + j).map(Some) } else { Ok(None) }
            };
            Axis::List((0..tile.into()).map(offset).collect::<Result<_, _>>()?)
        }
    })
}

/// Where a chunk begins along a dimension, and how many of its elements are in the span.
fn within(view: &View, access: &Access, dim: usize, index: i128, extent: i64) -> Result<(i64, i64), ViewError> {
    let (tile, stride) = view.chunks.step(dim);
    let begin = index.checked_mul(stride.into()).and_then(|begin| i64::try_from(begin).ok());
    let begin = begin.filter(|begin| (0..extent).contains(begin));
    let Some(begin) = begin else {
        return Err(ViewError::Outside { dim: dim as u8, index, stride, extent });
    };
    let inside = (extent - begin).min(tile.into());
    if inside < tile.into() && !access.masked {
        return Err(ViewError::Partial { dim: dim as u8, index, stride, tile, extent });
    }
    Ok((begin, inside))
}

fn listed_axis(view: &View, access: &Access, dim: usize, at: &At<AnyTile>) -> Result<Axis, ViewError> {
    let rows = view.chunks.tile().extent(dim);
    let list = numbers(view, dim, at, Shape::new(&[rows])?)?;
    let (extent, _) = mode(view, dim)?;
    let mode = view.span.mode(dim)?;
    if access.kind == AccessKind::Store && access.strong.is_none() {
        distinct(&list, extent, dim)?;
    }
    let offset = |(at, &index): (usize, &i128)| match i64::try_from(index).ok().and_then(|index| mode.at(index).ok()) {
        Some(offset) => Ok(Some(offset)),
        None if access.masked => Ok(None),
        None => Err(ViewError::Gather { dim: dim as u8, at: at as u32, index, extent }),
    };
    Ok(Axis::List(list.iter().enumerate().map(offset).collect::<Result<_, _>>()?))
}

/// No row is stored to twice.
fn distinct(list: &[i128], extent: i64, dim: usize) -> Result<(), ViewError> {
    let mut rows: Vec<_> = (0..).zip(list).filter(|(_, index)| (0..extent.into()).contains(*index)).collect();
    rows.sort_unstable_by_key(|&(at, index)| (index, at));
    match rows.windows(2).find(|pair| pair[0].1 == pair[1].1) {
        Some(&[(first, &index), (second, _)]) => Err(ViewError::Duplicate { dim: dim as u8, index, first, second }),
        _ => Ok(()),
    }
}

/// The same elements in the same order with fewer axes: those that continue each other are one.
fn merged(axes: Vec<Axis>) -> Vec<Axis> {
    let mut merged: Vec<Axis> = Vec::with_capacity(axes.len());
    for axis in axes {
        match (merged.last_mut(), &axis) {
            (
                Some(Axis::Run { first, step: outer, inside, len }),
                &Axis::Run { first: begin, step, inside: filled, len: n },
            ) if filled == n && (*len == 1 || *outer == step * n as i64) => {
                *first += begin;
                (*outer, *inside, *len) = (step, *inside * n, *len * n);
            }
            _ => merged.push(axis),
        }
    }
    merged
}

/// The rows of a chunk along its last axis, in order: where each begins, or None if it is not in the span.
pub(super) fn rows(outer: &[Axis], base: i64, f: &mut impl FnMut(Option<i64>)) {
    let Some((axis, rest)) = outer.split_first() else {
        return f(Some(base));
    };
    for j in 0..axis.len() {
        match axis.at(j) {
            Some(offset) => rows(rest, base + offset, f),
            None => (0..rest.iter().map(Axis::len).product()).for_each(|_| f(None)),
        }
    }
}

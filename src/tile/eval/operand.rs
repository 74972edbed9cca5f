//! Operands as loops read them.

use crate::tile::element::Element;
use crate::tile::shape::Shape;
use crate::tile::value::AnyTile;
use crate::tile::{TileError, gather};
use std::borrow::Cow;

/// The elements that a loop takes at a time: few enough to stay in the first cache.
const CHUNK: usize = 1024;

/// The elements of a tile in row-major order: where they are, if they are in that order, else collected.
pub(super) struct Operand<'a, E: Element> {
    values: Cow<'a, [E]>,
    /// all elements are equal, and `values` as many as a chunk has
    splat: bool,
}

impl<'a, E: Element> Operand<'a, E> {
    /// Of a tile of these elements.
    pub fn of(tile: &'a AnyTile) -> Operand<'a, E> {
        let size = tile.shape().size();
        if let Some(values) = tile.row_major() {
            return Operand { values: Cow::Borrowed(values), splat: size == 1 };
        }
        let memory = tile.memory::<E>().unwrap_or_default();
        match memory.first() {
            Some(&value) if tile.is_splat() => {
                Operand { values: Cow::Owned(vec![value; size.min(CHUNK)]), splat: true }
            }
            _ => Operand { values: Cow::Owned(gather::collect(memory, tile.layout(), tile.shape())), splat: false },
        }
    }

    fn chunk(&self, at: usize, len: usize) -> impl ExactSizeIterator<Item = E> {
        let at = if self.splat { 0 } else { at };
        self.values[at..at + len].iter().copied()
    }
}

/// All elements of a tile in row-major order.
pub(super) fn all<E: Element>(tile: &AnyTile) -> Cow<'_, [E]> {
    match (Operand::of(tile), tile.shape().size()) {
        (Operand { values, splat: true }, size @ 2..) => Cow::Owned(vec![values[0]; size]),
        (Operand { values, .. }, _) => values,
    }
}

/// A function of each element.
pub(super) fn map<A: Element, R: Element>(x: &AnyTile, f: impl Fn(A) -> R) -> Result<AnyTile, TileError> {
    let a = Operand::of(x);
    chunks(x.shape(), a.splat, |out, at, len| out.extend(a.chunk(at, len).map(&f)))
}

/// A function of the elements of two tiles.
pub(super) fn zip<A: Element, B: Element, R: Element>(
    x: &AnyTile,
    y: &AnyTile,
    f: impl Fn(A, B) -> R,
) -> Result<AnyTile, TileError> {
    let (a, b) = (Operand::of(x), Operand::of(y));
    chunks(x.shape(), a.splat && b.splat, |out, at, len| {
        out.extend(a.chunk(at, len).zip(b.chunk(at, len)).map(|(a, b)| f(a, b)));
    })
}

/// A function of the elements of three tiles.
pub(super) fn zip3<A: Element, B: Element, C: Element, R: Element>(
    [x, y, z]: [&AnyTile; 3],
    f: impl Fn(A, B, C) -> R,
) -> Result<AnyTile, TileError> {
    let (a, b, c) = (Operand::of(x), Operand::of(y), Operand::of(z));
    chunks(x.shape(), a.splat && b.splat && c.splat, |out, at, len| {
        out.extend(a.chunk(at, len).zip(b.chunk(at, len)).zip(c.chunk(at, len)).map(|((a, b), c)| f(a, b, c)));
    })
}

/// A tile made chunk by chunk, or of one element for all.
fn chunks<R: Element>(
    shape: Shape,
    splat: bool,
    fill: impl Fn(&mut Vec<R>, usize, usize),
) -> Result<AnyTile, TileError> {
    let size = if splat { 1 } else { shape.size() };
    let mut out = Vec::with_capacity(size);
    let len = size.min(CHUNK);
    (0..size).step_by(len).for_each(|at| fill(&mut out, at, len));
    match out[..] {
        [value] => AnyTile::splat(shape, value),
        _ => AnyTile::new(shape, out),
    }
}

//! Memory on the host.

use core::cell::Cell;

/// Memory whose elements can be read by number. Numbers are below [`Cells::len`].
///
/// `[E]` is memory to read; `[Cell<E>]` is memory to write through a shared reference, so that several views of it can exist.
pub trait Cells<E: Copy> {
    /// How many elements there are.
    fn len(&self) -> usize;

    /// Is there none?
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element at an offset.
    fn get(&self, offset: usize) -> E;

    /// `len` elements one after the other, appended.
    fn append(&self, offset: usize, len: usize, out: &mut Vec<E>) {
        out.extend((offset..offset + len).map(|at| self.get(at)));
    }
}

/// Memory whose elements can be written.
pub trait CellsMut<E: Copy>: Cells<E> {
    /// Replaces an element.
    fn set(&self, offset: usize, value: E);

    /// Replaces elements one after the other.
    fn write(&self, offset: usize, values: &[E]) {
        for (at, &value) in (offset..).zip(values) {
            self.set(at, value);
        }
    }

    /// Replaces an element by a function of it, in one step.
    fn update(&self, offset: usize, f: impl FnOnce(E) -> E) {
        self.set(offset, f(self.get(offset)));
    }
}

impl<E: Copy> Cells<E> for [E] {
    fn len(&self) -> usize {
        <[E]>::len(self)
    }
    #[inline]
    fn get(&self, offset: usize) -> E {
        self[offset]
    }
    fn append(&self, offset: usize, len: usize, out: &mut Vec<E>) {
        out.extend_from_slice(&self[offset..offset + len]);
    }
}

impl<E: Copy> Cells<E> for [Cell<E>] {
    fn len(&self) -> usize {
        <[Cell<E>]>::len(self)
    }
    #[inline]
    fn get(&self, offset: usize) -> E {
        self[offset].get()
    }
    fn append(&self, offset: usize, len: usize, out: &mut Vec<E>) {
        out.extend(self[offset..offset + len].iter().map(Cell::get));
    }
}

impl<E: Copy> CellsMut<E> for [Cell<E>] {
    #[inline]
    fn set(&self, offset: usize, value: E) {
        self[offset].set(value);
    }
    fn write(&self, offset: usize, values: &[E]) {
        for (cell, &value) in self[offset..offset + values.len()].iter().zip(values) {
            cell.set(value);
        }
    }
}

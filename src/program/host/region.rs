//! The memory of one span during a run.

use super::error::Touch;
use crate::layout::Layout;
use crate::program::Line;
use crate::tile::{AnyTile, Element, ElementType};
use crate::view::{Access, At, Cells, CellsMut, Memory, View, ViewError, host};
use core::cell::{Cell, RefCell};
use core::ops::Range;
use std::collections::BTreeMap;

/// A chunk whose index is known.
pub(super) struct Place<'p> {
    pub view: &'p View,
    pub access: &'p Access,
    pub index: Vec<At<AnyTile>>,
}

/// Offsets in memory, as runs of neighbours.
pub(super) type Runs = Vec<Range<usize>>;

/// What a block did to memory that some block stores to.
pub(super) struct Record<'p> {
    pub block: usize,
    pub line: Line,
    pub touch: Touch,
    pub runs: Runs,
    /// what it stored
    pub stored: Option<(Place<'p>, AnyTile)>,
}

/// The memory of one span. Blocks see it as it was before the run; what they store is kept aside and applied at the end.
pub(super) trait Region: Send + Sync {
    fn element(&self) -> ElementType;
    fn len(&self) -> usize;
    fn is_writable(&self) -> bool;
    /// Is there an element for every value of the layout?
    fn holds(&self, layout: &Layout) -> Result<(), ViewError>;
    /// The tile of a chunk of memory that nothing stores to.
    fn load(&self, place: &Place) -> Result<AnyTile, ViewError>;
    /// Would this store be right? The elements that it touches.
    fn check(&self, place: &Place, tile: &AnyTile) -> Result<Runs, ViewError>;
    /// The memory as a block sees it.
    fn private(&self) -> Box<dyn Private + '_>;
    /// Does it.
    fn apply(&mut self, place: &Place, tile: &AnyTile) -> Result<(), ViewError>;
}

/// Memory as a block sees it: with what it stored itself.
pub(super) trait Private {
    /// The tile of a chunk after these records, and the elements that it touches.
    fn load(&mut self, place: &Place, records: &[Record]) -> Result<(AnyTile, Runs), ViewError>;
}

/// Borrowed memory.
pub(super) enum Slice<'m, E> {
    Read(&'m [E]),
    Write(&'m mut [E]),
}

impl<E> Slice<'_, E> {
    fn elements(&self) -> &[E] {
        match self {
            Slice::Read(elements) => elements,
            Slice::Write(elements) => elements,
        }
    }
}

impl<E: Element> Region for Slice<'_, E> {
    fn element(&self) -> ElementType {
        E::TYPE
    }

    fn len(&self) -> usize {
        self.elements().len()
    }

    fn is_writable(&self) -> bool {
        matches!(self, Slice::Write(_))
    }

    fn holds(&self, layout: &Layout) -> Result<(), ViewError> {
        Memory::holds(&self.elements(), layout)
    }

    fn load(&self, place: &Place) -> Result<AnyTile, ViewError> {
        host::load(place.view, place.access, &place.index, self.elements())
    }

    fn check(&self, place: &Place, tile: &AnyTile) -> Result<Runs, ViewError> {
        let footprint = Footprint::new(self.elements());
        host::store(place.view, place.access, tile, &place.index, &footprint)?;
        Ok(footprint.runs.into_inner())
    }

    fn private(&self) -> Box<dyn Private + '_> {
        Box::new(Pages { memory: self.elements(), pages: RefCell::default(), seen: 0 })
    }

    fn apply(&mut self, place: &Place, tile: &AnyTile) -> Result<(), ViewError> {
        let Slice::Write(elements) = self else { return Ok(()) };
        host::store(place.view, place.access, tile, &place.index, Cell::from_mut(*elements).as_slice_of_cells())
    }
}

/// Memory whose accessed elements are noted. It is never written.
struct Footprint<'m, C: ?Sized> {
    memory: &'m C,
    runs: RefCell<Runs>,
}

impl<'m, C: ?Sized> Footprint<'m, C> {
    fn new(memory: &'m C) -> Self {
        Footprint { memory, runs: RefCell::default() }
    }

    fn note(&self, offset: usize, len: usize) {
        let mut runs = self.runs.borrow_mut();
        match runs.last_mut() {
            Some(last) if last.end == offset => last.end += len,
            _ => runs.push(offset..offset + len),
        }
    }
}

impl<E: Copy, C: Cells<E> + ?Sized> Cells<E> for Footprint<'_, C> {
    fn len(&self) -> usize {
        self.memory.len()
    }

    fn get(&self, offset: usize) -> E {
        self.note(offset, 1);
        self.memory.get(offset)
    }

    fn append(&self, offset: usize, len: usize, out: &mut Vec<E>) {
        self.note(offset, len);
        self.memory.append(offset, len, out);
    }
}

impl<E: Copy, C: Cells<E> + ?Sized> CellsMut<E> for Footprint<'_, C> {
    fn set(&self, offset: usize, _: E) {
        self.note(offset, 1);
    }

    fn write(&self, offset: usize, values: &[E]) {
        self.note(offset, values.len());
    }

    fn update(&self, offset: usize, _: impl FnOnce(E) -> E) {
        self.note(offset, 1);
    }
}

/// Memory that is copied, page by page, where it is written.
struct Pages<'m, E> {
    memory: &'m [E],
    pages: RefCell<BTreeMap<usize, Vec<E>>>,
    /// how many records are in it
    seen: usize,
}

/// Elements of a page.
const PAGE: usize = 1024;

/// The pages that elements are in: the number of each, and where in it.
fn pages(elements: Range<usize>) -> impl Iterator<Item = (usize, Range<usize>)> {
    let numbers = elements.start / PAGE..elements.end.div_ceil(PAGE);
    numbers.map(move |n| (n, elements.start.max(n * PAGE) - n * PAGE..elements.end.min((n + 1) * PAGE) - n * PAGE))
}

impl<E: Copy> Cells<E> for Pages<'_, E> {
    fn len(&self) -> usize {
        self.memory.len()
    }

    fn get(&self, offset: usize) -> E {
        match self.pages.borrow().get(&(offset / PAGE)) {
            Some(page) => page[offset % PAGE],
            None => self.memory[offset],
        }
    }

    fn append(&self, offset: usize, len: usize, out: &mut Vec<E>) {
        let copies = self.pages.borrow();
        for (n, at) in pages(offset..offset + len) {
            match copies.get(&n) {
                Some(page) => out.extend_from_slice(&page[at]),
                None => out.extend_from_slice(&self.memory[n * PAGE + at.start..n * PAGE + at.end]),
            }
        }
    }
}

impl<E: Copy> CellsMut<E> for Pages<'_, E> {
    fn set(&self, offset: usize, value: E) {
        self.write(offset, &[value]);
    }

    fn write(&self, offset: usize, mut values: &[E]) {
        let mut copies = self.pages.borrow_mut();
        for (n, at) in pages(offset..offset + values.len()) {
            let copy = || self.memory[n * PAGE..self.memory.len().min((n + 1) * PAGE)].to_vec();
            let (here, rest) = values.split_at(at.len());
            copies.entry(n).or_insert_with(copy)[at].copy_from_slice(here);
            values = rest;
        }
    }
}

impl<E: Element> Private for Pages<'_, E> {
    fn load(&mut self, place: &Place, records: &[Record]) -> Result<(AnyTile, Runs), ViewError> {
        for (place, tile) in records[self.seen..].iter().filter_map(|record| record.stored.as_ref()) {
            host::store(place.view, place.access, tile, &place.index, self)?;
        }
        self.seen = records.len();
        let footprint = Footprint::new(self);
        let tile = host::load(place.view, place.access, &place.index, &footprint)?;
        Ok((tile, footprint.runs.into_inner()))
    }
}

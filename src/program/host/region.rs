//! The memory of one span during a run.

use super::footprint::Footprint;
use crate::layout::Layout;
use crate::tile::{AnyTile, Element, ElementType};
use crate::view::host::{self, Located};
use crate::view::{Access, Cells, CellsMut, Memory, View, ViewError};
use core::any::Any;
use core::cell::{Cell, RefCell};
use core::ops::Range;
use std::collections::BTreeMap;

/// The memory of one span. Blocks see it as it was before the run; what they store is kept aside and applied at the end.
pub(super) trait Region: Send + Sync {
    fn element(&self) -> ElementType;
    fn len(&self) -> usize;
    fn is_writable(&self) -> bool;
    /// Is there an element for every value of the layout?
    fn holds(&self, layout: &Layout) -> Result<(), ViewError>;
    /// Can chunks of the view be accessed so?
    fn admits(&self, view: &View, access: &Access) -> Result<(), ViewError>;
    /// The tile of a chunk of memory that nothing stores to.
    fn load(&self, place: &Located) -> Result<AnyTile, ViewError>;
    /// The memory as a block sees it.
    fn private(&self) -> Box<dyn Private + '_>;
    /// Does what blocks did.
    fn apply(&mut self, changes: Changes);
}

/// Memory as a block sees it: with what it stored itself.
pub(super) trait Private {
    fn load(&mut self, place: &Located) -> Result<AnyTile, ViewError>;
    /// `shared`: other blocks may access the same elements, and the store is done again, in the order of the blocks.
    fn store(&mut self, place: Located, tile: AnyTile, shared: bool) -> Result<(), ViewError>;
    /// What is left to do, where `own` are the elements that the block stored to other than by shared stores.
    fn changes(self: Box<Self>, own: &Footprint) -> Changes;
}

/// What a block did to memory, to be done for all to see.
pub(super) struct Changes {
    stores: Vec<Store>,
    /// then these elements have the values `values`, a `Vec` of them
    own: Vec<Range<usize>>,
    values: Box<dyn Any + Send>,
}

struct Store {
    place: Located,
    tile: AnyTile,
    shared: bool,
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

    fn admits(&self, view: &View, access: &Access) -> Result<(), ViewError> {
        host::admits(view, access, self.len())
    }

    fn load(&self, place: &Located) -> Result<AnyTile, ViewError> {
        place.load(self.elements())
    }

    fn private(&self) -> Box<dyn Private + '_> {
        Box::new(Pages { memory: self.elements(), pages: RefCell::default(), stores: vec![], done: 0 })
    }

    fn apply(&mut self, changes: Changes) {
        let Slice::Write(elements) = self else { return };
        for Store { place, tile, .. } in changes.stores {
            place.store(&tile, Cell::from_mut(*elements).as_slice_of_cells());
        }
        let Some(mut values) = changes.values.downcast_ref::<Vec<E>>().map(Vec::as_slice) else { return };
        for run in changes.own {
            let (here, rest) = values.split_at(run.len());
            elements[run].copy_from_slice(here);
            values = rest;
        }
    }
}

/// Memory that is copied, page by page, where it is written.
struct Pages<'m, E> {
    memory: &'m [E],
    pages: RefCell<BTreeMap<usize, Vec<E>>>,
    /// what was stored: the first `done`, all of them shared, are in the pages already
    stores: Vec<Store>,
    done: usize,
}

/// Elements of a page.
const PAGE: usize = 1024;
/// How many stores wait before they are made in pages: a block that stores to each element once needs no pages.
const WAITING: usize = 64;

impl<E: Element> Pages<'_, E> {
    /// Makes the stores that wait.
    fn settle(&mut self) {
        for Store { place, tile, .. } in &self.stores[self.done..] {
            place.store(tile, &*self);
        }
        self.stores.retain(|store| store.shared);
        self.done = self.stores.len();
    }
}

impl<E: Element> Private for Pages<'_, E> {
    fn load(&mut self, place: &Located) -> Result<AnyTile, ViewError> {
        self.settle();
        place.load(&*self)
    }

    fn store(&mut self, place: Located, tile: AnyTile, shared: bool) -> Result<(), ViewError> {
        place.check::<E>(&tile)?;
        self.stores.push(Store { place, tile, shared });
        if self.stores.len() - self.done >= WAITING {
            self.settle();
        }
        Ok(())
    }

    fn changes(mut self: Box<Self>, own: &Footprint) -> Changes {
        if self.pages.borrow().is_empty() {
            return Changes { stores: self.stores, own: vec![], values: Box::new(()) };
        }
        self.settle();
        let (own, mut values) = (own.runs(), vec![]);
        own.iter().for_each(|run| self.append(run.start, run.len(), &mut values));
        Changes { stores: self.stores, own, values: Box::new(values) }
    }
}

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

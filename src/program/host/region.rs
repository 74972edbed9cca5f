//! The memory of one span during a run.

use super::footprint::Footprint;
use super::log::{Log, Run};
use crate::layout::Layout;
use crate::tile::{AnyTile, Element, ElementType};
use crate::view::host::{self, Located};
use crate::view::{Access, AccessKind, Cells, CellsMut, Memory, View, ViewError};
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
    fn apply(&mut self, changes: &Changes);
}

/// Memory as a block sees it: with what it stored itself.
pub(super) trait Private {
    fn load(&mut self, place: &Located) -> Result<AnyTile, ViewError>;
    /// `shared`: other blocks may access the same elements, and the store is done again, in the order of the blocks.
    fn store(&mut self, place: &Located, tile: &AnyTile, shared: bool) -> Result<(), ViewError>;
    /// Ends a block: the next one sees memory as it was. `own` are the elements that it stored to other than by shared stores.
    fn end(&mut self, own: &Footprint);
    /// What the blocks did that ended.
    fn changes(self: Box<Self>) -> Box<Changes>;
}

/// What blocks did to memory, to be done for all to see: the [`Log`] of its elements.
pub(super) type Changes = dyn Any + Send;

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
        let (waiting, done) = (Log::default(), Log::default());
        Box::new(Pages { memory: self.elements(), pages: RefCell::default(), waiting, stores: 0, done })
    }

    fn apply(&mut self, changes: &Changes) {
        if let (Slice::Write(elements), Some(log)) = (self, changes.downcast_ref::<Log<E>>()) {
            log.replay(Cell::from_mut(*elements).as_slice_of_cells());
        }
    }
}

/// Memory that is copied, page by page, where it is written.
struct Pages<'m, E> {
    memory: &'m [E],
    pages: RefCell<BTreeMap<usize, Vec<E>>>,
    /// what the block stored and is not in the pages yet, by so many stores
    waiting: Log<E>,
    stores: usize,
    /// what else is left to do: the block's shared stores that are in the pages, and all of the blocks before
    done: Log<E>,
}

/// Elements of a page.
const PAGE: usize = 1024;
/// How many stores wait before they are made in pages: a block that stores to each element once needs no pages.
const WAITING: usize = 64;

impl<E: Element> Pages<'_, E> {
    /// Makes the stores that wait.
    fn settle(&mut self) {
        self.waiting.replay(&*self);
        self.keep(|run| run.shared);
    }

    /// Of the stores that wait, and do so no longer, these are left to do.
    fn keep(&mut self, which: impl Fn(&Run) -> bool) {
        let Pages { waiting, done, .. } = self;
        waiting.each(|run, values| {
            if which(run) {
                done.push(*run, values);
            }
        });
        waiting.clear();
        self.stores = 0;
    }
}

impl<E: Element> Private for Pages<'_, E> {
    fn load(&mut self, place: &Located) -> Result<AnyTile, ViewError> {
        self.settle();
        place.load(&*self)
    }

    fn store(&mut self, place: &Located, tile: &AnyTile, shared: bool) -> Result<(), ViewError> {
        place.check::<E>(tile)?;
        let kind = place.kind();
        place.each_row(tile, |begin, step, values| {
            self.waiting.push(Run { kind, shared, begin, step, len: values.len() }, values);
        });
        self.stores += 1;
        if self.stores >= WAITING {
            self.settle();
        }
        Ok(())
    }

    fn end(&mut self, own: &Footprint) {
        if self.pages.borrow().is_empty() {
            return self.keep(|_| true);
        }
        self.settle();
        for Range { start, end } in own.runs() {
            let mut values = vec![];
            self.append(start, end - start, &mut values);
            let run = Run { kind: AccessKind::Store, shared: false, begin: start, step: 1, len: values.len() };
            self.done.push(run, &values);
        }
        self.pages.borrow_mut().clear();
    }

    fn changes(self: Box<Self>) -> Box<Changes> {
        Box::new(self.done)
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

//! What was stored, kept to be stored again: a header for each run, and the elements.

use crate::tile::Element;
use crate::view::host::write;
use crate::view::{AccessKind, CellsMut};

/// Stores in their order.
pub(super) struct Log<E> {
    runs: Vec<Run>,
    values: Vec<E>,
}

/// Elements `begin, begin + step, ...` that are stored to, or combined with what is there.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub kind: AccessKind,
    /// may other blocks access the same elements?
    pub shared: bool,
    pub begin: usize,
    pub step: usize,
    pub len: usize,
}

impl<E> Default for Log<E> {
    fn default() -> Log<E> {
        Log { runs: vec![], values: vec![] }
    }
}

impl<E: Element> Log<E> {
    /// A run behind the others, or one with the last of them, which it continues: as do stores of single elements that are
    /// evenly apart, or the same one.
    pub fn push(&mut self, run: Run, values: &[E]) {
        if values.is_empty() {
            return;
        }
        self.values.extend_from_slice(values);
        if let Some(last) = self.runs.last_mut()
            && (last.kind, last.shared) == (run.kind, run.shared)
            && let Some(step) = last.continued(&run)
        {
            last.step = step;
            last.len += run.len;
            return;
        }
        self.runs.push(run);
    }

    /// Each run, with its elements.
    pub fn each(&self, mut f: impl FnMut(&Run, &[E])) {
        let mut values = &self.values[..];
        for run in &self.runs {
            let (here, rest) = values.split_at(run.len);
            f(run, here);
            values = rest;
        }
    }

    /// Stores all of it.
    pub fn replay<C: CellsMut<E> + ?Sized>(&self, cells: &C) {
        self.each(|run, values| write(run.kind, run.begin, run.step, values, cells));
    }

    pub fn clear(&mut self) {
        self.runs.clear();
        self.values.clear();
    }
}

impl Run {
    /// The step of the run that is this one and then the next, if they are one.
    fn continued(&self, next: &Run) -> Option<usize> {
        let step = if self.len == 1 { next.begin.checked_sub(self.begin)? } else { self.step };
        let joins = next.begin == self.begin + self.len * step && (next.len == 1 || next.step == step);
        joins.then_some(step)
    }
}

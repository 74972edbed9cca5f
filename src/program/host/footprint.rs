//! Which elements of a memory were touched.

use crate::view::host::Located;
use core::ops::Range;

/// A set of offsets, as runs of neighbours: as large as the set, however often elements are added.
#[derive(Default)]
pub(super) struct Footprint {
    runs: Vec<Range<usize>>,
    /// how many runs there were when they were last in order
    ordered: usize,
}

impl Footprint {
    /// Adds the elements of a chunk.
    pub fn add(&mut self, place: &Located) {
        place.each_run(|run| match self.runs.last_mut() {
            Some(last) if (last.start..=last.end).contains(&run.start) => last.end = last.end.max(run.end),
            _ => self.runs.push(run),
        });
        if self.runs.len() > 2 * self.ordered + 64 {
            self.runs = self.runs();
            self.ordered = self.runs.len();
        }
    }

    /// All elements of some sets.
    pub fn union<'f>(sets: impl IntoIterator<Item = &'f Footprint>) -> Footprint {
        Footprint { runs: sets.into_iter().flat_map(|set| set.runs.iter().cloned()).collect(), ordered: 0 }
    }

    /// The runs in order, as few as possible.
    pub fn runs(&self) -> Vec<Range<usize>> {
        let mut sorted = self.runs.clone();
        sorted.sort_unstable_by_key(|run| run.start);
        let mut runs: Vec<Range<usize>> = Vec::with_capacity(sorted.len());
        for run in sorted {
            match runs.last_mut() {
                Some(last) if run.start <= last.end => last.end = last.end.max(run.end),
                _ => runs.push(run),
            }
        }
        runs
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.runs().iter().map(Range::len).sum()
    }
}

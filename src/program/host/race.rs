//! Races: accesses of different blocks to one element whose order nothing determines.

use super::error::Touch;
use super::region::Record;

/// The first race in the order of the blocks: two records, and the offset of an element that both touch.
///
/// Of the pairs it is the one whose later access comes first, and the least element of that.
pub(super) fn find<'r, 'p>(records: &'r [Record<'p>], len: usize) -> Option<(&'r Record<'p>, &'r Record<'p>, usize)> {
    if may_race(records) { search(records, len) } else { None }
}

/// Do runs of different blocks overlap, where not all are strong? A sweep over the sorted runs.
fn may_race(records: &[Record]) -> bool {
    let strong = |record: &Record| matches!(record.touch, Touch::StrongStore | Touch::StrongLoad);
    if records.iter().all(strong) {
        return false;
    }
    let runs = records.iter().flat_map(|record| record.runs.iter().map(|run| (run.start, run.end, record.block)));
    let mut runs: Vec<_> = runs.collect();
    runs.sort_unstable();
    // the run that reaches furthest so far: if a run of another block begins before its end, the two overlap; and of two
    // overlapping runs of different blocks, the second one overlaps it or the one before did
    let (mut end, mut holder) = (0, usize::MAX);
    runs.into_iter().any(|(start, stop, block)| {
        let overlaps = start < end && block != holder;
        if stop > end {
            (end, holder) = (stop, block);
        }
        overlaps
    })
}

/// Goes through the accesses in order. Blocks come in order, too, so that an element's first access of a kind is of another block
/// than this one's if any of that kind is.
fn search<'r, 'p>(records: &'r [Record<'p>], len: usize) -> Option<(&'r Record<'p>, &'r Record<'p>, usize)> {
    const NONE: u32 = u32::MAX;
    let mut first = vec![[NONE; Touch::ALL.len()]; len];
    for (number, record) in records.iter().enumerate() {
        for offset in record.runs.iter().cloned().flatten() {
            let of_kind = &mut first[offset];
            for touch in Touch::ALL {
                if let Some(earlier) = records.get(of_kind[touch as usize] as usize)
                    && earlier.block != record.block
                    && touch.races(record.touch)
                {
                    return Some((earlier, record, offset));
                }
            }
            let slot = &mut of_kind[record.touch as usize];
            *slot = (*slot).min(number as u32);
        }
    }
    None
}

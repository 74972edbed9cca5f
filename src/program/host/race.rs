//! Races: accesses of different blocks to one element whose order nothing determines.

use super::error::Touch;
use super::footprint::Footprint;
use crate::program::Line;

/// The elements that one access of a block touched, all the times that it was executed, of memory that some block stores to.
pub(super) struct Record {
    pub block: usize,
    pub line: Line,
    pub touch: Touch,
    pub elements: Footprint,
}

/// The first race: the numbers of two records, and the offset of an element that both touch.
///
/// Records are in the order of the blocks. Of all pairs it is the one whose later record comes first, the least element of
/// these, and the first of the earlier records.
pub(super) fn find(records: &[Record]) -> Option<(usize, usize, usize)> {
    let mut runs = vec![];
    for (number, record) in records.iter().enumerate() {
        runs.extend(record.elements.runs().into_iter().map(|run| Run { start: run.start, end: run.end, number }));
    }
    runs.sort_unstable_by_key(|run| run.start);
    let mut found: Option<(usize, usize, usize)> = None;
    let mut rest = &runs[..];
    while let Some(first) = rest.first() {
        // runs that overlap each other, one with the next
        let mut end = first.end;
        let overlap = |run: &&Run| {
            let overlaps = run.start < end;
            end = end.max(run.end);
            overlaps
        };
        let (cluster, behind) = rest.split_at(rest.iter().take_while(overlap).count());
        rest = behind;
        if may_race(records, cluster) {
            let race = search(records, cluster);
            found = [found, race].into_iter().flatten().min_by_key(|(_, later, offset)| (*later, *offset));
        }
    }
    found
}

/// Elements that a record touches.
#[derive(Clone, Copy)]
struct Run {
    start: usize,
    end: usize,
    number: usize,
}

/// Are there accesses of different blocks, and of kinds that race?
fn may_race(records: &[Record], cluster: &[Run]) -> bool {
    let of = |run: &Run| &records[run.number];
    let mut has = [false; Touch::ALL.len()];
    cluster.iter().for_each(|run| has[of(run).touch as usize] = true);
    let kinds = || Touch::ALL.into_iter().filter(|touch| has[*touch as usize]);
    cluster.iter().any(|run| of(run).block != of(&cluster[0]).block) && kinds().any(|a| kinds().any(|b| a.races(b)))
}

/// Goes through the records in order, on the parts into which the ends of all runs divide the elements. Blocks come in order,
/// too, so that a part's first access of a kind is of another block than this one's if any of that kind is.
fn search(records: &[Record], cluster: &[Run]) -> Option<(usize, usize, usize)> {
    const NONE: usize = usize::MAX;
    let mut ends: Vec<usize> = cluster.iter().flat_map(|run| [run.start, run.end]).collect();
    ends.sort_unstable();
    ends.dedup();
    let mut first = vec![[NONE; Touch::ALL.len()]; ends.len()];
    let mut runs = cluster.to_vec();
    runs.sort_unstable_by_key(|run| (run.number, run.start));
    for Run { start, end, number } in runs {
        let (record, begin) = (&records[number], ends.partition_point(|&at| at < start));
        for (&offset, of_kind) in ends[begin..].iter().zip(&mut first[begin..]).take_while(|(at, _)| **at < end) {
            let races = |touch: &Touch| {
                let earlier = of_kind[*touch as usize];
                let other = records.get(earlier).is_some_and(|earlier| earlier.block != record.block);
                (other && touch.races(record.touch)).then_some(earlier)
            };
            if let Some(earlier) = Touch::ALL.iter().filter_map(races).min() {
                return Some((earlier, number, offset));
            }
            let slot = &mut of_kind[record.touch as usize];
            *slot = (*slot).min(number);
        }
    }
    None
}

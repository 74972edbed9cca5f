//! Data races: what each word of memory remembers of who touched it.
//!
//! Two accesses of different threads to a byte, at least one a write, race unless one happens before the other, or both are strong
//! (atomic, relaxed, acquire, release, volatile) at scopes that reach each other and of the same bytes (PTX ISA, memory consistency
//! model: data races).

#[cfg(test)]
mod tests;

use super::clock::{Clock, Thread, bits};

/// How far an access is strong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Strength {
    Weak,
    /// among the threads of a CTA
    Cta,
    /// among all
    Gpu,
}

/// Accesses of threads of one warp in one tick.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Touch {
    pub warp: u32,
    pub lanes: u32,
    /// of a pending copy its number
    pub tick: u32,
    /// the instruction's number
    pub code: u32,
    /// bytes of the word
    pub bytes: u8,
    /// bytes of an element of the access: those of one size that overlap are of the same bytes
    pub size: u8,
    pub strength: Strength,
    /// a copy that has not been waited for
    pub pending: bool,
}

impl Touch {
    fn none() -> Touch {
        Touch { warp: 0, lanes: 0, tick: 0, code: 0, bytes: 0, size: 0, strength: Strength::Weak, pending: false }
    }
}

/// An access of one thread to a word.
#[derive(Clone, Copy)]
pub(super) struct Touching<'a> {
    pub thread: Thread,
    /// warps of a CTA
    pub warps: u32,
    pub tick: u32,
    pub code: u32,
    pub size: u8,
    pub strength: Strength,
    pub pending: bool,
    pub clock: &'a Clock,
    /// do all threads of the warp know the same?
    pub alike: bool,
}

/// What is remembered of a word: the accesses that nothing later is ordered after.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    write: Touch,
    read: Touch,
    /// where more of them are kept, by number plus one
    more: u32,
    /// are there more?
    spilled: bool,
}

/// Those of a word beyond the first write and the first read.
#[derive(Clone, Default, Debug)]
pub(super) struct More {
    writes: Vec<Touch>,
    reads: Vec<Touch>,
}

impl Word {
    pub fn new() -> Word {
        Word { write: Touch::none(), read: Touch::none(), more: 0, spilled: false }
    }

    /// A read of these bytes; the write that it races with.
    pub fn read(&mut self, by: &Touching, bytes: u8, mores: &mut Vec<More>) -> Option<Touch> {
        // another thread of the warp at the same instruction has asked already, unless what they read is a thread's own
        if by.alike && self.read.joins(by, bytes) && !self.spilled && self.write.warp != by.thread.warp {
            self.read.lanes |= 1 << by.thread.lane;
            return None;
        }
        let mut race = by.race(&self.write, bytes);
        if self.spilled && race.is_none() {
            race = mores[self.more as usize - 1].writes.iter().find_map(|w| by.race(w, bytes));
        }
        let first = &mut self.read;
        // the same thread again, or another of its warp, or one that comes after it: replaces what was there
        if first.joins(by, bytes) {
            first.lanes |= 1 << by.thread.lane;
            return race;
        }
        if !self.spilled && (first.bytes == 0 || (first.bytes & !bytes == 0 && by.replaces(first))) {
            *first = by.touch(bytes);
            return race;
        }
        let more = self.more(mores);
        more.reads.retain_mut(|t| t.joins(by, bytes) || by.leaves(t, bytes));
        match more.reads.iter_mut().find(|t| t.joins(by, bytes)) {
            Some(known) => known.lanes |= 1 << by.thread.lane,
            None => more.reads.push(by.touch(bytes)),
        }
        race
    }

    /// A write of these bytes; the access that it races with.
    pub fn write(&mut self, by: &Touching, bytes: u8, mores: &mut Vec<More>) -> Option<Touch> {
        let mut race = by.race(&self.write, bytes).or_else(|| by.race(&self.read, bytes));
        if !self.spilled {
            let covers = |t: &Touch| {
                t.bytes == 0 || (t.bytes & !bytes == 0 && (by.strength == Strength::Weak || by.replaces(t)))
            };
            // of threads that store at once each is remembered
            if self.write.joins(by, bytes) && covers(&self.read) {
                self.write.lanes |= 1 << by.thread.lane;
                self.read = Touch::none();
                return race;
            }
            if covers(&self.write) && covers(&self.read) {
                (self.write, self.read) = (by.touch(bytes), Touch::none());
                return race;
            }
        }
        let (first_write, first_read) = (self.write, self.read);
        (self.write, self.read) = (Touch::none(), Touch::none());
        let more = self.more(mores);
        for (first, all) in [(first_write, &mut more.writes), (first_read, &mut more.reads)] {
            if first.bytes != 0 {
                all.push(first);
            }
            race = race.or_else(|| all.iter().find_map(|t| by.race(t, bytes)));
            all.retain_mut(|t| {
                if t.joins(by, bytes) {
                    return true;
                }
                if by.strength == Strength::Weak {
                    t.bytes &= !bytes;
                }
                t.bytes != 0 && by.leaves(t, bytes)
            });
        }
        match more.writes.iter_mut().find(|t| t.joins(by, bytes)) {
            Some(known) => known.lanes |= 1 << by.thread.lane,
            None => more.writes.push(by.touch(bytes)),
        }
        if more.writes.len() == 1 && more.reads.len() < 2 {
            let firsts = (more.writes.pop(), more.reads.pop());
            self.write = firsts.0.unwrap_or(Touch::none());
            self.read = firsts.1.unwrap_or(Touch::none());
            self.spilled = false;
        }
        race
    }

    /// The last write of some of these bytes.
    pub fn written_by(&self, bytes: u8, mores: &[More]) -> Option<Touch> {
        let more = if self.spilled { &mores[self.more as usize - 1].writes[..] } else { &[] };
        more.iter().chain([&self.write]).find(|w| w.bytes & bytes != 0).copied()
    }

    /// The copy of this number, from or into these bytes, is over now: an ordinary access.
    pub fn settle(&mut self, number: u32, by: &Touching, bytes: u8, mores: &mut [More]) {
        let same = |t: &Touch| (t.warp, t.lanes, t.tick) == (by.thread.warp, 1 << by.thread.lane, number);
        let settle = |t: &mut Touch| {
            if t.pending && same(t) && t.bytes == bytes {
                *t = by.touch(bytes);
            }
        };
        settle(&mut self.write);
        settle(&mut self.read);
        if self.spilled {
            let More { writes, reads } = &mut mores[self.more as usize - 1];
            writes.iter_mut().chain(reads).for_each(settle);
        }
    }

    fn more<'a>(&mut self, mores: &'a mut Vec<More>) -> &'a mut More {
        if self.more == 0 {
            mores.push(More::default());
            self.more = mores.len() as u32;
        }
        self.spilled = true;
        &mut mores[self.more as usize - 1]
    }
}

impl Touch {
    /// Can it stand for this access too?
    fn joins(&self, by: &Touching, bytes: u8) -> bool {
        self.warp == by.thread.warp
            && self.tick == by.tick
            && self.bytes == bytes
            && self.strength == by.strength
            && self.code == by.code
            && !self.pending
            && !by.pending
    }
}

impl Touching<'_> {
    fn touch(&self, bytes: u8) -> Touch {
        Touch {
            warp: self.thread.warp,
            lanes: 1 << self.thread.lane,
            tick: self.tick,
            code: self.code,
            bytes,
            size: self.size,
            strength: self.strength,
            pending: self.pending,
        }
    }

    /// Is it by a thread of the same CTA?
    fn near(&self, t: &Touch) -> bool {
        t.warp / self.warps == self.thread.warp / self.warps
    }

    /// Does all that races with it and comes after both race with this too?
    fn stands_for(&self, t: &Touch) -> bool {
        match self.strength {
            Strength::Weak => true,
            Strength::Cta => t.strength >= Strength::Cta && t.size == self.size && self.near(t),
            Strength::Gpu => t.strength == Strength::Gpu && t.size == self.size,
        }
    }

    /// Does all that races with it race with this too? It happened before as well.
    fn replaces(&self, t: &Touch) -> bool {
        self.stands_for(t) && self.ordered(t)
    }

    /// Takes out of a touch what this access replaces; is anything left?
    fn leaves(&self, t: &mut Touch, bytes: u8) -> bool {
        if t.pending || !self.stands_for(t) {
            return true;
        }
        if self.ordered(t) {
            t.bytes &= !bytes;
        } else if t.warp == self.thread.warp && t.bytes & !bytes == 0 {
            t.lanes &= !(1 << self.thread.lane);
        }
        t.bytes != 0 && t.lanes != 0
    }

    /// Did all of it happen before?
    fn ordered(&self, t: &Touch) -> bool {
        if t.pending {
            return false;
        }
        let others = if t.warp == self.thread.warp { t.lanes & !(1 << self.thread.lane) } else { t.lanes };
        others == 0 || self.clock.knows_all(t.warp, others, t.tick)
    }

    fn race(&self, t: &Touch, bytes: u8) -> Option<Touch> {
        if t.bytes & bytes == 0 || self.ordered(t) {
            return None;
        }
        let needed = if self.near(t) { Strength::Cta } else { Strength::Gpu };
        if !t.pending && t.strength >= needed && self.strength >= needed && t.size == self.size {
            return None;
        }
        let mut race = *t;
        // one of the threads that it races with
        let unknown = |lane: u8| !self.clock.knows(Thread { warp: t.warp, lane }, t.tick);
        let same = |lane: u8| t.warp == self.thread.warp && lane == self.thread.lane;
        if let Some(lane) = bits(t.lanes).find(|&l| t.pending || (!same(l) && unknown(l))) {
            race.lanes = 1 << lane;
        }
        Some(race)
    }
}

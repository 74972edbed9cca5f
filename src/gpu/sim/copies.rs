//! Asynchronous copies: `cp.async`.
//!
//! Until its thread has waited for it a copy may happen at any time. So its source and destination count as touched by it from the
//! instruction to the wait, and the bytes arrive at the wait, the latest that they may. What an mbarrier announces is over for who sees
//! the phase complete.

use super::access::{Request, Stop, Target, addresses, touching};
use super::clock::{Clock, Knowledge, Thread, bits};
use super::cta::Core;
use super::error::FaultKind;
use super::page::Page;
use super::program::{Address, Space, Value};
use super::run::Worker;
use super::shadow::{Strength, Touching};
use super::warp::{Group, Warp};
use std::sync::Arc;

/// Copies that threads of a warp have not waited for.
pub(super) struct Copies {
    /// groups that each thread has committed
    committed: [u32; 32],
    open: Vec<Copy>,
    /// copies there were
    count: u32,
}

#[derive(Clone, Copy, Debug)]
struct Copy {
    /// its number among those of its warp
    number: u32,
    lane: u8,
    group: u32,
    to: u64,
    from: u64,
    size: usize,
    /// bytes that are read, the rest are zeros
    read: usize,
    /// the instruction
    code: u32,
}

/// A copy that an mbarrier announces, with the tick of that and what its thread knew.
#[derive(Clone, Debug)]
pub(super) struct Announced {
    copy: Copy,
    warp: u32,
    tick: u32,
    clock: Arc<Clock>,
}

impl Copies {
    pub fn new() -> Copies {
        Copies { committed: [0; 32], open: Vec::new(), count: 0 }
    }

    /// `cp.async.commit_group`.
    pub fn commit(&mut self, mask: u32) {
        bits(mask).for_each(|lane| self.committed[lane as usize & 31] += 1);
    }
}

impl Warp {
    #[allow(clippy::too_many_arguments)] // what an instruction says, and whose it is
    pub(super) fn copy(
        &mut self,
        g: usize,
        (to, from): (&Address, &Address),
        size: usize,
        read: Option<&Value>,
        ignore: Option<&Value>,
        mask: u32,
        core: &mut Core,
        worker: &mut Worker,
    ) -> Result<(), Stop> {
        let Group { at: code, frame, .. } = self.groups[g];
        let Warp { frames, know, copies, .. } = self;
        let Some(frame) = &frames[frame] else { return Err(Stop) };
        let (into, out_of) = (addresses(frame, to), addresses(frame, from));
        let request = |write: bool, mask: u32| {
            let (space, addresses) = if write { (Space::Shared, &into) } else { (Space::Global, &out_of) };
            Request { mask, ..Request::new(know.warp, code, space, addresses, size, write) }
        };
        copies.count = copies.count.wrapping_add(1);
        let number = copies.count;
        let (mut reads, mut sizes) = (mask, [size; 32]);
        for lane in bits(mask) {
            let some = match (read, ignore) {
                (Some(read), _) => match frame.lane(read, lane) as u32 as usize {
                    some if some <= size => some,
                    some => {
                        let why = format!("a copy of {size} bytes is to read {some}");
                        return Err(request(true, mask).fault(worker, FaultKind::OutOfBounds, lane, why));
                    }
                },
                (_, Some(ignore)) if frame.lane(ignore, lane) != 0 => 0,
                _ => size,
            };
            sizes[lane as usize & 31] = some;
            if some == 0 {
                reads &= !(1 << lane);
            }
        }
        worker.access(&request(true, mask));
        worker.access(&request(false, reads));
        let (checks, warps) = (worker.run.checks, worker.run.warps);
        // what is there already must be in bounds and written; what it is when it arrives is read at the wait
        let source = request(false, reads);
        for lane in bits(reads) {
            let at = out_of[lane as usize & 31];
            if at % size as u64 != 0 {
                let why = format!("global address {at:#x} is no multiple of {size} bytes");
                return Err(source.fault(worker, FaultKind::Misaligned, lane, why));
            }
            each_part(&source, lane, sizes[lane as usize & 31], core, worker, |part, page, at, _| {
                if checks.races
                    && let Some(with) = page.read(&pending(know, part, lane, number, warps), at, part.bytes)
                {
                    part.race(worker, lane, with)?;
                }
                match checks.memory && !page.is_written(at, part.bytes) {
                    true => part.unwritten(worker, lane),
                    false => Ok(()),
                }
            })?;
        }
        let request = request(true, mask);
        request.each(core, worker, |target, lane| {
            let Target::Page(page, at) = target else { return Ok(()) };
            if checks.races
                && let Some(with) = page.write(&pending(know, &request, lane, number, warps), at, size)
            {
                request.race(worker, lane, with)?;
            }
            Ok(())
        })?;
        for lane in bits(mask) {
            let l = lane as usize & 31;
            let group = copies.committed[l];
            let (to, from, read) = (into[l], out_of[l], sizes[l]);
            copies.open.push(Copy { number, lane, group, to, from, size, read, code });
        }
        Ok(())
    }

    /// Waits for all groups of each thread but the last so many, or for all copies.
    pub(super) fn wait_copies(
        &mut self,
        but: Option<u32>,
        mask: u32,
        core: &mut Core,
        worker: &Worker,
    ) -> Result<(), Stop> {
        let Warp { know, copies, .. } = self;
        let Copies { committed, open, .. } = copies;
        let due = |c: &Copy| {
            let all = u64::from(committed[c.lane as usize & 31]);
            mask >> c.lane & 1 == 1 && but.is_none_or(|but| u64::from(c.group) + u64::from(but) < all)
        };
        let by = |copy: Copy| Announced { copy, warp: know.warp, tick: know.tick, clock: know.of(copy.lane).clone() };
        for copy in open.extract_if(.., |c| due(c)) {
            copy.arrive(know.warp, core, worker)?;
            by(copy).settle(core, worker)?;
        }
        let own = |a: &mut Announced| a.warp == know.warp && due(&a.copy);
        let announced: Vec<Announced> = core.mbarriers.values_mut().flat_map(|m| m.take_copies(own)).collect();
        announced.iter().try_for_each(|a| by(a.copy).settle(core, worker))
    }

    /// All copies of a thread that are not over, for an mbarrier to announce. The latest that their bytes may be there is now.
    pub(super) fn announce_copies(
        &mut self,
        lane: u8,
        mbarrier: u32,
        core: &mut Core,
        worker: &Worker,
    ) -> Result<(), Stop> {
        let Warp { know, copies, .. } = self;
        let own = |a: &&Announced| a.warp == know.warp && a.copy.lane == lane;
        let others = core.mbarriers.iter().filter(|(at, _)| **at != mbarrier).flat_map(|(_, m)| m.copies());
        let mut all: Vec<Announced> = others.filter(own).cloned().collect();
        for copy in copies.open.extract_if(.., |c| c.lane == lane) {
            copy.arrive(know.warp, core, worker)?;
            all.push(Announced { copy, warp: know.warp, tick: know.tick, clock: know.of(lane).clone() });
        }
        core.mbarriers.get_mut(&mbarrier).into_iter().for_each(|m| m.announce(&all));
        Ok(())
    }
}

impl Copy {
    /// Each aligned part of its source: page, place, bytes, and which is its first.
    fn source(
        &self,
        warp: u32,
        core: &mut Core,
        worker: &Worker,
        mut f: impl FnMut(&mut Page, usize, usize, usize),
    ) -> Result<(), Stop> {
        let from = [self.from; 32];
        let request = Request::new(warp, self.code, Space::Global, &from, self.size, false);
        each_part(&request, self.lane, self.read, core, worker, |part, page, at, first| {
            f(page, at, part.bytes, first);
            Ok(())
        })
    }

    fn destination(
        &self,
        warp: u32,
        core: &mut Core,
        worker: &Worker,
        f: impl Fn(&mut Page, usize),
    ) -> Result<(), Stop> {
        let to = [self.to; 32];
        let request = Request::new(warp, self.code, Space::Shared, &to, self.size, true);
        Request { mask: 1 << self.lane, ..request }.each(core, worker, |target, _| {
            if let Target::Page(page, at) = target {
                f(page, at);
            }
            Ok(())
        })
    }

    /// Its bytes arrive.
    fn arrive(&self, warp: u32, core: &mut Core, worker: &Worker) -> Result<(), Stop> {
        let mut value = 0;
        self.source(warp, core, worker, |page, at, bytes, first| value |= page.get(at, bytes) << (8 * first))?;
        self.destination(warp, core, worker, |page, at| page.set(at, self.size, value))
    }
}

impl Announced {
    /// It is over: what it touched is touched as if by its thread.
    pub fn settle(&self, core: &mut Core, worker: &Worker) -> Result<(), Stop> {
        if !worker.run.checks.races {
            return Ok(());
        }
        let Announced { copy, warp, tick, clock } = self;
        let by = Touching {
            thread: Thread { warp: *warp, lane: copy.lane },
            warps: worker.run.warps,
            tick: *tick,
            code: copy.code,
            size: copy.size as u8,
            strength: Strength::Weak,
            pending: false,
            clock,
            alike: false,
        };
        copy.source(*warp, core, worker, |page, at, bytes, _| page.settle(copy.number, &by, at, bytes))?;
        copy.destination(*warp, core, worker, |page, at| page.settle(copy.number, &by, at, copy.size))
    }
}

/// Who copies, until it waits.
fn pending<'a>(know: &'a Knowledge, request: &Request, lane: u8, number: u32, warps: u32) -> Touching<'a> {
    Touching { pending: true, tick: number, ..touching(know, request, lane, warps, Strength::Weak) }
}

/// The bytes of one thread that a copy reads, in aligned parts: one that is cut short reads only its first bytes.
fn each_part(
    request: &Request,
    lane: u8,
    read: usize,
    core: &mut Core,
    worker: &Worker,
    mut f: impl FnMut(&Request, &mut Page, usize, usize) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let at = request.addresses[lane as usize & 31];
    let bytes = 1 << read.trailing_zeros().min(4);
    for first in (0..read).step_by(bytes) {
        let addresses = [at + first as u64; 32];
        let part = Request { mask: 1 << lane, addresses: &addresses, bytes, ..*request };
        part.each(core, worker, |target, _| match target {
            Target::Page(page, at) => f(&part, page, at, first),
            _ => Ok(()),
        })?;
    }
    Ok(())
}

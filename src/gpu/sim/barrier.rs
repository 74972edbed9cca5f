//! Barriers of a CTA, which warps arrive at, and of the threads of a warp.

use super::clock::{Knowledge, Release, bits, join};
use super::cta::{Core, Cta};
use super::error::FaultKind;
use super::frame::gather;
use super::group::{Group, Meeting, State, Step, all};
use super::program::{Act, Barrier, BarrierKind};
use super::run::Worker;
use super::warp::Warp;

/// A barrier that warps have arrived at.
pub(super) struct Open {
    /// threads that it is for, those of whole warps
    count: u32,
    arrivals: Vec<Arrival>,
}

/// A warp at a barrier, which counts as 32 threads.
pub(super) struct Arrival {
    /// in the CTA
    warp: u32,
    /// where its threads are, at one place if the barrier is aligned
    parts: Vec<Group>,
    kind: BarrierKind,
    count: u32,
    predicate: u32,
    release: Release,
}

impl Arrival {
    fn mask(&self) -> u32 {
        all(&self.parts)
    }
}

impl Core {
    /// Does one of these threads know that those before them are through a barrier? If not, they might have taken their places.
    fn is_through(&self, id: u8, know: &Knowledge, mask: u32) -> bool {
        let through = &self.through[id as usize & 15];
        through.iter().all(|release| bits(mask).any(|lane| release.is_known(know, lane)))
    }

    /// Notes an arrival.
    fn arrive(&mut self, id: u8, arrival: Arrival) -> Result<(), String> {
        if arrival.count == 0 || !arrival.count.is_multiple_of(32) {
            return Err(format!("a barrier of {} threads, where warps of 32 are counted", arrival.count));
        }
        let open = self.barriers[id as usize & 15].get_or_insert(Open { count: arrival.count, arrivals: Vec::new() });
        if open.count != arrival.count {
            return Err(format!("barrier {id} of {} threads here, of {} there", arrival.count, open.count));
        }
        let reduces = |kind| !matches!(kind, BarrierKind::Sync | BarrierKind::Arrive);
        if let Some(first) = open.arrivals.first()
            && (reduces(first.kind) || reduces(arrival.kind))
            && first.kind != arrival.kind
        {
            return Err(format!("barrier {id} reduces differently here and there"));
        }
        open.arrivals.push(arrival);
        Ok(())
    }
}

impl Warp {
    /// The barrier of a CTA: waits for the rest of the warp, then arrives.
    pub(super) fn barrier(
        &mut self,
        g: usize,
        barrier: &Barrier,
        mask: u32,
        core: &mut Core,
        worker: &mut Worker,
    ) -> Step {
        let Group { at, frame: number, .. } = self.groups[g];
        let Some(frame) = &self.frames[number] else { return Step::Stop };
        let named = |lane| {
            let count = barrier.count.as_ref().map(|v| frame.lane(v, lane) as u32);
            (frame.lane(&barrier.id, lane), count.unwrap_or(32 * worker.run.warps))
        };
        let (id, count) = named(mask.trailing_zeros() as u8);
        let others = bits(mask).filter(|l| named(*l) != (id, count)).fold(0, |m, l| m | 1 << l);
        if others != 0 && barrier.aligned {
            let why = format!("other threads of the warp are at barrier {id} of {count} threads");
            return self.raise(worker, FaultKind::DivergentBarrier, at, others, &why);
        }
        if others != 0 {
            self.split(g, others, at);
        }
        if id > 15 {
            return self.raise(worker, FaultKind::Trap, at, mask & !others, &format!("there is no barrier {id}"));
        }
        let place = barrier.aligned.then_some((at, number));
        let meeting = Meeting::Barrier { id, count, kind: barrier.kind, place };
        // those that have exited do not count, though programs seldom mean it
        let exited = if worker.run.checks.exited { 0 } else { self.exited };
        let parts = match self.gather(g, meeting, self.lanes & !exited, worker) {
            Ok(parts) => parts,
            Err(step) => return step,
        };
        let mask = all(&parts);
        let holds = |part: &Group| {
            let Act::Barrier(Barrier { predicate: Some(p), .. }) = &worker.run.program.codes[part.at as usize].act
            else {
                return 0;
            };
            self.frames[part.frame].as_ref().map_or(0, |frame| gather(&frame.lanes(p)) & part.mask)
        };
        let predicate = parts.iter().fold(0, |all, part| all | holds(part));
        if worker.run.checks.races && !core.is_through(id as u8, &self.know, mask) {
            let why = format!("nothing says that those who met at barrier {id} before are through it");
            return self.raise(worker, FaultKind::DivergentBarrier, at, mask, &why);
        }
        let release = self.know.release(mask);
        let arrival = Arrival { warp: self.index, parts, kind: barrier.kind, count, predicate, release };
        if let Err(why) = core.arrive(id as u8, arrival) {
            return self.raise(worker, FaultKind::DivergentBarrier, at, mask, &why);
        }
        if barrier.kind == BarrierKind::Arrive {
            return Step::Groups;
        }
        for group in self.groups.iter_mut().filter(|o| o.mask & mask != 0) {
            group.state = State::Barrier(id as u8);
        }
        Step::Waits
    }
}

impl Knowledge {
    /// `bar.warp.sync`: what happened before in any of the threads is known to all.
    pub(super) fn synchronize(&mut self, mask: u32) {
        let release = self.release(mask);
        if let Some(clock) = join(&[release]) {
            self.adopt(mask, &clock);
        }
    }
}

impl Cta {
    /// Lets go whom the barriers have waited for; false if the run stops.
    pub(super) fn complete(&mut self, worker: &Worker) -> bool {
        for id in 0..16 {
            let Some(open) = &self.core.barriers[id] else { continue };
            // one of all threads does not wait for warps that have exited
            let for_all = open.count == 32 * self.warps.len() as u32;
            let gone = |w: &&Warp| w.exited == w.lanes && !open.arrivals.iter().any(|a| a.warp == w.index);
            let gone: Vec<&Warp> = self.warps.iter().filter(|w| for_all && gone(w)).collect();
            let arrived = 32 * open.arrivals.len() as u32;
            if arrived + 32 * (gone.len() as u32) < open.count {
                continue;
            }
            let exited: u32 = gone.iter().map(|w| w.lanes.count_ones()).sum();
            let Some(open) = self.core.barriers[id].take() else { continue };
            let first = &open.arrivals[0];
            let fault = |kind, why| self.raise(worker, kind, first.parts[0].at, first.warp, first.mask(), why);
            if exited > 0 && worker.run.checks.exited {
                let why = format!("barrier {id} is for all {} threads, {exited} of them have exited", self.threads);
                fault(FaultKind::ExitedAtBarrier, why);
                return false;
            }
            if arrived > open.count {
                let why = format!("{arrived} threads at barrier {id}, which is for {}", open.count);
                fault(FaultKind::DivergentBarrier, why);
                return false;
            }
            let releases: Vec<Release> = open.arrivals.iter().map(|a| a.release.clone()).collect();
            let Some(clock) = join(&releases) else { continue };
            // where all warps meet, all are through before the next arrives
            self.core.through[id] = if for_all { Vec::new() } else { releases };
            let popc: u32 = open.arrivals.iter().map(|a| a.predicate.count_ones()).sum();
            let every = open.arrivals.iter().all(|a| a.predicate == a.mask());
            for a in open.arrivals.iter().filter(|a| a.kind != BarrierKind::Arrive) {
                let warp = &mut self.warps[a.warp as usize];
                warp.know.adopt(a.mask(), &clock);
                let value = match a.kind {
                    BarrierKind::Popc => popc.into(),
                    BarrierKind::And => every.into(),
                    _ => u64::from(popc > 0),
                };
                for part in &a.parts {
                    if let Act::Barrier(barrier) = &worker.run.program.codes[part.at as usize].act
                        && let Some(frame) = &mut warp.frames[part.frame]
                    {
                        frame.set(barrier.to, part.mask, &[value; 32]);
                    }
                }
                for group in &mut warp.groups {
                    if group.state == State::Barrier(id as u8) && group.mask & a.mask() != 0 {
                        group.state = State::Ready;
                    }
                }
            }
        }
        true
    }
}

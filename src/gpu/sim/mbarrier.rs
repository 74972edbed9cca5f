//! Barriers in memory: `mbarrier`.
//!
//! The state is kept beside the 64 bits that hold it, which no other instruction may touch (PTX ISA, mbarrier: opaque). What threads
//! know when they arrive, those know that see the phase complete.

use super::access::{Request, Stop, Target, addresses, shared, touching};
use super::clock::{Clock, Release, bits, merge};
use super::copies::Announced;
use super::cta::Core;
use super::error::FaultKind;
use super::program::{Address, Mbarrier, Place, Value};
use super::run::Worker;
use super::shadow::Strength;
use super::strong::Given;
use super::warp::{Group, Warp};
use std::sync::Arc;

/// The most arrivals of a phase (PTX ISA, mbarrier).
const MOST: u32 = (1 << 20) - 1;

/// An mbarrier: this phase, and what was known at the end of the last.
#[derive(Debug)]
pub(super) struct State {
    expected: u32,
    pending: u32,
    transactions: i64,
    /// phases that are over
    phase: u64,
    releases: Vec<Release>,
    /// left by fences before arrivals that do not release
    given: Option<Arc<Clock>>,
    known: Option<Arc<Clock>>,
    /// that arrivals announce, with their phase, until a thread sees that it is over
    copies: Vec<(u64, Announced)>,
}

impl State {
    /// The opaque 64 bits of the present phase: the phase and the pending count.
    fn token(&self) -> u64 {
        self.phase << 20 | u64::from(self.pending)
    }

    /// The phase ends when all have arrived and all bytes have.
    fn complete(&mut self) {
        if self.pending > 0 || self.transactions != 0 {
            return;
        }
        for clock in [super::clock::join(&self.releases), self.given.take()].iter().flatten() {
            merge(&mut self.known, clock);
        }
        self.releases.clear();
        self.pending = self.expected;
        self.phase += 1;
    }

    /// Copies that are announced and not known to be over.
    pub fn copies(&self) -> impl Iterator<Item = &Announced> {
        self.copies.iter().map(|(_, copy)| copy)
    }

    /// An arrival of this phase announces copies.
    pub fn announce(&mut self, copies: &[Announced]) {
        self.copies.extend(copies.iter().map(|copy| (self.phase, copy.clone())));
    }

    /// Forgets some of its copies.
    pub fn take_copies(&mut self, which: impl Fn(&mut Announced) -> bool) -> Vec<Announced> {
        self.copies.extract_if(.., |(_, copy)| which(copy)).map(|(_, copy)| copy).collect()
    }

    /// Forgets those of phases that are over.
    fn take_over(&mut self) -> Vec<Announced> {
        self.copies.extract_if(.., |(phase, _)| *phase < self.phase).map(|(_, copy)| copy).collect()
    }
}

impl Warp {
    #[allow(clippy::too_many_arguments)] // what an instruction says, and whose it is
    pub(super) fn mbarrier(
        &mut self,
        g: usize,
        what: Mbarrier,
        address: &Address,
        from: &[Value],
        to: Place,
        mask: u32,
        core: &mut Core,
        worker: &mut Worker,
    ) -> Result<(), Stop> {
        let Group { at: code, frame: number, .. } = self.groups[g];
        let Some(frame) = &self.frames[number] else { return Err(Stop) };
        let places = addresses(frame, address);
        let local = frame.local_end(worker);
        for lane in bits(mask) {
            let Some(frame) = &self.frames[number] else { return Err(Stop) };
            let values: Vec<u64> = from.iter().map(|v| frame.lane(v, lane)).collect();
            let plain = matches!(what, Mbarrier::Init | Mbarrier::Invalidate);
            let request = Request::new(self.know.warp, code, address.space, &places, 8, true);
            let request = Request { mask: 1 << lane, local, ..request };
            if !shared(&request, lane) {
                let why = "an mbarrier is in shared memory".to_string();
                return Err(request.fault(worker, FaultKind::Mbarrier, lane, why));
            }
            let (checks, warps) = (worker.run.checks, worker.run.warps);
            let know = &self.know;
            request.each(core, worker, |target, lane| {
                let Target::Page(page, at) = target else { return Ok(()) };
                let strength = if plain { Strength::Weak } else { Strength::Gpu };
                if checks.races {
                    let by = touching(know, &request, lane, warps, strength);
                    if let Some(with) = page.write(&by, at, 8) {
                        request.race(worker, lane, with)?;
                    }
                }
                if plain {
                    page.set(at, 8, 0);
                }
                Ok(())
            })?;
            let at = places[lane as usize & 31] as u32;
            if let Mbarrier::ArriveOnCopies { .. } = what {
                self.announce_copies(lane, at, core, worker)?;
            }
            let result = match self.one(lane, what, at, &values, core) {
                Ok(result) => result,
                Err(why) => return Err(request.fault(worker, FaultKind::Mbarrier, lane, why)),
            };
            if let (Mbarrier::Test { .. }, 1, Some(state)) = (what, result, core.mbarriers.get_mut(&at)) {
                state.take_over().iter().try_for_each(|copy| copy.settle(core, worker))?;
            }
            if let Some(frame) = &mut self.frames[number] {
                frame.set_lane(to, lane, result);
            }
        }
        Ok(())
    }

    /// One thread's operation.
    fn one(&mut self, lane: u8, what: Mbarrier, at: u32, values: &[u64], core: &mut Core) -> Result<u64, String> {
        let first = values.first().copied().unwrap_or(0);
        if what == Mbarrier::Init {
            if core.mbarriers.contains_key(&at) {
                return Err(format!("an mbarrier is at {at:#x} already, and `mbarrier.inval` did not end it"));
            }
            let expected = first as u32;
            if expected == 0 || expected > MOST {
                return Err(format!("{expected} arrivals, where 1 to {MOST} are allowed"));
            }
            let state = State {
                expected,
                pending: expected,
                transactions: 0,
                phase: 0,
                releases: Vec::new(),
                given: None,
                known: None,
                copies: Vec::new(),
            };
            core.mbarriers.insert(at, state);
            return Ok(0);
        }
        if what == Mbarrier::Invalidate {
            return core.mbarriers.remove(&at).map(|_| 0).ok_or(format!("no mbarrier is at {at:#x}"));
        }
        let Some(state) = core.mbarriers.get_mut(&at) else { return Err(format!("no mbarrier is at {at:#x}")) };
        match what {
            Mbarrier::Arrive { drop, expect, complete, release } => {
                let token = state.token();
                if expect {
                    state.transactions += i64::from(first as u32);
                }
                let count = if expect || values.is_empty() { 1 } else { first as u32 };
                if count > state.pending || count == 0 {
                    return Err(format!("{count} arrivals, of {} that the phase still expects", state.pending));
                }
                state.pending -= count;
                if drop {
                    state.expected = state.expected.saturating_sub(count);
                }
                match release {
                    true => state.releases.push(self.know.release(1 << lane)),
                    false => {
                        let given = self.fences.release(&self.know, lane, false, Strength::Cta);
                        given.near.iter().for_each(|near| merge(&mut state.given, near));
                    }
                }
                if !complete && state.pending == 0 {
                    return Err("the phase is complete by an arrival that says it is not the last".into());
                }
                state.complete();
                Ok(token)
            }
            Mbarrier::ArriveOnCopies { counted } => {
                // what is not `.noinc` adds its own arrival first
                if !counted {
                    if state.pending == 0 {
                        return Err("an arrival that the phase does not expect".into());
                    }
                    state.pending -= 1;
                }
                state.releases.push(self.know.release(1 << lane));
                state.complete();
                Ok(0)
            }
            Mbarrier::ExpectTx => {
                state.transactions += i64::from(first as u32);
                Ok(0)
            }
            Mbarrier::CompleteTx => {
                state.transactions -= i64::from(first as u32);
                state.complete();
                Ok(0)
            }
            Mbarrier::Test { parity, acquire, .. } => {
                let over = match parity {
                    // the phase of this parity is over if the present one has the other
                    true => state.phase & 1 != first & 1,
                    false => state.phase > first >> 20,
                };
                if over {
                    let given = Given { near: state.known.clone(), ..Given::default() };
                    self.fences.acquired(&mut self.know, vec![(lane, given)], acquire);
                }
                Ok(over.into())
            }
            Mbarrier::Init | Mbarrier::Invalidate => Ok(0),
        }
    }
}

//! Barriers in memory: `mbarrier`.
//!
//! The state is kept beside the 64 bits that hold it, which no other instruction may touch (PTX ISA, mbarrier: opaque). What threads
//! know when they arrive, those know that see the phase complete.

use super::access::{Request, Stop, Target, addresses, touching};
use super::clock::{Clock, Release, bits};
use super::cta::Core;
use super::error::FaultKind;
use super::program::{Address, Mbarrier, Place, Value};
use super::run::Worker;
use super::shadow::Strength;
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
    known: Option<Arc<Clock>>,
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
        if let Some(joined) = super::clock::join(&self.releases) {
            self.known = Some(match &self.known {
                None => joined,
                Some(known) => {
                    let mut both = Clock::clone(&joined);
                    both.join(known);
                    Arc::new(both)
                }
            });
        }
        self.releases.clear();
        self.pending = self.expected;
        self.phase += 1;
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
            if let Mbarrier::ArriveOnCopies { .. } = what {
                // the latest that the copies may be there is now
                self.finish_copies(1 << lane, core, worker)?;
            }
            let Some(frame) = &self.frames[number] else { return Err(Stop) };
            let values: Vec<u64> = from.iter().map(|v| frame.lane(v, lane)).collect();
            let plain = matches!(what, Mbarrier::Init | Mbarrier::Invalidate);
            let request = Request {
                warp: self.know.warp,
                code,
                mask: 1 << lane,
                space: address.space,
                addresses: &places,
                local,
                bytes: 8,
                write: true,
                matrix: None,
            };
            let (checks, warps) = (worker.run.checks, worker.run.warps);
            let know = &self.know;
            let mut fresh = false;
            request.each(core, worker, |target, lane| {
                let Target::Page(page, at) = target else {
                    let why = "an mbarrier is in shared memory".to_string();
                    return Err(request.fault(worker, FaultKind::Mbarrier, lane, why));
                };
                fresh = page.is_written(at, 8);
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
            let result = match self.one(lane, what, at, &values, core) {
                Ok(result) => result,
                Err(why) => return Err(request.fault(worker, FaultKind::Mbarrier, lane, why)),
            };
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
            let expected = first as u32;
            if expected == 0 || expected > MOST {
                return Err(format!("{expected} arrivals, where 1 to {MOST} are allowed"));
            }
            let state = State { expected, pending: expected, transactions: 0, phase: 0, releases: vec![], known: None };
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
                if release {
                    state.releases.push(self.know.release(1 << lane));
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
                if over
                    && acquire
                    && let Some(known) = &state.known
                {
                    self.know.acquire(1 << lane, known);
                }
                Ok(over.into())
            }
            Mbarrier::Init | Mbarrier::Invalidate => Ok(0),
        }
    }
}

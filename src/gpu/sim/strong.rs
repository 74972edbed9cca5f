//! Release and acquire: through fences and relaxed accesses, and at accesses that release or acquire themselves.
//!
//! (PTX ISA, memory consistency model: release and acquire patterns.) A relaxed store gives away what its thread knew at its last fence;
//! what a relaxed load found is acquired at the next fence.

use super::clock::{Clock, Knowledge, bits};
use super::shadow::Strength;
use super::warp::Warp;
use std::sync::Arc;

/// What fences of the threads of a warp have done and have yet to do.
pub(super) struct Fences {
    /// tick and knowledge at the last fence, and how far it reaches
    last: Vec<Option<(u32, Arc<Clock>, Strength)>>,
    /// found by relaxed loads
    found: Vec<(u8, Arc<Clock>)>,
}

impl Fences {
    pub fn new() -> Fences {
        Fences { last: vec![None; 32], found: Vec::new() }
    }

    /// Loads found what others gave away.
    pub fn acquired(&mut self, know: &mut Knowledge, found: Vec<(u8, Arc<Clock>)>, now: bool, strength: Strength) {
        for (lane, clock) in found {
            match now && strength > Strength::Weak {
                true => know.acquire(1 << lane, &clock),
                false if self.found.iter().any(|(l, c)| *l == lane && Arc::ptr_eq(c, &clock)) => {}
                false => self.found.push((lane, clock)),
            }
        }
    }

    /// What a strong store or atomic of a thread gives away, and how far.
    pub fn release(&self, know: &Knowledge, lane: u8, now: bool, strength: Strength) -> (Option<Arc<Clock>>, Strength) {
        if now {
            return (Some(know.of(lane).with(know.warp, lane, know.tick)), strength);
        }
        match &self.last[lane as usize & 31] {
            Some((tick, clock, reach)) => (Some(clock.with(know.warp, lane, *tick)), strength.min(*reach)),
            None => (None, strength),
        }
    }
}

impl Warp {
    /// A fence of some threads.
    pub(super) fn fence(&mut self, mask: u32, strength: Strength) {
        let Warp { know, fences, .. } = self;
        let found = core::mem::take(&mut fences.found);
        for (lane, clock) in found {
            match mask >> lane & 1 == 1 {
                true if strength == Strength::Gpu || clock.cta() == know.of(lane).cta() => {
                    know.acquire(1 << lane, &clock)
                }
                _ => fences.found.push((lane, clock)),
            }
        }
        for lane in bits(mask) {
            fences.last[lane as usize] = Some((know.tick, know.of(lane).clone(), strength));
        }
        know.tick += 1;
    }
}

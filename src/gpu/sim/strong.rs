//! Release and acquire: through fences and relaxed accesses, and at accesses that release or acquire themselves.
//!
//! (PTX ISA, memory consistency model: release and acquire patterns.) A relaxed store gives away what its thread knew at its last fence;
//! what a relaxed load found is acquired at the next fence.

use super::clock::{Clock, Found, Knowledge, bits, merge};
use super::program::Fence;
use super::shadow::Strength;
use super::warp::Warp;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What fences of the threads of a warp have done and have yet to do.
pub(super) struct Fences {
    /// of each thread tick and knowledge at the last fence that releases to its CTA, and to all
    last: Vec<[Option<Moment>; 2]>,
    /// what relaxed reads found, left by the own CTA and for all
    found: [Found; 2],
}

/// A tick, and what a thread knew in it.
type Moment = (u32, Arc<Clock>);

/// What strong writes leave at a location, or a strong read finds there.
#[derive(Default, Debug)]
pub(super) struct Given {
    /// for the CTA that leaves it
    pub near: Option<Arc<Clock>>,
    /// for all
    pub far: Option<Arc<Clock>>,
    /// for `fence.sc`
    pub fenced: Option<Arc<Clock>>,
}

/// All that is left at a location.
#[derive(Default, Debug)]
pub(super) struct Released {
    near: BTreeMap<u32, Arc<Clock>>,
    far: Option<Arc<Clock>>,
    fenced: Option<Arc<Clock>>,
}

impl Given {
    pub fn is_nothing(&self) -> bool {
        self.near.is_none() && self.far.is_none() && self.fenced.is_none()
    }
}

impl Released {
    /// Adds what a thread of a CTA leaves.
    pub fn add(&mut self, given: &Given, cta: u32) {
        if let Some(near) = &given.near {
            let mut known = self.near.remove(&cta);
            merge(&mut known, near);
            known.and_then(|known| self.near.insert(cta, known));
        }
        given.far.iter().for_each(|far| merge(&mut self.far, far));
        given.fenced.iter().for_each(|fenced| merge(&mut self.fenced, fenced));
    }

    /// What a thread of a CTA finds.
    pub fn find(&self, cta: u32, strength: Strength) -> Given {
        let all = strength == Strength::Gpu;
        Given {
            near: self.near.get(&cta).cloned(),
            far: self.far.clone().filter(|_| all),
            fenced: self.fenced.clone().filter(|_| all),
        }
    }
}

impl Fences {
    pub fn new() -> Fences {
        Fences { last: vec![[None, None]; 32], found: Default::default() }
    }

    /// Reads found what others gave away; `now` if they acquire it themselves.
    pub fn acquired(&mut self, know: &mut Knowledge, found: Vec<(u8, Given)>, now: bool) {
        for (lane, Given { near, far, fenced }) in found {
            fenced.iter().for_each(|fenced| know.found.add(lane, fenced));
            for (clock, found) in [near, far].iter().zip(&mut self.found) {
                match clock {
                    Some(clock) if now => know.acquire(1 << lane, clock),
                    Some(clock) => found.add(lane, clock),
                    None => {}
                }
            }
        }
    }

    /// What a strong write of a thread gives away; `now` if it releases by itself.
    pub fn release(&self, know: &Knowledge, lane: u8, now: bool, strength: Strength) -> Given {
        let of =
            |last: &Option<(u32, Arc<Clock>)>| last.as_ref().map(|(tick, clock)| clock.with(know.warp, lane, *tick));
        let (near, far) = match &self.last[lane as usize & 31] {
            _ if now => {
                let clock = know.of(lane).with(know.warp, lane, know.tick);
                (Some(clock.clone()), Some(clock))
            }
            [Some((near, _)), last @ Some((far, _))] if near == far => {
                let clock = of(last);
                (clock.clone(), clock)
            }
            [near, far] => (of(near), of(far)),
        };
        match strength {
            Strength::Gpu => Given { near, far, fenced: know.fenced(lane) },
            _ => Given { near, far: None, fenced: None },
        }
    }
}

impl Warp {
    /// A fence of some threads.
    pub(super) fn fence(&mut self, mask: u32, fence: Fence) {
        let Warp { know, fences, .. } = self;
        let all = fence.reach == Strength::Gpu;
        if fence.acquire {
            know.acquire_each(&fences.found[0].take(mask));
            if all {
                know.acquire_each(&fences.found[1].take(mask));
            }
        }
        if fence.sequential && all {
            know.sequential(mask);
        }
        if fence.release {
            for lane in bits(mask) {
                let now = Some((know.tick, know.of(lane).clone()));
                let [near, far] = &mut fences.last[lane as usize & 31];
                if all {
                    *far = now.clone();
                }
                *near = now;
            }
        }
        know.tick += 1;
    }
}

//! What happens before what: vector clocks.
//!
//! Time is counted in each warp: every release (a barrier, a fence, an arrival) of any of its threads ends a tick. A thread *knows*
//! another up to the tick of the last release of the other that reached it. An access made by thread t at tick c happens before what
//! u does if u knows t up to c.
//!
//! `fence.sc` adds to this. Of two that reach each other one comes first and synchronizes with the other. Which one is known where a
//! write that comes after the one is read before the other: the other way round the read would come before what it reads (PTX ISA,
//! memory consistency model: memory synchronization, Fence-SC, causality). So knowledge includes what was known at the `fence.sc`
//! that came before, for strong writes to leave, and what strong reads have found of this, for the next `fence.sc`. Those of a CTA
//! count as other fences do.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

/// A thread: its warp, counted over the whole grid, and its lane.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Thread {
    pub warp: u32,
    pub lane: u8,
}

/// Ticks of the threads of one CTA, and the least of each warp.
#[derive(Clone, PartialEq, Debug)]
struct Ticks {
    lanes: Box<[u32]>,
    least: Box<[u32]>,
}

impl Ticks {
    fn new(warps: usize) -> Ticks {
        Ticks { lanes: vec![0; 32 * warps].into(), least: vec![0; warps].into() }
    }

    fn join(&mut self, other: &Ticks) {
        self.lanes.iter_mut().zip(&other.lanes).for_each(|(a, b)| *a = (*a).max(*b));
        self.summarize();
    }

    fn summarize(&mut self) {
        for (least, lanes) in self.least.iter_mut().zip(self.lanes.chunks_exact(32)) {
            *least = lanes.iter().copied().min().unwrap_or(0);
        }
    }
}

/// What a thread knows.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Clock {
    cta: u32,
    own: Ticks,
    others: Arc<BTreeMap<u32, Arc<Ticks>>>,
    /// what was known at the `fence.sc` that came before
    fenced: Option<Arc<Clock>>,
    /// what was known at those that come before the next `fence.sc`
    found: Option<Arc<Clock>>,
}

impl Clock {
    /// Of a CTA of so many warps, that nothing has reached.
    pub fn new(cta: u32, warps: usize) -> Clock {
        Clock { cta, own: Ticks::new(warps), others: Arc::default(), fenced: None, found: None }
    }

    /// With a thread of its CTA up to a tick.
    pub fn with(&self, warp: u32, lane: u8, tick: u32) -> Arc<Clock> {
        let mut clock = self.clone();
        clock.learn(warp, 1 << lane, tick);
        Arc::new(clock)
    }

    /// Is the thread known up to this tick?
    pub fn knows(&self, thread: Thread, tick: u32) -> bool {
        self.knows_all(thread.warp, 1 << thread.lane, tick)
    }

    /// Are all threads of this warp that are in the mask known up to this tick?
    #[inline]
    pub fn knows_all(&self, warp: u32, lanes: u32, tick: u32) -> bool {
        let warps = self.own.least.len() as u32;
        // most are of the same CTA, and for them nothing is divided
        let own = warp.wrapping_sub(self.cta * warps);
        let (ticks, warp) = match own < warps {
            true => (&self.own, own as usize),
            false => match self.others.get(&(warp / warps)) {
                Some(ticks) => (&**ticks, (warp % warps) as usize),
                None => return false,
            },
        };
        ticks.least[warp] >= tick || bits(lanes).all(|lane| ticks.lanes[32 * warp + lane as usize] >= tick)
    }

    /// All that either knows.
    pub fn join(&mut self, other: &Clock) {
        match other.cta == self.cta {
            true => self.own.join(&other.own),
            false => self.join_ticks(other.cta, &Arc::new(other.own.clone())),
        }
        if !Arc::ptr_eq(&self.others, &other.others) {
            other.others.iter().for_each(|(cta, ticks)| self.join_ticks(*cta, ticks));
        }
        other.fenced.iter().for_each(|fenced| merge(&mut self.fenced, fenced));
        other.found.iter().for_each(|found| merge(&mut self.found, found));
    }

    /// Without what concerns `fence.sc`.
    fn plain(self: &Arc<Clock>) -> Arc<Clock> {
        match (&self.fenced, &self.found) {
            (None, None) => self.clone(),
            _ => Arc::new(Clock { fenced: None, found: None, ..Clock::clone(self) }),
        }
    }

    fn join_ticks(&mut self, cta: u32, ticks: &Arc<Ticks>) {
        if cta == self.cta {
            return self.own.join(ticks);
        }
        let joined = match self.others.get(&cta) {
            Some(known) if Arc::ptr_eq(known, ticks) || Ticks::eq(known, ticks) => return,
            Some(known) => {
                let mut joined = Ticks::clone(known);
                joined.join(ticks);
                Arc::new(joined)
            }
            None => ticks.clone(),
        };
        Arc::make_mut(&mut self.others).insert(cta, joined);
    }

    /// Learns of threads of a warp of its own CTA up to a tick.
    fn learn(&mut self, warp: u32, lanes: u32, tick: u32) {
        let warp = warp as usize % self.own.least.len();
        let of = &mut self.own.lanes[32 * warp..32 * warp + 32];
        bits(lanes).for_each(|lane| of[lane as usize] = of[lane as usize].max(tick));
        self.own.least[warp] = of.iter().copied().min().unwrap_or(0);
    }
}

/// Adds what a clock knows.
pub(super) fn merge(all: &mut Option<Arc<Clock>>, one: &Arc<Clock>) {
    match all {
        None => *all = Some(one.clone()),
        Some(known) if Arc::ptr_eq(known, one) => {}
        Some(known) => Arc::make_mut(known).join(one),
    }
}

/// What strong reads of the threads of a warp have found, for a fence to acquire.
#[derive(Default, Debug)]
pub(super) struct Found(Vec<(u8, Arc<Clock>)>);

impl Found {
    pub fn add(&mut self, lane: u8, clock: &Arc<Clock>) {
        match self.0.iter_mut().find(|(l, _)| *l == lane) {
            Some((_, known)) if Arc::ptr_eq(known, clock) => {}
            Some((_, known)) => Arc::make_mut(known).join(clock),
            None => self.0.push((lane, clock.clone())),
        }
    }

    fn of(&self, lanes: u32) -> impl Iterator<Item = &(u8, Arc<Clock>)> {
        self.0.iter().filter(move |(lane, _)| lanes >> lane & 1 == 1)
    }

    /// What these threads have found, and no longer have to acquire.
    pub fn take(&mut self, lanes: u32) -> Vec<(u8, Arc<Clock>)> {
        let taken = self.of(lanes).cloned().collect();
        self.0.retain(|(lane, _)| lanes >> lane & 1 == 0);
        taken
    }
}

/// The last `fence.sc` of some threads of a warp, its tick and what they knew.
#[derive(Clone, Debug)]
struct Sequential {
    lanes: u32,
    tick: u32,
    clock: Arc<Clock>,
}

/// The lanes of a mask.
pub(super) fn bits(mut mask: u32) -> impl Iterator<Item = u8> {
    core::iter::from_fn(move || {
        let lane = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (lane < 32).then_some(lane as u8)
    })
}

/// What the threads of a warp know, and the tick that they are in.
#[derive(Debug)]
pub(super) struct Knowledge {
    /// the warp, counted over the whole grid
    pub warp: u32,
    /// the present tick, at least 1
    pub tick: u32,
    /// lanes without a thread
    missing: u32,
    /// lanes without a thread, or whose thread has exited
    pub gone: u32,
    clocks: Clocks,
    /// since the last barrier
    fenced: Vec<Sequential>,
    /// what strong reads have found of others' `fence.sc` since then
    pub found: Found,
}

#[derive(Debug)]
enum Clocks {
    /// all the same
    Same(Arc<Clock>),
    Each(Box<[Arc<Clock>; 32]>),
}

/// What some threads of a warp give away at a release: all that they know, and themselves.
#[derive(Clone, Debug)]
pub(super) struct Release {
    warp: u32,
    lanes: u32,
    tick: u32,
    clocks: Vec<Arc<Clock>>,
    fenced: Vec<Sequential>,
    found: Vec<Arc<Clock>>,
}

impl Release {
    /// Does a thread know of it?
    pub fn is_known(&self, know: &Knowledge, lane: u8) -> bool {
        let own = if self.warp == know.warp { 1 << lane } else { 0 };
        know.of(lane).knows_all(self.warp, self.lanes & !own, self.tick)
    }
}

impl Knowledge {
    pub fn new(warp: u32, lanes: u32, clock: Arc<Clock>) -> Knowledge {
        let (fenced, found) = (Vec::new(), Found::default());
        Knowledge { warp, tick: 1, missing: !lanes, gone: !lanes, clocks: Clocks::Same(clock), fenced, found }
    }

    /// Its CTA, of so many warps.
    pub fn cta(&self, warps: u32) -> u32 {
        self.warp / warps
    }

    /// Do all its threads know the same?
    pub fn is_alike(&self) -> bool {
        matches!(self.clocks, Clocks::Same(_))
    }

    /// What one thread knows.
    pub fn of(&self, lane: u8) -> &Arc<Clock> {
        match &self.clocks {
            Clocks::Same(clock) => clock,
            Clocks::Each(clocks) => &clocks[lane as usize & 31],
        }
    }

    /// What some threads know, those that know the same together.
    fn groups(&self, lanes: u32) -> Vec<(u32, Arc<Clock>)> {
        match &self.clocks {
            Clocks::Same(clock) => vec![(lanes, clock.clone())],
            Clocks::Each(each) => alike(bits(lanes).map(|lane| (lane, &each[lane as usize & 31]))),
        }
    }

    /// Threads give away what they know; a tick ends.
    pub fn release(&mut self, lanes: u32) -> Release {
        let of = |f: &&Sequential| f.lanes & lanes != 0;
        let release = Release {
            warp: self.warp,
            lanes: lanes | self.missing,
            tick: self.tick,
            clocks: self.groups(lanes).into_iter().map(|(_, clock)| clock).collect(),
            fenced: self.fenced.iter().filter(of).map(|f| Sequential { lanes: f.lanes & lanes, ..f.clone() }).collect(),
            found: self.found.of(lanes).map(|(_, clock)| clock.clone()).collect(),
        };
        self.tick += 1;
        release
    }

    /// A `fence.sc` of some threads: they come to know what was known at those that come before it.
    pub fn sequential(&mut self, lanes: u32) {
        let found = self.found.take(lanes);
        self.acquire_each(&found);
        let found = bits(lanes).filter_map(|lane| Some((lane, self.of(lane).found.clone()?))).collect::<Vec<_>>();
        self.acquire_each(&found);
        self.forget_fences(lanes);
        let tick = self.tick;
        let fenced = self.groups(lanes).into_iter().map(|(lanes, c)| Sequential { lanes, tick, clock: c.plain() });
        self.fenced.extend(fenced.collect::<Vec<_>>());
    }

    /// What was known at the `fence.sc` that come before what a thread does now.
    pub fn fenced(&self, lane: u8) -> Option<Arc<Clock>> {
        let mut all = self.of(lane).fenced.clone();
        if let Some(last) = self.fenced.iter().find(|f| f.lanes >> lane & 1 == 1) {
            merge(&mut all, &last.clock.with(self.warp, lane, last.tick));
        }
        all
    }

    fn forget_fences(&mut self, lanes: u32) {
        self.fenced.iter_mut().for_each(|f| f.lanes &= !lanes);
        self.fenced.retain(|f| f.lanes != 0);
    }

    /// Each thread comes to know what it found.
    pub fn acquire_each(&mut self, found: &[(u8, Arc<Clock>)]) {
        for (lanes, clock) in alike(found.iter().map(|(lane, clock)| (*lane, clock))) {
            self.acquire(lanes, &clock);
        }
    }

    /// Threads come to know what others gave away.
    pub fn acquire(&mut self, lanes: u32, from: &Arc<Clock>) {
        let joined = |clock: &Arc<Clock>| {
            // its own first: a clock is of a CTA
            let mut joined = Clock::clone(clock);
            joined.join(from);
            Arc::new(joined)
        };
        if let Clocks::Same(clock) = &self.clocks {
            if lanes | self.gone == u32::MAX {
                self.clocks = Clocks::Same(if Arc::ptr_eq(clock, from) { return } else { joined(clock) });
                return;
            }
            self.clocks = Clocks::Each(Box::new(core::array::from_fn(|_| clock.clone())));
        }
        let Clocks::Each(each) = &mut self.clocks else { return };
        // threads that knew the same know the same again
        let mut done: Vec<(Arc<Clock>, Arc<Clock>)> = Vec::new();
        for lane in bits(lanes) {
            let clock = &mut each[lane as usize];
            let new = match done.iter().find(|(old, _)| Arc::ptr_eq(old, clock)) {
                Some((_, new)) => new.clone(),
                None => {
                    let new = joined(clock);
                    done.push((clock.clone(), new.clone()));
                    new
                }
            };
            *clock = new;
        }
    }

    /// Threads that all took part in giving away, and know nothing beside it.
    pub fn adopt(&mut self, lanes: u32, clock: &Arc<Clock>) {
        // all about fences is in the clock now
        self.forget_fences(lanes);
        self.found.take(lanes);
        if lanes | self.gone == u32::MAX {
            self.clocks = Clocks::Same(clock.clone());
            return;
        }
        if let Clocks::Same(old) = &self.clocks {
            self.clocks = Clocks::Each(Box::new(core::array::from_fn(|_| old.clone())));
        }
        if let Clocks::Each(each) = &mut self.clocks {
            bits(lanes).for_each(|lane| each[lane as usize] = clock.clone());
        }
    }
}

/// Lanes with the same clock together.
fn alike<'a>(all: impl Iterator<Item = (u8, &'a Arc<Clock>)>) -> Vec<(u32, Arc<Clock>)> {
    let mut groups: Vec<(u32, Arc<Clock>)> = Vec::new();
    for (lane, clock) in all {
        match groups.iter_mut().find(|(_, c)| Arc::ptr_eq(c, clock)) {
            Some((lanes, _)) => *lanes |= 1 << lane,
            None => groups.push((1 << lane, clock.clone())),
        }
    }
    groups
}

/// All that several releases gave away.
pub(super) fn join(releases: &[Release]) -> Option<Arc<Clock>> {
    let mut clocks: Vec<&Arc<Clock>> = Vec::new();
    for clock in releases.iter().flat_map(|r| &r.clocks) {
        if !clocks.iter().any(|c| Arc::ptr_eq(c, clock)) {
            clocks.push(clock);
        }
    }
    let mut joined = Clock::clone(clocks.first()?);
    clocks[1..].iter().for_each(|clock| joined.join(clock));
    releases.iter().for_each(|r| joined.learn(r.warp, r.lanes, r.tick));
    for r in releases {
        r.found.iter().for_each(|found| merge(&mut joined.found, found));
        for fence in &r.fenced {
            let mut known = Clock::clone(&fence.clock);
            known.learn(r.warp, fence.lanes, fence.tick);
            merge(&mut joined.fenced, &Arc::new(known));
        }
    }
    Some(Arc::new(joined))
}

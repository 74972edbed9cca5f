//! A CTA: its warps in turn, its shared memory, its barriers.

use super::clock::{Clock, Knowledge, Release, bits, join};
use super::error::FaultKind;
use super::mbarrier;
use super::page::{PAGE, Page};
use super::program::{Act, BarrierKind, Place};
use super::run::{Raised, Run, Worker};
use super::warp::{Pause, State, Warp};
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

/// Instructions that a warp goes on before the next has its turn.
const SHARE: u32 = 2048;

/// What the warps of a CTA share.
pub(super) struct Core {
    /// `%ctaid`
    pub id: [u32; 3],
    pub shared: Vec<Page>,
    pub mbarriers: HashMap<u32, mbarrier::State>,
    barriers: [Option<Open>; 16],
}

/// A barrier that threads have arrived at.
struct Open {
    /// threads that it is for, where an instruction says so
    count: Option<u32>,
    arrived: u32,
    arrivals: Vec<Arrival>,
}

/// Threads of a warp at a barrier.
pub(super) struct Arrival {
    /// in the CTA
    pub warp: u32,
    pub frame: usize,
    pub mask: u32,
    pub code: u32,
    pub kind: BarrierKind,
    pub to: Place,
    pub count: Option<u32>,
    /// as many as it counts for
    pub threads: u32,
    pub predicate: u32,
    pub release: Release,
}

impl Core {
    /// Notes an arrival.
    pub fn arrive(&mut self, id: u8, arrival: Arrival) -> Result<(), String> {
        if arrival.count.is_some_and(|n| n == 0 || n % 32 != 0) {
            return Err(format!("a barrier of {} threads, where warps of 32 are counted", arrival.count.unwrap_or(0)));
        }
        let open = self.barriers[id as usize & 15].get_or_insert(Open {
            count: arrival.count,
            arrived: 0,
            arrivals: Vec::new(),
        });
        if open.count != arrival.count {
            let name = |count: Option<u32>| count.map_or("all".into(), |n| n.to_string());
            return Err(format!("barrier {id} of {} threads here, of {} there", name(arrival.count), name(open.count)));
        }
        let reduces = |kind| !matches!(kind, BarrierKind::Sync | BarrierKind::Arrive);
        if let Some(first) = open.arrivals.first()
            && (reduces(first.kind) || reduces(arrival.kind))
            && first.kind != arrival.kind
        {
            return Err(format!("barrier {id} reduces differently here and there"));
        }
        open.arrived += arrival.threads;
        open.arrivals.push(arrival);
        Ok(())
    }

    /// The first and the last mbarrier, if there are any.
    pub fn mbarriers(&self) -> Option<(u32, u32)> {
        Some((*self.mbarriers.keys().min()?, *self.mbarriers.keys().max()?))
    }

    /// An mbarrier that has bytes in this range.
    pub fn mbarrier(&self, at: u64, bytes: u64) -> Option<u32> {
        self.mbarriers.keys().copied().find(|m| u64::from(*m) < at + bytes && at < u64::from(*m) + 8)
    }

    /// Is the range in a variable of shared memory, or in its dynamic part?
    pub fn within(&self, at: u64, bytes: u64, run: &Run) -> Result<(), String> {
        let end = at.saturating_add(bytes);
        let program = run.program;
        let dynamic = u64::from(program.dynamic)..u64::from(program.dynamic) + u64::from(run.dynamic);
        if at >= dynamic.start && end <= dynamic.end {
            return Ok(());
        }
        if program.shared.iter().any(|(a, b)| at >= u64::from(*a) && end <= u64::from(*b)) {
            return Ok(());
        }
        let below = program.shared.iter().filter(|(a, _)| u64::from(*a) <= at).next_back();
        Err(match below {
            _ if at >= dynamic.start => {
                format!("{bytes} bytes at shared address {at:#x}, dynamic shared memory ends at {:#x}", dynamic.end)
            }
            Some((_, b)) => format!("{bytes} bytes at shared address {at:#x}, the variable ends at {b:#x}"),
            None => format!("{bytes} bytes at shared address {at:#x}, where no variable is"),
        })
    }
}

/// A CTA on its way.
pub(super) struct Cta {
    pub number: u32,
    /// instructions of its warps so far
    pub steps: u64,
    core: Core,
    warps: Vec<Warp>,
    threads: u32,
    next: usize,
}

/// How it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Progress {
    Done,
    Goes,
    /// it cannot go on, or the run is over
    Stopped,
}

impl Cta {
    pub fn new(number: u32, worker: &Worker) -> Cta {
        let run = worker.run;
        let [bx, by, _] = run.blocks;
        let threads: u32 = run.threads.iter().product();
        let clock = Arc::new(Clock::new(number, run.warps as usize));
        let bytes = run.program.dynamic as usize + run.dynamic as usize;
        let warps = (0..run.warps).map(|w| {
            let lanes = u32::MAX >> 32u32.saturating_sub(threads - 32 * w).min(31);
            Warp::new(w, lanes, Knowledge::new(number * run.warps + w, lanes, clock.clone()), run.entry, worker)
        });
        Cta {
            number,
            steps: 0,
            warps: warps.collect(),
            core: Core {
                id: [number % bx, number / bx % by, number / bx / by],
                shared: (0..bytes.div_ceil(PAGE)).map(|_| Page::new()).collect(),
                mbarriers: HashMap::new(),
                barriers: Default::default(),
            },
            threads,
            next: 0,
        }
    }

    /// Goes on for about so many instructions of its warps.
    pub fn run(&mut self, worker: &mut Worker, slice: u64) -> Progress {
        let begin = worker.steps;
        loop {
            let (mut waits, mut polls, mut done) = (0, 0, 0);
            for _ in 0..self.warps.len() {
                let w = self.next;
                self.next = (w + 1) % self.warps.len();
                match self.warps[w].run(&mut self.core, worker, SHARE) {
                    Pause::Share => {}
                    Pause::Polls => polls += 1,
                    Pause::Waits => waits += 1,
                    Pause::Done => done += 1,
                    Pause::Stop => return Progress::Stopped,
                }
                if worker.over() {
                    if worker.run.is_spent() {
                        self.spent(w, worker);
                    }
                    return Progress::Stopped;
                }
                if !self.complete(worker) {
                    return Progress::Stopped;
                }
            }
            if done == self.warps.len() {
                return Progress::Done;
            }
            // barriers may have let some go since they said that they wait
            let stuck = |warp: &Warp| warp.groups.iter().all(|g| g.state != State::Ready);
            if waits + done == self.warps.len() && self.warps.iter().all(stuck) {
                self.stuck(worker);
                return Progress::Stopped;
            }
            // where all look what other CTAs do, those have their turn
            let all_poll = polls > 0 && polls + waits + done == self.warps.len();
            if all_poll || worker.steps - begin > slice {
                return Progress::Goes;
            }
        }
    }

    /// Lets go whom the barriers have waited for; false if the run stops.
    fn complete(&mut self, worker: &Worker) -> bool {
        for id in 0..16 {
            let Some(open) = &self.core.barriers[id] else { continue };
            let exited: u32 = match open.count {
                Some(_) => 0,
                None => self.warps.iter().map(|w| w.exited.count_ones()).sum(),
            };
            let expected = open.count.unwrap_or(self.threads);
            if open.arrived + exited < expected {
                continue;
            }
            let Some(open) = self.core.barriers[id].take() else { continue };
            if exited > 0 && worker.run.checks.exited {
                let first = &open.arrivals[0];
                let why = format!("barrier {id} is for all {expected} threads, {exited} of them have exited");
                self.raise(worker, FaultKind::ExitedAtBarrier, first.code, first.warp, first.mask, why);
                return false;
            }
            if open.arrived > expected {
                let first = &open.arrivals[0];
                let why = format!("{} threads at barrier {id}, which is for {expected}", open.arrived);
                self.raise(worker, FaultKind::DivergentBarrier, first.code, first.warp, first.mask, why);
                return false;
            }
            let releases: Vec<Release> = open.arrivals.iter().map(|a| a.release.clone()).collect();
            let Some(clock) = join(&releases) else { continue };
            let set = |a: &Arrival| a.predicate & a.mask;
            let popc: u32 = open.arrivals.iter().map(|a| set(a).count_ones()).sum();
            let all = open.arrivals.iter().all(|a| set(a) == a.mask);
            for a in open.arrivals.iter().filter(|a| a.kind != BarrierKind::Arrive) {
                let warp = &mut self.warps[a.warp as usize];
                warp.know.adopt(a.mask, &clock);
                let value = match a.kind {
                    BarrierKind::Popc => popc.into(),
                    BarrierKind::And => all.into(),
                    _ => u64::from(popc > 0),
                };
                if let Some(frame) = &mut warp.frames[a.frame] {
                    frame.set(a.to, a.mask, &[value; 32]);
                }
                for group in &mut warp.groups {
                    if group.state == State::Barrier(id as u8) && group.mask & a.mask != 0 {
                        group.state = State::Ready;
                    }
                }
            }
        }
        true
    }

    fn raise(&self, worker: &Worker, kind: FaultKind, code: u32, warp: u32, mask: u32, detail: String) {
        let lane = mask.trailing_zeros() as u8 & 31;
        let thread = self.warps[warp as usize].thread(lane);
        worker.raise(Raised { kind, code, thread, detail, other: None });
    }

    /// Nobody can go on: says why.
    fn stuck(&self, worker: &Worker) {
        let program = worker.run.program;
        // the instruction that a group waits at, once it is past it if it has arrived
        let code = |g: &super::warp::Group| if g.state == State::Others { g.at } else { g.at.saturating_sub(1) };
        let waiting = self.warps.iter().flat_map(|w| w.groups.iter().map(move |g| (w, g)));
        let mut worst: Option<(FaultKind, u32, u32, u32, String)> = None;
        for (w, g) in waiting {
            let act = &program.codes[code(g) as usize].act;
            let (kind, why) = match (g.state, act) {
                (State::Others, Act::Barrier(_)) if w.exited != 0 => {
                    (FaultKind::ExitedAtBarrier, format!("lanes {} of the warp have exited", lanes(w.exited)))
                }
                (State::Others, Act::Barrier(_)) => {
                    let missing = w.lanes & !g.mask;
                    (FaultKind::DivergentBarrier, format!("lanes {} of the warp wait elsewhere", lanes(missing)))
                }
                (State::Others, _) => {
                    let missing = w.lanes & !g.mask;
                    (
                        FaultKind::InactiveLane,
                        format!("it waits for others of lanes {}, which do not come", lanes(missing)),
                    )
                }
                _ => (FaultKind::Deadlock, "nobody can go on".to_string()),
            };
            let rank = |kind| kind == FaultKind::Deadlock;
            if worst.as_ref().is_none_or(|(known, ..)| rank(*known) && !rank(kind)) {
                worst = Some((kind, code(g), w.index, g.mask, why));
            }
        }
        let Some((kind, code, warp, mask, why)) = worst else { return };
        self.raise(worker, kind, code, warp, mask, format!("{why}\n{}", self.waiting(worker)));
    }

    /// The budget ended when this warp had gone on.
    fn spent(&self, w: usize, worker: &Worker) {
        let others = (w..self.warps.len()).chain(0..w).map(|w| &self.warps[w]);
        let Some((w, g)) = others.filter_map(|w| Some((w, &w.groups[w.next_group()?]))).next() else { return };
        let why = format!("{} instructions of warps\n{}", worker.run.budget, self.waiting(worker));
        self.raise(worker, FaultKind::Budget, g.at, w.index, g.mask, why);
    }

    /// Where each warp is, warps at one place together.
    fn waiting(&self, worker: &Worker) -> String {
        let mut places: Vec<((u32, State), Vec<(u32, u32)>)> = Vec::new();
        for warp in &self.warps {
            for g in &warp.groups {
                let at = if matches!(g.state, State::Barrier(_)) { g.at.saturating_sub(1) } else { g.at };
                match places.iter_mut().find(|(place, _)| *place == (at, g.state)) {
                    Some((_, all)) => all.push((warp.index, g.mask)),
                    None => places.push(((at, g.state), vec![(warp.index, g.mask)])),
                }
            }
        }
        let mut text = String::from("  the threads are at");
        for ((at, state), warps) in places.iter().take(16) {
            let (warp, mask) = warps[0];
            let more = if warps.len() > 1 { format!(" and {} other warps", warps.len() - 1) } else { String::new() };
            let what = match state {
                State::Ready => "go on at",
                State::Others => "wait for the rest of the warp at",
                State::Barrier(_) => "wait for other warps at",
            };
            let site = worker.run.site(*at);
            let _ = write!(
                text,
                "\n    warp {warp} lanes {}{more} {what} line {}: {}",
                lanes(mask),
                site.line,
                site.instruction
            );
        }
        text
    }
}

/// `0-7,9`.
fn lanes(mask: u32) -> String {
    let mut text = String::new();
    let mut all = bits(mask).peekable();
    while let Some(first) = all.next() {
        let mut last = first;
        while all.next_if(|next| *next == last + 1).is_some() {
            last += 1;
        }
        let comma = if text.is_empty() { "" } else { "," };
        let _ = if first == last { write!(text, "{comma}{first}") } else { write!(text, "{comma}{first}-{last}") };
    }
    text
}

//! A CTA: its warps in turn, its shared memory, its barriers.

use super::barrier::Open;
use super::clock::{Clock, Knowledge, Release, bits};
use super::error::FaultKind;
use super::group::{Group, Pause, State};
use super::mbarrier;
use super::page::{PAGE, Page};
use super::program::Act;
use super::run::{Raised, Run, Worker};
use super::warp::Warp;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

/// Instructions that a warp goes on before the next has its turn.
const SHARE: u32 = 2048;

/// What the warps of a CTA share.
pub(super) struct Core {
    /// `%ctaid`
    pub id: [u32; 3],
    pub shared: Vec<Page>,
    pub mbarriers: BTreeMap<u32, mbarrier::State>,
    pub barriers: [Option<Open>; 16],
    /// arrivals at each barrier of some of the warps, the last time that it let them go
    pub through: [Vec<Release>; 16],
    /// instructions that its worker had executed when it began
    begin: u64,
}

impl Core {
    /// Instructions that it has executed.
    pub fn time(&self, worker: &Worker) -> u64 {
        worker.steps.wrapping_sub(self.begin)
    }

    /// The first and the last mbarrier, if there are any.
    pub fn mbarriers(&self) -> Option<(u32, u32)> {
        Some((*self.mbarriers.first_key_value()?.0, *self.mbarriers.last_key_value()?.0))
    }

    /// An mbarrier that has bytes in this range.
    pub fn mbarrier(&self, at: u64, bytes: u64) -> Option<u32> {
        let end = u32::try_from(at.saturating_add(bytes)).unwrap_or(u32::MAX);
        let (last, _) = self.mbarriers.range(..end).next_back()?;
        (at < u64::from(*last) + 8).then_some(*last)
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
        let below = program.shared.iter().rfind(|(a, _)| u64::from(*a) <= at);
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
    pub core: Core,
    pub warps: Vec<Warp>,
    pub threads: u32,
    next: usize,
    /// instructions that it had executed when it was last left
    pub steps: u64,
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
            warps: warps.collect(),
            core: Core {
                id: [number % bx, number / bx % by, number / bx / by],
                shared: (0..bytes.div_ceil(PAGE)).map(|_| Page::new()).collect(),
                mbarriers: BTreeMap::new(),
                barriers: Default::default(),
                through: Default::default(),
                begin: worker.steps,
            },
            threads,
            next: 0,
            steps: 0,
        }
    }

    /// Goes on for about so many instructions of its warps.
    pub fn run(&mut self, worker: &mut Worker, slice: u64) -> Progress {
        // another worker may have had it before
        self.core.begin = worker.steps.wrapping_sub(self.steps);
        let progress = self.advance(worker, slice);
        self.steps = self.core.time(worker);
        progress
    }

    fn advance(&mut self, worker: &mut Worker, slice: u64) -> Progress {
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

    pub(super) fn raise(&self, worker: &Worker, kind: FaultKind, code: u32, warp: u32, mask: u32, detail: String) {
        let lane = mask.trailing_zeros() as u8 & 31;
        let thread = self.warps[warp as usize].thread(lane);
        worker.raise(Raised { kind, code, thread, detail, other: None });
    }

    /// Nobody can go on: says why.
    fn stuck(&self, worker: &Worker) {
        let program = worker.run.program;
        // the instruction that a group waits at, once it is past it if it has arrived
        let code = |g: &Group| if let State::Others(_) = g.state { g.at } else { g.at.saturating_sub(1) };
        let waiting = self.warps.iter().flat_map(|w| w.groups.iter().map(move |g| (w, g)));
        let mut worst: Option<(FaultKind, u32, u32, u32, String)> = None;
        for (w, g) in waiting {
            let act = &program.codes[code(g) as usize].act;
            let (kind, why) = match (g.state, act) {
                (State::Others(_), Act::Barrier(_)) if w.exited != 0 && worker.run.checks.exited => {
                    (FaultKind::ExitedAtBarrier, format!("lanes {} of the warp have exited", lanes(w.exited)))
                }
                (State::Others(_), Act::Barrier(_)) => {
                    let missing = w.lanes & !g.mask;
                    (FaultKind::DivergentBarrier, format!("lanes {} of the warp wait elsewhere", lanes(missing)))
                }
                (State::Others(_), _) => {
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
        let mut warps = (w..self.warps.len()).chain(0..w).map(|w| &self.warps[w]);
        let goes = warps.clone().find_map(|w| Some((w, &w.groups[w.next_group()?])));
        // all may be at a barrier that was about to let them go
        let Some((w, g)) = goes.or_else(|| warps.find_map(|w| Some((w, w.groups.first()?)))) else { return };
        let why = format!("{} instructions of warps\n{}", worker.run.budget, self.waiting(worker));
        self.raise(worker, FaultKind::Budget, g.at, w.index, g.mask, why);
    }

    /// Where each warp is, warps at one place together.
    fn waiting(&self, worker: &Worker) -> String {
        // a place, and the threads of each warp that are at it
        let mut places: Vec<(_, Vec<(u32, u32)>)> = Vec::new();
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
                State::Others(_) => "wait for the rest of the warp at",
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

//! A launch: CTAs over the cores of the host.

use super::access::{Request, Stop};
use super::buffer::Allocation;
use super::clock::Thread;
use super::count::Count;
use super::cta::{Cta, Progress};
use super::error::{Fault, FaultKind, Site, ThreadId};
use super::program::Program;
use crate::gpu::ptx::Lines;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What is looked for.
/// ```
/// use girih::gpu::sim::Checks;
/// assert_eq!(Checks::default(), Checks { races: true, memory: true, registers: true, exited: true });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checks {
    /// data races
    pub races: bool,
    /// reads of memory that nothing wrote
    pub memory: bool,
    /// reads of registers that nothing wrote
    pub registers: bool,
    /// barriers of all threads when some have exited: a lint, for PTX lets a barrier wait for those that have not, as hardware from
    /// Volta on does
    pub exited: bool,
}

impl Default for Checks {
    fn default() -> Checks {
        Checks { races: true, memory: true, registers: true, exited: true }
    }
}

/// Global memory that the kernel was given.
pub(super) struct Region {
    pub name: String,
    pub address: u64,
    pub bytes: u64,
    pub write: bool,
    pub allocation: Arc<Allocation>,
}

/// What all workers share.
pub(super) struct Run<'a> {
    pub program: &'a Program,
    pub lines: Option<&'a Lines>,
    pub entry: usize,
    /// a number of its own in the process
    pub number: u64,
    pub blocks: [u32; 3],
    pub threads: [u32; 3],
    /// of a CTA
    pub warps: u32,
    /// bytes of dynamic shared memory
    pub dynamic: u32,
    /// bytes of variables in shared memory that the kernel names
    pub fixed: u32,
    pub params: Vec<u8>,
    pub regions: Vec<Region>,
    pub checks: Checks,
    /// instructions of warps at most
    pub budget: u64,
    /// kinds of faults at most
    pub limit: usize,
    pub progress: Option<&'a (dyn Fn(u64, u64) + Sync)>,
    pub state: Shared,
}

/// What workers change.
#[derive(Default)]
pub(super) struct Shared {
    raised: Mutex<Vec<Raised>>,
    stop: AtomicBool,
    spent: AtomicBool,
    executed: AtomicU64,
    next: AtomicU64,
    done: AtomicU64,
    too_large: Mutex<Option<u64>>,
}

/// A fault as it is met.
#[derive(Clone, Debug)]
pub(super) struct Raised {
    pub kind: FaultKind,
    pub code: u32,
    pub thread: Thread,
    pub detail: String,
    /// the other access of a race
    pub other: Option<(u32, Thread)>,
}

/// One of the threads of the host that execute CTAs.
pub(super) struct Worker<'a> {
    pub run: &'a Run<'a>,
    pub counts: Vec<Count>,
    /// instructions of warps
    pub steps: u64,
    /// those that the others know of
    told: u64,
}

/// Instructions of warps after which a CTA makes room for others: those that wait for each other get on.
const SLICE: u64 = 1 << 22;

impl Worker<'_> {
    /// An instruction of these threads.
    #[inline]
    pub fn count(&mut self, code: u32, mask: u32) {
        self.steps += 1;
        self.counts[code as usize].add(mask);
    }

    /// An access of a warp.
    pub fn access(&mut self, request: &Request) {
        self.counts[request.code as usize].access(request);
    }

    /// Is the run over, for whatever reason? Tells what was executed.
    pub fn over(&mut self) -> bool {
        let state = &self.run.state;
        if self.steps > self.told + 4096 {
            let executed = state.executed.fetch_add(self.steps - self.told, Ordering::Relaxed) + self.steps - self.told;
            self.told = self.steps;
            if executed > self.run.budget && !state.stop.swap(true, Ordering::Relaxed) {
                state.spent.store(true, Ordering::Relaxed);
                return true;
            }
        }
        state.stop.load(Ordering::Relaxed)
    }

    /// Notes what is wrong; an error if it was one too many.
    pub fn note(&self, raised: Raised) -> Result<(), Stop> {
        let state = &self.run.state;
        let mut all = state.raised.lock().unwrap_or_else(PoisonError::into_inner);
        let key = |r: &Raised| (r.kind, r.code, r.other.map(|o| o.0));
        if all.iter().any(|r| key(r) == key(&raised)) {
            return Ok(());
        }
        all.push(raised);
        if all.len() >= self.run.limit {
            state.stop.store(true, Ordering::Relaxed);
            return Err(Stop);
        }
        Ok(())
    }

    /// Notes a fault after which the CTA does not go on.
    pub fn raise(&self, raised: Raised) {
        // whether it was one too many, the next look at the run says
        let _ = self.note(raised);
    }
}

impl<'a> Run<'a> {
    /// Executes all CTAs on so many threads of the host: what was counted, and the faults.
    pub fn execute(&'a self, workers: usize) -> (Vec<Count>, Vec<Fault>) {
        let total = self.blocks.iter().map(|b| u64::from(*b)).product::<u64>();
        let suspended: Mutex<VecDeque<Cta>> = Mutex::default();
        let work = || {
            let counts = vec![Count::default(); self.program.codes.len()];
            let mut worker = Worker { run: self, counts, steps: 0, told: 0 };
            let mut turn = 0u64;
            while !self.state.stop.load(Ordering::Relaxed) {
                let waiting = || suspended.lock().unwrap_or_else(PoisonError::into_inner);
                // CTAs that could not finish make room for new ones; many of them, only every other time
                turn += 1;
                let old = if turn.is_multiple_of(2) && waiting().len() >= 256 { waiting().pop_front() } else { None };
                let new = || {
                    let claim = |next: u64| (next < total).then_some(next + 1);
                    let number = self.state.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, claim).ok()?;
                    Some(Cta::new(number as u32, &worker))
                };
                let cta = old.or_else(new).or_else(|| waiting().pop_front());
                let Some(mut cta) = cta else { break };
                match cta.run(&mut worker, SLICE) {
                    Progress::Goes => waiting().push_back(cta),
                    Progress::Stopped => {}
                    Progress::Done => {
                        let done = self.state.done.fetch_add(1, Ordering::Relaxed) + 1;
                        // always the same block, whatever the order in which they end
                        if cta.number == 0 {
                            self.estimate(cta.steps.saturating_mul(total));
                        }
                        if let Some(progress) = self.progress {
                            progress(done, total);
                        }
                    }
                }
            }
            worker.counts
        };
        let all: Vec<Vec<Count>> = std::thread::scope(|scope| {
            let handles: Vec<_> = (1..workers).map(|_| scope.spawn(work)).collect();
            let mut all = vec![work()];
            // a worker that panicked has no counts
            all.extend(handles.into_iter().filter_map(|h| h.join().ok()));
            all
        });
        let mut counts = vec![Count::default(); self.program.codes.len()];
        for some in &all {
            counts.iter_mut().zip(some).for_each(|(a, b)| a.join(b));
        }
        let raised = core::mem::take(&mut *self.state.raised.lock().unwrap_or_else(PoisonError::into_inner));
        let mut faults: Vec<Fault> = raised.iter().map(|r| self.fault(r)).collect();
        faults.sort_by_key(|f| (f.thread, f.site.line));
        (counts, faults)
    }

    /// Stops if the first block says that it would be too much.
    fn estimate(&self, instructions: u64) {
        if instructions > self.budget {
            *self.state.too_large.lock().unwrap_or_else(PoisonError::into_inner) = Some(instructions);
            self.state.stop.store(true, Ordering::Relaxed);
        }
    }

    /// CTAs that went to their end.
    pub fn done(&self) -> u64 {
        self.state.done.load(Ordering::Relaxed)
    }

    /// The instructions that it would take, if they are too many.
    pub fn too_large(&self) -> Option<u64> {
        *self.state.too_large.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has the budget ended, and nobody said so yet?
    pub fn is_spent(&self) -> bool {
        self.state.spent.swap(false, Ordering::Relaxed)
    }

    /// The region that holds an access.
    pub fn region(&self, at: u64, bytes: u64, write: bool) -> Result<&Region, (FaultKind, String)> {
        let end = at.saturating_add(bytes);
        let holds = |r: &&Region| at >= r.address && end <= r.address + r.bytes;
        if let Some(region) = self.regions.iter().find(|r| holds(r) && (r.write || !write)) {
            return Ok(region);
        }
        if let Some(region) = self.regions.iter().find(holds) {
            return Err((FaultKind::ReadOnly, format!("a store to {}, which is only to be read", region.name)));
        }
        let distance =
            |r: &&Region| if at < r.address { r.address - at } else { at.saturating_sub(r.address + r.bytes) };
        let detail = match self.regions.iter().min_by_key(distance) {
            None => format!("{bytes} bytes at global address {at:#x}, and there are no buffers"),
            Some(r) if distance(&r) > 1 << 32 => format!("{bytes} bytes at global address {at:#x}, where no buffer is"),
            Some(r) if at < r.address => {
                format!("{bytes} bytes at {at:#x}, {} before {} begins", r.address - at, r.name)
            }
            Some(r) => format!("{bytes} bytes at offset {} of {}, which has {}", at - r.address, r.name, r.bytes),
        };
        Err((FaultKind::OutOfBounds, detail))
    }

    /// Where a code is from.
    pub fn site(&self, code: u32) -> Site {
        self.program.site(code, self.lines)
    }

    fn thread(&self, t: Thread) -> ThreadId {
        let (block, warp) = (t.warp / self.warps, t.warp % self.warps);
        let ([bx, by, _], [tx, ty, _]) = (self.blocks, self.threads);
        let thread = 32 * warp + u32::from(t.lane);
        ThreadId {
            block: [block % bx, block / bx % by, block / bx / by],
            thread: [thread % tx, thread / tx % ty, thread / tx / ty],
        }
    }

    fn fault(&self, r: &Raised) -> Fault {
        Fault {
            kind: r.kind,
            site: self.site(r.code),
            thread: self.thread(r.thread),
            detail: r.detail.clone(),
            other: r.other.map(|(code, thread)| (self.site(code), self.thread(thread))),
        }
    }
}

impl Program {
    /// Where a code is from.
    pub fn site(&self, code: u32, lines: Option<&Lines>) -> Site {
        let Some(origin) = self.origins.get(code as usize) else {
            let function = String::new();
            return Site { function, line: 0, instruction: "a place outside".into(), comment: None, source: None };
        };
        let line = lines.and_then(|lines| lines.of(origin.function, origin.ordinal)).map_or(0, |line| line as u32);
        Site {
            function: self.bodies[origin.body].name.to_string(),
            line: if origin.instruction.is_some() { line } else { 0 },
            instruction: origin.text.to_string(),
            comment: origin.comment.as_ref().map(|c| c.to_string()),
            source: origin.source.as_ref().map(|(file, line)| (file.to_string(), *line)),
        }
    }
}

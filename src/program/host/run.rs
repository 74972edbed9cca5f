//! All blocks of a launch, on one thread or several.

use super::block::{Executor, Launch, Memories};
use super::error::RunError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{panic, thread};

/// What was done to the memory of each parameter, in the order of the blocks, and the first error. What the block did that has
/// it is among it, of those behind it nothing.
pub(super) struct Outcome {
    pub done: Memories,
    pub error: Option<RunError>,
}

/// One block after the other, each of which sees what those before it stored.
pub(super) fn in_order(launch: Launch, blocks: usize) -> Outcome {
    let mut executor = Executor::new(launch);
    let error = (0..blocks).find_map(|block| executor.execute(block).err());
    executor.end();
    Outcome { done: executor.take(), error }
}

/// Each block by itself, so that which thread executes it, and when, is of no account.
pub(super) fn in_parallel(launch: Launch, blocks: usize, threads: usize) -> Outcome {
    let (next, failed) = (AtomicUsize::new(0), AtomicUsize::new(blocks));
    // some blocks at a time, whose stores are kept as one, yet enough shares for all threads
    let share = (blocks / (threads * 16)).clamp(1, 64);
    let work = || {
        let (mut executor, mut done) = (Executor::new(launch), vec![]);
        let mut error = None;
        loop {
            let begin = next.fetch_add(share, Ordering::Relaxed);
            if begin >= blocks || begin > failed.load(Ordering::Relaxed) {
                return (done, error);
            }
            for block in begin..blocks.min(begin + share) {
                if block > failed.load(Ordering::Relaxed) {
                    break;
                }
                if let Err(e) = executor.execute(block) {
                    failed.fetch_min(block, Ordering::Relaxed);
                    // the blocks of a thread come in order
                    error.get_or_insert((block, e));
                }
                executor.end();
            }
            let memories = executor.take();
            if !memories.is_empty() {
                done.push((begin, memories));
            }
        }
    };
    let (mut done, mut first) = (vec![], None);
    for (part, error) in spread(threads, work) {
        done.extend(part);
        first = [first, error].into_iter().flatten().min_by_key(|(block, _)| *block);
    }
    done.sort_unstable_by_key(|(begin, _)| *begin);
    let mut all = Memories::new(launch.given.len());
    done.into_iter().for_each(|(_, memories)| all.append(memories));
    if let Some((last, _)) = first {
        all.records.iter_mut().for_each(|records| records.retain(|record| record.block <= last));
    }
    Outcome { done: all, error: first.map(|(_, error)| error) }
}

/// The stack of a worker. Without optimization the deepest nesting there is (see [`Fault::Nested`](crate::program::Fault::Nested))
/// takes a quarter of it.
const STACK: usize = 2 << 20;

/// What several threads give, this one among them. One that cannot be started is not needed.
fn spread<T: Send>(threads: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let start = |_| thread::Builder::new().stack_size(STACK).spawn_scoped(scope, &work).ok();
        let workers: Vec<_> = (1..threads).filter_map(start).collect();
        let mut all = vec![work()];
        all.extend(workers.into_iter().map(|worker| worker.join().unwrap_or_else(|e| panic::resume_unwind(e))));
        all
    })
}

//! All blocks of a launch, on one thread or several.

use super::block::{Executor, Launch};
use super::error::RunError;
use super::region::Record;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{panic, thread};

/// What was done to the memory of each parameter, in the order of the blocks, and the first error, behind whose block nothing
/// counts.
pub(super) struct Outcome<'b> {
    pub log: Vec<Vec<Record<'b>>>,
    pub error: Option<RunError>,
}

/// One block after the other, each of which sees what those before it stored.
pub(super) fn in_order<'b>(launch: Launch<'b, '_>, blocks: usize) -> Outcome<'b> {
    let mut executor = Executor::new(launch);
    let error = (0..blocks).find_map(|block| executor.execute(block).err());
    Outcome { log: executor.take_log(), error }
}

/// Each block by itself, so that which thread executes it, and when, is of no account.
pub(super) fn in_parallel<'b>(launch: Launch<'b, '_>, blocks: usize, threads: usize) -> Outcome<'b> {
    let (next, failed) = (AtomicUsize::new(0), AtomicUsize::new(blocks));
    // some blocks at a time, yet enough shares for all threads
    let share = (blocks / (threads * 16)).clamp(1, 64);
    let work = || {
        let (mut executor, mut done) = (Executor::new(launch), vec![]);
        loop {
            let begin = next.fetch_add(share, Ordering::Relaxed);
            for block in begin..blocks.min(begin + share) {
                if block > failed.load(Ordering::Relaxed) {
                    return done;
                }
                let result = executor.execute(block);
                if result.is_err() {
                    failed.fetch_min(block, Ordering::Relaxed);
                }
                done.push((block, result.map(|()| executor.take_log())));
            }
            if begin >= blocks {
                return done;
            }
        }
    };
    let mut done = if threads == 1 { work() } else { spread(threads.min(blocks), work) };
    done.sort_unstable_by_key(|(block, _)| *block);
    let mut outcome = Outcome { log: launch.given.iter().map(|_| vec![]).collect(), error: None };
    for (_, result) in done {
        match result {
            Ok(log) => outcome.log.iter_mut().zip(log).for_each(|(all, records)| all.extend(records)),
            Err(error) => {
                outcome.error = Some(error);
                break;
            }
        }
    }
    outcome
}

/// What several threads give.
fn spread<T: Send>(threads: usize, work: impl Fn() -> Vec<T> + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(&work)).collect();
        let results = workers.into_iter().map(|worker| worker.join().unwrap_or_else(|e| panic::resume_unwind(e)));
        results.flatten().collect()
    })
}

//! Asynchronous copies: `cp.async`.
//!
//! Until its thread has waited for it a copy may happen at any time. So its source and destination count as touched by it from the
//! instruction to the wait, and the bytes arrive at the wait, the latest that they may.

use super::access::{Request, Stop, Target, addresses, touching};
use super::clock::{Knowledge, bits};
use super::cta::Core;
use super::error::FaultKind;
use super::page::Page;
use super::program::{Address, Space, Value};
use super::run::Worker;
use super::shadow::{Strength, Touching};
use super::warp::{Group, Warp};

/// Copies that threads of a warp have not waited for.
pub(super) struct Copies {
    /// groups that each thread has committed
    committed: [u32; 32],
    open: Vec<Copy>,
}

#[derive(Clone, Copy)]
struct Copy {
    lane: u8,
    group: u32,
    to: u64,
    from: u64,
    size: usize,
    /// bytes that are read, the rest are zeros
    read: usize,
    /// the instruction
    code: u32,
}

impl Copies {
    pub fn new() -> Copies {
        Copies { committed: [0; 32], open: Vec::new() }
    }

    /// `cp.async.commit_group`.
    pub fn commit(&mut self, mask: u32) {
        bits(mask).for_each(|lane| self.committed[lane as usize & 31] += 1);
    }
}

impl Warp {
    #[allow(clippy::too_many_arguments)] // what an instruction says, and whose it is
    pub(super) fn copy(
        &mut self,
        g: usize,
        (to, from): (&Address, &Address),
        size: usize,
        read: Option<&Value>,
        ignore: Option<&Value>,
        mask: u32,
        core: &mut Core,
        worker: &mut Worker,
    ) -> Result<(), Stop> {
        let Group { at: code, frame, .. } = self.groups[g];
        let Warp { frames, know, copies, .. } = self;
        let Some(frame) = &frames[frame] else { return Err(Stop) };
        let (into, out_of) = (addresses(frame, to), addresses(frame, from));
        let local = frame.local_end(worker);
        let request = |write: bool, lanes: u32| Request {
            warp: know.warp,
            code,
            mask: lanes,
            space: if write { Space::Shared } else { Space::Global },
            addresses: if write { &into } else { &out_of },
            local,
            bytes: size,
            write,
            matrix: None,
        };
        let (mut reads, mut sizes) = (mask, [size; 32]);
        for lane in bits(mask) {
            if let Some(read) = read
                && frame.lane(read, lane) as u32 as usize > size
            {
                let why = format!("{} bytes of a source, for a copy of {size}", frame.lane(read, lane) as u32);
                return Err(request(false, mask).fault(worker, FaultKind::OutOfBounds, lane, why));
            }
            let some = match (read, ignore) {
                (Some(read), _) => frame.lane(read, lane) as u32 as usize,
                (_, Some(ignore)) if frame.lane(ignore, lane) != 0 => 0,
                _ => size,
            };
            sizes[lane as usize & 31] = some;
            if some == 0 {
                reads &= !(1 << lane);
            }
        }
        worker.access(&request(true, mask));
        worker.access(&request(false, reads));
        let (checks, warps) = (worker.run.checks, worker.run.warps);
        // what is there already must be in bounds and written; what it is when it arrives is read at the wait
        let source = request(false, reads);
        for lane in bits(reads) {
            let at = out_of[lane as usize & 31];
            if at % size as u64 != 0 {
                let why = format!("global address {at:#x} is no multiple of {size} bytes");
                return Err(source.fault(worker, FaultKind::Misaligned, lane, why));
            }
            each_part(&source, lane, sizes[lane as usize & 31], core, worker, |part, page, at, _| {
                if checks.races
                    && let Some(with) = page.read(&pending(know, part, lane, warps), at, part.bytes)
                {
                    part.race(worker, lane, with)?;
                }
                match checks.memory && !page.is_written(at, part.bytes) {
                    true => part.unwritten(worker, lane),
                    false => Ok(()),
                }
            })?;
        }
        let request = request(true, mask);
        request.each(core, worker, |target, lane| {
            let Target::Page(page, at) = target else { return Ok(()) };
            if checks.races
                && let Some(with) = page.write(&pending(know, &request, lane, warps), at, size)
            {
                request.race(worker, lane, with)?;
            }
            Ok(())
        })?;
        for lane in bits(mask) {
            let l = lane as usize & 31;
            let group = copies.committed[l];
            copies.open.push(Copy { lane, group, to: into[l], from: out_of[l], size, read: sizes[l], code });
        }
        Ok(())
    }

    /// Waits for all groups of each thread but the last so many, or for all copies.
    pub(super) fn wait_copies(
        &mut self,
        but: Option<u32>,
        mask: u32,
        _: u32,
        core: &mut Core,
        worker: &mut Worker,
    ) -> Result<(), Stop> {
        let committed = self.copies.committed;
        let due = |c: &Copy| {
            let done = but.is_none_or(|but| c.group + but < committed[c.lane as usize & 31]);
            mask >> c.lane & 1 == 1 && done
        };
        let mut due_now = Vec::new();
        self.copies.open.retain(|c| {
            let now = due(c);
            if now {
                due_now.push(*c);
            }
            !now
        });
        self.arrive_copies(&due_now, core, worker)
    }

    /// All copies of some threads arrive.
    pub(super) fn finish_copies(&mut self, mask: u32, core: &mut Core, worker: &mut Worker) -> Result<(), Stop> {
        self.wait_copies(None, mask, 0, core, worker)
    }

    fn arrive_copies(&mut self, due: &[Copy], core: &mut Core, worker: &mut Worker) -> Result<(), Stop> {
        let know = &self.know;
        let (checks, warps) = (worker.run.checks, worker.run.warps);
        for c in due {
            let lanes = 1 << c.lane;
            let (from, to) = ([c.from; 32], [c.to; 32]);
            let request = |write: bool| Request {
                warp: know.warp,
                code: c.code,
                mask: lanes,
                space: if write { Space::Shared } else { Space::Global },
                addresses: if write { &to } else { &from },
                local: 0,
                bytes: c.size,
                write,
                matrix: None,
            };
            let mut value = 0;
            each_part(&request(false), c.lane, c.read, core, worker, |part, page, at, first| {
                value |= page.get(at, part.bytes) << (8 * first);
                if checks.races {
                    page.settle(&touching(know, part, c.lane, warps, Strength::Weak), at, part.bytes);
                }
                Ok(())
            })?;
            let request = request(true);
            request.each(core, worker, |target, lane| {
                let Target::Page(page, at) = target else { return Ok(()) };
                page.set(at, c.size, value);
                if checks.races {
                    page.settle(&touching(know, &request, lane, warps, Strength::Weak), at, c.size);
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// Who copies, until it waits.
fn pending<'a>(know: &'a Knowledge, request: &Request, lane: u8, warps: u32) -> Touching<'a> {
    Touching { pending: true, ..touching(know, request, lane, warps, Strength::Weak) }
}

/// The bytes of one thread that a copy reads, in aligned parts: one that is cut short reads only its first bytes.
fn each_part(
    request: &Request,
    lane: u8,
    read: usize,
    core: &mut Core,
    worker: &Worker,
    mut f: impl FnMut(&Request, &mut Page, usize, usize) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let at = request.addresses[lane as usize & 31];
    let bytes = 1 << read.trailing_zeros().min(4);
    for first in (0..read).step_by(bytes) {
        let addresses = [at + first as u64; 32];
        let part = Request { mask: 1 << lane, addresses: &addresses, bytes, ..*request };
        part.each(core, worker, |target, _| match target {
            Target::Page(page, at) => f(&part, page, at, first),
            _ => Ok(()),
        })?;
    }
    Ok(())
}

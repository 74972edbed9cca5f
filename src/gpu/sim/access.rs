//! Loads, stores and atomics of a warp: where they are, whether they may, and what they race with.

use super::atomic::Combine;
use super::buffer::Allocation;
use super::clock::{Knowledge, Thread, bits};
use super::cta::Core;
use super::error::FaultKind;
use super::frame::Frame;
use super::page::{PAGE, Page};
use super::program::{Access, Act, Address, Base, Place, Space, Value};
use super::pure::Lanes;
use super::run::{Raised, Worker};
use super::shadow::{Strength, Touch, Touching};
use super::strong::Given;
use super::warp::{Group, Warp};
use std::sync::{Arc, MutexGuard};

/// The CTA cannot go on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop;

/// Memory that an access of one thread is to.
pub(super) enum Target<'a> {
    /// shared or global
    Page(&'a mut Page, usize),
    Local(u64),
    /// constants and parameters
    Bytes(&'a [u8]),
}

/// An access of a warp: its threads, where each of them goes, and who asks.
pub(super) struct Request<'a> {
    pub warp: u32,
    pub code: u32,
    pub mask: u32,
    pub space: Space,
    pub addresses: &'a Lanes,
    /// where local memory of the present frame ends
    pub local: u64,
    /// bytes of each thread
    pub bytes: usize,
    /// bytes of an element of these
    pub size: usize,
    pub write: bool,
    /// matrices that `ldmatrix` or `stmatrix` moves
    pub matrix: Option<usize>,
}

/// The addresses of the threads of a warp, in the space of the operand.
pub(super) fn addresses(frame: &Frame, a: &Address) -> Lanes {
    let base = match a.base {
        Base::Zero => return [a.offset as u64; 32],
        Base::Frame => return [u64::from(frame.base).wrapping_add_signed(a.offset); 32],
        Base::Register(r) => frame.register(r),
    };
    let cut = if a.narrow { u32::MAX.into() } else { u64::MAX };
    core::array::from_fn(|l| base[l].wrapping_add_signed(a.offset) & cut)
}

impl<'a> Request<'a> {
    /// Of so many bytes, one element, of each of some threads of a warp.
    pub fn new(warp: u32, code: u32, space: Space, addresses: &'a Lanes, bytes: usize, write: bool) -> Self {
        let (mask, local, matrix) = (0, 0, None);
        Request { warp, code, mask, space, addresses, local, bytes, size: bytes, write, matrix }
    }

    /// Every thread's access, one after the other; faults end it.
    pub fn each(
        &self,
        core: &mut Core,
        worker: &Worker,
        mut f: impl FnMut(Target, u8) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let run = worker.run;
        let mut held: Option<(&Arc<Allocation>, u64, MutexGuard<Page>)> = None;
        let opaque = match run.program.codes[self.code as usize].act {
            Act::Mbarrier { .. } => None,
            _ => core.mbarriers(),
        };
        for lane in bits(self.mask) {
            let address = self.addresses[lane as usize & 31];
            let (space, at) = match self.space {
                Space::Generic => Space::of_generic(address),
                space => (space, address),
            };
            if self.matrix.is_some() && space != Space::Shared {
                let why = format!("{space:?} address {at:#x}, where a matrix is in shared memory");
                return Err(self.fault(worker, FaultKind::OutOfBounds, lane, why));
            }
            // accesses are powers of two
            if at & (self.bytes as u64 - 1) != 0 {
                let why = format!("{} address {at:#x} is no multiple of {} bytes", space.name(), self.bytes);
                return Err(self.fault(worker, FaultKind::Misaligned, lane, why));
            }
            let slice = |all: &'static str, len: usize| {
                let why = format!("{} bytes at {all} address {at:#x}, where there are {len}", self.bytes);
                self.fault(worker, FaultKind::OutOfBounds, lane, why)
            };
            match space {
                Space::Global | Space::Generic => {
                    let region = match run.region(at, self.bytes as u64, self.write) {
                        Ok(region) => region,
                        Err((kind, why)) => return Err(self.fault(worker, kind, lane, why)),
                    };
                    let offset = at - region.allocation.address;
                    let (page, within) = (offset / PAGE as u64, offset as usize % PAGE);
                    let here = |h: &(&Arc<Allocation>, u64, MutexGuard<Page>)| {
                        Arc::ptr_eq(h.0, &region.allocation) && h.1 == page
                    };
                    if !held.as_ref().is_some_and(here) {
                        // the one before is let go first
                        drop(held.take());
                        let mut guard = region.allocation.page(offset);
                        guard.in_run(run.number);
                        held = Some((&region.allocation, page, guard));
                    }
                    if let Some((_, _, page)) = &mut held {
                        f(Target::Page(page, within), lane)?;
                    }
                }
                Space::Shared => {
                    if let Err(why) = core.within(at, self.bytes as u64, run) {
                        return Err(self.fault(worker, FaultKind::OutOfBounds, lane, why));
                    }
                    if let Some((least, most)) = opaque
                        && at + self.bytes as u64 > least.into()
                        && at < u64::from(most) + 8
                        && let Some(mbarrier) = core.mbarrier(at, self.bytes as u64)
                    {
                        let why = format!("{} bytes at {at:#x}, where the mbarrier at {mbarrier:#x} is", self.bytes);
                        return Err(self.fault(worker, FaultKind::Mbarrier, lane, why));
                    }
                    f(Target::Page(&mut core.shared[at as usize / PAGE], at as usize % PAGE), lane)?;
                }
                Space::Local => {
                    if at.saturating_add(self.bytes as u64) > self.local {
                        let why =
                            format!("{} bytes at local address {at:#x}, where there are {}", self.bytes, self.local);
                        return Err(self.fault(worker, FaultKind::OutOfBounds, lane, why));
                    }
                    f(Target::Local(at), lane)?;
                }
                Space::Const | Space::Param => {
                    let (name, all) = match space {
                        Space::Const => ("constant", &run.program.constants),
                        _ => ("parameter", &run.params),
                    };
                    if self.write {
                        let why = format!("a store to {name} memory");
                        return Err(self.fault(worker, FaultKind::ReadOnly, lane, why));
                    }
                    let end = at.saturating_add(self.bytes as u64);
                    if end > all.len() as u64 {
                        return Err(slice(name, all.len()));
                    }
                    f(Target::Bytes(&all[at as usize..end as usize]), lane)?;
                }
            }
        }
        Ok(())
    }

    fn thread(&self, lane: u8) -> Thread {
        Thread { warp: self.warp, lane }
    }

    /// The CTA ends here.
    pub fn fault(&self, worker: &Worker, kind: FaultKind, lane: u8, detail: String) -> Stop {
        worker.raise(Raised { kind, code: self.code, thread: self.thread(lane), detail, other: None });
        Stop
    }

    /// What a thread asks for: so many bytes of an argument or a variable, or at an address of a space.
    fn place(&self, worker: &Worker, lane: u8) -> String {
        let address = self.addresses[lane as usize & 31];
        let (space, at) = match self.space {
            Space::Generic => Space::of_generic(address),
            space => (space, address),
        };
        let region = match space {
            Space::Global => worker.run.region(at, self.bytes as u64, false).ok(),
            _ => None,
        };
        match region {
            Some(region) => format!("{} bytes at offset {} of {}", self.bytes, at - region.address, region.name),
            None => format!("{} bytes at {} address {at:#x}", self.bytes, space.name()),
        }
    }

    /// Notes bytes that nothing has written.
    pub fn unwritten(&self, worker: &Worker, lane: u8) -> Result<(), Stop> {
        let detail = format!("{}, not all of which were written", self.place(worker, lane));
        worker.note(Raised {
            kind: FaultKind::UnwrittenMemory,
            code: self.code,
            thread: self.thread(lane),
            detail,
            other: None,
        })
    }

    /// Notes a race.
    pub fn race(&self, worker: &Worker, lane: u8, with: Touch) -> Result<(), Stop> {
        let pending = if with.pending { ", a copy that was not waited for" } else { "" };
        let verb = if self.write { "writes" } else { "reads" };
        let place = self.place(worker, lane);
        let detail = format!("{verb} {place} with nothing between it and an earlier access{pending}");
        self.against(worker, lane, with, detail)
    }

    /// Notes a read of `ld.global.nc` where this launch wrote.
    pub fn incoherent(&self, worker: &Worker, lane: u8, with: Touch) -> Result<(), Stop> {
        let detail = format!("reads {} as what a launch does not write, and it has", self.place(worker, lane));
        self.against(worker, lane, with, detail)
    }

    fn against(&self, worker: &Worker, lane: u8, with: Touch, detail: String) -> Result<(), Stop> {
        let other = Thread { warp: with.warp, lane: with.lanes.trailing_zeros() as u8 & 31 };
        let raised = Raised {
            kind: FaultKind::Race,
            code: self.code,
            thread: self.thread(lane),
            detail,
            other: Some((with.code, other)),
        };
        worker.note(raised)
    }
}

/// Who touches, with what it knows.
pub(super) fn touching<'a>(
    know: &'a Knowledge,
    request: &Request,
    lane: u8,
    warps: u32,
    strength: Strength,
) -> Touching<'a> {
    Touching {
        thread: Thread { warp: know.warp, lane },
        warps,
        tick: know.tick,
        code: request.code,
        size: request.size as u8,
        strength,
        pending: false,
        clock: know.of(lane),
        alike: know.is_alike(),
    }
}

/// Is the access of a thread to shared memory?
pub(super) fn shared(request: &Request, lane: u8) -> bool {
    let space = match request.space {
        Space::Generic => Space::of_generic(request.addresses[lane as usize & 31]).0,
        space => space,
    };
    space == Space::Shared
}

/// A value of so many bytes in a register of so many bits.
fn extended(value: u128, size: usize, signed: bool, width: u32) -> u64 {
    let value = value as u64;
    let bits = 8 * size.min(8) as u32;
    let wide = if signed { ((value << (64 - bits)) as i64 >> (64 - bits)) as u64 } else { value };
    if width >= 64 { wide } else { wide & ((1 << width) - 1) }
}

impl Warp {
    #[allow(clippy::too_many_arguments)] // what an instruction says, and whose it is
    pub(super) fn load(
        &mut self,
        g: usize,
        access: &Access,
        signed: bool,
        to: &[Place],
        widths: &[u32],
        mask: u32,
        core: &mut Core,
        worker: &mut Worker,
    ) -> Result<(), Stop> {
        let Group { at: code, frame, .. } = self.groups[g];
        let Warp { frames, know, local, fences, .. } = self;
        let Some(frame) = &mut frames[frame] else { return Err(Stop) };
        let addresses = addresses(frame, &access.address);
        let (size, count) = (access.size, access.count);
        let request = Request::new(know.warp, code, access.address.space, &addresses, size * count, false);
        let request = Request { mask, local: frame.local_end(worker), size, ..request };
        worker.access(&request);
        let worker = &*worker;
        let (checks, warps) = (worker.run.checks, worker.run.warps);
        let mut acquired: Vec<(u8, Given)> = Vec::new();
        let halves = size.div_ceil(8);
        // 32 bytes in registers of 32 bits are the most
        let mut loaded = [[0; 32]; 8];
        // threads that were passed nothing
        let mut gaps = [0; 8];
        request.each(core, worker, |target, lane| {
            let mut put = |e: usize, value: u128| {
                let width = widths[e.min(widths.len() - 1)];
                for half in 0..halves {
                    loaded[(e * halves + half) & 7][lane as usize & 31] =
                        extended(value >> (64 * half), size, signed, width);
                }
            };
            match target {
                Target::Page(page, at) => {
                    if checks.races {
                        let by = touching(know, &request, lane, warps, access.strength);
                        if let Some(with) = page.read(&by, at, request.bytes) {
                            request.race(worker, lane, with)?;
                        }
                        if access.incoherent
                            && let Some(with) = page.written_by(at, request.bytes)
                        {
                            request.incoherent(worker, lane, with)?;
                        }
                    }
                    // a copy that was not waited for is a race, though it has not written either
                    if checks.memory && !page.is_written(at, request.bytes) {
                        request.unwritten(worker, lane)?;
                    }
                    (0..count).for_each(|e| put(e, page.get(at + e * size, size)));
                    if access.strength > Strength::Weak {
                        let found = |e| page.released(at + e * size, know.cta(warps), access.strength);
                        acquired.extend((0..count).map(|e| (lane, found(e))).filter(|(_, found)| !found.is_nothing()));
                    }
                }
                Target::Local(at) => {
                    if checks.memory && !access.passed && !local.is_written(lane, at, request.bytes) {
                        request.unwritten(worker, lane)?;
                    }
                    (0..count).for_each(|e| put(e, local.get(lane, at + (e * size) as u64, size)));
                    if checks.memory && access.passed {
                        let gap = |e: &usize| !local.is_written(lane, at + (e * size) as u64, size);
                        let parts = (0..count).filter(gap).flat_map(|e| e * halves..(e + 1) * halves);
                        parts.for_each(|part| gaps[part & 7] |= 1 << lane);
                    }
                }
                Target::Bytes(bytes) => {
                    for e in 0..count {
                        let mut value = [0; 16];
                        value[..size].copy_from_slice(&bytes[e * size..(e + 1) * size]);
                        put(e, u128::from_le_bytes(value));
                    }
                }
            }
            Ok(())
        })?;
        for ((place, lanes), gaps) in to.iter().zip(&loaded).zip(gaps) {
            frame.set(*place, mask, lanes);
            frame.forget(*place, gaps);
        }
        fences.acquired(know, acquired, access.acquire);
        Ok(())
    }

    pub(super) fn store(
        &mut self,
        g: usize,
        access: &Access,
        from: &[Value],
        mask: u32,
        core: &mut Core,
        worker: &mut Worker,
    ) -> Result<(), Stop> {
        let Group { at: code, frame, .. } = self.groups[g];
        let Warp { frames, know, local, fences, .. } = self;
        let Some(frame) = &frames[frame] else { return Err(Stop) };
        let addresses = addresses(frame, &access.address);
        let (size, count) = (access.size, access.count);
        let request = Request::new(know.warp, code, access.address.space, &addresses, size * count, true);
        let request = Request { mask, local: frame.local_end(worker), size, ..request };
        worker.access(&request);
        let worker = &*worker;
        let (checks, warps) = (worker.run.checks, worker.run.warps);
        let halves = size.div_ceil(8);
        let value = |e: usize, lane: u8| {
            (0..halves).fold(0, |all, half| all | u128::from(frame.lane(&from[e * halves + half], lane)) << (64 * half))
        };
        request.each(core, worker, |target, lane| {
            match target {
                Target::Page(page, at) => {
                    if checks.races {
                        let by = touching(know, &request, lane, warps, access.strength);
                        if let Some(with) = page.write(&by, at, request.bytes) {
                            // threads of a warp may store the same at once, as Triton lets them: any of them may be the last
                            let once =
                                (with.warp, with.code, with.tick) == (know.warp, code, know.tick) && !with.pending;
                            if !once || (0..count).any(|e| page.get(at + e * size, size) != value(e, lane)) {
                                request.race(worker, lane, with)?;
                            }
                        }
                    }
                    (0..count).for_each(|e| page.set(at + e * size, size, value(e, lane)));
                    if access.strength > Strength::Weak {
                        let given = fences.release(know, lane, access.release, access.strength);
                        (0..count).for_each(|e| page.release(at + e * size, &given, know.cta(warps), false));
                    }
                }
                Target::Local(at) => {
                    for e in 0..count {
                        let at = at + (e * size) as u64;
                        local.set(lane, at, size, value(e, lane));
                        let known = |v: &Value| frame.written(v) >> lane & 1 == 1;
                        if !from[e * halves..(e + 1) * halves].iter().all(known) {
                            local.forget(lane, at, size);
                        }
                    }
                }
                Target::Bytes(_) => {}
            }
            Ok(())
        })?;
        if access.release {
            know.tick += 1;
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments)] // what an instruction says, and whose it is
    pub(super) fn atomic(
        &mut self,
        g: usize,
        access: &Access,
        combine: &Combine,
        from: &[Value],
        to: &[Place],
        mask: u32,
        core: &mut Core,
        worker: &mut Worker,
    ) -> Result<(), Stop> {
        let Group { at: code, frame, .. } = self.groups[g];
        let Warp { frames, know, fences, .. } = self;
        let Some(frame) = &mut frames[frame] else { return Err(Stop) };
        let addresses = addresses(frame, &access.address);
        let (size, count) = (access.size, access.count);
        let request = Request::new(know.warp, code, access.address.space, &addresses, size * count, true);
        let request = Request { mask, local: frame.local_end(worker), size, ..request };
        worker.access(&request);
        let worker = &*worker;
        let (checks, warps) = (worker.run.checks, worker.run.warps);
        let halves = size.div_ceil(8);
        let mut acquired: Vec<(u8, Given)> = Vec::new();
        let reads = combine.reads() || to.iter().any(|place| *place != Place::Sink);
        request.each(core, worker, |target, lane| {
            let Target::Page(page, at) = target else {
                let why = "an atomic needs global or shared memory".to_string();
                return Err(request.fault(worker, FaultKind::OutOfBounds, lane, why));
            };
            if checks.races {
                let by = touching(know, &request, lane, warps, access.strength);
                if let Some(with) = page.write(&by, at, request.bytes) {
                    request.race(worker, lane, with)?;
                }
            }
            if reads && checks.memory && !page.is_written(at, request.bytes) {
                request.unwritten(worker, lane)?;
            }
            for e in 0..count {
                // operand o of element e: vectors come one after the other
                let operand = |o: usize| {
                    let first = (o * count + e) * halves;
                    (0..halves)
                        .fold(0, |all, half| all | u128::from(frame.lane(&from[first + half], lane)) << (64 * half))
                };
                let [b, c] = core::array::from_fn(|o| if o < combine.operands() { operand(o) } else { 0 });
                let old = page.get(at + e * size, size);
                let new = combine.run(shared(&request, lane), old, b, c);
                page.set(at + e * size, size, new);
                for half in 0..halves {
                    if let Some(place) = to.get(e * halves + half) {
                        frame.set_lane(*place, lane, (old >> (64 * half)) as u64);
                    }
                }
            }
            let given = fences.release(know, lane, access.release, access.strength);
            for at in (0..count).map(|e| at + e * size) {
                acquired.push((lane, page.released(at, know.cta(warps), access.strength)));
                page.release(at, &given, know.cta(warps), true);
            }
            Ok(())
        })?;
        if access.release {
            know.tick += 1;
        }
        fences.acquired(know, acquired, access.acquire);
        Ok(())
    }
}

//! A warp: 32 threads, each with a place in the code of its own.
//!
//! Threads at one place go together, as a group. A branch that they do not all take splits the group; groups that come to one place
//! join. The group that is furthest behind in the code goes on first, so that they meet where the code meets, and now and then
//! another one, so that threads that wait for each other get on.

use super::access::Stop;
use super::clock::{Knowledge, Thread, bits};
use super::collective::Collective;
use super::copies::Copies;
use super::cta::{Arrival, Core};
use super::error::FaultKind;
use super::frame::{Caller, Frame, in_memory};
use super::local::Local;
use super::program::*;
use super::pure::{Lanes, Pure};
use super::run::{Raised, Worker};
use super::strong::Fences;
use crate::gpu::ptx::Special;

/// A warp of a CTA.
pub(super) struct Warp {
    /// in its CTA
    pub index: u32,
    /// lanes that have threads
    pub lanes: u32,
    pub exited: u32,
    pub frames: Vec<Option<Frame>>,
    pub groups: Vec<Group>,
    /// is it the turn of the first group, wherever it is?
    turned: bool,
    pub know: Knowledge,
    pub local: Local,
    pub copies: Copies,
    pub fences: Fences,
}

/// Threads at one place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub mask: u32,
    pub at: u32,
    pub frame: usize,
    pub state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    Ready,
    /// for the other threads that an instruction needs
    Others,
    /// at a barrier of the CTA, arrived
    Barrier(u8),
}

/// Why a warp stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pause {
    /// it has had its share
    Share,
    /// it looks whether others have done something
    Polls,
    /// all its threads wait
    Waits,
    Done,
    /// the run is over
    Stop,
}

/// What an instruction did to the group.
pub(super) enum Step {
    /// on to the next
    Next,
    /// groups changed
    Groups,
    /// the group waits
    Waits,
    /// on to the next, and it is another's turn
    Yield,
    Stop,
}

/// Instructions that one group goes on alone while others could.
const TURN: u32 = 1024;

impl Warp {
    pub fn new(index: u32, lanes: u32, know: Knowledge, body: usize, worker: &Worker) -> Warp {
        let entry = &worker.run.program.bodies[body];
        Warp {
            index,
            lanes,
            exited: 0,
            frames: vec![Some(Frame::new(body, entry, 0, None, lanes))],
            groups: vec![Group { mask: lanes, at: entry.start, frame: 0, state: State::Ready }],
            turned: false,
            know,
            local: Local::new(),
            copies: Copies::new(),
            fences: Fences::new(),
        }
    }

    /// One of its threads.
    pub fn thread(&self, lane: u8) -> Thread {
        Thread { warp: self.know.warp, lane }
    }

    /// Goes on for at most so many instructions.
    pub fn run(&mut self, core: &mut Core, worker: &mut Worker, mut share: u32) -> Pause {
        loop {
            if self.groups.is_empty() {
                return Pause::Done;
            }
            let Some(g) = self.next_group() else { return Pause::Waits };
            let ahead = core::mem::take(&mut self.turned);
            let mut turn = TURN;
            loop {
                if share == 0 {
                    return Pause::Share;
                }
                (share, turn) = (share - 1, turn - 1);
                match self.step(g, core, worker) {
                    Step::Next if self.groups.len() == 1 => turn = TURN,
                    Step::Next => {
                        if self.merge(g) {
                            break;
                        }
                        if turn == 0 {
                            self.put_last(g);
                            self.turned = !ahead;
                            break;
                        }
                        // one that is further behind goes first
                        let here = self.groups[g];
                        if !ahead
                            && self
                                .groups
                                .iter()
                                .any(|o| o.state == State::Ready && o.frame == here.frame && o.at < here.at)
                        {
                            break;
                        }
                    }
                    Step::Groups | Step::Waits => break,
                    Step::Yield => {
                        if !self.merge(g) {
                            self.put_last(g);
                        }
                        self.turned = !ahead;
                        return Pause::Polls;
                    }
                    Step::Stop => return Pause::Stop,
                }
            }
        }
    }

    /// The group to go on: the deepest call, the one furthest behind; after its turn the first of the others.
    pub fn next_group(&self) -> Option<usize> {
        let ready = |(g, group): (usize, &Group)| (group.state == State::Ready).then_some((g, group.frame, group.at));
        let mut ready = self.groups.iter().enumerate().filter_map(ready);
        let next = match self.turned {
            true => ready.next(),
            false => ready.min_by_key(|&(_, frame, at)| (core::cmp::Reverse(frame), at)),
        };
        next.map(|(g, ..)| g)
    }

    /// Others have their turn before this group has its next.
    fn put_last(&mut self, g: usize) {
        let group = self.groups.remove(g);
        self.groups.push(group);
    }

    /// Joins a group with others at its place.
    fn merge(&mut self, g: usize) -> bool {
        let here = self.groups[g];
        let same = |o: &Group| o.state == State::Ready && o.at == here.at && o.frame == here.frame;
        let others = self.groups.iter().filter(|o| same(o)).fold(0, |mask, o| mask | o.mask);
        if others == here.mask {
            return false;
        }
        self.groups.retain(|o| !same(o));
        self.groups.push(Group { mask: others, ..here });
        true
    }

    /// One instruction of a group.
    #[inline]
    fn step(&mut self, g: usize, core: &mut Core, worker: &mut Worker) -> Step {
        let run = worker.run;
        let Group { mask: all, at, frame: number, .. } = self.groups[g];
        let Some(code) = run.program.codes.get(at as usize) else {
            return self.raise(worker, FaultKind::Trap, at, all, "a jump to a label that is not there");
        };
        let Some(frame) = self.frames[number].as_mut() else { return Step::Stop };
        let mut mask = all;
        if let Some(gate) = code.gate {
            let unknown = all & !frame.predicate_written(gate.predicate);
            if unknown != 0 && run.checks.registers {
                return self.raise(worker, FaultKind::UnwrittenRegister, at, unknown, "the guard was never written");
            }
            let predicate = frame.predicate(gate.predicate);
            mask &= if gate.negated { !predicate } else { predicate };
            if gate.undefined && mask != all {
                code.act.results(&mut |place| frame.forget(place, all & !mask));
            }
            if mask == 0 {
                self.groups[g].at = at + 1;
                return Step::Next;
            }
        }
        if !code.act.gathers() {
            worker.count(at, mask);
        }
        match &code.act {
            Act::Pure { run: pure, from, to, whole: false } => {
                if run.checks.registers {
                    let unknown = unwritten(frame, from, mask);
                    if unknown != 0 {
                        return self.unwritten(worker, at, number, unknown);
                    }
                }
                compute(frame, pure, from, to, mask);
                self.groups[g].at = at + 1;
                Step::Next
            }
            Act::Nop => {
                self.groups[g].at = at + 1;
                Step::Next
            }
            Act::Branch(target) => {
                self.groups[g].at = *target;
                if mask != all {
                    self.groups[g].mask = mask;
                    self.groups.push(Group { mask: all & !mask, at: at + 1, frame: number, state: State::Ready });
                    return Step::Groups;
                }
                Step::Next
            }
            act => {
                // what is not guarded out does it together, the others go ahead
                if mask != all && act.parts() {
                    self.groups[g].mask = mask;
                    self.groups.push(Group { mask: all & !mask, at: at + 1, frame: number, state: State::Ready });
                    return match self.act(g, act, mask, core, worker) {
                        Step::Next => Step::Groups,
                        step => step,
                    };
                }
                self.act(g, act, mask, core, worker)
            }
        }
    }

    /// The less frequent instructions.
    fn act(&mut self, g: usize, act: &Act, mask: u32, core: &mut Core, worker: &mut Worker) -> Step {
        let Group { at, frame: number, .. } = self.groups[g];
        let run = worker.run;
        if run.checks.registers
            && let Some(frame) = &self.frames[number]
        {
            let mut unknown = 0;
            act.sources(&mut |v| unknown |= mask & !frame.written(v));
            if unknown != 0 {
                return self.unwritten(worker, at, number, unknown);
            }
        }
        let done = match act {
            Act::Load { access, signed, to, widths } => self.load(g, access, *signed, to, widths, mask, core, worker),
            Act::Store { access, from } => self.store(g, access, from, mask, core, worker),
            Act::Atomic { access, combine, from, to } => self.atomic(g, access, combine, from, to, mask, core, worker),
            Act::Copy { to, from, size, read, ignore } => {
                self.copy(g, (to, from), *size, read.as_ref(), ignore.as_ref(), mask, core, worker)
            }
            Act::Commit => {
                self.copies.commit(mask);
                Ok(())
            }
            Act::Wait(but) => self.wait_copies(*but, mask, core, worker),
            Act::Fence(strength) => {
                self.fence(mask, *strength);
                Ok(())
            }
            Act::Mbarrier { what, address, from, to } => {
                self.mbarrier(g, *what, address, from, *to, mask, core, worker)
            }
            Act::Special { what, to } => {
                let lanes = self.special(*what, core, worker);
                if let Some(frame) = &mut self.frames[number] {
                    frame.set(*to, mask, &lanes);
                }
                Ok(())
            }
            Act::FrameAddress { offset, generic, to } => {
                if let Some(frame) = &mut self.frames[number] {
                    let window = if *generic { LOCAL } else { 0 };
                    let address = window.wrapping_add(frame.base.into()).wrapping_add_signed(*offset);
                    frame.set(*to, mask, &[address; 32]);
                }
                Ok(())
            }
            Act::Table { index, targets } => return self.table(g, index, targets, mask, worker),
            Act::Call { callee, arguments, .. } => return self.call(g, callee, arguments, mask, worker),
            Act::Return => return self.ret(g, mask, worker),
            Act::Exit => {
                self.exit(g, mask);
                return Step::Groups;
            }
            Act::Trap => return self.raise(worker, FaultKind::Trap, at, mask, "the kernel traps"),
            Act::Barrier(barrier) => return self.barrier(g, barrier, mask, core, worker),
            Act::Collective { what, mask: None, from, to } => self.collect((number, at), what, from, to, mask, worker),
            Act::WarpBarrier { mask: members } | Act::Collective { mask: Some(members), .. } => {
                return self.gather(g, Some(members), mask, worker).map_or_else(
                    |step| step,
                    |mask| match act {
                        Act::Collective { what, from, to, .. } => self
                            .collect((number, at), what, from, to, mask, worker)
                            .map_or(Step::Stop, |()| Step::Groups),
                        _ => {
                            self.synchronize(mask);
                            Step::Groups
                        }
                    },
                );
            }
            Act::Pure { .. } | Act::LoadMatrix { .. } | Act::StoreMatrix { .. } => {
                return match self.gather(g, None, mask, worker) {
                    Err(step) => step,
                    Ok(mask) => self.whole((number, at), act, mask, core, worker).map_or(Step::Stop, |()| Step::Groups),
                };
            }
            Act::Branch(_) | Act::Nop => Ok(()),
        };
        if let Err(Stop) = done {
            return Step::Stop;
        }
        self.groups[g].at = at + 1;
        if act.polls() { Step::Yield } else { Step::Next }
    }

    /// What a whole warp does at once.
    fn whole(
        &mut self,
        at: (usize, u32),
        act: &Act,
        mask: u32,
        core: &mut Core,
        worker: &mut Worker,
    ) -> Result<(), Stop> {
        match act {
            Act::Pure { run, from, to, .. } => {
                if let Some(frame) = &mut self.frames[at.0] {
                    compute(frame, run, from, to, mask);
                }
                Ok(())
            }
            Act::LoadMatrix { address, count, transposed, to } => {
                self.load_matrix(at, address, *count, *transposed, to, mask, core, worker)
            }
            Act::StoreMatrix { address, transposed, from, .. } => {
                self.store_matrix(at, address, *transposed, from, core, worker)
            }
            _ => Ok(()),
        }
    }

    /// Waits until all threads that an instruction needs are at it, and puts them behind it, together. Without members: all of the
    /// warp.
    fn gather(&mut self, g: usize, members: Option<&Value>, mask: u32, worker: &mut Worker) -> Result<u32, Step> {
        let Group { at, frame: number, .. } = self.groups[g];
        let mut needed = self.lanes;
        if let (Some(value), Some(frame)) = (members, &self.frames[number]) {
            let lanes = frame.lanes(value);
            let named = lanes[mask.trailing_zeros() as usize & 31] as u32;
            // threads that name others go on their own
            let same = bits(mask).filter(|l| lanes[*l as usize] as u32 == named).fold(0, |m, l| m | 1 << l);
            if same != mask {
                self.groups[g].mask = same;
                self.groups.push(Group { mask: mask & !same, at, frame: number, state: State::Ready });
            }
            if same & !named != 0 {
                let why = format!("the mask {named:#010x} names the threads that take part, and not this one");
                return Err(self.raise(worker, FaultKind::InactiveLane, at, same & !named, &why));
            }
            needed &= named & !self.exited;
        }
        let here = |o: &Group| {
            let waits = matches!(o.state, State::Ready | State::Others);
            waits && o.at == at && o.frame == number && o.mask & !needed == 0
        };
        if self.groups.iter().filter(|o| here(o)).fold(0, |m, o| m | o.mask) != needed {
            self.groups[g].state = State::Others;
            return Err(Step::Waits);
        }
        self.groups.retain(|o| !here(o));
        self.groups.push(Group { mask: needed, at: at + 1, frame: number, state: State::Ready });
        worker.count(at, needed);
        Ok(needed)
    }

    /// An exchange between the threads of a warp.
    fn collect(
        &mut self,
        (frame, at): (usize, u32),
        what: &Collective,
        from: &[Value],
        to: &[Place],
        mask: u32,
        worker: &Worker,
    ) -> Result<(), Stop> {
        let Some(frame) = &mut self.frames[frame] else { return Err(Stop) };
        let values: Vec<Lanes> = from.iter().map(|v| frame.lanes(v)).collect();
        let mut results = vec![[0; 32]; what.results()];
        let inactive = what.run(&values.iter().collect::<Vec<_>>(), mask, &mut results) & mask;
        to.iter().zip(&results).for_each(|(place, lanes)| frame.set(*place, mask, lanes));
        if inactive != 0 {
            self.raise(worker, FaultKind::InactiveLane, at, inactive, "it reads from a thread that does not take part");
            return Err(Stop);
        }
        Ok(())
    }

    /// The barrier of a CTA: waits for the rest of the warp if it must, then arrives.
    fn barrier(&mut self, g: usize, barrier: &Barrier, mask: u32, core: &mut Core, worker: &mut Worker) -> Step {
        let Group { at, frame: number, .. } = self.groups[g];
        let mut mask = mask;
        if barrier.aligned {
            // without the check those that have exited do not count
            let lanes = self.lanes;
            if !worker.run.checks.exited {
                self.lanes &= !self.exited;
            }
            let all = self.gather(g, None, mask, worker);
            self.lanes = lanes;
            mask = match all {
                Ok(all) => all,
                Err(step) => return step,
            };
        } else {
            self.groups[g].at = at + 1;
            worker.count(at, mask);
        }
        let Some(frame) = &self.frames[number] else { return Step::Stop };
        let first = mask.trailing_zeros() as u8;
        let id = frame.lane(&barrier.id, first);
        let count = barrier.count.as_ref().map(|v| frame.lane(v, first) as u32);
        let predicate = barrier.predicate.as_ref().map_or(0, |v| super::frame::gather(&frame.lanes(v)) & mask);
        let arrival = Arrival {
            warp: self.index,
            frame: number,
            mask,
            code: at,
            kind: barrier.kind,
            to: barrier.to,
            count,
            threads: if count.is_some() && mask == self.lanes { 32 } else { mask.count_ones() },
            predicate,
            release: self.know.release(mask),
        };
        if id > 15 {
            return self.raise(worker, FaultKind::Trap, at, mask, &format!("there is no barrier {id}"));
        }
        if let Err(why) = core.arrive(id as u8, arrival) {
            return self.raise(worker, FaultKind::DivergentBarrier, at, mask, &why);
        }
        if barrier.kind == BarrierKind::Arrive {
            return Step::Groups;
        }
        if let Some(group) = self.groups.iter_mut().find(|o| o.mask & mask != 0) {
            group.state = State::Barrier(id as u8);
        }
        Step::Waits
    }

    /// `bar.warp.sync`: what happened before in any of the threads is known to all.
    fn synchronize(&mut self, mask: u32) {
        let release = self.know.release(mask);
        if let Some(clock) = super::clock::join(&[release]) {
            self.know.adopt(mask, &clock);
        }
    }

    fn table(&mut self, g: usize, index: &Value, targets: &[u32], mask: u32, worker: &Worker) -> Step {
        let Group { at, frame: number, mask: all, .. } = self.groups[g];
        let Some(frame) = &self.frames[number] else { return Step::Stop };
        let lanes = frame.lanes(index);
        let mut groups: Vec<Group> = Vec::new();
        let mut add = |to: u32, lane: u32| match groups.iter_mut().find(|o| o.at == to) {
            Some(group) => group.mask |= 1 << lane,
            None => groups.push(Group { mask: 1 << lane, at: to, frame: number, state: State::Ready }),
        };
        for lane in 0..32 {
            if mask >> lane & 1 == 1 {
                match targets.get(lanes[lane as usize] as u32 as usize) {
                    Some(target) => add(*target, lane),
                    None => {
                        let why = format!(
                            "the branch table has {} labels, the index is {}",
                            targets.len(),
                            lanes[lane as usize]
                        );
                        return self.raise(worker, FaultKind::Trap, at, 1 << lane, &why);
                    }
                }
            } else if all >> lane & 1 == 1 {
                add(at + 1, lane);
            }
        }
        self.groups.swap_remove(g);
        self.groups.append(&mut groups);
        Step::Groups
    }

    fn call(&mut self, g: usize, callee: &Callee, arguments: &[Argument], mask: u32, worker: &Worker) -> Step {
        let Group { at, frame: number, .. } = self.groups[g];
        let run = worker.run;
        let Some(caller) = &self.frames[number] else { return Step::Stop };
        let mut mask = mask;
        let body = match callee {
            Callee::Direct(body) => *body,
            Callee::Indirect(value) => {
                // threads that call another function go on their own
                let lanes = caller.lanes(value);
                let first = lanes[mask.trailing_zeros() as usize & 31];
                let same = (0..32).filter(|l| mask >> l & 1 == 1 && lanes[*l] == first).fold(0, |m, l| m | 1u32 << l);
                if same != mask {
                    self.groups.push(Group { mask: mask & !same, at, frame: number, state: State::Ready });
                    self.groups[g].mask = same;
                    mask = same;
                }
                match first.checked_sub(CODE).map(|n| (n / 16) as usize) {
                    Some(body) if body < run.program.bodies.len() && first % 16 == 0 => body,
                    _ => {
                        return self.raise(
                            worker,
                            FaultKind::Trap,
                            at,
                            mask,
                            &format!("a call of {first:#x}, where no function is"),
                        );
                    }
                }
            }
        };
        let to = &run.program.bodies[body];
        if to.start == u32::MAX || arguments.len() != to.params.len() {
            let why = format!("a call of {}, which has no body or other parameters", to.name);
            return self.raise(worker, FaultKind::Trap, at, mask, &why);
        }
        let base = (caller.base + run.program.bodies[caller.body].local).next_multiple_of(16);
        if self.frames.iter().flatten().count() >= 1024 || base > 1 << 19 {
            return self.raise(worker, FaultKind::Trap, at, mask, "calls are nested too deeply");
        }
        let mut frame = Frame::new(body, to, base, Some(Caller { frame: number, code: at }), mask);
        for (argument, passed) in arguments.iter().zip(&to.params) {
            for lane in bits(mask) {
                match (argument, &passed.at) {
                    (Argument::Memory(from), Home::Memory(to)) => {
                        self.local.copy(lane, caller.base + from, base + to, passed.bytes);
                    }
                    (Argument::Value(value), Home::Memory(to)) => {
                        self.local.set(
                            lane,
                            (base + to).into(),
                            passed.bytes.min(8) as usize,
                            caller.lane(value, lane).into(),
                        );
                    }
                    (Argument::Memory(from), Home::Register(place)) => {
                        let bits = self.local.get(lane, (caller.base + from).into(), passed.bytes.min(8) as usize);
                        frame.set_lane(*place, lane, bits as u64);
                    }
                    (Argument::Value(value), Home::Register(place)) => {
                        frame.set_lane(*place, lane, caller.lane(value, lane));
                    }
                }
            }
        }
        let free = self.frames.iter().position(Option::is_none).filter(|free| *free > number);
        let new = free.unwrap_or(self.frames.len());
        match free {
            Some(free) => self.frames[free] = Some(frame),
            None => self.frames.push(Some(frame)),
        }
        let waiting = self.groups[g].mask & !mask;
        self.groups[g] = Group { mask, at: to.start, frame: new, state: State::Ready };
        if waiting != 0 {
            self.groups.push(Group { mask: waiting, at: at + 1, frame: number, state: State::Ready });
        }
        Step::Groups
    }

    fn ret(&mut self, g: usize, mask: u32, worker: &Worker) -> Step {
        let number = self.groups[g].frame;
        let Some(frame) = &mut self.frames[number] else { return Step::Stop };
        let Some(caller) = frame.caller else {
            self.leave(g, mask);
            return Step::Groups;
        };
        frame.alive &= !mask;
        let (done, base, body) = (frame.alive == 0, frame.base, frame.body);
        let Act::Call { results, .. } = &worker.run.program.codes[caller.code as usize].act else { return Step::Stop };
        let returns = &worker.run.program.bodies[body].returns;
        for (to, passed) in results.iter().zip(returns) {
            for lane in bits(mask) {
                let [callee, caller] = match self.frames.get_disjoint_mut([number, caller.frame]) {
                    Ok([Some(callee), Some(caller)]) => [callee, caller],
                    _ => return Step::Stop,
                };
                match (&passed.at, to) {
                    (Home::Memory(from), Home::Memory(to)) => {
                        self.local.copy(lane, base + from, caller.base + to, passed.bytes);
                    }
                    (from, Home::Register(place)) => {
                        let bits = match (in_memory(from), from) {
                            (Some(from), _) => {
                                self.local.get(lane, (base + from).into(), passed.bytes.min(8) as usize) as u64
                            }
                            (None, Home::Register(Place::Register(r))) => callee.register(*r)[lane as usize & 31],
                            (None, Home::Register(Place::Predicate(p))) => u64::from(callee.predicate(*p) >> lane & 1),
                            (None, _) => 0,
                        };
                        caller.set_lane(*place, lane, bits);
                    }
                    (Home::Register(place), Home::Memory(to)) => {
                        let value = match place {
                            Place::Register(r) => callee.register(*r)[lane as usize & 31],
                            Place::Predicate(p) => u64::from(callee.predicate(*p) >> lane & 1),
                            Place::Sink => 0,
                        };
                        self.local.set(lane, (caller.base + to).into(), passed.bytes.min(8) as usize, value.into());
                    }
                }
            }
        }
        if done {
            self.frames[number] = None;
        }
        let back = Group { mask, at: caller.code + 1, frame: caller.frame, state: State::Ready };
        self.groups[g].mask &= !mask;
        match self.groups[g].mask {
            0 => self.groups[g] = back,
            _ => {
                self.groups[g].at += 1;
                self.groups.push(back);
            }
        }
        let g = self.groups.iter().position(|o| o.mask == mask).unwrap_or(0);
        self.merge(g);
        Step::Groups
    }

    fn exit(&mut self, g: usize, mask: u32) {
        // all frames that they are in lose them
        self.frames.iter_mut().flatten().for_each(|f| f.alive &= !mask);
        self.leave(g, mask);
    }

    fn leave(&mut self, g: usize, mask: u32) {
        self.exited |= mask;
        self.know.gone |= mask;
        self.groups[g].mask &= !mask;
        match self.groups[g].mask {
            0 => drop(self.groups.swap_remove(g)),
            _ => self.groups[g].at += 1,
        }
        // who waits for them need not any longer
        for group in &mut self.groups {
            if group.state == State::Others {
                group.state = State::Ready;
            }
        }
    }

    fn special(&self, what: Special, core: &Core, worker: &Worker) -> Lanes {
        let run = worker.run;
        let [nx, ny, _] = run.threads;
        let first = 32 * self.index;
        let each = |f: &dyn Fn(u32) -> u32| core::array::from_fn(|l| f(first + l as u32).into());
        let all = |x: u32| [u64::from(x); 32];
        let lane = |f: &dyn Fn(u32) -> u32| core::array::from_fn(|l| f(l as u32).into());
        match what.name() {
            "%tid.x" => each(&|t| t % nx),
            "%tid.y" => each(&|t| t / nx % ny),
            "%tid.z" => each(&|t| t / nx / ny),
            "%ntid.x" => all(run.threads[0]),
            "%ntid.y" => all(run.threads[1]),
            "%ntid.z" => all(run.threads[2]),
            "%ctaid.x" => all(core.id[0]),
            "%ctaid.y" => all(core.id[1]),
            "%ctaid.z" => all(core.id[2]),
            "%nctaid.x" => all(run.blocks[0]),
            "%nctaid.y" => all(run.blocks[1]),
            "%nctaid.z" => all(run.blocks[2]),
            "%laneid" => lane(&|l| l),
            "%warpid" => all(self.index),
            "%nwarpid" => all(64),
            "%lanemask_eq" => lane(&|l| 1 << l),
            "%lanemask_le" => lane(&|l| u32::MAX >> (31 - l)),
            "%lanemask_lt" => lane(&|l| (1 << l) - 1),
            "%lanemask_ge" => lane(&|l| u32::MAX << l),
            "%lanemask_gt" => lane(&|l| (u32::MAX << l) << 1),
            "%dynamic_smem_size" => all(run.dynamic),
            "%total_smem_size" => all(run.program.dynamic + run.dynamic),
            "%cluster_nctaid.x" | "%cluster_nctaid.y" | "%cluster_nctaid.z" | "%cluster_nctarank" => all(1),
            "%clusterid.x" => all(core.id[0]),
            "%clusterid.y" => all(core.id[1]),
            "%clusterid.z" => all(core.id[2]),
            "%nclusterid.x" => all(run.blocks[0]),
            "%nclusterid.y" => all(run.blocks[1]),
            "%nclusterid.z" => all(run.blocks[2]),
            // one multiprocessor, whose time is the instructions of its warps
            "%clock" | "%globaltimer_lo" => all(worker.steps as u32),
            "%clock64" | "%globaltimer" => [worker.steps; 32],
            "%nsmid" => all(1),
            _ => all(0),
        }
    }

    /// Something was read that was never written.
    fn unwritten(&self, worker: &Worker, code: u32, frame: usize, lanes: u32) -> Step {
        let mut names = Vec::new();
        if let Some(frame) = &self.frames[frame] {
            let program = &worker.run.program;
            let mut see = |v: &Value| {
                if frame.written(v) & lanes != lanes {
                    names.push(program.name(frame.body, v));
                }
            };
            program.codes[code as usize].act.sources(&mut see);
        }
        names.dedup();
        let detail = format!("{} was never written", names.join(", "));
        self.raise(worker, FaultKind::UnwrittenRegister, code, lanes, &detail)
    }

    /// A fault after which its CTA cannot go on.
    pub(super) fn raise(&self, worker: &Worker, kind: FaultKind, code: u32, lanes: u32, detail: &str) -> Step {
        let lane = lanes.trailing_zeros() as u8 & 31;
        worker.raise(Raised { kind, code, thread: self.thread(lane), detail: detail.into(), other: None });
        Step::Stop
    }
}

/// Computes in each thread, and writes where the mask is.
#[inline]
fn compute(frame: &mut Frame, run: &Pure, from: &[Value], to: &[Place], mask: u32) {
    const ZERO: Lanes = [0; 32];
    let predicates = from.iter().filter(|v| matches!(v, Value::Predicate(..))).count();
    if from.len() > 4 || predicates > 2 || run.results() != 1 {
        let values: Vec<Lanes> = from.iter().map(|v| frame.lanes(v)).collect();
        let mut results = vec![ZERO; run.results()];
        run.run(&values.iter().collect::<Vec<_>>(), &mut results);
        to.iter().zip(&results).for_each(|(place, lanes)| frame.set(*place, mask, lanes));
        return;
    }
    // the usual ones, without a look at the heap
    let mut spread = [ZERO; 2];
    if predicates > 0 {
        let values = from.iter().filter(|v| matches!(v, Value::Predicate(..)));
        spread.iter_mut().zip(values).for_each(|(lanes, v)| *lanes = frame.lanes(v));
    }
    let mut spread = spread.iter();
    let mut sources = [&ZERO; 4];
    for (source, value) in sources.iter_mut().zip(from) {
        *source = match value {
            Value::Register(r) => frame.register(*r),
            Value::Constant(lanes) => lanes,
            Value::Predicate(..) => spread.next().unwrap_or(&ZERO),
        };
    }
    let mut result = [ZERO];
    run.run(&sources[..from.len()], &mut result);
    if let [place] = to {
        frame.set(*place, mask, &result[0]);
    }
}

/// The threads in which one of these was never written.
#[inline]
fn unwritten(frame: &Frame, values: &[Value], mask: u32) -> u32 {
    values.iter().fold(0, |unknown, v| unknown | mask & !frame.written(v))
}

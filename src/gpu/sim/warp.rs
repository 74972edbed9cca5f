//! A warp: 32 threads, each with a place in the code of its own.
//!
//! Threads at one place go together, as a group. A branch that they do not all take splits the group; groups that come to one place
//! join. The group that is furthest behind in the code goes on first, so that they meet where the code meets, and now and then
//! another one, so that threads that wait for each other get on.

use super::access::Stop;
use super::clock::{Knowledge, Thread, bits};
use super::copies::Copies;
use super::cta::Core;
use super::error::FaultKind;
use super::frame::Frame;
pub(super) use super::group::Group;
use super::group::{State, Step, Turns, all};
use super::local::Local;
use super::program::*;
use super::pure::{Lanes, Pure};
use super::run::{Raised, Worker};
use super::strong::Fences;

/// A warp of a CTA.
pub(super) struct Warp {
    /// in its CTA
    pub index: u32,
    /// lanes that have threads
    pub lanes: u32,
    pub exited: u32,
    pub frames: Vec<Option<Frame>>,
    pub groups: Vec<Group>,
    pub turns: Turns,
    pub know: Knowledge,
    pub local: Local,
    pub copies: Copies,
    pub fences: Fences,
}

impl Warp {
    pub fn new(index: u32, lanes: u32, know: Knowledge, body: usize, worker: &Worker) -> Warp {
        let entry = &worker.run.program.bodies[body];
        Warp {
            index,
            lanes,
            exited: 0,
            frames: vec![Some(Frame::new(body, entry, 0, None, lanes))],
            groups: vec![Group { mask: lanes, at: entry.start, frame: 0, state: State::Ready, turn: 0 }],
            turns: Turns::new(),
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

    /// One instruction of a group.
    #[inline]
    pub(super) fn step(&mut self, g: usize, core: &mut Core, worker: &mut Worker) -> Step {
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
            if gate.uniform && mask != all {
                return self.raise(
                    worker,
                    FaultKind::InactiveLane,
                    at,
                    mask,
                    "it is .uni, and not all threads take it",
                );
            }
        }
        if !code.act.parts_itself() {
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
            act => {
                // what is not guarded out does it together, the others go ahead
                if mask != all && act.parts() {
                    self.split(g, all & !mask, at + 1);
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
            Act::Discard(address) => self.discard(g, address, mask, core, worker),
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
            Act::FrameAddress { offset, generic, width, to } => {
                if let Some(frame) = &mut self.frames[number] {
                    let window = if *generic { LOCAL } else { 0 };
                    let address = window.wrapping_add(frame.base.into()).wrapping_add_signed(*offset);
                    frame.set(*to, mask, &[address & u64::MAX >> 64u32.saturating_sub(*width); 32]);
                }
                Ok(())
            }
            Act::Nop => Ok(()),
            Act::Branch(target) => {
                let rest = self.groups[g].mask & !mask;
                self.groups[g].at = *target;
                if rest == 0 {
                    return Step::Next;
                }
                self.split(g, rest, at + 1);
                return Step::Groups;
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
            Act::Collective { mask: None, .. } => self.exchange(&[Group { mask, ..self.groups[g] }], worker),
            Act::Collective { mask: Some(members), .. } => {
                return match self.gather_members(g, members, worker) {
                    Err(step) => step,
                    Ok(parts) => self.exchange(&parts, worker).map_or(Step::Stop, |()| Step::Groups),
                };
            }
            Act::WarpBarrier { mask: members } => {
                return match self.gather_members(g, members, worker) {
                    Err(step) => step,
                    Ok(parts) => {
                        self.know.synchronize(all(&parts));
                        Step::Groups
                    }
                };
            }
            Act::Pure { .. } | Act::LoadMatrix { .. } | Act::StoreMatrix { .. } => {
                return match self.gather_warp(g, worker) {
                    Err(step) => step,
                    Ok(mask) => self.whole((number, at), act, mask, core, worker).map_or(Step::Stop, |()| Step::Groups),
                };
            }
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

    /// An exchange between threads of a warp, which may be at several instructions of the same kind.
    fn exchange(&mut self, parts: &[Group], worker: &Worker) -> Result<(), Stop> {
        let act = |part: &Group| match &worker.run.program.codes[part.at as usize].act {
            Act::Collective { what, from, to, .. } => Ok((what, from, to)),
            _ => Err(Stop),
        };
        let mut sources: Vec<Lanes> = Vec::new();
        for part in parts {
            let ((_, from, _), Some(frame)) = (act(part)?, &self.frames[part.frame]) else { return Err(Stop) };
            sources.resize(from.len(), [0; 32]);
            for (source, value) in sources.iter_mut().zip(from) {
                let lanes = frame.lanes(value);
                bits(part.mask).for_each(|l| source[l as usize] = lanes[l as usize]);
            }
        }
        let mut results = [[0; 32]; 2];
        let mut inactive = 0;
        if let Some(first) = parts.first() {
            let mask = all(parts);
            inactive = act(first)?.0.run(&sources.iter().collect::<Vec<_>>(), mask, &mut results) & mask;
        }
        for part in parts {
            let (_, _, to) = act(part)?;
            if let Some(frame) = &mut self.frames[part.frame] {
                to.iter().zip(&results).for_each(|(place, lanes)| frame.set(*place, part.mask, lanes));
            }
            let inactive = inactive & part.mask;
            if inactive != 0 {
                let why = "it reads from a thread that does not take part";
                self.raise(worker, FaultKind::InactiveLane, part.at, inactive, why);
                return Err(Stop);
            }
        }
        Ok(())
    }

    fn table(&mut self, g: usize, index: &Value, targets: &[u32], mask: u32, worker: &Worker) -> Step {
        let here @ Group { at, frame: number, mask: all, .. } = self.groups[g];
        let Some(frame) = &self.frames[number] else { return Step::Stop };
        let lanes = frame.lanes(index);
        let mut groups: Vec<Group> = Vec::new();
        let mut add = |to: u32, lane: u32| match groups.iter_mut().find(|o| o.at == to) {
            Some(group) => group.mask |= 1 << lane,
            None => groups.push(Group { mask: 1 << lane, at: to, ..here }),
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

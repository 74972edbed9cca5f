//! Calls of functions, what they pass, and the ends of threads.

use super::clock::bits;
use super::error::FaultKind;
use super::frame::{Caller, Frame};
use super::group::{Group, State, Step};
use super::program::{Act, Argument, CODE, Callee, Home, Place, Value};
use super::run::Worker;
use super::warp::Warp;

/// Bytes between the local memory of a function and that of its caller, which nothing writes.
const GAP: u32 = 128;

/// Bytes of local memory of a thread at most (CUDA C++ Programming Guide, Technical Specifications per Compute Capability).
const LOCAL_LIMIT: u32 = 512 << 10;

/// Calls within calls at most.
const DEPTH: u32 = 4096;

/// Bytes of registers that the calls of a warp may hold here.
const REGISTERS: usize = 64 << 20;

impl Warp {
    pub(super) fn call(
        &mut self,
        g: usize,
        callee: &Callee,
        arguments: &[Argument],
        mut mask: u32,
        worker: &mut Worker,
    ) -> Step {
        let Group { at, frame: number, .. } = self.groups[g];
        let program = worker.run.program;
        let Some(caller) = &self.frames[number] else { return Step::Stop };
        let (caller_base, caller_local) = (caller.base, program.bodies[caller.body].local);
        let depth = caller.depth + 1;
        let body = match callee {
            Callee::Direct(body) => *body,
            Callee::Indirect(value) => {
                // threads that call another function go on their own
                let lanes = caller.lanes(value);
                let first = lanes[mask.trailing_zeros() as usize & 31];
                let same = bits(mask).filter(|l| lanes[*l as usize] == first).fold(0, |m, l| m | 1 << l);
                if same != mask {
                    self.split(g, mask & !same, at);
                    mask = same;
                }
                match first.checked_sub(CODE).map(|n| (n / 16) as usize) {
                    Some(body) if body < program.bodies.len() && first % 16 == 0 => body,
                    _ => {
                        let why = format!("a call of {first:#x}, where no function is");
                        return self.raise(worker, FaultKind::Trap, at, mask, &why);
                    }
                }
            }
        };
        worker.count(at, mask);
        let to = &program.bodies[body];
        if to.start == u32::MAX || arguments.len() != to.params.len() {
            let why = format!("a call of {}, which has no body or other parameters", to.name);
            return self.raise(worker, FaultKind::Trap, at, mask, &why);
        }
        let base = caller_base.saturating_add(caller_local).saturating_add(GAP).checked_next_multiple_of(16);
        let held: usize = self.frames.iter().flatten().map(Frame::bytes).sum();
        let base = base.filter(|base| *base <= LOCAL_LIMIT && depth <= DEPTH && held <= REGISTERS);
        let Some(base) = base else {
            return self.raise(worker, FaultKind::Trap, at, mask, "calls are nested too deeply");
        };
        let new = (number + 1..self.frames.len()).find(|n| self.frames[*n].is_none()).unwrap_or(self.frames.len());
        if new == self.frames.len() {
            self.frames.push(None);
        }
        let mut frame = Frame::new(body, to, base, Some(Caller { frame: number, code: at }), mask);
        frame.depth = depth;
        self.frames[new] = Some(frame);
        for lane in bits(mask) {
            // what an earlier call left there
            self.local.forget(lane, base.into(), to.local as usize);
            for (argument, passed) in arguments.iter().zip(&to.params) {
                self.pass(lane, (number, argument), (new, passed.at), passed.bytes);
            }
        }
        let waiting = self.groups[g].mask & !mask;
        if waiting != 0 {
            self.split(g, waiting, at + 1);
        }
        self.groups[g] = Group { at: to.start, frame: new, ..self.groups[g] };
        Step::Groups
    }

    pub(super) fn ret(&mut self, g: usize, mask: u32, worker: &Worker) -> Step {
        let number = self.groups[g].frame;
        let Some(frame) = &mut self.frames[number] else { return Step::Stop };
        let Some(caller) = frame.caller else {
            self.leave(g, mask);
            return Step::Groups;
        };
        frame.alive &= !mask;
        let (done, body) = (frame.alive == 0, frame.body);
        let Act::Call { results, .. } = &worker.run.program.codes[caller.code as usize].act else { return Step::Stop };
        for (to, passed) in results.iter().zip(&worker.run.program.bodies[body].returns) {
            let result = Argument::from(passed.at);
            bits(mask).for_each(|lane| self.pass(lane, (number, &result), (caller.frame, *to), passed.bytes));
        }
        if done {
            self.frames[number] = None;
        }
        let rest = self.groups[g].mask & !mask;
        if rest != 0 {
            self.split(g, rest, self.groups[g].at + 1);
        }
        self.groups[g] = Group { at: caller.code + 1, frame: caller.frame, ..self.groups[g] };
        self.merge(g);
        Step::Groups
    }

    /// Passes so many bytes of a thread from a frame to another; what was never written stays so.
    fn pass(&mut self, lane: u8, (from, what): (usize, &Argument), (to, home): (usize, Home), bytes: u32) {
        let Warp { frames, local, .. } = self;
        let Ok([Some(from), Some(to)]) = frames.get_disjoint_mut([from, to]) else { return };
        if let (Argument::Memory(at), Home::Memory(home)) = (what, home) {
            return local.copy(lane, from.base + at, to.base + home, bytes);
        }
        let size = bytes.min(8) as usize;
        let (value, written) = match what {
            Argument::Memory(at) => {
                let at = (from.base + at).into();
                (local.get(lane, at, size) as u64, local.is_written(lane, at, size))
            }
            Argument::Value(value) => (from.lane(value, lane), from.written(value) >> lane & 1 == 1),
        };
        match home {
            Home::Memory(at) => local.set(lane, (to.base + at).into(), size, value.into()),
            Home::Register(place) => to.set_lane(place, lane, value),
        }
        match home {
            _ if written => {}
            Home::Memory(at) => local.forget(lane, (to.base + at).into(), size),
            Home::Register(place) => to.forget(place, 1 << lane),
        }
    }

    pub(super) fn exit(&mut self, g: usize, mask: u32) {
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
            if let State::Others(_) = group.state {
                group.state = State::Ready;
            }
        }
    }
}

impl From<Home> for Argument {
    fn from(home: Home) -> Argument {
        match home {
            Home::Memory(at) => Argument::Memory(at),
            Home::Register(Place::Register(r)) => Argument::Value(Value::Register(r)),
            Home::Register(Place::Predicate(p)) => Argument::Value(Value::Predicate(p, false)),
            Home::Register(Place::Sink) => Argument::Value(Value::Constant(Box::new([0; 32]))),
        }
    }
}

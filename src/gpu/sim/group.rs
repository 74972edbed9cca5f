//! Threads of a warp at one place, as a group: whose turn it is, where groups join, what they wait for.

use super::clock::bits;
use super::cta::Core;
use super::error::FaultKind;
use super::program::{BarrierKind, Value};
use super::run::Worker;
use super::warp::Warp;
use crate::gpu::ptx::Opcode;

/// Threads at one place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub mask: u32,
    pub at: u32,
    pub frame: usize,
    pub state: State,
    /// its last turn, of those of its warp
    pub turn: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    Ready,
    /// for the other threads that an instruction needs
    Others(Meeting),
    /// at a barrier of the CTA, arrived
    Barrier(u8),
}

/// What threads of a warp wait for: those that wait for the same go on together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meeting {
    /// one instruction of one call, as `.aligned` wants it
    Place { at: u32, frame: usize },
    /// instructions that name the same threads, wherever they are
    Members { mask: u32, opcode: Opcode },
    /// a barrier of the CTA; an aligned one is also at a place
    Barrier { id: u64, count: u32, kind: BarrierKind, place: Option<(u32, usize)> },
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

/// Whose turn it is in a warp.
pub(super) struct Turns {
    /// turns so far
    count: u64,
    /// instructions until groups that are ahead have their turn
    left: u32,
    /// is it the turn of the group that waits longest, wherever it is?
    ahead: bool,
}

/// Instructions that the groups furthest behind go on while others could.
const TURN: u32 = 1024;

impl Turns {
    pub fn new() -> Turns {
        Turns { count: 0, left: TURN, ahead: false }
    }
}

impl Warp {
    /// Goes on for at most so many instructions.
    pub fn run(&mut self, core: &mut Core, worker: &mut Worker, mut share: u32) -> Pause {
        loop {
            if self.groups.is_empty() {
                return Pause::Done;
            }
            if share == 0 {
                return Pause::Share;
            }
            let Some(g) = self.next_group() else { return Pause::Waits };
            let ahead = core::mem::take(&mut self.turns.ahead);
            self.turns.count += 1;
            self.groups[g].turn = self.turns.count;
            loop {
                if share == 0 {
                    return Pause::Share;
                }
                share -= 1;
                self.turns.left = self.turns.left.saturating_sub(1);
                match self.step(g, core, worker) {
                    Step::Next if self.groups.len() == 1 => self.turns.left = TURN,
                    Step::Next => {
                        let here = self.groups[g];
                        let behind = |o: &Group| o.state == State::Ready && o.frame == here.frame && o.at < here.at;
                        // one that is further behind goes first
                        if self.merge(g) || self.turns.left == 0 || !ahead && self.groups.iter().any(behind) {
                            break;
                        }
                    }
                    Step::Groups | Step::Waits => break,
                    Step::Yield => {
                        self.merge(g);
                        self.turns.ahead = !ahead;
                        return Pause::Polls;
                    }
                    Step::Stop => return Pause::Stop,
                }
            }
            if self.turns.left == 0 {
                self.turns.left = TURN;
                self.turns.ahead = !ahead;
            }
        }
    }

    /// The group to go on: the deepest call, the one furthest behind; in the turn of others the one that waits longest.
    pub fn next_group(&self) -> Option<usize> {
        let ready = self.groups.iter().enumerate().filter(|(_, o)| o.state == State::Ready);
        let next = match self.turns.ahead {
            true => ready.min_by_key(|(_, o)| o.turn),
            false => ready.min_by_key(|(_, o)| (core::cmp::Reverse(o.frame), o.at)),
        };
        next.map(|(g, _)| g)
    }

    /// Joins a group with others at its place.
    pub(super) fn merge(&mut self, g: usize) -> bool {
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

    /// Some threads of a group go on their own, from a place.
    pub(super) fn split(&mut self, g: usize, mask: u32, at: u32) {
        self.groups[g].mask &= !mask;
        self.groups.push(Group { mask, at, ..self.groups[g] });
    }

    /// Waits until all threads that an instruction needs are there. Then they go on behind it; returns where they came from.
    pub(super) fn gather(
        &mut self,
        g: usize,
        meeting: Meeting,
        needed: u32,
        worker: &mut Worker,
    ) -> Result<Vec<Group>, Step> {
        self.groups[g].state = State::Others(meeting);
        let here = |o: &Group| o.state == State::Others(meeting);
        if all(self.groups.iter().filter(|o| here(o))) != needed {
            return Err(Step::Waits);
        }
        let mut parts: Vec<Group> = Vec::new();
        for group in self.groups.extract_if(.., |o| here(o)) {
            match parts.iter_mut().find(|o| (o.at, o.frame) == (group.at, group.frame)) {
                Some(part) => part.mask |= group.mask,
                None => parts.push(group),
            }
        }
        for part in &parts {
            worker.count(part.at, part.mask);
            self.groups.push(Group { at: part.at + 1, state: State::Ready, ..*part });
        }
        Ok(parts)
    }

    /// Waits for the whole warp at one instruction.
    pub(super) fn gather_warp(&mut self, g: usize, worker: &mut Worker) -> Result<u32, Step> {
        let Group { at, frame, mask, .. } = self.groups[g];
        if self.lanes != u32::MAX {
            let why = format!("the whole warp takes part, and it has only {} threads", self.lanes.count_ones());
            return Err(self.raise(worker, FaultKind::InactiveLane, at, mask, &why));
        }
        self.gather(g, Meeting::Place { at, frame }, u32::MAX, worker).map(|parts| all(&parts))
    }

    /// Waits for the threads that an operand names, at this instruction or another one of the kind.
    pub(super) fn gather_members(
        &mut self,
        g: usize,
        members: &Value,
        worker: &mut Worker,
    ) -> Result<Vec<Group>, Step> {
        let Group { at, frame, mask, .. } = self.groups[g];
        let instruction = &worker.run.program.origins[at as usize].instruction;
        let (Some(instruction), Some(frame)) = (instruction, &self.frames[frame]) else { return Err(Step::Stop) };
        let lanes = frame.lanes(members);
        let named = lanes[mask.trailing_zeros() as usize & 31] as u32;
        // threads that name others go on their own
        let same = bits(mask).filter(|l| lanes[*l as usize] as u32 == named).fold(0, |m, l| m | 1 << l);
        if same != mask {
            self.split(g, mask & !same, at);
        }
        if same & !named != 0 {
            let why = format!("the mask {named:#010x} names the threads that take part, and not this one");
            return Err(self.raise(worker, FaultKind::InactiveLane, at, same & !named, &why));
        }
        let meeting = Meeting::Members { mask: named, opcode: instruction.opcode() };
        self.gather(g, meeting, self.lanes & named & !self.exited, worker)
    }
}

/// All threads of some groups.
pub(super) fn all<'a>(groups: impl IntoIterator<Item = &'a Group>) -> u32 {
    groups.into_iter().fold(0, |mask, o| mask | o.mask)
}

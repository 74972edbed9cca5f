//! Registers of a warp in one call of a function.

use super::program::{Body, Place, Value};
use super::pure::Lanes;
use super::run::Worker;

/// Registers, which of them were written in which threads, and where to return.
pub(super) struct Frame {
    pub body: usize,
    registers: Vec<Lanes>,
    registers_written: Vec<u32>,
    predicates: Vec<u32>,
    predicates_written: Vec<u32>,
    /// where its local memory begins
    pub base: u32,
    /// the frame that called, where it goes on, and where results go
    pub caller: Option<Caller>,
    /// threads that are in it or in what it called
    pub alive: u32,
    /// calls above it
    pub depth: u32,
}

/// Who called.
#[derive(Clone, Copy)]
pub(super) struct Caller {
    pub frame: usize,
    /// the code of the call
    pub code: u32,
}

impl Frame {
    pub fn new(number: usize, body: &Body, base: u32, caller: Option<Caller>, alive: u32) -> Frame {
        Frame {
            body: number,
            registers: vec![[0; 32]; body.registers],
            registers_written: vec![0; body.registers],
            predicates: vec![0; body.predicates],
            predicates_written: vec![0; body.predicates],
            base,
            caller,
            alive,
            depth: 0,
        }
    }

    /// Bytes that it takes here.
    pub fn bytes(&self) -> usize {
        size_of_val(self.registers.as_slice())
    }

    /// Where its local memory ends.
    pub fn local_end(&self, worker: &Worker) -> u64 {
        u64::from(self.base) + u64::from(worker.run.program.bodies[self.body].local)
    }

    /// The threads in which it was written.
    #[inline]
    pub fn written(&self, value: &Value) -> u32 {
        match value {
            Value::Register(r) => self.registers_written[*r as usize],
            Value::Predicate(p, _) => self.predicates_written[*p as usize],
            Value::Constant(_) => u32::MAX,
        }
    }

    /// A register's values.
    #[inline]
    pub fn register(&self, r: u32) -> &Lanes {
        &self.registers[r as usize]
    }

    /// The threads in which a predicate is true.
    #[inline]
    pub fn predicate(&self, p: u32) -> u32 {
        self.predicates[p as usize]
    }

    /// Was the predicate written in these threads?
    #[inline]
    pub fn predicate_written(&self, p: u32) -> u32 {
        self.predicates_written[p as usize]
    }

    /// Values, copied.
    pub fn lanes(&self, value: &Value) -> Lanes {
        match value {
            Value::Register(r) => self.registers[*r as usize],
            Value::Predicate(p, negated) => spread(self.predicates[*p as usize] ^ if *negated { u32::MAX } else { 0 }),
            Value::Constant(lanes) => **lanes,
        }
    }

    /// The value of one thread.
    pub fn lane(&self, value: &Value, lane: u8) -> u64 {
        let l = lane as usize & 31;
        match value {
            Value::Register(r) => self.registers[*r as usize][l],
            Value::Predicate(p, negated) => u64::from(self.predicates[*p as usize] >> l & 1 ^ u32::from(*negated)),
            Value::Constant(lanes) => lanes[l],
        }
    }

    /// Writes the threads of a mask.
    #[inline]
    pub fn set(&mut self, place: Place, mask: u32, lanes: &Lanes) {
        match place {
            Place::Register(r) => {
                let to = &mut self.registers[r as usize];
                if mask == u32::MAX {
                    *to = *lanes;
                } else {
                    for (l, (to, from)) in to.iter_mut().zip(lanes).enumerate() {
                        if mask >> l & 1 == 1 {
                            *to = *from;
                        }
                    }
                }
                self.registers_written[r as usize] |= mask;
            }
            Place::Predicate(p) => self.set_predicate(p, mask, gather(lanes)),
            Place::Sink => {}
        }
    }

    /// Writes the threads of a mask.
    pub fn set_predicate(&mut self, p: u32, mask: u32, bits: u32) {
        let to = &mut self.predicates[p as usize];
        *to = *to & !mask | bits & mask;
        self.predicates_written[p as usize] |= mask;
    }

    /// Writes one thread.
    pub fn set_lane(&mut self, place: Place, lane: u8, value: u64) {
        let l = lane as usize & 31;
        match place {
            Place::Register(r) => {
                self.registers[r as usize][l] = value;
                self.registers_written[r as usize] |= 1 << l;
            }
            Place::Predicate(p) => self.set_predicate(p, 1 << l, (value as u32 & 1) << l),
            Place::Sink => {}
        }
    }

    /// Counts as never written in these threads.
    pub fn forget(&mut self, place: Place, mask: u32) {
        match place {
            Place::Register(r) => self.registers_written[r as usize] &= !mask,
            Place::Predicate(p) => self.predicates_written[p as usize] &= !mask,
            Place::Sink => {}
        }
    }
}

/// A bit of a mask for each thread.
fn spread(mask: u32) -> Lanes {
    core::array::from_fn(|l| (mask >> l & 1).into())
}

/// The threads that hold 1.
#[inline]
pub(super) fn gather(lanes: &Lanes) -> u32 {
    lanes.iter().enumerate().fold(0, |mask, (l, x)| mask | ((*x as u32 & 1) << l))
}

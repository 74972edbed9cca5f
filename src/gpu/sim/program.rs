//! A module made ready for execution: flat code, registers by number, names resolved.

use super::atomic::Combine;
use super::buffer::Allocation;
use super::collective::Collective;
use super::pure::{Lanes, Pure};
use super::shadow::Strength;
use crate::gpu::ptx::{Instruction, Special};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// All functions of a module.
pub(super) struct Program {
    pub codes: Vec<Code>,
    /// where each code is from
    pub origins: Vec<Origin>,
    pub bodies: Vec<Body>,
    pub entries: HashMap<Box<str>, usize>,
    /// variables in global memory
    pub globals: Vec<Arc<Allocation>>,
    /// variables in constant memory
    pub constants: Vec<u8>,
    /// variables in shared memory: where each begins and ends; dynamic shared memory comes after the last
    pub shared: Vec<(u32, u32)>,
    /// where dynamic shared memory begins
    pub dynamic: u32,
}

/// Where a code is from.
pub(super) struct Origin {
    pub body: usize,
    /// of [`Module::functions`](crate::gpu::ptx::Module::functions)
    pub function: usize,
    /// of [`Function::instructions`](crate::gpu::ptx::Function::instructions)
    pub ordinal: usize,
    /// none for a function's end
    pub instruction: Option<Instruction>,
    /// as printed
    pub text: Box<str>,
    /// the comment before it
    pub comment: Option<Box<str>>,
    /// the line of the source that `.loc` names
    pub source: Option<(Box<str>, u32)>,
}

/// A function.
pub(super) struct Body {
    pub name: Box<str>,
    pub start: u32,
    /// number, whether it is a predicate, and name of each register
    pub names: Vec<(u32, bool, Box<str>)>,
    /// general registers
    pub registers: usize,
    /// predicates, the carry flag among them
    pub predicates: usize,
    /// bytes of local memory, for variables and parameters of functions
    pub local: u32,
    /// of a kernel the places of its parameters in the bytes that a launch passes, else where a call puts them
    pub params: Vec<Passed>,
    pub returns: Vec<Passed>,
    /// bytes of a kernel's parameters
    pub param_bytes: u32,
    /// threads of a block that it was made for
    pub required: Option<[u32; 3]>,
    /// blocks of a cluster that it was made for; zeros where the launch says how many
    pub cluster: Option<[u32; 3]>,
    /// threads of a block at most
    pub at_most: Option<[u32; 3]>,
    /// where variables in shared memory begin that its instructions name
    pub shared: BTreeSet<u32>,
}

/// A parameter.
#[derive(Clone, Debug)]
pub(super) struct Passed {
    pub name: Box<str>,
    pub at: Home,
    pub bytes: u32,
}

/// Where a parameter or argument is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Home {
    /// in the frame's local memory or, of a kernel, in its parameters
    Memory(u32),
    Register(Place),
}

/// An instruction, decoded.
pub(super) struct Code {
    pub gate: Option<Gate>,
    pub act: Act,
}

/// A fence.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fence {
    pub reach: Strength,
    pub acquire: bool,
    pub release: bool,
    /// `fence.sc`
    pub sequential: bool,
}

/// A guard.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Gate {
    pub predicate: u32,
    pub negated: bool,
    /// results count as never written where it is not executed
    pub undefined: bool,
    /// all threads go the same way: it is a branch `.uni`
    pub uniform: bool,
}

/// What is read.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Register(u32),
    Predicate(u32, bool),
    Constant(Box<Lanes>),
}

/// What is written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Place {
    Register(u32),
    Predicate(u32),
    Sink,
}

/// A state space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Space {
    Generic,
    Global,
    Shared,
    Local,
    Const,
    Param,
}

/// An address.
#[derive(Clone, Debug)]
pub(super) struct Address {
    pub space: Space,
    pub base: Base,
    pub offset: i64,
    /// is it computed in 32 bits, as a register of 32 bits has them?
    pub narrow: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Base {
    Zero,
    Register(u32),
    /// the frame's local memory
    Frame,
}

/// What accesses have in common.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub address: Address,
    /// bytes of an element
    pub size: usize,
    /// elements
    pub count: usize,
    pub strength: Strength,
    /// acquires at a load, releases at a store, either at an atomic
    pub acquire: bool,
    pub release: bool,
    /// `ld.global.nc`: of what the launch does not write
    pub incoherent: bool,
    /// of what a call passes: structures are read with their gaps, which nothing writes
    pub passed: bool,
}

pub(super) enum Act {
    Pure {
        run: Pure,
        from: Box<[Value]>,
        to: Box<[Place]>,
        whole: bool,
    },
    Special {
        what: Special,
        to: Place,
    },
    FrameAddress {
        offset: i64,
        generic: bool,
        /// bits of the destination
        width: u32,
        to: Place,
    },
    Load {
        access: Access,
        signed: bool,
        to: Box<[Place]>,
        widths: Box<[u32]>,
    },
    Store {
        access: Access,
        from: Box<[Value]>,
    },
    Atomic {
        access: Access,
        combine: Combine,
        from: Box<[Value]>,
        to: Box<[Place]>,
    },
    Fence(Fence),
    Branch(u32),
    Table {
        index: Value,
        targets: Box<[u32]>,
    },
    Call {
        callee: Callee,
        arguments: Box<[Argument]>,
        results: Box<[Home]>,
    },
    Return,
    Exit,
    Trap,
    Nop,
    Barrier(Barrier),
    WarpBarrier {
        mask: Value,
    },
    Collective {
        what: Collective,
        mask: Option<Value>,
        from: Box<[Value]>,
        to: Box<[Place]>,
    },
    LoadMatrix {
        address: Address,
        count: usize,
        transposed: bool,
        to: Box<[Place]>,
    },
    StoreMatrix {
        address: Address,
        transposed: bool,
        from: Box<[Value]>,
    },
    Copy {
        to: Address,
        from: Address,
        size: usize,
        read: Option<Value>,
        ignore: Option<Value>,
    },
    /// 128 bytes at it are whatever they are
    Discard(Address),
    Commit,
    /// all but so many groups
    Wait(Option<u32>),
    Mbarrier {
        what: Mbarrier,
        address: Address,
        from: Box<[Value]>,
        to: Place,
    },
}

pub(super) enum Callee {
    Direct(usize),
    Indirect(Value),
}

pub(super) enum Argument {
    /// in the caller's local memory
    Memory(u32),
    Value(Value),
}

pub(super) struct Barrier {
    pub kind: BarrierKind,
    pub id: Value,
    pub count: Option<Value>,
    pub aligned: bool,
    pub predicate: Option<Value>,
    pub to: Place,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BarrierKind {
    Sync,
    Arrive,
    Popc,
    And,
    Or,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mbarrier {
    Init,
    Invalidate,
    Arrive {
        drop: bool,
        expect: bool,
        complete: bool,
        release: bool,
    },
    /// when the copies of this thread are there
    ArriveOnCopies {
        counted: bool,
    },
    ExpectTx,
    CompleteTx,
    Test {
        parity: bool,
        acquire: bool,
    },
}

/// Windows of the generic address space (PTX ISA, generic addressing); global memory is everywhere else.
pub(super) const WINDOW: u64 = 1 << 40;
pub(super) const SHARED: u64 = 0x4000_0000_0000;
pub(super) const LOCAL: u64 = 0x4100_0000_0000;
pub(super) const CONST: u64 = 0x4200_0000_0000;
pub(super) const PARAM: u64 = 0x4300_0000_0000;
/// Addresses of functions.
pub(super) const CODE: u64 = 0x4400_0000_0000;

impl Space {
    /// Where its window begins.
    pub fn window(self) -> u64 {
        match self {
            Space::Shared => SHARED,
            Space::Local => LOCAL,
            Space::Const => CONST,
            Space::Param => PARAM,
            Space::Generic | Space::Global => 0,
        }
    }

    /// As PTX writes it.
    pub fn name(self) -> &'static str {
        match self {
            Space::Generic => "generic",
            Space::Global => "global",
            Space::Shared => "shared",
            Space::Local => "local",
            Space::Const => "const",
            Space::Param => "param",
        }
    }

    /// The space of a generic address, and the address in it.
    pub fn of_generic(address: u64) -> (Space, u64) {
        for space in [Space::Shared, Space::Local, Space::Const, Space::Param] {
            if let Some(offset) = address.checked_sub(space.window())
                && offset < WINDOW
            {
                return (space, offset);
            }
        }
        (Space::Global, address)
    }
}

impl Program {
    /// A register by its name.
    pub fn name(&self, body: usize, value: &Value) -> String {
        let body = &self.bodies[body];
        let (slot, predicate) = match value {
            Value::Register(r) => (*r, false),
            Value::Predicate(p, _) => (*p, true),
            Value::Constant(_) => return String::new(),
        };
        body.names
            .iter()
            .find(|(s, p, _)| (*s, *p) == (slot, predicate))
            .map_or("the carry flag".into(), |n| n.2.to_string())
    }
}

impl Act {
    /// Does it need several threads at once, and wait for them?
    pub fn gathers(&self) -> bool {
        match self {
            Act::Barrier(_) | Act::WarpBarrier { .. } | Act::LoadMatrix { .. } | Act::StoreMatrix { .. } => true,
            Act::Pure { whole, .. } => *whole,
            Act::Collective { mask, .. } => mask.is_some(),
            _ => false,
        }
    }

    /// Do its threads go on in parts, each of which it counts itself?
    pub fn parts_itself(&self) -> bool {
        self.gathers() || matches!(self, Act::Call { .. })
    }

    /// Do threads that it is not for go ahead of those that it is for?
    pub fn parts(&self) -> bool {
        self.gathers() || self.polls()
    }

    /// Is it what loops are made of that wait for another thread?
    pub fn polls(&self) -> bool {
        match self {
            Act::Mbarrier { what: Mbarrier::Test { .. }, .. } => true,
            Act::Load { access, .. } => access.strength > Strength::Weak,
            Act::Atomic { combine, .. } => combine.operands() > 1,
            _ => false,
        }
    }

    /// All that is read in registers.
    pub fn sources(&self, see: &mut dyn FnMut(&Value)) {
        let address = |a: &Address, see: &mut dyn FnMut(&Value)| {
            if let Base::Register(r) = a.base {
                see(&Value::Register(r));
            }
        };
        match self {
            Act::Pure { from, .. } => from.iter().for_each(see),
            Act::Load { access, .. } => address(&access.address, see),
            Act::Discard(a) => address(a, see),
            Act::Store { access, from } | Act::Atomic { access, from, .. } => {
                address(&access.address, see);
                // what is unwritten stays so in a thread's own memory, from where it may be no more than copied
                from.iter().filter(|_| access.address.space != Space::Local).for_each(see);
            }
            Act::Table { index, .. } => see(index),
            Act::Call { callee, arguments, .. } => {
                if let Callee::Indirect(value) = callee {
                    see(value);
                }
                for argument in arguments {
                    if let Argument::Value(value) = argument {
                        see(value);
                    }
                }
            }
            Act::Barrier(b) => {
                [Some(&b.id), b.count.as_ref(), b.predicate.as_ref()].into_iter().flatten().for_each(see)
            }
            Act::WarpBarrier { mask } => see(mask),
            Act::Collective { mask, from, .. } => mask.iter().chain(from.iter()).for_each(see),
            Act::LoadMatrix { address: a, .. } => address(a, see),
            Act::StoreMatrix { address: a, from, .. } | Act::Mbarrier { address: a, from, .. } => {
                address(a, see);
                from.iter().for_each(see);
            }
            Act::Copy { to, from, read, ignore, .. } => {
                address(to, see);
                address(from, see);
                read.iter().chain(ignore).for_each(see);
            }
            Act::Special { .. } | Act::FrameAddress { .. } | Act::Fence(_) | Act::Branch(_) | Act::Return => {}
            Act::Exit | Act::Trap | Act::Nop | Act::Commit | Act::Wait(_) => {}
        }
    }

    /// All registers that are written.
    pub fn results(&self, see: &mut dyn FnMut(Place)) {
        match self {
            Act::Pure { to, .. } | Act::Load { to, .. } | Act::Atomic { to, .. } | Act::Collective { to, .. } => {
                to.iter().copied().for_each(see)
            }
            Act::LoadMatrix { to, .. } => to.iter().copied().for_each(see),
            Act::Special { to, .. } | Act::FrameAddress { to, .. } | Act::Mbarrier { to, .. } => see(*to),
            Act::Barrier(b) => see(b.to),
            _ => {}
        }
    }
}

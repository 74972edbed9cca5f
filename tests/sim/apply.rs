//! `Kernel::apply` of every opcode that it takes over registers, on special and random values: what the simulator leaves is what an
//! H200 left, which `tests/data/sim_apply.txt` has a hash of; and what a device leaves, where there is one.

use crate::machine::Machine;
use crate::random::Rng;
use girih::gpu::apply::{ApplyError, ApplyOperand, ApplyOptions, RegisterTensor, Scope};
use girih::gpu::kernel::{Kernel, Pointer};
use girih::gpu::launch::{DataType, Launch, Param, Usage};
use girih::gpu::ptx::{Access, Data, Instruction, Opcode, Operand, Place, Reg, Target, Type};
use girih::gpu::sim::approx;
use girih::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write;

const THREADS: usize = 128;
/// of every operand; of products the elements along k
const REPEATS: usize = 2;
/// opcodes of a kernel
const KERNEL: usize = 32;

/// Bits of a value of a type: one that is special, or a random one, half of these of a modest size.
fn value(ty: Type, random: &mut Rng) -> u64 {
    let halves = |ty, random: &mut Rng| value(ty, random) | value(ty, random) << 16;
    let (exponent, mantissa) = match ty {
        Type::F16x2 => return halves(Type::F16, random),
        Type::Bf16x2 => return halves(Type::Bf16, random),
        Type::U16x2 | Type::S16x2 => return halves(Type::U16, random),
        Type::F16 => (5, 10),
        Type::Bf16 => (8, 7),
        Type::F32 | Type::Tf32 => (8, 23),
        Type::F64 => (11, 52),
        _ => return integer(ty.bits(), random),
    };
    let infinity = ((1u64 << exponent) - 1) << mantissa;
    let one = (infinity >> 1) & infinity;
    let quiet = 1 << (mantissa - 1);
    let sign = (random.below(2) as u64) << (exponent + mantissa);
    let any = |random: &mut Rng, bits: u32| integer(64, random) & ((1 << bits) - 1);
    let magnitude = match random.below(4) {
        0 | 1 => random.of(&[
            0,
            1,
            (1 << mantissa) - 1,
            1 << mantissa,
            one,
            one + 1,
            one - 1,
            one | quiet,
            one - (1 << mantissa),
            infinity - 1,
            infinity,
            infinity | quiet,
            infinity | 1,
            infinity | quiet | 5,
        ]),
        2 => any(random, exponent + mantissa),
        _ => one - (4 << mantissa) + any(random, mantissa + 3),
    };
    sign | magnitude
}

fn integer(bits: u32, random: &mut Rng) -> u64 {
    let mask = u64::MAX >> (64 - bits.min(64));
    let wide = (random.below(1 << 32) << 32 | random.below(1 << 32)) as u64;
    mask & match random.below(4) {
        0 => random.of(&[0, 1, 2, 31, 32, 33, mask, mask >> 1, (mask >> 1) + 1, mask - 1]),
        1 => wide & 0xff,
        _ => wide,
    }
}

/// A kernel that loads columns of 64-bit slots, applies opcodes, and stores columns.
struct Columns {
    k: Kernel,
    x: Pointer,
    y: Pointer,
    inputs: Vec<u64>,
    outputs: usize,
}

const COLUMN: usize = THREADS;

impl Columns {
    fn new() -> Columns {
        let mut k = Kernel::new("applied", Target::SM_90, [THREADS as u32, 1, 1]);
        let (x, y) = (k.pointer("x", Type::B64), k.pointer("y", Type::B64));
        Columns { k, x, y, inputs: vec![], outputs: 0 }
    }

    /// A register of each thread with values of this type, in a register of that one.
    fn input(&mut self, ty: Type, register: Type, values: &mut dyn FnMut() -> u64) -> Reg {
        let at = self.k.tid() + self.inputs.len() as i64;
        self.inputs.extend((0..COLUMN).map(|_| values()));
        if ty == Type::Pred {
            let word = self.k.load(&self.x.at(&at).of(Type::B32), 1)[0];
            return self.k.op("setp.ne.b32", vec![word.into(), 0.into()]);
        }
        let r = self.k.reg(register);
        self.k.load_into(&self.x.at(&at).of(register), &[r]);
        r
    }

    fn output(&mut self, r: Reg) {
        let at = self.k.tid() + (self.outputs * COLUMN) as i64;
        self.k.store(&self.y.at(&at).of(r.ty), &[r]);
        self.outputs += 1;
    }

    /// Applies an opcode with one of its lists of operands, if it takes that.
    fn apply(&mut self, op: &Opcode, places: &[Place]) -> Result<(), ApplyError> {
        let spelling = op.to_string();
        let seed = spelling.bytes().fold(0, |s: u64, b| s.wrapping_mul(31).wrapping_add(b.into()));
        let mut random = Rng::new(seed);
        let product = op.mnemonic() == "mma";
        let types: Vec<Type> = op.qualifiers().filter_map(|q| q.parse().ok()).collect();
        match places.first() {
            Some(Place::Scalar(d) | Place::Vector(d, _)) if d.access == Access::Write && d.ty != Type::Pred => {}
            _ => return Err(ApplyError::NoPattern { opcode: spelling }),
        }
        let unsupported = || ApplyError::NoPattern { opcode: spelling.clone() };
        enum Given {
            Tensor(RegisterTensor),
            Scalar(Reg),
            Int(i64),
        }
        // the operands of one instruction
        let mut one = vec![];
        let (mut given, mut results) = (vec![], vec![]);
        for (i, place) in places.iter().enumerate() {
            let (data, n) = match place {
                Place::Scalar(data) => (data, 1),
                Place::Vector(data, n) => (data, *n as usize),
                Place::Immediate(range, step) => {
                    let immediate = (range.start() + 3 * step).min(*range.end());
                    given.push(Given::Int(immediate));
                    one.push(immediate.into());
                    continue;
                }
                _ => return Err(unsupported()),
            };
            let register = register(data).ok_or_else(unsupported)?;
            // the bits of fragments are elements of d, a, b and c
            let of = if product { types.get(i).copied().unwrap_or(data.ty) } else { data.ty };
            let mut bits = || {
                (0..register.bits().max(1))
                    .step_by(of.bits().max(1) as usize)
                    .fold(0, |all, at| all | value(of, &mut random) << at)
            };
            if data.ty == Type::Pred {
                let predicate = self.input(Type::Pred, Type::B32, &mut bits);
                given.push(Given::Scalar(predicate));
                one.push(predicate.into());
                continue;
            }
            let repeats = if product && i % 3 == 0 { 1 } else { REPEATS };
            let registers: Vec<Reg> = match data.access {
                Access::Write => self.k.regs(register, repeats * n),
                _ => (0..repeats * n).map(|_| self.input(of, register, &mut bits)).collect(),
            };
            if data.access != Access::Read {
                results.extend(registers.clone());
            }
            one.push(if let Place::Vector(..) = place { registers[..n].into() } else { Operand::from(registers[0]) });
            let extents = if product { vec![1, repeats as i64, n as i64] } else { vec![repeats as i64, n as i64] };
            let strides = if product { vec![0, n as i64, 1] } else { vec![n as i64, 1] };
            given.push(Given::Tensor(RegisterTensor::new(&registers, &Layout::flat(&extents, &strides).unwrap())));
        }
        // some lists of operands are of later targets
        Instruction::new(*op, one).ok().and_then(|i| i.version_for(Target::SM_90)).ok_or_else(unsupported)?;
        let operands: Vec<ApplyOperand> = (given.iter())
            .map(|given| match given {
                Given::Tensor(t) => t.into(),
                Given::Scalar(r) => (*r).into(),
                Given::Int(n) => (*n).into(),
            })
            .collect();
        let scope = if product { Scope::Warp } else { Scope::Thread };
        self.k.apply(&spelling, &operands, &ApplyOptions { scope, ..Default::default() })?;
        results.into_iter().for_each(|r| self.output(r));
        Ok(())
    }

    /// What it leaves, on the simulator, and on the machine's device.
    fn run(self, machine: &Machine) -> Vec<u64> {
        let pointer = |name, usage| Param::pointer(name, DataType::U64, usage);
        let launch = Launch {
            entry: "applied".into(),
            params: vec![pointer("x", Usage::Read), pointer("y", Usage::Write)],
            block: [THREADS as u32, 1, 1],
            ..Launch::default()
        };
        let (x, mut y) = (machine.buffer(&self.inputs), machine.buffer(&vec![0u64; self.outputs * COLUMN]));
        machine.kernel(&self.k.finish().unwrap(), &launch).launch(vec![x.all(), y.all_mut()]).unwrap();
        y.download()
    }
}

/// The register for an operand; none of 128 bits, and none for single bytes.
fn register(data: &Data) -> Option<Type> {
    match data.ty.register() {
        Type::Pred => Some(Type::Pred),
        ty if data.exact => Some(ty),
        ty => match ty.bits() {
            8 if data.wider => Some(Type::B16),
            16 => Some(Type::B16),
            32 => Some(Type::B32),
            64 => Some(Type::B64),
            _ => None,
        },
    }
}

/// Hashes of what the opcodes leave, and how many results these are.
fn applied(machine: &Machine, approximate: bool) -> BTreeMap<String, u64> {
    let all = Opcode::all().filter(|op| op.version_for(Target::SM_90).is_some());
    let all = all.filter(|op| approx::error(op, 1.0).is_some() == approximate);
    let (mut hashes, mut columns, mut parts) = (BTreeMap::new(), Columns::new(), vec![]);
    let mut finish = |columns: &mut Columns, parts: &mut Vec<(String, usize)>| {
        let left = std::mem::replace(columns, Columns::new()).run(machine);
        let mut first = 0;
        for (op, end) in parts.drain(..) {
            let hash = left[first * COLUMN..end * COLUMN]
                .iter()
                .fold(0xcbf29ce484222325, |h: u64, v| (h ^ v).wrapping_mul(0x100000001b3) ^ h >> 47);
            hashes.insert(op, hash);
            first = end;
        }
    };
    for op in all {
        for (i, places) in op.places().enumerate() {
            if columns.apply(&op, &places).is_ok() {
                parts.push((format!("{op} {i}"), columns.outputs));
            }
        }
        if parts.len() >= KERNEL {
            finish(&mut columns, &mut parts);
        }
    }
    finish(&mut columns, &mut parts);
    hashes
}

#[test]
fn applied_opcodes_leave_what_an_h200_left() {
    let hashes = applied(&Machine::new(90), false);
    println!("{} opcodes", hashes.len());
    let text = hashes.iter().fold(String::new(), |mut text, (op, hash)| {
        let _ = writeln!(text, "{op} {hash:016x}");
        text
    });
    if let Some(file) = std::env::var_os("OUT_APPLY") {
        std::fs::write(file, &text).unwrap();
    }
}

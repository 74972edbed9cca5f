//! `Kernel::apply` of every opcode that it takes over registers, on special and random values: what the simulator leaves is what an
//! H200 left, which `tests/data/sim_apply.txt` has a hash of; and what a device leaves, where there is one. Then its loads and stores.

use crate::machine::Machine;
use crate::random::Rng;
use girih::gpu::apply::{ApplyError, ApplyOperand, ApplyOptions, MemoryTensor, RegisterTensor, Scope};
use girih::gpu::kernel::{Kernel, Pointer};
use girih::gpu::launch::{DataType, Launch, Param, Usage};
use girih::gpu::ptx::{Access, Data, Instruction, Opcode, Operand, Place, Reg, Target, Type};
use girih::prelude::*;
use std::collections::BTreeMap;

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
            Tensor(Box<RegisterTensor>),
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
            given.push(Given::Tensor(Box::new(RegisterTensor::new(
                &registers,
                &Layout::flat(&extents, &strides).unwrap(),
            ))));
        }
        // some lists of operands are of later targets
        Instruction::new(*op, one).ok().and_then(|i| i.version_for(Target::SM_90)).ok_or_else(unsupported)?;
        let operands: Vec<ApplyOperand> = (given.iter())
            .map(|given| match given {
                Given::Tensor(t) => (&**t).into(),
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
        let (x, mut y) = (machine.buffer(&self.inputs), machine.buffer(&vec![0u64; self.outputs * COLUMN]));
        machine.kernel(&self.k.finish().unwrap(), &launch(DataType::U64)).launch(vec![x.all(), y.all_mut()]).unwrap();
        y.download()
    }
}

/// Of a kernel that reads `x` and writes `y`.
fn launch(of: DataType) -> Launch {
    Launch {
        entry: "applied".into(),
        params: vec![Param::pointer("x", of, Usage::Read), Param::pointer("y", of, Usage::Write)],
        block: [THREADS as u32, 1, 1],
        ..Launch::default()
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

/// Is it an instruction whose result its operands decide, to the last bit? Some that `ptxas` takes are not in the ISA: `fma` of bf16
/// that is not rounded to nearest, products of small integers by logic, of other types in the shape of f16; these are not executed.
fn is_exact(op: &Opcode) -> bool {
    let word = |q: &str| op.qualifiers().any(|p| p == q);
    // addresses, and what an mbarrier is made of
    let opaque = ["cvta", "alloca", "stacksave", "mbarrier"].contains(&op.mnemonic());
    let approximate = word("approx") || word("full");
    let of_no_meaning = match op.mnemonic() {
        "fma" => (word("bf16") || word("bf16x2")) && !word("rn"),
        "mma" => {
            let logic = word("xor") || word("and") || word("or");
            logic && !word("b1") || word("m8n8k4") && (word("tf32") || word("bf16"))
        }
        _ => false,
    };
    !opaque && !approximate && !of_no_meaning
}

/// Of every opcode, with the number of its list of operands, a hash of what it leaves.
fn applied(machine: &Machine) -> BTreeMap<String, u64> {
    let all = Opcode::all().filter(|op| op.version_for(Target::SM_90).is_some() && is_exact(op));
    let (mut hashes, mut columns, mut ends) = (BTreeMap::new(), Columns::new(), vec![]);
    let mut finish = |columns: &mut Columns, ends: &mut Vec<(String, usize)>| {
        let left = std::mem::replace(columns, Columns::new()).run(machine);
        let mut first = 0;
        for (op, end) in ends.drain(..) {
            let fnv = |h: u64, v: &u64| (h ^ v).wrapping_mul(0x100_0000_01B3).rotate_left(29);
            hashes.insert(op, left[first * COLUMN..end * COLUMN].iter().fold(0xCBF2_9CE4_8422_2325, fnv));
            first = end;
        }
    };
    for op in all {
        for (i, places) in op.places().enumerate() {
            if columns.apply(&op, &places).is_ok() {
                ends.push((format!("{op} {i}"), columns.outputs));
            }
        }
        if ends.len() >= KERNEL {
            finish(&mut columns, &mut ends);
        }
    }
    finish(&mut columns, &mut ends);
    hashes
}

#[test]
fn applied_opcodes_leave_what_an_h200_left() {
    let left = applied(&Machine::new(90));
    let mut recorded = BTreeMap::new();
    for line in include_str!("../data/sim_apply.txt").lines() {
        let (op, hash) = line.rsplit_once(' ').unwrap();
        recorded.insert(op.to_string(), u64::from_str_radix(hash, 16).unwrap());
    }
    let differ: Vec<_> = left.iter().filter(|(op, hash)| recorded.get(*op) != Some(hash)).map(|(op, _)| op).collect();
    assert_eq!(differ, [""; 0]);
    assert_eq!(left.len(), recorded.len());
    assert!(left.len() > 2000, "{}", left.len());
}

#[test]
#[ignore = "prints tests/data/sim_apply.txt, from a device"]
fn what_a_device_leaves() {
    let machine = Machine::new(90);
    assert!(machine.has_device());
    applied(&machine).iter().for_each(|(op, hash)| println!("{op} {hash:016x}"));
}

/// Random bytes that a kernel moves from `x` to `y`.
fn moves(machine: &Machine, what: &str, ty: Type, bytes: usize, body: impl FnOnce(&mut Kernel, Pointer, Pointer)) {
    let mut k = Kernel::new("applied", Target::SM_90, [THREADS as u32, 1, 1]);
    let (x, y) = (k.pointer("x", ty), k.pointer("y", ty));
    body(&mut k, x, y);
    let mut random = Rng::new(1);
    let given: Vec<u8> = (0..bytes).map(|_| random.below(256) as u8).collect();
    let (x, mut y) = (machine.buffer(&given), machine.buffer(&vec![0u8; bytes]));
    machine.kernel(&k.finish().unwrap(), &launch(DataType::U8)).launch(vec![x.all(), y.all_mut()]).unwrap();
    assert!(y.download() == given, "{what}");
}

const WARPS: i64 = THREADS as i64 / 32;

fn by_warps() -> ApplyOptions {
    ApplyOptions { scope: Scope::Cta { warps: WARPS as u32 }, ..Default::default() }
}

#[test]
fn applied_loads_copies_and_stores_move_every_type() {
    use Type::*;
    let machine = Machine::new(90);
    for ty in [B8, U8, S8, B16, U16, S16, B32, U32, S32, F32, B64, U64, S64, F64] {
        for words in [1, 2, 4i64] {
            let bytes = i64::from(ty.bits()) / 8 * words;
            for copied in [false, true] {
                if bytes > 16 || copied && bytes < 4 {
                    continue;
                }
                let size = THREADS as i64 * 2 * words;
                let vector = if words == 1 { String::new() } else { format!(".v{words}") };
                let what = format!("{vector}.{ty}, copied: {copied}");
                moves(&machine, &what, ty, (size * bytes / words) as usize, |k, x, y| {
                    let s = k.shared(ty, size as u64, 16);
                    // (warp, lane, repeat, word)
                    let extents = [WARPS, 32, 2, words];
                    let memory = Layout::flat(&extents, &[64 * words, 2 * words, words, 1]).unwrap();
                    let [from, tile, to] = [x.at(&0.into()), s.at(&0.into()), y.at(&0.into())]
                        .map(|spot| MemoryTensor::new(&spot, &memory, size, bytes));
                    let own = Layout::flat(&extents, &[0, 0, words, 1]).unwrap();
                    let [first, second] = [(); 2].map(|()| {
                        let register = if ty.bits() < 16 { B16 } else { ty };
                        RegisterTensor::new(&k.regs(register, 2 * words as usize), &own)
                    });
                    let apply = |k: &mut Kernel, op: &str, operands: &[ApplyOperand]| {
                        assert_eq!(k.apply(op, operands, &by_warps()), Ok(2), "{op}");
                    };
                    if copied {
                        let op = if bytes == 16 { "cp.async.cg.shared.global" } else { "cp.async.ca.shared.global" };
                        apply(k, op, &[(&tile).into(), (&from).into(), bytes.into()]);
                        k.emit("cp.async.wait_all", vec![]);
                    } else {
                        apply(k, &format!("ld.global{vector}.{ty}"), &[(&first).into(), (&from).into()]);
                        apply(k, &format!("st.shared{vector}.{ty}"), &[(&tile).into(), (&first).into()]);
                    }
                    apply(k, &format!("ld.shared{vector}.{ty}"), &[(&second).into(), (&tile).into()]);
                    apply(k, &format!("st.global{vector}.{ty}"), &[(&to).into(), (&second).into()]);
                });
            }
        }
    }
}

#[test]
fn applied_matrices_are_stored_as_they_were_loaded() {
    let machine = Machine::new(90);
    for (transposed, matrices) in [("", 1), (".trans", 1), ("", 2), (".trans", 2), ("", 4), (".trans", 4i64)] {
        let size = WARPS * matrices * 64;
        moves(&machine, &format!(".x{matrices}{transposed}"), Type::B16, 2 * size as usize, |k, x, y| {
            let tiles = [(); 2].map(|()| k.shared(Type::B16, size as u64, 16));
            let each = matrices * 64;
            // (warp, lane, half), then (warp, matrix, row, half)
            let plain = Layout::flat(&[WARPS, 32, each / 32, 1], &[each, each / 32, 1, 1]).unwrap();
            let rows = Layout::flat(&[WARPS, matrices, 8, 8], &[each, 64, 8, 1]).unwrap();
            let halves = k.regs(Type::B16, (each / 32) as usize);
            let words = k.regs(Type::B32, matrices as usize);
            let own = RegisterTensor::new(&halves, &Layout::flat(&[WARPS, 32, each / 32, 1], &[0, 0, 1, 1]).unwrap());
            let fragment = RegisterTensor::new(&words, &Layout::flat(&[WARPS, matrices], &[0, 1]).unwrap());
            let [from, to] = [x, y].map(|p| MemoryTensor::new(&p.at(&0.into()), &plain, size, 2));
            let spots = tiles.each_ref().map(|t| t.at(&0.into()));
            let [first, second] = spots.each_ref().map(|spot| MemoryTensor::new(spot, &plain, size, 16));
            let [loaded, stored] = spots.each_ref().map(|spot| MemoryTensor::new(spot, &rows, size, 16));
            let apply = |k: &mut Kernel, op: &str, operands: &[ApplyOperand]| {
                k.apply(op, operands, &by_warps()).unwrap_or_else(|e| panic!("{op}: {e}"));
            };
            apply(k, "ld.global.b16", &[(&own).into(), (&from).into()]);
            apply(k, "st.shared.b16", &[(&first).into(), (&own).into()]);
            k.barrier();
            let op = format!("ldmatrix.sync.aligned.m8n8.x{matrices}{transposed}.shared.b16");
            apply(k, &op, &[(&fragment).into(), (&loaded).into()]);
            let op = format!("stmatrix.sync.aligned.m8n8.x{matrices}{transposed}.shared.b16");
            apply(k, &op, &[(&stored).into(), (&fragment).into()]);
            k.barrier();
            apply(k, "ld.shared.b16", &[(&own).into(), (&second).into()]);
            apply(k, "st.global.b16", &[(&to).into(), (&own).into()]);
        });
    }
}

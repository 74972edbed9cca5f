use super::super::{Lanes, pure};
use super::{atom, collect, distribute};
use crate::gpu::atom::{CopyAtom, MmaAtom, RegisterType, Registers};
use crate::gpu::ptx::{Instruction, Opcode, Operand, Reg, Type};
use crate::gpu::sim::tensor_core::Arithmetic;
use crate::layout::Layout;
use proptest::prelude::*;

/// An instruction with registers of its own.
fn instruction(opcode: &str) -> Instruction {
    let vector = |of: Registers| {
        let ty = match of.register {
            RegisterType::F32 => Type::F32,
            RegisterType::F64 => Type::F64,
            _ => Type::B32,
        };
        Operand::Vector((0..of.count).map(|id| Reg { id: id as u32, ty }.into()).collect())
    };
    let op = Opcode::parse(opcode).unwrap();
    let operands = match atom(&op) {
        Some(mma) => {
            let of = mma.registers();
            [of.d, of.a, of.b, of.c].map(vector).to_vec()
        }
        None => vec![Reg { id: 0, ty: Type::B32 }.into(); 2],
    };
    Instruction::new(op, operands).unwrap()
}

fn run(opcode: &str, sources: &[Lanes]) -> Vec<Lanes> {
    let pure = pure(&instruction(opcode)).unwrap_or_else(|| panic!("{opcode} is not executed"));
    // what was in the registers does not matter
    let mut results = vec![[u64::MAX; 32]; pure.results()];
    pure.run(&sources.iter().collect::<Vec<_>>(), &mut results);
    results
}

#[test]
fn warps_read_off_an_h200_are_equal() {
    let registers = |all: &serde_json::Value| -> Vec<Lanes> {
        let lanes = |text: &str| {
            let digits = text.len() / 32;
            core::array::from_fn(|l| u64::from_str_radix(&text[l * digits..(l + 1) * digits], 16).unwrap())
        };
        all.as_array().unwrap().iter().map(|r| lanes(r.as_str().unwrap())).collect()
    };
    let file = include_str!("../../../../tests/data/h200_mma.jsonl");
    let mut opcodes = std::collections::BTreeSet::new();
    for line in file.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()) {
        let opcode = line["ptx"].as_str().unwrap();
        assert_eq!(run(opcode, &registers(&line["sources"])), registers(&line["results"]), "{opcode}");
        opcodes.insert(opcode.to_string());
    }
    // every one that is executed is there
    let executed = executed().into_iter().chain(["movmatrix.sync.aligned.m8n8.trans.b16".to_string()]);
    assert_eq!(executed.collect::<std::collections::BTreeSet<_>>(), opcodes);
}

fn executed() -> Vec<String> {
    let all = Opcode::all().filter(|op| op.mnemonic() == "mma");
    all.filter(|op| super::mma(op).is_some()).map(|op| op.to_string()).collect()
}

/// Elements of a thread-value layout: (lane, value) to index.
fn elements(mma: &MmaAtom, layout: Layout) -> Vec<((usize, usize), usize)> {
    let threads: Vec<i64> = mma.thr().offsets().unwrap().collect();
    let each = layout.offsets().unwrap().enumerate();
    each.map(|(i, at)| ((threads[i % threads.len()] as usize, i / threads.len()), at as usize)).collect()
}

/// The bits of a value in a thread's registers, packed from the lowest.
fn bits(registers: &[Lanes], lane: usize, value: usize, width: usize) -> u64 {
    let per_register = (32 / width).max(1);
    let all = u64::MAX >> (64 - width);
    registers[value / per_register][lane] >> (value % per_register * width) & all
}

/// A warp's instruction, element by element.
fn check(mma: &MmaAtom, sources: &[Lanes]) {
    let ([m, n, k], types, of) = (mma.extents(), mma.types(), mma.registers());
    let (a, rest) = sources.split_at(of.a.count);
    let (b, c) = rest.split_at(of.b.count);
    let d = run(&mma.ptx().unwrap(), sources);
    let sum = Arithmetic::of(mma).unwrap();
    for first in (0..32).step_by(4).take(if mma.is_of_quad_pair() { 4 } else { 1 }) {
        let matrix = |registers: &[Lanes], layout: Layout, width: usize, count: usize| {
            let mut rows = vec![vec![0; k]; count];
            for ((lane, value), at) in elements(mma, layout) {
                rows[at % count][at / count] = bits(registers, lane + first, value, width);
            }
            rows
        };
        let (left, right) = (matrix(a, mma.a(), types.a.bits(), m), matrix(b, mma.b(), types.b.bits(), n));
        // bits come in words
        let words = |row: &[u64]| match types.a.bits() {
            1 => row.chunks(32).map(|word| word.iter().rev().fold(0, |all, bit| all << 1 | bit)).collect(),
            _ => row.to_vec(),
        };
        for ((lane, value), at) in elements(mma, mma.c()) {
            let (row, column) = (words(&left[at % m]), words(&right[at / m]));
            let c = bits(c, lane + first, value, types.c.bits());
            let found = bits(&d, lane + first, value, types.d.bits());
            assert_eq!(found, sum.dot(&row, &column, c), "{mma}: {at}");
        }
    }
}

fn atoms() -> Vec<MmaAtom> {
    let of_warp = MmaAtom::all().filter(|mma| matches!(mma.thr().size(), Ok(8 | 32)));
    of_warp.filter(|mma| mma.ptx().is_some()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 50, ..ProptestConfig::default() })]

    #[test]
    fn an_element_is_the_dot_of_its_rows(seed in any::<u64>(), of_few in any::<bool>()) {
        // of few: zeros, ones, infinities and the like are frequent
        let few = [0, 0x8000_8000, 0x3c00_3c00, 0x7f80_7f80, 0x7c00_fc00, 0xffff_ffff, 0x0001_0001, 0x3f80_bf80];
        let mut state = seed;
        let mut word = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let random = state >> 32;
            if of_few && random % 4 < 3 { few[random as usize / 4 % few.len()] } else { random }
        };
        for mma in atoms() {
            let of = mma.registers();
            let wide = of.a.register == RegisterType::F64;
            let count = of.a.count + of.b.count + of.c.count;
            let sources: Vec<Lanes> = (0..count)
                .map(|_| core::array::from_fn(|_| if wide { word() << 32 | word() } else { word() }))
                .collect();
            check(&mma, &sources);
        }
    }

    #[test]
    fn matrices_lie_as_the_copies_say(bytes in prop::collection::vec(any::<[u8; 16]>(), 32)) {
        for matrices in [1, 2, 4] {
            for transposed in [false, true] {
                let rows = &bytes[..8 * matrices];
                let mut registers = vec![[0; 32]; matrices];
                distribute(rows, transposed, &mut registers);
                // (lane, bit) to a bit of the rows
                let layout = CopyAtom::Ldmatrix { matrices, transposed }.dst();
                for (i, at) in layout.offsets().unwrap().enumerate() {
                    let (lane, bit, at) = (i % 32, i / 32, at as usize);
                    let expected = rows[at / 128][at % 128 / 8] >> (at % 8) & 1;
                    prop_assert_eq!(registers[bit / 32][lane] >> (bit % 32) & 1, u64::from(expected));
                }
                let mut back = vec![[0; 16]; rows.len()];
                collect(&registers.iter().collect::<Vec<_>>(), transposed, &mut back);
                prop_assert_eq!(&back, rows);
            }
        }
    }
}

#[test]
fn later_generations_are_not_executed() {
    let none = Opcode::all().filter(|op| op.mnemonic() == "mma" && super::mma(op).is_none());
    for op in none {
        let later = op.qualifiers().any(|q| q.starts_with("kind::"));
        // m8n8k4 of bf16 and tf32, and bit operations on integers, are no part of the ISA
        let undocumented = ["m8n8k4", "s4", "u4"].iter().any(|q| op.qualifiers().any(|of| of == *q));
        assert!(later || undocumented, "{op}");
    }
}

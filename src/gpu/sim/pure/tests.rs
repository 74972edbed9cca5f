//! Every spelling is computed, and no value panics. What the families' own tests share.

use super::*;
use crate::gpu::ptx::{Access, Opcode, Operand, Place, Reg, Type};

/// SplitMix64, with special values in every fourth.
pub(in crate::gpu::sim) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Of so many bits: any, small, or next to where a sign, an exponent or a half begins.
    pub fn value(&mut self, bits: u32) -> u64 {
        let (kind, any, at) = (self.next() % 8, self.next(), self.next() % 64);
        let x = match kind {
            0 => any % 4,
            1 => (any % 4).wrapping_neg(),
            2 => (1u64 << at).wrapping_add(any % 3).wrapping_sub(1),
            3 => any % 80,
            4 => SPECIAL[any as usize % SPECIAL.len()],
            _ => any,
        };
        cut(x, bits)
    }
}

/// Zeros, ones, infinities, NaNs, the least normal and greatest subnormal of each float, by sign; the ends of integers.
#[rustfmt::skip]
const SPECIAL: [u64; 35] = [
    0, 0x8000, 0x8000_0000, 1 << 63, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0xfc01, 0x0400, 0x83ff, 0x3f80, 0x7f80, 0xff80, 0x7fc0,
    0x3f80_0000, 0xbf80_0000, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xff80_0001, 0x0080_0000, 0x807f_ffff, 0x8000_0001,
    0x3ff0 << 48, 0xbff0 << 48, 0x7ff0 << 48, 0xfff0 << 48, 0x7ff8 << 48, 0x7c00_8000, 0x0000_8000, 0x7fff_ffff, i64::MAX as u64,
    0x7fff,
];

pub(in crate::gpu::sim) fn cut(x: u64, bits: u32) -> u64 {
    x & u64::MAX >> (64 - bits)
}

/// The operand that first comes to mind.
fn plain(place: &Place) -> Option<Operand> {
    let register = |ty: Type| Operand::from(Reg { id: 0, ty: ty.register() });
    Some(match place {
        Place::Scalar(data) => register(data.ty),
        Place::Vector(data, n) => Operand::Vector((0..*n).map(|_| register(data.ty)).collect()),
        Place::Pair(a, b) => Operand::Pair(Box::new([register(a.ty), register(b.ty)])),
        Place::Immediate(range, _) => Operand::Int((*range.start()).max(0)),
        _ => return None,
    })
}

/// An instruction for each list of operands that registers and immediates make, with the widths of its sources and its results.
pub(in crate::gpu::sim) fn instructions(op: Opcode) -> Vec<(Instruction, Vec<u32>, Vec<u32>)> {
    let each = op.places().filter_map(|places| {
        let operands = places.iter().map(plain).collect::<Option<Vec<_>>>()?;
        let (mut sources, mut results) = (vec![], vec![]);
        for place in &places {
            let (of, many, write) = match place {
                Place::Scalar(d) => (vec![d.ty], 1, d.access == Access::Write),
                Place::Vector(d, n) => (vec![d.ty], *n as usize, d.access == Access::Write),
                Place::Pair(a, b) => (vec![a.ty, b.ty], 1, true),
                _ => (vec![Type::B32], 1, false),
            };
            let widths = of.iter().flat_map(|ty| if ty.bits() == 128 { vec![64, 64] } else { vec![ty.bits()] });
            let widths: Vec<_> = widths.collect();
            let widths = widths.repeat(many);
            if write { results.extend(widths) } else { sources.extend(widths) }
        }
        if matches!(op.mnemonic(), "addc" | "subc" | "madc") {
            sources.push(1);
        }
        if op.has("cc") {
            results.push(1);
        }
        Some((Instruction::new(op, operands).ok()?, sources, results))
    });
    each.collect()
}

/// What the spelling computes with its `n`th list of operands.
pub(in crate::gpu::sim) fn nth(spelling: &str, n: usize) -> Pure {
    let (i, ..) = instructions(Opcode::parse(spelling).unwrap()).swap_remove(n);
    pure(&i).unwrap_or_else(|| panic!("{i}"))
}

/// What the spelling computes of these values, with its first list of operands.
pub(in crate::gpu::sim) fn compute(spelling: &str, sources: &[u64]) -> Vec<u64> {
    nth(spelling, 0).thread(sources)
}

/// Instructions of words, bits and predicates that depend on their operands alone.
fn is_ours(op: &Opcode) -> bool {
    #[rustfmt::skip]
    let integer = [
        "add", "sub", "mul", "mad", "mul24", "mad24", "sad", "div", "rem", "abs", "neg", "min", "max", "popc", "clz", "bfind", "fns",
        "brev", "bfe", "bfi", "bmsk", "szext", "dp4a", "dp2a", "addc", "subc", "madc",
    ];
    let any =
        ["and", "or", "xor", "not", "cnot", "lop3", "shl", "shr", "shf", "prmt", "mov", "setp", "set", "selp", "slct"];
    let float = |q: &str| q.contains('f') && q.parse::<Type>().is_ok();
    integer.contains(&op.mnemonic()) && !op.qualifiers().any(float)
        || any.contains(&op.mnemonic())
        || op.mnemonic() == "cvt" && op.has("pack")
}

#[test]
fn every_spelling_is_computed_and_stays_in_its_width() {
    let mut random = Random(1);
    let (mut spellings, mut forms) = (0, 0);
    for op in Opcode::all().filter(is_ours) {
        spellings += 1;
        let all = instructions(op);
        assert!(!all.is_empty(), "{op}");
        for (i, sources, results) in all {
            forms += 1;
            let computed = pure(&i).unwrap_or_else(|| panic!("{i}"));
            assert_eq!(computed.results(), results.len(), "{i}");
            for _ in 0..20 {
                let lanes: Vec<Lanes> =
                    sources.iter().map(|bits| core::array::from_fn(|_| random.value(*bits))).collect();
                let mut to = vec![[!0; 32]; results.len()];
                computed.run(&lanes.iter().collect::<Vec<_>>(), &mut to);
                for (lanes, bits) in to.iter().zip(&results) {
                    assert!(lanes.iter().all(|x| *x == cut(*x, *bits)), "{i}: {lanes:x?}");
                }
            }
        }
    }
    println!("{spellings} spellings, {forms} with their lists of operands");
    assert!(spellings > 1500, "{spellings}");
}

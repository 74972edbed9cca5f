//! Comparison and selection.

use super::Pure;
use super::word::Word;
use crate::gpu::ptx::{Instruction, Operand, Type};
use half::{bf16, f16};

#[cfg(test)]
mod tests;

pub(super) fn pure(i: &Instruction) -> Option<Pure> {
    let op = i.opcode();
    let ty = op.qualifiers().last()?.parse().ok()?;
    let ftz = op.has("ftz");
    match op.mnemonic() {
        "selp" => return Some(Pure::three(|a, b, p| if p & 1 == 1 { a } else { b })),
        "slct" if ty == Type::F32 => {
            let read = single(ftz);
            return Some(Pure::three(move |a, b, c| if read(c) >= 0.0 { a } else { b }));
        }
        "slct" => return Some(Pure::three(|a, b, c| if c as i32 >= 0 { a } else { b })),
        "setp" | "set" => {}
        _ => return None,
    }
    let result = Outcome::of(i)?;
    Some(match ty {
        Type::U16 | Type::B16 => result.of_words::<u16>(),
        Type::U32 | Type::B32 => result.of_words::<u32>(),
        Type::U64 | Type::B64 => result.of_words::<u64>(),
        Type::S16 => result.of_words::<i16>(),
        Type::S32 => result.of_words::<i32>(),
        Type::S64 => result.of_words::<i64>(),
        Type::F32 => result.scalar(single(ftz)),
        Type::F64 => result.scalar(f64::from_bits),
        Type::F16 => result.scalar(short(ftz)),
        Type::Bf16 => result.scalar(brain),
        Type::F16x2 => result.halves(short(ftz)),
        Type::Bf16x2 => result.halves(brain),
        _ => return None,
    })
}

/// `.ftz` takes a subnormal for a zero.
fn single(ftz: bool) -> impl Fn(u64) -> f32 + Send + Sync + Copy {
    // without it, the only number whose bits are all zero is zero itself
    let exponent = if ftz { 0x7f80_0000 } else { u32::MAX };
    move |x| f32::from_bits(if x as u32 & exponent == 0 { x as u32 & 1 << 31 } else { x as u32 })
}

fn short(ftz: bool) -> impl Fn(u64) -> f32 + Send + Sync + Copy {
    let exponent = if ftz { 0x7c00 } else { u16::MAX };
    move |x| f16::from_bits(if x as u16 & exponent == 0 { x as u16 & 1 << 15 } else { x as u16 }).to_f32()
}

fn brain(x: u64) -> f32 {
    bf16::from_bits(x as u16).to_f32()
}

/// What becomes of a comparison.
#[derive(Clone, Copy)]
struct Outcome {
    /// does it hold for what is less, equal, greater, as bit 0? All three are turned over if it holds for what is unordered
    less: u64,
    equal: u64,
    greater: u64,
    unordered: u64,
    /// does it hold if it and the predicate hold, as bit 0?
    both: u64,
    /// and if only one of them does?
    either: u64,
    /// is there a predicate?
    combined: bool,
    /// are there two results?
    pair: bool,
    /// what stands for true
    truth: u64,
}

impl Outcome {
    fn of(i: &Instruction) -> Option<Outcome> {
        let op = i.opcode();
        let qualifiers: Vec<_> = op.qualifiers().collect();
        let [.., to, from] = qualifiers[..] else { return None };
        let truth = match to {
            _ if op.mnemonic() == "setp" => 1,
            "f32" => 0x3f80_0000,
            "f16" | "f16x2" => 0x3c00,
            "bf16" | "bf16x2" => 0x3f80,
            "u32" | "s32" if !from.ends_with("x2") => 0xffff_ffff,
            _ => 0xffff,
        };
        let (both, either) = match op.get("bool") {
            Some("or") => (1, 1),
            Some("xor") => (0, 1),
            _ => (1, 0),
        };
        let pair = matches!(i.operands(), [Operand::Pair(_), ..]);
        let relations = relations(op.get("cmp")?)?;
        let unordered = relations >> 3;
        let ordered = |bit: u32| relations >> bit & 1 ^ unordered;
        Some(Outcome {
            less: ordered(0),
            equal: ordered(1),
            greater: ordered(2),
            unordered,
            both,
            either,
            combined: op.has("bool"),
            pair,
            truth,
        })
    }

    /// Does it hold, as bit 0?
    #[inline]
    fn holds<T: PartialOrd>(self, a: T, b: T) -> u64 {
        // without branches, and so in vectors
        let (less, equal, greater) = (u64::from(a < b), u64::from(a == b), u64::from(a > b));
        (less & self.less | equal & self.equal | greater & self.greater) ^ self.unordered
    }

    /// With the predicate.
    #[inline]
    fn combine(self, held: u64, p: u64) -> u64 {
        held & p & self.both | (held ^ p) & self.either
    }

    fn of_words<T: Word>(self) -> Pure {
        self.scalar(T::of)
    }

    fn scalar<T: PartialOrd>(self, read: impl Fn(u64) -> T + Send + Sync + 'static) -> Pure {
        let holds = move |a, b| self.holds(read(a), read(b));
        if self.pair {
            return self.two(move |a, b| (holds(a, b), 1 ^ holds(a, b)));
        }
        self.one(move |a, b, p| self.combine(holds(a, b), p).wrapping_neg() & self.truth)
    }

    /// Of the lower halves and of the upper ones; one predicate is of the lower.
    fn halves<T: PartialOrd>(self, read: impl Fn(u64) -> T + Send + Sync + 'static) -> Pure {
        let holds = move |a, b| self.holds(read(a), read(b));
        if self.pair {
            return self.two(move |a, b| (holds(a, b), holds(a >> 16, b >> 16)));
        }
        let upper = if self.truth == 1 { 0 } else { self.truth << 16 };
        self.one(move |a, b, p| {
            let (low, high) = (self.combine(holds(a, b), p), self.combine(holds(a >> 16, b >> 16), p));
            low.wrapping_neg() & self.truth | high.wrapping_neg() & upper
        })
    }

    /// One result, of two sources and a predicate, which is true where there is none.
    fn one(self, f: impl Fn(u64, u64, u64) -> u64 + Send + Sync + 'static) -> Pure {
        match self.combined {
            true => Pure::three(f),
            false => Pure::two(move |a, b| f(a, b, 1)),
        }
    }

    fn two(self, f: impl Fn(u64, u64) -> (u64, u64) + Send + Sync + 'static) -> Pure {
        Pure::many(2, move |s, d| {
            let (p, q) = f(s[0], s[1]);
            let with = s.get(2).copied().unwrap_or(1);
            (d[0], d[1]) = (self.combine(p, with), self.combine(q, with));
        })
    }
}

/// For which a comparison holds: bit 0 less, 1 equal, 2 greater, 3 unordered.
fn relations(cmp: &str) -> Option<u64> {
    Some(match cmp {
        "lt" | "lo" => 0b0001,
        "eq" => 0b0010,
        "le" | "ls" => 0b0011,
        "gt" | "hi" => 0b0100,
        "ne" => 0b0101,
        "ge" | "hs" => 0b0110,
        "num" => 0b0111,
        "nan" => 0b1000,
        "ltu" => 0b1001,
        "equ" => 0b1010,
        "leu" => 0b1011,
        "gtu" => 0b1100,
        "neu" => 0b1101,
        "geu" => 0b1110,
        _ => return None,
    })
}

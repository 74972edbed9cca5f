//! What an instruction makes of numbers of one format, exact and rounded once.

use super::Pure;
use crate::gpu::ptx::{Instruction, Opcode};
use crate::tile::element::exact;
use crate::tile::element::format::{F64, Format};
use crate::tile::element::round::Mode;

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Operation {
    Add,
    Sub,
    Mul,
    Fma,
    Div,
    Rcp,
    Sqrt,
    Abs,
    Neg,
    Min,
    Max,
}

/// An operation with its qualifiers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arithmetic {
    pub operation: Operation,
    /// without subnormals if it says `.ftz`
    pub format: Format,
    pub mode: Mode,
    /// how many operands it reads
    pub sources: usize,
    /// `.sat`: to [0, 1], NaN to 0
    pub sat: bool,
    /// `.relu`: below 0 to 0
    pub relu: bool,
    /// `.oob`: 0 if a factor is what a copy of a tensor puts out of bounds
    pub oob: bool,
    /// `.NaN`: a NaN wins
    nan: bool,
    /// `.abs`
    abs: bool,
    /// `.xorsign`
    xorsign: bool,
}

impl Arithmetic {
    /// None for what is no arithmetic, or approximate.
    pub fn of(i: &Instruction, format: Format) -> Option<Arithmetic> {
        let op = i.opcode();
        let operation = match op.mnemonic() {
            "add" => Operation::Add,
            "sub" => Operation::Sub,
            "mul" => Operation::Mul,
            "fma" | "mad" => Operation::Fma,
            "div" => Operation::Div,
            "rcp" => Operation::Rcp,
            "sqrt" => Operation::Sqrt,
            "abs" => Operation::Abs,
            "neg" => Operation::Neg,
            "min" => Operation::Min,
            "max" => Operation::Max,
            _ => return None,
        };
        // rcp.ftz.f64 keeps subnormals
        let flushes = op.has("ftz") && format != F64;
        Some(Arithmetic {
            operation,
            format: if flushes { format.without_subnormals() } else { format },
            mode: mode(op)?,
            sources: i.operands().len().saturating_sub(1),
            sat: op.has("sat"),
            relu: op.has("relu"),
            oob: op.has("oob"),
            nan: op.has("NaN"),
            abs: op.has("abs") || op.has("xorsign.abs"),
            xorsign: op.has("xorsign") || op.has("xorsign.abs"),
        })
    }

    /// For registers that hold so many numbers.
    pub fn pure(self, numbers: u32) -> Pure {
        super::nearest::pure(self, numbers).unwrap_or_else(|| self.exact(numbers))
    }

    fn exact(self, numbers: u32) -> Pure {
        let bits = self.format.bits();
        let mask = u64::MAX >> (64 - bits);
        let all = move |x: [u64; 3]| {
            let number = |n: u32| self.compute(x.map(|x| x >> (n * bits) & mask)) << (n * bits);
            (0..numbers).fold(0, |all, n| all | number(n))
        };
        match self.sources {
            1 => Pure::one(move |a| all([a, 0, 0])),
            2 => Pure::two(move |a, b| all([a, b, 0])),
            _ => Pure::three(move |a, b, c| all([a, b, c])),
        }
    }

    /// Of one number of each operand.
    pub fn compute(&self, operands: [u64; 3]) -> u64 {
        let f = &self.format;
        let [a, b, c] = operands.map(|x| f.read(x));
        // a NaN is looked for in b, the addend, a: as an H200 does
        let result = match self.operation {
            Operation::Add => exact::add(f, self.mode, a, b).unwrap_or_else(|| f.nan_of(&[b, a])),
            Operation::Sub => exact::add(f, self.mode, a, b ^ f.sign).unwrap_or_else(|| f.nan_of(&[b, a])),
            Operation::Mul => exact::mul(f, self.mode, a, b).unwrap_or_else(|| f.nan_of(&[b, a])),
            Operation::Fma if self.oob && [a, b].iter().any(|x| f.magnitude(*x) == OUT_OF_BOUNDS) => 0,
            Operation::Fma => exact::fma(f, self.mode, a, b, c).unwrap_or_else(|| f.nan_of(&[b, c, a])),
            Operation::Div => exact::div(f, self.mode, a, b).unwrap_or_else(|| f.nan_of(&[a, b])),
            Operation::Rcp => exact::div(f, self.mode, f.one(), a).unwrap_or_else(|| f.nan_of(&[a])),
            Operation::Sqrt => exact::sqrt(f, self.mode, a).unwrap_or_else(|| f.nan_of(&[a])),
            Operation::Abs | Operation::Neg if f.is_nan(a) => f.nan_of(&[a]),
            Operation::Abs => f.magnitude(a),
            Operation::Neg => a ^ f.sign,
            Operation::Min | Operation::Max => self.extremum([a, b, c]),
        };
        if self.sat {
            let positive = !f.is_nan(result) && !f.is_negative(result);
            return if positive { result.min(f.one()) } else { 0 };
        }
        if self.relu && f.is_negative(result) { 0 } else { result }
    }

    fn extremum(&self, operands: [u64; 3]) -> u64 {
        let f = &self.format;
        let [a, b, c] = if self.abs { operands.map(|x| f.magnitude(x)) } else { operands };
        let two = |a, b| match (f.is_nan(a), f.is_nan(b)) {
            (true, true) => f.nan_of(&[b, a]),
            (true, false) | (false, true) if self.nan => f.nan_of(&[b, a]),
            (true, false) => b,
            (false, true) => a,
            _ if f.is_less(a, b) == (self.operation == Operation::Min) => a,
            _ => b,
        };
        let least = if self.sources == 3 { two(two(a, b), c) } else { two(a, b) };
        if self.xorsign && !f.is_nan(least) { least | (operands[0] ^ operands[1]) & f.sign } else { least }
    }
}

/// As the slot `rnd` says, to nearest without it; none for approximations.
fn mode(op: Opcode) -> Option<Mode> {
    match op.get("rnd") {
        None | Some("rn") => Some(Mode::Even),
        Some("rz") => Some(Mode::Zero),
        Some("rm") => Some(Mode::Down),
        Some("rp") => Some(Mode::Up),
        Some(_) => None,
    }
}

/// The NaN, in f16 and bf16 and of either sign, that stands for elements out of bounds.
const OUT_OF_BOUNDS: u64 = 0x7ff7;

#[cfg(test)]
mod tests;

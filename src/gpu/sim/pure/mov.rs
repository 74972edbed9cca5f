//! Moves between registers: values, and vectors packed and unpacked.

use super::Pure;
use crate::gpu::ptx::{Instruction, Operand, Type};

#[cfg(test)]
mod tests;

/// Special registers and addresses are not operands alone.
pub(super) fn pure(i: &Instruction) -> Option<Pure> {
    let op = i.opcode();
    let [to, from] = i.operands() else { return None };
    if op.mnemonic() != "mov" || matches!(from, Operand::Special(_) | Operand::Symbol(..)) {
        return None;
    }
    let bits = op.qualifiers().last()?.parse::<Type>().ok()?.bits();
    let parts = |o: &Operand| match o {
        Operand::Vector(of) => of.len(),
        _ if bits == 128 => 2,
        _ => 1,
    };
    Some(match (parts(to), parts(from)) {
        (1, 1) => Pure::one(|a| a),
        (1, 2) => Pure::two(move |low, high| high << (bits / 2) | low),
        (results, sources) => {
            let (to, from) = (bits / results as u32, bits / sources as u32);
            let ones = u64::MAX >> (64 - to);
            Pure::many(results, move |s, d| {
                let all = s.iter().rev().fold(0u128, |all, part| all << from | u128::from(*part));
                d.iter_mut().enumerate().for_each(|(k, part)| *part = (all >> (k as u32 * to)) as u64 & ones);
            })
        }
    })
}

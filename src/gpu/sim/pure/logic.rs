//! Bits: logic, shifts, permutations.

use super::Pure;
use super::word::Word;
use crate::gpu::ptx::{Instruction, Opcode, Operand, Type};

#[cfg(test)]
mod tests;

pub(super) fn pure(i: &Instruction) -> Option<Pure> {
    let op = i.opcode();
    Some(match op.mnemonic() {
        "and" => Pure::two(|a, b| a & b),
        "or" => Pure::two(|a, b| a | b),
        "xor" => Pure::two(|a, b| a ^ b),
        "not" => {
            let ones = u64::MAX >> (64 - op.qualifiers().last()?.parse::<Type>().ok()?.bits());
            Pure::one(move |a| a ^ ones)
        }
        "cnot" => Pure::one(|a| (a == 0).into()),
        "lop3" => lop3(i)?,
        "shf" => funnel(op),
        "prmt" => permute(op.get("mode"))?,
        _ => return None,
    })
}

/// Amounts beyond the width count as the width.
pub(super) fn shift<T: Word>(op: Opcode) -> Option<Pure> {
    Some(match op.mnemonic() {
        "shl" => Pure::two(|a, n| T::of(a).shl(n as u32).lane()),
        "shr" => Pure::two(|a, n| T::of(a).shr(n as u32).lane()),
        _ => return None,
    })
}

/// Of 64 bits, the first source the lower half: to the left the upper half is kept, to the right the lower.
fn funnel(op: Opcode) -> Pure {
    let wrap = op.get("mode") == Some("wrap");
    let amount = move |n: u64| if wrap { n % 32 } else { n.min(32) };
    match op.get("dir") {
        Some("l") => Pure::three(move |a, b, n| (b << 32 | a) << amount(n) >> 32),
        _ => Pure::three(move |a, b, n| (b << 32 | a) >> amount(n) & 0xffff_ffff),
    }
}

/// Bit 4a + 2b + c of the table at each place.
fn lop3(i: &Instruction) -> Option<Pure> {
    // a source may be an immediate too
    let Operand::Int(table) = i.operands().get(4)? else { return None };
    let op = i.opcode();
    let rows: [u64; 8] = core::array::from_fn(|k| if table >> k & 1 == 1 { 0xffff_ffff } else { 0 });
    let choose = |by: u64, one: u64, zero: u64| zero ^ by & (zero ^ one);
    let function = move |a: u64, b: u64, c: u64| {
        let by_c: [u64; 4] = core::array::from_fn(|k| choose(c, rows[2 * k + 1], rows[2 * k]));
        choose(a, choose(b, by_c[3], by_c[2]), choose(b, by_c[1], by_c[0]))
    };
    Some(match op.get("bool") {
        None => Pure::three(function),
        Some(bool) => {
            let and = bool == "and";
            // the table is the fourth source
            Pure::many(2, move |s, d| {
                d[0] = function(s[0], s[1], s[2]);
                let set = u64::from(d[0] != 0);
                d[1] = if and { set & s[4] } else { set | s[4] };
            })
        }
    })
}

/// Bytes of two words, chosen by four digits; the modes have four choices each.
fn permute(mode: Option<&str>) -> Option<Pure> {
    let choices = match mode {
        None => return Some(Pure::three(bytes)),
        Some("f4e") => [0x3210, 0x4321, 0x5432, 0x6543],
        Some("b4e") => [0x5670, 0x6701, 0x7012, 0x0123],
        Some("rc8") => [0x0000, 0x1111, 0x2222, 0x3333],
        Some("ecl") => [0x3210, 0x3211, 0x3222, 0x3333],
        Some("ecr") => [0x0000, 0x1110, 0x2210, 0x3210],
        Some("rc16") => [0x1010, 0x3232, 0x1010, 0x3232],
        Some(_) => return None,
    };
    Some(Pure::three(move |a, b, c| bytes(a, b, choices[c as usize % 4])))
}

/// A digit of 8 and more repeats the byte's sign.
fn bytes(a: u64, b: u64, digits: u64) -> u64 {
    let from = b << 32 | a;
    (0..4).fold(0, |to, k| {
        let digit = digits >> (4 * k);
        let byte = (from >> (8 * (digit & 7))) as u8;
        let byte = if digit & 8 == 0 { byte } else { (byte as i8 >> 7) as u8 };
        to | u64::from(byte) << (8 * k)
    })
}

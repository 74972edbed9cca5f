//! Arithmetic of singles and doubles, PTX ISA 9.7.3, and of singles with halves, 9.7.5.

use super::arithmetic::{Arithmetic, Operation};
use super::pure::Pure;
use super::round::{F32, F64, Format};
use crate::gpu::ptx::{Instruction, Opcode};
use half::{bf16, f16};

pub(super) fn pure(i: &Instruction) -> Option<Pure> {
    let op = i.opcode();
    if op.form().family() != "float" {
        return None;
    }
    let is = |ty| op.has(ty) || op.get("type") == Some(ty);
    let format = if is("f64") { F64 } else { F32 };
    match op.mnemonic() {
        "copysign" => return Some(copysign(format)),
        "testp" => return Some(Pure::one(testp(op, format))),
        _ => {}
    }
    let arithmetic = Arithmetic::of(i, format)?;
    if is("f16") {
        return Some(mixed(arithmetic, |x| f16::from_bits(x as u16).to_f32()));
    }
    if is("bf16") {
        return Some(mixed(arithmetic, |x| bf16::from_bits(x as u16).to_f32()));
    }
    Some(arithmetic.pure(if is("f32x2") { 2 } else { 1 }))
}

/// The sign of the first operand with the magnitude of the second.
fn copysign(f: Format) -> Pure {
    Pure::two(move |a, b| a & f.sign() | f.magnitude(b))
}

fn testp(op: Opcode, f: Format) -> impl Fn(u64) -> u64 {
    let test = op.get("op");
    move |x| {
        let magnitude = f.magnitude(x);
        u64::from(match test {
            Some("finite") => magnitude < f.infinity(),
            Some("infinite") => magnitude == f.infinity(),
            Some("number") => magnitude <= f.infinity(),
            Some("notanumber") => magnitude > f.infinity(),
            // zeros too
            Some("normal") => magnitude == 0 || (f.least_normal()..f.infinity()).contains(&magnitude),
            Some("subnormal") => (1..f.least_normal()).contains(&magnitude),
            // as an H200 has it
            _ => false,
        })
    }
}

/// Halves for the operands but the last.
fn mixed(arithmetic: Arithmetic, widened: impl Fn(u64) -> f32 + Send + Sync + 'static) -> Pure {
    let widened = move |x| u64::from(widened(x).to_bits());
    match arithmetic.operation {
        Operation::Fma => Pure::three(move |a, b, c| arithmetic.compute([widened(a), widened(b), c])),
        _ => Pure::two(move |a, b| arithmetic.compute([widened(a), b, 0])),
    }
}

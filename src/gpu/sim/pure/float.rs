//! Arithmetic of singles and doubles, PTX ISA 9.7.3, and of singles with halves, 9.7.5.

use super::Pure;
use super::arithmetic::{Arithmetic, Operation};
use crate::gpu::ptx::Instruction;
use crate::tile::element::format::{F32, F64, Format};
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
        "testp" => return testp(op.get("op")?, format),
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
    Pure::two(move |a, b| a & f.sign | f.magnitude(b))
}

/// `ptxas` takes one without a test, and makes no code for it: the predicate stays whatever it was, which is no meaning.
fn testp(test: &str, f: Format) -> Option<Pure> {
    let holds: fn(u64, &Format) -> bool = match test {
        "finite" => |x, f| x < f.infinity,
        "infinite" => |x, f| x == f.infinity,
        "number" => |x, f| x <= f.infinity,
        "notanumber" => |x, f| x > f.infinity,
        // zeros too
        "normal" => |x, f| x == 0 || (f.least_normal()..f.infinity).contains(&x),
        "subnormal" => |x, f| (1..f.least_normal()).contains(&x),
        _ => return None,
    };
    Some(Pure::one(move |x| holds(f.magnitude(x), &f).into()))
}

/// Halves for the operands but the last.
fn mixed(arithmetic: Arithmetic, widened: impl Fn(u64) -> f32 + Send + Sync + 'static) -> Pure {
    let widened = move |x| u64::from(widened(x).to_bits());
    match arithmetic.operation {
        Operation::Fma => Pure::three(move |a, b, c| arithmetic.compute([widened(a), widened(b), c])),
        _ => Pure::two(move |a, b| arithmetic.compute([widened(a), b, 0])),
    }
}

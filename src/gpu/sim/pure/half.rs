//! Arithmetic of halves, alone and in pairs, PTX ISA 9.7.4.

use super::Pure;
use super::arithmetic::Arithmetic;
use super::round::{BF16, F16, Mode};
use crate::gpu::ptx::Instruction;

pub(super) fn pure(i: &Instruction) -> Option<Pure> {
    if i.opcode().form().family() != "half" {
        return None;
    }
    let (format, numbers) = match i.opcode().get("type")? {
        "f16" => (F16, 1),
        "f16x2" => (F16, 2),
        "bf16" => (BF16, 1),
        _ => (BF16, 2),
    };
    let arithmetic = Arithmetic::of(i, format)?;
    // The ISA has no other rounding of bf16. ptxas takes it, and assembles f16 for bf16, to nearest for bf16x2: no meaning to execute.
    (arithmetic.mode == Mode::Nearest).then(|| arithmetic.pure(numbers))
}

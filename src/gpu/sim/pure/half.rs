//! Arithmetic of halves, alone and in pairs, PTX ISA 9.7.4.

use super::Pure;
use super::arithmetic::Arithmetic;
use super::narrow::format;
use crate::gpu::ptx::Instruction;
use crate::tile::element::round::Mode;

pub(super) fn pure(i: &Instruction) -> Option<Pure> {
    if i.opcode().form().family() != "half" {
        return None;
    }
    let (format, numbers, _) = format(i.opcode().get("type")?.parse().ok()?)?;
    let arithmetic = Arithmetic::of(i, format)?;
    // The ISA has no other rounding of bf16. ptxas takes it, and assembles f16 for bf16, to nearest for bf16x2: no meaning to execute.
    (arithmetic.mode == Mode::Even).then(|| arithmetic.pure(numbers))
}

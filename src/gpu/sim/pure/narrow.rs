//! The formats of PTX's floating-point types. Formats and rounding to them are those of the element types.

use crate::gpu::ptx::Type;
use crate::tile::element::format::{BF16, E2M1, E2M3, E3M2, E4M3, E5M2, E8M0, F16, F32, F64, Format, TF32};

/// The format of a type's numbers, how many it packs, and bits from one to the next.
pub(super) fn format(ty: Type) -> Option<(Format, u32, u32)> {
    Some(match ty {
        Type::F16 => (F16, 1, 16),
        Type::F16x2 => (F16, 2, 16),
        Type::Bf16 => (BF16, 1, 16),
        Type::Bf16x2 => (BF16, 2, 16),
        Type::F32 => (F32, 1, 32),
        Type::F64 => (F64, 1, 64),
        Type::Tf32 => (TF32, 1, 32),
        Type::E5m2x2 => (E5M2, 2, 8),
        Type::E5m2x4 => (E5M2, 4, 8),
        Type::E4m3x2 => (E4M3, 2, 8),
        Type::E4m3x4 => (E4M3, 4, 8),
        Type::Ue8m0x2 => (E8M0, 2, 8),
        Type::E2m1x2 => (E2M1, 2, 4),
        Type::E2m1x4 => (E2M1, 4, 4),
        Type::E2m3x2 => (E2M3, 2, 8),
        Type::E2m3x4 => (E2M3, 4, 8),
        Type::E3m2x2 => (E3M2, 2, 8),
        Type::E3m2x4 => (E3M2, 4, 8),
        _ => return None,
    })
}

#[cfg(test)]
pub(super) mod tests;

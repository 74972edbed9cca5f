//! Arithmetic of integers.

use super::pure::Pure;
use crate::gpu::ptx::Instruction;

pub(super) fn pure(_: &Instruction) -> Option<Pure> {
    None
}

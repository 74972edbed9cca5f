//! Arithmetic of singles and doubles, rounded as they say.

use super::pure::Pure;
use crate::gpu::ptx::Instruction;

pub(super) fn pure(_: &Instruction) -> Option<Pure> {
    None
}

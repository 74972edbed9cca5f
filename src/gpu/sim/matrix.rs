//! Matrix instructions.
use super::pure::{Lanes, Pure};
use crate::gpu::ptx::Instruction;

pub(super) fn pure(_: &Instruction) -> Option<Pure> {
    None
}

pub(super) fn registers(rows: &[[u8; 16]], transposed: bool) -> Lanes {
    core::array::from_fn(|l| {
        let e = |r: usize, c: usize| u64::from(u16::from_le_bytes([rows[r][2 * c], rows[r][2 * c + 1]]));
        let (i, j) = (l / 4, 2 * (l % 4));
        if transposed { e(j, i) | e(j + 1, i) << 16 } else { e(i, j) | e(i, j + 1) << 16 }
    })
}

pub(super) fn rows(_: &Lanes, _: bool) -> Vec<[u8; 16]> {
    vec![[0; 16]; 8]
}

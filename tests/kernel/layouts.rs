//! Layouts evaluated by kernels.

use crate::build::{assemble, finish, kernel, show, shown, thread};
use crate::random::{Rng, cases};
use girih::algebra::strategy;
use girih::gpu::kernel::Index;
use girih::gpu::ptx::{Target, Type};
use girih::prelude::*;
use proptest::prelude::*;

/// Known leaves, strides 0, large and negative.
pub fn random(rng: &mut Rng) -> Layout {
    let leaves = 1 + rng.below(4);
    let shape: Vec<i64> = (0..leaves).map(|_| rng.of(&[1, 2, 3, 4, 5, 8, 16, 32, 100])).collect();
    let strides = [0, 1, 2, 3, 8, 64, 100, -1, -8, 4096, 1 << 24, 1 << 31, (1 << 33) + 1, -(1 << 35)];
    let stride: Vec<i64> = (0..leaves).map(|_| rng.of(&strides)).collect();
    let layout = Layout::flat(&shape, &stride).unwrap();
    if leaves > 1 && rng.below(2) == 0 { layout.group(0, 2).unwrap() } else { layout }
}

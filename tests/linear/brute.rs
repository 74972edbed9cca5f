//! Random maps, and what they mean: XOR of bases, written out.

use girih::prelude::*;

#[path = "../common/random.rs"]
mod random;

pub use random::{Rng, cases};

pub const HARDWARE: [Axis; 4] = [Axis::REGISTER, Axis::LANE, Axis::WARP, Axis::BLOCK];

/// `bits` shared out over some of the axes, in any order.
pub fn any_axes(r: &mut Rng, names: &[Axis], bits: u32) -> Axes {
    let mut names = names.to_vec();
    let (mut axes, mut left) = (vec![], bits);
    while !names.is_empty() {
        let name = names.remove(r.below(names.len() as i64) as usize);
        let n = if names.is_empty() { left } else { r.below(left as i64 + 1) as u32 };
        left -= n;
        if n > 0 || r.below(4) == 0 || names.is_empty() {
            axes.push((name, 1 << n));
        }
    }
    Axes::new(&axes).unwrap()
}

/// Any map: bases independent, dependent, zero, sparse and dense.
pub fn any_map(r: &mut Rng, ins: &Axes, outs: &Axes) -> LinearLayout {
    let style = r.below(4);
    let bases: Vec<i64> = (0..ins.bits())
        .map(|_| match (style, r.below(6)) {
            (0, _) => r.below(outs.size()),
            (_, 0) => 0,
            (1, _) => (1 << r.below(outs.bits().max(1) as i64)) & (outs.size() - 1),
            (_, 1) => r.below(outs.size()) & r.below(outs.size()),
            _ => r.below(outs.size()),
        })
        .collect();
    let offset = if r.below(2) == 0 { 0 } else { r.below(outs.size()) };
    LinearLayout::new(ins, outs, &bases).unwrap().with_offset(offset).unwrap()
}

pub fn dims() -> [Axis; 2] {
    [Axis::dim(0).unwrap(), Axis::dim(1).unwrap()]
}

pub fn any(r: &mut Rng, most: i64) -> LinearLayout {
    let (n, m) = (r.below(most + 1) as u32, r.below(most + 1) as u32);
    let (ins, outs) = (any_axes(r, &HARDWARE, n), any_axes(r, &dims(), m));
    any_map(r, &ins, &outs)
}

/// A bijection: elementary operations on the identity.
pub fn any_bijection(r: &mut Rng, bits: u32) -> LinearLayout {
    let mut bases: Vec<i64> = (0..bits).map(|i| 1 << i).collect();
    for _ in 0..3 * bits {
        let (i, j) = (r.below(bits as i64) as usize, r.below(bits as i64) as usize);
        if i != j {
            bases[i] ^= bases[j];
        }
        bases.swap(0, j);
    }
    let (ins, outs) = (any_axes(r, &HARDWARE, bits), any_axes(r, &dims(), bits));
    let offset = r.below(1 << bits);
    LinearLayout::new(&ins, &outs, &bases).unwrap().with_offset(offset).unwrap()
}

/// All values, from the definition.
pub fn table(l: &LinearLayout) -> Vec<i64> {
    let term = |i: i64, k: usize, basis: i64| if i >> k & 1 == 1 { basis } else { 0 };
    (0..1 << l.bases().len())
        .map(|i| l.bases().iter().enumerate().fold(l.offset(), |v, (k, &basis)| v ^ term(i, k, basis)))
        .collect()
}

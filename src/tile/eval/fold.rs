//! Reductions and scans along a dimension.

use super::operand::all;
use super::step::{Arithmetic, Loop, Outcome};
use crate::tile::element::Element;
use crate::tile::op::{Direction, Extreme};
use crate::tile::shape::Shape;
use crate::tile::value::AnyTile;

/// The elements that share all coordinates but one: `n` of them, each `inner` behind the last.
#[derive(Clone, Copy)]
struct Along {
    n: usize,
    inner: usize,
}

impl Along {
    fn new(shape: Shape, dim: u8) -> Along {
        let inner = shape.extents().skip(usize::from(dim) + 1).product::<u32>() as usize;
        Along { n: shape.extent(dim.into()) as usize, inner }
    }
}

/// A dimension folded by a balanced tree: neighbours first.
pub(super) struct Reduce<'a> {
    pub x: &'a AnyTile,
    pub dim: u8,
    pub to: Shape,
}

impl<E: Element> Loop<E> for Reduce<'_> {
    fn with(self, f: impl Fn(E, E) -> E + Copy) -> Outcome {
        let along = Along::new(self.x.shape(), self.dim);
        AnyTile::new(self.to, tree(&all(self.x), along, f))
    }
}

fn tree<E: Element>(x: &[E], Along { n, inner }: Along, f: impl Fn(E, E) -> E + Copy) -> Vec<E> {
    let (mut n, mut values) = (n, x.to_vec());
    while n > 1 {
        let pairs = values.chunks_exact(2 * inner);
        values = pairs.flat_map(|pair| (0..inner).map(|j| f(pair[j], pair[inner + j]))).collect();
        n /= 2;
    }
    values
}

/// Running folds from one end.
pub(super) struct Scan<'a> {
    pub x: &'a AnyTile,
    pub dim: u8,
    pub direction: Direction,
}

impl<E: Element> Loop<E> for Scan<'_> {
    fn with(self, f: impl Fn(E, E) -> E + Copy) -> Outcome {
        let Along { n, inner } = Along::new(self.x.shape(), self.dim);
        let mut values = all::<E>(self.x).into_owned();
        for block in values.chunks_exact_mut(n * inner) {
            for k in 1..n {
                let (last, next) = match self.direction {
                    Direction::Forward => (k - 1, k),
                    Direction::Backward => (n - k, n - k - 1),
                };
                for j in 0..inner {
                    block[next * inner + j] = f(block[last * inner + j], block[next * inner + j]);
                }
            }
        }
        AnyTile::new(self.x.shape(), values)
    }
}

/// The index of the least or greatest element, of equal ones the first. A NaN is neither, unless there is nothing else.
pub(super) fn arg<E: Arithmetic>(x: &AnyTile, extreme: Extreme, dim: u8, to: Shape) -> Outcome {
    let Along { n, inner } = Along::new(x.shape(), dim);
    let better = |a: E, b: E| {
        let further = match extreme {
            Extreme::Min => a < b,
            Extreme::Max => a > b,
        };
        // only a NaN differs from itself
        further || b != b && a == a
    };
    let mut indices = vec![0u32; to.size()];
    for (block, indices) in all::<E>(x).chunks_exact(n * inner).zip(indices.chunks_exact_mut(inner)) {
        let mut best = block[..inner].to_vec();
        for (k, row) in (0..).zip(block.chunks_exact(inner)) {
            for ((best, index), &x) in best.iter_mut().zip(&mut *indices).zip(row) {
                if better(x, *best) {
                    (*best, *index) = (x, k);
                }
            }
        }
    }
    AnyTile::new(to, indices)
}

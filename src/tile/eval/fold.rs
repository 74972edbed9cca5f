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

    fn in_any_order(self, f: impl Fn(E, E) -> E + Copy) -> Outcome {
        let along = Along::new(self.x.shape(), self.dim);
        AnyTile::new(self.to, halves(&all(self.x), along, f))
    }
}

/// As many elements are folded side by side, at least: vectors of them, and no step waits for the last one.
const LANES: usize = 256;

/// Rows folded into one, in their order, and its halves into each other until it is as long as a result.
fn halves<E: Element>(x: &[E], Along { n, inner }: Along, f: impl Fn(E, E) -> E + Copy) -> Vec<E> {
    let row = inner.max(LANES).min(n * inner);
    let width = row.min(WIDE);
    let fold = |to: &mut [E], from: &[E]| to.iter_mut().zip(from).for_each(|(a, b)| *a = f(*a, *b));
    let mut folds = Vec::with_capacity(x.len() / n);
    for x in x.chunks_exact(n * inner) {
        for column in (0..row).step_by(width) {
            let mut rows = x.chunks_exact(row).map(|row| &row[column..][..width]);
            let mut last = rows.next().unwrap_or_default().to_vec();
            rows.for_each(|row| fold(&mut last, row));
            while last.len() > inner {
                let half = last.len() / 2;
                let (first, second) = last.split_at_mut(half);
                fold(first, second);
                last.truncate(half);
            }
            folds.extend(last);
        }
    }
    folds
}

/// As many elements of a row are folded together as stay in the first cache, with those of the rows beside it.
const WIDE: usize = 2048;
/// Rows shorter than this are not worth a loop of their own.
const SHORT: usize = 64;
/// As many elements are folded together as stay in the first cache.
const BLOCK: usize = 4096;

fn tree<E: Element>(x: &[E], Along { n, inner }: Along, f: impl Fn(E, E) -> E + Copy) -> Vec<E> {
    match (n, inner) {
        (1, _) => x.to_vec(),
        (16.., 1) => tree(&sixteens(x, f), Along { n: n / 16, inner }, f),
        (_, ..SHORT) => narrow(x, Along { n, inner }, f),
        _ => {
            let width = inner.min(WIDE);
            let mut sums = vec![E::default(); x.len() / n];
            let mut scratch = vec![E::default(); width * n.ilog2() as usize];
            for (x, sums) in x.chunks_exact(n * inner).zip(sums.chunks_exact_mut(inner)) {
                for (i, sums) in sums.chunks_exact_mut(width).enumerate() {
                    wide(&x[i * width..], Along { n, inner }, sums, &mut scratch, f);
                }
            }
            sums
        }
    }
}

/// Each sixteen to one, in registers.
fn sixteens<E: Element>(x: &[E], f: impl Fn(E, E) -> E + Copy) -> Vec<E> {
    let one = |x: &[E]| {
        let eight: [E; 8] = core::array::from_fn(|i| f(x[2 * i], x[2 * i + 1]));
        let four: [E; 4] = core::array::from_fn(|i| f(eight[2 * i], eight[2 * i + 1]));
        f(f(four[0], four[1]), f(four[2], four[3]))
    };
    x.chunks_exact(16).map(one).collect()
}

/// A column of rows, which are `inner` apart, to one as long as `to`.
fn wide<E: Element>(x: &[E], Along { n, inner }: Along, to: &mut [E], scratch: &mut [E], f: impl Fn(E, E) -> E + Copy) {
    let row = |k: usize| x[k * inner..][..to.len()].iter().copied();
    let four = |k: usize| row(k).zip(row(k + 1)).zip(row(k + 2).zip(row(k + 3)));
    let fold = |((a, b), (c, d))| f(f(a, b), f(c, d));
    match n {
        2 => row(0).zip(row(1)).zip(to).for_each(|((a, b), to)| *to = f(a, b)),
        4 => four(0).zip(to).for_each(|(rows, to)| *to = fold(rows)),
        8 => four(0).zip(four(4)).zip(to).for_each(|((a, b), to)| *to = f(fold(a), fold(b))),
        _ => {
            let half = Along { n: n / 2, inner };
            let (second, scratch) = scratch.split_at_mut(to.len());
            wide(x, half, to, scratch, f);
            wide(&x[half.n * inner..], half, second, scratch, f);
            to.iter_mut().zip(second).for_each(|(a, b)| *a = f(*a, *b));
        }
    }
}

/// Short rows: all neighbours in a block, then all their results, and so on.
fn narrow<E: Element>(x: &[E], Along { n, inner }: Along, f: impl Fn(E, E) -> E + Copy) -> Vec<E> {
    let block = x.len().min(BLOCK);
    let levels = n.min(block / inner).ilog2();
    let mut sums = Vec::with_capacity(x.len() >> levels);
    let mut scratch = vec![E::default(); block];
    for x in x.chunks_exact(block) {
        let (mut last, mut free) = scratch.split_at_mut(block / 2);
        halve(x, last, inner, f);
        for _ in 1..levels {
            let (next, rest) = free.split_at_mut(last.len() / 2);
            halve(last, next, inner, f);
            (last, free) = (next, rest);
        }
        sums.extend_from_slice(last);
    }
    tree(&sums, Along { n: n >> levels, inner }, f)
}

fn halve<E: Element>(from: &[E], to: &mut [E], inner: usize, f: impl Fn(E, E) -> E + Copy) {
    for (to, pair) in to.chunks_exact_mut(inner).zip(from.chunks_exact(2 * inner)) {
        let (a, b) = pair.split_at(inner);
        to.iter_mut().zip(a.iter().zip(b)).for_each(|(to, (&a, &b))| *to = f(a, b));
    }
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
    match extreme {
        Extreme::Min => first(x, dim, to, |a: E, b: E| a.is_below(b)),
        Extreme::Max => first(x, dim, to, |a: E, b: E| b.is_below(a)),
    }
}

fn first<E: Arithmetic>(x: &AnyTile, dim: u8, to: Shape, further: impl Fn(E, E) -> bool) -> Outcome {
    let Along { n, inner } = Along::new(x.shape(), dim);
    let is_nan = |x: E| x.partial_cmp(&x).is_none();
    let better = |a: E, b: E| further(a, b) || is_nan(b) && !is_nan(a);
    let (mut indices, mut best) = (vec![0u32; to.size()], vec![E::default(); inner]);
    for (block, indices) in all::<E>(x).chunks_exact(n * inner).zip(indices.chunks_exact_mut(inner)) {
        best.copy_from_slice(&block[..inner]);
        for (k, row) in (0..).zip(block.chunks_exact(inner)).skip(1) {
            for ((best, index), &x) in best.iter_mut().zip(&mut *indices).zip(row) {
                if better(x, *best) {
                    (*best, *index) = (x, k);
                }
            }
        }
    }
    AnyTile::new(to, indices)
}

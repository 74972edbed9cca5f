//! Products of matrices.

use super::float::{Real, number};
use super::operand::all;
use super::step::Outcome;
use crate::tile::TileError;
use crate::tile::element::{Element, ElementType, f16, format};
use crate::tile::value::{AnyTile, any, dispatch};

/// `a b + c`.
pub(super) fn mma([a, b, c]: [&AnyTile; 3]) -> Outcome {
    if c.element() == ElementType::I32 {
        let mac = |a: i32, b: i32, c: i32| a.wrapping_mul(b).wrapping_add(c);
        return AnyTile::new(
            c.shape(),
            product([a, b, c], [integers(a), integers(b)], all::<i32>(c).into_owned(), mac),
        );
    }
    of_doubles([a, b, c], [doubles(a), doubles(b)])
}

/// `(a * scale_a) (b * scale_b) + c`: a scale is multiplied with each number of its run, which is exact.
pub(super) fn scaled([a, b, c, scale_a, scale_b]: [&AnyTile; 5]) -> Outcome {
    let rank = c.shape().rank();
    of_doubles([a, b, c], [times(a, scale_a, rank - 1), times(b, scale_b, rank - 2)])
}

fn of_doubles(tiles: [&AnyTile; 3], factors: [Vec<f64>; 2]) -> Outcome {
    let c = tiles[2];
    dispatch!(c.element(), [F16: f16, F32: f32, F64: f64], E => {
        let start = all::<E>(c).iter().map(|x| x.double()).collect();
        let sums = match E::TYPE {
            ElementType::F64 => product(tiles, factors, start, f64::mul_add),
            // of narrower types products are doubles: the sum is all that is rounded
            _ => product(tiles, factors, start, |a, b, c| a * b + c),
        };
        AnyTile::new(c.shape(), sums.into_iter().map(|sum| number(E::of_double(sum), [])).collect())
    }, else Err(TileError::Mma { a: tiles[0].ty(), b: tiles[1].ty(), c: c.ty() }))
}

fn integers(x: &AnyTile) -> Vec<i32> {
    match x.element() {
        ElementType::I8 => all::<i8>(x).iter().map(|&x| x.into()).collect(),
        _ => all::<u8>(x).iter().map(|&x| x.into()).collect(),
    }
}

fn doubles(x: &AnyTile) -> Vec<f64> {
    let format = format::Format::of(x.element());
    any!(x.element(), E => all::<E>(x).iter().map(|&x| format.map_or(0.0, |f| f.value(Element::to_bits(x)))).collect())
}

/// Numbers times their scales: one for each run along a dimension.
fn times(x: &AnyTile, scale: &AnyTile, dim: usize) -> Vec<f64> {
    let (mut values, scales) = (doubles(x), doubles(scale));
    let inner = x.shape().extents().skip(dim + 1).product::<u32>() as usize;
    let length = (x.shape().extent(dim) / scale.shape().extent(dim)) as usize;
    for (run, scales) in values.chunks_exact_mut(length * inner).zip(scales.chunks_exact(inner)) {
        for row in run.chunks_exact_mut(inner) {
            row.iter_mut().zip(scales).for_each(|(x, scale)| *x *= scale);
        }
    }
    values
}

/// The sums that start with `c`, in the order of k. In batches, one matrix serves all.
fn product<W: Copy + Default>(
    [a, _, c]: [&AnyTile; 3],
    [x, y]: [Vec<W>; 2],
    mut sums: Vec<W>,
    mac: impl Fn(W, W, W) -> W + Copy,
) -> Vec<W> {
    let rank = c.shape().rank();
    let extent = |t: &AnyTile, dim: usize| t.shape().extent(dim) as usize;
    let (m, n, k) = (extent(c, rank - 2), extent(c, rank - 1), extent(a, rank - 1));
    for (batch, sums) in sums.chunks_exact_mut(m * n).enumerate() {
        // a single matrix, or one for each batch
        let (x_at, y_at) = ((batch * m * k) % x.len(), (batch * k * n) % y.len());
        multiply([&x[x_at..x_at + m * k], &y[y_at..y_at + k * n]], sums, [n, k], mac);
    }
    sums
}

/// Columns of a panel and rows that are computed together: their sums stay in registers.
const COLUMNS: usize = 8;
const ROWS: usize = 2;

fn multiply<W: Copy + Default>([a, b]: [&[W]; 2], c: &mut [W], [n, k]: [usize; 2], mac: impl Fn(W, W, W) -> W + Copy) {
    let mut panel = vec![[W::default(); COLUMNS]; k];
    for column in (0..n).step_by(COLUMNS) {
        let width = COLUMNS.min(n - column);
        for (row, b) in panel.iter_mut().zip(b.chunks_exact(n)) {
            row[..width].copy_from_slice(&b[column..column + width]);
        }
        for (a, c) in a.chunks(ROWS * k).zip(c.chunks_mut(ROWS * n)) {
            // the last rows stand for those that are missing
            let row = |i: usize| i.min(a.len() / k - 1);
            let rows: [&[W]; ROWS] = core::array::from_fn(|i| &a[row(i) * k..][..k]);
            let mut sums = [[W::default(); COLUMNS]; ROWS];
            for (i, sums) in sums.iter_mut().enumerate() {
                sums[..width].copy_from_slice(&c[row(i) * n + column..][..width]);
            }
            for (p, b) in panel.iter().enumerate() {
                for (sums, a) in sums.iter_mut().zip(&rows) {
                    let a = a[p];
                    sums.iter_mut().zip(b).for_each(|(sum, &b)| *sum = mac(a, b, *sum));
                }
            }
            for (i, sums) in sums.iter().enumerate() {
                c[row(i) * n + column..][..width].copy_from_slice(&sums[..width]);
            }
        }
    }
}

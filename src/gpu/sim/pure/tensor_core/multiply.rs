//! Products of matrices, element by element as [`Arithmetic`] says, with each row taken apart once.

use super::number::{BF16, F16, F32, Format, Rounding, Row};
use super::sum::Sum;
use super::{Arithmetic, Integer, Kind};

impl Arithmetic {
    /// `d(i * n + j, D[i][j])` for A of `m` x `k`, B of `n` x `k` and C of `m` x `n`, which are functions of the index in row-major
    /// order. `k` is at most the instruction's, `N` divides `n`; B is taken apart `N` rows at a time.
    #[inline(always)]
    pub(crate) fn multiply<const N: usize>(
        &self,
        [m, n, k]: [usize; 3],
        a: impl Fn(usize) -> u64,
        b: impl Fn(usize) -> u64,
        c: impl Fn(usize) -> u64,
        mut d: impl FnMut(usize, u64),
    ) {
        let size = [m, n];
        let of_a = |i: usize| (i * k..(i + 1) * k).map(&a);
        let of_b = |j: usize| (j * k..(j + 1) * k).map(&b);
        match self.kind {
            Kind::Sum { a, b, sum } if k <= 16 => {
                let (a, b) = (row::<16, _>(a, of_a), row(b, of_b));
                each::<_, N>(size, a, b, |at, a, b| d(at, sum.dot(a, b, c(at))))
            }
            Kind::Sum { a, b, sum } => {
                let (a, b) = (row::<32, _>(a, of_a), row(b, of_b));
                each::<_, N>(size, a, b, |at, a, b| d(at, sum.dot(a, b, c(at))))
            }
            Kind::Halves { a, b, sum } => {
                let (a, b) = (halves(a, of_a), halves(b, of_b));
                each::<_, N>(size, a, b, |at, a, b| d(at, added(sum, a, b, c(at))))
            }
            Kind::Singles { c: of_c, d: of_d } => each::<_, N>(
                size,
                |i| array::<4, _>(of_a(i).map(|x| F16.unpack(x).value as f32)),
                |j| array(of_b(j).map(|x| F16.unpack(x).value as f32)),
                |at, a, b| d(at, singles(a, b, of_c.unpack(c(at)).value as f32, of_d)),
            ),
            Kind::Fma => each::<_, N>(
                size,
                |i| array::<16, _>(of_a(i)),
                |j| array(of_b(j)),
                |at, a, b| d(at, a.iter().zip(b).take(k).fold(c(at), |c, (&a, &b)| fma(a, b, c))),
            ),
            Kind::Integers { a, b, saturate } => each::<_, N>(
                size,
                |i| array::<64, _>(of_a(i).map(|x| a.value(x))),
                |j| array(of_b(j).map(|x| b.value(x))),
                |at, a, b| {
                    let products = a.iter().zip(b).map(|(&a, &b)| i32::from(a).wrapping_mul(b.into()));
                    d(at, accumulated(c(at), products.fold(0, i32::wrapping_add), saturate))
                },
            ),
            Kind::Bits { xor } => each::<_, N>(
                size,
                |i| array::<8, _>(of_a(i).map(|x| x as u32)),
                |j| array(of_b(j).map(|x| x as u32)),
                |at, a, b| {
                    let words = a.iter().zip(b).map(|(a, b)| if xor { a ^ b } else { a & b });
                    let ones: u32 = words.map(u32::count_ones).sum();
                    d(at, accumulated(c(at), ones as i32, false))
                },
            ),
        }
    }
}

/// Every row of A with every row of B.
#[inline(always)]
fn each<R, const N: usize>(
    [m, n]: [usize; 2],
    a: impl Fn(usize) -> R,
    b: impl Fn(usize) -> R,
    mut dot: impl FnMut(usize, &R, &R),
) {
    for j in (0..n).step_by(N) {
        let columns: [R; N] = core::array::from_fn(|x| b(j + x));
        for i in 0..m {
            let row = a(i);
            columns.iter().enumerate().for_each(|(x, column)| dot(i * n + j + x, &row, column));
        }
    }
}

fn array<const K: usize, T: Copy + Default>(of: impl Iterator<Item = T>) -> [T; K] {
    let mut all = [T::default(); K];
    all.iter_mut().zip(of).for_each(|(to, x)| *to = x);
    all
}

#[inline(always)]
fn row<const K: usize, I: Iterator<Item = u64>>(format: Format, bits: impl Fn(usize) -> I) -> impl Fn(usize) -> Row<K> {
    // constants make the unpacking of the usual ones faster
    move |i| match format {
        BF16 => Row::of(bits(i).map(|x| BF16.unpack(x))),
        F16 => Row::of(bits(i).map(|x| F16.unpack(x))),
        _ => Row::of(bits(i).map(|x| format.unpack(x))),
    }
}

/// Two sums over halves, k modulo 4 in {0, 1} and in {2, 3}.
#[inline(always)]
fn halves<I: Iterator<Item = u64>>(format: Format, bits: impl Fn(usize) -> I) -> impl Fn(usize) -> [Row<16>; 2] {
    move |i| {
        let half = |h| bits(i).enumerate().filter(move |(k, _)| k / 2 % 2 == h);
        [0, 1].map(|h| Row::of(half(h).map(|(_, x)| format.unpack(x).in_f16())))
    }
}

/// The accumulator is added at the end, to nearest.
#[inline(always)]
fn added(sum: Sum, a: &[Row<16>; 2], b: &[Row<16>; 2], c: u64) -> u64 {
    let products = a.iter().zip(b).fold(0, |acc, (a, b)| sum.dot(a, b, acc));
    // two numbers of 24 bits: rounded to a double first makes no difference
    sum.d.round(sum.c.unpack(c).value + sum.d.unpack(products).value, Rounding::Even)
}

/// Ordinary sums of products that are exact: one after the other and C last, or C with pairs for an f16 result.
fn singles(a: &[f32; 4], b: &[f32; 4], c: f32, d: Format) -> u64 {
    let [p, q, r, s] = core::array::from_fn(|k| a[k] * b[k]);
    if d == F16 {
        let d = c + (p + q) + (r + s);
        return if d.is_nan() { F16.nan() } else { half::f16::from_f32(d).to_bits().into() };
    }
    let d = c + (((0.0 + p) + q) + r + s);
    if d.is_nan() { F32.nan() } else { d.to_bits().into() }
}

/// One step of the sum of doubles. A NaN stays, the first of b, c and a.
fn fma(a: u64, b: u64, c: u64) -> u64 {
    const QUIET: u64 = 1 << 51;
    if let Some(nan) = [b, c, a].into_iter().find(|&x| f64::from_bits(x).is_nan()) {
        return nan | QUIET;
    }
    let d = f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c));
    if d.is_nan() { 0xfff8_0000_0000_0000 } else { d.to_bits() }
}

fn accumulated(c: u64, products: i32, saturate: bool) -> u64 {
    let (c, sum) = (c as u32 as i32, products);
    u64::from(if saturate { c.saturating_add(sum) } else { c.wrapping_add(sum) } as u32)
}

impl Integer {
    fn value(self, bits: u64) -> i16 {
        let unused = 16 - self.bits;
        let top = (bits as u16) << unused;
        if self.signed { top as i16 >> unused } else { (top >> unused) as i16 }
    }
}

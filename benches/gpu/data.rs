//! Random operands, and what a result may differ by.

use crate::args::Product;
use half::{bf16, f16};
use rayon::prelude::*;
use std::fmt;

/// What the numbers of a matrix are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Type {
    F32,
    /// f32 whose lowest 13 bits are 0, so that nobody rounds them
    Tf32,
    Bf16,
    F16,
    S8,
    S32,
    E4m3,
}

impl Type {
    pub const OPERANDS: [Type; 6] = [Type::F32, Type::Tf32, Type::Bf16, Type::F16, Type::S8, Type::E4m3];

    pub fn name(self) -> &'static str {
        match self {
            Type::F32 => "f32",
            Type::Tf32 => "tf32",
            Type::Bf16 => "bf16",
            Type::F16 => "f16",
            Type::S8 => "s8",
            Type::S32 => "s32",
            Type::E4m3 => "e4m3",
        }
    }

    pub fn bytes(self) -> usize {
        match self {
            Type::F32 | Type::Tf32 | Type::S32 => 4,
            Type::Bf16 | Type::F16 => 2,
            Type::S8 | Type::E4m3 => 1,
        }
    }

    /// The type of a product's result.
    pub fn result(self) -> Type {
        match self {
            Type::F32 | Type::Tf32 | Type::E4m3 => Type::F32,
            Type::S8 | Type::S32 => Type::S32,
            half => half,
        }
    }

    /// Rounds x into the bytes of an element.
    fn encode(self, x: f32, to: &mut [u8]) {
        match self {
            Type::F32 => to.copy_from_slice(&x.to_le_bytes()),
            Type::Tf32 => to.copy_from_slice(&(x.to_bits() & !0x1fff).to_le_bytes()),
            Type::Bf16 => to.copy_from_slice(&bf16::from_f32(x).to_le_bytes()),
            Type::F16 => to.copy_from_slice(&f16::from_f32(x).to_le_bytes()),
            Type::S8 => to[0] = (x.round() as i8).cast_unsigned(),
            Type::S32 => to.copy_from_slice(&(x.round() as i32).to_le_bytes()),
            Type::E4m3 => to[0] = e4m3(x),
        }
    }

    pub fn decode(self, from: &[u8]) -> f64 {
        match (self, from) {
            (Type::F32 | Type::Tf32, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]).into(),
            (Type::S32, &[a, b, c, d]) => i32::from_le_bytes([a, b, c, d]).into(),
            (Type::Bf16, &[a, b]) => bf16::from_le_bytes([a, b]).into(),
            (Type::F16, &[a, b]) => f16::from_le_bytes([a, b]).into(),
            (Type::S8, &[a]) => a.cast_signed().into(),
            (Type::E4m3, &[a]) => {
                let (sign, exponent, mantissa) = (a >> 7, i32::from(a >> 3 & 15), f64::from(a & 7));
                let size = match exponent {
                    15 if a & 7 == 7 => f64::NAN,
                    0 => mantissa / 8.0 * 2f64.powi(-6),
                    e => (1.0 + mantissa / 8.0) * 2f64.powi(e - 7),
                };
                if sign == 0 { size } else { -size }
            }
            _ => f64::NAN,
        }
    }

    /// |x - rounded x| <= this * |rounded x|.
    fn rounding(self) -> f64 {
        match self {
            Type::Bf16 => 2f64.powi(-8),
            Type::F16 => 2f64.powi(-11),
            _ => 0.0, // sums are in this type already
        }
    }

    /// A sum of K products is within K times this, times the sum of their sizes. Products are exact but for f32; an addition
    /// of f32 errs by 2^-24 of its result at most, one of the matrix units, which cut off, by 2^-23. For e4m3 cuBLAS adds up to
    /// 128 products, four instructions, in the units' own 14 bits before it adds in f32.
    fn sum(self) -> f64 {
        match self {
            Type::F32 => 2f64.powi(-24),
            Type::S8 | Type::S32 => 0.0,
            _ => 2f64.powi(-23),
        }
    }

    fn narrow_sum(self) -> f64 {
        if self == Type::E4m3 { 4.0 * 2f64.powi(-13) } else { 0.0 }
    }
}

/// The nearest e4m3, ties to even, at most 448.
fn e4m3(x: f32) -> u8 {
    let size = x.abs().min(448.0);
    let exponent = (size.log2().floor() as i32).clamp(-6, 8);
    // eighths of the binade; 16 of them are the first of the next
    let eighths = (size * 2f32.powi(3 - exponent)).round_ties_even() as u8;
    let below = (exponent + 6) as u8;
    // exponent field 1 + below with an implicit 8; subnormal numbers have none
    (8 * below + eighths) | if x.is_sign_negative() { 0x80 } else { 0 }
}

/// Standard normal numbers: splitmix64 and Box-Muller, in chunks with seeds of their own.
pub fn normals(len: usize, seed: u64) -> Vec<f32> {
    const CHUNK: usize = 1 << 16;
    let mut values = vec![0f32; len];
    values.par_chunks_mut(CHUNK).enumerate().for_each(|(i, chunk)| {
        let mut state = seed << 40 | i as u64;
        let mut next = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            (((z ^ z >> 31) >> 40) as f32 + 0.5) / (1u64 << 24) as f32
        };
        for pair in chunk.chunks_mut(2) {
            let (radius, angle) = ((-2.0 * next().ln()).sqrt(), std::f32::consts::TAU * next());
            pair[0] = radius * angle.cos();
            if let [_, second] = pair {
                *second = radius * angle.sin();
            }
        }
    });
    values
}

/// `len` random numbers of a type, as bytes.
fn random(of: Type, len: usize, seed: u64, integers: bool) -> Vec<u8> {
    let width = of.bytes();
    let mut bytes = vec![0; len * width];
    let values = normals(len, seed);
    bytes.par_chunks_mut(width << 16).zip(values.par_chunks(1 << 16)).for_each(|(bytes, values)| {
        bytes.chunks_mut(width).zip(values).for_each(|(to, x)| match (of, integers) {
            (Type::S8, false) => of.encode((32.0 * x).clamp(-127.0, 127.0), to),
            (_, false) => of.encode(*x, to),
            (_, true) => of.encode(x.round().clamp(-2.0, 2.0), to),
        });
    });
    bytes
}

/// The same numbers, beginning elsewhere: another operand for the device, none to be made anew.
pub fn turned(bytes: &[u8], width: usize, by: usize) -> Vec<u8> {
    let mut turned = bytes.to_vec();
    turned.rotate_left(by * width % bytes.len());
    turned
}

/// The operands of a product on the host.
pub struct Operands {
    pub shape: Product,
    pub a: Vec<u8>,
    pub b: Vec<u8>,
    /// integers so small that no sum of products is rounded
    integers: bool,
}

impl Operands {
    /// Standard normal numbers.
    pub fn random(shape: Product) -> Operands {
        Operands::draw(shape, false)
    }

    /// Integers from -2 to 2: products up to 4, and sums exact in f32 up to a K of 2^22, in the 14 bits of `sum` up to 128.
    pub fn integers(shape: Product) -> Operands {
        Operands::draw(shape, true)
    }

    fn draw(shape: Product, integers: bool) -> Operands {
        let draw = |len, seed| random(shape.of, len, seed, integers);
        Operands { shape, a: draw(shape.m * shape.k, 1), b: draw(shape.k * shape.n, 2), integers }
    }

    fn row(&self, of_a: bool, i: usize) -> impl Iterator<Item = f64> {
        let Product { of, m, n, k, a_along_k, b_along_k } = self.shape;
        let (bytes, rows, along_k) = if of_a { (&self.a, m, a_along_k) } else { (&self.b, n, b_along_k) };
        let width = of.bytes();
        (0..k).map(move |l| {
            let at = width * if along_k { i * k + l } else { l * rows + i };
            of.decode(&bytes[at..at + width])
        })
    }

    /// The Euclidean norm of each row of A, of each column of B.
    fn norms(&self, of_a: bool) -> Vec<f64> {
        let rows = if of_a { self.shape.m } else { self.shape.n };
        (0..rows).into_par_iter().map(|i| self.row(of_a, i).map(|x| x * x).sum::<f64>().sqrt()).collect()
    }

    /// How far a sum of products may be off, in parts of the sum of their sizes.
    fn sum(&self) -> f64 {
        let of = self.shape.of;
        if self.integers { 0.0 } else { self.shape.k as f64 * of.sum() + of.narrow_sum() }
    }

    /// How far the rounding of a result may take it, in parts of its size.
    fn rounding(&self) -> f64 {
        if self.integers { 0.0 } else { self.shape.of.result().rounding() }
    }

    /// Two results, element by element: the bounds of both together, in which the sum of the products' sizes is at most the
    /// product of the norms (Cauchy-Schwarz).
    pub fn compare(&self, got: &[u8], want: &[u8]) -> Compared {
        let (of, n, (na, nb)) = (self.shape.of, self.shape.n, (self.norms(true), self.norms(false)));
        let (out, width) = (of.result(), of.result().bytes());
        let (sum, rounding) = (2.0 * self.sum(), self.rounding());
        let rows = got.par_chunks(n * width).zip(want.par_chunks(n * width)).zip(na).enumerate();
        let compared = rows.map(|(i, ((got, want), na))| {
            let mut row = Compared::default();
            for (j, ((got, want), nb)) in got.chunks(width).zip(want.chunks(width)).zip(&nb).enumerate() {
                let (got, want) = (out.decode(got), out.decode(want));
                let part = part(got - want, sum * na * nb + rounding * (got.abs() + want.abs()));
                row.worst = row.worst.max(part);
                if part > 1.0 {
                    row.wrong += 1;
                    row.first.get_or_insert((i, j, got, want));
                }
            }
            row
        });
        compared.reduce(Compared::default, |a, b| Compared {
            worst: a.worst.max(b.worst),
            wrong: a.wrong + b.wrong,
            first: a.first.or(b.first),
        })
    }

    /// What 1024 elements of a result differ from the exact ones by at worst, in parts of what they may.
    pub fn exact(&self, got: &[u8]) -> f64 {
        let Product { of, m, n, .. } = self.shape;
        let (out, width) = (of.result(), of.result().bytes());
        let worst = (0..1024usize).into_par_iter().map(|s| {
            // strides without a common factor to tiles
            let (i, j) = (s * 7919 % m, s * 104_729 % n);
            let products = self.row(true, i).zip(self.row(false, j)).map(|(a, b)| a * b);
            let (dot, size) = products.fold((0.0, 0.0), |(dot, size), p| (dot + p, size + f64::abs(p)));
            let got = out.decode(&got[(i * n + j) * width..][..width]);
            let mut rounded = [0; 4];
            out.encode(dot as f32, &mut rounded[..width]);
            let want = if self.integers { out.decode(&rounded[..width]) } else { dot };
            part(got - want, self.sum() * size + self.rounding() * got.abs())
        });
        worst.reduce(|| 0.0, f64::max)
    }
}

/// What two results differ by.
#[derive(Clone, Copy, Default)]
pub struct Compared {
    /// in parts of what they may; infinite where an element was not written
    pub worst: f64,
    /// elements that differ by more than they may
    pub wrong: usize,
    /// the first of these: row, column, its value, the peer's
    first: Option<(usize, usize, f64, f64)>,
}

impl fmt::Display for Compared {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Some((i, j, got, want)) = self.first else { return f.write_str("as the peer") };
        write!(f, "{} elements are wrong, the first ({i}, {j}): {got}, not {want}", self.wrong)
    }
}

fn part(difference: f64, bound: f64) -> f64 {
    match difference.abs() {
        0.0 => 0.0,
        d if d.is_finite() => d / bound,
        _ => f64::INFINITY,
    }
}

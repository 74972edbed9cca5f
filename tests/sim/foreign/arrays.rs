//! Kernels of arrays: sums, products, sorts, counts.

use super::host::{Expected, Given, exactly, words};
use Expected::{Exactly, Near};

pub fn branch_table(g: &Given) -> Expected {
    words(g.ints(0).iter().zip(0..).map(|(code, i)| [i + 1, 3 * i, -i][*code as usize]))
}

pub fn doubles(g: &Given) -> Expected {
    let f = |v: &f64| {
        let all =
            [v.sqrt(), v / 3.0, v.mul_add(*v, 1.0), v.floor(), v.round_ties_even(), v.abs(), f64::from(*v as f32)];
        all.iter().sum::<f64>() + v.trunc() + 1.0 / v + v.exp() + 1.0 + v.min(2.0) + v.trunc()
    };
    Near(g.floats(0).iter().map(f).collect(), 1e-14)
}

pub fn stages(g: &Given) -> Expected {
    let (x, s) = (g.floats(0), g.float(3));
    let at = |i: usize| (i / 512 * 128 + 127 - i / 4 % 128) * 4 + i % 4;
    let each = |i: usize| [x[at(i)] * s, x[at(i)] + s, x[at(i)].min(s), x[at(i)] / s][i % 4];
    Near((0..x.len()).map(each).collect(), 1e-7)
}

/// Of bytes, `more` of which are zeros that are not there.
pub fn histogram(g: &Given, output: usize, n: usize, more: usize) -> Expected {
    let mut counts = g.ints(output);
    g.ints(0)[..n].iter().for_each(|v| counts[*v as usize] += 1);
    counts[0] += more as i64;
    words(counts)
}

pub fn layer_norm(g: &Given, cols: usize, eps: f64) -> Expected {
    let (x, gain) = (g.floats(0), g.floats(1));
    let row = |row: &[f64]| -> Vec<f64> {
        let mean = row.iter().sum::<f64>() / cols as f64;
        let variance = row.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / cols as f64;
        row.iter().zip(&gain).map(|(v, g)| (v - mean) / (variance + eps).sqrt() * g).collect()
    };
    // to bf16: half of a last place
    Near(x.chunks(cols).flat_map(row).collect(), 1.0 / 256.0)
}

pub fn local_arrays(g: &Given) -> Expected {
    let nth = |mine: &[i64]| {
        let mut mine = mine.to_vec();
        mine.sort();
        mine[g.int(2)] as i16
    };
    exactly(g.ints(0).chunks(32).map(nth), i16::to_le_bytes)
}

/// A (m, k) by B (k, n); m, n and k are these arguments.
pub fn product(g: &Given, [m, n, k]: [usize; 3], tolerance: f64) -> Expected {
    let (a, b, m, n, k) = (g.floats(0), g.floats(1), g.int(m), g.int(n), g.int(k));
    assert_eq!((a.len(), b.len()), (m * k, k * n));
    let element = |i: usize| (0..k).map(|j| a[i / n * k + j] * b[j * n + i % n]).sum();
    Near((0..m * n).map(element).collect(), tolerance)
}

fn running(x: &[i64]) -> impl Iterator<Item = i64> {
    x.iter().scan(0, |sum, v| {
        *sum += v;
        Some(*sum)
    })
}

pub fn scan(g: &Given, each: usize) -> Expected {
    words(g.ints(0).chunks(each).flat_map(running).collect::<Vec<_>>())
}

pub fn softmax(g: &Given, cols: usize, scale: f64, tolerance: f64) -> Expected {
    let row = |row: &[f64]| -> Vec<f64> {
        let sum: f64 = row.iter().map(|v| (v * scale).exp()).sum();
        row.iter().map(|v| (v * scale).exp() / sum).collect()
    };
    Near(g.floats(0).chunks(cols).flat_map(row).collect(), tolerance)
}

pub fn tables(g: &Given) -> [Expected; 2] {
    let coefficients = [1.0, -0.5, 0.25, 1e-3, core::f64::consts::PI, 0.0, 1e30, 7.0];
    let s = coefficients.iter().rev().fold(0.0, |s, c| s * g.floats(0)[0] + c);
    [Near(vec![s * 1.5 + 300.0 + 42.0 + 0.0 - 1.0], 1e-6), Exactly(b"two\0\0\0\0\0".into())]
}

pub fn transpose(g: &Given, rows: usize, cols: usize) -> Expected {
    let x = g.bytes(0);
    let width = x.len() / (rows * cols);
    let element = |i: usize| (i % rows * cols + i / rows) * width;
    Exactly((0..rows * cols).flat_map(|i| x[element(i)..][..width].to_vec()).collect())
}

pub fn last_block(g: &Given) -> [Expected; 3] {
    let x = g.floats(0);
    let part = |b: usize| (0..x.len()).filter(|i| i / 128 % 7 == b).map(|i| x[i] * x[i]).sum();
    let parts: Vec<f64> = (0..7).map(part).collect();
    let sum = parts.iter().sum();
    [Near(parts, 1e-6), words([0]), Near(vec![sum], 1e-6)]
}

pub fn aggregated(g: &Given) -> [Expected; 2] {
    let (mut counts, mut sums) = ([0; 16], [0u64; 16]);
    for (i, key) in g.ints(0).iter().enumerate() {
        counts[*key as usize % 16] += 1;
        sums[*key as usize % 16] += (i as u64) << 20;
    }
    [words(counts), exactly(sums, u64::to_le_bytes)]
}

pub fn atomics(g: &Given) -> [Expected; 6] {
    let x: Vec<i32> = g.ints(0).iter().map(|v| *v as i32).collect();
    let wide = || x.iter().map(|v| i64::from(*v));
    let ints = |argument| g.ints(argument).into_iter().map(|v| v as u64);
    let mut u: Vec<u32> = ints(2).map(|v| v as u32).collect();
    for (b, x) in x.chunks(64).enumerate() {
        let all = || x.iter().map(|v| *v as u32);
        u[0] = all().fold(u[0], u32::wrapping_add);
        u[1] = all().fold(u[1], u32::min);
        u[2] = all().fold(u[2], |a, v| a & (v | 1));
        u[3] = all().fold(u[3], u32::max);
        u[4] = all().fold(u[4], |a, v| a | v & 0x0f0f);
        u[5] = all().fold(u[5], |a, v| a ^ v);
        u[6] += x.len() as u32 % 7;
        u[7] = all().fold(u[7], u32::wrapping_sub);
        u[8 + b] = all().fold(u[8 + b], |a, v| (a + (v & 3)).min(290));
    }
    let n = x.len() as i64;
    // from 0 down to 9, and ten more values to the next 0
    let down = (10 - n % 10) % 10;
    let s = [wide().min().unwrap().min(0), wide().max().unwrap(), wide().sum(), n, down];
    let mut l: Vec<u64> = ints(4).collect();
    for v in wide() {
        let v64 = v as u64;
        l[0] = l[0].wrapping_add(v64);
        l[1] = (l[1] as i64).min(v << 20) as u64;
        l[2] = l[2].max(v64);
        l[3] ^= v64 << 15;
        l[4] &= !(v64 & 255);
        l[5] |= v64 & 0xffff_ffff;
    }
    let odd = wide().filter(|v| v & 1 == 1).count() as f32;
    [
        exactly(u, u32::to_le_bytes),
        words(s),
        exactly(l, u64::to_le_bytes),
        exactly([x.iter().map(|v| v % 64).sum::<i32>() as f32], f32::to_le_bytes),
        exactly([wide().sum::<i64>() as f64 * 0.25], f64::to_le_bytes),
        exactly([odd, n as f32 * 0.5], |v| half::f16::from_f32(v).to_le_bytes()),
    ]
}

pub fn stencil(g: &Given) -> Expected {
    let (x, n) = (g.floats(0), [g.int(2) as i64, g.int(3) as i64, g.int(4) as i64]);
    let at = |p: [i64; 3]| match (0..3).all(|d| (0..n[d]).contains(&p[d])) {
        true => x[((p[2] * n[1] + p[1]) * n[0] + p[0]) as usize],
        false => 0.0,
    };
    let each = |i: usize| {
        let (i, [nx, ny, _]) = (i as i64, n);
        let p = [i % nx, i / nx % ny, i / nx / ny];
        let beside = |d: usize| {
            let (mut low, mut high) = (p, p);
            (low[d], high[d]) = (p[d] - 1, p[d] + 1);
            at(low) + at(high)
        };
        0.5 * at(p) + 0.125 * beside(0) - 0.25 * beside(1) + beside(2) / 3.0
    };
    Near((0..x.len()).map(each).collect(), 1e-6)
}

pub fn named_barriers(g: &Given) -> Expected {
    let (x, rounds) = (g.ints(0), g.int(2));
    let slot = |pair: usize, r: usize, t: usize| x[(pair * rounds + r) * 32 + t] + r.saturating_sub(1) as i64;
    let last = |thread: usize| match thread / 32 % 2 {
        0 => rounds as i64 - 1,
        _ => (0..rounds).fold(0, |s, r| s * 5 + slot(thread / 64, r, 31 - thread % 32)),
    };
    let s: Vec<i64> = (0..128).map(last).collect();
    let odd = s.iter().filter(|s| **s & 1 == 1).count() as i64;
    let (all, any) = (s.iter().all(|s| *s > 0), s.contains(&77));
    words(s.iter().map(|s| s + odd * 1_000_000 + i64::from(all) * 2 + i64::from(any) * 4))
}

pub fn barrier(g: &Given) -> Expected {
    let (x, tiles) = (g.ints(0), g.int(2));
    let sum = |i: usize| {
        (0..tiles).fold(0i32, |s, tile| {
            s.wrapping_mul(3).wrapping_add(x[(i / 128 * tiles + tile) * 128 + 127 - i % 128] as i32)
        })
    };
    words((0..256).map(|i| sum(i).into()))
}

pub fn lookback(g: &Given) -> [Expected; 5] {
    let x = g.ints(0);
    let sums: Vec<i64> = x.chunks(128).map(|tile| tile.iter().sum()).collect();
    let prefixes: Vec<i64> = running(&sums).collect();
    [words(running(&x).collect::<Vec<_>>()), words([5]), words([2; 5]), words(sums), words(prefixes)]
}

pub fn add(g: &Given) -> Expected {
    exactly(g.floats(0).iter().zip(g.floats(1)).map(|(a, b)| (a + b) as f32), f32::to_le_bytes)
}

/// A block divides until none of its elements is above 1000.
pub fn divide(g: &Given) -> Expected {
    let block = |x: &[i64]| {
        let mut x = x.to_vec();
        while x.iter().any(|v| *v > 1000) {
            x.iter_mut().for_each(|v| *v /= g.int(2) as i64);
        }
        x.into_iter().map(|v| v % 7)
    };
    exactly(g.ints(0).chunks(128).flat_map(block), i64::to_le_bytes)
}

pub fn sort(g: &Given) -> [Expected; 2] {
    let x = g.ints(0);
    let sorted = |block: &[i64]| {
        let mut block = block.to_vec();
        block.sort_by(|a, b| b.cmp(a));
        block
    };
    let first = |block: &[i64]| block.iter().position(|v| v == block.iter().max().unwrap()).unwrap() as i64;
    [words(x.chunks(128).flat_map(sorted)), words(x.chunks(128).map(first))]
}

/// Of each row of q with the rows of k up to its own, in powers of 2.
pub fn attention(g: &Given, rows: usize, depth: usize) -> Expected {
    let (q, k, v) = (g.floats(0), g.floats(1), g.floats(2));
    let weight = |row: usize, at: usize| {
        let dot: f64 = (0..depth).map(|i| q[row * depth + i] * k[at * depth + i]).sum();
        dot.exp2()
    };
    let element = |i: usize| {
        let (row, col) = (i / depth, i % depth);
        let weights: Vec<f64> = (0..=row).map(|at| weight(row, at)).collect();
        weights.iter().enumerate().map(|(at, w)| w * v[at * depth + col]).sum::<f64>() / weights.iter().sum::<f64>()
    };
    Near((0..rows * depth).map(element).collect(), 1e-3)
}

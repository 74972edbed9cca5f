//! Kernels of instructions: integers, halves, warps, matrices, functions.

use super::host::{Expected, Given, exactly, words};
use Expected::Near;
use half::{bf16, f16};

pub fn warp(g: &Given) -> Expected {
    let low = 0x00ff_0fffu32;
    let each = |v: &[i64]| -> Vec<i64> {
        let mask = |is: &dyn Fn(usize) -> bool| (0..32).filter(|l| is(*l)).fold(0i64, |all, l| all | 1 << l);
        let inside = |l: usize| low >> l & 1 == 1;
        let part = |l: usize| (0..32).filter(move |m| inside(*m) == inside(l)).map(|m| v[m]);
        let any = i64::from(v.iter().any(|v| *v > 6));
        let all = i64::from(v.iter().all(|v| *v < 7));
        let same = v.iter().all(|w| w / 8 == v[0] / 8);
        let lane = |l: usize| {
            let equal = mask(&|m| v[m] == v[l]);
            let first = [
                mask(&|m| v[m] > 3),
                any + 2 * all,
                equal,
                if same { 0xffff_ffff } else { 0 },
                same.into(),
                equal,
                v[l & !7 | v[l] as usize & 7],
                if l % 16 >= 3 { v[l - 3] } else { v[l] },
                if l + 5 < 32 { v[l + 5] } else { v[l] },
                v[l ^ 21],
            ];
            let rest = match inside(l) {
                true => [
                    part(l).sum(),
                    part(l).map(|v| v - 4).min().unwrap(),
                    part(l).fold(0, |all, v| all ^ (v * 77)),
                    mask(&|m| inside(m) && v[m] & 1 == 1),
                    v[2],
                ],
                false => [10, 11, part(l).max().unwrap(), 13, 14],
            };
            let down = if l + 9 < 32 { v[l + 9] } else { -7 };
            first.into_iter().chain(rest).chain([down])
        };
        (0..32).flat_map(lane).collect()
    };
    words(g.ints(0).chunks(32).flat_map(each))
}

pub fn integers(g: &Given) -> Expected {
    let each = |(x, y): (i64, i64)| {
        let y = y | 1;
        let (ux, uy, p, q) = (x as u64, y as u64, x as i32, y as i32);
        let (up, uq) = (p as u32, q as u32);
        let pair = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
        let (pos, len) = (uq & 31, uq >> 8 & 31);
        let field = (u64::from(up) >> pos & ((1u64 << len) - 1)) as u32;
        let sign = len > 0 && up >> (pos + len - 1).min(31) & 1 == 1;
        let bit = |i: u32| if i < len && pos + i < 32 { up >> (pos + i) & 1 } else { sign.into() };
        let signed = (0..32).fold(0, |all, i| all | bit(i) << i);
        let hole = (((1u64 << len) - 1) << pos) as u32;
        let put = uq & !hole | (u64::from(up) << pos) as u32 & hole;
        let (a, b, c, d) = (p.to_le_bytes(), q.to_le_bytes(), up.to_le_bytes(), uq.to_le_bytes());
        let dp4a = (0..4).fold(7i32, |s, i| s + i32::from(a[i] as i8) * i32::from(b[i] as i8));
        let udp4a = (0..4).fold(9u32, |s, i| s + u32::from(c[i]) * u32::from(d[i]));
        let low = 5 + i32::from(p as i16) * i32::from(b[0] as i8) + (p >> 16) * i32::from(b[1] as i8);
        let high = 3 + (up & 0xffff) * u32::from(d[2]) + (up >> 16) * u32::from(d[3]);
        let permuted = u32::from_le_bytes([d[1], c[1], d[3], c[3]]);
        let both = pair(uq, up);
        let (left, right) = ((both << (p & 31) >> 32) as u32, (both >> (q & 31)) as u32);
        let wide = u128::from(ux) * u128::from(uy);
        let wide = wide.wrapping_add(u128::from(uy) << 64).wrapping_sub(ux.into());
        let counts = x.count_ones() + 100 * x.leading_zeros() + 10000 * (x.trailing_zeros() % 64 + u32::from(x != 0));
        let mul24 = (p << 8 >> 8).wrapping_mul(q << 8 >> 8) as u32;
        let last = p.min(q) ^ up.max(uq) as i32 ^ x.min(y) as i32 ^ (i32::from(p as i16) * i32::from(q as i16));
        [
            (x / y) as u64,
            (x % y) as u64,
            ux / uy,
            ux % uy,
            i64::from(p / q) as u64,
            (up % (uq >> 16 | 1)).into(),
            ((i128::from(x) * i128::from(y)) >> 64) as u64,
            ((u128::from(ux) * u128::from(uy)) >> 64) as u64,
            pair(((i64::from(p) * i64::from(q)) >> 32) as u32, ((u64::from(up) * u64::from(uq)) >> 32) as u32),
            (wide >> 64) as u64 ^ wide as u64,
            (x >> (p & 63)) as u64 ^ ux << (q & 63) ^ ux >> 7,
            pair(permuted, left ^ right),
            (i64::from(dp4a) as u64) << 32 | u64::from(udp4a ^ low as u32 ^ high),
            pair(counts, up.reverse_bits()),
            pair(field ^ put, signed),
            pair(p.abs_diff(q).wrapping_add(3) ^ mul24 ^ p.unsigned_abs(), last as u32),
        ]
    };
    exactly(g.ints(0).into_iter().zip(g.ints(1)).flat_map(each), u64::to_le_bytes)
}

pub fn recursion(g: &Given) -> Expected {
    fn ackermann(m: i64, n: i64) -> i64 {
        match (m, n) {
            (0, n) => n + 1,
            (m, 0) => ackermann(m - 1, 1),
            (m, n) => ackermann(m - 1, ackermann(m, n - 1)),
        }
    }
    fn hanoi(n: i64, from: i64, to: i64) -> i64 {
        let other = 3 - from - to;
        if n == 0 { 0 } else { hanoi(n - 1, from, other) * 3 + from + hanoi(n - 1, other, to) }
    }
    words(g.ints(0).into_iter().zip(0..).map(|(v, i)| {
        let (a, b) = (v % 3, v % 4);
        let operation = [a + b, a * b, ackermann(a, b)][i as usize % 3];
        let weight = 2 * v + v + i + [v, i - v, v - i][v as usize % 3];
        operation + hanoi(v % 6, 0, 2) * 100 + weight
    }))
}

pub fn interpreter(g: &Given) -> Expected {
    let (programs, length) = (g.bytes(0), g.int(3));
    let run = |x: i64, i: usize| {
        let (program, mut stack, mut top, mut steps, mut at) =
            (&programs[i % 7 * length..][..length], [0i32; 8], 0, 0, 0);
        stack[0] = x as i32;
        while at < length && steps < 200 {
            let code = i32::from(program[at]);
            at += 1;
            let here = stack[top];
            match code % 11 {
                0 => {
                    top = (top + 1) % 8;
                    stack[top] = here;
                }
                1 | 2 if top == 0 => {}
                n @ (1 | 2) => {
                    top -= 1;
                    let below = stack[top];
                    stack[top] = if n == 1 { below.wrapping_add(here) } else { below.wrapping_mul(here) };
                }
                3 => stack[top] = here.wrapping_neg() ^ code,
                4 => at += here as usize & 1,
                5 => {
                    stack[top] = (here as u32 >> 1) as i32;
                    if stack[top] > 1000 {
                        at = 0;
                    }
                }
                6 if top > 1 => stack.swap(top, top - 1),
                6 => {}
                7 => stack[top] = here / 3 + i as i32,
                8 if here % 5 == 2 => return here.wrapping_add(steps),
                8 => {}
                9 => stack[top] = here.count_ones() as i32 + code * 256,
                _ => stack[top] = here.wrapping_add(code),
            }
            steps += 1;
        }
        stack[top].wrapping_mul(1000).wrapping_add(steps)
    };
    words(g.ints(1).into_iter().enumerate().map(|(i, x)| run(x, i).into()))
}

/// An f32 that is rounded to fewer bits as `x` is.
fn cut(x: f64) -> f32 {
    let near = x as f32;
    match f64::from(near).abs() > x.abs() {
        _ if f64::from(near) == x => near,
        true => f32::from_bits((near.to_bits() - 1) | 1),
        false => f32::from_bits(near.to_bits() | 1),
    }
}

pub fn half_vectors(g: &Given) -> [Expected; 3] {
    // sums and products of these few values are exact in f64
    let h = |x: f64| f16::from_f32(cut(x)).to_f64();
    let b = |x: f64| bf16::from_f32(cut(x)).to_f64();
    let (mut y, mut z, mut k) = (vec![], vec![], vec![]);
    for eight in g.floats(0).chunks(8) {
        let mut kept = 0;
        for v in eight.chunks(2) {
            let (v, w) = ([v[0], v[1]], [v[1], v[0]]);
            let each = |f: &dyn Fn(usize) -> f64| [f(0), f(1)];
            let r = each(&|i| h(v[i] * w[i] + h(v[i] - w[0])));
            let r = each(&|i| r[i].min(h(v[i] * v[i])).max(-w[i].abs()));
            let r = match r[1] > v[0] {
                true => each(&|i| h(r[i] + v[i]).clamp(0.0, 1.0)),
                false => each(&|i| h(r[i] * w[i] + v[i]).max(0.0)),
            };
            let wide = [v[0] as f32 * 3.0, v[1] as f32 - 0.1];
            let p = wide.map(|x| b(x.into()));
            let c = each(&|i| b(p[i] * b(p[i] + p[i])));
            let p = each(&|i| b(p[i] * c[i] + c[0]));
            let p = if p[0] < p[1] { each(&|i| p[i].max(c[i])) } else { p.map(|x| -x) };
            kept += v[0].floor() as i64 * 16 + v[1].trunc() as i64 + p[0].round_ties_even() as i64;
            kept += if v[0] >= w[0] { 64 } else { 0 };
            y.extend(r);
            z.extend(p);
        }
        k.push(kept);
    }
    // zeros have signs of which plain maxima know nothing
    [Near(y, 0.0), Near(z, 0.0), words(k)]
}

/// D = A B + C of m16n8 with `per` elements of a register, `a(register, lane, element)` and `b` alike, in the order of D's registers.
fn mma(
    per: usize,
    a: impl Fn(usize, usize, usize) -> f64,
    b: impl Fn(usize, usize, usize) -> f64,
    c: [f64; 4],
    depth: usize,
) -> Vec<f64> {
    let lane = |row: usize, k: usize| row * 4 + k % (4 * per) / per;
    let dot = |row: usize, col: usize| -> f64 {
        let a = |k: usize| a(row / 8 + 2 * (k / (4 * per)), lane(row % 8, k), k % per);
        let b = |k: usize| b(k / (4 * per), lane(col, k), k % per);
        (0..depth).map(|k| a(k) * b(k)).sum()
    };
    let element = |i: usize| c[i / 32] + dot(i % 32 / 4 + i / 64 * 8, i % 4 * 2 + i / 32 % 2);
    (0..128).map(element).collect()
}

pub fn mma_kinds(g: &Given) -> [Expected; 6] {
    let (x, f, d) = (g.ints(0), g.floats(1), g.floats(2));
    let bits = |register: usize, lane: usize, at: usize, n: usize| x[register * 32 + lane] >> (at * n) & ((1 << n) - 1);
    let signed = |v: i64, n: usize| (if v >> (n - 1) & 1 == 1 { v - (1 << n) } else { v }) as f64;
    let s8 = |r: usize, l: usize, e: usize| signed(bits(r, l, e, 8), 8);
    let sums = mma(4, s8, |r, l, e| s8(r + 4, l, e), [1.0, -2.0, 3.0, 2147483000.0], 32);
    let s8 = sums.iter().map(|v| v.clamp(i32::MIN.into(), i32::MAX.into()) as i64);
    let u4 = mma(8, |r, l, e| bits(r, l, e, 4) as f64, |r, l, e| signed(bits(r + 4, l, e, 4), 4), [0.0; 4], 64);
    let b1 = mma(32, |r, l, e| bits(r, l, e, 1) as f64, |r, l, e| bits(r + 4, l, e, 1) as f64, [0.0; 4], 256);
    // 10 bits of the fraction, ties away from zero
    let tf32 = |r: usize, l: usize, _: usize| {
        let bits = (f[r * 32 + l] as f32).to_bits();
        f64::from(f32::from_bits(bits.wrapping_add(0x1000) & !0x1fff))
    };
    let tf = mma(1, tf32, |r, l, e| tf32(r + 4, l, e), [0.5, -1.0, 0.0, 1e-3], 8);
    let fp64 = |i: usize| {
        let (row, col) = (i % 32 / 4, i % 4 * 2 + i / 32);
        [1.0, -1.0][i / 32] + (0..4).map(|k| d[row * 4 + k] * d[32 + col * 4 + k]).sum::<f64>()
    };
    let half = |r: usize, l: usize, e: usize| f64::from(f16::from_f32(f[r * 32 + (l ^ 1 ^ e)] as f32));
    let sums = mma(2, half, |r, l, e| half(r + 4, l, e), [-1.0, 1.0, 0.0, 0.0], 16);
    // two to a register
    let f16s = (0..128).map(|i| sums[i % 2 * 32 + i / 2 % 32 + i / 64 * 64]).collect();
    let ints = |v: Vec<f64>| words(v.into_iter().map(|v| v as i64));
    [words(s8), ints(u4), Near(tf, 1e-6), Near((0..64).map(fp64).collect(), 1e-15), Near(f16s, 2e-3), ints(b1)]
}

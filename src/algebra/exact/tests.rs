//! The search against enumeration, and constants that spend its whole budget.

use super::*;

pub struct Rng(pub u64);
impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
    /// lo..=hi
    pub fn at(&mut self, lo: i64, hi: i64) -> i64 {
        lo + (self.next() as u128 % ((hi - lo) as u128 + 1)) as i64
    }
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.next() as usize % of.len()]
    }
    /// 2^lo ..= 2^hi, log-uniform
    pub fn log(&mut self, lo: u32, hi: u32) -> i64 {
        let bits = self.at(lo as i64, hi as i64) as u32;
        let top = 1i64 << bits;
        self.at(top, (top - 1) * 2 + 1).min(1 << hi)
    }
}

pub fn brute(carries: &[Carry], fine: &[Fine]) -> Option<[i64; MODES]> {
    let mut u = [0i64; MODES];
    let at = |x: i64| carries.iter().fold(0i128, |s, c| s + c.delta * (x / c.p) as i128);
    let unit: Vec<i128> = fine.iter().map(|f| at(f.step)).collect();
    loop {
        let mut l = 0;
        loop {
            if l == fine.len() {
                return None;
            }
            u[l] += 1;
            if u[l] < fine[l].n {
                break;
            }
            u[l] = 0;
            l += 1;
        }
        let x = fine.iter().zip(u).map(|(f, u)| f.step * u).sum();
        if at(x) != unit.iter().zip(u).map(|(a, u)| a * u as i128).sum::<i128>() {
            return Some(u);
        }
    }
}

/// A question that needs the search: small p that share factors, deltas that nearly cancel, steps that repeat modulo p.
pub fn tight(g: &mut Rng, points: i64) -> (Vec<Carry>, Vec<Fine>) {
    let mut p = g.at(2, 9) * g.at(1, 4);
    let mut carries = vec![];
    let base = g.at(1, p);
    let mut r = vec![base];
    let d = g.at(1, 2) as i128;
    let nk = g.at(2, 5);
    for k in 0..nk {
        carries.push(Carry { p, delta: if k % 2 == 0 { d } else { -d } });
        p *= g.at(2, 5);
    }
    let top = carries[carries.len() - 1].p;
    r.extend([base + 1, base * 2, base * carries[1].p / carries[0].p, base * carries[1].p / carries[0].p + 1]);
    let mut left = points;
    let mut fine = vec![];
    for _ in 0..g.at(2, 6) {
        let n = g.pick(&[2, 3, 4, 6, 8, 16]).min(left);
        left /= n;
        // nearly the same fraction of each p
        let step = match g.at(0, 3) {
            0 => g.pick(&r),
            1 => top * g.at(1, 9) / g.at(2, 10),
            2 => top * g.at(1, 3) + g.pick(&r) * top / carries[0].p,
            _ => g.at(1, top),
        };
        fine.push(Fine { n, step: step.max(1) });
    }
    (carries, fine)
}

/// A random adversarial question with at most `points` points.
pub fn question(g: &mut Rng, points: i64) -> (Vec<Carry>, Vec<Fine>) {
    let nk = g.at(1, 7) as usize;
    let style = g.at(0, 5);
    let big = [2, 3, 4, 8, 30, 300, 3000][g.at(0, 6) as usize];
    let mut p = 1i64;
    let mut carries: Vec<Carry> = vec![];
    for _ in 0..nk {
        let s = match g.at(0, 2) {
            0 => g.at(2, 4),
            1 => g.at(2, big.max(2)),
            _ => 2,
        };
        if p > (1 << 40) / s {
            break;
        }
        p *= s;
        let delta = match g.at(0, 3) {
            0 => g.at(1, 3),
            1 => 1,
            2 => -1,
            _ => -g.at(1, 3),
        } as i128;
        let delta = match g.at(0, 2) {
            0 if !carries.is_empty() => -carries[carries.len() - 1].delta,
            _ => delta,
        };
        carries.push(Carry { p, delta });
    }
    // make all deltas add up to 0 sometimes
    if g.at(0, 1) == 0 {
        let sum: i128 = carries.iter().map(|c| c.delta).sum();
        let last = carries.len() - 1;
        let d = carries[last].delta - sum;
        if d != 0 {
            carries[last].delta = d;
        }
    }
    let mut left = points;
    let mut fine = vec![];
    let nl = g.at(1, 7) as usize;
    for _ in 0..nl {
        let most = match g.at(0, 3) {
            0 => 2,
            1 => 4,
            2 => 16,
            _ => left,
        };
        let n = g.at(1, most.min(left).max(1));
        left /= n;
        let q = g.pick(&carries).p;
        let q2 = g.pick(&carries).p;
        let step = match style {
            0 => g.at(1, p),
            1 => g.at(1, 6) * q + g.at(0, 2) * q2,
            2 => (q + 1) * g.at(1, 9),
            3 => q * g.at(1, 5) / g.at(1, 5) + g.at(-2, 2),
            4 => q2 / g.at(1, 7) + q * g.at(0, 3),
            _ => g.at(1, 12) * (carries[0].p + g.at(-1, 1)),
        };
        fine.push(Fine { n, step: step.max(1) });
    }
    (carries, fine)
}

fn count() -> u64 {
    std::env::var("CASES").ok().and_then(|x| x.parse().ok()).unwrap_or(20_000)
}

#[test]
fn least_nonzero_is_brute_force() {
    let mut g = Rng(std::env::var("SEED").ok().and_then(|x| x.parse().ok()).unwrap_or(1));
    let (mut zero, mut mixed, mut searched_zero, mut searched, mut worst) = (0, 0, 0, 0, 0);
    for i in 0..count() {
        let points = [16, 64, 256, 4096][i as usize % 4];
        let (carries, fine) = if i % 3 == 0 { tight(&mut g, points) } else { question(&mut g, points) };
        let mut budget = BUDGET;
        let got =
            least_nonzero(&carries, &fine, &mut budget).unwrap_or_else(|_| panic!("too hard {carries:?} {fine:?}"));
        let used = BUDGET - budget;
        let want = brute(&carries, &fine);
        assert_eq!(got, want, "{carries:?} {fine:?}");
        if let Some(u) = got {
            assert_ne!(h(&carries, &fine, &u), 0);
        }
        zero += got.is_none() as u32;
        mixed += (carries.iter().any(|c| c.delta > 0) && carries.iter().any(|c| c.delta < 0)) as u32;
        let in_search = used > (carries.len() * fine.len()) as u64;
        searched += in_search as u32;
        searched_zero += (in_search && got.is_none()) as u32;
        worst = worst.max(used);
    }
    println!("zero {zero} mixed {mixed} searched {searched} searched and zero {searched_zero} worst {worst}");
}

#[test]
fn first_break_is_brute_force() {
    let mut g = Rng(2);
    for _ in 0..count() {
        let (carries, fine) = question(&mut g, 4096);
        let f = Fine { n: g.at(1, 4096), ..fine[0] };
        let got = first_break(&carries, f.step, f.n, &mut BUDGET.clone()).unwrap();
        assert_eq!(got, brute(&carries, &[f]).map_or(f.n, |u| u[0]), "{carries:?} {f:?}");
    }
}

/// Numerators, strides and deltas up to the ends of their types; the build has overflow checks.
#[test]
fn at_the_ends_of_i64() {
    let mut g = Rng(7);
    let mut zero = 0;
    for i in 0..count() {
        let mut p = 1i64;
        let mut carries = vec![];
        for _ in 0..g.at(1, 6) {
            let s = match g.at(0, 2) {
                0 => g.log(1, 60),
                1 => g.log(1, 30),
                _ => g.at(2, 5),
            };
            let Some(next) = p.checked_mul(s) else { break };
            p = next;
            let d =
                if g.at(0, 3) == 0 { g.next() as i128 * 2 - u64::MAX as i128 } else { [1, -1][g.at(0, 1) as usize] };
            carries.push(Carry { p, delta: if d == 0 { 1 } else { d } });
        }
        if carries.is_empty() {
            continue;
        }
        let (mut left, mut points) = (i64::MAX, 512);
        let mut fine = vec![];
        for _ in 0..g.at(1, 6) {
            let n = if i % 8 == 0 { g.log(1, 40) } else { g.at(2, 9) }.min(points);
            let most = left / (n - 1).max(1);
            let near = g.pick(&carries).p;
            let step = match g.at(0, 3) {
                0 => most,
                1 => near / g.at(1, 9) + g.at(0, 1),
                2 => near,
                _ => g.log(0, 61),
            }
            .clamp(1, most.max(1));
            if n < 2 || most < 1 {
                break;
            }
            fine.push(Fine { n, step });
            left -= (n - 1) * step;
            points /= if i % 8 == 0 { 1 } else { n };
        }
        if fine.is_empty() {
            continue;
        }
        let got = least_nonzero(&carries, &fine, &mut (1 << 22));
        if i % 8 > 0 {
            assert_eq!(got, Ok(brute(&carries, &fine)), "{carries:?} {fine:?}");
            zero += (got == Ok(None)) as u32;
        } else if let Ok(Some(u)) = got {
            assert_ne!(h(&carries, &fine, &u), 0);
        }
    }
    println!("ends: zero {zero}");
}

// ---- constants that spend the whole of `CONST_BUDGET`, each in a way of its own, compile without rustc's lint ----

const fn ends(c: &[Carry], f: &[Fine]) -> bool {
    least_nonzero(c, f, &mut { CONST_BUDGET }).is_err()
}
const fn f(n: i64, step: i64) -> Fine {
    Fine { n, step }
}
const fn c(p: i64, delta: i128) -> Carry {
    Carry { p, delta }
}

/// Subset sum, 20 items: many leaves, two carries.
const SUMS: bool = ends(
    &[c(7911610, 1), c(62593564880490, -1)],
    &[
        f(2, 7335036525153),
        f(2, 6037540232764),
        f(2, 5071714496717),
        f(2, 5513498854957),
        f(2, 4183438371692),
        f(2, 7434050336818),
        f(2, 6799800217781),
        f(2, 7367988384968),
        f(2, 5115671407433),
        f(2, 4341544005916),
        f(2, 5346326514527),
        f(2, 7460554233668),
        f(2, 7137618095870),
        f(2, 4368055814377),
        f(2, 8114884021423),
        f(2, 7726044163995),
        f(2, 6768130038948),
        f(2, 6912762199639),
        f(2, 4740162614540),
        f(2, 7412317141401),
    ],
);
/// Wide leaves.
const WIDE: bool = ends(
    &[c(299291662, 1), c(89575498643430582, -1)],
    &[f(1000, 227215945424677), f(1000, 284481813639771), f(1000, 205623548397542)],
);
/// Five carries, two pairs of which nearly coincide.
const MANY: bool = ends(
    &[c(15, -2), c(15360, 1), c(107520, 1), c(6887623680, -2), c(34438118400, 2)],
    &[f(560, 35840), f(392, 189407877120), f(4608, 103314892800), f(6, 1), f(41472, 123976688640), f(16384, 529817205)],
);

/// Small p: the memo.
const SMALL: bool = ends(
    &[c(550, -2), c(1100, 2)],
    &[f(256, 7699), f(256, 9899), f(24, 6605), f(1728, 20), f(1080, 2199), f(24, 1151), f(144, 22)],
);

#[test]
fn spent() {
    let all = [SUMS, WIDE, MANY, SMALL];
    assert_eq!(all, [true; 4]);
}

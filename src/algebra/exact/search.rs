//! The search behind [`least_nonzero`](super::least_nonzero): the box in colex order, halved, with the cuts of the parent's
//! documentation.

use super::{Carry, Fine, TooHard, before, first_carry, rem};
use crate::algebra::shape::gcd;
use crate::layout::MODES;

/// Least of `(b + i a) mod m` over `0 <= i < n`, for `a, b < m` and `n >= 1`; Euclid on `(m, a)`.
const fn least_residue(mut n: u64, mut m: u64, mut a: u64, mut b: u64) -> u64 {
    let mut least = b;
    loop {
        if a > m / 2 {
            // The same residues from the other end: a step of m - a. It keeps a below m / 2, so m halves each turn.
            b = (b + a * (n - 1)) % m;
            a = m - a;
        }
        if b < least {
            least = b;
        }
        if a == 0 {
            return least;
        }
        let wraps = (b + a * (n - 1)) / m;
        if wraps == 0 {
            return least;
        }
        // Between wraps residues grow; right after wrap j = 1, 2, .. they are (b - j m) mod a.
        let back = (a - m % a) % a;
        (n, m, a, b) = (wraps, a, back, (b % a + back) % a);
    }
}

/// A sub-box to look at: `u_l` runs over `[lo, lo + v)`, the leaves below l are free, those above are fixed, and `x` is
/// the point of A's domain at its corner. `H` is zero at the corner, and on all that comes before it in colex order.
#[derive(Clone, Copy)]
struct Node {
    x: u64,
    lo: u64,
    v: u64,
    l: u8,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    Open,
    /// Cut in front to where something carries. Once, and not from carry to carry: where the lower leaves do nothing,
    /// that would be a walk along this one.
    Cut,
    /// `H` is not zero at the corner: the witness, if nothing before it is.
    Witness,
    /// Both halves of a box came out zero: `x`, `v`, `lo` are its key in the memo.
    Proved,
}

/// Pending nodes. A split leaves two behind, and one path has at most `sum log2 n_l` splits, each log rounded up: a box
/// of up to `2^63` points needs fewer than 200. A larger one may end in `TooHard`.
const STACK: usize = 256;
/// Slots of the memo. A search starts with few, as most need none and a large frame takes microseconds to clear. After
/// `FEW_STEPS` it starts over with many, 100 kB: with a small p, a slot for each residue and width makes the search
/// dynamic programming.
const FEW: usize = 64;
const FEW_STEPS: u64 = 1 << 13;
const MANY: usize = 4096;
/// Carries that a walk passes before something better is tried.
const WALK: u32 = 32;

struct Search<'a, const SLOTS: usize> {
    fine: &'a [Fine],
    /// Carries that are active on the whole box.
    nk: usize,
    p: [u64; MODES],
    delta: [i128; MODES],
    /// `r[l][k] = step_l mod p_k`
    r: [[u64; MODES]; MODES],
    /// `below[l][k]`: what leaves under l add to the numerator at most
    below: [[u64; MODES]; MODES],
    /// `grid[l][k]`: gcd of `p_k` and the residues of leaves under l
    grid: [[u64; MODES]; MODES + 1],
    /// `unit[l][k]`: gcd of the residues of leaves up to l
    unit: [[u64; MODES]; MODES],
    /// Keys of sub-boxes that are zero; a new one replaces the one in its place. No key is all 0: v is at least 1.
    memo: [[u64; 3]; SLOTS],
    steps: u64,

    // The node at hand.
    /// Carries active on its box, or one for each group of them that coincide.
    act: [u8; MODES],
    na: usize,
    /// Their deltas.
    weight: [i128; MODES],
    /// `b[k] = x mod p_k`, for all k
    b: [u64; MODES],
}

/// The signs of the active deltas of a box.
#[derive(Clone, Copy)]
enum Signs {
    /// No active carry: `H` is zero.
    None,
    /// One sign: `H` is not zero.
    One,
    Both,
}

/// What a walk along one variable met.
enum Walk {
    /// `H` is zero to the end.
    Zero,
    /// `H` is not zero, here first.
    At(u64),
    /// `WALK` carries that cancelled.
    Long,
}

#[cold]
#[inline(never)]
pub(super) const fn search(
    carries: &[Carry],
    fine: &[Fine],
    budget: &mut u64,
) -> Result<Option<[i64; MODES]>, TooHard> {
    let all = *budget;
    let mut few = if all < FEW_STEPS { all } else { FEW_STEPS };
    *budget -= few;
    match attempt::<FEW>(carries, fine, &mut few) {
        Ok(u) => {
            *budget += few;
            Ok(u)
        }
        Err(_) => match attempt::<MANY>(carries, fine, budget) {
            Ok(u) => Ok(u),
            Err(_) => Err(TooHard { steps: all }),
        },
    }
}

#[inline(never)]
const fn attempt<const SLOTS: usize>(
    carries: &[Carry],
    fine: &[Fine],
    budget: &mut u64,
) -> Result<Option<[i64; MODES]>, TooHard> {
    let mut s = Search::<SLOTS> {
        fine,
        nk: 0,
        p: [0; MODES],
        delta: [0; MODES],
        r: [[0; MODES]; MODES],
        below: [[0; MODES]; MODES],
        grid: [[0; MODES]; MODES + 1],
        unit: [[0; MODES]; MODES],
        memo: [[0; 3]; SLOTS],
        steps: 0,
        act: [0; MODES],
        na: 0,
        weight: [0; MODES],
        b: [0; MODES],
    };
    let mut k = 0;
    while k < carries.len() {
        s.add(carries[k]);
        k += 1;
    }
    let mut u = [0; MODES];
    match s.run(&mut u, *budget) {
        Some(found) if s.steps <= *budget => {
            *budget -= s.steps;
            Ok(if found { Some(u) } else { None })
        }
        _ => {
            let steps = *budget;
            *budget = 0;
            Err(TooHard { steps })
        }
    }
}

impl<const SLOTS: usize> Search<'_, SLOTS> {
    const fn add(&mut self, c: Carry) {
        let (k, p) = (self.nk, c.p as u64);
        debug_assert!(k == 0 || p % self.p[k - 1] == 0);
        let (mut below, mut grid, mut unit) = (0, p, 0);
        let mut l = 0;
        while l < self.fine.len() {
            let r = self.fine[l].step as u64 % p;
            unit = gcd(unit, r);
            self.r[l][k] = r;
            self.below[l][k] = below;
            self.grid[l][k] = grid;
            self.unit[l][k] = unit;
            below += self.wide(l) * r;
            grid = gcd(grid, r);
            l += 1;
        }
        self.grid[l][k] = grid;
        if below >= p {
            self.p[k] = p;
            self.delta[k] = c.delta;
            self.nk += 1;
        }
    }

    /// Largest coordinate of leaf `l`.
    const fn wide(&self, l: usize) -> u64 {
        (self.fine[l].n - 1) as u64
    }

    /// The search: depth first from the top leaf, lower coordinates first, so the first find is colex-least.
    /// `Some(true)` leaves it in `u`; None: the budget ended.
    const fn run(&mut self, u: &mut [i64; MODES], budget: u64) -> Option<bool> {
        let mut stack = [Node { x: 0, lo: 0, v: 0, l: 0, kind: Kind::Open }; STACK];
        let top = self.fine.len() - 1;
        stack[0] = Node { x: 0, lo: 0, v: self.fine[top].n as u64, l: top as u8, kind: Kind::Open };
        let mut sp = 1;
        while sp > 0 {
            sp -= 1;
            let Node { x, lo, v, l: leaf, kind } = stack[sp];
            let l = leaf as usize;
            match kind {
                Kind::Proved => {
                    let key = [x, v, lo];
                    self.memo[slot(&key) % SLOTS] = key;
                    continue;
                }
                Kind::Witness => {
                    corner(u, l, lo);
                    return Some(true);
                }
                Kind::Open | Kind::Cut => {}
            }
            if self.steps > budget || sp + 3 > STACK {
                return None;
            }
            match self.enter(l, v, x) {
                Signs::None => continue,
                Signs::One => {
                    self.greedy(l, lo, u);
                    return Some(true);
                }
                Signs::Both => {}
            }
            if l == 0 {
                let r = self.r[0];
                match self.walk(&r, v) {
                    Walk::Zero => continue,
                    Walk::At(i) => {
                        corner(u, 0, lo + i);
                        return Some(true);
                    }
                    Walk::Long => {}
                }
            } else {
                // Nothing carries until the leaf moved by i.
                let i = self.idle(l);
                if i > 0 && matches!(kind, Kind::Open) {
                    if self.h_at(l, i) != 0 {
                        corner(u, l, lo + i);
                        return Some(true);
                    }
                    stack[sp] =
                        Node { x: x + i * self.fine[l].step as u64, lo: lo + i, v: v - i, l: leaf, kind: Kind::Cut };
                    sp += 1;
                    continue;
                }
                if v == 1 {
                    u[l] = lo as i64;
                    stack[sp] = Node { x, lo: 0, v: self.fine[l - 1].n as u64, l: leaf - 1, kind: Kind::Open };
                    sp += 1;
                    continue;
                }
            }
            // What lies above the largest active p never carries here, and x mod that p settles all below; of it, only
            // the part on the grid of the least active p and the leaves that move.
            let (least, most) = (self.act[0] as usize, self.act[self.na - 1] as usize);
            let key = [x % self.p[most] / self.grid[l + 1][least], v, (least << 16 | most << 8 | l) as u64];
            let old = &self.memo[slot(&key) % SLOTS];
            if old[0] == key[0] && old[1] == key[1] && old[2] == key[2] {
                continue;
            }
            match self.merge(l, v) {
                Signs::None => continue,
                Signs::One => {
                    self.greedy(l, lo, u);
                    return Some(true);
                }
                Signs::Both => {}
            }
            if l > 0 && self.parallel(l, v) {
                continue;
            }
            let half = v / 2;
            stack[sp] = Node { x: key[0], lo: key[2], v, l: leaf, kind: Kind::Proved };
            let kind = if self.h_at(l, half) != 0 { Kind::Witness } else { Kind::Open };
            stack[sp + 1] = Node { x: x + half * self.fine[l].step as u64, lo: lo + half, v: v - half, l: leaf, kind };
            stack[sp + 2] = Node { x, lo, v: half, l: leaf, kind: Kind::Open };
            sp += 3;
        }
        Some(false)
    }

    /// Makes a node the one at hand: its offsets and active carries.
    const fn enter(&mut self, l: usize, v: u64, x: u64) -> Signs {
        self.na = 0;
        let mut k = 0;
        while k < self.nk {
            let p = self.p[k];
            let b = rem(x, p);
            self.b[k] = b;
            if b + (v - 1) * self.r[l][k] + self.below[l][k] >= p {
                self.act[self.na] = k as u8;
                self.weight[self.na] = self.delta[k];
                self.na += 1;
            }
            k += 1;
        }
        self.steps += 4 * self.nk as u64 + 12;
        self.signs()
    }

    const fn signs(&self) -> Signs {
        let (mut up, mut down) = (false, false);
        let mut i = 0;
        while i < self.na {
            if self.weight[i] > 0 {
                up = true
            } else {
                down = true
            }
            i += 1;
        }
        match (up, down) {
            (false, false) => Signs::None,
            (true, true) => Signs::Both,
            _ => Signs::One,
        }
    }

    /// All weights have one sign: the witness is the first carry.
    const fn greedy(&self, l: usize, lo: u64, u: &mut [i64; MODES]) {
        let (mut first, mut w) = ([0i64; MODES], [0i64; MODES]);
        let mut i = 0;
        let mut found = false;
        while i < self.na {
            let k = self.act[i] as usize;
            let (fine, _) = self.fine.split_at(l + 1);
            if first_carry(self.p[k], self.b[k], fine, &mut w) && (!found || before(&w, &first, l + 1)) {
                first = w;
                found = true;
            }
            i += 1;
        }
        let mut j = 0;
        while j <= l {
            u[j] = first[j];
            j += 1;
        }
        u[l] += lo as i64;
    }

    /// How far leaf `l` moves, the leaves below it free, before some carry is possible.
    const fn idle(&self, l: usize) -> u64 {
        let mut least = u64::MAX;
        let mut i = 0;
        while i < self.na {
            let k = self.act[i] as usize;
            let (need, below) = (self.p[k] - self.b[k], self.below[l][k]);
            let at = if need > below { (need - below - 1) / self.r[l][k] + 1 } else { 0 };
            if at < least {
                least = at;
            }
            i += 1;
        }
        least
    }

    /// Moves offsets `b` by `i` along a variable on which form k grows by `r[k]`, and returns what that adds to `H`.
    const fn shift(&self, b: &mut [u64; MODES], r: &[u64; MODES], i: u64) -> i128 {
        let mut sum = 0i128;
        let mut a = 0;
        while a < self.na {
            let k = self.act[a] as usize;
            let (y, p) = (b[k] + i * r[k], self.p[k]);
            if y >= p {
                sum = sum.wrapping_add(self.weight[a].wrapping_mul((y / p) as i128));
            }
            b[k] = rem(y, p);
            a += 1;
        }
        sum
    }

    /// `H` at the corner moved by `i` along leaf `l`.
    const fn h_at(&self, l: usize, i: u64) -> i128 {
        let mut b = self.b;
        self.shift(&mut b, &self.r[l], i)
    }

    /// From carry to carry along one variable `i < n` on which form k grows by `r[k]`, for at most `WALK` of them.
    const fn walk(&mut self, r: &[u64; MODES], n: u64) -> Walk {
        let mut b = self.b;
        let (mut at, mut turn) = (0, 0);
        while turn < WALK {
            self.steps += 2 * self.na as u64;
            let left = n - 1 - at;
            let mut i = u64::MAX;
            let mut a = 0;
            while a < self.na {
                let k = self.act[a] as usize;
                let need = self.p[k] - b[k];
                if left * r[k] >= need {
                    let next = (need - 1) / r[k] + 1;
                    if next < i {
                        i = next;
                    }
                }
                a += 1;
            }
            if i == u64::MAX {
                return Walk::Zero;
            }
            at += i;
            if self.shift(&mut b, r, i) != 0 {
                return Walk::At(at);
            }
            turn += 1;
        }
        Walk::Long
    }

    /// Adds up the deltas of carries whose floors provably coincide on the box, and drops sums of 0.
    ///
    /// Let `p' = S p` and `D = b' - S b + sum u (r' - S r)`, so that the forms differ by `D / p'`. Every `p L` on the
    /// box stays at least `gap` short of the next multiple of p. If always `D < S gap`, the primed form does not reach
    /// the next integer before the plain one, nor the plain one before it if always `-D < gap'`: the floors are equal.
    const fn merge(&mut self, l: usize, v: u64) -> Signs {
        let na = self.na;
        let mut gap = [0u64; MODES];
        let mut group = [0u8; MODES];
        let mut sum = [0i128; MODES];
        let mut y = 0;
        while y < na {
            let k = self.act[y] as usize;
            // On the grid of the lower leaves only the top leaf moves.
            let g = self.grid[l][k];
            let last = self.b[k] + (v - 1) * self.r[l][k];
            gap[y] = 1 + least_residue(v, g, self.r[l][k] % g, g - 1 - last % g);
            self.steps += 16;
            group[y] = y as u8;
            let mut x = 0;
            while x < y {
                if self.coincide(self.act[x] as usize, k, gap[x], gap[y], l, v) {
                    group[y] = group[x];
                    break;
                }
                x += 1;
            }
            let g = group[y] as usize;
            sum[g] = sum[g].wrapping_add(self.delta[k]);
            y += 1;
        }
        self.na = 0;
        y = 0;
        while y < na {
            if group[y] == y as u8 && sum[y] != 0 {
                self.act[self.na] = self.act[y];
                self.weight[self.na] = sum[y];
                self.na += 1;
            }
            y += 1;
        }
        self.signs()
    }

    /// Are the floors of two forms equal on the box, by the bound on `D`?
    const fn coincide(&mut self, k: usize, k2: usize, gap: u64, gap2: u64, l: usize, v: u64) -> bool {
        let s = self.p[k2] / self.p[k];
        // greatest D and greatest -D, growing leaf by leaf; S r and S gap are at most p'
        let mut most = self.b[k2] as i128 - (s * self.b[k]) as i128;
        let mut least = -most;
        let mut wide = v - 1;
        let mut j = l;
        loop {
            self.steps += 1;
            let d = (self.r[j][k2] as i128 - (s * self.r[j][k]) as i128) * wide as i128;
            if d > 0 {
                most += d
            } else {
                least -= d
            }
            if most >= (s * gap) as i128 || least >= gap2 as i128 {
                return false;
            }
            if j == 0 {
                return true;
            }
            j -= 1;
            wide = self.wide(j);
        }
    }

    /// True if all forms are multiples of one, `L_k = (b_k + unit_k z) / p_k` with one integer form z, and `H` is zero
    /// whatever z the box may reach.
    const fn parallel(&mut self, l: usize, v: u64) -> bool {
        let first = self.act[0] as usize;
        let unit = self.unit[l];
        let mut a = 1;
        while a < self.na {
            let k = self.act[a] as usize;
            let mut j = 0;
            while j <= l {
                self.steps += 1;
                if self.r[j][k] as u128 * unit[first] as u128 != self.r[j][first] as u128 * unit[k] as u128 {
                    return false;
                }
                j += 1;
            }
            a += 1;
        }
        let z = ((v - 1) * self.r[l][first] + self.below[l][first]) / unit[first];
        matches!(self.walk(&unit, z + 1), Walk::Zero)
    }
}

/// Makes `u`, right above leaf l, the corner of a node: `lo` there and zero below.
const fn corner(u: &mut [i64; MODES], l: usize, lo: u64) {
    let mut j = 0;
    while j < l {
        u[j] = 0;
        j += 1;
    }
    u[l] = lo as i64;
}

/// A hash; the caller takes what it needs of its low bits.
const fn slot(key: &[u64; 3]) -> usize {
    let x = key[0] ^ key[1].rotate_left(24) ^ key[2].rotate_left(48);
    ((x ^ x >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize
}

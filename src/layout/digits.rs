//! Layouts as sums of binary digits.

use super::{Layout, MODES};

/// The values `offset + L(c)` modulo `2^K` as `offset ^ (XOR of b_k v_k)`: binary digits, each of which a coordinate switches on,
/// that share no bit with each other. (Each changes `offset` by what its mode adds there; `algebra::linear` says why this is the
/// only form.)
pub(crate) struct Digits {
    digit: [i64; 63],
    len: usize,
    /// every bit that some value has
    pub used: i64,
}

impl Digits {
    /// None when an extent is no power of two (after the periods of `2^K` are split off), or where a sum carries.
    pub const fn of(l: &Layout, offset: i64, k: u32) -> Option<Digits> {
        let mask = (u64::MAX >> (64 - k)) as i64;
        let mut r = Digits { digit: [0; 63], len: 0, used: 0 };
        let mut i = 0;
        while i < l.leaves() {
            let (n, d) = (reduced(l, i, k), l.stride_int(i).coef);
            if n == 0 || !(n as u64).is_power_of_two() {
                return None;
            }
            let mut bit = 1;
            while bit < n {
                let v = (offset.wrapping_add(d.wrapping_mul(bit)) ^ offset) & mask;
                if v & r.used != 0 {
                    return None;
                }
                r.used |= v;
                r.digit[r.len] = v;
                r.len += 1;
                bit *= 2;
            }
            i += 1;
        }
        r.used |= offset & mask;
        Some(r)
    }

    /// The values of `l >= 0` have digits, and share no bit with `offset`.
    pub const fn apart(l: &Layout, offset: i64) -> bool {
        match Digits::of(l, 0, 63) {
            Some(d) => d.used & offset == 0,
            None => false,
        }
    }

    pub const fn values(&self) -> &[i64] {
        self.digit.split_at(self.len).0
    }
}

/// How many coordinates of leaf `i` differ modulo `2^k`: its period if that divides the extent, else the extent; 0 if
/// it depends on a symbol.
pub(crate) const fn reduced(l: &Layout, i: usize, k: u32) -> i64 {
    let (s, d) = (l.extent_int(i), l.stride_int(i));
    let zeros = if d.coef == 0 { k } else { d.coef.trailing_zeros() };
    if zeros >= k || s.is_known() && s.coef == 1 {
        return 1;
    }
    if !d.is_known() {
        return 0;
    }
    let period = 1i64 << (k - zeros);
    if period > 0 && s.coef % period == 0 {
        period
    } else if s.is_known() {
        s.coef
    } else {
        0
    }
}

/// Every bit that a value of `offset + l` may have, for a known layout without negative values: the bits of its digits if there
/// are [`Digits`]; else a sound bound, those between the lowest of the strides and the highest of the largest sum, of modes
/// together only where they may carry into each other.
pub(crate) const fn bits(l: &Layout, offset: i64) -> i64 {
    if let Some(d) = Digits::of(l, offset, 63) {
        return d.used;
    }
    // sums of some modes without common bits: the bits of each, and its largest value
    let mut part = [(0i64, 0i64); MODES + 1];
    let (mut base, mut len, mut i) = (offset, 1, 0);
    while i < l.leaves() {
        let (s, d) = (l.extent_int(i).coef, l.stride_int(i).coef);
        if s > 1 && d < 0 {
            base += (s - 1) * d;
        }
        i += 1;
    }
    part[0] = (base, base);
    i = 0;
    while i < l.leaves() {
        let (s, d) = (l.extent_int(i).coef, l.stride_int(i).coef.wrapping_abs());
        if s > 1 && d != 0 {
            let mut new = (reach(d, (s - 1) * d), (s - 1) * d);
            let mut k = 0;
            while k < len {
                if part[k].0 & new.0 != 0 {
                    let max = part[k].1 + new.1;
                    new = (reach(part[k].0 | new.0, max), max);
                    len -= 1;
                    part[k] = part[len];
                    k = 0;
                } else {
                    k += 1;
                }
            }
            part[len] = new;
            len += 1;
        }
        i += 1;
    }
    let mut all = 0;
    while len > 0 {
        len -= 1;
        all |= part[len].0;
    }
    all
}

/// The bits from the lowest of `unit` to the highest of `max`.
const fn reach(unit: i64, max: i64) -> i64 {
    (u64::MAX >> max.leading_zeros()) as i64 & -(unit & unit.wrapping_neg())
}

//! Does a composition exist? The part that carries decide, without enumerating a domain.
//!
//! # The question
//!
//! Coalesce A to modes `(s_k, d_k)` and put `P_k = s_0 ... s_(k-1)`. The k-th digit of `x` is
//! `floor(x / P_k) - s_k floor(x / P_(k+1))`, so A is linear but for its *carries*:
//!
//! ```text
//! A(x) = d_0 x + sum_k delta_k floor(x / P_k),      delta_k = d_k - s_(k-1) d_(k-1).
//! ```
//!
//! A layout `R` with `R(c) = A(B(c))` has to be linear along each leaf of B as far as that goes (`first_break`); this
//! cuts the leaves of B into *fine* leaves of extent `n_l` and stride `e_l`. On the box of all fine leaves together,
//! what A does to a point differs from what it does to the coordinates one by one by
//!
//! ```text
//! H(u) = A(sum_l e_l u_l) - sum_l u_l A(e_l) = sum_k delta_k floor(L_k(u)),
//! L_k(u) = (sum_l r_lk u_l) / P_k,      r_lk = e_l mod P_k,
//! ```
//!
//! and `R` exists exactly when `H` is zero on the box (`least_nonzero`). A point with `H != 0` refutes every `R`, and
//! the colex-least one is the first place where B's order meets a refutation.
//!
//! # What is easy
//!
//! The floor of `L_k` is zero on the whole box unless `L_k` reaches 1 at the top corner; then `k` is *active*. No
//! active `k`: `H` is zero. Active deltas of one sign: `H` is not zero, and its least witness is the first point where
//! any `L_k` reaches 1, found greedily from the top leaf down. For deltas of both signs the first carry of all is still
//! the least witness unless the deltas that carry there cancel. These are all of the layouts met in practice, save a
//! few.
//!
//! # What is hard
//!
//! What remains is whether carries of opposite sign always cancel, and that encodes subset sum: with
//! `A = (P, P-1, 2):(0, 1, P-2)` and B of extents 2 and strides `a_j (P+1)`, `H(u) = -[sum a_j u_j = P - 1]`. So the
//! search below is exponential at worst. It halves the box from the top leaf, colex-first, and drops a half when
//!
//! * its active deltas vanish once carries whose floors provably coincide there are merged (`merge`);
//! * all forms are multiples of one form `z`, and `H` is zero for every `z` in reach (`parallel`);
//! * the same sub-box, up to multiples of the largest active `P`, was proved zero before (the memo).
//!
//! # The budget
//!
//! A search ends in an exact answer or in `TooHard`; it never guesses. The budget counts turns of inner loops
//! (carries times leaves, and so on), which tracks both the time at run time (one or two nanoseconds a step) and what
//! rustc counts for its `long_running_const_eval` lint when a composition is a constant.
//!
//! # Integers
//!
//! `sum (n_l - 1) e_l` fits in `i64`, hence so does every numerator of an `L_k`, and with an offset below `P_k` it fits
//! in `u64`. Sums of `delta_k floor(..)` wrap in `i128`; their final values do not: `|A(x)| <= max|d| x`, because a
//! number is at least its digit sum, and so `|H(u)| < 2^63 (x + x) <= 2^127` with `x = sum e_l u_l`.

use crate::layout::MODES;

/// One carry of A: `delta * floor(x / p)`. Carries ascend, and each `p` divides the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carry {
    /// Where A carries: a product of its lowest extents, at least 1.
    pub(crate) p: i64,
    /// What it adds to linear growth there, not 0.
    pub(crate) delta: i128,
}

/// A fine leaf of B: A is linear along it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fine {
    /// Extent, at least 1.
    pub(crate) n: i64,
    /// Stride in A's domain, at least 1.
    pub(crate) step: i64,
}

/// The budget ended before the search did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooHard {
    /// Steps that were left to the search, all taken.
    pub(crate) steps: u64,
}

/// Steps in a constant: they stay under rustc's `long_running_const_eval` lint. It fires after 2,000,000 loop
/// back-edges and calls; a step is at most two and a half of these in the searches of `exact/tests.rs`.
/// ```
/// # use girih::{algebra::exact::CONST_BUDGET, prelude::*};
/// // what `compose` spends
/// let (a, b) = (layout!((6,2):(8,2)), layout!((4,3):(3,1)));
/// assert_eq!(a.compose_within(&b, CONST_BUDGET), a.compose(&b));
/// ```
pub const CONST_BUDGET: u64 = 400_000;
/// Steps at run time, unless the caller says otherwise: about two seconds.
/// ```
/// # use girih::{algebra::exact::BUDGET, prelude::*};
/// // for layouts that a user typed, where a wait is better than a refusal
/// let r = layout!((6,2):(8,2)).compose_within(&layout!((4,3):(3,1)), BUDGET)?;
/// assert_eq!(r, layout!(((2,2),3):((24,2),8)));
/// # Ok::<(), Error>(())
/// ```
pub const BUDGET: u64 = 1 << 30;

/// `x mod p` without a division where it is not needed.
#[inline(always)]
const fn rem(x: u64, p: u64) -> u64 {
    if x < p {
        x
    } else if p & (p - 1) == 0 {
        x & (p - 1)
    } else {
        x % p
    }
}

/// Writes the colex-least `u` on `fine` with `b + sum (step_l mod p) u_l >= p`; false if there is none. `b < p`.
#[inline]
const fn first_carry(p: u64, b: u64, fine: &[Fine], u: &mut [i64; MODES]) -> bool {
    let mut r = [0u64; MODES];
    let mut below = 0; // what the leaves below l can still add
    let mut l = 0;
    while l < fine.len() {
        r[l] = rem(fine[l].step as u64, p);
        below += (fine[l].n - 1) as u64 * r[l];
        l += 1;
    }
    let mut need = p - b;
    if below < need {
        return false;
    }
    while l > 0 {
        l -= 1;
        below -= (fine[l].n - 1) as u64 * r[l];
        u[l] = 0;
        if need > below {
            let i = (need - below - 1) / r[l] + 1;
            need = need.saturating_sub(i * r[l]);
            u[l] = i as i64;
        }
    }
    true
}

/// `u` before `w` in colex order, on the leaves up to `n`.
#[inline]
const fn before(u: &[i64; MODES], w: &[i64; MODES], n: usize) -> bool {
    let mut l = n;
    while l > 0 {
        l -= 1;
        if u[l] != w[l] {
            return u[l] < w[l];
        }
    }
    false
}

/// `H(u)`, for `u` in the box.
pub(crate) const fn h(carries: &[Carry], fine: &[Fine], u: &[i64; MODES]) -> i128 {
    let mut sum = 0i128;
    let mut k = 0;
    while k < carries.len() {
        let p = carries[k].p as u64;
        let mut y = 0;
        let mut l = 0;
        while l < fine.len() {
            y += rem(fine[l].step as u64, p) * u[l] as u64;
            l += 1;
        }
        if y >= p {
            sum = sum.wrapping_add(carries[k].delta.wrapping_mul((y / p) as i128));
        }
        k += 1;
    }
    sum
}

/// Least `i` in `[1, lim)` with `H(i) != 0` along one leaf of stride `step`, else `lim`.
pub(crate) const fn first_break(carries: &[Carry], step: i64, lim: i64, budget: &mut u64) -> Result<i64, TooHard> {
    match least_nonzero(carries, &[Fine { n: lim, step }], budget) {
        Ok(Some(u)) => Ok(u[0]),
        Ok(None) => Ok(lim),
        Err(e) => Err(e),
    }
}

/// Colex-least `u` in the box with `H(u) != 0`, None if `H` is zero on it. It takes `carries` in ascending order, each
/// p a divisor of the next, as a carry form has them. The common answers come from here, in a small frame: the search
/// is for carries of both signs, the first of which cancel.
pub(crate) const fn least_nonzero(
    carries: &[Carry],
    fine: &[Fine],
    budget: &mut u64,
) -> Result<Option<[i64; MODES]>, TooHard> {
    let steps = (carries.len() * fine.len()) as u64;
    if steps > *budget {
        return Err(TooHard { steps: *budget });
    }
    *budget -= steps;
    // The first carry of all. Before it H is zero.
    let (mut first, mut u) = ([0i64; MODES], [0i64; MODES]);
    let (mut up, mut down) = (false, false);
    let mut k = 0;
    while k < carries.len() {
        if first_carry(carries[k].p as u64, 0, fine, &mut u) {
            if !(up || down) || before(&u, &first, fine.len()) {
                first = u;
            }
            if carries[k].delta > 0 { up = true } else { down = true }
        }
        k += 1;
    }
    if !up && !down {
        return Ok(None);
    }
    if !(up && down) || h(carries, fine, &first) != 0 {
        return Ok(Some(first));
    }
    search::search(carries, fine, budget)
}

mod search;

#[cfg(test)]
mod tests;

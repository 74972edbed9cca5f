//! Composition behind its fast path: carries that meet, given to the exact search.

use super::exact::{self, Carry, Fine};
use crate::layout::{Layout, LayoutError, MODES};

/// A composition `a o b` that met carries, and the steps that it may still spend on them.
pub(super) struct Pair<'a> {
    pub a: &'a Layout,
    pub b: &'a Layout,
    pub extended: bool,
    pub budget: u64,
}

const NO_CARRY: Carry = Carry { p: 1, delta: 0 };

impl Pair<'_> {
    /// The first `m` carries of A with their true deltas: the fast path has them modulo 2^64.
    const fn carries(&self, m: usize, carries: &mut [Carry; MODES]) {
        let c = if self.extended { self.a.coalesce_extended() } else { self.a.coalesce() };
        let (mut p, mut k) = (1, 0);
        while k < m {
            p *= c.shape[k];
            carries[k] = Carry { p, delta: c.stride[k + 1] as i128 - c.shape[k] as i128 * c.stride[k] as i128 };
            k += 1;
        }
    }

    /// Where the run of `step` ends, when several carries meet there and their deltas may cancel.
    #[cold]
    #[inline(never)]
    pub const fn first_break(&mut self, m: usize, step: i64, lim: i64) -> Result<i64, LayoutError> {
        let mut carries = [NO_CARRY; MODES];
        self.carries(m, &mut carries);
        match exact::first_break(carries.split_at(m).0, step, lim, &mut self.budget) {
            Ok(i) => Ok(i),
            Err(e) => Err(LayoutError::TooHard { steps: e.steps }),
        }
    }

    /// Is H zero on the box of the `n` fine leaves in `out`?
    #[cold]
    #[inline(never)]
    pub const fn decide(&mut self, m: usize, out: &Layout, n: usize) -> Result<(), LayoutError> {
        match self.search(m, out, n) {
            None => Ok(()),
            Some(e) => Err(e),
        }
    }

    /// The last run, of `step`, does not divide what is left of leaf j: refuse with the least witness, which is where that run
    /// ends or an earlier point of the box so far.
    #[cold]
    #[inline(never)]
    pub const fn refuse(&mut self, m: usize, out: &Layout, n: usize, j: usize, step: i64) -> LayoutError {
        if let Some(e) = self.search(m, out, n) {
            return e;
        }
        let (mut weight, mut i) = (1, 0);
        while i < j {
            weight *= self.b.shape[i];
            i += 1;
        }
        let run = out.shape[n - 1];
        let index = weight * (step / self.b.stride[j] * run);
        match self.a.at_extended(step * run) {
            Ok(got) => LayoutError::NoLayout { index, got, forced: out.stride[n - 1] as i128 * run as i128 },
            Err(e) => e,
        }
    }

    /// None when H is zero on the box, or the refusal with the least witness.
    const fn search(&mut self, m: usize, out: &Layout, n: usize) -> Option<LayoutError> {
        let mut carries = [NO_CARRY; MODES];
        self.carries(m, &mut carries);
        let mut fine = [Fine { n: 1, step: 1 }; MODES];
        let mut weight = [0; MODES];
        let count = self.fine_leaves(out, n, &mut fine, &mut weight);
        let (carries, fine) = (carries.split_at(m).0, fine.split_at(count).0);
        match exact::least_nonzero(carries, fine, &mut self.budget) {
            Err(e) => Some(LayoutError::TooHard { steps: e.steps }),
            Ok(None) => None,
            Ok(Some(u)) => {
                let (mut index, mut x, mut l) = (0, 0, 0);
                while l < count {
                    index += u[l] * weight[l];
                    x += u[l] * fine[l].step;
                    l += 1;
                }
                Some(match self.a.at_extended(x) {
                    Ok(got) => LayoutError::NoLayout { index, got, forced: got as i128 - exact::h(carries, fine, &u) },
                    Err(e) => e,
                })
            }
        }
    }

    /// The fine leaves in `out`, with the weight of each in B's one-dimensional coordinate; returns how many.
    const fn fine_leaves(&self, out: &Layout, n: usize, fine: &mut [Fine; MODES], weight: &mut [i64; MODES]) -> usize {
        let (mut i, mut j, mut w, mut count) = (0, 0, 1i64, 0);
        while i < n {
            let (t, e) = (self.b.shape[j], self.b.stride[j]);
            let mut done = 1i64;
            while i < n {
                let run = out.shape[i];
                if t > 1 && e > 0 {
                    fine[count] = Fine { n: run, step: e * done };
                    weight[count] = w * done;
                    count += 1;
                }
                // the last run of a refused leaf may exceed it
                done = done.saturating_mul(run);
                i += 1;
                if done >= t {
                    break;
                }
            }
            w *= t;
            j += 1;
        }
        count
    }
}

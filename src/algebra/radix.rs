//! Left inverses off the chain: another mixed radix.
//!
//! In a radix `n_0, n_1, ..` a layout `R = (n_0,n_1,..):(x_0,x_1,..)` is linear in the digits of its argument, so for a given
//! radix each coordinate i of A is one equation in the strides, `sum_j digit_j(A(i)) x_j = i`. The equations of the steps of
//! the modes are solved in integers, one after another; if the composition `R o A` is then wrong at some coordinate, its
//! equation is added. Each one cuts the dimension of the solutions, so that a radix is decided after a few.
//!
//! The radices tried are first those in which adding the modes never carries, `sum_k (s_k - 1) digit_j(d_k) < n_j` for every j
//! (the first equations then suffice), and then all of them, shortest extents first, as far as the budget goes. Where nothing
//! is found there may be a left inverse beyond the budget.

use super::compose::compose_into;
use super::inverse::{Mode, finish, push};
use super::shape::gcd;
use crate::layout::{Layout, LayoutError, MODES, Nest, divmod};

/// Turns of inner loops, about, before the search gives up; a constant can afford them.
const BUDGET: u64 = 1 << 18;
/// What one composition counts for, and the budget of its own search.
const COMPOSITION: u64 = 1 << 10;
/// Coordinates searched for one where a composition is wrong.
const SCAN: i64 = 1 << 8;

/// `modes`: the live ones, by increasing positive stride; `refusal` when nothing is found.
#[cold]
#[inline(never)]
pub(crate) const fn search(modes: &[Mode], refusal: LayoutError, out: &mut Layout) -> Result<(), LayoutError> {
    tri!(no_collision(modes));
    let mut live = Layout::BLANK;
    let mut k = 0;
    while k < modes.len() {
        live.shape[k] = modes[k].s;
        live.stride[k] = modes[k].d;
        k += 1;
    }
    live.len = k as u8;
    live.nest = Nest::flat(k);
    let mut steps = 0;
    if try_radices(modes, &live, false, &mut steps, out) || try_radices(modes, &live, true, &mut steps, out) {
        Ok(())
    } else {
        Err(refusal)
    }
}

/// Refuses two modes that meet: `c_k d_k = c_l d_l` within their extents.
const fn no_collision(modes: &[Mode]) -> Result<(), LayoutError> {
    let mut k = 0;
    while k < modes.len() {
        let mut l = k + 1;
        while l < modes.len() {
            let (x, y) = (modes[k], modes[l]);
            let g = gcd(x.d as u64, y.d as u64) as i64;
            if y.d / g < x.s && x.d / g < y.s {
                let (i, j) = (y.d / g * x.place, x.d / g * y.place);
                let (first, second) = if i < j { (i, j) } else { (j, i) };
                return Err(LayoutError::NotInjective { first, second });
            }
            l += 1;
        }
        k += 1;
    }
    Ok(())
}

/// Depth-first through the radices; each beginning is also tried with an unbounded last digit.
/// Radices without carries get half of the budget.
const fn try_radices(modes: &[Mode], live: &Layout, carries: bool, steps: &mut u64, out: &mut Layout) -> bool {
    let m = modes.len();
    let budget = if carries { BUDGET } else { BUDGET / 2 };
    let (mut top, mut k) = (0, 0);
    while k < m {
        top += (modes[k].s - 1) * modes[k].d;
        k += 1;
    }
    let mut radix = [1i64; MODES];
    let mut below = [1i64; MODES + 1]; // product of the extents below a digit
    let mut depth = 0;
    loop {
        if radix[depth] == 1 && depth + 1 >= m {
            let system = System::new(radix.split_at(depth).0, below[depth], top);
            if system.solve(modes, live, steps, out) {
                return true;
            }
        }
        // the next extent of this digit
        let mut n = radix[depth] + 1;
        let last = top / below[depth];
        while !carries && n <= last && *steps < budget && digit_sum(modes, below[depth], n) >= n as i128 {
            *steps += m as u64;
            n += 1;
        }
        *steps += 1;
        if *steps > budget {
            return false;
        }
        if n > last || depth + 1 == MODES {
            if depth == 0 {
                return false;
            }
            radix[depth] = 1;
            depth -= 1;
            continue;
        }
        radix[depth] = n;
        below[depth + 1] = below[depth] * n;
        depth += 1;
        radix[depth] = 1;
    }
}

/// The largest digit at `below` of extent `n` over all values, if nothing carries.
const fn digit_sum(modes: &[Mode], below: i64, n: i64) -> i128 {
    let (mut sum, mut k) = (0, 0);
    while k < modes.len() {
        sum += (modes[k].s - 1) as i128 * (modes[k].d / below % n) as i128;
        k += 1;
    }
    sum
}

/// Linear equations for the strides in one radix: `x` solves those so far, `free[..left]` is a basis of the integer solutions
/// of their homogeneous forms.
struct System {
    extent: [i64; MODES],
    digits: usize,
    x: [i128; MODES],
    free: [[i128; MODES]; MODES],
    left: usize,
}

impl System {
    /// The digits `radix`, and a last one that reaches `top`.
    const fn new(radix: &[i64], below: i64, top: i64) -> System {
        let digits = radix.len() + 1;
        let mut s = System { extent: [1; MODES], digits, x: [0; MODES], free: [[0; MODES]; MODES], left: digits };
        let mut i = 0;
        while i < digits {
            s.extent[i] = if i < radix.len() { radix[i] } else { top / below + 1 };
            s.free[i][i] = 1;
            i += 1;
        }
        s
    }

    /// Writes the left inverse in this radix, if there is one.
    const fn solve(mut self, modes: &[Mode], live: &Layout, steps: &mut u64, out: &mut Layout) -> bool {
        let mut k = 0;
        while k < modes.len() {
            if !self.add(modes[k].d, modes[k].place, steps) {
                return false;
            }
            k += 1;
        }
        loop {
            if !self.write(out) {
                return false;
            }
            match violation(out, modes, live, steps) {
                Ok(None) => return true,
                // fails at the latest when no solution is left
                Ok(Some((value, index))) if self.add(value, index, steps) => {}
                _ => return false,
            }
        }
    }

    /// The equation `R(value) = index`; false when it cannot hold too. Euclid's algorithm on the basis leaves one vector that
    /// the equation sees.
    const fn add(&mut self, mut value: i64, index: i64, steps: &mut u64) -> bool {
        *steps += (self.digits * (self.left + 2)) as u64;
        let mut row = [0; MODES];
        let mut i = 0;
        while i < self.digits {
            (value, row[i]) = divmod(value, self.extent[i]);
            i += 1;
        }
        let Some(done) = dot(&row, &self.x, self.digits) else { return false };
        let rest = index as i128 - done;
        let mut seen = [0i128; MODES];
        i = 0;
        while i < self.left {
            let Some(v) = dot(&row, &self.free[i], self.digits) else { return false };
            seen[i] = v;
            i += 1;
        }
        loop {
            *steps += (self.left + MODES) as u64;
            // the vector that the equation sees least, and another one that it sees
            let (mut p, mut other) = (MODES, MODES);
            i = 0;
            while i < self.left {
                if seen[i] != 0 {
                    if p == MODES || seen[i].unsigned_abs() < seen[p].unsigned_abs() {
                        (p, other) = (i, p);
                    } else {
                        other = i;
                    }
                }
                i += 1;
            }
            if p == MODES {
                return rest == 0;
            }
            let vector = self.free[p];
            if other == MODES {
                if rest % seen[p] != 0 || !add_multiple(&mut self.x, rest / seen[p], &vector) {
                    return false;
                }
                self.left -= 1;
                self.free[p] = self.free[self.left];
                return true;
            }
            let times = seen[other] / seen[p];
            if !add_multiple(&mut self.free[other], -times, &vector) {
                return false;
            }
            seen[other] -= times * seen[p];
        }
    }

    const fn write(&self, out: &mut Layout) -> bool {
        let (mut n, mut i) = (0, 0);
        while i < self.digits {
            let stride = self.x[i] as i64;
            if stride as i128 != self.x[i] || self.extent[i] > 1 && push(out, &mut n, self.extent[i], stride).is_err() {
                return false;
            }
            i += 1;
        }
        finish(out, n);
        out.check().is_ok()
    }
}

const fn dot(row: &[i64; MODES], v: &[i128; MODES], n: usize) -> Option<i128> {
    let (mut sum, mut i) = (0i128, 0);
    while i < n {
        let Some(p) = v[i].checked_mul(row[i] as i128) else { return None };
        let Some(s) = sum.checked_add(p) else { return None };
        sum = s;
        i += 1;
    }
    Some(sum)
}

/// `x += times * v`; false on overflow.
const fn add_multiple(x: &mut [i128; MODES], times: i128, v: &[i128; MODES]) -> bool {
    let mut i = 0;
    while i < MODES {
        let Some(p) = v[i].checked_mul(times) else { return false };
        let Some(s) = x[i].checked_add(p) else { return false };
        x[i] = s;
        i += 1;
    }
    true
}

/// A value that `r` reads wrongly, and the coordinate it should read; `Err` when neither that nor its absence is found.
const fn violation(r: &Layout, modes: &[Mode], live: &Layout, steps: &mut u64) -> Result<Option<(i64, i64)>, ()> {
    *steps += COMPOSITION;
    let mut c = Layout::BLANK;
    match compose_into(r, live, false, COMPOSITION, &mut c) {
        Ok(()) => {
            let (mut k, mut done, mut i) = (0, 1, 0);
            while i < c.leaves() {
                if c.stride[i] != modes[k].place * done {
                    return Ok(Some((modes[k].d * done, modes[k].place * done)));
                }
                done *= c.shape[i];
                if done == modes[k].s {
                    k += 1;
                    done = 1;
                }
                i += 1;
            }
            Ok(None)
        }
        Err(LayoutError::NoLayout { index, .. }) => {
            // no layout up to there, so not the right one
            let mut i = if index < SCAN { 1 } else { index };
            while i <= index {
                *steps += modes.len() as u64;
                let (mut rest, mut value, mut place, mut k) = (i, 0, 0, 0);
                while k < modes.len() {
                    let (q, digit) = divmod(rest, modes[k].s);
                    value += digit * modes[k].d;
                    place += digit * modes[k].place;
                    rest = q;
                    k += 1;
                }
                match r.at(value) {
                    Ok(v) if v == place => i += 1,
                    _ => return Ok(Some((value, place))),
                }
            }
            Err(())
        }
        Err(_) => Err(()),
    }
}

//! Left inverses off the chain: a mixed radix in which the modes of a layout add without carries.
//!
//! In a radix `n_0, n_1, ..` a layout `R = (n_0,n_1,..):(x_0,x_1,..)` is linear in the digits of its argument. If the digits
//! of the strides d_k of A satisfy `sum_k (s_k - 1) digit_j(d_k) < n_j` for every j, no value of A carries, and R inverts
//! A from the left iff `sum_j digit_j(d_k) x_j = P_k` for every mode k, `P_k` its step in the one-dimensional coordinate. The
//! search goes through the radices that do not carry, each begun anew with the quotients of the strides, and solves these
//! equations in integers. Where it finds nothing, there may be a left inverse that carries, or one beyond the budget.

use super::inverse::{Mode, finish, push};
use super::shape::gcd;
use crate::layout::{Layout, LayoutError, MODES};

/// Steps before the search gives up; a constant can afford them.
const BUDGET: u64 = 1 << 14;
/// Steps that one system of equations counts for.
const SYSTEM: u64 = 128;

/// What is left of the strides below some digit, and the next radix.
#[derive(Clone, Copy)]
struct Frame {
    quotient: [i64; MODES],
    radix: i64,
}

/// `modes`: the live ones, by increasing positive stride; `refusal` when nothing is found.
#[cold]
#[inline(never)]
pub(crate) const fn search(modes: &[Mode], refusal: LayoutError, out: &mut Layout) -> Result<(), LayoutError> {
    let m = modes.len();
    tri!(no_collision(modes));
    let mut frame = [Frame { quotient: [0; MODES], radix: 1 }; MODES];
    let mut k = 0;
    while k < m {
        frame[0].quotient[k] = modes[k].d;
        k += 1;
    }
    let (mut depth, mut steps) = (0, 0u64);
    loop {
        let q = frame[depth].quotient;
        if frame[depth].radix == 1 && depth + 1 >= m {
            // the digits so far, and the quotients as the last one
            steps += SYSTEM;
            if solve(modes, &frame, depth + 1, out) {
                return Ok(());
            }
        }
        let mut n = frame[depth].radix + 1;
        while depth + 1 < MODES && n <= q[m - 1] && steps < BUDGET {
            steps += m as u64;
            if digit_sum(modes, &q, n) < n as i128 {
                break;
            }
            n += 1;
        }
        if steps >= BUDGET {
            return Err(refusal);
        }
        if depth + 1 == MODES || n > q[m - 1] {
            if depth == 0 {
                return Err(refusal);
            }
            depth -= 1;
            continue;
        }
        frame[depth].radix = n;
        depth += 1;
        frame[depth].radix = 1;
        k = 0;
        while k < m {
            frame[depth].quotient[k] = q[k] / n;
            k += 1;
        }
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
                return Err(LayoutError::NotInjective {
                    first: if i < j { i } else { j },
                    second: if i < j { j } else { i },
                });
            }
            l += 1;
        }
        k += 1;
    }
    Ok(())
}

/// The largest digit of a value in radix `n`, if nothing carries.
const fn digit_sum(modes: &[Mode], quotient: &[i64; MODES], n: i64) -> i128 {
    let (mut sum, mut k) = (0, 0);
    while k < modes.len() {
        sum += (modes[k].s - 1) as i128 * (quotient[k] % n) as i128;
        k += 1;
    }
    sum
}

/// Strides for the `digits` digits, the last one unbounded, written to `out` with the radices.
///
/// One equation after another: `x` solves those so far and `free[..left]` is a basis of the integer solutions of their
/// homogeneous parts; Euclid's algorithm on the basis leaves one vector that the next equation sees.
const fn solve(modes: &[Mode], frame: &[Frame; MODES], digits: usize, out: &mut Layout) -> bool {
    let mut x = [0i128; MODES];
    let mut free = [[0i128; MODES]; MODES];
    let mut i = 0;
    while i < digits {
        free[i][i] = 1;
        i += 1;
    }
    let mut left = digits;
    let mut k = 0;
    while k < modes.len() {
        let mut row = [0; MODES];
        i = 0;
        while i < digits {
            let q = frame[i].quotient[k];
            row[i] = if i + 1 < digits { q % frame[i].radix } else { q };
            i += 1;
        }
        let Some(done) = dot(&row, &x) else { return false };
        let mut rest = modes[k].place as i128 - done;
        let mut seen = [0i128; MODES];
        i = 0;
        while i < left {
            let Some(v) = dot(&row, &free[i]) else { return false };
            seen[i] = v;
            i += 1;
        }
        loop {
            // the vector that the equation sees least, and another one that it sees
            let (mut p, mut other) = (MODES, MODES);
            i = 0;
            while i < left {
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
                break;
            }
            if other == MODES {
                if rest % seen[p] != 0 {
                    return false;
                }
                if !add(&mut x, rest / seen[p], &free[p]) {
                    return false;
                }
                rest = 0;
                left -= 1;
                free[p] = free[left];
                break;
            }
            let times = seen[other] / seen[p];
            let vector = free[p];
            if !add(&mut free[other], -times, &vector) {
                return false;
            }
            seen[other] -= times * seen[p];
        }
        if rest != 0 {
            return false;
        }
        k += 1;
    }
    write(modes, frame, digits, &x, out)
}

const fn dot(row: &[i64; MODES], v: &[i128; MODES]) -> Option<i128> {
    let (mut sum, mut i) = (0i128, 0);
    while i < MODES {
        match v[i].checked_mul(row[i] as i128) {
            Some(p) => match sum.checked_add(p) {
                Some(s) => sum = s,
                None => return None,
            },
            None => return None,
        }
        i += 1;
    }
    Some(sum)
}

/// `x += times * v`; false on overflow.
const fn add(x: &mut [i128; MODES], times: i128, v: &[i128; MODES]) -> bool {
    let mut i = 0;
    while i < MODES {
        match v[i].checked_mul(times) {
            Some(p) => match x[i].checked_add(p) {
                Some(s) => x[i] = s,
                None => return false,
            },
            None => return false,
        }
        i += 1;
    }
    true
}

const fn write(modes: &[Mode], frame: &[Frame; MODES], digits: usize, x: &[i128; MODES], out: &mut Layout) -> bool {
    let (mut n, mut i) = (0, 0);
    while i < digits {
        let extent = if i + 1 < digits {
            frame[i].radix as i128
        } else {
            digit_sum(modes, &frame[i].quotient, i64::MAX) + 1 // quotients are far below the radix: the whole sum
        };
        if extent as i64 as i128 != extent || x[i] as i64 as i128 != x[i] {
            return false;
        }
        if extent > 1 && push(out, &mut n, extent as i64, x[i] as i64).is_err() {
            return false;
        }
        i += 1;
    }
    finish(out, n);
    out.check().is_ok()
}

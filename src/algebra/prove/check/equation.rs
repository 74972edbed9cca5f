//! That an equation has no solution in a box: the descent repeated, or the lattice enumerated.

use crate::algebra::prove::certificate::Basis;
use crate::algebra::prove::equation::NoSolution;
use num_integer::{div_ceil, div_floor, gcd};

pub(super) fn dot(a: impl IntoIterator<Item = i128>, b: impl IntoIterator<Item = i128>) -> Option<i128> {
    a.into_iter().zip(b).try_fold(0i128, |sum, (x, y)| sum.checked_add(x.checked_mul(y)?))
}

/// None once all steps are taken.
pub(super) fn spend(steps: &mut u64, cost: u64) -> Option<()> {
    let left = steps.checked_sub(cost);
    *steps = left.unwrap_or(0);
    left.map(drop)
}

/// Whether `sum a_k x_k = t` has no solution with `lo_k <= x_k <= hi_k`, for terms `(a, lo, hi)`.
pub(super) fn unsolvable(terms: &[(i128, i128, i128)], t: i128, proof: &NoSolution, steps: &mut u64) -> Option<bool> {
    match proof {
        NoSolution::Descent => {
            let least: i128 = terms.iter().map(|&(a, lo, hi)| (a * lo).min(a * hi)).sum();
            let live = |&(a, lo, hi): &(i128, i128, i128)| (a != 0 && lo < hi).then(|| (a.abs(), hi - lo));
            let mut sorted: Vec<(i128, i128)> = terms.iter().filter_map(live).collect();
            sorted.sort_unstable();
            // terms without holes between them count as one; values that a group may not take only weaken the proof
            let mut groups: Vec<(i128, i128)> = Vec::new();
            for (a, w) in sorted {
                match groups.iter_mut().rev().find(|g| a % g.0 == 0 && a / g.0 <= g.1 + 1) {
                    Some(g) => g.1 += a / g.0 * w,
                    None => groups.push((a, w)),
                }
            }
            Some(terms.iter().any(|&(_, lo, hi)| lo > hi) || descends(&groups, t - least, steps)?)
        }
        NoSolution::Lattice(b) => lattice(b, terms, t, false, steps),
    }
}

/// The same in a basis of the lattice; with `zero`, the solution 0 does not count (in a box around it, each term alone).
pub(super) fn lattice(b: &Basis, terms: &[(i128, i128, i128)], t: i128, zero: bool, steps: &mut u64) -> Option<bool> {
    let least: i128 = terms.iter().map(|&(a, lo, hi)| (a * lo).min(a * hi)).sum();
    let width = terms.iter().map(|&(a, lo, hi)| (a.abs(), hi - lo)).collect::<Vec<_>>();
    let [groups, rest] = grouped(&b.groups, &width)?;
    let g = inverse(b, &groups.iter().map(|g| g.0).collect::<Vec<_>>())?;
    if zero && (b.groups.iter().any(|g| g.len() > 1) || terms.iter().any(|t| t.1 + t.2 != 0)) {
        return None;
    }
    if rest.iter().any(|&(a, w)| w != 0 && (zero || a != 0)) {
        return None;
    }
    // every group from the least value, and up to the largest, that the others can complete
    let t = t - least;
    let over = groups.iter().map(|g| g.0 * g.1).sum::<i128>() - t;
    let low = |&(a, w): &(i128, i128)| if zero { 0 } else { w - div_floor(over, a).min(w) };
    let high = |&(a, w): &(i128, i128)| if zero { w } else { div_floor(t, a).min(w) };
    let rest = t - groups.iter().map(|g| g.0 * low(g)).sum::<i128>();
    let groups = groups.iter().map(|g| (g.0, high(g) - low(g))).collect::<Vec<_>>();
    let m = b.columns.len();
    Some(
        rest % g != 0
            || groups.iter().any(|g| g.1 < 0)
            || empty(b, &groups, rest / g, zero, &mut vec![0; m], m, steps)?,
    )
}

/// Unit and width of groups of terms `(a, width)`: their sums are multiples of the unit up to a width. And the other terms.
pub(super) fn grouped(groups: &[Vec<usize>], terms: &[(i128, i128)]) -> Option<[Vec<(i128, i128)>; 2]> {
    let mut free = terms.iter().copied().map(Some).collect::<Vec<_>>();
    let mut out = Vec::new();
    for group in groups {
        let (mut unit, mut width) = (0, 0i128);
        for &k in group {
            let (a, w) = free.get_mut(k)?.take()?;
            unit = if unit == 0 { a } else { unit };
            // without a hole between them
            if a.checked_rem(unit)? != 0 || a / unit > width + 1 {
                return None;
            }
            width += a / unit * w;
        }
        if unit == 0 {
            return None;
        }
        out.push((unit, width));
    }
    Some([out, free.into_iter().flatten().collect()])
}

/// Whether the groups cannot sum to `t`.
fn descends(groups: &[(i128, i128)], t: i128, steps: &mut u64) -> Option<bool> {
    let Some((&(a, w), rest)) = groups.split_last() else { return Some(t != 0) };
    let below: i128 = rest.iter().map(|g| g.0 * g.1).sum();
    let common = rest.iter().fold(0, |x, g| gcd(x, g.0));
    let e = num_integer::Integer::extended_gcd(&a, &common);
    if t % e.gcd != 0 {
        return Some(true);
    }
    let modulus = (common / e.gcd).max(1);
    let low = div_ceil((t - below).max(0), a);
    let mut x = low + ((t / e.gcd % modulus) * (e.x % modulus) - low).rem_euclid(modulus);
    while x <= div_floor(t, a).min(w) {
        spend(steps, 1)?;
        if !descends(rest, t - a * x, steps)? {
            return Some(false);
        }
        x += modulus;
    }
    Some(true)
}

/// The gcd g of the coefficients, if columns with z, and rows with `a / g`, are inverse to each other.
pub(super) fn inverse(b: &Basis, a: &[i128]) -> Option<i128> {
    let (n, g) = (a.len(), a.iter().fold(0, |x, &a| gcd(x, a)));
    let shape = [&b.columns, &b.rows, &b.bounds].iter().all(|m| m.len() + 1 == n) && b.z.len() == n && g > 0;
    let square = b.columns.iter().chain(&b.rows).chain(&b.bounds).all(|v| v.len() == n);
    let entry = |k: usize, l: usize| {
        let column = b.columns.iter().map(|c| c[k]).chain([b.z[k]]);
        dot(column, b.rows.iter().map(|r| r[l]).chain([a[l] / g]))
    };
    let identity = || (0..n).all(|k| (0..n).all(|l| entry(k, l) == Some((k == l) as i128)));
    (shape && square && identity()).then_some(g)
}

/// Whether no point of the lattice is in the box of the groups, `y_i ..` given.
fn empty(
    b: &Basis,
    on: &[(i128, i128)],
    t: i128,
    zero: bool,
    y: &mut [i128],
    i: usize,
    steps: &mut u64,
) -> Option<bool> {
    let Some(level) = i.checked_sub(1) else {
        let mut middle = true;
        for (k, &(_, w)) in on.iter().enumerate() {
            let v = dot(b.columns.iter().map(|c| c[k]), y.iter().copied())?.checked_add(b.z[k].checked_mul(t)?)?;
            if v < 0 || v > w {
                return Some(true);
            }
            middle &= 2 * v == w;
        }
        return Some(zero && middle);
    };
    let u = b.bounds.get(level).filter(|u| u.len() == on.len())?;
    let q = dot(u.iter().copied(), b.columns[level].iter().copied())?;
    let (min, max) = range(u, on)?;
    let given = product(b, u, t, y, level + 1)?;
    if q < 1 || b.columns[..level].iter().any(|c| dot(u.iter().copied(), c.iter().copied()) != Some(0)) {
        return None;
    }
    let cost = (on.len() * (b.bounds.len() + 1 - level)) as u64;
    for v in div_ceil(min.checked_sub(given)?, q)..=div_floor(max.checked_sub(given)?, q) {
        spend(steps, cost)?;
        y[level] = v;
        if !beyond(b, on, t, y, level)? && !empty(b, on, t, zero, y, level, steps)? {
            return Some(false);
        }
    }
    Some(true)
}

/// Least and largest product with a vector over the box.
fn range(u: &[i128], on: &[(i128, i128)]) -> Option<(i128, i128)> {
    u.iter().zip(on).try_fold((0i128, 0i128), |(min, max), (&c, &(_, w))| {
        let p = c.checked_mul(w)?;
        Some((min.checked_add(p.min(0))?, max.checked_add(p.max(0))?))
    })
}

/// The product with a solution whose coefficients from `i` on are given, for a vector orthogonal to the columns before.
fn product(b: &Basis, u: &[i128], t: i128, y: &[i128], i: usize) -> Option<i128> {
    let column = |c: &Vec<i128>| dot(u.iter().copied(), c.iter().copied());
    let start = column(&b.z)?.checked_mul(t)?;
    b.columns.iter().zip(y).skip(i).try_fold(start, |s, (c, y)| s.checked_add(column(c)?.checked_mul(*y)?))
}

/// Whether no point of the box has these coefficients from `i` on: a combination of the bounding vectors is out of its range.
/// Any combination may be tried; that in the direction from the middle of the box succeeds most.
fn beyond(b: &Basis, on: &[(i128, i128)], t: i128, y: &[i128], i: usize) -> Option<bool> {
    let a = on.iter().map(|g| g.0).collect::<Vec<_>>();
    let vectors = || b.bounds[i..].iter().chain([&a]);
    let mut factor = Vec::new();
    for u in vectors() {
        let (min, max) = range(u, on)?;
        let length: f64 = u.iter().zip(on).map(|(&c, &(_, w))| (c as f64 * w as f64).powi(2)).sum();
        factor.push((product(b, u, t, y, i)? as f64 - (min as f64 + max as f64) / 2.) / length.max(1.));
    }
    let largest = factor.iter().fold(0f64, |l, f| l.max(f.abs()));
    let factor = factor.iter().map(|f| (f / largest * 65536.).round() as i128).collect::<Vec<_>>();
    let u = (0..on.len()).map(|k| dot(factor.iter().copied(), vectors().map(|u| u[k]))).collect::<Option<Vec<_>>>()?;
    let (min, max) = range(&u, on)?;
    let value = product(b, &u, t, y, i)?;
    Some(value < min || value > max)
}

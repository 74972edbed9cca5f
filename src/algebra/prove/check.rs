//! The checker. It is short, independent of the prover, and everything rests on it.

use super::certificate::{Basis, Certificate, Core, Flaw, Piece, Proof};
use super::claim::{Claim, Image};
use super::equation::NoSolution;
use num_integer::{div_ceil, div_floor, gcd};

/// Branches that one check looks at; a point of a lattice counts as the numbers that it is bounded by.
const LIMIT: u64 = 1 << 24;

/// Pieces within pieces: the check recurses.
const DEPTH: u32 = 1000;

/// A box of coordinates with a value at each: extents and strides of the leaves of extent above 1, and the value of the first.
struct Grid {
    leaf: Vec<(i128, i128)>,
    first: i128,
}

impl Grid {
    fn of(a: &Image) -> Option<Grid> {
        let (shape, stride) = a.layout.known_leaves()?;
        let leaf = shape.iter().zip(stride).filter(|l| *l.0 > 1).map(|(&n, &d)| (n as i128, d as i128)).collect();
        Some(Grid { leaf, first: a.offset as i128 })
    }

    /// Least and largest value.
    fn range(&self) -> (i128, i128) {
        let sum = |pick: fn(i128, i128) -> i128| self.leaf.iter().map(|&(n, d)| pick((n - 1) * d, 0)).sum::<i128>();
        (self.first + sum(i128::min), self.first + sum(i128::max))
    }
}

fn dot(a: impl IntoIterator<Item = i128>, b: impl IntoIterator<Item = i128>) -> Option<i128> {
    a.into_iter().zip(b).try_fold(0i128, |sum, (x, y)| sum.checked_add(x.checked_mul(y)?))
}

impl Certificate {
    /// Whether it proves its claim (for all values of the symbols that keep their promises and what is assumed).
    ///
    /// # Errors
    /// What is wrong, or that it takes more than about a second to check.
    /// ```
    /// use girih::algebra::prove;
    /// use girih::prelude::*;
    /// let certificate = prove::injective(&layout!((4,8):(8,1))).proved().unwrap();
    /// assert_eq!(certificate.check(), Ok(()));
    /// ```
    pub fn check(&self) -> Result<(), Flaw> {
        if !self.assuming.is_empty() || self.claim.is_symbolic() {
            return super::condition::check(self);
        }
        let mut steps = LIMIT;
        match proves(&self.claim, &self.proof, &mut steps) {
            Some(true) => Ok(()),
            Some(false) => Err(Flaw("a condition of the proof does not hold")),
            None if steps == 0 => Err(Flaw("it is too long to check")),
            None => Err(Flaw("the proof is of another kind, or its numbers overflow")),
        }
    }
}

/// None once all steps are taken.
fn spend(steps: &mut u64, cost: u64) -> Option<()> {
    let left = steps.checked_sub(cost);
    *steps = left.unwrap_or(0);
    left.map(drop)
}

/// None: the proof does not fit the claim, or numbers overflow.
fn proves(claim: &Claim, proof: &Proof, steps: &mut u64) -> Option<bool> {
    let cover = |whole: &Image, family: &[Image], steps: &mut u64| match proof {
        Proof::Cover { cores, piece } => {
            let family = family.iter().map(Grid::of).collect::<Option<Vec<_>>>()?;
            let checked = |c| core(c, family.get(c.member)?).map(|interval| (c, interval));
            let cores = cores.iter().map(checked).collect::<Option<Vec<_>>>()?;
            covered(Grid::of(whole)?, &family, &cores, piece, DEPTH, steps)
        }
        _ => None,
    };
    Some(match claim {
        Claim::Injective(a) => injective(&Grid::of(&a.into())?, proof, steps)?,
        Claim::Bijective { image, lo, size } => {
            let (grid, lo, size) = (Grid::of(image)?, *lo as i128, size.value()? as i128);
            let count = grid.leaf.iter().map(|l| l.0).product::<i128>();
            let (min, max) = grid.range();
            count == size && min >= lo && max < lo + size && injective(&grid, proof, steps)?
        }
        Claim::Onto { lo, hi, .. } if lo == hi => true,
        Claim::Onto { image, lo, hi } => cover(&Image::range(*lo, *hi).ok()?, &[*image], steps)?,
        Claim::Contiguous(a) => {
            let (min, max) = a.image_range().ok()?;
            cover(&Image::range(min, max.checked_add(1)?).ok()?, &[a.into()], steps)?
        }
        Claim::Covers { whole, family } => cover(whole, family, steps)?,
        Claim::Inside(a, b) => cover(a, &[*b], steps)?,
        Claim::Disjoint(family) => {
            let Proof::NoSolution(list) = proof else { return None };
            let grids = family.iter().map(Grid::of).collect::<Option<Vec<_>>>()?;
            let pairs = (0..grids.len()).flat_map(|q| (0..q).map(move |p| (p, q)));
            let mut list = list.iter();
            for (p, q) in pairs {
                let (x, y) = (&grids[p], &grids[q]);
                let terms = x.leaf.iter().map(|&(n, d)| (d, 0, n - 1));
                let terms = terms.chain(y.leaf.iter().map(|&(n, d)| (-d, 0, n - 1))).collect::<Vec<_>>();
                if !unsolvable(&terms, y.first - x.first, list.next()?, steps)? {
                    return Some(false);
                }
            }
            list.next().is_none()
        }
        Claim::Equal(a, b) => coalesced(&Grid::of(&a.into())?) == coalesced(&Grid::of(&b.into())?),
        Claim::Vectors { a, b, width } => {
            let Proof::Digits(digits) = proof else { return None };
            let alike = *width >= 1 && a.layout.size().ok()? == b.layout.size().ok()?;
            alike && vectors(&Grid::of(a)?, digits, *width as i128)? && vectors(&Grid::of(b)?, digits, *width as i128)?
        }
        Claim::Monotone { layout, strict } => {
            let (mut reach, mut rises) = (0i128, true);
            for (n, d) in Grid::of(&layout.into())?.leaf.into_iter().filter(|l| l.0 > 1) {
                rises &= if *strict { d > reach } else { d >= reach };
                reach += (n - 1) * d;
            }
            rises
        }
        Claim::Aligned { image, to } => {
            let grid = Grid::of(image)?;
            let aligned = |v: i128| v.checked_rem(*to as i128) == Some(0);
            aligned(grid.first) && grid.leaf.iter().all(|&(n, d)| n == 1 || aligned(d))
        }
        Claim::Fits { image, bits, signed } => {
            let grid = Grid::of(image)?;
            let (min, max) = grid.range();
            let (min, max) = (min.min(min - grid.first).min(grid.first), max.max(max - grid.first).max(grid.first));
            let top = 1i128.checked_shl(bits.checked_sub(*signed as u32)?).filter(|_| *bits <= 64)?;
            max < top && min >= if *signed { -top } else { 0 }
        }
    })
}

fn injective(a: &Grid, proof: &Proof, steps: &mut u64) -> Option<bool> {
    match proof {
        Proof::Chain(order) => {
            let mut rest: Vec<_> = a.leaf.iter().map(|&(n, d)| Some((n - 1, d.abs()))).collect();
            let mut reach = 0;
            for &k in order {
                let (last, d) = rest.get_mut(k)?.take()?;
                if last > 0 && d <= reach {
                    return Some(false);
                }
                reach += last * d;
            }
            Some(rest.iter().flatten().all(|&(last, _)| last == 0))
        }
        // two coordinates of one value differ by a solution of sum d_k v_k = 0, positive at the highest leaf where they differ
        Proof::Descent => (0..a.leaf.len()).try_fold(true, |all, k| {
            let term = |(l, &(n, d)): (usize, &(i128, i128))| (d, if l < k { 1 - n } else { 1 }, n - 1);
            let terms = a.leaf[..=k].iter().enumerate().map(term).collect::<Vec<_>>();
            Some(all && unsolvable(&terms, 0, &NoSolution::Descent, steps)?)
        }),
        Proof::Lattice(b) => {
            let terms = a.leaf.iter().map(|&(n, d)| (d, 1 - n, n - 1)).collect::<Vec<_>>();
            lattice(b, &terms, 0, true, steps)
        }
        _ => None,
    }
}

/// Whether `sum a_k x_k = t` has no solution with `lo_k <= x_k <= hi_k`, for terms `(a, lo, hi)`.
fn unsolvable(terms: &[(i128, i128, i128)], t: i128, proof: &NoSolution, steps: &mut u64) -> Option<bool> {
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
fn lattice(b: &Basis, terms: &[(i128, i128, i128)], t: i128, zero: bool, steps: &mut u64) -> Option<bool> {
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
fn grouped(groups: &[Vec<usize>], terms: &[(i128, i128)]) -> Option<[Vec<(i128, i128)>; 2]> {
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
fn inverse(b: &Basis, a: &[i128]) -> Option<i128> {
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

/// The multiples of the first number from the second to the third that a core promises, checked.
fn core(c: &Core, image: &Grid) -> Option<(i128, i128, i128)> {
    let terms = image.leaf.iter().map(|&(n, d)| (d.abs(), n - 1)).collect::<Vec<_>>();
    let [groups, _] = grouped(&c.basis.groups, &terms)?;
    let g = inverse(&c.basis, &groups.iter().map(|g| g.0).collect::<Vec<_>>())?;
    // twice how far rounding moves a coordinate
    let far = |k: usize| c.basis.columns.iter().try_fold(0i128, |s, v| s.checked_add(v[k].checked_abs()?));
    let far = (0..groups.len()).map(far).collect::<Option<Vec<_>>>()?;
    let all = groups.iter().map(|&(a, w)| 2 * a * w).sum::<i128>();
    let edge = dot(groups.iter().map(|g| g.0), far.iter().copied())?;
    let min = image.range().0;
    let room = far.iter().zip(&groups).all(|(f, g)| *f <= g.1);
    room.then(|| (g, min + div_ceil(edge, 2 * g) * g, min + div_floor(all - edge, 2 * g) * g))
}

/// Whether every value of the box is one of an image.
fn covered(
    mut x: Grid,
    family: &[Grid],
    cores: &[(&Core, (i128, i128, i128))],
    piece: &Piece,
    depth: u32,
    steps: &mut u64,
) -> Option<bool> {
    spend(steps, 1)?;
    let depth = depth.checked_sub(1)?;
    Some(match piece {
        Piece::Core { core, base } => {
            let (core, (g, lo, hi)) = cores.get(*core)?;
            let leaf = &family.get(core.member)?.leaf;
            let mut fits = base.len() == leaf.len();
            let mut moved = 0;
            for (k, (c, &(n, d))) in base.iter().map(|c| *c as i128).zip(leaf).enumerate() {
                if !core.basis.groups.iter().flatten().any(|g| *g == k) {
                    moved += d * c - (d * (n - 1)).min(0);
                    fits &= 0 <= c && c < n;
                }
            }
            let (min, max) = x.range();
            let (min, max, first) = (min - moved, max - moved, x.first - moved);
            fits && min >= *lo
                && max <= *hi
                && (first - lo) % g == 0
                && x.leaf.iter().all(|&(n, d)| n == 1 || d % g == 0)
        }
        Piece::Affine { member, base, moves } => {
            let to = family.get(*member)?;
            let value = |c: &[i64]| {
                (c.len() == to.leaf.len()).then(|| dot(c.iter().map(|&c| c as i128), to.leaf.iter().map(|l| l.1)))?
            };
            let (mut low, mut high) = (
                base.iter().map(|&c| c as i128).collect::<Vec<_>>(),
                base.iter().map(|&c| c as i128).collect::<Vec<_>>(),
            );
            let mut same = to.first.checked_add(value(base)?)? == x.first && moves.len() == x.leaf.len();
            for (step, &(n, d)) in moves.iter().zip(&x.leaf) {
                same &= value(step)? == d || n == 1;
                for (l, &c) in step.iter().enumerate() {
                    let end = (n - 1).checked_mul(c as i128)?;
                    low[l] = low[l].checked_add(end.min(0))?;
                    high[l] = high[l].checked_add(end.max(0))?;
                }
            }
            same && low.iter().all(|&c| c >= 0) && high.iter().zip(&to.leaf).all(|(&c, l)| c < l.0)
        }
        Piece::Refine { leaf, by, rest } => {
            let (by, (n, d)) = (*by as i128, *x.leaf.get(*leaf)?);
            if by < 1 || n % by != 0 {
                return Some(false);
            }
            x.leaf[*leaf] = (by, d);
            x.leaf.insert(leaf + 1, (n / by, d * by));
            covered(x, family, cores, rest, depth, steps)?
        }
        Piece::Split { leaf, at, parts } => {
            let (at, &(n, d)) = (*at as i128, x.leaf.get(*leaf)?);
            if at < 1 || at >= n {
                return Some(false);
            }
            let mut upper = Grid { leaf: x.leaf.clone(), first: x.first + at * d };
            upper.leaf[*leaf].0 = n - at;
            x.leaf[*leaf].0 = at;
            covered(x, family, cores, &parts.0, depth, steps)? && covered(upper, family, cores, &parts.1, depth, steps)?
        }
    })
}

/// Extent, stride and index weight of the leaves, neighbours joined where the one continues the other.
fn coalesced(a: &Grid) -> Vec<(i128, i128, i128)> {
    let mut leaf: Vec<(i128, i128, i128)> = Vec::new();
    for &(n, d) in &a.leaf {
        let p = leaf.last().map_or(1, |l| l.2 * l.0);
        match leaf.last_mut() {
            Some(l) if l.0 * l.1 == d => l.0 *= n,
            _ => leaf.push((n, d, p)),
        }
    }
    leaf
}

/// Whether these digits run through whole vectors of consecutive values, and everything else steps over whole vectors.
fn vectors(a: &Grid, digits: &[(i64, i64, bool)], width: i128) -> Option<bool> {
    let (mut leaf, mut run, mut first) = (coalesced(a), 1i128, a.first);
    for (p, n, backwards) in digits.iter().map(|&(p, n, b)| (p as i128, n as i128, b)) {
        let k = leaf.iter().position(|l| l.2 <= p && p < l.2 * l.0)?;
        let (extent, d, q) = leaf.swap_remove(k);
        let below = p / q;
        if n < 1
            || p % q != 0
            || extent % below != 0
            || (extent / below) % n != 0
            || d * below != if backwards { -run } else { run }
        {
            return Some(false);
        }
        leaf.push((below, d, q));
        leaf.push((extent / below / n, d * below * n, p * n));
        first += d.min(0) * below * (n - 1);
        run = run.checked_mul(n)?;
    }
    Some(run % width == 0 && first % width == 0 && leaf.iter().all(|l| l.0 == 1 || l.1 % width == 0))
}

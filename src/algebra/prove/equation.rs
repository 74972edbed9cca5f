//! One linear equation over a box of integers: is there an `x` with `sum a_k x_k = t` and `lo_k <= x_k <= hi_k`?
//!
//! First by descent: the terms are tried from the largest coefficient down, and of each coordinate only the values that
//! leave a remainder within reach of the smaller terms (an interval) and divisible by their gcd (a residue class, by
//! extended gcd). Terms that together reach every multiple of the smallest of them count as one. Layouts that people write
//! end here within a few steps. If the descent branches too often, the solutions are enumerated in a reduced basis of the
//! lattice of solutions ([`Lattice`]), where the box is short in few directions only.

use super::certificate::Basis;
use super::lattice::Lattice;
use num_integer::{ExtendedGcd, div_ceil, div_floor};

/// The steps allowed have been taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooHard;

/// How it was found that an equation has no solution in a box.
/// ```
/// use girih::algebra::prove::{self, Image, NoSolution, Proof};
/// use girih::prelude::*;
/// let rows = [Image::new(&layout!(8:1), 0), Image::new(&layout!(8:1), 8)];
/// let c = prove::disjoint(&rows).proved().unwrap();
/// assert_eq!(c.proof, Proof::NoSolution(vec![NoSolution::Descent]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoSolution {
    /// The descent over intervals and residue classes ends without one; whoever checks repeats it.
    Descent,
    /// So does the enumeration in a basis of the lattice of integer solutions.
    Lattice(Box<Basis>),
}

/// Branches of a descent before the lattice is tried.
const DESCENT: u64 = 64;

/// Terms whose sum takes exactly the values `a * [0, width]`, once each coordinate counts from its end.
pub(super) struct Group {
    pub a: i128,
    pub width: i128,
    /// the terms, ascending, and their coefficients as multiples of `a`
    members: Vec<(usize, i128)>,
}

impl Group {
    fn terms(&self) -> Vec<usize> {
        self.members.iter().map(|m| m.0).collect()
    }
}

/// Coefficients, and what was learned about them in earlier questions.
pub(super) struct Solver<'a> {
    pub a: &'a [i64],
    steps: &'a mut u64,
    lattice: Option<Lattice>,
    /// how the last question without a solution was answered
    pub why: NoSolution,
}

impl<'a> Solver<'a> {
    pub fn new(a: &'a [i64], steps: &'a mut u64) -> Solver<'a> {
        Solver { a, steps, lattice: None, why: NoSolution::Descent }
    }

    /// Some solution in the box, if there is one.
    pub fn solve(&mut self, lo: &[i64], hi: &[i64], t: i128) -> Result<Option<Vec<i64>>, TooHard> {
        if let Some(found) = self.descend(lo, hi, t) {
            self.why = NoSolution::Descent;
            return Ok(found);
        }
        let mut groups = groups(self.a, lo, hi);
        let mut t = t - self.start(lo, hi).1;
        let Some(least) = tighten(&mut groups, &mut t) else { return Ok(None) };
        let lattice = self.lattice(&groups)?;
        let width: Vec<i128> = groups.iter().map(|g| g.width).collect();
        let x = lattice.find(&width, t, None, self.steps)?;
        if x.is_none() {
            self.why = NoSolution::Lattice(Box::new(lattice.basis.clone()));
        }
        self.lattice = Some(lattice);
        let value = |x: Vec<i128>| x.iter().zip(&least).map(|(x, l)| x + l).collect::<Vec<_>>();
        Ok(x.map(|x| self.spread(&groups, &value(x), lo, hi)))
    }

    /// A basis that shows that 0 is the only solution for `t = 0` with `|x_k| <= hi_k`; None if there is another.
    pub fn only_zero(&mut self, hi: &[i64]) -> Result<Option<Basis>, TooHard> {
        let lone = |(k, (&a, &h)): (usize, (&i64, &i64))| Group {
            a: a.unsigned_abs() as i128,
            width: 2 * h as i128,
            members: vec![(k, 1)],
        };
        let groups: Vec<Group> = self.a.iter().zip(hi).enumerate().map(lone).collect();
        let lattice = self.lattice(&groups)?;
        let t = groups.iter().map(|g| g.a * (g.width / 2)).sum();
        let (middle, width): (Vec<i128>, Vec<i128>) = groups.iter().map(|g| (g.width / 2, g.width)).unzip();
        let other = lattice.find(&width, t, Some(&middle), self.steps)?;
        Ok(other.is_none().then_some(lattice.basis))
    }

    /// A lattice over these groups: the last one, or a new one.
    fn lattice(&mut self, groups: &[Group]) -> Result<Lattice, TooHard> {
        let same = |l: &Lattice| l.basis.groups.iter().eq(&groups.iter().map(Group::terms).collect::<Vec<_>>());
        let new = || {
            let (a, width): (Vec<i128>, Vec<i128>) = groups.iter().map(|g| (g.a, g.width)).unzip();
            Lattice::new(&a, &width, groups.iter().map(Group::terms).collect())
        };
        if let Some(lattice) = self.lattice.take().filter(same) {
            return Ok(lattice);
        }
        // a reduction takes about as long as so many branches
        *self.steps = self.steps.checked_sub(100 * groups.len() as u64).ok_or(TooHard)?;
        new().ok_or(TooHard)
    }

    /// The end of every side of the box where its term is least, and the sum there.
    fn start(&self, lo: &[i64], hi: &[i64]) -> (Vec<i64>, i128) {
        let x: Vec<i64> = (0..lo.len()).map(|k| if self.a[k] < 0 { hi[k] } else { lo[k] }).collect();
        let sum = x.iter().zip(self.a).map(|(&x, &a)| x as i128 * a as i128).sum();
        (x, sum)
    }

    /// The coordinates for these values of the groups.
    fn spread(&self, groups: &[Group], value: &[i128], lo: &[i64], hi: &[i64]) -> Vec<i64> {
        let (mut x, _) = self.start(lo, hi);
        for (group, &value) in groups.iter().zip(value) {
            let mut rest = value;
            for &(k, m) in group.members.iter().rev() {
                let c = (rest / m).min(hi[k] as i128 - lo[k] as i128);
                rest -= c * m;
                x[k] += if self.a[k] < 0 { -c } else { c } as i64;
            }
        }
        x
    }

    /// The same by descent alone; None if that branches too often.
    pub fn descend(&mut self, lo: &[i64], hi: &[i64], t: i128) -> Option<Option<Vec<i64>>> {
        if lo.iter().zip(hi).any(|(l, h)| l > h) {
            return Some(None);
        }
        let groups = groups(self.a, lo, hi);
        let mut descent = Descent::new(&groups, DESCENT.min(*self.steps));
        let found = descent.run(groups.len(), t - self.start(lo, hi).1);
        *self.steps = self.steps.saturating_sub(descent.taken);
        Some(found?.then(|| self.spread(&groups, &descent.x, lo, hi)))
    }

    /// The solution that is least in the order of `priority`: the first coordinate there decides first. With `clamp`, all
    /// values up to 0 count as equally small.
    pub fn least(
        &mut self,
        mut lo: Vec<i64>,
        mut hi: Vec<i64>,
        t: i128,
        priority: impl Iterator<Item = usize>,
        clamp: bool,
    ) -> Result<Option<Vec<i64>>, TooHard> {
        let Some(mut x) = self.solve(&lo, &hi, t)? else { return Ok(None) };
        for k in priority {
            if clamp && lo[k] <= 0 {
                let top = hi[k];
                hi[k] = top.min(0);
                if x[k] <= 0 {
                    continue;
                }
                if let Some(better) = self.solve(&lo, &hi, t)? {
                    x = better;
                    continue;
                }
                (lo[k], hi[k]) = (1, top);
            }
            // mostly there is none below
            hi[k] = x[k] - 1;
            while lo[k] < x[k] {
                match self.solve(&lo, &hi, t)? {
                    Some(better) => x = better,
                    None => lo[k] = hi[k] + 1,
                }
                hi[k] = lo[k] + (x[k] - 1 - lo[k]) / 2;
            }
            hi[k] = x[k];
        }
        Ok(Some(x))
    }
}

/// The terms that are not fixed, ascending, each joined to the last group that it continues without a hole.
fn groups(a: &[i64], lo: &[i64], hi: &[i64]) -> Vec<Group> {
    let mut order: Vec<usize> = (0..a.len()).filter(|&k| a[k] != 0 && lo[k] < hi[k]).collect();
    order.sort_unstable_by_key(|&k| a[k].unsigned_abs());
    let mut groups: Vec<Group> = Vec::with_capacity(order.len());
    for k in order {
        let (c, w) = (a[k].unsigned_abs() as i128, hi[k] as i128 - lo[k] as i128);
        match groups.iter_mut().rev().find(|g| c / g.a <= g.width + 1 && c % g.a == 0) {
            Some(g) => {
                g.members.push((k, c / g.a));
                g.width += c / g.a * w;
            }
            None => groups.push(Group { a: c, width: w, members: vec![(k, 1)] }),
        }
    }
    groups
}

/// Makes every group count from the least value, and up to the largest, that the others can complete to `t`. The least values;
/// None if there are none.
fn tighten(groups: &mut [Group], t: &mut i128) -> Option<Vec<i128>> {
    let over: i128 = groups.iter().map(|g| g.a * g.width).sum::<i128>() - *t;
    let total = *t;
    let mut least = Vec::with_capacity(groups.len());
    for g in groups {
        let low = g.width - div_floor(over, g.a).min(g.width);
        g.width = div_floor(total, g.a).min(g.width) - low;
        *t -= g.a * low;
        least.push(low);
        if g.width < 0 {
            return None;
        }
    }
    Some(least)
}

struct Descent {
    /// for each group: coefficient, width; reach and gcd of the groups below; inverse of the coefficient modulo `modulus`
    level: Vec<Level>,
    x: Vec<i128>,
    taken: u64,
    limit: u64,
}

struct Level {
    a: i128,
    width: i128,
    below: i128,
    /// gcd of the groups up to this one
    gcd: i128,
    /// gcd of the groups below, over `gcd`; 0 if there are none
    modulus: i128,
    inverse: i128,
}

impl Descent {
    fn new(groups: &[Group], limit: u64) -> Descent {
        let (mut below, mut g) = (0i128, 0i128);
        let mut level = Vec::with_capacity(groups.len());
        for group in groups {
            let ExtendedGcd { gcd, x, .. } = num_integer::Integer::extended_gcd(&group.a, &g);
            let modulus = g / gcd;
            let inverse = if modulus > 1 { x.rem_euclid(modulus) } else { 0 };
            level.push(Level { a: group.a, width: group.width, below, gcd, modulus, inverse });
            below += group.a * group.width;
            g = gcd;
        }
        Descent { level, x: vec![0; groups.len()], taken: 0, limit }
    }

    /// Whether the first `k` groups can sum to `t`; None when the limit is reached.
    fn run(&mut self, k: usize, t: i128) -> Option<bool> {
        let Some(j) = k.checked_sub(1) else { return Some(t == 0) };
        let l = &self.level[j];
        if t < 0 || t > l.below + l.a * l.width || t % l.gcd != 0 {
            return Some(false);
        }
        let low = div_ceil((t - l.below).max(0), l.a);
        let high = (t / l.a).min(l.width);
        let (step, first) = match l.modulus {
            0 | 1 => (1, low),
            m => (m, low + ((t / l.gcd % m) * l.inverse - low).rem_euclid(m)),
        };
        let (a, mut x) = (l.a, first);
        while x <= high {
            self.taken += 1;
            if self.taken >= self.limit {
                return None;
            }
            self.x[j] = x;
            if self.run(j, t - a * x)? {
                return Some(true);
            }
            x += step;
        }
        Some(false)
    }
}

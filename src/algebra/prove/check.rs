//! The checker. It is independent of the prover, and everything rests on it: here the claims and what proves each of them,
//! below the two proofs that take more than sums of extents and strides.

mod cover;
mod equation;

use super::certificate::{Certificate, Digit, Flaw, Proof};
use super::claim::{Claim, Image};
use super::equation::NoSolution;
use cover::{core, covered};
use equation::{lattice, unsolvable};

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

impl Certificate {
    /// Whether it proves its claim (for all values of the symbols that keep their promises and what is assumed).
    ///
    /// # Errors
    /// What is wrong, or that it takes more than a few seconds to check.
    /// ```
    /// use girih::algebra::prove;
    /// use girih::prelude::*;
    /// let certificate = prove::injective(&layout!((4,8):(8,1))).proved().unwrap();
    /// assert_eq!(certificate.check(), Ok(()));
    /// ```
    pub fn check(&self) -> Result<(), Flaw> {
        if self.claim.sensible().is_err() {
            return Err(Flaw("the claim makes no sense"));
        }
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
    let arithmetic = *proof == Proof::Arithmetic;
    Some(match claim {
        Claim::Injective(a) => injective(&a.into(), proof, steps)?,
        Claim::Bijective { image, lo, size } => {
            let (grid, lo, size) = (Grid::of(image)?, *lo as i128, size.value()? as i128);
            let count = grid.leaf.iter().map(|l| l.0).product::<i128>();
            let (min, max) = grid.range();
            count == size && min >= lo && max < lo + size && injective(image, proof, steps)?
        }
        Claim::Onto { lo, hi, .. } if arithmetic => lo == hi,
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
                equation::spend(steps, 1)?;
                let (x, y) = (&grids[p], &grids[q]);
                let terms = x.leaf.iter().map(|&(n, d)| (d, 0, n - 1));
                let terms = terms.chain(y.leaf.iter().map(|&(n, d)| (-d, 0, n - 1))).collect::<Vec<_>>();
                if !unsolvable(&terms, y.first - x.first, list.next()?, steps)? {
                    return Some(false);
                }
            }
            list.next().is_none()
        }
        Claim::Equal(a, b) if arithmetic => coalesced(&Grid::of(&a.into())?) == coalesced(&Grid::of(&b.into())?),
        Claim::Vectors { a, b, width } => {
            let Proof::Digits(digits) = proof else { return None };
            let alike = *width >= 1 && a.layout.size().ok()? == b.layout.size().ok()?;
            alike && vectors(&Grid::of(a)?, digits, *width as i128)? && vectors(&Grid::of(b)?, digits, *width as i128)?
        }
        Claim::Monotone { layout, strict } if arithmetic => {
            let (mut reach, mut rises) = (0i128, true);
            for (n, d) in Grid::of(&layout.into())?.leaf {
                rises &= if *strict { d > reach } else { d >= reach };
                reach += (n - 1) * d;
            }
            rises
        }
        Claim::Aligned { image, to } if arithmetic => {
            let grid = Grid::of(image)?;
            let aligned = |v: i128| v.checked_rem(*to as i128) == Some(0);
            aligned(grid.first) && grid.leaf.iter().all(|l| aligned(l.1))
        }
        Claim::Fits { image, bits, signed } if arithmetic => {
            let grid = Grid::of(image)?;
            let (min, max) = grid.range();
            let (min, max) = (min.min(min - grid.first).min(grid.first), max.max(max - grid.first).max(grid.first));
            let top = 1i128.checked_shl(bits.checked_sub(*signed as u32)?).filter(|_| *bits <= 64)?;
            max < top && min >= if *signed { -top } else { 0 }
        }
        Claim::Equal(..) | Claim::Monotone { .. } | Claim::Aligned { .. } | Claim::Fits { .. } => return None,
    })
}

fn injective(image: &Image, proof: &Proof, steps: &mut u64) -> Option<bool> {
    let a = Grid::of(image)?;
    match proof {
        Proof::Chain(order) => {
            let (shape, stride) = image.layout.known_leaves()?;
            let leaf = |(&n, &d): (&i64, &i64)| Some((n as i128 - 1, (d as i128).abs()));
            let mut rest: Vec<_> = shape.iter().zip(stride).map(leaf).collect();
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
fn vectors(a: &Grid, digits: &[Digit], width: i128) -> Option<bool> {
    let (mut leaf, mut run, mut first) = (coalesced(a), 1i128, a.first);
    for &Digit { weight, extent: n, backwards } in digits {
        let (p, n) = (weight as i128, n as i128);
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

//! What a few sums of extents and strides decide: equality, order, alignment, index width, vectors.

use super::certificate::Proof;
use super::claim::{Counterexample, Image};
use super::decide::{Failure, Found, first_beyond, live};
use crate::layout::{Int, Layout, LayoutError};
use num_integer::gcd;

/// The leaves of two layouts of one size, cut where either is cut; None if some extents do not divide each other.
pub(super) fn refine(a: &Layout, b: &Layout) -> Option<Vec<[Int; 3]>> {
    let one = Int::known(1);
    let leaf = |l: &Layout, k: usize| (k < l.leaves()).then(|| Some((l.leaf_extent(k).ok()?, l.leaf_stride(k).ok()?))).flatten();
    let (mut i, mut j, mut out) = (0, 0, Vec::new());
    let (mut x, mut y) = ((one, one), (one, one));
    loop {
        while x.0 == one && i < a.leaves() {
            x = leaf(a, i)?;
            i += 1;
        }
        while y.0 == one && j < b.leaves() {
            y = leaf(b, j)?;
            j += 1;
        }
        if x.0 == one || y.0 == one {
            return (x.0 == y.0).then_some(out);
        }
        let n = if x.0.div_exact(&y.0).is_some() {
            y.0
        } else if y.0.div_exact(&x.0).is_some() {
            x.0
        } else {
            let n = gcd(x.0.value()?, y.0.value()?);
            Int::known((n > 1).then_some(n)?)
        };
        out.push([n, x.1, y.1]);
        for side in [&mut x, &mut y] {
            let rest = side.0.div_exact(&n)?;
            side.1 = if rest == one { side.1 } else { side.1.mul(&n).ok()? };
            side.0 = rest;
        }
    }
}

/// Coalesced forms are canonical: at the first leaf where they differ the functions differ, and not before.
pub(super) fn equal(a: &Layout, b: &Layout) -> Found {
    let (x, y) = (live(&a.coalesce())?, live(&b.coalesce())?);
    if x == y {
        // extents of the spellings may interleave; the coalesced leaves are cut for both
        let proof = refine(a, b).filter(|r| r.iter().all(|l| l[1] == l[2]));
        return proof.map(|r| Ok(Proof::Refinement(r))).ok_or(LayoutError::Undecided.into());
    }
    let k = (0..x.len().max(y.len())).find(|&k| x.get(k) != y.get(k)).unwrap_or(0);
    let i = match (x.get(k), y.get(k)) {
        // one of them ends there, or both step differently
        (Some(l), None) | (None, Some(l)) => l.2,
        (Some(l), Some(r)) if l.1 != r.1 => l.2,
        // the same step, for a different number of times
        (Some(l), Some(r)) => l.0.min(r.0) * l.2,
        (None, None) => 0,
    };
    Ok(Err(Counterexample::Differ { i, a: a.at(i).ok(), b: b.at(i).ok() }))
}

/// A step that carries into leaf k adds `d_k` and takes back what the leaves below reach.
pub(super) fn monotone(a: &Layout, strict: bool) -> Found {
    let mut reach = 0i128;
    for (n, d, p) in live(a)? {
        let (n, d) = (n as i128, d as i128);
        if d < reach || strict && d == reach {
            return Ok(Err(Counterexample::Falls { i: p - 1, value: a.at(p - 1)?, next: a.at(p)? }));
        }
        reach += (n - 1) * d;
    }
    Ok(Ok(Proof::Arithmetic))
}

pub(super) fn aligned(image: &Image, to: i64) -> Found {
    if to < 1 {
        return Err(LayoutError::BadExtent { leaf: 0, extent: to }.into());
    }
    let bad = if image.offset % to != 0 { Some(0) } else { live(&image.layout)?.iter().find(|l| l.1 % to != 0).map(|l| l.2) };
    Ok(match bad {
        None => Ok(Proof::Arithmetic),
        Some(i) => Err(Counterexample::Unaligned { i, value: image.at(i)? }),
    })
}

/// The sums of all positive and of all negative terms bound every partial sum, and both occur.
pub(super) fn fits(image: &Image, bits: u32, signed: bool) -> Found {
    if !(1..=64).contains(&bits) {
        return Err(LayoutError::BadExtent { leaf: 0, extent: bits as i64 }.into());
    }
    let leaf = live(&image.layout)?;
    let top = 1i128 << (bits - signed as u32);
    let bottom = if signed { -top } else { 0 };
    let (most, least) = (image.offset.max(0) as i128, image.offset.min(0) as i128);
    let beyond = |sign, room: i128| if room < 0 { Some(0) } else { first_beyond(&leaf, sign, room) };
    let (above, below) = (beyond(1, top - 1 - most), beyond(-1, least - bottom));
    let Some(i) = above.into_iter().chain(below).min() else { return Ok(Ok(Proof::Arithmetic)) };
    let sum = if above == Some(i) { partial(image, i, 1)? } else { partial(image, i, -1)? };
    Ok(Err(Counterexample::TooLarge { i, sum }))
}

/// The sum of the terms with this sign at a coordinate.
pub(super) fn partial(image: &Image, i: i64, sign: i128) -> Result<i128, LayoutError> {
    let of_sign = |v: i128| if v * sign > 0 { v } else { 0 };
    let terms = live(&image.layout)?.into_iter().map(|(n, d, p)| of_sign((i / p % n) as i128 * d as i128));
    Ok(of_sign(image.offset as i128) + terms.sum::<i128>())
}

/// The elements 0, 1, .. that two layouts have at the same coordinates, and the gcd of all other strides and of the bases.
struct Run {
    leaf: Vec<[Int; 3]>,
    /// per step: a leaf, what the run has before it, its extent, and the gcd of all that is not before or in it
    step: Vec<(usize, i64, i64, i64)>,
}

impl Run {
    fn of(a: &Image, b: &Image) -> Option<Run> {
        let leaf = refine(&a.layout, &b.layout)?;
        let number = leaf.iter().map(|l| Some([l[0].value()?, l[1].value()?, l[2].value()?])).collect::<Option<Vec<_>>>()?;
        let (mut used, mut step, mut run) = (vec![false; leaf.len()], Vec::new(), 1);
        while let Some(k) = (0..leaf.len()).find(|&k| !used[k] && number[k][1] == run && number[k][2] == run) {
            used[k] = true;
            let others = (0..leaf.len()).filter(|&l| !used[l]).flat_map(|l| [number[l][1], number[l][2]]);
            let rest = others.chain([a.offset, b.offset]).fold(0, gcd);
            step.push((k, run, number[k][0], rest));
            run = run.checked_mul(number[k][0])?;
        }
        Some(Run { leaf, step })
    }

    /// The leaves with the step cut where the vector ends, if `width` elements of the run are a vector everywhere.
    fn cut(mut self, width: i64) -> Option<Vec<[Int; 3]>> {
        if width == 1 {
            return Some(self.leaf);
        }
        let whole = |&&(_, run, n, rest): &&(usize, i64, i64, i64)| width % run == 0 && n % (width / run) == 0 && rest % width == 0;
        let &(k, run, n, _) = self.step.iter().filter(|s| s.1 < width).find(whole)?;
        let (by, [_, x, y]) = (width / run, self.leaf[k]);
        if by < n {
            let (by, upper) = (Int::known(by), Int::known(n / by));
            self.leaf[k][0] = by;
            self.leaf.insert(k + 1, [upper, x.mul(&by).ok()?, y.mul(&by).ok()?]);
        }
        Some(self.leaf)
    }
}

/// The longest vector, a divisor of what it starts with at every step of the run.
pub(super) fn longest_vector(a: &Image, b: &Image) -> i64 {
    let Some(run) = Run::of(a, b) else { return 1 };
    let width = |&(_, run, n, rest): &(usize, i64, i64, i64)| if rest % run == 0 { run * gcd(n, rest / run) } else { 1 };
    run.step.iter().map(width).max().unwrap_or(1)
}

/// Domains in which every coordinate is looked at for the least one without a vector.
const POINTS: i64 = 1 << 16;

pub(super) fn vectors(a: &Image, b: &Image, width: i64) -> Found {
    if width < 1 {
        return Err(LayoutError::BadExtent { leaf: 0, extent: width }.into());
    }
    let size = a.layout.size()?;
    if b.layout.size()? != size {
        return Err(LayoutError::Incongruent { leaf: 0 }.into());
    }
    if let Some(leaf) = Run::of(a, b).and_then(|r| r.cut(width)) {
        return Ok(Ok(Proof::Refinement(leaf)));
    }
    let refute = |i| -> Found { Ok(Err(Counterexample::NoVector { i, a: a.at(i)?, b: b.at(i)? })) };
    if size <= POINTS {
        let mut count = std::collections::HashMap::new();
        for i in 0..size {
            *count.entry((a.at(i)?, b.at(i)?)).or_insert(0) += 1;
        }
        for i in 0..size {
            if !in_vector(&count, (a.at(i)?, b.at(i)?), width) {
                return refute(i);
            }
        }
        return Err(Failure::Hard);
    }
    // a vector's elements have equal residues in both
    let differs = |&i: &i64| matches!((a.at(i), b.at(i)), (Ok(x), Ok(y)) if x.rem_euclid(width) != y.rem_euclid(width));
    let units = [0].into_iter().chain(live(&a.layout)?.into_iter().chain(live(&b.layout)?).map(|l| l.2));
    match units.filter(differs).min() {
        Some(i) => refute(i),
        None => Err(Failure::Hard),
    }
}

/// Whether the pair of values is in as many whole vectors as it occurs.
fn in_vector(count: &std::collections::HashMap<(i64, i64), u64>, (x, y): (i64, i64), width: i64) -> bool {
    let r = x.rem_euclid(width);
    let element = |s: i64| Some(*count.get(&(x.checked_add(s - r)?, y.checked_add(s - r)?))?);
    r == y.rem_euclid(width) && (0..width).all(|s| element(s) == element(r))
}

//! Is a value taken twice: by one layout, or by two of several?

use super::certificate::Proof;
use super::claim::{Counterexample, Image};
use super::cover;
use super::decide::{Failure, Found, Leaf, live, missing};
use super::equation::{NoSolution, Solver};
use crate::layout::{Layout, LayoutError};

pub(super) fn injective(a: &Layout, steps: &mut u64) -> Found {
    let leaf = live(a)?;
    if let Some(order) = chain(&leaf) {
        let listed = a.known_leaves().map_or(vec![], |l| (0..l.0.len()).filter(|&k| l.0[k] > 1).collect());
        return Ok(Ok(Proof::Chain(order.into_iter().map(|k| listed[k]).collect())));
    }
    let n = leaf.len();
    let stride: Vec<i64> = leaf.iter().map(|l| l.1).collect();
    let mut solver = Solver::new(&stride, steps);
    let mut repeats = false;
    // two coordinates with one value differ by v with sum d_k v_k = 0, positive at the highest leaf where they differ; the
    // higher of the least pair is the positive part of v, so v is sought by its highest leaf, then its least positive part
    for (k, &d) in stride.iter().enumerate() {
        let lo: Vec<i64> = (0..n).map(|l| if l < k { 1 - leaf[l].0 } else { (l == k) as i64 }).collect();
        let hi: Vec<i64> = (0..n).map(|l| if l <= k { leaf[l].0 - 1 } else { 0 }).collect();
        let found = match solver.descend(&lo, &hi, 0) {
            Some(None) => continue,
            _ if d == 0 => Some((0..n).map(|l| (l == k) as i64).collect()),
            Some(Some(_)) => solver.least(lo, hi, 0, (0..=k).rev(), true)?,
            None => {
                if !repeats && let Some(basis) = solver.only_zero(&leaf.iter().map(|l| l.0 - 1).collect::<Vec<_>>())? {
                    return Ok(Ok(Proof::Lattice(basis)));
                }
                repeats = true;
                solver.least(lo, hi, 0, (0..=k).rev(), true)?
            }
        };
        if let Some(v) = found {
            let index = |part: fn(i64) -> i64| v.iter().zip(&leaf).map(|(&v, l)| part(v) * l.2).sum();
            let (i, j): (i64, i64) = (index(|v| v.max(0)), index(|v| (-v).max(0)));
            return Ok(Err(Counterexample::Twice { j, i, value: a.at(i)? }));
        }
    }
    Ok(Ok(Proof::Descent))
}

/// The leaves with each stride larger than all before it reach, if there is such an order.
fn chain(leaf: &[Leaf]) -> Option<Vec<usize>> {
    let mut order: Vec<usize> = (0..leaf.len()).collect();
    order.sort_unstable_by_key(|&k| leaf[k].1.unsigned_abs());
    let mut reach = 0u64;
    let holds = order.iter().all(|&k| {
        let d = leaf[k].1.unsigned_abs();
        let longer = d > reach;
        reach += d * (leaf[k].0 - 1) as u64; // a part of max - min, which fits
        longer
    });
    holds.then_some(order)
}

/// The least coordinate at which the terms of one sign add up to more than `room`, at least 0.
pub(super) fn first_beyond(leaf: &[Leaf], sign: i64, room: i128) -> Option<i64> {
    let (mut need, mut index) = (room, 0);
    let mut below: i128 = leaf.iter().map(|l| (l.1 * sign).max(0) as i128 * (l.0 - 1) as i128).sum();
    if below <= need {
        return None;
    }
    // from the highest leaf down, as little as the lower leaves leave over
    for &(n, d, p) in leaf.iter().rev() {
        let d = (d * sign).max(0) as i128;
        below -= d * (n - 1) as i128;
        if need >= below && d > 0 {
            let c = (need - below) / d + 1;
            need -= c * d;
            index += c as i64 * p;
        }
    }
    Some(index)
}

/// The least coordinate whose value is not in `lo..hi`.
fn first_outside(image: &Image, lo: i64, hi: i64) -> Result<Option<i64>, LayoutError> {
    let (room_above, room_below) = (hi as i128 - 1 - image.offset as i128, image.offset as i128 - lo as i128);
    if room_above < 0 || room_below < 0 {
        return Ok(Some(0));
    }
    let leaf = live(&image.layout)?;
    Ok(first_beyond(&leaf, 1, room_above).into_iter().chain(first_beyond(&leaf, -1, room_below)).min())
}

pub(super) fn bijective(image: &Image, lo: i64, hi: i64, steps: &mut u64) -> Found {
    let outside = first_outside(image, lo, hi)?;
    let injective = injective(&image.layout, steps)?;
    match (injective, outside) {
        (Err(Counterexample::Twice { i, j, value }), outside) if outside.is_none_or(|o| i < o) => {
            Ok(Err(Counterexample::Twice { i, j, value: value + image.offset }))
        }
        (_, Some(i)) => Ok(Err(Counterexample::Outside { i, value: image.at(i)? })),
        (Ok(proof), None) if image.layout.size()? == hi - lo => Ok(Ok(proof)),
        // fewer elements than values: some value is missing
        (Ok(_), None) => {
            let cover = cover::covers(&Image::range(lo, hi)?, &[*image], steps)?;
            Ok(cover.map_err(missing))
        }
        (Err(c), None) => Ok(Err(c)),
    }
}

pub(super) fn disjoint(family: &[Image], steps: &mut u64) -> Found {
    let mut proofs: Vec<NoSolution> = Vec::new();
    let leaves = family.iter().map(|m| live(&m.layout)).collect::<Result<Vec<_>, _>>()?;
    for q in 0..family.len() {
        let mut least: Option<(i64, usize, i64)> = None;
        for p in 0..q {
            match meeting((&family[p], &leaves[p]), (&family[q], &leaves[q]), steps)? {
                Err(why) => proofs.push(why),
                Ok((i, j)) if least.is_none_or(|l| j < l.0) => least = Some((j, p, i)),
                Ok(_) => {}
            }
        }
        if let Some((j, p, i)) = least {
            return Ok(Err(Counterexample::Meet { first: (p, i), second: (q, j), value: family[q].at(j)? }));
        }
    }
    Ok(Ok(Proof::NoSolution(proofs)))
}

/// Elements of the later image that are looked for in the earlier one, one after another.
const FEW: i64 = 4;
const MANY: i64 = 1 << 9;

fn index_of(v: &[i64], leaf: &[Leaf]) -> i64 {
    v.iter().zip(leaf).map(|(&v, l)| v * l.2).sum()
}

/// The least coordinate of the second image with a value of the first, and the least of that there; or why there is none.
fn meeting(
    (a, x): (&Image, &[Leaf]),
    (b, y): (&Image, &[Leaf]),
    steps: &mut u64,
) -> Result<Result<(i64, i64), NoSolution>, Failure> {
    let size = b.layout.size()?;
    if let Some(found) = among((a, x), b, 0..size.min(FEW), steps)? {
        return Ok(Ok(found));
    }
    let strides: Vec<i64> = x.iter().map(|l| l.1).chain(y.iter().map(|l| -l.1)).collect();
    let hi: Vec<i64> = x.iter().chain(y).map(|l| l.0 - 1).collect();
    let lo = vec![0; hi.len()];
    let t = b.offset as i128 - a.offset as i128;
    let quick = Solver::new(&strides, steps).descend(&lo, &hi, t);
    if quick == Some(None) {
        return Ok(Err(NoSolution::Descent));
    }
    if quick.is_none()
        && let Some(found) = among((a, x), b, FEW..size.min(MANY), steps)?
    {
        return Ok(Ok(found));
    }
    // the coordinate in the second image decides first, then that in the first
    let mut solver = Solver::new(&strides, steps);
    let priority = (x.len()..hi.len()).rev().chain((0..again(x)).rev());
    Ok(match solver.least(lo, hi, t, priority, false)? {
        Some(v) => Ok((index_of(&v[..x.len()], x), index_of(&v[x.len()..], y))),
        None => Err(solver.why),
    })
}

/// Leaves along which a value may occur again: none in a chain, where any coordinate of a value is its least.
fn again(x: &[Leaf]) -> usize {
    if chain(x).is_some() { 0 } else { x.len() }
}

/// The first of these coordinates of the second image whose value is one of the first, after its least coordinate there.
fn among(
    (a, x): (&Image, &[Leaf]),
    b: &Image,
    range: core::ops::Range<i64>,
    steps: &mut u64,
) -> Result<Option<(i64, i64)>, Failure> {
    let (stride, hi): (Vec<i64>, Vec<i64>) = x.iter().map(|l| (l.1, l.0 - 1)).unzip();
    let mut solver = Solver::new(&stride, steps);
    let (min, max) = a.image_range()?;
    for j in range {
        let value = b.at(j)?;
        if value < min || value > max {
            continue;
        }
        let t = value as i128 - a.offset as i128;
        if let Some(v) = solver.least(vec![0; x.len()], hi.clone(), t, (0..again(x)).rev(), false)? {
            return Ok(Some((index_of(&v, x), j)));
        }
    }
    Ok(None)
}

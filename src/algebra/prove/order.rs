//! What a few sums of extents and strides decide: equality, order, alignment, index width, vectors.

use super::certificate::{Digit, Proof};
use super::claim::{Counterexample, Image};
use super::decide::{Failure, Found, Leaf, live};
use super::refute::absent;
use super::repeat::first_beyond;
use crate::layout::{Layout, LayoutError};
use num_integer::gcd;
use std::collections::HashMap;

/// Coalesced forms are canonical: at the first leaf where they differ the functions differ, and not before.
pub(super) fn equal(a: &Layout, b: &Layout) -> Found {
    let (x, y) = (live(&a.coalesce())?, live(&b.coalesce())?);
    let Some(k) = (0..x.len().max(y.len())).find(|&k| x.get(k) != y.get(k)) else { return Ok(Ok(Proof::Arithmetic)) };
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
    let bad =
        if image.offset % to != 0 { Some(0) } else { live(&image.layout)?.iter().find(|l| l.1 % to != 0).map(|l| l.2) };
    Ok(match bad {
        None => Ok(Proof::Arithmetic),
        Some(i) => Err(Counterexample::Unaligned { i, value: image.at(i)? }),
    })
}

/// The sums of all positive and of all negative terms bound every partial sum, and both occur.
pub(super) fn fits(image: &Image, bits: u32, signed: bool) -> Found {
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

/// The digits of an index that run through the elements 0, 1, .. of two layouts, up to a shift.
fn run(a: &[Leaf], b: &[Leaf]) -> Vec<Digit> {
    let (mut run, mut digits) = (1i64, Vec::new());
    loop {
        // where the stride `run` starts in a layout, and how far it goes
        let starts = |l: &[Leaf]| -> Vec<Digit> {
            let digit = |&(n, d, p): &Leaf| {
                let m = run.checked_rem(d).filter(|r| *r == 0).map(|_| (run / d).abs()).filter(|m| n % m == 0)?;
                Some(Digit { weight: p * m, extent: n / m, backwards: d < 0 })
            };
            l.iter().filter_map(digit).collect()
        };
        let (x, y) = (starts(a), starts(b));
        let alike = |x: &Digit, y: &Digit| (x.weight, x.backwards) == (y.weight, y.backwards);
        let common = |x: &Digit, y: &Digit| Digit { extent: gcd(x.extent, y.extent), ..*x };
        let mut both = x.iter().flat_map(|x| y.iter().filter(|y| alike(x, y)).map(|y| common(x, y)));
        let Some(digit) = both.find(|d| d.extent > 1) else { return digits };
        digits.push(digit);
        run *= digit.extent; // at most the size of the layouts
    }
}

/// The gcd of the strides of a layout without these digits, if these are digits of it, and of the value where they start.
fn rest(a: &Image, digits: &[Digit]) -> Option<i64> {
    let mut leaf = live(&a.layout.coalesce()).ok()?;
    let (mut first, mut run) = (a.offset as i128, 1i128);
    for &Digit { weight: p, extent: n, backwards } in digits {
        let k = leaf.iter().position(|l| l.2 <= p && p < l.2.saturating_mul(l.0))?;
        let (extent, d, q) = leaf.swap_remove(k);
        let below = p / q;
        if p % q != 0 || extent % below != 0 || extent / below % n != 0 {
            return None;
        }
        leaf.push((below, d, q));
        leaf.push((extent / below / n, d.checked_mul(below)?.checked_mul(n)?, p.checked_mul(n)?));
        leaf.retain(|l| l.0 > 1);
        first -= if backwards { run * (n - 1) as i128 } else { 0 };
        run *= n as i128;
    }
    Some(leaf.iter().fold(first.try_into().ok()?, |g, l| gcd(g, l.1)))
}

/// The digits of the longest run, and its length, as far as everything else, and the start, step over whole vectors.
fn longest(a: &Image, b: &Image) -> Result<(Vec<Digit>, i64), LayoutError> {
    let digits = run(&live(&a.layout.coalesce())?, &live(&b.layout.coalesce())?);
    let length = digits.iter().map(|d| d.extent).product();
    let others = [rest(a, &digits).unwrap_or(1), rest(b, &digits).unwrap_or(1)];
    Ok((digits, others.into_iter().fold(length, gcd)))
}

pub(super) fn longest_vector(a: &Image, b: &Image) -> Result<i64, LayoutError> {
    Ok(longest(a, b)?.1)
}

/// Domains in which every coordinate is looked at for the least one without a vector.
const POINTS: i64 = 1 << 16;

pub(super) fn vectors(a: &Image, b: &Image, width: i64, steps: &mut u64) -> Found {
    let size = a.layout.size()?;
    if b.layout.size()? != size {
        return Err(Failure::Question("the layouts have different sizes"));
    }
    let (digits, length) = longest(a, b)?;
    if length % width == 0 {
        return Ok(Ok(Proof::Digits(digits)));
    }
    let refute = |i| -> Found { Ok(Err(Counterexample::NoVector { i, a: a.at(i)?, b: b.at(i)? })) };
    if size <= POINTS {
        let count = count(a, b)?;
        for i in 0..size {
            if !in_vector(&count, (a.at(i)?, b.at(i)?), width) {
                return refute(i);
            }
        }
        return Err(Failure::Hard);
    }
    // of a larger domain, the coordinates at the ends of the leaves
    let mut ends = vec![0, size - 1];
    for (n, _, p) in live(&a.layout.coalesce())?.into_iter().chain(live(&b.layout.coalesce())?) {
        ends.extend([p, (n - 1) * p]);
    }
    ends.sort_unstable();
    for i in ends {
        if no_vector(a, b, width, i, steps)? {
            return refute(i);
        }
    }
    Err(Failure::Hard)
}

/// Whether a coordinate is in no common vector: in small domains exactly; else only if some element of the vector is none of
/// one of the layouts.
pub(super) fn no_vector(a: &Image, b: &Image, width: i64, i: i64, steps: &mut u64) -> Result<bool, Failure> {
    let (x, y) = (a.at(i)?, b.at(i)?);
    if a.layout.size()? <= POINTS && b.layout.size()? <= POINTS {
        return Ok(!in_vector(&count(a, b)?, (x, y), width));
    }
    let r = x.rem_euclid(width);
    if y.rem_euclid(width) != r {
        return Ok(true);
    }
    for s in (0..width.min(64)).filter(|s| *s != r) {
        let (Some(x), Some(y)) = (x.checked_add(s - r), y.checked_add(s - r)) else { return Ok(true) };
        if absent(&[*a], x, steps)? || absent(&[*b], y, steps)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// How often each pair of values occurs.
fn count(a: &Image, b: &Image) -> Result<HashMap<(i64, i64), u64>, LayoutError> {
    let mut count = HashMap::new();
    for i in 0..a.layout.size()? {
        *count.entry((a.at(i)?, b.at(i)?)).or_insert(0) += 1;
    }
    Ok(count)
}

/// Whether the pair of values is in as many whole vectors as it occurs.
fn in_vector(count: &HashMap<(i64, i64), u64>, (x, y): (i64, i64), width: i64) -> bool {
    let r = x.rem_euclid(width);
    let element = |s: i64| Some(*count.get(&(x.checked_add(s - r)?, y.checked_add(s - r)?))?);
    r == y.rem_euclid(width) && (0..width).all(|s| element(s) == element(r))
}

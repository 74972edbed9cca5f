//! Laws of inverses, common parts, recasts and compact likenesses.

use super::{EXHAUSTIVE, Violation, coordinates, equal, holds};
use crate::layout::{IntTuple, Layout, LayoutError};
use std::collections::BTreeSet;

/// Up to this size of the operand the maximality of an inverse is decided by trying every layout.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// // 2:1 is shorter than the inverse, which shows up to this size only
/// assert!(laws::right_inverse(&Layout::flat(&[laws::SMALL], &[1])?, &layout!(2:1)).is_err());
/// # Ok::<(), LayoutError>(())
/// ```
pub const SMALL: i64 = 32;

/// `r = right_inverse(a)`: coalesced, `a(r(i)) = i`, and no longer one exists (the last up to [`SMALL`] elements of `a`
/// only).
///
/// # Errors
/// What does not hold.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let a = layout!((4,8):(8,1));
/// laws::right_inverse(&a, &layout!((8,4):(4,1)))?;
/// assert_eq!(laws::right_inverse(&a, &layout!(8:4)).unwrap_err().law, "none is longer");
/// # Ok::<(), laws::Violation>(())
/// ```
pub fn right_inverse(a: &Layout, r: &Layout) -> Result<(), Violation> {
    max_common_layout(a, a, r)
}

/// `r = max_common_layout(a, b)`: coalesced, `a(r(i)) = b(r(i)) = i`, and no longer one exists (the last up to
/// [`SMALL`] elements of the smaller one only).
///
/// # Errors
/// What does not hold.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let (gmem, smem) = (layout!((2,8):(32,1)), layout!((2,8):(8,1)));
/// laws::max_common_layout(&gmem, &smem, &layout!(8:2))?; // rows of 8
/// assert!(laws::max_common_layout(&gmem, &smem, &layout!((8,2):(2,1))).is_err()); // lawful for `smem` alone
/// # Ok::<(), laws::Violation>(())
/// ```
pub fn max_common_layout(a: &Layout, b: &Layout, r: &Layout) -> Result<(), Violation> {
    coalesced(r)?;
    for i in coordinates(r.size()?) {
        equal("a(r(i)) = i", i, a.at(r.at(i)?)?, i)?;
        equal("b(r(i)) = i", i, b.at(r.at(i)?)?, i)?;
    }
    if a.size()?.min(b.size()?) <= SMALL {
        equal("none is longer", 0, r.size()?, longest(a, b)?)?;
    }
    Ok(())
}

fn coalesced(r: &Layout) -> Result<(), Violation> {
    holds("the result is coalesced", r.coalesce() == *r)
}

/// The size of the longest common right inverse, by trying all.
fn longest(a: &Layout, b: &Layout) -> Result<i64, LayoutError> {
    let n = a.size()?.min(b.size()?);
    let value = |i: i64| -> Result<Option<i64>, LayoutError> {
        let (x, y) = (a.at(i)?, b.at(i)?);
        Ok((x == y).then_some(x))
    };
    let values = (0..n).map(value).collect::<Result<Vec<_>, _>>()?;
    let mut best = 1;
    grow(&values, &mut vec![0], &mut best);
    Ok(best)
}

/// Appends a mode to the layout with the table `r` in every possible way.
fn grow(values: &[Option<i64>], r: &mut Vec<i64>, best: &mut i64) {
    let n = r.len();
    *best = (*best).max(n as i64);
    let possible = (n..).take_while(|&v| values.contains(&Some(v as i64))).count() + n;
    if possible as i64 <= *best {
        return;
    }
    for stride in 1..values.len() {
        let mut extent = 1;
        loop {
            let suits = (0..n).all(|i| {
                let x = r[i] as usize + extent * stride;
                x < values.len() && values[x] == Some((i + extent * n) as i64)
            });
            if !suits {
                break;
            }
            for i in 0..n {
                r.push(r[i] + (extent * stride) as i64);
            }
            extent += 1;
            grow(values, r, best);
        }
        r.truncate(n);
    }
}

/// `r = left_inverse(a)`: `r(a(i)) = i` if the values of `a` are distinct, else `a(r(a(i))) = a(i)`.
///
/// # Errors
/// What does not hold.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let a = layout!((4,8):(16,1)); // rows of 8 with gaps
/// laws::left_inverse(&a, &a.left_inverse()?)?;
/// assert!(laws::left_inverse(&a, &layout!((8,4):(4,1))).is_err()); // as if there were no gaps
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn left_inverse(a: &Layout, r: &Layout) -> Result<(), Violation> {
    let size = a.size()?;
    let distinct = size <= EXHAUSTIVE && {
        let values = (0..size).map(|i| a.at(i)).collect::<Result<BTreeSet<_>, _>>()?;
        values.len() as i64 == size
    };
    for i in coordinates(size) {
        let v = a.at(i)?;
        if distinct {
            equal("r(a(i)) = i", i, r.at(v)?, i)?;
        } else {
            equal("a(r(a(i))) = a(i)", i, a.at(r.at(v)?)?, v)?;
        }
    }
    Ok(())
}

/// `n = nullspace(a)`: coalesced, increasing, `a(n(i)) = 0`, as many as the stride-0 modes have coordinates.
///
/// # Errors
/// What does not hold.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let a = layout!((8,4,2):(1,0,8));
/// laws::nullspace(&a, &layout!(4:8))?;
/// assert!(laws::nullspace(&a, &layout!(4:1)).is_err());
/// # Ok::<(), laws::Violation>(())
/// ```
pub fn nullspace(a: &Layout, n: &Layout) -> Result<(), Violation> {
    coalesced(n)?;
    equal("the size is that of the stride-0 modes", 0, n.size()? * a.filter_zeros().size()?, a.size()?)?;
    increasing(n)?;
    for i in coordinates(n.size()?) {
        equal("a(n(i)) = 0", i, a.at(n.at(i)?)?, 0)?;
    }
    Ok(())
}

fn increasing(r: &Layout) -> Result<(), Violation> {
    for i in coordinates(r.size()? - 1) {
        holds("the values increase", r.at(i)? < r.at(i + 1)?)?;
    }
    Ok(())
}

/// `r = domain_distribute(shape, n)`: coalesced, increasing, below the size of the shape, of `gcd(n, size)` elements.
///
/// # Errors
/// What does not hold.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let shape = ints!((64, 32)); // for 128 threads
/// laws::domain_distribute(&shape, 128, &shape.domain_distribute(128)?)?;
/// assert!(laws::domain_distribute(&shape, 128, &layout!(64:1)).is_err()); // half of them
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn domain_distribute(shape: &IntTuple, n: i64, r: &Layout) -> Result<(), Violation> {
    coalesced(r)?;
    let size = Layout::column_major(shape)?.size()?;
    increasing(r)?;
    holds("the last value is in the shape", r.at(r.size()? - 1)? < size)?;
    equal("the size is gcd(n, size)", 0, r.size()?, crate::algebra::shape::gcd(n as u64, size as u64) as i64)
}

/// `u = upcast(a, n)` or `upcast_ceil(a, n)`, the pointer moving by `offset` elements: congruent, and at the group of each
/// coordinate of `a` the word that holds its element.
///
/// # Errors
/// What does not hold.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let halves = layout!((8,64):(64,1));
/// laws::upcast(&halves, 8, &halves.upcast(8)?, 0)?;
/// assert!(laws::upcast(&halves, 8, &layout!((8,8):(64,1)), 0).is_err()); // the rows still count halves
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn upcast(a: &Layout, n: i64, u: &Layout, offset: i64) -> Result<(), Violation> {
    holds("the result is congruent", a.congruent(u))?;
    let (s, d) = a.known_leaves().ok_or(Violation::whole("known leaves"))?;
    let (t, e) = u.known_leaves().ok_or(Violation::whole("known leaves"))?;
    let group = |k: usize| if s[k] == 1 || d[k] % n == 0 { 1 } else { n / d[k].abs() + (n % d[k].abs() != 0) as i64 };
    for k in 0..s.len() {
        equal("extents are divided by the group", k as i64, t[k], s[k] / group(k) + (s[k] % group(k) != 0) as i64)?;
    }
    for i in coordinates(a.size()?) {
        let (mut rest, mut word) = (i, 0);
        for k in 0..s.len() {
            word += rest % s[k] / group(k) * e[k];
            rest /= s[k];
        }
        equal("the word at the group's coordinate holds the element", i, word, (a.at(i)? - offset).div_euclid(n))?;
    }
    Ok(())
}

/// `r = downcast(a, n)`, the pointer moving by `offset` parts: congruent, one extent multiplied by n, and the n parts of the
/// element at each coordinate of `a` are at the n coordinates that come from it, in order or all backwards.
///
/// # Errors
/// What does not hold.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let words = layout!((8,32):(32,1));
/// laws::downcast(&words, 4, &words.downcast(4)?, 0)?;
/// assert!(laws::downcast(&words, 4, &layout!((8,128):(32,1)), 0).is_err()); // the rows still count words
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn downcast(a: &Layout, n: i64, r: &Layout, offset: i64) -> Result<(), Violation> {
    holds("the result is congruent", a.congruent(r))?;
    let (s, _) = a.known_leaves().ok_or(Violation::whole("known leaves"))?;
    let (t, e) = r.known_leaves().ok_or(Violation::whole("known leaves"))?;
    let holder = (0..s.len()).find(|&k| t[k] != s[k]).unwrap_or(0);
    for k in 0..s.len() {
        let expected = if k == holder { s[k] * n } else { s[k] };
        equal("one extent is multiplied by n", k as i64, t[k], expected)?;
    }
    for i in coordinates(a.size()?) {
        for part in 0..n.min(EXHAUSTIVE) {
            let (mut rest, mut at) = (i, offset);
            for k in 0..s.len() {
                let c = rest % s[k];
                at += e[k] * if k == holder { c * n + part } else { c };
                rest /= s[k];
            }
            let part = if e[holder] < 0 { n - 1 - part } else { part };
            equal("the parts of an element follow each other", i, at, a.at(i)? * n + part)?;
        }
    }
    Ok(())
}

/// `n = max_alignment(a)`: the set of values is a union of intervals `[kn, kn + n)`; the largest such n if the values of `a`
/// are distinct (broadcasts aside) and no stride is negative. Checked up to [`EXHAUSTIVE`] elements.
///
/// # Errors
/// What does not hold.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let padded = layout!((8,64):(72,1)); // rows of 64 halves, each 8 more apart
/// laws::max_alignment(&padded, 8)?;
/// assert!(laws::max_alignment(&padded, 4).is_err()); // not the largest
/// assert!(laws::max_alignment(&padded, 16).is_err()); // row 1 starts at 72
/// # Ok::<(), laws::Violation>(())
/// ```
pub fn max_alignment(a: &Layout, n: i64) -> Result<(), Violation> {
    let live = a.filter_zeros();
    if live.size()? > EXHAUSTIVE {
        return Ok(());
    }
    let values = (0..live.size()?).map(|i| live.at(i)).collect::<Result<BTreeSet<_>, _>>()?;
    let whole = |n: i64| {
        values.iter().all(|v| v.rem_euclid(n) == n - 1 || values.contains(&(v + 1)))
            && values.iter().all(|v| v.rem_euclid(n) == 0 || values.contains(&(v - 1)))
    };
    holds("the values are whole vectors of n", whole(n))?;
    let (_, stride) = a.known_leaves().ok_or(Violation::whole("known leaves"))?;
    if values.len() as i64 == live.size()? && stride.iter().all(|&d| d >= 0) {
        let larger = (n + 1..=values.len() as i64).find(|&n| whole(n));
        equal("no larger vector", 0, n, larger.unwrap_or(n))?;
    }
    Ok(())
}

/// `r = make_layout_like(a)`: congruent, compact without the stride-0 modes of `a`, the others in the order of their strides.
///
/// # Errors
/// What does not hold.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let slice = layout!((16,8):(512,1));
/// laws::make_layout_like(&slice, &layout!((16,8):(8,1)))?;
/// assert!(laws::make_layout_like(&slice, &layout!((16,8):(1,16))).is_err()); // compact, the order lost
/// # Ok::<(), laws::Violation>(())
/// ```
pub fn make_layout_like(a: &Layout, r: &Layout) -> Result<(), Violation> {
    compact_like(a, r, 0, a.leaves())
}

/// `r = make_fragment_like(a)`: congruent, compact without the stride-0 modes in mode 0 of `a`; mode 0 leftmost fastest, then
/// the others in the order of their strides.
///
/// # Errors
/// What does not hold.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let mine = layout!((4,2,8):(128,64,1)); // (one instruction's values, M, K)
/// laws::make_fragment_like(&mine, &layout!((4,2,8):(1,32,4)))?;
/// assert!(laws::make_fragment_like(&mine, &layout!((4,2,8):(16,8,1))).is_err()); // mode 0 is not the fastest
/// # Ok::<(), laws::Violation>(())
/// ```
pub fn make_fragment_like(a: &Layout, r: &Layout) -> Result<(), Violation> {
    if a.rank() == 1 {
        return holds("column-major", *r == Layout::column_major(&a.shape())?);
    }
    let first = a.mode(0)?.leaves();
    compact_like(a, r, first, first)?;
    let live = r.mode(0)?.filter_zeros();
    holds("mode 0 is compact, leftmost fastest", live.coalesce() == Layout::column_major(&live.shape())?.coalesce())
}

/// Stride 0 is kept below leaf `broadcast`; the order of strides from leaf `ordered` on.
fn compact_like(a: &Layout, r: &Layout, ordered: usize, broadcast: usize) -> Result<(), Violation> {
    holds("the result is congruent", a.congruent(r))?;
    holds("the shapes are equal", a.shape() == r.shape())?;
    let (s, d) = a.known_leaves().ok_or(Violation::whole("known leaves"))?;
    let (_, e) = r.known_leaves().ok_or(Violation::whole("known leaves"))?;
    let live = |k: usize| s[k] > 1 && (d[k] != 0 || k >= broadcast);
    let zeros = (0..s.len()).all(|k| (e[k] == 0) != live(k));
    holds("stride 0 exactly where there is nothing to store", zeros)?;
    let mut modes: Vec<_> = (0..s.len()).filter(|&k| live(k)).collect();
    modes.sort_by_key(|&k| e[k]);
    let mut span = 1;
    for (i, &k) in modes.iter().enumerate() {
        equal("the strides are compact", k as i64, e[k], span)?;
        span *= s[k];
        let next = modes[i..].iter().find(|&&l| k >= ordered && l >= ordered && d[l].abs() < d[k].abs());
        holds("the order of the strides is kept", next.is_none())?;
    }
    Ok(())
}

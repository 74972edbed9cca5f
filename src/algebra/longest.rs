//! The longest layout that inverts two layouts at once from the right, by search.
//!
//! R is built mode by mode. When the modes so far give `A(R(i)) = B(R(i)) = i` for `i < n`, the next stride r is a
//! coordinate with `A(r) = B(r) = n`: the coordinates of value n under A are enumerated digit by digit, from the largest
//! stride down, a digit kept only if the rest can still be reached. For each r the largest lawful extent is found by
//! bisection, as a shorter mode is lawful when a longer one is, each trial decided exactly by composition. The mode may then be
//! cut to any shorter extent before the next one; cuts that cannot lead past the longest R so far, all values of which lie
//! below the `bound` on A and B, are skipped. What is left when the search ends is that nothing is longer.

use super::compose::compose_into;
use super::inverse::{finish, push};
use crate::layout::{Layout, LayoutError, MODES};

/// Steps of the search before it gives up, unless told otherwise; a constant can afford them.
pub(crate) const BUDGET: u64 = 1 << 14;
/// Steps that one composition counts for, and the budget of its own search.
const COMPOSITION: u64 = 32;
const COMPOSITION_BUDGET: u64 = 1 << 11;

/// A live or broadcast mode of A, and what the modes before it in the order of enumeration reach.
#[derive(Clone, Copy)]
struct Digit {
    s: i64,
    d: i64,
    place: i64,
    low: i64,
    high: i64,
}

/// One mode of R.
#[derive(Clone, Copy)]
struct Frame {
    /// product of the extents below: the value to find
    size: i64,
    /// digits of the coordinate that has it, what is left for each, and its largest value
    c: [i64; MODES],
    rest: [i64; MODES],
    to: [i64; MODES],
    /// the coordinate was asked for before
    started: bool,
    stride: i64,
    /// the extent, cut from the largest lawful one down; 0: the next coordinate is to be found
    cut: i64,
}

const FRESH: Frame =
    Frame { size: 1, c: [0; MODES], rest: [0; MODES], to: [0; MODES], started: false, stride: 0, cut: 0 };

/// Replaces `out`, lawful and of size `best`, by a longer one if there is one.
#[cold]
#[inline(never)]
pub(crate) const fn search(
    a: &Layout,
    b: &Layout,
    mut best: i64,
    budget: u64,
    out: &mut Layout,
) -> Result<(), LayoutError> {
    let mut digit = [Digit { s: 1, d: 0, place: 0, low: 0, high: 0 }; MODES];
    let m = digits(a, &mut digit);
    let digit = digit.split_at(m).0;
    let (x, y) = (bound(a), bound(b));
    let bound = if x < y { x } else { y };
    let mut frame = [FRESH; MODES];
    let mut depth = 0;
    let mut steps = 0u64;
    loop {
        steps += 1;
        if steps > budget {
            return Err(LayoutError::TooHard { steps });
        }
        let size = frame[depth].size;
        let most = bound / size; // extents from here on multiply to at most this
        if frame[depth].cut == 0 {
            if best >= bound {
                return Ok(());
            }
            if most * size <= best || !tri!(next_coordinate(digit, &mut frame[depth], budget, &mut steps)) {
                if depth == 0 {
                    return Ok(());
                }
                depth -= 1;
                continue;
            }
            let stride = coordinate(digit, &frame[depth]);
            frame[depth].stride = stride;
            // a mode that only continues the one below was tried as a longer one
            if depth > 0 && frame[depth - 1].stride.wrapping_mul(frame[depth - 1].cut) == stride {
                continue;
            }
            let extent = tri!(extent(a, b, &frame, depth, most, &mut steps));
            if extent < 2 {
                continue;
            }
            if extent * size > best {
                best = extent * size;
                let (mut n, mut k) = (0, 0);
                while k < depth {
                    tri!(push(out, &mut n, frame[k].cut, frame[k].stride));
                    k += 1;
                }
                tri!(push(out, &mut n, extent, stride));
                finish(out, n);
            }
            frame[depth].cut = extent + 1;
        }
        // the next shorter extent that can still lead past the best
        let mut cut = frame[depth].cut - 1;
        while cut >= 2 && steps <= budget {
            let more = most / cut;
            if more >= 2 && more * cut * size > best {
                break;
            }
            steps += 1;
            let longer = most / (more + 1); // the largest extent that leaves room for more
            cut = if longer < cut { longer } else { cut - 1 };
        }
        if cut < 2 || depth + 1 == MODES {
            frame[depth].cut = 0;
            continue;
        }
        frame[depth].cut = cut;
        depth += 1;
        frame[depth] = FRESH;
        frame[depth].size = size * cut;
    }
}

/// The modes of `a` with extents above 1, the largest |stride| last.
const fn digits(a: &Layout, digit: &mut [Digit; MODES]) -> usize {
    let (mut m, mut place, mut i) = (0, 1, 0);
    while i < a.leaves() {
        let (s, d) = (a.shape[i], a.stride[i]);
        if s > 1 {
            let mut k = m;
            while k > 0 && digit[k - 1].d.unsigned_abs() > d.unsigned_abs() {
                digit[k] = digit[k - 1];
                k -= 1;
            }
            digit[k] = Digit { s, d, place, low: 0, high: 0 };
            m += 1;
        }
        place *= s;
        i += 1;
    }
    let (mut low, mut high) = (0, 0);
    i = 0;
    while i < m {
        digit[i].low = low;
        digit[i].high = high;
        let reach = (digit[i].s - 1) * digit[i].d;
        if reach < 0 {
            low += reach
        } else {
            high += reach
        }
        i += 1;
    }
    m
}

/// All of `0..n` can be values only for n up to this: without negative strides exactly.
const fn bound(a: &Layout) -> i64 {
    let mut high = 0;
    let (mut negative, mut i) = (false, 0);
    while i < a.leaves() {
        let reach = (a.shape[i] - 1) * a.stride[i];
        if reach < 0 {
            negative = true
        } else {
            high += reach
        }
        i += 1;
    }
    if negative {
        return high + 1;
    }
    // take the modes that do not jump over a value, until none is left
    let (mut reach, mut used) = (0, 0u32);
    loop {
        let before = used;
        i = 0;
        while i < a.leaves() {
            if used >> i & 1 == 0 && a.stride[i] <= reach + 1 {
                used |= 1 << i;
                reach += (a.shape[i] - 1) * a.stride[i];
            }
            i += 1;
        }
        if used == before {
            return reach + 1;
        }
    }
}

/// The next digits with `sum c_k d_k` the frame's size; false when there are no more.
const fn next_coordinate(digit: &[Digit], f: &mut Frame, budget: u64, steps: &mut u64) -> Result<bool, LayoutError> {
    let m = digit.len();
    let mut k = m; // digits k.. are chosen
    if f.started {
        k = 0;
    } else if m > 0 {
        f.started = true;
        f.rest[m - 1] = f.size;
    }
    let mut choose = k == m;
    loop {
        *steps += 1;
        if *steps > budget {
            return Err(LayoutError::TooHard { steps: *steps });
        }
        if choose {
            if k == 0 {
                return Ok(true);
            }
            k -= 1;
            let (from, to) = range(&digit[k], f.rest[k]);
            f.to[k] = to;
            f.c[k] = from - 1;
        }
        // the next value of digit k
        if k == m {
            return Ok(false);
        }
        f.c[k] += 1;
        if f.c[k] > f.to[k] {
            k += 1;
            choose = false;
            continue;
        }
        if k > 0 {
            f.rest[k - 1] = f.rest[k] - f.c[k] * digit[k].d;
        }
        choose = true;
    }
}

/// Least and largest digit that leave something within reach of the digits below.
const fn range(x: &Digit, rest: i64) -> (i64, i64) {
    // low <= rest - c d <= high
    let (under, over) = if x.d < 0 { (x.low - rest, x.high - rest) } else { (rest - x.high, rest - x.low) };
    if x.d == 0 {
        return if under <= 0 && over >= 0 { (0, x.s - 1) } else { (0, -1) };
    }
    let d = x.d.abs();
    let (from, to) = (-(-under).div_euclid(d), over.div_euclid(d));
    (if from < 0 { 0 } else { from }, if to < x.s { to } else { x.s - 1 })
}

const fn coordinate(digit: &[Digit], f: &Frame) -> i64 {
    let (mut r, mut k) = (0, 0);
    while k < digit.len() {
        r += f.c[k] * digit[k].place;
        k += 1;
    }
    r
}

/// The largest lawful extent, at most `most`, of the mode of stride `frame[depth].stride` above the modes below.
const fn extent(
    a: &Layout,
    b: &Layout,
    frame: &[Frame; MODES],
    depth: usize,
    most: i64,
    steps: &mut u64,
) -> Result<i64, LayoutError> {
    let mut r = Layout::BLANK;
    let mut k = 0;
    while k < depth {
        r.shape[k] = frame[k].cut;
        r.stride[k] = frame[k].stride;
        k += 1;
    }
    largest_extent(a, b, &mut r, depth, frame[depth].stride, most, steps)
}

/// The same for the first `n` modes of `r`, which are overwritten from there on.
pub(crate) const fn largest_extent(
    a: &Layout,
    b: &Layout,
    r: &mut Layout,
    n: usize,
    stride: i64,
    most: i64,
    steps: &mut u64,
) -> Result<i64, LayoutError> {
    r.stride[n] = stride;
    finish(r, n + 1);
    // lawful(good), not lawful(bad)
    let (mut good, mut bad) = (1, most.saturating_add(1));
    let mut trial = 2;
    while good + 1 < bad {
        r.shape[n] = trial;
        *steps += COMPOSITION;
        if tri!(inverts(a, r)) && tri!(inverts(b, r)) {
            good = trial;
            // after 2 the whole, as it often is
            trial = if good == 2 { bad - 1 } else { good + (bad - good) / 2 };
        } else {
            bad = trial;
            trial = good + (bad - good) / 2;
        }
    }
    Ok(good)
}

/// `a(r(i)) = i` on the domain of `r`, which is flat.
const fn inverts(a: &Layout, r: &Layout) -> Result<bool, LayoutError> {
    // the far corner first: it decides nearly always
    let (mut size, mut far, mut k) = (1i64, 0i64, 0);
    while k < r.leaves() {
        let Some(n) = size.checked_mul(r.shape[k]) else { return Ok(false) };
        size = n;
        let Some(reach) = (r.shape[k] - 1).checked_mul(r.stride[k]) else { return Ok(false) };
        let Some(sum) = far.checked_add(reach) else { return Ok(false) };
        far = sum;
        k += 1;
    }
    match a.at(far) {
        Ok(v) if v == size - 1 => {}
        _ => return Ok(false),
    }
    let mut c = Layout::BLANK;
    match compose_into(a, r, false, COMPOSITION_BUDGET, &mut c) {
        Ok(()) => {}
        Err(e @ LayoutError::TooHard { .. }) => return Err(e),
        Err(_) => return Ok(false),
    }
    let (mut size, mut k) = (1, 0);
    while k < c.leaves() {
        if c.shape[k] > 1 && c.stride[k] != size {
            return Ok(false);
        }
        size *= c.shape[k];
        k += 1;
    }
    Ok(true)
}

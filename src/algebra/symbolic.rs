//! Composition where leaves are packed: symbols and basis strides.
//!
//! * **B has basis strides**: its values are coordinates of A. Leaves with the same basis vector meet the same mode of A and
//!   compose with it together; leaves of different ones cannot carry into each other, so R exists iff each part does.
//! * **A has strides of several kinds** (basis vectors, symbols) and known extents as far as B reaches: A is a sum of layouts
//!   with integer strides, one for each kind. Without symbols R exists iff each of them composes and their refinements have
//!   a common one. With symbols that is sufficient. Where it fails the refusal holds for all values of the symbols if one part
//!   fails where the others are linear, or if the parts fail together by a sum that no values make 0; else it is undecided.
//! * **Symbolic extents within the reach of B**: leaf by leaf, where every step either divides or is divided by the products
//!   `P_k` of extents of A that it reaches, for all values of the symbols. Then carries never cancel, and what remains to be
//!   proved is that none is active: `sum (n_l - 1) step_l < P_k`.

use super::compose::{self, renest};
use super::shape::gcd;
use crate::layout::{Int, Layout, LayoutError, MODES, Nest, Writer};

pub(crate) const fn compose_into(
    a: &Layout,
    b: &Layout,
    extended: bool,
    budget: u64,
    out: &mut Layout,
) -> Result<(), LayoutError> {
    if b.has_basis() {
        return by_coordinate(a, b, extended, budget, out);
    }
    let mut known = Layout::BLANK;
    let reached = if b.packed { Reached::Unknown } else { within_reach(a, b, extended, &mut known) };
    let mut done = Err(LayoutError::Undecided);
    if !matches!(reached, Reached::Unknown) {
        done = by_kind(&known, b, extended, budget, out);
    }
    // in the domain for some values: a refusal is one for the others too
    if matches!((&reached, &done), (Reached::Unknown, _) | (Reached::Perhaps, Ok(()))) {
        *out = Layout::BLANK;
        done = by_divisibility(a, b, extended, out);
    }
    match done {
        Ok(()) => out.check(),
        Err(e) => Err(e),
    }
}

/// Is A known as far as B reaches?
enum Reached {
    Known,
    /// if B is in the domain of A, which depends on symbols
    Perhaps,
    Unknown,
}

/// The leaves of B with one basis vector against the mode of A that it selects.
const fn by_coordinate(
    a: &Layout,
    b: &Layout,
    extended: bool,
    budget: u64,
    out: &mut Layout,
) -> Result<(), LayoutError> {
    let zero = Int::known(0);
    let mut w = Writer::NEW;
    let mut nest = b.nest;
    let mut j = 0;
    while j < b.leaves() {
        let (mut open, mut close) = nest.next();
        while open > 0 {
            w.open();
            open -= 1;
        }
        let d = b.stride_int(j);
        if d.basis.len == 0 {
            tri!(w.leaf(&b.extent_int(j), &zero));
        } else {
            let mut mode = *a;
            let mut k = 0;
            while k < d.basis.len as usize {
                mode = tri!(mode.mode(d.basis.step[k] as usize));
                k += 1;
            }
            // B with only the leaves of this basis vector
            let mut part = Writer::NEW;
            part.open();
            let mut i = 0;
            while i < b.leaves() {
                let mut e = b.stride_int(i);
                if e.basis.same(&d.basis) {
                    e.basis = zero.basis;
                    tri!(part.leaf(&b.extent_int(i), &e));
                } else {
                    tri!(part.known(1, 0));
                }
                i += 1;
            }
            tri!(part.close());
            let mut r = Layout::BLANK;
            tri!(compose::compose_into(&mode, &part.finish(), extended, budget, &mut r));
            tri!(w.mode(&tri!(r.mode(j))));
        }
        while close > 0 {
            tri!(w.close());
            close -= 1;
        }
        j += 1;
    }
    *out = w.finish();
    out.check()
}

/// A as far as B reaches, with known extents, if these are known there.
const fn within_reach(a: &Layout, b: &Layout, extended: bool, known: &mut Layout) -> Reached {
    let (mut x, mut j) = (0i64, 0);
    while j < b.leaves() {
        if b.stride[j] > 0 {
            x += b.stride[j] * (b.shape[j] - 1);
        }
        j += 1;
    }
    let a = if extended { a.coalesce_extended() } else { a.coalesce() };
    *known = a;
    let (mut p, mut k) = (1i64, 0);
    while k < a.leaves() {
        if k > 0 && p > x {
            // never reached
            cut(known, k);
            return Reached::Known;
        }
        let s = a.extent_int(k);
        let last = k + 1 == a.leaves();
        if let Some(s) = s.value() {
            p *= s;
        } else {
            // its least value must hold the rest, or it is the last: then B is in the domain or it is continued
            let enough = x / p + 1;
            if s.coef < enough && !last {
                return Reached::Unknown;
            }
            cut(known, k + 1);
            let least = if s.coef < enough { enough } else { s.coef };
            return match known.set_extent(k, &Int::known(least)) {
                Err(_) => Reached::Unknown,
                // no size of 64 bits holds them
                Ok(()) if p.checked_mul(least).is_none() => Reached::Unknown,
                Ok(()) if s.coef < enough && !extended => Reached::Perhaps,
                Ok(()) => Reached::Known,
            };
        }
        k += 1;
    }
    Reached::Known
}

/// The first `n` modes of a flat layout.
const fn cut(l: &mut Layout, n: usize) {
    l.len = n as u8;
    l.nest = if n > 1 { Nest::flat(n) } else { Nest::LEAF };
    l.packed_shape &= (1 << n) - 1;
    l.packed_stride &= (1 << n) - 1;
    l.settle();
}

/// A of known extents whose strides are of several kinds, as a sum of layouts with integer strides.
const fn by_kind(a: &Layout, b: &Layout, extended: bool, budget: u64, out: &mut Layout) -> Result<(), LayoutError> {
    // a tuple even of one leaf, so that a mode of a part's result is a leaf of b refined
    let mut flat = *b;
    flat.nest = Nest::flat(b.leaves());
    // for each leaf of b the places where a run of some part ends
    let mut cuts = [[0i64; MODES]; MODES];
    let mut count = [0usize; MODES];
    let mut j = 0;
    while j < b.leaves() {
        cuts[j][0] = b.shape[j];
        count[j] = 1;
        j += 1;
    }
    let symbols = {
        let (mut any, mut k) = (false, 0);
        while k < a.leaves() {
            any |= a.stride_int(k).symbols() > 0;
            k += 1;
        }
        any
    };
    let mut parts = [Layout::BLANK; MODES];
    let mut kinds = [Int::known(0); MODES];
    let mut n = 0;
    let mut refusal = None;
    let mut k = 0;
    while k < a.leaves() {
        let mut kind = a.stride_int(k);
        k += 1;
        if kind.coef == 0 {
            continue;
        }
        kind.coef = 1;
        let (mut seen, mut i) = (false, 0);
        while i < n {
            seen |= kinds[i].same(&kind);
            i += 1;
        }
        if seen {
            continue;
        }
        match compose::compose_into(&tri!(part_of(a, &kind)), &flat, extended, budget, &mut parts[n]) {
            Ok(()) => {}
            Err(e @ LayoutError::NoLayout { index, .. }) => match refusal {
                Some((LayoutError::NoLayout { index: least, .. }, _)) if least <= index => {}
                _ => refusal = Some((e, n)),
            },
            Err(e) => return Err(e),
        }
        kinds[n] = kind;
        j = 0;
        while j < b.leaves() && refusal.is_none() {
            let mode = tri!(parts[n].mode(j));
            let mut cut = 1;
            i = 0;
            while i < mode.leaves() {
                cut *= mode.shape[i];
                let mut at = 0;
                while at < count[j] && cuts[j][at] < cut {
                    at += 1;
                }
                if at == count[j] || cuts[j][at] != cut {
                    if count[j] == MODES {
                        return Err(LayoutError::TooManyModes);
                    }
                    let mut k = count[j];
                    while k > at {
                        cuts[j][k] = cuts[j][k - 1];
                        k -= 1;
                    }
                    cuts[j][at] = cut;
                    count[j] += 1;
                }
                i += 1;
            }
            j += 1;
        }
        n += 1;
    }
    if n == 0 {
        // A is 0 on its domain, which still has to hold B
        return compose::compose_into(&tri!(part_of(a, &Int::known(1))), b, extended, budget, out);
    }
    if let Some((e, refused)) = refusal {
        // with symbols the carries of several kinds may cancel for some of their values
        return Err(match e {
            LayoutError::NoLayout { index, .. } if symbols => {
                let begin = beginning(b, index);
                if tri!(others_are_linear(a, &kinds, n, refused, &begin, extended, budget))
                    || tri!(corner_never_vanishes(a, &kinds, n, &begin, extended, budget))
                {
                    e
                } else {
                    LayoutError::Undecided
                }
            }
            _ => e,
        });
    }
    let mut w = Writer::NEW;
    let mut nest = b.nest;
    let mut weight = 1;
    j = 0;
    while j < b.leaves() {
        let (mut open, mut close) = nest.next();
        open += (count[j] > 1) as u32;
        close += (count[j] > 1) as u32;
        while open > 0 {
            w.open();
            open -= 1;
        }
        let (mut done, mut i) = (1, 0);
        while i < count[j] {
            let cut = cuts[j][i];
            if cut % done != 0 {
                if symbols {
                    return Err(LayoutError::Undecided);
                }
                // one part breaks at `done`, so every candidate does; another is linear up to `cut`
                let (got, forced) = tri!(disagreement(&parts, n, j, done, cut));
                return Err(LayoutError::NoLayout { index: weight * cut, got, forced: forced as i128 });
            }
            let mut stride = Int::known(0);
            let mut p = 0;
            while p < n {
                let v = tri!(tri!(parts[p].mode(j)).at_extended(if b.shape[j] > 1 { done } else { 0 }));
                if v != 0 && b.stride[j] != 0 {
                    if stride.coef != 0 {
                        return Err(LayoutError::SumStride);
                    }
                    stride = tri!(kinds[p].mul(&Int::known(v)));
                }
                p += 1;
            }
            tri!(w.leaf(&Int::known(cut / done), &stride));
            done = cut;
            i += 1;
        }
        while close > 0 {
            tri!(w.close());
            close -= 1;
        }
        weight *= b.shape[j];
        j += 1;
    }
    *out = w.finish();
    Ok(())
}

/// The strides of one kind, as integers; the others 0.
const fn part_of(a: &Layout, kind: &Int) -> Result<Layout, LayoutError> {
    let mut part = *a;
    let mut i = 0;
    while i < a.leaves() {
        let mut d = a.stride_int(i);
        let coef = d.coef;
        d.coef = 1;
        tri!(part.set_stride(i, &Int::known(if d.same(kind) { coef } else { 0 })));
        i += 1;
    }
    part.settle();
    Ok(part)
}

/// The leaves of `b` cut to the box between 0 and the coordinate `index`: what decides there about a layout.
const fn beginning(b: &Layout, index: i64) -> Layout {
    let mut r = b.flatten();
    let (mut rest, mut j) = (index, 0);
    while j < b.leaves() {
        r.shape[j] = rest % b.shape[j] + 1;
        rest /= b.shape[j];
        j += 1;
    }
    r
}

/// Is `a o b` linear in the leaves of `b`?
const fn is_linear(a: &Layout, b: &Layout, extended: bool, budget: u64) -> Result<bool, LayoutError> {
    let mut r = Layout::BLANK;
    match compose::compose_into(a, b, extended, budget, &mut r) {
        Ok(()) => Ok(r.leaves() == b.leaves()),
        Err(LayoutError::NoLayout { .. }) => Ok(false),
        Err(e) => Err(e),
    }
}

/// Is every part but the refused one linear there? Adding a multiple of a linear function changes nothing about which layouts
/// agree, so the refusal holds for all values of the symbols.
const fn others_are_linear(
    a: &Layout,
    kinds: &[Int; MODES],
    n: usize,
    refused: usize,
    begin: &Layout,
    extended: bool,
    budget: u64,
) -> Result<bool, LayoutError> {
    let mut p = 0;
    while p < n {
        if p != refused && !tri!(is_linear(&tri!(part_of(a, &kinds[p])), begin, extended, budget)) {
            return Ok(false);
        }
        p += 1;
    }
    Ok(true)
}

/// Are all parts linear there except at the far corner, and is what the corner lacks to be linear, a sum over the kinds, 0 for no
/// values of the symbols? It is not when all coefficients have one sign, or when those of the symbols have a common divisor that
/// does not divide the constant.
const fn corner_never_vanishes(
    a: &Layout,
    kinds: &[Int; MODES],
    n: usize,
    begin: &Layout,
    extended: bool,
    budget: u64,
) -> Result<bool, LayoutError> {
    let (mut positive, mut negative) = (false, false);
    let (mut constant, mut divisor) = (0u64, 0u64);
    let mut p = 0;
    while p < n {
        let part = tri!(part_of(a, &kinds[p]));
        let (mut x, mut linear, mut j) = (0, 0i128, 0);
        while j < begin.leaves() {
            let (u, e) = (begin.shape[j] - 1, begin.stride[j]);
            if u > 0 {
                let mut shorter = *begin;
                shorter.shape[j] = u;
                if !tri!(is_linear(&part, &shorter, extended, budget)) {
                    return Ok(false);
                }
                x += u * e;
                linear += u as i128 * tri!(part.at_extended(e)) as i128;
            }
            j += 1;
        }
        let h = tri!(part.at_extended(x)) as i128 - linear;
        if h as i64 as i128 != h || kinds[p].basis.len > 0 {
            return Ok(false);
        }
        positive |= h > 0;
        negative |= h < 0;
        if kinds[p].is_known() {
            constant = h.unsigned_abs() as u64;
        } else {
            divisor = gcd(divisor, h.unsigned_abs() as u64);
        }
        p += 1;
    }
    Ok(positive != negative || divisor != 0 && constant % divisor != 0)
}

/// Of the part whose run ends at `cut`: its value there, and what follows from the run that ended at `done`.
const fn disagreement(
    parts: &[Layout; MODES],
    n: usize,
    j: usize,
    done: i64,
    cut: i64,
) -> Result<(i64, i64), LayoutError> {
    let mut p = 0;
    while p < n {
        let mode = tri!(parts[p].mode(j));
        let got = tri!(mode.at_extended(cut));
        let whole = tri!(mode.at_extended(cut / done * done));
        let forced = whole + tri!(mode.at_extended(cut % done));
        if got != forced {
            return Ok((got, forced));
        }
        p += 1;
    }
    Ok((0, 0))
}

/// Leaf by leaf under divisibility that holds for all values of the symbols.
const fn by_divisibility(a: &Layout, b: &Layout, extended: bool, out: &mut Layout) -> Result<(), LayoutError> {
    let a = if extended { a.coalesce_extended() } else { a.coalesce() };
    let zero = Int::known(0);
    // products[k] = P_k, the product of the extents before mode k
    let mut products = [Int::known(1); MODES];
    let mut modes = 1;
    while modes < a.leaves() {
        products[modes] = tri!(products[modes - 1].mul(&a.extent_int(modes - 1)));
        modes += 1;
    }
    let mut fine = [(zero, zero); MODES]; // (extent, step) with step > 0
    let mut count = 0;
    let mut n = 0;
    let mut starts = 0u32;
    let mut j = 0;
    while j < b.leaves() {
        let (t, e) = (b.extent_int(j), b.stride_int(j));
        if n >= MODES {
            return Err(LayoutError::TooManyModes);
        }
        starts |= 1 << n;
        j += 1;
        if t.same(&Int::known(1)) || e.coef == 0 {
            tri!(out.set_extent(n, &t));
            tri!(out.set_stride(n, &zero));
            n += 1;
            continue;
        }
        if e.coef < 0 {
            return Err(LayoutError::NegativeStride { leaf: j - 1, stride: e.coef });
        }
        let (mut step, mut lim) = (e, t);
        loop {
            // the highest product that divides the step: below it all digits of the step are 0
            let mut k = modes - 1;
            while k > 0 && step.div_exact(&products[k]).is_none() {
                k -= 1;
            }
            let Some(digit) = step.div_exact(&products[k]) else { return Err(LayoutError::Undecided) };
            let stride = tri!(digit.mul(&a.stride_int(k)));
            // the run ends where the next product is reached
            let mut run = lim;
            if k + 1 < modes {
                let whole = tri!(lim.mul(&step));
                if !matches!(whole.le(&products[k + 1]), Some(true)) {
                    match products[k + 1].div_exact(&step) {
                        Some(r) => run = r,
                        None => return Err(LayoutError::Undecided),
                    }
                }
            }
            if n >= MODES || count >= MODES {
                return Err(LayoutError::TooManyModes);
            }
            tri!(out.set_extent(n, &run));
            tri!(out.set_stride(n, &stride));
            n += 1;
            fine[count] = (run, step);
            count += 1;
            if run.same(&lim) {
                break;
            }
            match lim.div_exact(&run) {
                Some(rest) => lim = rest,
                None => return Err(LayoutError::Undecided),
            }
            step = tri!(step.mul(&run));
        }
    }
    // no carry at any product, nor past the end of the domain
    let mut k = 1;
    while k <= modes {
        let last = k == modes;
        if !(last && extended) {
            let p = if last { tri!(a.size_int()) } else { products[k] };
            if !stays_below(&fine, count, &p, last) {
                return Err(LayoutError::Undecided);
            }
        }
        k += 1;
    }
    out.len = n as u8;
    if n == b.leaves() {
        out.nest = b.nest;
        Ok(())
    } else {
        renest(b, starts, n, out)
    }
}

/// `sum (n_l - 1) step_l < p` over the fine leaves whose step `p` does not divide (over all, when `whole`): taken in an order
/// where each step is at least what the sum so far is less than.
const fn stays_below(fine: &[(Int, Int); MODES], count: usize, p: &Int, whole: bool) -> bool {
    let mut acc = Int::known(1); // the sum is less than this
    let mut done = 0u32;
    let mut left = count;
    while left > 0 {
        let mut next = count;
        let mut l = 0;
        while l < count {
            if done >> l & 1 == 0 {
                if !whole && fine[l].1.div_exact(p).is_some() {
                    done |= 1 << l;
                    left -= 1;
                } else if matches!(acc.le(&fine[l].1), Some(true))
                    && (next == count || matches!(fine[l].1.le(&fine[next].1), Some(true)))
                {
                    next = l;
                }
            }
            l += 1;
        }
        if left == 0 {
            break;
        }
        if next == count {
            return false;
        }
        match fine[next].0.mul(&fine[next].1) {
            Ok(reach) => acc = reach,
            Err(_) => return false,
        }
        done |= 1 << next;
        left -= 1;
    }
    matches!(acc.le(p), Some(true))
}

/// The strides of `l`, all multiplied by the unit vector at `path`.
pub(crate) const fn at_path(l: &Layout, path: &[u8]) -> Result<Layout, LayoutError> {
    let mut r = *l;
    let mut i = 0;
    while i < l.leaves() {
        let d = l.stride_int(i);
        if d.coef != 0 {
            tri!(r.set_stride(i, &tri!(d.at(path))));
        }
        i += 1;
    }
    Ok(r)
}

//! Inverses of a layout, as layouts.
//!
//! **Right inverse**: R with `A(R(i)) = i`, as long as possible. The *chain* collects modes of A: one of stride 1, then one
//! whose stride is the product so far, and so on. When no stride is left that is at most the product n of the chain
//! (strides 0 and, if no larger one is left either, negative strides aside), n is not a value of A, so nothing is longer:
//! such is every injective layout without negative strides. The same holds when the strides that are left share a divisor
//! above n. Otherwise modes overlap, and a longer inverse may cut them (`(4,8):(1,2)` has `(3,2,3):(1,5,12)`), take sums of
//! them (`(2,3):(3,-2)` has `2:3`) or carry between them (`(2,2,2):(0,1,1)` has `3:3`): the [search](super::longest) decides.
//!
//! **Left inverse**: R with `R(A(i)) = i`. When each sorted stride is a multiple of the span below it (a chain), R reads
//! the digits of a value in the mixed radix of these spans and skips the gaps with stride 0. Without a chain another radix
//! may do: the values of `(2,2):(2,5)` are the binary numbers 000, 010, 101, 111, so `(2,2,2):(0,1,2)` reads them. That is
//! [searched](super::radix), as far as a budget goes, among the radices in which adding the modes never carries.

use super::{longest, radix};
use crate::layout::{Error, Int, Layout, LayoutError, MODES, Nest, Writer, divmod};

impl Layout {
    /// The longest layout R with `self(R(i)) = i`: where the values 0, 1, 2, .. are.
    ///
    /// Law: [`laws::right_inverse`](crate::algebra::laws::right_inverse). R is coalesced, `self(R(i)) = i` for all
    /// `i < size(R)`, and no layout with this property is longer; `1:0` always has it.
    ///
    /// # Errors
    /// [`TooHard`](LayoutError::TooHard) when modes overlap and the search for a longer one ends its budget (finding even
    /// one coordinate of value 1 is a subset-sum); [`Undecided`](LayoutError::Undecided) when it depends on symbols;
    /// [`Codomain`](LayoutError::Codomain) for basis strides.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((2,4,6):(4,1,8)).right_inverse()?, layout!((4,2,6):(2,1,8)));
    /// assert_eq!(layout!((2,4):(0,1)).right_inverse()?, layout!(4:2));
    /// assert_eq!(layout!(4:2).right_inverse()?, layout!(1:0));
    /// assert_eq!(layout!((4,8):(1,2)).right_inverse()?, layout!((3,2,3):(1,5,12)));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn right_inverse(&self) -> Result<Layout, Error> {
        let mut l = Layout::BLANK;
        match right_inverse_into(self, &mut l) {
            Ok(()) => Ok(l),
            Err(e) => Err(Error::unary("right_inverse", self, e)),
        }
    }

    /// A layout R with `R(self(i)) = i`: the coordinate of a value.
    ///
    /// Law: [`laws::left_inverse`](crate::algebra::laws::left_inverse). `R(self(i)) = i` when `self` is injective; with
    /// modes of stride 0, `self(R(self(i))) = self(i)`. Every value of `self` lies in the domain of R.
    ///
    /// # Errors
    /// [`NegativeStride`](LayoutError::NegativeStride); [`NotInjective`](LayoutError::NotInjective) with two coordinates that
    /// only a stride-0 mode might share; [`NoChain`](LayoutError::NoChain) when the sorted strides are no chain and no other
    /// radix was found (there may be one); [`Undecided`](LayoutError::Undecided) when it depends on symbols;
    /// [`Codomain`](LayoutError::Codomain) for basis strides.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((128,160):(65536,1)).left_inverse()?, layout!((160,409,128):(128,0,1)));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn left_inverse(&self) -> Result<Layout, Error> {
        let mut l = Layout::BLANK;
        match left_inverse_into(self, &mut l) {
            Ok(()) => Ok(l),
            Err(e) => Err(Error::unary("left_inverse", self, e)),
        }
    }
}

/// A result under construction: flat, of known numbers, neighbours merged.
pub(crate) const fn push(out: &mut Layout, n: &mut usize, extent: i64, stride: i64) -> Result<(), LayoutError> {
    if *n > 0 && stride != 0 && matches!(out.shape[*n - 1].checked_mul(out.stride[*n - 1]), Some(d) if d == stride) {
        out.shape[*n - 1] *= extent;
        return Ok(());
    }
    if *n == MODES {
        return Err(LayoutError::TooManyModes);
    }
    out.shape[*n] = extent;
    out.stride[*n] = stride;
    *n += 1;
    Ok(())
}

/// Ends it: `1:0` if nothing was pushed.
pub(crate) const fn finish(out: &mut Layout, mut n: usize) {
    if n == 0 {
        out.shape[0] = 1;
        out.stride[0] = 0;
        n = 1;
    }
    out.len = n as u8;
    out.nest = if n > 1 { Nest::flat(n) } else { Nest::LEAF };
}

// ---- right inverse ----

/// What is known about the chain of a layout of known numbers.
pub(crate) struct Chain {
    /// its length
    pub size: i64,
    /// No right inverse is longer.
    pub longest: bool,
    /// Each value below `size` is taken once: every right inverse is a beginning of this one, as a function.
    pub unique: bool,
}

const fn right_inverse_into(a: &Layout, out: &mut Layout) -> Result<(), LayoutError> {
    if a.packed {
        *out = tri!(right_inverse_symbolic(a));
        return Ok(());
    }
    let chain = chain(a, out);
    if chain.longest { Ok(()) } else { longest::search(a, a, chain.size, out) }
}

pub(crate) const fn chain(a: &Layout, out: &mut Layout) -> Chain {
    let (mut size, mut n, mut used) = (1i64, 0, 0u32);
    loop {
        // the longest mode that continues the chain
        let (mut next, mut extent, mut stride) = (MODES, 1, 0);
        let (mut place, mut i) = (1, 0);
        while i < a.leaves() {
            if a.stride[i] == size && a.shape[i] > extent && used >> i & 1 == 0 {
                (next, extent, stride) = (i, a.shape[i], place);
            }
            place *= a.shape[i];
            i += 1;
        }
        if next == MODES {
            break;
        }
        used |= 1 << next;
        // at most as many modes as the layout has
        let _ = push(out, &mut n, extent, stride);
        size *= extent; // at most the largest value + 1
    }
    finish(out, n);
    let (mut least, mut negative, mut zero, mut divisor) = (i64::MAX, false, false, 0);
    let mut i = 0;
    while i < a.leaves() {
        let d = a.stride[i];
        if a.shape[i] > 1 && used >> i & 1 == 0 {
            zero |= d == 0;
            negative |= d < 0;
            if d > 0 && d < least {
                least = d;
            }
        }
        i += 1;
    }
    if negative && least < i64::MAX {
        i = 0;
        while i < a.leaves() {
            if a.shape[i] > 1 && used >> i & 1 == 0 {
                divisor = super::shape::gcd(divisor, a.stride[i].unsigned_abs());
            }
            i += 1;
        }
    }
    let apart = least == i64::MAX || !negative && least > size;
    Chain { size, longest: apart || divisor > size as u64, unique: !zero && !negative && least > size }
}

/// The chain in monomials. A stride that may or may not continue it is undecided.
const fn right_inverse_symbolic(a: &Layout) -> Result<Layout, LayoutError> {
    let mut w = Writer::NEW;
    w.open();
    let (mut size, mut used) = (Int::known(1), 0u32);
    loop {
        let mut next = MODES;
        let (mut up, mut down) = (false, false);
        let mut i = 0;
        while i < a.leaves() {
            let d = a.stride_int(i);
            if d.basis.len > 0 {
                return Err(LayoutError::Codomain);
            }
            if used >> i & 1 == 0 && !a.is_one(i) && d.coef != 0 {
                if d.same(&size) && next == MODES {
                    next = i;
                } else if d.coef < 0 {
                    down = true;
                } else if matches!(d.le(&size), Some(false)) {
                    up = true;
                } else {
                    return Err(LayoutError::Undecided);
                }
            }
            i += 1;
        }
        if next == MODES {
            if up && down {
                return Err(LayoutError::Undecided);
            }
            break;
        }
        used |= 1 << next;
        tri!(w.leaf(&a.extent_int(next), &tri!(place(a, next))));
        if !up && !down && !more(a, used) {
            break; // the whole product need not be a monomial
        }
        size = tri!(size.mul(&a.extent_int(next)));
    }
    if w.out.len == 0 {
        return Ok(Layout::UNIT);
    }
    tri!(w.close());
    Ok(w.finish().coalesce())
}

const fn more(a: &Layout, used: u32) -> bool {
    let mut i = 0;
    while i < a.leaves() {
        if used >> i & 1 == 0 && !a.is_one(i) && a.stride_int(i).coef != 0 {
            return true;
        }
        i += 1;
    }
    false
}

/// The one-dimensional coordinate of a step in leaf `leaf`.
pub(crate) const fn place(a: &Layout, leaf: usize) -> Result<Int, LayoutError> {
    let mut p = Int::known(1);
    let mut i = 0;
    while i < leaf {
        p = tri!(p.mul(&a.extent_int(i)));
        i += 1;
    }
    Ok(p)
}

// ---- left inverse ----

/// A live mode: extent, stride, and the one-dimensional coordinate of a step.
#[derive(Clone, Copy)]
pub(crate) struct Mode {
    pub s: i64,
    pub d: i64,
    pub place: i64,
}

const fn left_inverse_into(a: &Layout, out: &mut Layout) -> Result<(), LayoutError> {
    if a.packed {
        *out = tri!(left_inverse_symbolic(a));
        return Ok(());
    }
    // live modes sorted by stride
    let mut mode = [Mode { s: 1, d: 0, place: 0 }; MODES];
    let (mut m, mut i, mut place) = (0, 0, 1);
    while i < a.leaves() {
        let (s, d) = (a.shape[i], a.stride[i]);
        if s > 1 && d < 0 {
            return Err(LayoutError::NegativeStride { leaf: i, stride: d });
        }
        if s > 1 && d > 0 {
            let mut k = m;
            while k > 0 && mode[k - 1].d > d {
                mode[k] = mode[k - 1];
                k -= 1;
            }
            mode[k] = Mode { s, d, place };
            m += 1;
        }
        place *= s;
        i += 1;
    }
    let (mut span, mut n) = (1i64, 0);
    i = 0;
    while i < m {
        let Mode { s, d, place } = mode[i];
        let (gap, rest) = divmod(d, span);
        if rest != 0 || gap == 0 {
            return radix::search(mode.split_at(m).0, LayoutError::NoChain { stride: d, span }, out);
        }
        if gap > 1 {
            tri!(push(out, &mut n, gap, 0));
        }
        tri!(push(out, &mut n, s, place));
        match d.checked_mul(s) {
            Some(x) => span = x,
            None => return Err(LayoutError::Overflow),
        }
        i += 1;
    }
    finish(out, n);
    Ok(())
}

/// The chain in monomials: next is the mode whose span divides all other strides.
const fn left_inverse_symbolic(a: &Layout) -> Result<Layout, LayoutError> {
    let mut w = Writer::NEW;
    w.open();
    let (mut span, mut used) = (Int::known(1), 0u32);
    while more(a, used) {
        let mut next = MODES;
        let mut i = 0;
        while i < a.leaves() && next == MODES {
            if live(a, used, i) {
                let d = a.stride_int(i);
                if d.basis.len > 0 {
                    return Err(LayoutError::Codomain);
                }
                if d.coef < 0 {
                    return Err(LayoutError::NegativeStride { leaf: i, stride: d.coef });
                }
                if tri!(divides_others(a, used, i)) {
                    next = i;
                }
            }
            i += 1;
        }
        if next == MODES {
            return Err(LayoutError::Undecided);
        }
        let d = a.stride_int(next);
        let Some(gap) = d.div_exact(&span) else { return Err(LayoutError::Undecided) };
        if !(gap.is_known() && gap.coef == 1) {
            tri!(w.leaf(&gap, &Int::known(0)));
        }
        tri!(w.leaf(&a.extent_int(next), &tri!(place(a, next))));
        used |= 1 << next;
        if more(a, used) {
            span = tri!(d.mul(&a.extent_int(next)));
        }
    }
    if w.out.len == 0 {
        return Ok(Layout::UNIT);
    }
    tri!(w.close());
    Ok(w.finish().coalesce())
}

const fn live(a: &Layout, used: u32, i: usize) -> bool {
    used >> i & 1 == 0 && !a.is_one(i) && a.stride_int(i).coef != 0
}

/// The span of leaf `i` divides every other live stride that is left.
const fn divides_others(a: &Layout, used: u32, i: usize) -> Result<bool, LayoutError> {
    if !more(a, used | 1 << i) {
        return Ok(true);
    }
    let span = tri!(a.stride_int(i).mul(&a.extent_int(i)));
    let mut k = 0;
    while k < a.leaves() {
        if k != i && live(a, used, k) && a.stride_int(k).div_exact(&span).is_none() {
            return Ok(false);
        }
        k += 1;
    }
    Ok(true)
}

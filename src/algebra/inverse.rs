//! Inverses of a layout, as layouts.
//!
//! **Right inverse**: R with `A(R(i)) = i`, as long as possible. The *chain* collects modes of A: one of stride 1, then one
//! whose stride is the product so far, and so on. When no stride is left that is at most the product n of the chain
//! (strides 0 and, if no larger one is left either, negative strides aside), n is not a value of A, so nothing is longer:
//! such is every injective layout without negative strides. The same holds when the strides that are left share a divisor
//! above n. Otherwise modes overlap, and a longer inverse may cut them (`(4,8):(1,2)` has `(3,2,3):(1,5,12)`), take sums of
//! them (`(2,3):(3,-2)` has `2:3`) or carry between them (`(2,2,2):(0,1,1)` has `3:3`): the [search](super::longest) decides.
//!
//! **Left inverse**: R with `R(A(i)) = i`. When each sorted stride is a multiple of the one below it and at least that one's
//! span (a chain), R reads the digits of a value in the mixed radix of their quotients. Without a chain another radix may
//! do: the values of `(2,2):(2,5)` are the binary numbers 000, 010, 101, 111, so `(2,2,2):(0,1,2)` reads them, and so does
//! `(2,4):(0,1)`. These are [searched](super::radix), as far as a budget goes.

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
        match right_inverse_into(self, longest::BUDGET, &mut l) {
            Ok(()) => Ok(l),
            Err(e) => Err(Error::unary("right_inverse", self, e)),
        }
    }

    /// [`Layout::right_inverse`] with a budget of steps for the search behind the chain (16,384 by default, which a constant can
    /// afford). Only layouts whose modes overlap need any.
    ///
    /// # Errors
    /// As [`Layout::right_inverse`].
    /// ```
    /// # use girih::prelude::*;
    /// let windows = layout!((1001,97):(1,1));
    /// assert_eq!(windows.right_inverse_within(10).unwrap_err().kind(), "too_hard");
    /// assert_eq!(windows.right_inverse_within(1 << 20)?.size()?, 1096); // of 1097 values; 1097 is prime
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn right_inverse_within(&self, budget: u64) -> Result<Layout, Error> {
        let mut l = Layout::BLANK;
        match right_inverse_into(self, budget, &mut l) {
            Ok(()) => Ok(l),
            Err(e) => Err(Error::unary("right_inverse_within", self, e)),
        }
    }

    /// A layout R with `R(self(i)) = i`: the coordinate of a value.
    ///
    /// Law: [`laws::left_inverse`](crate::algebra::laws::left_inverse). `R(self(i)) = i` when `self` is injective, else
    /// `self(R(self(i))) = self(i)`: R finds one of the coordinates of a value. Every value lies in the domain of R. Injective
    /// here is up to modes of stride 0; of layouts with other coincidences only those are inverted whose values are
    /// `0..n` and all found by the [right inverse](Layout::right_inverse).
    ///
    /// # Errors
    /// [`NegativeStride`](LayoutError::NegativeStride); [`NotInjective`](LayoutError::NotInjective) with two coordinates of
    /// equal value that differ not only in stride-0 modes; [`NoChain`](LayoutError::NoChain) when the sorted strides are no
    /// chain and no other radix was found (there may be one); [`Undecided`](LayoutError::Undecided) when it depends on
    /// symbols; [`Codomain`](LayoutError::Codomain) for basis strides.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((128,160):(65536,1)).left_inverse()?, layout!((65536,128):(128,1)));
    /// assert_eq!(layout!(4:2).left_inverse()?, layout!((2,4):(0,1)));
    /// assert_eq!(layout!((2,2):(2,5)).left_inverse()?, layout!((2,4):(0,1))); // no chain: 2 does not divide 5
    /// assert_eq!(layout!((4,8):(1,2)).left_inverse()?, layout!((3,2,3):(1,5,12))); // not injective, onto 0..18
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
    if *n > 0 && matches!(out.shape[*n - 1].checked_mul(out.stride[*n - 1]), Some(d) if d == stride) {
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

const fn right_inverse_into(a: &Layout, budget: u64, out: &mut Layout) -> Result<(), LayoutError> {
    if a.packed {
        *out = tri!(right_inverse_symbolic(a));
        return Ok(());
    }
    let chain = chain(a, out);
    if chain.longest { Ok(()) } else { longest::search(a, a, chain.size, budget, out) }
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

/// The chain in monomials. It is the longest when every stride that is left is above its size for all values of the symbols.
const fn right_inverse_symbolic(a: &Layout) -> Result<Layout, LayoutError> {
    if a.has_basis() {
        return Err(LayoutError::Codomain);
    }
    let mut w = Writer::NEW;
    w.open();
    let (mut size, mut used) = (Int::known(1), 0u32);
    // the whole product need not be a monomial
    while more(a, used) {
        let (mut next, mut up, mut down, mut unclear) = (MODES, false, false, false);
        let mut i = 0;
        while i < a.leaves() {
            let d = a.stride_int(i);
            if live(a, used, i) {
                if d.same(&size) {
                    next = i;
                } else if d.coef < 0 {
                    down = true;
                } else {
                    up = true;
                    unclear |= !matches!(d.le(&size), Some(false));
                }
            }
            i += 1;
        }
        if next == MODES && (unclear || up && down) {
            return Err(LayoutError::Undecided);
        }
        if next == MODES {
            break;
        }
        tri!(w.leaf(&a.extent_int(next), &tri!(place(a, next))));
        used |= 1 << next;
        if more(a, used) {
            size = tri!(size.mul(&a.extent_int(next)));
        }
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
        if live(a, used, i) {
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
    // the radix of a digit is the next stride over its own
    let mut n = 0;
    if m > 0 && mode[0].d > 1 {
        tri!(push(out, &mut n, mode[0].d, 0));
    }
    i = 0;
    while i < m {
        let Mode { s, d, place } = mode[i];
        let mut radix = s;
        if i + 1 < m {
            let above = mode[i + 1].d;
            let (q, rest) = divmod(above, d);
            if rest != 0 || q < s {
                let refusal = LayoutError::NoChain { stride: above, below: d, span: s.saturating_mul(d) };
                return no_chain(a, mode.split_at(m).0, refusal, out);
            }
            radix = q;
        }
        tri!(push(out, &mut n, radix, place));
        i += 1;
    }
    finish(out, n);
    out.check()
}

/// Another radix; or the right inverse, when the values are all of an interval from 0 on and it finds each.
#[cold]
#[inline(never)]
const fn no_chain(a: &Layout, modes: &[Mode], refusal: LayoutError, out: &mut Layout) -> Result<(), LayoutError> {
    let Err(e) = radix::search(modes, refusal, out) else { return Ok(()) };
    let mut r = Layout::BLANK;
    if right_inverse_into(a, longest::BUDGET, &mut r).is_ok() {
        let (size, (_, last)) = (tri!(r.size()), tri!(a.image_range()));
        if size > last {
            *out = r;
            return Ok(());
        }
    }
    Err(e)
}

/// The chain in monomials: next is the mode whose span is at most every other stride and whose stride divides them.
const fn left_inverse_symbolic(a: &Layout) -> Result<Layout, LayoutError> {
    if a.has_basis() {
        return Err(LayoutError::Codomain);
    }
    let mut w = Writer::NEW;
    w.open();
    let (mut used, mut below) = (0u32, MODES);
    while more(a, used) {
        let mut next = MODES;
        let mut i = 0;
        while i < a.leaves() && next == MODES {
            if live(a, used, i) {
                let d = a.stride_int(i);
                if d.coef < 0 {
                    return Err(LayoutError::NegativeStride { leaf: i, stride: d.coef });
                }
                if tri!(below_others(a, used, i)) {
                    next = i;
                }
            }
            i += 1;
        }
        if next == MODES {
            return Err(LayoutError::Undecided);
        }
        let d = a.stride_int(next);
        if below == MODES {
            tri!(w.leaf(&d, &Int::known(0)));
        } else {
            let Some(radix) = d.div_exact(&a.stride_int(below)) else { return Err(LayoutError::Undecided) };
            tri!(w.leaf(&radix, &tri!(place(a, below))));
        }
        used |= 1 << next;
        below = next;
    }
    if below == MODES {
        return Ok(Layout::UNIT);
    }
    tri!(w.leaf(&a.extent_int(below), &tri!(place(a, below))));
    tri!(w.close());
    let r = w.finish();
    // it reaches one span beyond the values of A
    tri!(r.check());
    Ok(r.coalesce())
}

const fn live(a: &Layout, used: u32, i: usize) -> bool {
    used >> i & 1 == 0 && !a.is_one(i) && a.stride_int(i).coef != 0
}

/// Is every other live stride that is left a multiple of the stride of leaf `i`, and at least its span?
const fn below_others(a: &Layout, used: u32, i: usize) -> Result<bool, LayoutError> {
    let d = a.stride_int(i);
    let mut k = 0;
    while k < a.leaves() {
        if k != i && live(a, used, k) {
            let above = a.stride_int(k);
            let span = tri!(d.mul(&a.extent_int(i)));
            if above.div_exact(&d).is_none() || !matches!(span.le(&above), Some(true)) {
                return Ok(false);
            }
        }
        k += 1;
    }
    Ok(true)
}

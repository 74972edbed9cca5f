//! What two layouts have in common, and what a layout maps to 0.

use super::inverse::{Chain, chain, finish, place, push};
use super::longest;
use super::shape::gcd;
use crate::layout::{Error, Int, IntTuple, Layout, LayoutError, Writer};

impl Layout {
    /// The number of contiguous elements that correspond in two layouts, the size of their
    /// [`max_common_layout`](Layout::max_common_layout): the longest vector that can move between them in one piece, alignment
    /// ([`Layout::max_alignment`]) aside.
    ///
    /// # Errors
    /// As [`Layout::max_common_layout`].
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((8,4):(1,16)).max_common_vector(&layout!((2,2,8):(1,2,4)))?.value(), Some(8));
    /// let g: Layout = "(?M{8},?N):(1,?lda)".parse()?;
    /// assert_eq!(g.max_common_vector(&layout!((8,4):(1,16)))?.value(), Some(8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn max_common_vector(&self, o: &Layout) -> Result<Int, Error> {
        let mut l = Layout::BLANK;
        let size = match common_layout(self, o, &mut l) {
            Ok(()) => l.size_int(),
            Err(e) => Err(e),
        };
        match size {
            Ok(v) => Ok(v),
            Err(e) => Err(Error::binary("max_common_vector", self, o, e)),
        }
    }

    /// The longest layout R with `self(R(i)) = o(R(i)) = i`: the elements 0, 1, 2, .. that the two have at the same
    /// coordinates. `size(R)` of them can be copied as one vector between tensors of these layouts.
    ///
    /// Law: [`laws::max_common_layout`](crate::algebra::laws::max_common_layout). R is coalesced, and no longer one exists.
    ///
    /// # Errors
    /// As [`Layout::right_inverse`] of one of them.
    /// ```
    /// # use girih::prelude::*;
    /// let r = layout!((2,8):(8,1)).max_common_layout(&layout!((2,8):(32,1)))?;
    /// assert_eq!(r, layout!(8:2));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn max_common_layout(&self, o: &Layout) -> Result<Layout, Error> {
        let mut l = Layout::BLANK;
        match common_layout(self, o, &mut l) {
            Ok(()) => Ok(l),
            Err(e) => Err(Error::binary("max_common_layout", self, o, e)),
        }
    }

    /// The coordinates that differ only in modes of stride 0 from coordinate 0, as a coalesced layout: `self` is constant
    /// along it. Without negative strides these are all the coordinates of value 0.
    ///
    /// Law: [`laws::nullspace`](crate::algebra::laws::nullspace). N is injective and increasing, `self(N(i)) = 0`, and its
    /// size is the product of the extents of the stride-0 modes.
    ///
    /// # Errors
    /// A product of more symbols than a leaf holds.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((2,20,9):(1,2,0)).nullspace()?, layout!(9:40));
    /// assert_eq!(layout!((3,8):(0,0)).nullspace()?, layout!(24:1));
    /// assert_eq!(layout!((2,3):(3,1)).nullspace()?, layout!(1:0));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn nullspace(&self) -> Result<Layout, Error> {
        match zeros(self) {
            Ok(l) => Ok(l),
            Err(e) => Err(Error::unary("nullspace", self, e)),
        }
    }

    /// The largest N for which the values of `self` are, for all values of the symbols, whole aligned vectors of N: N divides
    /// the length of the contiguous part (the chain of the [right inverse](Layout::right_inverse)) and the strides of all
    /// other modes, stride 0 aside. `upcast(N)` of the contiguous part and the rest is then exact.
    ///
    /// Law: [`laws::max_alignment`](crate::algebra::laws::max_alignment): the set of values is a union of intervals
    /// `[kN, kN + N)`; and no larger N has this property when `self` is injective (broadcasts aside) without negative strides.
    ///
    /// # Errors
    /// [`Codomain`](LayoutError::Codomain) for basis strides, overflow.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((12,8):(1,16)).max_alignment()?, 4);
    /// assert_eq!(layout!((2,6,4):(24,4,1)).max_alignment()?, 48);
    /// assert_eq!(Layout::parse("(?M{8},?N):(1,?lda{4})")?.max_alignment()?, 4);
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn max_alignment(&self) -> Result<i64, Error> {
        match alignment(self) {
            Ok(n) => Ok(n),
            Err(e) => Err(Error::unary("max_alignment", self, e)),
        }
    }
}

impl IntTuple {
    /// Spreads n elements over this shape: from the left, each mode takes the greatest common divisor of its extent and what
    /// is left of n. The coordinates taken, as a coalesced layout.
    ///
    /// Law: [`laws::domain_distribute`](crate::algebra::laws::domain_distribute). R is increasing, below the size of the shape,
    /// and has exactly `gcd(n, size)` elements.
    ///
    /// # Errors
    /// `n` or an extent below 1, or [`Undecided`](LayoutError::Undecided) when a divisor depends on symbols.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(ints!(((64, 3), (8, 8))).domain_distribute(128)?, layout!((64,2):(1,192)));
    /// assert_eq!(ints!((4, 2)).domain_distribute(12)?, layout!(4:1));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn domain_distribute(&self, n: i64) -> Result<Layout, Error> {
        match distribute(self, n) {
            Ok(l) => Ok(l),
            Err(e) => Err(Error::tuple_with_int("domain_distribute", self, n, e)),
        }
    }
}

const fn common_layout(a: &Layout, b: &Layout, out: &mut Layout) -> Result<(), LayoutError> {
    if a.packed || b.packed {
        *out = tri!(common_symbolic(a, b));
        return Ok(());
    }
    // where one of them takes each value once, there is one candidate function: its longest beginning that suits the other
    let mut r = Layout::BLANK;
    let Chain { unique, .. } = chain(b, &mut r);
    if unique {
        return beginning(a, &r, out);
    }
    r = Layout::BLANK;
    let Chain { unique, .. } = chain(a, &mut r);
    if unique {
        return beginning(b, &r, out);
    }
    finish(out, 0);
    longest::search(a, b, 1, longest::BUDGET, out)
}

/// The longest beginning of the coalesced `r` that inverts `a`. A beginning of length n is a layout iff n is a multiple of each
/// product of leading extents below n: it cuts one mode and drops those above.
const fn beginning(a: &Layout, r: &Layout, out: &mut Layout) -> Result<(), LayoutError> {
    let mut trial = Layout::BLANK;
    let (mut n, mut steps, mut i) = (0, 0, 0);
    while i < r.leaves() && r.shape[i] > 1 {
        let extent = tri!(longest::largest_extent(a, a, &mut trial, i, r.stride[i], r.shape[i], &mut steps));
        if extent > 1 {
            tri!(push(out, &mut n, extent, r.stride[i]));
        }
        if extent < r.shape[i] {
            break;
        }
        trial.shape[i] = extent;
        i += 1;
    }
    finish(out, n);
    Ok(())
}

/// Equal functions, or one of known numbers whose inverse suits the other for all values of the symbols.
const fn common_symbolic(a: &Layout, b: &Layout) -> Result<Layout, LayoutError> {
    if a.has_basis() || b.has_basis() {
        return Err(LayoutError::Codomain);
    }
    let (known, other) = if a.packed { (b, a) } else { (a, b) };
    if a.same_function(b) {
        return match a.right_inverse() {
            Ok(r) => Ok(r),
            Err(e) => Err(e.reason),
        };
    }
    if known.packed {
        return Err(LayoutError::Undecided);
    }
    let mut r = Layout::BLANK;
    let Chain { size, longest, .. } = chain(known, &mut r);
    match other.compose(&r) {
        Ok(c) if longest && c.same_function(&Layout::leaf(size, if size > 1 { 1 } else { 0 })) => Ok(r),
        _ => Err(LayoutError::Undecided),
    }
}

const fn zeros(a: &Layout) -> Result<Layout, LayoutError> {
    let mut w = Writer::NEW;
    w.open();
    let mut i = 0;
    while i < a.leaves() {
        if a.stride_int(i).coef == 0 && !a.is_one(i) {
            tri!(w.leaf(&a.extent_int(i), &tri!(place(a, i))));
        }
        i += 1;
    }
    if w.out.len == 0 {
        return Ok(Layout::UNIT);
    }
    tri!(w.close());
    Ok(w.finish().coalesce())
}

const fn alignment(a: &Layout) -> Result<i64, LayoutError> {
    // the chain, as far as it is certain
    let (mut size, mut used) = (Int::known(1), 0u32);
    let mut i = 0;
    while i < a.leaves() {
        if used >> i & 1 == 1 || a.is_one(i) || !a.stride_int(i).same(&size) {
            i += 1;
            continue;
        }
        used |= 1 << i;
        match size.mul(&a.extent_int(i)) {
            Ok(product) => (size, i) = (product, 0),
            // of more symbols than a leaf holds: no stride continues it, and only its coefficient matters
            Err(LayoutError::TooManyFactors) => {
                size = tri!(Int::known(size.coef).mul(&Int::known(a.extent_int(i).coef)));
                break;
            }
            Err(e) => return Err(e),
        }
    }
    let mut n = size.coef as u64;
    i = 0;
    while i < a.leaves() {
        let d = tri!(a.stride_magnitude(i));
        if used >> i & 1 == 0 && !a.is_one(i) {
            n = gcd(n, d.coef as u64);
        }
        i += 1;
    }
    Ok(n as i64)
}

const fn distribute(shape: &IntTuple, n: i64) -> Result<Layout, LayoutError> {
    if n < 1 {
        return Err(LayoutError::BadExtent { leaf: 0, extent: n });
    }
    tri!(shape.0.check());
    let mut out = Layout::BLANK;
    let (mut modes, mut rest, mut place) = (0, n, Int::known(1));
    let mut i = 0;
    while i < shape.leaves() && rest > 1 {
        let s = shape.0.extent_int(i);
        let take = gcd(s.coef as u64, rest as u64) as i64;
        // a symbol may hold more of it, unless its promise holds all
        if !s.is_known() && take < rest {
            return Err(LayoutError::Undecided);
        }
        if take > 1 {
            let Some(p) = place.value() else { return Err(LayoutError::Undecided) };
            tri!(push(&mut out, &mut modes, take, p));
        }
        rest /= take;
        i += 1;
        if rest > 1 && i < shape.leaves() {
            place = tri!(place.mul(&s));
        }
    }
    finish(&mut out, modes);
    Ok(out)
}

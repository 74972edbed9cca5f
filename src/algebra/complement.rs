//! What a layout leaves out.
//!
//! Extent-1 and stride-0 modes are ignored; the others are sorted by stride. Mode i leaves a gap of `d_i / span` copies of
//! the span of the modes below it, then `(s_i : d_i)` fills in and the span grows to `s_i * d_i`. The gaps, as modes
//! `(gap : span)`, are the complement, and last the copies of the whole up to the cotarget.
//!
//! A layout and its complement together are a bijection onto `[0, M')` **iff** every stride is positive and every sorted
//! stride is a multiple of the span below it. (Necessity is de Bruijn's structure of sums of progressions that fill an
//! interval: the progression that contains 1 is an interval, all others consist of multiples of its length; divide and
//! repeat.) [`Layout::complement_exact`] demands that; [`Layout::complement`] only that no stride lies inside the span
//! below it, and floors a gap that is not a multiple: holes remain, copies stay disjoint.

use crate::layout::{Error, IntTuple, Layout, LayoutError, MODES, Nest, divmod};

/// How far a complement reaches and how strict it is.
#[derive(Clone, Copy)]
pub(crate) enum Reach {
    /// Up to the cotarget, rounded up to whole spans; gaps floored.
    Padded(i64),
    /// Up to the cotarget rounded up to whole spans; no holes.
    Ceil(i64),
    /// A bijection onto `[0, cotarget)`.
    Exact(i64),
}

impl Layout {
    /// The ordered layout of what `self` leaves out of `[0, cotarget)`.
    ///
    /// Law: strides are positive and increasing; all sums of a value of `self` (stride-0 modes aside) and a value of the
    /// complement are distinct; together they reach `cotarget` rounded up to whole copies of `self`, and they fill that
    /// range exactly when the sorted strides of `self` are a chain of multiples. Inexact gaps are floored, as in CuTe.
    ///
    /// # Errors
    /// [`Interleaved`](LayoutError::Interleaved) when a stride is negative or lies inside the span of the modes below it,
    /// [`Undecided`](LayoutError::Undecided) for symbols, a cotarget below 1.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!(4:2).complement(24)?, layout!((2,3):(1,8)));
    /// assert_eq!(layout!((2,2):(1,6)).complement(24)?, layout!((3,2):(2,12)));
    /// assert_eq!(layout!((2,2):(1,3)).complement(12)?, layout!(2:6)); // 2 is in no copy
    /// assert!(layout!((2,2):(2,3)).complement(19).is_err()); // CuTe: an extent of 0
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn complement(&self, cotarget: i64) -> Result<Layout, Error> {
        complement("complement", self, cotarget, Reach::Padded(cotarget))
    }

    /// [`Layout::complement`] within the size of a shape.
    ///
    /// # Errors
    /// As [`Layout::complement`]; a shape with symbols.
    /// ```
    /// # use girih::prelude::*;
    /// // where 32 contiguous elements go in a tile of 128 by 64
    /// assert_eq!(layout!(32:1).complement_in(&ints!((128, 64)))?, layout!(256:32));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn complement_in(&self, cotarget: &IntTuple) -> Result<Layout, Error> {
        match size(cotarget) {
            Ok(m) => self.complement(m),
            Err(e) => Err(Error::with_tuple("complement", self, cotarget, e)),
        }
    }

    /// The layout that makes `(self, complement)` a bijection onto `[0, cotarget)`: nothing dropped, nothing twice.
    ///
    /// # Errors
    /// There is none: a stride is 0, negative or no multiple of the span below it, or `cotarget` is no multiple of the
    /// whole span.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!(4:2).complement_exact(24)?, layout!((2,3):(1,8)));
    /// assert_eq!(
    ///     layout!((2,2):(1,3)).complement_exact(12).unwrap_err().to_string(),
    ///     "complement_exact((2,2):(1,3), 12): stride 3 does not continue the span 2 of the modes below it"
    /// );
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn complement_exact(&self, cotarget: i64) -> Result<Layout, Error> {
        complement("complement_exact", self, cotarget, Reach::Exact(cotarget))
    }

    /// [`Layout::complement_exact`] within the size of a shape.
    ///
    /// # Errors
    /// As [`Layout::complement_exact`]; a shape with symbols.
    /// ```
    /// # use girih::prelude::*;
    /// let tile = ints!((128, 64));
    /// assert_eq!(layout!(32:1).complement_exact_in(&tile)?, layout!(256:32));
    /// assert_eq!(layout!(48:1).complement_in(&tile)?, layout!(171:48)); // rounded up
    /// assert!(layout!(48:1).complement_exact_in(&tile).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn complement_exact_in(&self, cotarget: &IntTuple) -> Result<Layout, Error> {
        match size(cotarget) {
            Ok(m) => self.complement_exact(m),
            Err(e) => Err(Error::with_tuple("complement_exact", self, cotarget, e)),
        }
    }
}

const fn size(shape: &IntTuple) -> Result<i64, LayoutError> {
    match tri!(shape.product()).value() {
        Some(m) => Ok(m),
        None => Err(LayoutError::Undecided),
    }
}

#[inline(always)]
const fn complement(op: &'static str, a: &Layout, cotarget: i64, reach: Reach) -> Result<Layout, Error> {
    let mut l = Layout::BLANK;
    match complement_into(a, reach, &mut l) {
        Ok(()) => Ok(l),
        Err(e) => Err(Error::with_int(op, a, cotarget, e)),
    }
}

pub(crate) const fn complement_into(a: &Layout, reach: Reach, out: &mut Layout) -> Result<(), LayoutError> {
    if a.packed {
        return Err(if a.has_basis() { LayoutError::Codomain } else { LayoutError::Undecided });
    }
    let holes = matches!(reach, Reach::Padded(_));
    let (Reach::Padded(m) | Reach::Ceil(m) | Reach::Exact(m)) = reach;
    if m < 1 {
        return Err(LayoutError::BadExtent { leaf: 0, extent: m });
    }
    // live modes sorted by stride, in place
    let mut n = 0;
    let mut i = 0;
    while i < a.leaves() {
        let (s, d) = (a.shape[i], a.stride[i]);
        if s > 1 && (d < 0 || d == 0 && !holes) {
            return Err(LayoutError::Interleaved { stride: d, span: 1 });
        }
        if s > 1 && d != 0 {
            let mut k = n;
            while k > 0 && out.stride[k - 1] > d {
                out.shape[k] = out.shape[k - 1];
                out.stride[k] = out.stride[k - 1];
                k -= 1;
            }
            out.shape[k] = s;
            out.stride[k] = d;
            n += 1;
        }
        i += 1;
    }
    // mode i becomes the gap below it; the write never passes the read
    let mut w = 0;
    let mut span = 1i64;
    i = 0;
    while i < n {
        let (s, d) = (out.shape[i], out.stride[i]);
        let (gap, rest) = divmod(d, span);
        if gap == 0 || rest != 0 && !holes {
            return Err(LayoutError::Interleaved { stride: d, span });
        }
        tri!(gap_mode(out, &mut w, gap, span));
        match s.checked_mul(d) {
            Some(x) => span = x,
            None => return Err(LayoutError::Overflow),
        }
        i += 1;
    }
    let (q, rest) = divmod(m, span);
    if rest != 0 && matches!(reach, Reach::Exact(_)) {
        return Err(LayoutError::NotDivisible { extent: m, by: span });
    }
    let top = q + (rest != 0) as i64;
    // the last copy must fit
    match span.checked_mul(top) {
        Some(_) => {}
        None => return Err(LayoutError::Overflow),
    }
    tri!(gap_mode(out, &mut w, top, span));
    if w == 0 {
        out.shape[0] = 1;
        out.stride[0] = 0;
        w = 1;
    }
    out.len = w as u8;
    out.nest = if w > 1 { Nest::flat(w) } else { Nest::LEAF };
    Ok(())
}

/// Appends a gap, merged with the mode before it where it continues that mode.
#[inline(always)]
const fn gap_mode(out: &mut Layout, w: &mut usize, gap: i64, span: i64) -> Result<(), LayoutError> {
    if gap == 1 {
        return Ok(());
    }
    // cannot overflow: shape * stride <= the stride of the mode above it
    if *w > 0 && out.shape[*w - 1] * out.stride[*w - 1] == span {
        out.shape[*w - 1] *= gap;
        return Ok(());
    }
    if *w == MODES {
        return Err(LayoutError::TooManyModes);
    }
    out.shape[*w] = gap;
    out.stride[*w] = span;
    *w += 1;
    Ok(())
}

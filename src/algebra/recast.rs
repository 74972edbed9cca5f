//! The same memory seen in elements of another width: upcast, downcast, recast.
//!
//! `upcast(n)` takes words of `n` elements, `downcast(n)` parts of `1/n` element. A mode that runs backwards through the
//! element holding the pointer moves it: a descending byte array `8:-1` seen as 4-byte words is `2:-1`, its first word
//! starting 3 bytes *below* the first byte. [`Layout::recast_offset`] is that movement.

use super::shape::gcd;
use crate::layout::{Error, Int, Layout, LayoutError};

impl Layout {
    /// Words of `n` elements. A mode whose stride `d` is a multiple of `n` keeps its extent and gets stride `d/n`; a mode that
    /// is finer than a word has its extent divided by `n/|d|` and gets stride 1 (with the sign of `d`); one that stays
    /// inside a word, below such a mode, gets extent 1. Stride 0 stays.
    ///
    /// Law: the result `U` is congruent with `self`, and each extent divides the old one, `s = s' * g`; and for every
    /// coordinate `c` of `self`, with `m = self.recast_offset(1, n)`,
    /// `U(c0/g0, c1/g1, ..) = floor((self(c) - m) / n)`: the word of an element is the word at its group's coordinate.
    ///
    /// # Errors
    /// [`LayoutError::NotDivisible`]: neither of a stride and `n` divides the other, or a group would hang over its extent
    /// (see [`Layout::upcast_ceil`]); [`LayoutError::Interleaved`]: two modes finer than a word overlap in it, so that the
    /// word is not a function of the groups; [`LayoutError::Undecided`]; [`LayoutError::Codomain`] for basis strides.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((8,(4,16)):(1,(0,8))).upcast(4)?, layout!((2,(4,16)):(1,(0,2))));
    /// assert_eq!(layout!((8,8):(1,8)).upcast(16)?, layout!((1,4):(1,1)));
    /// assert_eq!(layout!(8:-1).upcast(4)?, layout!(2:-1)); // and the pointer moves by -3
    /// assert_eq!(layout!(21:1).upcast(4).unwrap_err().reason, LayoutError::NotDivisible { extent: 21, by: 4 });
    /// assert!(layout!((4,4):(1,1)).upcast(2).is_err());
    /// # Ok::<(), girih::Error>(())
    /// ```
    pub const fn upcast(&self, n: i64) -> Result<Layout, Error> {
        match self.words(n, true) {
            Ok((l, _)) => Ok(l),
            Err(e) => Err(Error::with_int("upcast", self, n, self.for_some(e))),
        }
    }

    /// [`Layout::upcast`] with the last word of a mode partly filled, as in CuTe: extents are rounded up.
    ///
    /// Law: as for `upcast` at every coordinate of `self`, with extents `s' = ceil(s/g)`. Every word has an element of
    /// `self`, so no guard is needed on words; of the elements of a word those with `c < s` are real.
    ///
    /// # Errors
    /// As [`Layout::upcast`], the overhang excepted.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!(21:1).upcast_ceil(4)?, layout!(6:1));
    /// # Ok::<(), girih::Error>(())
    /// ```
    pub const fn upcast_ceil(&self, n: i64) -> Result<Layout, Error> {
        match self.words(n, false) {
            Ok((l, _)) => Ok(l),
            Err(e) => Err(Error::with_int("upcast_ceil", self, n, self.for_some(e))),
        }
    }

    /// Parts of `1/n` element: the mode of stride 1 (or -1; an extent-1 mode if there is none) holds the parts and has its
    /// extent multiplied by `n`, every other stride is multiplied by `n`. Of several modes of stride 1 the first live one.
    ///
    /// Law: the result `D` is congruent with `self`, and for every coordinate `c` of `self` the values of `D` at the `n`
    /// parts `n*c_u + t` of it, `c_u` being the coordinate in the mode that holds the parts, are `n*self(c) + t` in that order,
    /// or `n*self(c) + n - 1 - t` when that mode runs backwards, after moving by `self.recast_offset(n, 1)`.
    ///
    /// # Errors
    /// [`LayoutError::NoUnitStride`]: no mode of stride 1 or extent 1; [`LayoutError::Undecided`] when it depends on a
    /// symbol; `n` below 1; overflow; [`LayoutError::Codomain`].
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((4,8):(8,1)).downcast(2)?, layout!((4,16):(16,1)));
    /// assert_eq!(layout!((4,4):(1,1)).downcast(2)?, layout!((8,4):(1,2)));
    /// assert_eq!(layout!(4:2).downcast(2).unwrap_err().reason, LayoutError::NoUnitStride);
    /// # Ok::<(), girih::Error>(())
    /// ```
    pub const fn downcast(&self, n: i64) -> Result<Layout, Error> {
        match self.parts(n) {
            Ok((l, _)) => Ok(l),
            Err(e) => Err(Error::with_int("downcast", self, n, self.for_some(e))),
        }
    }

    /// Elements of `old_bits` seen as elements of `new_bits`: `downcast(old_bits / g).upcast(new_bits / g)` with `g` their
    /// greatest common divisor.
    ///
    /// # Errors
    /// A width below 1, or as [`Layout::upcast`] and [`Layout::downcast`].
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((8,8):(1,8)).recast(16, 32)?, layout!((4,8):(1,4)));
    /// assert_eq!(layout!((8,8):(1,8)).recast(32, 16)?, layout!((16,8):(1,16)));
    /// assert_eq!(layout!((8,4):(1,8)).recast(6, 8)?, layout!((6,4):(1,6)));
    /// # Ok::<(), girih::Error>(())
    /// ```
    pub const fn recast(&self, old_bits: i64, new_bits: i64) -> Result<Layout, Error> {
        match self.recast_with_offset(old_bits, new_bits, true) {
            Ok((l, _)) => Ok(l),
            Err(e) => Err(Error::with_int("recast", self, new_bits, e)),
        }
    }

    /// [`Layout::recast`] with new elements that are partly filled: see [`Layout::upcast_ceil`].
    ///
    /// # Errors
    /// As [`Layout::recast`], the overhang excepted.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((7,8):(1,8)).recast_ceil(8, 16)?, layout!((4,8):(1,4)));
    /// # Ok::<(), girih::Error>(())
    /// ```
    pub const fn recast_ceil(&self, old_bits: i64, new_bits: i64) -> Result<Layout, Error> {
        match self.recast_with_offset(old_bits, new_bits, false) {
            Ok((l, _)) => Ok(l),
            Err(e) => Err(Error::with_int("recast_ceil", self, new_bits, e)),
        }
    }

    /// By how many *bits* the pointer moves when `self` is recast from `old_bits` to `new_bits`; with (1, n) the number of
    /// elements for [`Layout::upcast`], with (n, 1) the number of parts for [`Layout::downcast`]. 0 unless a mode finer than
    /// the new elements, or the one split into parts, runs backwards. The same for the strict and the rounded-up form.
    ///
    /// # Errors
    /// As [`Layout::recast_ceil`].
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!(8:-1).recast_offset(8, 32)?, -24); // 3 bytes down
    /// assert_eq!(layout!(2:-1).recast_offset(32, 8)?, 24); // and back
    /// assert_eq!(layout!((8,8):(-8,1)).recast_offset(8, 32)?, 0);
    /// # Ok::<(), girih::Error>(())
    /// ```
    pub const fn recast_offset(&self, old_bits: i64, new_bits: i64) -> Result<i64, Error> {
        match self.recast_with_offset(old_bits, new_bits, false) {
            Ok((_, offset)) => Ok(offset),
            Err(e) => Err(Error::with_int("recast_offset", self, new_bits, e)),
        }
    }

    const fn recast_with_offset(
        &self,
        old_bits: i64,
        new_bits: i64,
        strict: bool,
    ) -> Result<(Layout, i64), LayoutError> {
        if old_bits < 1 || new_bits < 1 {
            let extent = if old_bits < new_bits { old_bits } else { new_bits };
            return Err(LayoutError::BadExtent { leaf: 0, extent });
        }
        let g = gcd(old_bits as u64, new_bits as u64) as i64;
        let (parts, up) = tri!(self.parts(old_bits / g));
        let (words, down) = tri!(parts.words(new_bits / g, strict));
        match (up - down).checked_mul(g) {
            Some(offset) => Ok((words, offset)),
            None => Err(LayoutError::Overflow),
        }
    }

    /// A refusal of a layout with symbolic extents: where one is 1 its mode asks for nothing.
    const fn for_some(&self, e: LayoutError) -> LayoutError {
        match e {
            LayoutError::NotDivisible { .. } | LayoutError::Interleaved { .. } | LayoutError::NoUnitStride
                if self.packed_shape != 0 =>
            {
                LayoutError::Undecided
            }
            e => e,
        }
    }

    /// The upcast, and by how many elements the pointer moves *down* (the reach of the backward modes inside a word).
    const fn words(&self, n: i64, strict: bool) -> Result<(Layout, i64), LayoutError> {
        if n < 1 {
            return Err(LayoutError::BadExtent { leaf: 0, extent: n });
        }
        let mut r = *self;
        let by = Int::known(n);
        // the modes finer than a word: how far their groups reach in it, together at most to its end
        let (mut span, mut down) = (1i128, 0);
        let coarsest = self.coarsest_below(n);
        let mut i = 0;
        while i < self.leaves() {
            let (s, d) = (self.extent_int(i), self.stride_int(i));
            let magnitude = tri!(self.stride_magnitude(i));
            if let Some(q) = d.div_exact(&by) {
                tri!(r.set_stride(i, &q));
            } else if self.is_one(i) {
                tri!(r.set_stride(
                    i,
                    &Int::known(if d.is_known() { ceil(magnitude.coef, n) * d.coef.signum() } else { 0 })
                ));
            } else if !d.is_known() {
                return Err(LayoutError::Undecided);
            } else {
                let fine = magnitude.coef;
                let group = ceil(n, fine);
                if fine > n || n % fine != 0 && !matches!(s.le(&Int::known(group)), Some(true)) {
                    return Err(LayoutError::NotDivisible { extent: fine, by: n });
                }
                let words = match (s.div_exact(&Int::known(group)), s.value()) {
                    (Some(q), _) if n % fine == 0 => q,
                    (_, Some(_)) if strict && i == coarsest && n % fine != 0 => {
                        return Err(LayoutError::NotDivisible { extent: n, by: fine });
                    }
                    (_, Some(extent)) if strict && i == coarsest => {
                        return Err(LayoutError::NotDivisible { extent, by: group });
                    }
                    (_, Some(extent)) => Int::known(ceil(extent, group)),
                    (_, None) if strict => return Err(LayoutError::Undecided),
                    (_, None) => tri!(s.ceil_div(group)),
                };
                // a mode that ends inside the word reaches less far than a whole group
                let inside = match s.value() {
                    Some(s) if s < group => s,
                    _ => group,
                };
                let reach = (inside - 1) * fine;
                span += reach as i128;
                if span > n as i128 {
                    let below = (span - reach as i128) as i64;
                    return Err(if fine < below {
                        LayoutError::Interleaved { stride: fine, span: below }
                    } else {
                        LayoutError::NotDivisible { extent: n, by: fine }
                    });
                }
                down += if d.coef < 0 { reach } else { 0 };
                tri!(r.set_extent(i, &words));
                tri!(r.set_stride(i, &Int::known(d.coef.signum())));
            }
            i += 1;
        }
        r.settle();
        Ok((r, down))
    }

    /// The leaf of the largest known stride that is finer than a word of `n`: the only one that may hold more than one word.
    const fn coarsest_below(&self, n: i64) -> usize {
        let (mut leaf, mut largest, mut i) = (self.leaves(), 0, 0);
        while i < self.leaves() {
            let d = self.stride_int(i);
            if d.is_known() && !self.is_one(i) && d.coef % n != 0 && d.coef.unsigned_abs() > largest {
                (leaf, largest) = (i, d.coef.unsigned_abs());
            }
            i += 1;
        }
        leaf
    }

    /// The downcast, and by how many parts the pointer moves up.
    const fn parts(&self, n: i64) -> Result<(Layout, i64), LayoutError> {
        if n < 1 {
            return Err(LayoutError::BadExtent { leaf: 0, extent: n });
        }
        let by = Int::known(n);
        let holder = if n == 1 { self.leaves() } else { tri!(self.holder_of_parts()) };
        let mut r = *self;
        let mut i = 0;
        while i < self.leaves() {
            if i == holder {
                tri!(r.set_extent(i, &tri!(self.extent_int(i).mul(&by))));
                if self.is_one(i) {
                    tri!(r.set_stride(i, &Int::known(1)));
                }
            } else {
                tri!(r.set_stride(i, &tri!(self.stride_int(i).mul(&by))));
            }
            i += 1;
        }
        r.settle();
        tri!(r.check());
        let backwards = holder < self.leaves() && !self.is_one(holder) && self.stride_int(holder).coef < 0;
        Ok((r, if backwards { n - 1 } else { 0 }))
    }

    const fn holder_of_parts(&self) -> Result<usize, LayoutError> {
        // the first live mode of stride 1 or -1, else an extent-1 mode, best one that says stride 1
        let (mut holder, mut score, mut depends) = (self.leaves(), 0, false);
        let mut i = 0;
        while i < self.leaves() {
            let d = tri!(self.stride_magnitude(i));
            let unit = d.is_known() && d.coef == 1;
            depends |= d.symbols() > 0 && d.coef == 1;
            let s = if self.is_one(i) { 1 + unit as u8 } else { 3 * unit as u8 };
            if s > score {
                (holder, score) = (i, s);
            }
            i += 1;
        }
        match score {
            0 if depends => Err(LayoutError::Undecided),
            0 => Err(LayoutError::NoUnitStride),
            _ => Ok(holder),
        }
    }
}

/// `ceil(a / b)` for `a >= 0`, `b >= 1`, without overflow.
const fn ceil(a: i64, b: i64) -> i64 {
    a / b + (a % b != 0) as i64
}

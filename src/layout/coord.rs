//! Coordinates: evaluation of a layout, conversion between one-dimensional, flat and hierarchical coordinates, slices.
//!
//! A one-dimensional coordinate is unpacked colexicographically. *Checked* evaluation ([`Layout::at`],
//! [`Layout::at_coord`], [`Layout::at_crd`]) refuses what is outside the domain; *extended* evaluation
//! ([`Layout::at_extended`]) continues the last mode, as CuTe does everywhere.

use super::int::{Basis, dot};
use super::value::Writer;
use super::{Bound, Int, IntTuple, Layout, LayoutError, MODES};

/// Quotient and remainder of a non-negative number by a positive one.
#[inline(always)]
pub(crate) const fn divmod(x: i64, p: i64) -> (i64, i64) {
    let (x, p) = (x as u64, p as u64);
    if x < p {
        (0, x as i64)
    } else if p & (p - 1) == 0 {
        ((x >> p.trailing_zeros()) as i64, (x & (p - 1)) as i64)
    } else if (x | p) >> 32 == 0 {
        ((x as u32 / p as u32) as i64, (x as u32 % p as u32) as i64)
    } else {
        ((x / p) as i64, (x % p) as i64)
    }
}

impl Layout {
    /// Value at a one-dimensional coordinate of the domain.
    ///
    /// # Errors
    /// `index` is outside `0..size`, a symbol is unbound, or values are coordinates ([`Layout::coord_at`]).
    /// ```
    /// # use girih::prelude::*;
    /// let a = layout!((6,2):(8,2));
    /// assert_eq!(a.at(10)?, 34);
    /// assert_eq!(a.at(12).unwrap_err().to_string(), "coordinate 12 is not in 0..12");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    #[inline]
    pub const fn at(&self, index: i64) -> Result<i64, LayoutError> {
        if self.packed || index < 0 {
            return Err(self.no_value(index));
        }
        let (mut rest, mut out) = (index, 0i64);
        let n = if self.leaves() <= MODES { self.leaves() } else { MODES };
        let mut i = 0;
        while i < n {
            let s = self.shape[i];
            if rest < s {
                // cannot overflow: partial sums lie between the least and the largest value
                return Ok(out + rest * self.stride[i]);
            }
            let (q, r) = divmod(rest, s);
            out += r * self.stride[i];
            rest = q;
            i += 1;
        }
        if rest == 0 { Ok(out) } else { Err(self.no_value(index)) }
    }

    #[cold]
    #[inline(never)]
    const fn no_value(&self, index: i64) -> LayoutError {
        if self.packed {
            return LayoutError::Unbound { name: self.first_symbol() };
        }
        match self.size() {
            Ok(extent) => LayoutError::OutOfRange { index, extent },
            Err(e) => e,
        }
    }

    /// Value at a one-dimensional coordinate, the last mode extended past the domain.
    ///
    /// # Errors
    /// `index < 0`, overflow, a symbol is unbound, or values are coordinates.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((6,2):(8,2)).at_extended(12)?, 4); // (0,2)
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn at_extended(&self, index: i64) -> Result<i64, LayoutError> {
        if self.packed || index < 0 {
            return Err(self.no_value(index));
        }
        let (mut rest, mut out) = (index, 0i64);
        let mut i = 0;
        while i + 1 < self.leaves() {
            let (q, r) = divmod(rest, self.shape[i]);
            out += r * self.stride[i];
            rest = q;
            i += 1;
        }
        let v = out as i128 + rest as i128 * self.stride[i] as i128;
        if v as i64 as i128 == v { Ok(v as i64) } else { Err(LayoutError::Overflow) }
    }

    /// Value at a flat coordinate, one number for each leaf.
    ///
    /// # Errors
    /// The number of leaves differs, a coordinate is outside its extent, a symbol is unbound, or values are coordinates.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((8,(16,4)):(64,(4,1))).at_coord([3, 7, 2])?, 222);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    #[inline(always)]
    pub const fn at_coord<const R: usize>(&self, c: [i64; R]) -> Result<i64, LayoutError> {
        const { assert!(R > 0 && R <= MODES, "a flat coordinate has 1 to 24 numbers") };
        // both in one comparison
        if (self.len as u16 | (self.packed as u16) << 8) != R as u16 {
            return Err(self.bad_coord(&c));
        }
        let (mut out, mut i) = (0i64, 0);
        while i < R {
            // one comparison with memory: a negative number is a large one
            if c[i] as u64 >= self.shape[i] as u64 {
                return Err(self.bad_coord(&c));
            }
            out = out.wrapping_add(c[i].wrapping_mul(self.stride[i]));
            i += 1;
        }
        Ok(out)
    }

    #[cold]
    #[inline(never)]
    const fn bad_coord(&self, c: &[i64]) -> LayoutError {
        if self.packed {
            return LayoutError::Unbound { name: self.first_symbol() };
        }
        if c.len() != self.leaves() {
            return LayoutError::RankMismatch { rank: c.len(), other: self.leaves() };
        }
        let mut i = 0;
        while i + 1 < c.len() && c[i] >= 0 && c[i] < self.shape[i] {
            i += 1;
        }
        LayoutError::OutOfRange { index: c[i], extent: self.shape[i] }
    }

    /// Value at any coordinate: one number, a flat or a hierarchical coordinate, or a mixture (a number may stand for any
    /// mode). CuTe's `crd2idx`, checked.
    ///
    /// # Errors
    /// The coordinate does not fit the shape, is outside it, holds `_`, or a symbol is unbound.
    /// ```
    /// # use girih::prelude::*;
    /// let l = layout!((8,(16,4)):(64,(4,1)));
    /// assert_eq!(l.at_crd(&ints!((3, (7, 2))))?, 222);
    /// assert_eq!(l.at_crd(&ints!((3, 39)))?, 222);
    /// assert_eq!(l.at_crd(&ints!(315))?, 222);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn at_crd(&self, c: &IntTuple) -> Result<i64, LayoutError> {
        self.eval(c, false)
    }

    /// [`Layout::at_crd`] with the last leaf under each number extended past its extent, and negative numbers allowed where
    /// they meet a single leaf.
    ///
    /// # Errors
    /// The coordinate does not fit the shape, holds `_`, overflow, or a symbol is unbound.
    /// ```
    /// # use girih::prelude::*;
    /// let l = layout!((8,64):(64,1));
    /// assert!(l.at_crd(&ints!((8, -1))).is_err());
    /// assert_eq!(l.at_crd_extended(&ints!((8, -1)))?, 511);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn at_crd_extended(&self, c: &IntTuple) -> Result<i64, LayoutError> {
        self.eval(c, true)
    }

    const fn eval(&self, c: &IntTuple, extended: bool) -> Result<i64, LayoutError> {
        if self.packed {
            return Err(LayoutError::Unbound { name: self.first_symbol() });
        }
        let mut digit = [0; MODES];
        tri!(self.digits(c, extended, &mut digit));
        dot(digit.split_at(self.leaves()).0, &self.stride)
    }

    /// The extent under leaf `j` of a coordinate: the product over the leaves that it owns (of symbols, the coefficients).
    const fn extent_under(&self, owner: &[usize; MODES], j: usize) -> i64 {
        let (mut extent, mut k) = (1i64, 0);
        while k < self.leaves() {
            if owner[k] == j {
                extent = extent.saturating_mul(self.extent_int(k).coef);
            }
            k += 1;
        }
        extent
    }

    /// One number for each leaf of the shape (known extents).
    pub(crate) const fn digits(
        &self,
        c: &IntTuple,
        extended: bool,
        digit: &mut [i64; MODES],
    ) -> Result<(), LayoutError> {
        if self.packed_shape != 0 {
            return Err(LayoutError::Unbound { name: self.first_symbol() });
        }
        let mut owner = [0; MODES];
        if !c.covers(&IntTuple(*self), &mut owner) {
            return Err(LayoutError::Incongruent { leaf: 0 });
        }
        let Some(c) = c.known() else {
            return Err(if c.has_underscore() { LayoutError::Underscore } else { LayoutError::Undecided });
        };
        let mut i = 0;
        while i < self.leaves() {
            let mut rest = c[owner[i]];
            let j = owner[i];
            let alone = i + 1 == self.leaves() || owner[i + 1] != j;
            if rest < 0 && !(extended && alone) {
                return Err(LayoutError::OutOfRange { index: rest, extent: self.shape[i] });
            }
            while i < self.leaves() && owner[i] == j {
                let last = i + 1 == self.leaves() || owner[i + 1] != j;
                if last {
                    if !extended && rest >= self.shape[i] {
                        return Err(LayoutError::OutOfRange { index: c[j], extent: self.extent_under(&owner, j) });
                    }
                    digit[i] = rest;
                } else {
                    (rest, digit[i]) = divmod(rest, self.shape[i]);
                }
                i += 1;
            }
        }
        Ok(())
    }

    /// The coordinate that is the value at a one-dimensional coordinate, for basis strides.
    ///
    /// # Errors
    /// `index` is outside the domain, or a symbol is unbound.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Layout::identity(&ints!((4, (2, 3))))?.coord_at(13)?, ints!((1, (1, 1))));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn coord_at(&self, index: i64) -> Result<IntTuple, LayoutError> {
        let size = self.size()?;
        if index < 0 || index >= size {
            return Err(LayoutError::OutOfRange { index, extent: size });
        }
        let mut digit = [0; MODES];
        self.digits(&IntTuple::int(index), false, &mut digit)?;
        let mut parts = Vec::with_capacity(self.leaves());
        for (i, &c) in digit.iter().enumerate().take(self.leaves()) {
            let d = self.stride_int(i);
            if d.symbols() > 0 {
                return Err(LayoutError::Unbound { name: d.factors[0].name });
            }
            parts.push((d.basis, d.coef.checked_mul(c).ok_or(LayoutError::Overflow)?));
        }
        assemble(&parts)
    }

    /// The sub-layout of the modes kept by `_`, and the offset of the fixed part. A nested coordinate is flattened by one
    /// level where it is sliced, as in CuTe; a coordinate without `_` leaves `1:0` and the value there. A number in a symbolic
    /// extent is taken to be inside, as a block coordinate is; only one that is outside for all values is refused.
    ///
    /// # Errors
    /// The coordinate does not fit the shape, or a fixed number is outside its extent.
    /// ```
    /// # use girih::prelude::*;
    /// let (row, offset) = layout!((8,(16,4)):(64,(4,1))).slice(&ints!((3, _)))?;
    /// assert_eq!((row, offset.value()), (layout!(((16,4)):((4,1))), Some(192)));
    /// let (rest, offset) = layout!((8,(16,4)):(64,(4,1))).slice(&ints!((_, (7, _))))?;
    /// assert_eq!((rest, offset.value()), (layout!((8,4):(64,1)), Some(28)));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn slice(&self, c: &IntTuple) -> Result<(Layout, Bound), LayoutError> {
        let kept = tri!(self.choose(c, true));
        Ok((kept, tri!(self.fixed_offset(c))))
    }

    /// The sub-layout of the modes that `_` does *not* mark: what [`Layout::slice`] fixes.
    ///
    /// # Errors
    /// As [`Layout::slice`].
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((8,16,4):(64,4,1)).dice(&ints!((0, _, 0)))?, layout!((8,4):(64,1)));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn dice(&self, c: &IntTuple) -> Result<Layout, LayoutError> {
        self.choose(c, false)
    }

    const fn choose(&self, c: &IntTuple, underscored: bool) -> Result<Layout, LayoutError> {
        let mut owner = [0; MODES];
        if !c.covers(&IntTuple(*self), &mut owner) {
            return Err(LayoutError::Incongruent { leaf: 0 });
        }
        if c.is_int() {
            let all = c.0.extent_int(0).underscore == underscored;
            return Ok(if all { *self } else { Layout::UNIT });
        }
        // a chosen leaf of c becomes one mode of the result: the leaves it covers, with the parentheses inside it
        let mut w = Writer::NEW;
        w.open();
        let (mut fine, mut coarse) = (self.nest, c.0.nest);
        let mut i = 0;
        while i < self.leaves() {
            let j = owner[i];
            let keep = c.0.extent_int(j).underscore == underscored;
            let (outer_open, outer_close) = coarse.next();
            let mut first = true;
            while i < self.leaves() && owner[i] == j {
                let (mut o, mut x) = fine.next();
                if first {
                    o -= outer_open;
                }
                if i + 1 == self.leaves() || owner[i + 1] != j {
                    x -= outer_close;
                }
                first = false;
                if keep {
                    while o > 0 {
                        w.open();
                        o -= 1;
                    }
                    tri!(w.copy(self, i));
                    while x > 0 {
                        tri!(w.close());
                        x -= 1;
                    }
                }
                i += 1;
            }
        }
        if w.out.len == 0 {
            return Ok(Layout::UNIT);
        }
        tri!(w.close());
        Ok(w.finish())
    }

    const fn fixed_offset(&self, c: &IntTuple) -> Result<Bound, LayoutError> {
        let mut owner = [0; MODES];
        if !c.covers(&IntTuple(*self), &mut owner) {
            return Err(LayoutError::Incongruent { leaf: 0 });
        }
        let mut sum = Bound::ZERO;
        let mut i = 0;
        while i < self.leaves() {
            let j = owner[i];
            let fixed = c.0.extent_int(j);
            if fixed.underscore {
                i += 1;
                continue;
            }
            let Some(at) = fixed.value() else {
                // a symbolic coordinate of a single leaf: a term of the sum
                if i + 1 < self.leaves() && owner[i + 1] == j {
                    return Err(LayoutError::Undecided);
                }
                sum = tri!(sum.plus(&tri!(fixed.mul(&self.stride_int(i)))));
                i += 1;
                continue;
            };
            let mut rest = at;
            while i < self.leaves() && owner[i] == j {
                let last = i + 1 == self.leaves() || owner[i + 1] != j;
                let s = self.extent_int(i);
                let inside = Int::known(rest).le(&Int::known(-1));
                if matches!(inside, Some(true)) || last && matches!(s.le(&Int::known(rest)), Some(true)) {
                    return Err(LayoutError::OutOfRange { index: at, extent: self.extent_under(&owner, j) });
                }
                let digit = if last || matches!(s.le(&Int::known(rest)), Some(false)) {
                    let d = rest;
                    rest = 0;
                    d
                } else {
                    let Some(s) = s.value() else {
                        if rest == 0 {
                            i += 1;
                            continue;
                        }
                        return Err(LayoutError::Undecided);
                    };
                    let (q, r) = divmod(rest, s);
                    rest = q;
                    r
                };
                sum = tri!(sum.plus(&tri!(self.stride_int(i).mul(&Int::known(digit)))));
                i += 1;
            }
        }
        Ok(sum)
    }
}

/// The coordinate with the given values at the given paths, 0 elsewhere; values at equal paths are added.
pub(crate) fn assemble(parts: &[(Basis, i64)]) -> Result<IntTuple, LayoutError> {
    fn level(parts: &[(Basis, i64)], depth: usize) -> Result<IntTuple, LayoutError> {
        // an extent-1 mode of stride 0 has no path: it adds nothing to a tuple
        let deeper: Vec<_> = parts.iter().filter(|p| p.0.len as usize > depth).copied().collect();
        if deeper.is_empty() {
            let sum = parts.iter().try_fold(0i64, |s, p| s.checked_add(p.1)).ok_or(LayoutError::Overflow)?;
            return Ok(IntTuple::int(sum));
        }
        let rank = deeper.iter().map(|p| p.0.step[depth]).max().map_or(0, |m| m as usize + 1);
        let mut modes = Vec::with_capacity(rank);
        for m in 0..rank {
            let inside: Vec<_> = deeper.iter().filter(|p| p.0.step[depth] as usize == m).copied().collect();
            modes.push(level(&inside, depth + 1)?);
        }
        IntTuple::tuple(&modes)
    }
    level(parts, 0)
}

impl IntTuple {
    /// The coordinate of this shape at a one-dimensional index, colexicographic. CuTe's `idx2crd`.
    ///
    /// # Errors
    /// `index` is outside the shape, or an extent is a symbol or below 1.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(ints!((3, (2, 4))).idx2crd(13)?, ints!((1, (0, 2))));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn idx2crd(&self, index: i64) -> Result<IntTuple, LayoutError> {
        self.crd2crd(&IntTuple::int(index))
    }

    /// One-dimensional index of a coordinate of this shape. CuTe's `crd2idx` of a shape.
    ///
    /// # Errors
    /// The coordinate does not fit, or is outside the shape.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(ints!((3, (2, 4))).crd2idx(&ints!((1, 4)))?, 13);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn crd2idx(&self, c: &IntTuple) -> Result<i64, LayoutError> {
        tri!(Layout::column_major(self)).at_crd(c)
    }

    /// The hierarchical coordinate of this shape that `c` (any coordinate of it) denotes. CuTe's `crd2crd` within one
    /// domain; between two shapes of equal size go through [`IntTuple::crd2idx`].
    ///
    /// # Errors
    /// The coordinate does not fit, or is outside the shape.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(ints!((3, (2, 4))).crd2crd(&ints!((1, 4)))?, ints!((1, (0, 2))));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn crd2crd(&self, c: &IntTuple) -> Result<IntTuple, LayoutError> {
        tri!(self.0.check());
        let mut digit = [0; MODES];
        tri!(self.0.digits(c, false, &mut digit));
        let mut r = *self;
        r.0.shape = digit;
        Ok(r)
    }

    /// Adds a multiple of a basis vector to a coordinate.
    pub(crate) fn move_by(&mut self, term: &Int) -> Result<(), LayoutError> {
        if term.coef == 0 {
            return Ok(());
        }
        if term.symbols() > 0 {
            return Err(LayoutError::Unbound { name: term.factors[0].name });
        }
        let leaf = self.leaf_at(&term.basis).ok_or(LayoutError::Codomain)?;
        let sum = self.0.extent_int(leaf).coef.checked_add(term.coef).ok_or(LayoutError::Overflow)?;
        self.0.set_extent(leaf, &Int::known(sum))
    }

    /// The leaf that a basis vector is the unit of.
    pub(crate) fn leaf_at(&self, basis: &Basis) -> Option<usize> {
        let (mut path, mut depth) = ([0u8; 64], 0);
        let mut nest = self.0.nest;
        for i in 0..self.leaves() {
            let (open, close) = nest.next();
            for _ in 0..open {
                path[depth] = 0;
                depth += 1;
            }
            if path[..depth] == basis.step[..basis.len as usize] {
                return Some(i);
            }
            depth -= close as usize;
            if depth > 0 {
                path[depth - 1] += 1;
            }
        }
        None
    }
}

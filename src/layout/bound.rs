//! Sums of monomials: offsets, cosizes, largest values.

use super::{Int, Layout, LayoutError, MODES};

/// A sum of monomials, such as `?M+7*?lda`: the offset of a slice, a cosize, the largest offset of a layout with
/// symbols. Not a leaf of a layout; [`Bound::value`] of a layout of known numbers is the number.
/// ```
/// # use girih::prelude::*;
/// let l: Layout = "(?M,8):(1,?lda)".parse()?;
/// assert_eq!(l.cosize_bound()?.to_string(), "?M+7*?lda");
/// assert_eq!(layout!((4,8):(1,4)).cosize_bound()?.value(), Some(32));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Bound {
    term: [Int; MODES + 1],
    len: usize,
}

impl Bound {
    /// The empty sum.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Bound::ZERO.value(), Some(0));
    /// ```
    pub const ZERO: Bound = Bound { term: [Int::known(0); MODES + 1], len: 0 };

    /// The sum of one term (of none, for 0).
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Bound::of(&Int::symbol("lda", 1)?).to_string(), "?lda");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn of(v: &Int) -> Bound {
        let mut b = Bound::ZERO;
        if v.coef != 0 {
            b.term[0] = *v;
            b.len = 1;
        }
        b
    }

    /// `self + v`, terms with the same symbols joined.
    ///
    /// # Errors
    /// Overflow, `v` is `_`, or more than 25 different terms.
    /// ```
    /// # use girih::prelude::*;
    /// let lda = Int::symbol("lda", 1)?;
    /// assert_eq!(Bound::of(&lda).plus(&Int::known(4))?.plus(&lda)?.to_string(), "2*?lda+4");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn plus(&self, v: &Int) -> Result<Bound, LayoutError> {
        if v.underscore {
            return Err(LayoutError::Underscore);
        }
        let mut r = *self;
        let mut i = 0;
        while i < r.len {
            let mut t = r.term[i];
            t.coef = v.coef;
            if t.same(v) {
                let Some(c) = r.term[i].coef.checked_add(v.coef) else { return Err(LayoutError::Overflow) };
                r.term[i].coef = c;
                if c == 0 {
                    r.len -= 1;
                    r.term[i] = r.term[r.len];
                }
                return Ok(r);
            }
            i += 1;
        }
        if v.coef == 0 {
            return Ok(r);
        }
        if r.len > MODES {
            return Err(LayoutError::TooManySymbols);
        }
        r.term[r.len] = *v;
        r.len += 1;
        Ok(r)
    }

    /// `self + o`.
    ///
    /// # Errors
    /// As [`Bound::plus`].
    /// ```
    /// # use girih::prelude::*;
    /// // where a tile begins, and where a thread begins in it
    /// let lda = Int::symbol("lda", 1)?;
    /// let tile = Bound::of(&lda.mul(&Int::known(128))?);
    /// let thread = Bound::of(&lda).plus(&Int::known(8))?;
    /// assert_eq!(tile.add(&thread)?.to_string(), "129*?lda+8");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn add(&self, o: &Bound) -> Result<Bound, LayoutError> {
        let mut r = *self;
        let mut i = 0;
        while i < o.len {
            r = tri!(r.plus(&o.term[i]));
            i += 1;
        }
        Ok(r)
    }

    /// The terms: each a nonzero monomial, no two with the same symbols.
    /// ```
    /// # use girih::prelude::*;
    /// let (_, offset) = Layout::parse("(64,64):(1,?lda)")?.slice(&ints!((3, 2)))?;
    /// assert_eq!(offset.terms(), [Int::known(3), Int::parse("2*?lda")?]);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn terms(&self) -> &[Int] {
        self.term.split_at(self.len).0
    }

    /// The number, if no symbol and no basis vector is left.
    /// ```
    /// # use girih::prelude::*;
    /// let (_, offset) = Layout::parse("(64,64):(1,?lda)")?.slice(&ints!((_, 3)))?;
    /// assert_eq!(offset.value(), None); // 3*?lda
    /// assert_eq!(offset.bind(&[("lda", 72)])?.value(), Some(216));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn value(&self) -> Option<i64> {
        match self.len {
            0 => Some(0),
            1 => self.term[0].value(),
            _ => None,
        }
    }
}

impl Layout {
    /// Least and largest value, for known leaves: the offsets that a buffer must have, counted from the element of value 0.
    ///
    /// # Errors
    /// A symbol is unbound, or values are coordinates.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((4,3):(-1,4)).image_range()?, (-3, 8));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn image_range(&self) -> Result<(i64, i64), LayoutError> {
        if self.packed {
            return Err(LayoutError::Unbound { name: self.first_symbol() });
        }
        let (mut min, mut max, mut i) = (0, 0, 0);
        while i < self.leaves() {
            let reach = (self.shape[i] - 1) * self.stride[i];
            if reach < 0 {
                min += reach
            } else {
                max += reach
            }
            i += 1;
        }
        Ok((min, max))
    }

    /// `max - min + 1` over the values.
    ///
    /// # Errors
    /// As [`Layout::image_range`].
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((4,3):(1,5)).cosize()?, 14);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn cosize(&self) -> Result<i64, LayoutError> {
        match self.image_range() {
            Ok((min, max)) => Ok(max - min + 1),
            Err(e) => Err(e),
        }
    }

    /// `max - min + 1` as a sum of monomials; symbolic strides are taken as positive (a symbol is at least 1).
    ///
    /// # Errors
    /// Values are coordinates, overflow, or a term of more than four factors.
    /// ```
    /// # use girih::prelude::*;
    /// // 64 rows of 128 elements in a row-major matrix
    /// let bound = Layout::parse("(64,128):(?lda,1)")?.cosize_bound()?;
    /// assert_eq!(bound.to_string(), "63*?lda+128");
    /// assert_eq!(bound.bind(&[("lda", 4096)])?.value(), Some(63 * 4096 + 128));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn cosize_bound(&self) -> Result<Bound, LayoutError> {
        let mut sum = Bound::of(&Int::known(1));
        let mut i = 0;
        while i < self.leaves() {
            let (s, mut d) = (self.extent_int(i), self.stride_int(i));
            if d.basis.len > 0 {
                return Err(LayoutError::Codomain);
            }
            if d.coef == i64::MIN {
                return Err(LayoutError::Overflow);
            }
            d.coef = d.coef.abs();
            sum = tri!(sum.plus(&tri!(s.mul(&d))));
            d.coef = -d.coef;
            sum = tri!(sum.plus(&d));
            i += 1;
        }
        Ok(sum)
    }

    /// `(max0 + 1, max1 + 1, ..)` over each coordinate of the values, for basis strides; the cosize for integer ones.
    ///
    /// # Errors
    /// A symbol is unbound, or overflow.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Layout::identity(&ints!((128, 64)))?.coshape()?, ints!((128, 64)));
    /// assert_eq!(Layout::parse("(4,8):(2@0,1@1)")?.coshape()?, ints!((7, 8)));
    /// assert_eq!(layout!((4,8):(16,1)).coshape()?, ints!(56));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn coshape(&self) -> Result<super::IntTuple, LayoutError> {
        if !self.has_basis() {
            return Ok(super::IntTuple::int(self.cosize()?));
        }
        let mut reach = Vec::with_capacity(self.leaves());
        for i in 0..self.leaves() {
            let (s, d) = (self.extent_int(i), self.stride_int(i));
            let (Some(s), true) = (s.value(), d.symbols() == 0) else {
                return Err(LayoutError::Unbound { name: self.first_symbol() });
            };
            let r = d.coef.checked_mul(s - 1).and_then(i64::checked_abs).ok_or(LayoutError::Overflow)?;
            reach.push((d.basis, r));
        }
        let mut r = super::coord::assemble(&reach)?;
        for i in 0..r.leaves() {
            let v = r.0.extent_int(i).coef.checked_add(1).ok_or(LayoutError::Overflow)?;
            r.0.set_extent(i, &Int::known(v))?;
        }
        Ok(r)
    }
}

/// The same terms, in any order.
impl PartialEq for Bound {
    fn eq(&self, o: &Bound) -> bool {
        self.terms().len() == o.terms().len() && self.terms().iter().all(|t| o.terms().contains(t))
    }
}

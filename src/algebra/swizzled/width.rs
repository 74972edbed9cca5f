//! Swizzled layouts in elements of another width, and how wide their elements can be.

use crate::algebra::shape::gcd;
use crate::layout::{Composed, Error, Layout, LayoutError, Operand, SWIZZLES, Swizzle, Writer, ratio};

impl Composed {
    /// Words of `n` elements: swizzle, offset and layout each counted in words.
    ///
    /// Law: as [`Layout::upcast`], `r(c0/g0, c1/g1, ..) = floor(self(c) / n)`; and the swizzle keeps the order of
    /// elements in each word.
    ///
    /// # Errors
    /// As [`Layout::upcast`] and [`Swizzle::upcast`](crate::layout::Swizzle::upcast); or the offset moves elements
    /// over the end of their word.
    /// ```
    /// # use girih::prelude::*;
    /// let halves: Composed = "S<3,3,3>[16b] o 64 o (8,64):(64,1)".parse()?;
    /// assert_eq!(halves.upcast(8)?.to_string(), "S<3,0,3>[128b] o 8 o (8,8):(8,1)");
    /// assert!(halves.upcast(16).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn upcast(&self, n: i64) -> Result<Composed, Error> {
        match self.either(n, true) {
            Ok(c) => Ok(c),
            Err(e) => Err(Error::swizzled("upcast", self, Operand::Int(n), e)),
        }
    }

    /// Parts of `1/n` element: swizzle, offset and layout each counted in parts.
    ///
    /// Law: as [`Layout::downcast`]: the `n` parts of the element at `c` are at `n*self(c) ..`.
    ///
    /// # Errors
    /// As [`Layout::downcast`] and [`Swizzle::downcast`](crate::layout::Swizzle::downcast).
    /// ```
    /// # use girih::prelude::*;
    /// let words: Composed = "S<3,2,3>[32b] o 32 o (8,32):(32,1)".parse()?;
    /// assert_eq!(words.downcast(4)?.to_string(), "S<3,4,3>[8b] o 128 o (8,128):(128,1)");
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn downcast(&self, n: i64) -> Result<Composed, Error> {
        match self.either(n, false) {
            Ok(c) => Ok(c),
            Err(e) => Err(Error::swizzled("downcast", self, Operand::Int(n), e)),
        }
    }

    /// Elements of `old_bits` seen as elements of `new_bits`.
    ///
    /// # Errors
    /// The swizzle counts another unit than `old_bits`, a width below 1, or as [`Composed::upcast`] and
    /// [`Composed::downcast`].
    /// ```
    /// # use girih::prelude::*;
    /// let bf16: Composed = "S<3,3,3>[16b] o 0 o (8,64):(64,1)".parse()?;
    /// assert_eq!(bf16.recast(16, 32)?.to_string(), "S<3,2,3>[32b] o 0 o (8,32):(32,1)");
    /// assert!(bf16.recast(8, 32).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn recast(&self, old_bits: i64, new_bits: i64) -> Result<Composed, Error> {
        match self.reseen(old_bits, new_bits) {
            Ok(c) => Ok(c),
            Err(e) => Err(Error::swizzled("recast", self, Operand::Int(new_bits), e)),
        }
    }

    const fn reseen(&self, old: i64, new: i64) -> Result<Composed, LayoutError> {
        if old < 1 || new < 1 {
            return Err(LayoutError::BadExtent { leaf: 0, extent: if old < new { old } else { new } });
        }
        if let Some(width) = self.unit().width()
            && width as i64 != old
        {
            return Err(LayoutError::Swizzled { why: "the swizzle counts elements of another width" });
        }
        let (down, up) = ratio(old, new);
        tri!(self.either(down, false)).either(up, true)
    }

    /// Up or down, the swizzle taken away where it is in the way and not needed.
    const fn either(&self, n: i64, up: bool) -> Result<Composed, LayoutError> {
        match self.scaled(n, up) {
            Ok(c) => Ok(c),
            Err(e) => match self.decayed().scaled(n, up) {
                Ok(c) => Ok(c),
                Err(_) => Err(e),
            },
        }
    }

    const fn scaled(&self, n: i64, up: bool) -> Result<Composed, LayoutError> {
        let (inner, moved) = if up {
            (self.inner().upcast(n), self.inner().recast_offset(1, n))
        } else {
            (self.inner().downcast(n), self.inner().recast_offset(n, 1))
        };
        let (inner, moved) = match (inner, moved) {
            (Ok(l), Ok(m)) => (l, m),
            (Err(e), _) | (_, Err(e)) => return Err(e.reason),
        };
        let mut chain = [Swizzle::IDENTITY; SWIZZLES];
        let links = self.swizzles().len();
        let mut i = 0;
        while i < links {
            let s = &self.swizzles()[i];
            chain[i] = tri!(if up { s.upcast(n) } else { s.downcast(n) });
            i += 1;
        }
        let offset = if up {
            match self.offset().checked_add(moved) {
                Some(o) if o.rem_euclid(n) <= n - 1 - tri!(self.reach_in_word(n)) => o.div_euclid(n),
                _ => return Err(LayoutError::Swizzled { why: "the offset moves elements over the end of their word" }),
            }
        } else {
            match self.offset().checked_mul(n) {
                Some(o) => match o.checked_add(moved) {
                    Some(o) => o,
                    None => return Err(LayoutError::Overflow),
                },
                None => return Err(LayoutError::Overflow),
            }
        };
        Composed::from_chain(chain.split_at(links).0, offset, &inner)
    }

    /// The last place in a word of `n` that some element of the layout below has, from the start of its word.
    const fn reach_in_word(&self, n: i64) -> Result<i64, LayoutError> {
        let l = self.inner();
        let (mut reach, mut i) = (0, 0);
        while i < l.leaves() {
            let (s, d) = (l.extent_int(i), l.stride_int(i).coef);
            if d % n != 0 && !matches!(s.value(), Some(1)) {
                // the upcast exists, so this stride is known and divides n, or stays inside one word
                let group = (n as u64).div_ceil(d.unsigned_abs()) as i64;
                let inside = match s.value() {
                    Some(s) if s < group => s,
                    _ => group,
                };
                reach += (inside - 1) * d.abs();
            }
            i += 1;
        }
        Ok(reach)
    }

    /// The largest N that is known to cut the values into whole aligned vectors of N: it divides the runs that the
    /// swizzle keeps, the offset, and [`Layout::max_alignment`] of the layout below.
    ///
    /// Law: the set of values is a union of intervals `[kN, kN + N)`, and elements that follow each other below the
    /// swizzle in such an interval do so above it.
    ///
    /// # Errors
    /// As [`Layout::max_alignment`].
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// assert_eq!(c.max_alignment()?, 8);
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn max_alignment(&self) -> Result<i64, Error> {
        let mut n = match self.inner().max_alignment() {
            Ok(n) => gcd(n as u64, self.offset() as u64),
            Err(e) => return Err(Error::swizzled("max_alignment", self, Operand::None, e.reason)),
        };
        let mut i = 0;
        while i < self.swizzles().len() {
            n = gcd(n, self.swizzles()[i].max_alignment() as u64);
            i += 1;
        }
        Ok(n as i64)
    }

    /// A layout R of elements that are one aligned vector in both: of [`Layout::max_common_layout`] below the
    /// swizzles, as much as divides both [alignments](Composed::max_alignment) and the modes that it runs through. (A
    /// plain layout is one below [`Swizzle::IDENTITY`].)
    ///
    /// Law: `self(R(i)) = self(0) + i` and `o(R(i)) = o(0) + i` for `i < size(R)`, and the same from every other
    /// coordinate that has R's digits 0. CuTe does not cut where both swizzles are equal; the vectors then start at a
    /// wrong address.
    ///
    /// # Errors
    /// As [`Layout::max_common_layout`] and [`Layout::max_alignment`].
    /// ```
    /// # use girih::prelude::*;
    /// let smem: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// let gmem = layout!((8,64):(4096,1)).swizzled(&Swizzle::IDENTITY)?;
    /// assert_eq!(smem.max_common_layout(&gmem)?, layout!(8:8));
    /// assert_eq!(smem.max_common_vector(&gmem)?, 8);
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn max_common_layout(&self, o: &Composed) -> Result<Layout, Error> {
        match self.common(o) {
            Ok(l) => Ok(l),
            Err(e) => Err(Error::swizzled("max_common_layout", self, Operand::Composed(*o), e)),
        }
    }

    /// The size of [`Composed::max_common_layout`].
    ///
    /// # Errors
    /// As [`Composed::max_common_layout`].
    /// ```
    /// # use girih::prelude::*;
    /// let smem: Composed = "S<3,3,3>[16b] o 0 o (8,64):(64,1)".parse()?;
    /// let gmem = layout!((8,64):(4096,1)).swizzled(&Swizzle::IDENTITY)?;
    /// assert_eq!(smem.max_common_vector(&gmem)?, 8); // of 16 bits: copies of 16 bytes
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn max_common_vector(&self, o: &Composed) -> Result<i64, Error> {
        let n = match self.common(o) {
            Ok(l) => l.size(),
            Err(e) => Err(e),
        };
        match n {
            Ok(n) => Ok(n),
            Err(e) => Err(Error::swizzled("max_common_vector", self, Operand::Composed(*o), e)),
        }
    }

    const fn common(&self, o: &Composed) -> Result<Layout, LayoutError> {
        let (r, a, b) = match (self.inner().max_common_layout(o.inner()), self.max_alignment(), o.max_alignment()) {
            (Ok(r), Ok(a), Ok(b)) => (r, a, b),
            (Err(e), _, _) | (_, Err(e), _) | (_, _, Err(e)) => return Err(e.reason),
        };
        let mut left = gcd(a as u64, b as u64) as i64;
        let Some((shape, stride)) = r.known_leaves() else { return Err(LayoutError::Undecided) };
        let mut w = Writer::NEW;
        w.open();
        let mut i = 0;
        while i < shape.len() && left > 1 {
            let (s, d) = (shape[i], stride[i]);
            // from every start: a part of the modes that R runs through, in both
            let (a, b) = (room(self.inner(), d), room(o.inner(), d));
            let most = gcd(left as u64, gcd(a as u64, b as u64));
            let take = if most <= s as u64 { most } else { gcd(most, s as u64) } as i64;
            tri!(w.known(take, d));
            // R goes on where it has taken these modes whole
            left = if take == a && take == b { left / take } else { 1 };
            i += 1;
        }
        tri!(w.known(1, 0));
        tri!(w.close());
        Ok(w.finish().coalesce())
    }
}

/// How many steps of `d` fill the mode of `a` that they run through; 1 if they do not fill it.
const fn room(a: &Layout, d: i64) -> i64 {
    let a = a.coalesce();
    let (mut place, mut i) = (1, 0);
    while i < a.leaves() {
        let e = a.extent_int(i);
        // behind a symbol no place is known
        if !e.is_known() || d / place < e.coef {
            let step = d / place;
            return if step > 0 && d % place == 0 && e.coef % step == 0 { e.coef / step } else { 1 };
        }
        place *= e.coef;
        i += 1;
    }
    1
}

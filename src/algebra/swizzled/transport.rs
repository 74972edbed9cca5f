//! Swizzles that pass a layout from right to left: `A o S = S' o A`.
//!
//! Let bit k of the coordinates of A be a *place*: A adds `a_k` when it is set (A coalesced has power-of-two extents
//! up to there), and let the `a_k` share no bit with each other nor with what A adds for the bits above the last
//! place. A swizzle `S` adds `+-2^z` to x, by the bit z of x, when bit y of x is set. So `A(S(x)) = A(x) +- a_z` then;
//! if `a_z = 2^Z` and `2^Y` is a bit of `a_y`, bit Z of `A(x)` is bit z of x and bit Y is bit y: the swizzle of source
//! bit Y and target bit Z does the same to `A(x)`. The bits of `S` do not meet, so its pairs pass one by one. A pair
//! with y above every coordinate does nothing, and one with `a_z = 0` is not seen.

use crate::algebra::product::span;
use crate::layout::{Composed, Digits, Error, Layout, LayoutError, Operand, SWIZZLES, Swizzle, bits};

const fn refuse<T: Copy>(why: &'static str) -> Result<T, LayoutError> {
    Err(LayoutError::Swizzled { why })
}

/// What a layout adds for each bit of its coordinates.
#[derive(Clone, Copy)]
struct Places {
    value: [i64; 63],
    len: u32,
    size: i64,
}

impl Places {
    const fn of(a: &Layout) -> Result<Places, LayoutError> {
        let size = tri!(a.size());
        let a = a.coalesce();
        let Some((shape, stride)) = a.known_leaves() else { return Err(LayoutError::Undecided) };
        let mut p = Places { value: [0; 63], len: 0, size };
        let (mut used, mut above, mut i) = (0, false, 0);
        while i < shape.len() {
            let (mut s, mut d) = (shape[i], stride[i]);
            if s > 1 && d < 0 {
                return refuse("a swizzle passes layouts of non-negative strides only");
            }
            while s % 2 == 0 && !above {
                if used & d != 0 {
                    return refuse("a swizzle passes a layout only if the bits of the coordinate add without carries");
                }
                used |= d;
                p.value[p.len as usize] = d;
                p.len += 1;
                s /= 2;
                // past the last bit of the coordinate the double may not fit
                d = d.wrapping_mul(2);
            }
            if s > 1 {
                above = true;
                // any bit from the lowest of the stride
                if d != 0 && used >> d.trailing_zeros() != 0 {
                    return refuse("a swizzle passes a layout only if the bits of the coordinate add without carries");
                }
            }
            i += 1;
        }
        Ok(p)
    }

    /// The pair `(source, target)` of bits of the coordinate as a swizzle of the values; None if it does nothing.
    const fn pass(&self, y: u32, z: u32) -> Result<Option<Swizzle>, LayoutError> {
        if (self.size - 1) >> y == 0 {
            return Ok(None);
        }
        if (self.size - 1) >> z == 0 {
            return Err(LayoutError::OutOfDomain { reach: 1 << y | 1 << z, size: self.size });
        }
        if y >= self.len || z >= self.len {
            return refuse(
                "a bit of the swizzle is none of the layout's coordinate: an extent below is no power of two",
            );
        }
        let (source, target) = (self.value[y as usize], self.value[z as usize]);
        if target == 0 {
            return Ok(None);
        }
        if source == 0 || target & (target - 1) != 0 {
            return refuse("the layout takes a bit of the swizzle to none, or to several");
        }
        match Swizzle::from_masks(1 << source.trailing_zeros(), target as u64) {
            Ok(s) => Ok(Some(s)),
            Err(e) => Err(e),
        }
    }
}

/// `chain o to` passed through `a`: the swizzles `chain'` of `a o chain = chain' o a`, before `to`.
const fn pass(a: &Places, chain: &[Swizzle], to: &Composed) -> Result<Composed, LayoutError> {
    let mut r = *to;
    let mut i = chain.len();
    while i > 0 {
        i -= 1;
        let (y, z) = (chain[i].source_mask().trailing_zeros(), chain[i].target_mask().trailing_zeros());
        let mut j = 0;
        while j < chain[i].bits() {
            if let Some(s) = tri!(a.pass(y + j, z + j)) {
                r = tri!(r.swizzled(&s));
            }
            j += 1;
        }
    }
    Ok(r)
}

const fn plain(offset: i64, l: &Layout) -> Result<Composed, LayoutError> {
    Composed::new(&Swizzle::IDENTITY, offset, l)
}

impl Layout {
    /// `self o swizzle` as `swizzle' o self`, of the shape of `self`.
    ///
    /// # Errors
    /// [`LayoutError::Swizzled`]: a bit of the swizzle is no bit of the values (an extent below it is no power of two,
    /// values of coordinate bits overlap, a stride is negative); [`LayoutError::OutOfDomain`]: the swizzle leaves the
    /// domain of `self`.
    /// ```
    /// # use girih::prelude::*;
    /// let a = layout!((8,8):(8,1));
    /// let s = Swizzle::new(3, 0, 3)?;
    /// assert_eq!(a.compose_swizzle(&s)?.to_string(), "S<3,0,-3> o 0 o (8,8):(8,1)");
    /// assert!(layout!((3,8):(1,3)).compose_swizzle(&s).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn compose_swizzle(&self, swizzle: &Swizzle) -> Result<Composed, Error> {
        match self.past(&[*swizzle]) {
            Ok(c) => Ok(c),
            Err(e) => Err(Error::with_operand("compose", self, Operand::Swizzle(*swizzle), e)),
        }
    }

    pub(crate) const fn past(&self, chain: &[Swizzle]) -> Result<Composed, LayoutError> {
        pass(&tri!(Places::of(self)), chain, &tri!(plain(0, self)))
    }

    /// `self o rhs`: the swizzles of `rhs` passed to the left of `self`.
    ///
    /// Law: `r(c) = self(rhs(c))` for every coordinate.
    ///
    /// # Errors
    /// As [`Layout::compose_swizzle`] and [`Layout::compose`]; or an offset of `rhs` that carries into its values.
    /// ```
    /// # use girih::prelude::*;
    /// let rhs: Composed = "S<3,0,3> o 0 o (8,8):(8,1)".parse()?;
    /// let r = layout!((8,8):(16,128)).compose_swizzled(&rhs)?;
    /// assert_eq!(r.to_string(), "S<3,4,3> o 0 o (8,8):(128,16)");
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn compose_swizzled(&self, rhs: &Composed) -> Result<Composed, Error> {
        match self.through(rhs) {
            Ok(c) => Ok(c),
            Err(e) => match self.through(&rhs.decayed()) {
                Ok(c) => Ok(c),
                Err(_) => Err(Error::with_operand("compose", self, Operand::Composed(*rhs), e)),
            },
        }
    }

    const fn through(&self, rhs: &Composed) -> Result<Composed, LayoutError> {
        let (b, o) = (rhs.inner(), rhs.offset());
        let inner = match self.compose(b) {
            Ok(l) => l,
            Err(e) => return Err(e.reason),
        };
        if o == 0 && rhs.is_plain() {
            return plain(0, &inner);
        }
        let places = tri!(Places::of(self));
        let (min, max) = tri!(b.image_range());
        if o + max >= places.size {
            return Err(LayoutError::OutOfDomain { reach: o + max, size: places.size });
        }
        // self(o + b) = self(o) + self(b) if they share no place, and at most one of them goes beyond the places
        let beyond = o >> places.len != 0 && max >> places.len != 0;
        if o != 0 && (min < 0 || beyond || !Digits::apart(b, o)) {
            return refuse("the offset of the right side carries into its values");
        }
        pass(&places, rhs.swizzles(), &tri!(plain(tri!(self.at(o)), &inner)))
    }

    /// `(self, self* o rhs)`: a copy of `self` at each value of the swizzled `rhs`, the swizzle passed through the
    /// strides of the copies.
    ///
    /// Law: `r(i, j) = self(i) + self*(rhs(j))` for all i and j, with `self*` the complement of `self` continued
    /// without end.
    ///
    /// # Errors
    /// As [`Layout::logical_product`] and [`Layout::compose_swizzled`]; or `self` has values on the bits of the copies.
    /// ```
    /// # use girih::prelude::*;
    /// let rhs: Composed = "S<2,0,2> o 0 o (4,4):(4,1)".parse()?;
    /// let r = layout!(8:1).logical_product_swizzled(&rhs)?;
    /// assert_eq!(r.to_string(), "S<2,3,2> o 0 o (8,(4,4)):(1,(32,8))");
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn logical_product_swizzled(&self, rhs: &Composed) -> Result<Composed, Error> {
        match self.copies(rhs) {
            Ok(c) => Ok(c),
            Err(e) => match self.copies(&rhs.decayed()) {
                Ok(c) => Ok(c),
                Err(_) => Err(Error::with_operand("logical_product", self, Operand::Composed(*rhs), e)),
            },
        }
    }

    const fn copies(&self, rhs: &Composed) -> Result<Composed, LayoutError> {
        if self.packed {
            return Err(LayoutError::Undecided);
        }
        let (below, above) = (tri!(rhs.inner().image_range()).1 + rhs.offset(), tri!(rhs.image_range()).1);
        let reach = (if below > above { below } else { above }) as u64 + 1;
        // a power of two, so that the last mode consists of places
        let Some(cotarget) = tri!(span(self)).checked_mul(reach.next_power_of_two() as i64) else {
            return Err(LayoutError::Overflow);
        };
        let rest = match self.complement(cotarget) {
            Ok(l) => l,
            Err(e) => return Err(e.reason),
        };
        let copies = tri!(rest.through(rhs));
        let (mine, theirs) = (bits(self, 0), bits(copies.inner(), copies.offset()) | copies.active() as i64);
        if !copies.is_plain() && mine & theirs != 0 {
            return refuse("the tile has values on bits that the swizzle reads or changes, or that carry into them");
        }
        copies.with(copies.offset(), &tri!(Layout::tuple(&[*self, *copies.inner()])))
    }
}

impl Composed {
    /// `self o rhs`: the swizzles of `rhs` passed to the left of the layout of `self`, below the swizzles of `self`.
    ///
    /// Law: `r(c) = self(rhs(c))` for every coordinate.
    ///
    /// # Errors
    /// As [`Layout::compose_swizzled`] and [`Composed::swizzled`]; or an offset of `self`, which would stand between them.
    /// ```
    /// # use girih::prelude::*;
    /// let a: Composed = "S<2,0,3> o 0 o (8,8):(8,1)".parse()?;
    /// let b: Composed = "S<2,0,-3> o 0 o (8,8):(8,1)".parse()?;
    /// let r = a.compose_swizzled(&b)?;
    /// assert_eq!(r.at(10)?, a.at(b.at(10)?)?);
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn compose_swizzled(&self, rhs: &Composed) -> Result<Composed, Error> {
        match self.above(rhs) {
            Ok(c) => Ok(c),
            Err(e) => Err(Error::swizzled("compose", self, Operand::Composed(*rhs), e)),
        }
    }

    const fn above(&self, rhs: &Composed) -> Result<Composed, LayoutError> {
        if self.offset() != 0 {
            return refuse("the offset below the left swizzle is not 0: it would stand between the swizzles");
        }
        let mut r = match self.inner().compose_swizzled(rhs) {
            Ok(r) => r,
            Err(e) => return Err(e.reason),
        };
        let mut i = self.swizzles().len();
        while i > 0 {
            i -= 1;
            r = tri!(r.swizzled(&self.swizzles()[i]));
        }
        Ok(r)
    }

    /// A layout R with `self(R(i)) = i` for all `i < size(R)`: the [right inverse](Layout::right_inverse) below the
    /// swizzles, and the swizzles, in reverse order, passed through it.
    ///
    /// # Errors
    /// As [`Layout::right_inverse`] and [`Layout::compose_swizzle`], or an offset that is not 0.
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// let r = c.right_inverse()?;
    /// assert_eq!(r.to_string(), "S<3,0,-6> o 0 o (64,8):(8,1)");
    /// assert_eq!(c.at(r.at(100)?)?, 100);
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn right_inverse(&self) -> Result<Composed, Error> {
        let below = self.decayed();
        match below.inverse(below.inner().right_inverse()) {
            Ok(c) => Ok(c),
            Err(e) => Err(Error::swizzled("right_inverse", self, Operand::None, e)),
        }
    }

    /// A layout R with `R(self(c)) = c` for every one-dimensional coordinate `c` of an injective `self` (and, in
    /// general, `self(R(self(c))) = self(c)`): the [left inverse](Layout::left_inverse) below the swizzles, and the
    /// swizzles passed through it.
    ///
    /// # Errors
    /// As [`Layout::left_inverse`] and [`Layout::compose_swizzle`], or an offset that is not 0.
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// assert_eq!(c.left_inverse()?.at(c.at(100)?)?, 100);
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn left_inverse(&self) -> Result<Composed, Error> {
        let below = self.decayed();
        match below.inverse(below.inner().left_inverse()) {
            Ok(c) => Ok(c),
            Err(e) => Err(Error::swizzled("left_inverse", self, Operand::None, e)),
        }
    }

    const fn inverse(&self, inner: Result<Layout, Error>) -> Result<Composed, LayoutError> {
        let inner = match inner {
            Ok(l) => l,
            Err(e) => return Err(e.reason),
        };
        if self.offset() != 0 {
            return refuse(
                "the offset below the swizzle is not 0: an inverse would have it between layout and swizzle",
            );
        }
        if self.is_plain() {
            return plain(0, &inner);
        }
        // the inverse of S T L is L* T S
        let mut chain = [Swizzle::IDENTITY; SWIZZLES];
        let links = self.swizzles().len();
        let mut i = 0;
        while i < links {
            chain[i] = self.swizzles()[links - 1 - i];
            i += 1;
        }
        inner.past(chain.split_at(links).0)
    }
}

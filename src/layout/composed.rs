//! A layout below swizzles: `S<3,4,3> o 0 o (8,64):(64,1)`.

use super::digits::Digits;
use super::echelon::Echelon;
use super::parse::Reader;
use super::swizzle::NEGATIVE;
use super::text::Text;
use super::{Drawable, Int, IntTuple, Layout, LayoutError, Swizzle, Unit};

/// Swizzles that a [`Composed`] holds one after another.
/// ```
/// # use girih::prelude::*;
/// let mut c = layout!(256:1).swizzled(&Swizzle::new(1, 0, 1)?)?;
/// for shift in 2..=4 {
///     c = c.swizzled(&Swizzle::new(1, 0, shift)?)?;
/// }
/// assert_eq!(c.swizzles().len(), girih::layout::SWIZZLES);
/// assert!(c.swizzled(&Swizzle::new(1, 0, 5)?).is_err());
/// # Ok::<(), girih::LayoutError>(())
/// ```
pub const SWIZZLES: usize = 4;

/// The function `c -> S(offset + L(c))`: a layout, moved by an offset, below a swizzle `S` (or up to [`SWIZZLES`] of
/// them that are no single one, applied from the right). Inline and `Copy`, as a [`Layout`] is.
///
/// What every one satisfies:
/// 1. `offset + L(c) >= 0` on the domain (a swizzle is defined, and linear over F2, on non-negative integers only), and it
///    fits an `i64`; of a leaf with symbols the stride is not negative;
/// 2. the values of `L` are integers, not coordinates;
/// 3. neighbouring swizzles are no single swizzle, and all count the same [`Unit`], that of offset and layout.
///
/// The algebra on it ([`algebra`](crate::algebra)) is that of the layout inside; [`Composed::slice`] and
/// [`Composed::decay`] find out when the swizzle is not needed any more.
///
/// ```
/// use girih::prelude::*;
/// let c: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
/// assert_eq!(c.at_coord([1, 0])?, 64 + 8);
/// assert_eq!(c.at(1)?, 64 + 8);
/// assert_eq!(c.image_range()?, (0, 511));
/// # Ok::<(), girih::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Composed {
    inner: Layout,
    offset: i64,
    /// outermost first; the rest is the identity
    chain: [Swizzle; SWIZZLES],
    links: u8,
}

impl Composed {
    /// `swizzle o offset o inner`.
    ///
    /// # Errors
    /// A value below the swizzle is negative or overflows, or is a coordinate.
    /// ```
    /// # use girih::prelude::*;
    /// let c = Composed::new(&Swizzle::new(3, 4, 3)?, 0, &layout!((8,64):(64,1)))?;
    /// assert_eq!(c.to_string(), "S<3,4,3> o 0 o (8,64):(64,1)");
    /// assert!(Composed::new(&Swizzle::new(1, 0, 1)?, 0, &layout!(4:-1)).is_err());
    /// assert_eq!(Composed::new(&Swizzle::new(1, 0, 1)?, 3, &layout!(4:-1))?.at(0)?, 2);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn new(swizzle: &Swizzle, offset: i64, inner: &Layout) -> Result<Composed, LayoutError> {
        let mut c = Composed { inner: *inner, offset, chain: [Swizzle::IDENTITY; SWIZZLES], links: 1 };
        c.chain[0] = *swizzle;
        tri!(c.check());
        Ok(c)
    }

    /// Invariants 1 and 2.
    const fn check(&self) -> Result<(), LayoutError> {
        let l = &self.inner;
        // an empty sum may stand for every symbolic leaf, whose values are at least 0
        let (mut min, mut max) = (self.offset, self.offset);
        let mut i = 0;
        while i < l.leaves() {
            let (s, d) = (l.extent_int(i), l.stride_int(i));
            if d.basis.len > 0 {
                return Err(LayoutError::Codomain);
            }
            if s.is_known() && d.is_known() {
                let reach = (s.coef - 1) * d.coef;
                let end = if reach < 0 { &mut min } else { &mut max };
                match end.checked_add(reach) {
                    Some(v) => *end = v,
                    None => return Err(LayoutError::Overflow),
                }
            } else if d.coef < 0 {
                return Err(NEGATIVE);
            }
            i += 1;
        }
        if min < 0 { Err(NEGATIVE) } else { Ok(()) }
    }

    /// The same swizzles on another offset and layout.
    pub(crate) const fn with(&self, offset: i64, inner: &Layout) -> Result<Composed, LayoutError> {
        let c = Composed { inner: *inner, offset, ..*self };
        tri!(c.check());
        Ok(c)
    }

    /// Swizzles outermost first, neighbours joined.
    pub(crate) const fn from_chain(chain: &[Swizzle], offset: i64, inner: &Layout) -> Result<Composed, LayoutError> {
        let mut c = tri!(Composed::new(&Swizzle::IDENTITY, offset, inner));
        let mut i = chain.len();
        while i > 0 {
            i -= 1;
            c = tri!(c.swizzled(&chain[i]));
        }
        Ok(c)
    }

    /// `swizzle o self`: joined with the outermost swizzle where that is a single swizzle, else kept before it.
    ///
    /// # Errors
    /// They count different units, or there are more than [`SWIZZLES`] that cannot be joined.
    /// ```
    /// # use girih::prelude::*;
    /// let c = layout!((8,8):(8,1)).swizzled(&"S<1,0,3>".parse()?)?;
    /// assert_eq!(c.swizzled(&"S<2,1,3>".parse()?)?.to_string(), "S<3,0,3> o 0 o (8,8):(8,1)");
    /// let pair = c.swizzled(&"S<1,0,2>".parse()?)?;
    /// assert_eq!(pair.to_string(), "S<1,0,2> o S<1,0,3> o 0 o (8,8):(8,1)");
    /// assert_eq!(pair.at(1)?, 8 ^ 1);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn swizzled(&self, swizzle: &Swizzle) -> Result<Composed, LayoutError> {
        let mut c = *self;
        let unit = tri!(self.unit().meet(swizzle.unit()));
        // what was joined may be one with the next as well
        let mut first = *swizzle;
        while c.links > 0
            && let Ok(one) = first.compose(&c.chain[0])
        {
            first = one;
            c.links -= 1;
            let mut i = 0;
            while i + 1 < SWIZZLES {
                c.chain[i] = c.chain[i + 1];
                i += 1;
            }
            c.chain[SWIZZLES - 1] = Swizzle::IDENTITY;
        }
        if c.links() == SWIZZLES {
            return Err(LayoutError::Swizzled { why: "more than four swizzles that are no single one" });
        }
        let mut i = SWIZZLES - 1;
        while i > 0 {
            c.chain[i] = c.chain[i - 1];
            i -= 1;
        }
        c.chain[0] = first;
        c.links += 1;
        i = 0;
        while i < c.links() {
            c.chain[i] = c.chain[i].on(unit);
            i += 1;
        }
        Ok(c)
    }

    const fn links(&self) -> usize {
        self.links as usize
    }
    /// The swizzles, outermost first; at least one.
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<1,0,2> o S<1,0,3> o 0 o (8,8):(8,1)".parse()?;
    /// assert_eq!(c.swizzles(), [Swizzle::new(1, 0, 2)?, Swizzle::new(1, 0, 3)?]);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn swizzles(&self) -> &[Swizzle] {
        self.chain.split_at(self.links()).0
    }
    /// The swizzle, if it is a single one.
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// assert_eq!(c.swizzle(), Some(Swizzle::new(3, 3, 3)?));
    /// let pair: Composed = "S<1,0,2> o S<1,0,3> o 0 o (8,8):(8,1)".parse()?;
    /// assert_eq!(pair.swizzle(), None);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn swizzle(&self) -> Option<Swizzle> {
        if self.links == 1 { Some(self.chain[0]) } else { None }
    }
    /// What is added to the layout's value before the swizzle, in the unit of the layout.
    /// ```
    /// # use girih::prelude::*;
    /// // the second stage of a pipeline
    /// assert_eq!(Composed::parse("S<3,3,3> o 512 o (8,64):(64,1)")?.offset(), 512);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn offset(&self) -> i64 {
        self.offset
    }
    /// The layout below the swizzle.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Composed::parse("S<3,3,3> o 0 o (8,64):(64,1)")?.inner(), &layout!((8,64):(64,1)));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn inner(&self) -> &Layout {
        &self.inner
    }
    /// What the values count.
    /// ```
    /// # use girih::prelude::*;
    /// # use girih::layout::Unit;
    /// assert_eq!(Composed::parse("S<3,3,3>[16b] o 0 o (8,64):(64,1)")?.unit(), Unit::elements(16)?);
    /// assert_eq!(Composed::parse("S<3,3,3> o 0 o (8,64):(64,1)")?.unit(), Unit::ANY);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn unit(&self) -> Unit {
        self.chain[0].unit()
    }
    /// Every swizzle is the identity: the values are `offset + inner`.
    /// ```
    /// # use girih::prelude::*;
    /// assert!(layout!((8,64):(64,1)).swizzled(&Swizzle::IDENTITY)?.is_plain());
    /// assert!(!layout!((8,64):(64,1)).swizzled(&Swizzle::new(3, 3, 3)?)?.is_plain());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn is_plain(&self) -> bool {
        self.active() == 0
    }

    /// Every bit that a swizzle reads or changes.
    pub(crate) const fn active(&self) -> u64 {
        let (mut mask, mut i) = (0, 0);
        while i < self.links() {
            mask |= self.chain[i].source_mask() | self.chain[i].target_mask();
            i += 1;
        }
        mask
    }

    /// `K`, all bits that a swizzle reads or changes being below bit K.
    pub(crate) const fn width(&self) -> u32 {
        u64::BITS - self.active().leading_zeros()
    }

    /// All swizzles at `x >= 0`.
    #[inline(always)]
    pub(crate) const fn flip(&self, x: i64) -> i64 {
        let (mut v, mut i) = (x, self.links());
        while i > 0 {
            i -= 1;
            v = self.chain[i].flip(v);
        }
        v
    }

    const fn value(&self, inner: Result<i64, LayoutError>) -> Result<i64, LayoutError> {
        match tri!(inner).checked_add(self.offset) {
            None => Err(LayoutError::Overflow),
            Some(x) if x < 0 => Err(NEGATIVE),
            Some(x) => Ok(self.flip(x)),
        }
    }

    /// Value at a one-dimensional coordinate of the domain.
    ///
    /// # Errors
    /// As [`Layout::at`].
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// assert_eq!(c.at(1)?, 64 ^ 8); // the coordinate (1,0)
    /// assert!(c.at(512).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    #[inline]
    pub const fn at(&self, index: i64) -> Result<i64, LayoutError> {
        self.value(self.inner.at(index))
    }
    /// Value at a one-dimensional coordinate, the last mode extended past the domain.
    ///
    /// # Errors
    /// As [`Layout::at_extended`], or the value below the swizzle is negative there.
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// assert_eq!(c.at_extended(512)?, 64 ^ 8); // the coordinate (0,64)
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn at_extended(&self, index: i64) -> Result<i64, LayoutError> {
        self.value(self.inner.at_extended(index))
    }
    /// Value at a flat coordinate, one number for each leaf.
    ///
    /// # Errors
    /// As [`Layout::at_coord`].
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// assert_eq!(c.at_coord([2, 8])?, (128 + 8) ^ 16);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    #[inline(always)]
    pub const fn at_coord<const R: usize>(&self, c: [i64; R]) -> Result<i64, LayoutError> {
        self.value(self.inner.at_coord(c))
    }
    /// Value at any coordinate: one number, a flat or a hierarchical coordinate, or a mixture.
    ///
    /// # Errors
    /// As [`Layout::at_crd`].
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,(8,8)):(64,(1,8))".parse()?;
    /// assert_eq!(c.at_crd(&ints!((2, (0, 1))))?, 152);
    /// assert_eq!(c.at_crd(&ints!((2, 8)))?, 152);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn at_crd(&self, c: &IntTuple) -> Result<i64, LayoutError> {
        self.value(self.inner.at_crd(c))
    }
    /// [`Composed::at_crd`] with the last leaf under each number extended past its extent.
    ///
    /// # Errors
    /// As [`Layout::at_crd_extended`], or the value below the swizzle is negative there.
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// assert!(c.at_crd(&ints!((1, 64))).is_err());
    /// assert_eq!(c.at_crd_extended(&ints!((1, 64)))?, 128 ^ 16);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn at_crd_extended(&self, c: &IntTuple) -> Result<i64, LayoutError> {
        self.value(self.inner.at_crd_extended(c))
    }

    /// Number of elements of the domain, of known extents.
    ///
    /// # Errors
    /// An extent is a symbol.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Composed::parse("S<3,3,3> o 0 o (8,64):(64,1)")?.size()?, 512);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn size(&self) -> Result<i64, LayoutError> {
        self.inner.size()
    }
    /// Number of elements of the domain, symbols and all.
    ///
    /// # Errors
    /// A product of more than four factors.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Composed::parse("S<3,3,3> o 0 o (?M,64):(64,1)")?.size_int()?.to_string(), "64*?M");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn size_int(&self) -> Result<Int, LayoutError> {
        self.inner.size_int()
    }
    /// Number of modes.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Composed::parse("S<3,3,3> o 0 o (8,(8,8)):(64,(1,8))")?.rank(), 2);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn rank(&self) -> usize {
        self.inner.rank()
    }
    /// Levels of nesting.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Composed::parse("S<3,3,3> o 0 o (8,(8,8)):(64,(1,8))")?.depth(), 2);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn depth(&self) -> usize {
        self.inner.depth()
    }
    /// Number of leaf modes.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Composed::parse("S<3,3,3> o 0 o (8,(8,8)):(64,(1,8))")?.leaves(), 3);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn leaves(&self) -> usize {
        self.inner.leaves()
    }
    /// The shape. (There is no stride.)
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Composed::parse("S<3,3,3> o 0 o (8,(8,8)):(64,(1,8))")?.shape(), ints!((8, (8, 8))));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn shape(&self) -> IntTuple {
        self.inner.shape()
    }
    /// The nesting with every leaf 0.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Composed::parse("S<3,3,3> o 0 o (8,(8,8)):(64,(1,8))")?.profile(), ints!((0, (0, 0))));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn profile(&self) -> IntTuple {
        self.inner.profile()
    }

    /// Least and largest value: the offsets that a buffer must have, counted from its start.
    ///
    /// Exact when the values below the swizzle fill an interval, or are sums of binary digits without carries (so for
    /// every power-of-two block); otherwise a sound bound, the exact range over the interval that holds these values.
    ///
    /// # Errors
    /// A symbol is unbound.
    /// ```
    /// # use girih::prelude::*;
    /// let row: Composed = "S<3,0,3> o 56 o 2:4".parse()?; // 56 ^ 7, 60 ^ 7
    /// assert_eq!(row.image_range()?, (59, 63));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn image_range(&self) -> Result<(i64, i64), LayoutError> {
        let (min, max) = tri!(self.inner.image_range());
        let (lo, hi) = (self.offset + min, self.offset + max);
        if let Some(d) = Digits::of(&self.inner, self.offset, 63) {
            return Ok(self.affine_range(lo, d.values()));
        }
        // Swizzles keep the part above their bits, so that the extremes lie in the first and the last block of that
        // size.
        let low = (1i64 << self.width()) - 1;
        let first_end = if lo | low < hi { lo | low } else { hi };
        let last_start = if hi & !low > lo { hi & !low } else { lo };
        Ok((self.interval_range(lo, first_end).0, self.interval_range(last_start, hi).1))
    }

    /// `max - min + 1` over [`Composed::image_range`].
    ///
    /// # Errors
    /// A symbol is unbound, or overflow.
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// assert_eq!(c.cosize()?, 512); // a swizzle needs no padding
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn cosize(&self) -> Result<i64, LayoutError> {
        let (min, max) = tri!(self.image_range());
        match (max - min).checked_add(1) {
            Some(n) => Ok(n),
            None => Err(LayoutError::Overflow),
        }
    }

    /// Range over `lo..=hi`, cut into aligned power-of-two blocks.
    const fn interval_range(&self, lo: i64, hi: i64) -> (i64, i64) {
        let mut unit = [0i64; 62];
        let mut i = 0;
        while i < 62 {
            unit[i] = 1 << i;
            i += 1;
        }
        let (mut min, mut max) = (i64::MAX, i64::MIN);
        let mut at = lo;
        loop {
            let room = 63 - ((hi - at) as u64 + 1).leading_zeros();
            let free = if at == 0 || at.trailing_zeros() > room { room } else { at.trailing_zeros() };
            let (a, b) = self.affine_range(at, unit.split_at(free as usize).0);
            min = if a < min { a } else { min };
            max = if b > max { b } else { max };
            // the block's last element, so that the end of the integers is no overflow
            at += (1 << free) - 1;
            if at == hi {
                return (min, max);
            }
            at += 1;
        }
    }

    /// Range over `base ^ (any XOR of digits)`: least and largest element of a coset over F2.
    const fn affine_range(&self, base: i64, digits: &[i64]) -> (i64, i64) {
        let mut span = Echelon::NEW;
        let mut i = 0;
        while i < digits.len() {
            let _ = span.insert(self.flip(digits[i]));
            i += 1;
        }
        span.range(self.flip(base))
    }
}

impl Drawable for Composed {
    fn shape(&self) -> IntTuple {
        self.shape()
    }
    fn value(&self, index: i64) -> Result<IntTuple, LayoutError> {
        Ok(IntTuple::int(self.at(index)?))
    }
    fn notation(&self) -> String {
        self.to_string()
    }
}

impl Layout {
    /// `swizzle o 0 o self`.
    ///
    /// # Errors
    /// As [`Composed::new`].
    /// ```
    /// # use girih::prelude::*;
    /// let c = layout!((8,64):(64,1)).swizzled(&Swizzle::new(3, 3, 3)?)?;
    /// assert_eq!(c.to_string(), "S<3,3,3> o 0 o (8,64):(64,1)");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn swizzled(&self, swizzle: &Swizzle) -> Result<Composed, LayoutError> {
        Composed::new(swizzle, 0, self)
    }
}

impl Reader<'_> {
    /// `S<..> o offset o layout`. The offset may be missing; more swizzles may stand before it; CuTe's mark
    /// `smem_ptr[16b](unset)` in its place says that the swizzle acts on bytes and the layout counts elements.
    pub const fn composed(&mut self) -> Result<Composed, LayoutError> {
        let mut chain = [Swizzle::IDENTITY; SWIZZLES];
        let mut n = 0;
        while n == 0 || self.peek() == b'S' {
            if n == SWIZZLES {
                return self.expected("at most four swizzles");
            }
            chain[n] = tri!(self.swizzle());
            n += 1;
            if !self.eat(b"o") {
                return self.expected("o");
            }
        }
        let mut offset = 0;
        if self.eat(b"smem_ptr") {
            let unit = tri!(self.unit());
            if !self.eat(b"(unset)") || !self.eat(b"o") {
                return self.expected("(unset) o");
            }
            let mut i = 0;
            while i < n {
                chain[i] = tri!(chain[i].on(Unit::BYTES).recast(unit));
                i += 1;
            }
        } else {
            let before = *self;
            if let Ok(v) = self.leaf()
                && let Some(v) = v.value()
                && self.eat(b"o")
            {
                offset = v;
            } else {
                *self = before;
            }
        }
        Composed::from_chain(chain.split_at(n).0, offset, &tri!(self.layout()))
    }
}

impl Text {
    pub const fn composed(&mut self, c: &Composed) -> &mut Text {
        let mut i = 0;
        while i < c.links() {
            self.swizzle(&c.chain[i]).str(" o ");
            i += 1;
        }
        self.int(c.offset).str(" o ").layout(&c.inner)
    }
}

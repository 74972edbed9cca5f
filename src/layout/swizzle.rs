//! Swizzles: bits of an offset XORed with other bits of it.

use super::LayoutError;
use super::parse::Reader;
use super::text::Text;

/// What the integers count that a [`Swizzle`] acts on.
///
/// A shared-memory swizzle is defined on byte addresses; on elements of another width it is another swizzle. A swizzle
/// that names its unit can be converted ([`Swizzle::recast`]) and refuses to meet one of another unit.
/// ```
/// # use girih::prelude::*;
/// # use girih::layout::Unit;
/// let bytes = Swizzle::new(3, 4, 3)?.on(Unit::BYTES);
/// let halves = bytes.recast(Unit::elements(16)?)?;
/// assert_eq!(halves.to_string(), "S<3,3,3>[16b]");
/// assert!(bytes.compose(&halves).is_err());
/// # Ok::<(), girih::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Unit(u16);

impl Unit {
    /// Not said: the values of whatever layout the swizzle stands before.
    /// ```
    /// # use girih::prelude::*;
    /// # use girih::layout::Unit;
    /// assert_eq!(Swizzle::new(3, 4, 3)?.unit(), Unit::ANY);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const ANY: Unit = Unit(0);
    /// Bits.
    /// ```
    /// # use girih::prelude::*;
    /// # use girih::layout::Unit;
    /// assert_eq!(Unit::BITS.width(), Some(1));
    /// ```
    pub const BITS: Unit = Unit(1);
    /// Bytes.
    /// ```
    /// # use girih::prelude::*;
    /// # use girih::layout::Unit;
    /// assert_eq!(Unit::BYTES, Unit::elements(8)?);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const BYTES: Unit = Unit(8);

    /// Elements of `width` bits.
    ///
    /// # Errors
    /// `width` is 0.
    /// ```
    /// # use girih::prelude::*;
    /// # use girih::layout::Unit;
    /// assert_eq!(Swizzle::new(3, 3, 3)?.on(Unit::elements(16)?).to_string(), "S<3,3,3>[16b]");
    /// assert!(Unit::elements(0).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn elements(width: u16) -> Result<Unit, LayoutError> {
        if width == 0 { Err(LayoutError::BadExtent { leaf: 0, extent: 0 }) } else { Ok(Unit(width)) }
    }

    /// Bits of one unit; None of [`Unit::ANY`].
    /// ```
    /// # use girih::prelude::*;
    /// # use girih::layout::Unit;
    /// assert_eq!((Unit::BYTES.width(), Unit::ANY.width()), (Some(8), None));
    /// ```
    pub const fn width(self) -> Option<u16> {
        if self.0 == 0 { None } else { Some(self.0) }
    }

    /// The one that is said, if both can be meant.
    pub(crate) const fn meet(self, o: Unit) -> Result<Unit, LayoutError> {
        if self.0 == 0 || self.0 == o.0 {
            Ok(o)
        } else if o.0 == 0 {
            Ok(self)
        } else {
            Err(LayoutError::Swizzled { why: "the swizzles count different units: recast one of them first" })
        }
    }

    /// `by` of these, or one of `by` parts.
    const fn scaled(self, by: i64, up: bool) -> Result<Unit, LayoutError> {
        let width = self.0 as i64;
        if width == 0 {
            return Ok(self);
        }
        if up {
            match width.checked_mul(by) {
                Some(w) if w <= u16::MAX as i64 => Ok(Unit(w as u16)),
                _ => Err(LayoutError::Overflow),
            }
        } else if width % by == 0 {
            Ok(Unit((width / by) as u16))
        } else {
            Err(LayoutError::Swizzled { why: "the unit of the swizzle is no multiple of the factor" })
        }
    }
}

/// `S<B,M,S>`: the function `x ^ ((x & yyy) >> S)` on non-negative integers, where `yyy` (the *source* bits) are the
/// `B` bits from `M + max(S, 0)` and `zzz` (the *target* bits) the `B` bits from `M - min(S, 0)`; a negative `S`
/// shifts left.
///
/// Source and target do not meet (`|S| >= B`), so it is its own inverse. It is linear over F2: `s(x ^ y) = s(x) ^
/// s(y)`.
///
/// ```
/// use girih::prelude::*;
/// let s: Swizzle = "S<3,4,3>".parse()?;
/// assert_eq!((s.source_mask(), s.target_mask()), (0b111_0000_000, 0b111_0000));
/// assert_eq!(s.at(0b101_0000_000)?, 0b101_1010_000);
/// assert_eq!(s.at(s.at(1234)?)?, 1234);
/// # Ok::<(), girih::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Swizzle {
    bits: u8,
    base: u8,
    shift: i8,
    unit: Unit,
}

impl Swizzle {
    /// `S<0,0,0>`, which changes nothing.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Swizzle::IDENTITY.at(1234)?, 1234);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const IDENTITY: Swizzle = Swizzle { bits: 0, base: 0, shift: 0, unit: Unit::ANY };

    /// `S<bits,base,shift>`, of no particular unit.
    ///
    /// # Errors
    /// Negative `bits` or `base`, `|shift| < bits`, or a bit beyond 61.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Swizzle::new(3, 4, 3)?.to_string(), "S<3,4,3>");
    /// assert!(Swizzle::new(3, 4, 2).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn new(bits: i64, base: i64, shift: i64) -> Result<Swizzle, LayoutError> {
        let small = 0 <= bits && bits <= 62 && 0 <= base && base <= 62 && -62 <= shift && shift <= 62;
        if !small || shift.abs() < bits || bits + base + shift.abs() > 62 {
            return Err(LayoutError::BadSwizzle { bits, base, shift });
        }
        Ok(Swizzle { bits: bits as u8, base: base as u8, shift: shift as i8, unit: Unit::ANY })
    }

    /// The same bits, counting `unit`.
    /// ```
    /// # use girih::prelude::*;
    /// # use girih::layout::Unit;
    /// assert_eq!(Swizzle::new(3, 4, 3)?.on(Unit::BYTES).to_string(), "S<3,4,3>[8b]");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn on(mut self, unit: Unit) -> Swizzle {
        self.unit = unit;
        self
    }

    /// The swizzle with these source (`yyy`) and target (`zzz`) bits; two empty masks give the identity.
    ///
    /// # Errors
    /// The masks are not two runs of equally many bits that do not meet, or reach beyond bit 61.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Swizzle::from_masks(0b11_0000, 0b11)?.to_string(), "S<2,0,4>");
    /// assert_eq!(Swizzle::from_masks(0b11, 0b11_0000)?.to_string(), "S<2,0,-4>");
    /// assert!(Swizzle::from_masks(0b101, 0b11_0000).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn from_masks(source: u64, target: u64) -> Result<Swizzle, LayoutError> {
        if source == 0 && target == 0 {
            return Ok(Swizzle::IDENTITY);
        }
        if !run(source) || !run(target) || source.count_ones() != target.count_ones() {
            return Err(LayoutError::Swizzled {
                why: "the masks of a swizzle are two runs of adjacent bits of the same length",
            });
        }
        let (y, z) = (source.trailing_zeros() as i64, target.trailing_zeros() as i64);
        Swizzle::new(source.count_ones() as i64, if y < z { y } else { z }, y - z)
    }

    /// `B`, the number of bits.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Swizzle::new(2, 4, 3)?.bits(), 2);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn bits(&self) -> u32 {
        self.bits as u32
    }
    /// `M`, the lowest bit of both masks: runs of `2^M` stay together.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Swizzle::new(2, 4, 3)?.base(), 4);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn base(&self) -> u32 {
        self.base as u32
    }
    /// `S`, how far to the right the source bits are shifted.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Swizzle::new(2, 4, -3)?.shift(), -3);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn shift(&self) -> i32 {
        self.shift as i32
    }
    /// What the integers count that it acts on.
    /// ```
    /// # use girih::prelude::*;
    /// # use girih::layout::Unit;
    /// assert_eq!(Swizzle::new(2, 4, 3)?.on(Unit::BYTES).unit(), Unit::BYTES);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn unit(&self) -> Unit {
        self.unit
    }
    /// No bits: it changes nothing.
    /// ```
    /// # use girih::prelude::*;
    /// let s = Swizzle::new(2, 4, 3)?;
    /// assert!(s.compose(&s)?.is_identity());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn is_identity(&self) -> bool {
        self.bits == 0
    }
    /// `yyy`, the bits that are read.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Swizzle::new(3, 4, 3)?.source_mask(), 0b111_000_0000);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn source_mask(&self) -> u64 {
        ((1 << self.bits) - 1) << (self.base as i32 + if self.shift > 0 { self.shift as i32 } else { 0 })
    }
    /// `zzz`, the bits that are changed.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Swizzle::new(3, 4, 3)?.target_mask(), 0b111_0000);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn target_mask(&self) -> u64 {
        ((1 << self.bits) - 1) << (self.base as i32 - if self.shift < 0 { self.shift as i32 } else { 0 })
    }

    /// The value at `x`, known to be non-negative.
    #[inline(always)]
    pub(crate) const fn flip(&self, x: i64) -> i64 {
        let y = x & self.source_mask() as i64;
        x ^ if self.shift >= 0 { y >> self.shift } else { y << -self.shift }
    }

    /// The value at `x >= 0`.
    ///
    /// # Errors
    /// `x` is negative: it has no highest bit, and a layout that reaches it no memory.
    /// ```
    /// # use girih::prelude::*;
    /// // row 5 of rows of 8 vectors: vector 2 is found at 2 ^ 5
    /// assert_eq!(Swizzle::new(3, 0, 3)?.at(5 * 8 + 2)?, 5 * 8 + 7);
    /// assert!(Swizzle::new(3, 0, 3)?.at(-1).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn at(&self, x: i64) -> Result<i64, LayoutError> {
        if x < 0 { Err(NEGATIVE) } else { Ok(self.flip(x)) }
    }

    /// The inverse function: itself.
    /// ```
    /// # use girih::prelude::*;
    /// let s = Swizzle::new(3, 4, 3)?;
    /// assert_eq!(s.inverse().at(s.at(1234)?)?, 1234);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn inverse(&self) -> Swizzle {
        *self
    }

    /// `self o rhs` as one swizzle: the masks of two swizzles of the same shift are XORed.
    ///
    /// Exact in both directions: refused only where no single swizzle is that function. Off the diagonal a swizzle has
    /// one nonzero diagonal, at its shift; a product has those of both factors, and at the sum of the shifts the
    /// product of them. So the shifts must agree, that product vanish, and what is left of the masks be one run. (If
    /// the XOR is a run of at most `|S|` bits the product does vanish: a target bit of one that is a source bit of the
    /// other would lie `|S|` from another bit of the run, or cancel inside a factor that is too long.)
    ///
    /// # Errors
    /// The product is no single swizzle, or they count different units. A [`Composed`](super::Composed) keeps both; as one
    /// matrix the product is that of [`LinearLayout::from_swizzle`](crate::algebra::linear::LinearLayout::from_swizzle).
    /// ```
    /// # use girih::prelude::*;
    /// let (a, b) = (Swizzle::new(1, 4, 3)?, Swizzle::new(2, 5, 3)?);
    /// assert_eq!(a.compose(&b)?, Swizzle::new(3, 4, 3)?);
    /// assert_eq!(a.compose(&a)?, Swizzle::IDENTITY);
    /// assert!(a.compose(&Swizzle::new(1, 4, 2)?).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn compose(&self, rhs: &Swizzle) -> Result<Swizzle, LayoutError> {
        let unit = tri!(self.unit.meet(rhs.unit));
        if rhs.is_identity() || self.is_identity() {
            return Ok(if rhs.is_identity() { *self } else { *rhs }.on(unit));
        }
        if self.shift == rhs.shift
            && let (y, z) = (self.source_mask() ^ rhs.source_mask(), self.target_mask() ^ rhs.target_mask())
            && let Ok(s) = Swizzle::from_masks(y, z)
        {
            return Ok(s.on(unit));
        }
        Err(LayoutError::Swizzled { why: "the product of these two swizzles is no single swizzle" })
    }

    /// The same function on elements `n` times as wide: the `s'` with `s(n*x + r) = n*s'(x) + r` for all `x` and `r <
    /// n`.
    ///
    /// # Errors
    /// It moves parts of a wide element (`2^M` is no multiple of `n`): reading the memory as wide elements would mix
    /// them. CuTe drops such bits. Also `n < 1`, or a unit too wide.
    /// ```
    /// # use girih::prelude::*;
    /// # use girih::layout::Unit;
    /// let bytes = Swizzle::new(3, 4, 3)?.on(Unit::BYTES);
    /// assert_eq!(bytes.upcast(4)?.to_string(), "S<3,2,3>[32b]");
    /// assert!(bytes.upcast(32).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn upcast(&self, n: i64) -> Result<Swizzle, LayoutError> {
        if n < 1 {
            return Err(LayoutError::BadExtent { leaf: 0, extent: n });
        }
        let unit = tri!(self.unit.scaled(n, true));
        let k = n.trailing_zeros();
        if self.is_identity() {
            let base = self.base.saturating_sub(k as u8);
            return Ok(Swizzle { base, unit, ..*self });
        }
        if !(n as u64).is_power_of_two() || k > self.base as u32 {
            return Err(LayoutError::Swizzled {
                why: "the swizzle moves parts of one wide element: its runs of 2^M are no multiple of the factor",
            });
        }
        Ok(Swizzle { base: self.base - k as u8, unit, ..*self })
    }

    /// The same function on elements `n` times as narrow: the `s'` with `s'(n*x + r) = n*s(x) + r` for all `x` and `r
    /// < n`.
    ///
    /// # Errors
    /// `n` is no power of two, the result passes bit 61, or the unit is no multiple of `n`.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Swizzle::new(3, 0, 3)?.downcast(8)?, Swizzle::new(3, 3, 3)?);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn downcast(&self, n: i64) -> Result<Swizzle, LayoutError> {
        if n < 1 {
            return Err(LayoutError::BadExtent { leaf: 0, extent: n });
        }
        let unit = tri!(self.unit.scaled(n, false));
        let pure = (n as u64).is_power_of_two();
        if !pure && !self.is_identity() {
            return Err(LayoutError::Swizzled { why: "a swizzle is scaled by powers of two only" });
        }
        let base = self.base as i64 + if pure { n.trailing_zeros() as i64 } else { 0 };
        Ok(tri!(Swizzle::new(self.bits as i64, base, self.shift as i64)).on(unit))
    }

    /// The same function counted in another unit: `S<3,4,3>` on bytes is `S<3,2,3>` on elements of 32 bits.
    ///
    /// # Errors
    /// A unit is not said, or as [`Swizzle::upcast`] and [`Swizzle::downcast`].
    /// ```
    /// # use girih::prelude::*;
    /// # use girih::layout::Unit;
    /// let bytes = Swizzle::new(3, 4, 3)?.on(Unit::BYTES);
    /// assert_eq!(bytes.recast(Unit::elements(32)?)?, Swizzle::new(3, 2, 3)?.on(Unit::elements(32)?));
    /// assert_eq!(bytes.recast(Unit::BITS)?, Swizzle::new(3, 7, 3)?.on(Unit::BITS));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn recast(&self, unit: Unit) -> Result<Swizzle, LayoutError> {
        if self.unit.0 == 0 || unit.0 == 0 {
            return Err(LayoutError::Swizzled { why: "a swizzle is recast from a unit to a unit; one is not said" });
        }
        let (down, up) = ratio(self.unit.0 as i64, unit.0 as i64);
        match self.downcast(down) {
            Ok(s) => s.upcast(up),
            Err(e) => Err(e),
        }
    }

    /// Length, in its unit, of the longest runs that it moves as a whole: `2^M`, and `2^62` for the identity. Vectors of at
    /// most this length, aligned, stay vectors.
    /// ```
    /// # use girih::prelude::*;
    /// # use girih::layout::Unit;
    /// // vectors of 16 bytes stay whole
    /// assert_eq!(Swizzle::new(3, 4, 3)?.on(Unit::BYTES).max_alignment(), 16);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn max_alignment(&self) -> i64 {
        1 << if self.is_identity() { 62 } else { self.base }
    }
}

/// The values of a layout below a swizzle may not be negative.
pub(crate) const NEGATIVE: LayoutError = LayoutError::Swizzled {
    why: "a swizzle has no value at negative numbers: the offset must make all values positive",
};

/// One run of adjacent bits.
const fn run(mask: u64) -> bool {
    mask != 0 && (mask >> mask.trailing_zeros()).wrapping_add(1).is_power_of_two()
}

/// `old / new` in lowest terms: narrower by the first, then wider by the second.
pub(crate) const fn ratio(old: i64, new: i64) -> (i64, i64) {
    let (mut a, mut b) = (old, new);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (old / a, new / a)
}

impl Reader<'_> {
    /// `S<B,M,S>` or CuTe's `Sw<B,M,S>`, then `[16b]` if it says its unit.
    pub const fn swizzle(&mut self) -> Result<Swizzle, LayoutError> {
        if !self.eat(b"Sw<") && !self.eat(b"S<") {
            return self.expected("S<B,M,S>");
        }
        let mut v = [0; 3];
        let mut i = 0;
        while i < 3 {
            if i > 0 && !self.eat(b",") {
                return self.expected(",");
            }
            v[i] = tri!(self.number());
            i += 1;
        }
        if !self.eat(b">") {
            return self.expected(">");
        }
        let s = tri!(Swizzle::new(v[0], v[1], v[2]));
        if self.peek() == b'[' { Ok(s.on(tri!(self.unit()))) } else { Ok(s) }
    }

    /// `[16b]`
    pub const fn unit(&mut self) -> Result<Unit, LayoutError> {
        if !self.eat(b"[") {
            return self.expected("[");
        }
        let at = self.at;
        match self.number() {
            Ok(w @ 1..=0xffff) if self.eat(b"b]") => Ok(Unit(w as u16)),
            _ => {
                self.at = at;
                self.expected("a width in bits, 1 to 65535, and b]")
            }
        }
    }
}

impl Text {
    pub const fn swizzle(&mut self, s: &Swizzle) -> &mut Text {
        self.str("S<").count(s.bits as usize).str(",").count(s.base as usize).str(",").int(s.shift as i64).str(">");
        match s.unit.width() {
            Some(w) => self.str("[").count(w as usize).str("b]"),
            None => self,
        }
    }
}

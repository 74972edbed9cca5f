//! What the bits of an index mean.

use super::BITS;
use crate::layout::{LayoutError, MODES, Name};

/// The name of an axis: who counts along it.
/// ```
/// # use girih::algebra::linear::Axis;
/// assert_eq!(Axis::named("stage")?.to_string(), "stage");
/// assert_eq!(Axis::named("lane")?, Axis::LANE);
/// # Ok::<(), girih::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Axis(pub(super) Name);

impl Axis {
    /// The registers of a thread.
    pub const REGISTER: Axis = Axis(crate::literal(Name::new("register")));
    /// The threads of a warp.
    pub const LANE: Axis = Axis(crate::literal(Name::new("lane")));
    /// The warps of a block.
    pub const WARP: Axis = Axis(crate::literal(Name::new("warp")));
    /// The blocks of a cluster (or grid).
    pub const BLOCK: Axis = Axis(crate::literal(Name::new("block")));
    /// Offsets in a memory, or any plain integers.
    pub const OFFSET: Axis = Axis(crate::literal(Name::new("offset")));

    /// `dim0`, `dim1`, ..: the modes of a layout, the dimensions of a tensor.
    ///
    /// # Errors
    /// Never for the modes of a layout; [`LayoutError::NoSuchMode`] beyond them.
    /// ```
    /// # use girih::algebra::linear::Axis;
    /// assert_eq!(Axis::dim(1)?.to_string(), "dim1");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn dim(mode: usize) -> Result<Axis, LayoutError> {
        if mode >= MODES {
            return Err(LayoutError::NoSuchMode { mode, rank: MODES });
        }
        let (tens, ones) = (b'0' + (mode / 10) as u8, b'0' + (mode % 10) as u8);
        let text = [b'd', b'i', b'm', if mode < 10 { ones } else { tens }, ones];
        match Name::of(text.split_at(if mode < 10 { 4 } else { 5 }).0) {
            Ok(name) => Ok(Axis(name)),
            Err(e) => Err(e),
        }
    }

    /// An axis of any name.
    ///
    /// # Errors
    /// As [`Name::new`]: at most eight letters, digits and underscores.
    /// ```
    /// # use girih::algebra::linear::Axis;
    /// assert!(Axis::named("warpgroup").is_err());
    /// ```
    pub const fn named(name: &str) -> Result<Axis, LayoutError> {
        match Name::new(name) {
            Ok(name) => Ok(Axis(name)),
            Err(e) => Err(e),
        }
    }

    pub(super) const fn is(self, o: Axis) -> bool {
        self.0.0 == o.0.0
    }

    pub(super) const fn is_in(self, axes: &[Axis]) -> bool {
        let mut i = 0;
        while i < axes.len() {
            if self.is(axes[i]) {
                return true;
            }
            i += 1;
        }
        false
    }
}

impl core::fmt::Display for Axis {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.fmt(f)
    }
}
impl core::fmt::Debug for Axis {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.fmt(f)
    }
}

/// A list of axes, each of a power-of-two extent: how the bits of an index are shared out, the first axis lowest
/// (colexicographic, as everywhere). At most [`MODES`] axes and [`BITS`] bits.
/// ```
/// # use girih::algebra::linear::{Axes, Axis};
/// let threads = Axes::new(&[(Axis::REGISTER, 8), (Axis::LANE, 32)])?;
/// assert_eq!((threads.size(), threads.bits()), (256, 8));
/// assert_eq!(threads.to_string(), "register 8, lane 32");
/// assert_eq!(threads.index([3, 2])?, 19); // register 3 of lane 2
/// assert_eq!(threads.coord(19)?, [3, 2]);
/// # Ok::<(), girih::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Axes {
    axis: [Axis; MODES],
    bits: [u8; MODES],
    len: u8,
}

impl Axes {
    pub(super) const NONE: Axes = Axes { axis: [Axis(Name::NONE); MODES], bits: [0; MODES], len: 0 };

    /// Axes with their extents.
    ///
    /// # Errors
    /// [`LayoutError::NotPowerOfTwo`], two axes of one name, too many of them, or more than [`BITS`] bits.
    /// ```
    /// # use girih::{algebra::linear::{Axes, Axis}, prelude::*};
    /// assert!(Axes::new(&[(Axis::LANE, 32), (Axis::WARP, 4)]).is_ok());
    /// let e = Axes::new(&[(Axis::LANE, 32), (Axis::WARP, 3)]).unwrap_err();
    /// assert_eq!(e, LayoutError::NotPowerOfTwo { leaf: 1, extent: 3 });
    /// ```
    pub const fn new(axes: &[(Axis, i64)]) -> Result<Axes, LayoutError> {
        let mut r = Axes::NONE;
        let mut i = 0;
        while i < axes.len() {
            let (axis, extent) = axes[i];
            if extent < 1 || !(extent as u64).is_power_of_two() {
                return Err(LayoutError::NotPowerOfTwo { leaf: i, extent });
            }
            tri!(r.push(axis, extent.trailing_zeros()));
            i += 1;
        }
        Ok(r)
    }

    /// One axis of `extent`.
    ///
    /// # Errors
    /// As [`Axes::new`].
    /// ```
    /// # use girih::algebra::linear::{Axes, Axis};
    /// assert_eq!(Axes::one(Axis::LANE, 32)?, Axes::new(&[(Axis::LANE, 32)])?);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn one(axis: Axis, extent: i64) -> Result<Axes, LayoutError> {
        Axes::new(&[(axis, extent)])
    }

    pub(super) const fn push(&mut self, axis: Axis, bits: u32) -> Result<(), LayoutError> {
        if self.find(axis).is_some() {
            return Err(LayoutError::DuplicateAxis { name: axis.0 });
        }
        if self.rank() == MODES {
            return Err(LayoutError::TooManyModes);
        }
        if self.bits() + bits > BITS as u32 {
            return Err(LayoutError::Overflow);
        }
        self.axis[self.rank()] = axis;
        self.bits[self.rank()] = bits as u8;
        self.len += 1;
        Ok(())
    }

    /// One axis of at most [`BITS`] bits.
    pub(super) const fn of_bits(axis: Axis, bits: u32) -> Axes {
        let mut r = Axes::NONE;
        r.axis[0] = axis;
        r.bits[0] = bits as u8;
        r.len = 1;
        r
    }
    /// Plain integers with the bits that are `used`.
    pub(super) const fn offsets(used: i64) -> Result<Axes, LayoutError> {
        let bits = i64::BITS - used.leading_zeros();
        if bits > BITS as u32 { Err(LayoutError::Overflow) } else { Ok(Axes::of_bits(Axis::OFFSET, bits)) }
    }

    /// Number of axes.
    /// ```
    /// # use girih::algebra::linear::{Axes, Axis};
    /// assert_eq!(Axes::one(Axis::LANE, 32)?.rank(), 1);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn rank(&self) -> usize {
        self.len as usize
    }
    /// Bits of an index.
    /// ```
    /// # use girih::algebra::linear::{Axes, Axis};
    /// assert_eq!(Axes::new(&[(Axis::REGISTER, 8), (Axis::LANE, 32)])?.bits(), 3 + 5);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn bits(&self) -> u32 {
        self.start(self.rank())
    }
    /// Number of indices.
    /// ```
    /// # use girih::algebra::linear::{Axes, Axis};
    /// assert_eq!(Axes::new(&[(Axis::REGISTER, 8), (Axis::LANE, 32)])?.size(), 256);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn size(&self) -> i64 {
        1 << self.bits()
    }
    /// The axes in order.
    /// ```
    /// # use girih::algebra::linear::{Axes, Axis};
    /// assert_eq!(Axes::one(Axis::LANE, 32)?.axes(), [Axis::LANE]);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn axes(&self) -> &[Axis] {
        self.axis.split_at(self.rank()).0
    }
    /// Extent of an axis, 1 of one that is not there.
    /// ```
    /// # use girih::algebra::linear::{Axes, Axis};
    /// let lanes = Axes::one(Axis::LANE, 32)?;
    /// assert_eq!((lanes.extent(Axis::LANE), lanes.extent(Axis::WARP)), (32, 1));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn extent(&self, axis: Axis) -> i64 {
        1 << self.width(axis)
    }

    /// The bits of an axis, 0 of one that is not there.
    pub(super) const fn width(&self, axis: Axis) -> u32 {
        match self.find(axis) {
            Some(i) => self.bits[i] as u32,
            None => 0,
        }
    }
    pub(super) const fn find(&self, axis: Axis) -> Option<usize> {
        let mut i = 0;
        while i < self.rank() {
            if self.axis[i].is(axis) {
                return Some(i);
            }
            i += 1;
        }
        None
    }
    /// The lowest bit of axis `i`.
    pub(super) const fn start(&self, i: usize) -> u32 {
        let (mut n, mut k) = (0, 0);
        while k < i {
            n += self.bits[k] as u32;
            k += 1;
        }
        n
    }
    /// The lowest bit and the number of bits of axis `i`.
    pub(super) const fn place(&self, i: usize) -> (u32, u32) {
        (self.start(i), self.bits[i] as u32)
    }
    /// The place of an axis that must be there.
    pub(super) const fn place_of(&self, axis: Axis) -> Result<(u32, u32), LayoutError> {
        match self.find(axis) {
            Some(i) => Ok(self.place(i)),
            None => Err(LayoutError::NoSuchAxis { name: axis.0 }),
        }
    }

    /// The index of a coordinate, one number for each axis.
    ///
    /// # Errors
    /// There are not `R` axes, or a number is outside its axis.
    /// ```
    /// # use girih::{algebra::linear::{Axes, Axis}, prelude::*};
    /// let threads = Axes::new(&[(Axis::REGISTER, 8), (Axis::LANE, 32)])?;
    /// assert_eq!(threads.index([0, 1])?, 8);
    /// assert_eq!(threads.index([8, 0]), Err(LayoutError::OutOfRange { index: 8, extent: 8 }));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn index<const R: usize>(&self, c: [i64; R]) -> Result<i64, LayoutError> {
        if R != self.rank() {
            return Err(LayoutError::RankMismatch { rank: R, other: self.rank() });
        }
        let (mut v, mut start, mut i) = (0, 0, 0);
        while i < R {
            if c[i] < 0 || c[i] >> self.bits[i] != 0 {
                return Err(LayoutError::OutOfRange { index: c[i], extent: 1 << self.bits[i] });
            }
            v |= c[i] << start;
            start += self.bits[i] as u32;
            i += 1;
        }
        Ok(v)
    }

    /// The coordinate of an index.
    ///
    /// # Errors
    /// There are not `R` axes, or the index is outside.
    /// ```
    /// # use girih::algebra::linear::{Axes, Axis};
    /// let threads = Axes::new(&[(Axis::REGISTER, 8), (Axis::LANE, 32)])?;
    /// assert_eq!(threads.coord(8)?, [0, 1]);
    /// assert!(threads.coord::<2>(256).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn coord<const R: usize>(&self, index: i64) -> Result<[i64; R], LayoutError> {
        if R != self.rank() {
            return Err(LayoutError::RankMismatch { rank: R, other: self.rank() });
        }
        tri!(self.check(index));
        let (mut c, mut rest, mut i) = ([0; R], index, 0);
        while i < R {
            c[i] = low(rest, self.bits[i] as u32);
            rest >>= self.bits[i];
            i += 1;
        }
        Ok(c)
    }

    /// The number of an index on one axis, 0 on one that is not there.
    /// ```
    /// # use girih::algebra::linear::{Axes, Axis};
    /// let threads = Axes::new(&[(Axis::REGISTER, 8), (Axis::LANE, 32)])?;
    /// assert_eq!((threads.part(Axis::LANE, 19), threads.part(Axis::WARP, 19)), (2, 0));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn part(&self, axis: Axis, index: i64) -> i64 {
        match self.find(axis) {
            Some(i) => low(index >> self.start(i), self.bits[i] as u32),
            None => 0,
        }
    }

    pub(super) const fn check(&self, index: i64) -> Result<(), LayoutError> {
        if index < 0 || index >> self.bits() != 0 {
            return Err(LayoutError::OutOfRange { index, extent: self.size() });
        }
        Ok(())
    }

    /// The axes of both, of an axis that both have the bits of `o` above these.
    pub(super) const fn join(&self, o: &Axes) -> Result<Axes, LayoutError> {
        let mut r = Axes::NONE;
        let mut i = 0;
        while i < self.rank() {
            tri!(r.push(self.axis[i], self.bits[i] as u32 + o.width(self.axis[i])));
            i += 1;
        }
        i = 0;
        while i < o.rank() {
            if self.find(o.axis[i]).is_none() {
                tri!(r.push(o.axis[i], o.bits[i] as u32));
            }
            i += 1;
        }
        Ok(r)
    }

    /// The axes of these names, in this order.
    pub(super) const fn select(&self, axes: &[Axis]) -> Result<Axes, LayoutError> {
        let (mut r, mut i) = (Axes::NONE, 0);
        while i < axes.len() {
            tri!(r.push(axes[i], tri!(self.place_of(axes[i])).1));
            i += 1;
        }
        Ok(r)
    }

    /// The axis `from`, if there is one, called `to`.
    pub(super) const fn renamed(&self, from: Axis, to: Axis) -> Result<Axes, LayoutError> {
        let (mut r, mut i) = (Axes::NONE, 0);
        while i < self.rank() {
            tri!(r.push(if self.axis[i].is(from) { to } else { self.axis[i] }, self.bits[i] as u32));
            i += 1;
        }
        Ok(r)
    }

    /// These axes without the lowest bits, as many as `o` has.
    pub(super) const fn without(&self, o: &Axes) -> Result<Axes, LayoutError> {
        let (mut r, mut i) = (*self, 0);
        while i < o.rank() {
            let (_, have) = tri!(self.place_of(o.axis[i]));
            let take = o.bits[i] as u32;
            if take > have {
                return Err(LayoutError::NotDivisible { extent: 1 << have, by: 1 << take });
            }
            if let Some(k) = self.find(o.axis[i]) {
                r.bits[k] -= take as u8;
            }
            i += 1;
        }
        Ok(r)
    }

    /// An index of these axes as one of `to`, in each axis above the bits that `below` has there. (`to` has the room.)
    pub(super) const fn embed(&self, index: i64, to: &Axes, below: &Axes) -> i64 {
        let (mut v, mut i) = (0, 0);
        while i < self.rank() {
            if let Some(k) = to.find(self.axis[i]) {
                let (start, bits) = self.place(i);
                v |= low(index >> start, bits) << (to.start(k) + below.width(self.axis[i]));
            }
            i += 1;
        }
        v
    }
    /// The reverse of [`Axes::embed`].
    pub(super) const fn extract(&self, index: i64, from: &Axes, below: &Axes) -> i64 {
        let (mut v, mut i) = (0, 0);
        while i < self.rank() {
            if let Some(k) = from.find(self.axis[i]) {
                let (start, bits) = self.place(i);
                v |= low(index >> (from.start(k) + below.width(self.axis[i])), bits) << start;
            }
            i += 1;
        }
        v
    }
}

/// The lowest bits of `v`.
pub(super) const fn low(v: i64, bits: u32) -> i64 {
    v & ((1 << bits) - 1)
}

impl core::fmt::Display for Axes {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(crate::layout::Text::new().axes(self).as_str())
    }
}
impl core::fmt::Debug for Axes {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{self}")
    }
}

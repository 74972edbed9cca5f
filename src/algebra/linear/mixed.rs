//! Extents that are no powers of two: a part of bits beside a part of mixed radix.

use super::{Axes, Axis, BITS, LinearLayout};
use crate::layout::{Composed, LayoutError, MODES, Writer, bits};

/// A swizzled layout as a linear layout beside one of mixed radix, for extents that are no powers of two. The coordinate of
/// each leaf is cut into its low bits and the rest, `c_i = low_i + 2^k_i * high_i`.
///
/// Law: `self(c) = bits(low) ^ digits(high)`. Any layout has this form; the more of it is in [`bits`](MixedRadix::bits),
/// which is the same map for every `high`, the more there is to ask of it (vectors, banks, inverses).
/// ```
/// use girih::{algebra::linear::MixedRadix, prelude::*};
/// let c: Composed = "S<3,3,3> o 0 o (24,64):(64,1)".parse()?;
/// let m = MixedRadix::from_composed(&c)?;
/// assert_eq!(m.bits().to_string(), "dim0:[72,144,288] dim1:[1,2,4,8,16,32] -> offset:512");
/// assert_eq!(m.digits().to_string(), "S<3,3,3> o 0 o (3,1):(512,0)");
/// assert_eq!(m.at_coord([13, 7])?, c.at_coord([13, 7])?);
/// assert_eq!(m.to_composed()?, c);
/// # Ok::<(), girih::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MixedRadix {
    bits: LinearLayout,
    digits: Composed,
}

impl MixedRadix {
    /// Cuts a layout. As many low bits of each leaf as possible go to the linear part: all that its extent has, but for those
    /// that may carry into another bit or into the rest; of leaves of negative stride none. (What bits the rest has is decided
    /// by its strides and its largest value, without looking at every value.)
    ///
    /// # Errors
    /// An unbound symbol, or a value of more than [`BITS`] bits.
    /// ```
    /// # use girih::{algebra::linear::MixedRadix, prelude::*};
    /// let cut = |c: &str| Ok::<_, Error>(MixedRadix::from_composed(&c.parse()?)?.bits().to_string());
    /// assert_eq!(cut("S<0,0,0> o 0 o (12,6):(1,12)")?, "dim0:[1,2] dim1:[] -> offset:4"); // 12 carries
    /// assert_eq!(cut("S<0,0,0> o 0 o (12,6):(1,16)")?, "dim0:[1,2] dim1:[16] -> offset:32");
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn from_composed(c: &Composed) -> Result<MixedRadix, LayoutError> {
        let l = c.inner();
        let Some((shape, stride)) = l.known_leaves() else {
            return Err(LayoutError::Unbound { name: l.first_symbol() });
        };
        let mut cut = [0; MODES];
        let mut i = 0;
        while i < shape.len() {
            cut[i] = shape[i].trailing_zeros();
            i += 1;
        }
        // each round leaves a bit to the rest; one of a negative stride borrows from the offset, which is larger
        let (digits, adds) = loop {
            let digits = tri!(rest(c, &cut));
            let (mut adds, mut n) = ([0; BITS], 0);
            let mut used = bits(digits.inner(), digits.offset());
            let mut carries = None;
            i = 0;
            while i < shape.len() {
                let mut k = 0;
                while k < cut[i] && carries.is_none() {
                    adds[n] = stride[i] << k;
                    if used & adds[n] != 0 {
                        carries = Some((i, k));
                    }
                    used |= adds[n];
                    n += 1;
                    k += 1;
                }
                i += 1;
            }
            match carries {
                Some((leaf, k)) => cut[leaf] = k,
                None => break (digits, adds),
            }
        };
        let mut r = LinearLayout::constant(&Axes::NONE, &Axes::NONE);
        i = 0;
        while i < shape.len() {
            tri!(r.ins.push(tri!(Axis::dim(i)), cut[i]));
            i += 1;
        }
        i = 0;
        while i < r.bases().len() {
            r.basis[i] = c.flip(adds[i]);
            i += 1;
        }
        r.outs = tri!(Axes::offsets(r.used()));
        Ok(MixedRadix { bits: r, digits })
    }

    /// The low bits: an input axis `dim0`, `dim1`, .. for each *leaf* of the layout.
    /// ```
    /// # use girih::{algebra::linear::MixedRadix, prelude::*};
    /// let m = MixedRadix::from_composed(&"S<2,0,3> o 0 o (8,24):(1,8)".parse()?)?;
    /// assert_eq!(m.bits().to_string(), "dim0:[1,2,4] dim1:[9,18,32] -> offset:64");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn bits(&self) -> &LinearLayout {
        &self.bits
    }
    /// The rest: the same nesting, offset and swizzles, the extents divided by those of [`MixedRadix::bits`].
    /// ```
    /// # use girih::{algebra::linear::MixedRadix, prelude::*};
    /// let m = MixedRadix::from_composed(&"S<2,0,3> o 0 o (8,24):(1,8)".parse()?)?;
    /// assert_eq!(m.digits().to_string(), "S<2,0,3> o 0 o (1,3):(0,64)");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn digits(&self) -> &Composed {
        &self.digits
    }

    /// The layout that was cut, with stride 0 at extents of 1.
    ///
    /// # Errors
    /// Never for what [`MixedRadix::from_composed`] gives.
    /// ```
    /// # use girih::{algebra::linear::MixedRadix, prelude::*};
    /// let c: Composed = "S<2,0,3> o 64 o (8,(4,6)):(1,(8,32))".parse()?;
    /// assert_eq!(MixedRadix::from_composed(&c)?.to_composed()?, c);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn to_composed(&self) -> Result<Composed, LayoutError> {
        let l = self.digits.inner();
        let mut w = Writer::NEW;
        let mut nest = l.nest;
        let mut i = 0;
        while i < l.leaves() {
            let (mut open, mut close) = nest.next();
            while open > 0 {
                w.open();
                open -= 1;
            }
            let (start, bits) = self.bits.ins.place(i);
            let high = l.extent_int(i).coef;
            let stride =
                if bits == 0 { l.stride_int(i).coef } else { self.unswizzled(self.bits.basis[start as usize]) };
            tri!(w.known(high << bits, stride));
            while close > 0 {
                tri!(w.close());
                close -= 1;
            }
            i += 1;
        }
        self.digits.with(self.digits.offset(), &w.finish())
    }

    /// The swizzles undone.
    const fn unswizzled(&self, v: i64) -> i64 {
        let (mut v, mut i) = (v, 0);
        while i < self.digits.swizzles().len() {
            v = self.digits.swizzles()[i].flip(v);
            i += 1;
        }
        v
    }

    /// Value at a flat coordinate, one number for each leaf.
    ///
    /// # Errors
    /// As [`Composed::at_coord`].
    /// ```
    /// # use girih::{algebra::linear::MixedRadix, prelude::*};
    /// let m = MixedRadix::from_composed(&"S<1,0,1> o 0 o (6,4):(1,8)".parse()?)?;
    /// assert_eq!(m.at_coord([5, 1])?, 8 + 5);
    /// assert!(m.at_coord([6, 0]).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn at_coord<const R: usize>(&self, c: [i64; R]) -> Result<i64, LayoutError> {
        let (mut low, mut high, mut i) = (0, c, 0);
        while i < R && i < self.bits.ins.rank() {
            let (start, bits) = self.bits.ins.place(i);
            low |= super::axis::low(c[i], bits) << start;
            high[i] >>= bits;
            i += 1;
        }
        match self.digits.at_coord(high) {
            Ok(v) => Ok(v ^ self.bits.switched(low)),
            Err(e) => Err(e),
        }
    }
}

/// What is left when `2^cut` goes from each leaf.
const fn rest(c: &Composed, cut: &[u32; MODES]) -> Result<Composed, LayoutError> {
    let mut l = *c.inner();
    let mut i = 0;
    while i < l.leaves() {
        l.shape[i] >>= cut[i];
        l.stride[i] = if l.shape[i] == 1 { 0 } else { l.stride[i] << cut[i] };
        i += 1;
    }
    c.with(c.offset(), &l)
}

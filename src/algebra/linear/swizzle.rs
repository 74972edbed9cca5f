//! Swizzles as matrices.

use super::{Axes, Axis, LinearLayout};
use crate::layout::{LayoutError, Swizzle};

impl LinearLayout {
    /// The swizzle on integers of `bits` bits. Products of several are [compositions](LinearLayout::compose).
    ///
    /// Law: `r(x) = swizzle(x)` for `0 <= x < 2^bits`.
    ///
    /// # Errors
    /// [`LayoutError::Overflow`]: more than [`BITS`](super::BITS) bits.
    /// ```
    /// # use girih::{algebra::linear::LinearLayout, prelude::*};
    /// let a = LinearLayout::from_swizzle(&Swizzle::new(2, 0, 2)?, 4)?;
    /// assert_eq!(a.to_string(), "offset:[1,2,5,10] -> offset:16");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn from_swizzle(swizzle: &Swizzle, bits: u32) -> Result<LinearLayout, LayoutError> {
        if bits > super::BITS as u32 {
            return Err(LayoutError::Overflow);
        }
        let ins = Axes::of_bits(Axis::OFFSET, bits);
        let mut r = LinearLayout::constant(&ins, &ins);
        let mut i = 0;
        while i < bits as usize {
            r.basis[i] = swizzle.flip(1 << i);
            i += 1;
        }
        r.outs = tri!(Axes::offsets(r.used() | (ins.size() - 1)));
        Ok(r)
    }

    /// The single swizzle that is this map, of no particular unit. Exact both ways: refused only if no `S<B,M,S>` has these
    /// values.
    ///
    /// # Errors
    /// [`LayoutError::Swizzled`].
    /// ```
    /// # use girih::{algebra::linear::LinearLayout, prelude::*};
    /// let s = Swizzle::new(2, 1, -3)?;
    /// assert_eq!(LinearLayout::from_swizzle(&s, 8)?.to_swizzle()?, s);
    /// // it does what a smaller one does
    /// assert_eq!(LinearLayout::from_swizzle(&Swizzle::new(3, 0, 3)?, 4)?.to_swizzle()?, Swizzle::new(1, 0, 3)?);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn to_swizzle(&self) -> Result<Swizzle, LayoutError> {
        const NONE: LayoutError = LayoutError::Swizzled { why: "the map is no single swizzle" };
        let (mut source, mut target, mut i) = (0, 0, 0);
        while i < self.bases().len() {
            let moved = self.basis[i] ^ 1 << i;
            if moved != 0 {
                source |= 1 << i;
                target |= moved;
            }
            i += 1;
        }
        let Ok(s) = Swizzle::from_masks(source, target as u64) else { return Err(NONE) };
        i = 0;
        while i < self.bases().len() {
            if self.basis[i] != s.flip(1 << i) {
                return Err(NONE);
            }
            i += 1;
        }
        if self.offset == 0 { Ok(s) } else { Err(NONE) }
    }
}

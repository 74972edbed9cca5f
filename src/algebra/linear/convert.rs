//! Layouts as linear layouts, and back.
//!
//! Let bit k of a coordinate add `d_k` to the offset `o`. If the values are affine over F2, then bit k switches
//! `w_k = (o + d_k) ^ o`. And `o ^ (XOR of b_k w_k)` is `o + (sum of b_k d_k)` *if and only if* no two of the `w_k` share a
//! bit: a bit `2^t` of both contributes `+-2^(t+1)` to the difference between switching both on and each alone, and such
//! a sum over different t is never 0. The least coordinate where they differ is therefore `2^i + 2^j`, with j the first bit
//! that shares one with a lower bit and i the first with which it does.
//!
//! A swizzle is a bijection over F2, so that the same is asked below it.

use super::{Axes, Axis, BITS, LinearLayout};
use crate::layout::{Composed, Layout, LayoutError, MODES, Swizzle, Writer};

impl LinearLayout {
    /// The layout with an input axis for each mode, `dim0`, `dim1`, .., and values on the axis
    /// [`offset`](Axis::OFFSET), as short as they allow.
    ///
    /// Exact both ways: refused only if the values are not affine over F2. Strides need not be powers of two: `2:3` is linear.
    ///
    /// Law: `r(i) = layout(i)` on the domain.
    ///
    /// # Errors
    /// [`LayoutError::NotPowerOfTwo`]: an extent; [`LayoutError::Carries`]: with the least coordinate where the sum of its bits'
    /// values is not their XOR; a negative value; an unbound symbol; more than [`BITS`] bits.
    /// ```
    /// # use girih::{algebra::linear::LinearLayout, prelude::*};
    /// let a = LinearLayout::from_layout(&layout!((4,(2,2)):(4,(1,18))))?;
    /// assert_eq!(a.to_string(), "dim0:[4,8] dim1:[1,18] -> offset:32");
    /// assert_eq!(a.to_layout()?, layout!((4,(2,2)):(4,(1,18))));
    /// let e = LinearLayout::from_layout(&layout!((2,2):(1,3))).unwrap_err();
    /// assert_eq!(e.to_string(), "the bits do not add without carries: at 3 their sum is 4, their XOR 2");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn from_layout(layout: &Layout) -> Result<LinearLayout, LayoutError> {
        LinearLayout::from_composed(&tri!(Composed::new(&Swizzle::IDENTITY, 0, layout)))
    }

    /// The swizzled layout, as [`LinearLayout::from_layout`]: any number of swizzles, any offset. What the values count is not
    /// kept.
    ///
    /// Law: `r(i) = c(i)` on the domain.
    ///
    /// # Errors
    /// As [`LinearLayout::from_layout`]; sum and XOR of [`LayoutError::Carries`] are those below the swizzle.
    /// ```
    /// # use girih::{algebra::linear::LinearLayout, prelude::*};
    /// let c: Composed = "S<2,0,2> o 3 o (4,4):(4,-1)".parse()?;
    /// let a = LinearLayout::from_composed(&c)?;
    /// assert_eq!(a.to_string(), "dim0:[5,10] dim1:[1,2] -> offset:16 ^ 3");
    /// assert_eq!(a.to_composed()?, c);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn from_composed(c: &Composed) -> Result<LinearLayout, LayoutError> {
        let l = c.inner();
        let Some((shape, stride)) = l.known_leaves() else {
            return Err(LayoutError::Unbound { name: l.first_symbol() });
        };
        let mut start = [0; MODES + 1];
        let rank = l.mode_starts(&mut start);
        let mut r = LinearLayout::constant(&Axes::NONE, &Axes::NONE);
        let (mut n, mut used, mut mode) = (0, c.offset(), 0);
        let mut adds = [0; BITS];
        while mode < rank {
            let (first, mut i) = (n, start[mode]);
            while i < start[mode + 1] {
                if !(shape[i] as u64).is_power_of_two() {
                    return Err(LayoutError::NotPowerOfTwo { leaf: i, extent: shape[i] });
                }
                let mut k = 0;
                while k < shape[i].trailing_zeros() {
                    adds[n] = stride[i] << k;
                    r.basis[n] = (c.offset() + adds[n]) ^ c.offset();
                    n += 1;
                    k += 1;
                }
                i += 1;
            }
            tri!(r.ins.push(tri!(Axis::dim(mode)), (n - first) as u32));
            mode += 1;
        }
        if let Some((i, j)) = r.overlap() {
            let (sum, xor) = (c.offset() + adds[i] + adds[j], c.offset() ^ r.basis[i] ^ r.basis[j]);
            return Err(LayoutError::Carries { index: 1 << i | 1 << j, sum, xor });
        }
        n = 0;
        while n < r.bases().len() {
            r.basis[n] = c.flip(r.basis[n]);
            used |= r.basis[n];
            n += 1;
        }
        r.offset = c.flip(c.offset());
        r.outs = tri!(Axes::offsets(used | r.offset));
        Ok(r)
    }

    /// The first bit that shares one with a lower bit, and the first with which it does: (the lower, the higher).
    const fn overlap(&self) -> Option<(usize, usize)> {
        let (mut used, mut j) = (0, 0);
        while j < self.bases().len() {
            if used & self.basis[j] != 0 {
                let mut i = 0;
                while self.basis[i] & self.basis[j] == 0 {
                    i += 1;
                }
                return Some((i, j));
            }
            used |= self.basis[j];
            j += 1;
        }
        None
    }

    /// The layout with a mode for each input axis that has these values: each mode as short as possible.
    ///
    /// Exact both ways. Undoes [`LinearLayout::from_layout`], up to what coalescing inside the modes changes.
    ///
    /// # Errors
    /// [`LayoutError::Carries`]: two bases share a bit, or there is an offset; with the least coordinate where no such layout has
    /// the value. [`LayoutError::TooManyModes`]: more than 24 runs.
    /// ```
    /// # use girih::{algebra::linear::LinearLayout, prelude::*};
    /// let a: LinearLayout = "lane:[4,8,1] register:[2] -> offset:16".parse()?;
    /// assert_eq!(a.to_layout()?, layout!(((4,2),2):((4,1),2)));
    /// let e = LinearLayout::parse("lane:[1,3] -> offset:4")?.to_layout().unwrap_err();
    /// assert_eq!(e, LayoutError::Carries { index: 3, sum: 4, xor: 2 });
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn to_layout(&self) -> Result<Layout, LayoutError> {
        if self.offset != 0 {
            return Err(LayoutError::Carries { index: 0, sum: 0, xor: self.offset });
        }
        if let Some((i, j)) = self.overlap() {
            let (a, b) = (self.basis[i], self.basis[j]);
            return Err(LayoutError::Carries { index: 1 << i | 1 << j, sum: a + b, xor: a ^ b });
        }
        self.additive()
    }

    /// The layout that adds what the bases, which share no bit, switch.
    const fn additive(&self) -> Result<Layout, LayoutError> {
        let mut w = Writer::NEW;
        // a single mode of one run is an integer layout
        let integer = self.ins.rank() == 0 || self.ins.rank() == 1 && self.runs(0).1 == 1;
        if !integer {
            w.open();
        }
        let mut axis = 0;
        while axis < self.ins.rank() {
            let (run, len) = self.runs(axis);
            if len > 1 {
                w.open();
            }
            let mut i = 0;
            while i < len {
                tri!(w.known(run[i].0, run[i].1));
                i += 1;
            }
            if len > 1 {
                tri!(w.close());
            }
            axis += 1;
        }
        if self.ins.rank() == 0 {
            tri!(w.known(1, 0));
        }
        if !integer {
            tri!(w.close());
        }
        Ok(w.finish())
    }

    /// What an axis adds, as few `(extent, stride)` as possible but at least one.
    const fn runs(&self, axis: usize) -> ([(i64, i64); BITS], usize) {
        let (start, bits) = self.ins.place(axis);
        let (mut run, mut last, mut i) = ([(1, 0); BITS], 0, start as usize);
        while i < (start + bits) as usize {
            let step = (self.offset ^ self.basis[i]) - self.offset;
            if i > start as usize && run[last].0 * run[last].1 == step {
                run[last].0 *= 2;
            } else {
                last += (i > start as usize) as usize;
                run[last] = (2, step);
            }
            i += 1;
        }
        (run, last + 1)
    }

    /// `S<B,M,S> o offset o layout` with a mode for each input axis that has these values, of no particular unit: the swizzle
    /// with the fewest bits, of those the shortest shift, and to the right.
    ///
    /// Exact both ways. A layout is left behind the swizzle, its own inverse, if no two bases share a bit there; a bit that two
    /// share must therefore be one that the swizzle changes. Its target bits are those from the lowest to the highest of them (it
    /// need not change others), and each shift is tried. A [`Composed`] of two to four swizzles that are no single one is not
    /// found.
    ///
    /// # Errors
    /// [`LayoutError::Swizzled`]: there is none. [`LayoutError::TooManyModes`].
    /// ```
    /// # use girih::{algebra::linear::LinearLayout, prelude::*};
    /// let a: LinearLayout = "lane:[8,17,34] register:[1,2,4] -> offset:64".parse()?;
    /// assert_eq!(a.to_composed()?.to_string(), "S<2,0,4> o 0 o (8,8):(8,1)");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn to_composed(&self) -> Result<Composed, LayoutError> {
        let (mut used, mut shared, mut i) = (0, 0, 0);
        while i < self.bases().len() {
            shared |= used & self.basis[i];
            used |= self.basis[i];
            i += 1;
        }
        if shared == 0 {
            return self.below(&Swizzle::IDENTITY);
        }
        let low = shared.trailing_zeros() as i64;
        let bits = 64 - shared.leading_zeros() as i64 - low;
        let mut shift = bits;
        while shift < BITS as i64 {
            if let Ok(s) = Swizzle::new(bits, low, shift)
                && self.is_apart_behind(&s)
            {
                return self.below(&s);
            }
            if let Ok(s) = Swizzle::new(bits, low - shift, -shift)
                && self.is_apart_behind(&s)
            {
                return self.below(&s);
            }
            shift += 1;
        }
        Err(LayoutError::Swizzled { why: "no single swizzle of a layout has these values" })
    }

    /// Behind `s` no two bases share a bit.
    const fn is_apart_behind(&self, s: &Swizzle) -> bool {
        let (mut used, mut i) = (0, 0);
        while i < self.bases().len() {
            let v = s.flip(self.basis[i]);
            if used & v != 0 {
                return false;
            }
            used |= v;
            i += 1;
        }
        true
    }

    /// `s o offset o layout`, of bases that are apart behind `s`.
    const fn below(&self, s: &Swizzle) -> Result<Composed, LayoutError> {
        let (mut r, mut i) = (*self, 0);
        while i < self.bases().len() {
            r.basis[i] = s.flip(self.basis[i]);
            i += 1;
        }
        r.offset = s.flip(self.offset);
        Composed::new(s, r.offset, &tri!(r.additive()))
    }
}

impl TryFrom<&Layout> for LinearLayout {
    type Error = LayoutError;
    fn try_from(layout: &Layout) -> Result<LinearLayout, LayoutError> {
        LinearLayout::from_layout(layout)
    }
}
impl TryFrom<&Composed> for LinearLayout {
    type Error = LayoutError;
    fn try_from(c: &Composed) -> Result<LinearLayout, LayoutError> {
        LinearLayout::from_composed(c)
    }
}

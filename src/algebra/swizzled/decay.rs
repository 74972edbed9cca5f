//! When a swizzled layout is a plain one.
//!
//! Let bit `K - 1` be the highest that the swizzle reads or changes, so that `S(x) - x` depends on `x` modulo `2^K`
//! only, and a mode of stride `d` matters only up to its period `2^K / gcd(d, 2^K)`. Suppose that modulo `2^K` the
//! values are `a ^ (XOR of b_k v_k)`, a constant and binary digits without common bits (`b_k` in {0, 1}, the digits of
//! the coordinates). Then the swizzled values are `S(a) ^ (XOR of b_k S(v_k))`. This is `S(a) + sum b_k w_k` *if and
//! only if* the `S(v_k)` share no bit: then each bit `2^t` of `S(v_k)` adds `+2^t` or `-2^t`, as `S(a)` has it cleared
//! or set. And if `S(v_k)` and `S(v_l)` share bits, switching on both rather than each alone differs by a sum of
//! `+-2^(t+1)` over these bits, which is never 0. The plain layout splits each mode into its binary digits, and joins
//! those again that continue one another.
//!
//! Without that form (extents that are no powers of two, sums that carry) the unit values leave only one candidate, the
//! shortest in each mode, and it is compared with the swizzle on one period of every mode, if that is at most
//! [`DECAY_POINTS`] points.

use crate::layout::{Composed, Digits, Int, Layout, LayoutError, MODES, Swizzle, Writer, reduced};

/// Points that [`Composed::decay`] compares for layouts that are not made of binary digits. More are not compared, and
/// such a layout stays swizzled.
/// ```
/// # use girih::{algebra::DECAY_POINTS, prelude::*};
/// // 3:1 has no binary digits: its 3 points are compared, and the swizzle does nothing to them
/// let c: Composed = "S<1,0,3> o 0 o 3:1".parse()?;
/// assert!(c.size()? <= DECAY_POINTS);
/// assert_eq!(c.decay(), Some((layout!(3:1), 0)));
/// # Ok::<(), Error>(())
/// ```
pub const DECAY_POINTS: i64 = 1 << 12;

impl Composed {
    /// The plain layout and the offset with `self(c) = offset + layout(c)` for every coordinate `c`, if there is one
    /// that is compatible with the shape. Modes are split where the swizzle cuts them; strides may be negative.
    ///
    /// Exact both ways, but for layouts that are not made of binary digits and have more than [`DECAY_POINTS`]
    /// different points: those stay swizzled.
    /// ```
    /// use girih::prelude::*;
    /// let tile: Composed = "S<3,0,3> o 0 o (8,8):(8,1)".parse()?;
    /// assert_eq!(tile.decay(), None);
    /// let row: Composed = "S<3,0,3> o 24 o 8:1".parse()?; // row 3 of it
    /// assert_eq!(row.decay(), Some((layout!((4,2):(-1,4)), 27)));
    /// let column: Composed = "S<3,0,3> o 5 o 8:8".parse()?;
    /// assert_eq!(column.decay(), Some((layout!((2,2,2):(7,18,28)), 5)));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn decay(&self) -> Option<(Layout, i64)> {
        let k = self.width();
        if k == 0 {
            return Some((*self.inner(), self.offset()));
        }
        let digits = Digits::of(self.inner(), self.offset(), k);
        if let Some(d) = &digits
            && !self.separates(d)
        {
            return None;
        }
        let mut end = [0; MODES];
        let Ok(plain) = self.candidate(k, &mut end) else { return None };
        if digits.is_none() && !self.agrees(&plain, k, &end) {
            return None;
        }
        Some((plain, self.flip(self.offset())))
    }

    /// The swizzled digits have no bit in common.
    const fn separates(&self, d: &Digits) -> bool {
        let (mut used, mut i) = (0, 0);
        while i < d.values().len() {
            let v = self.flip(d.values()[i]);
            if used & v != 0 {
                return false;
            }
            used |= v;
            i += 1;
        }
        true
    }

    /// The one layout that can be `self(c) - self(0)`; `end[i]` is where the leaves for leaf `i` end.
    const fn candidate(&self, k: u32, end: &mut [usize; MODES]) -> Result<Layout, LayoutError> {
        let l = self.inner();
        let mut w = Writer::NEW;
        let mut nest = l.nest;
        let mut i = 0;
        while i < l.leaves() {
            let (mut open, mut close) = nest.next();
            while open > 0 {
                w.open();
                open -= 1;
            }
            let n = reduced(l, i, k);
            match n {
                0 => return Err(LayoutError::Undecided),
                1 => tri!(w.copy(l, i)),
                _ => tri!(self.split(&mut w, i, n)),
            }
            while close > 0 {
                tri!(w.close());
                close -= 1;
            }
            end[i] = w.out.leaves();
            i += 1;
        }
        let plain = w.finish();
        tri!(plain.check());
        Ok(plain)
    }

    /// Writes leaf `i`, of which `n` coordinates differ modulo `2^K`, as the shortest mode with its unit values.
    const fn split(&self, w: &mut Writer, i: usize, n: i64) -> Result<(), LayoutError> {
        let (extent, stride) = (self.inner().extent_int(i), self.inner().stride_int(i).coef);
        let origin = self.flip(self.offset());
        let mut mode = [(Int::known(1), 0); 65];
        let (mut len, mut unit) = (0, 1);
        let binary = (n as u64).is_power_of_two();
        if !binary && n > DECAY_POINTS {
            return Err(LayoutError::Undecided);
        }
        while unit < n {
            let d = self.flip(self.offset() + unit * stride) - origin;
            let mut s = 2;
            if !binary {
                while s * unit < n && self.flip(self.offset() + s * unit * stride) - origin == d.wrapping_mul(s) {
                    s += 1;
                }
                if n / unit % s != 0 {
                    return Err(LayoutError::NotDivisible { extent: n / unit, by: s });
                }
            }
            tri!(join(&mut mode, &mut len, &Int::known(s), d));
            unit *= s;
        }
        // whole periods
        if let Some(rest) = extent.div_exact(&Int::known(n))
            && !matches!(rest.value(), Some(1))
        {
            let Some(stride) = stride.checked_mul(n) else { return Err(LayoutError::Overflow) };
            tri!(join(&mut mode, &mut len, &rest, stride));
        }
        if len > 1 {
            w.open();
        }
        let mut j = 0;
        while j < len {
            tri!(w.leaf(&mode[j].0, &Int::known(mode[j].1)));
            j += 1;
        }
        if len > 1 { w.close() } else { Ok(()) }
    }

    /// `self(c) = self(0) + plain(c)` on one period of every mode.
    const fn agrees(&self, plain: &Layout, k: u32, end: &[usize; MODES]) -> bool {
        let l = self.inner();
        let mut n = [1; MODES];
        let (mut points, mut i) = (1i64, 0);
        while i < l.leaves() {
            n[i] = reduced(l, i, k);
            points = points.saturating_mul(n[i]);
            i += 1;
        }
        if points > DECAY_POINTS {
            return false;
        }
        let origin = self.flip(self.offset());
        let mut c = [0; MODES];
        while points > 0 {
            let (mut x, mut p, mut j) = (self.offset(), 0, 0);
            i = 0;
            while i < l.leaves() {
                let mut rest = c[i];
                if rest > 0 {
                    x += rest * l.stride_int(i).coef;
                }
                while j < end[i] {
                    if rest > 0 {
                        let s = plain.extent_int(j).coef;
                        p += rest % s * plain.stride_int(j).coef;
                        rest /= s;
                    }
                    j += 1;
                }
                i += 1;
            }
            if self.flip(x) - origin != p {
                return false;
            }
            i = 0;
            while i < l.leaves() {
                c[i] += 1;
                if c[i] < n[i] {
                    break;
                }
                c[i] = 0;
                i += 1;
            }
            points -= 1;
        }
        true
    }

    /// With no swizzle if [`Composed::decay`] finds the plain layout, else unchanged.
    /// ```
    /// # use girih::prelude::*;
    /// let row: Composed = "S<3,0,3> o 24 o 8:1".parse()?;
    /// assert_eq!(row.decayed().to_string(), "S<0,0,0> o 27 o (4,2):(-1,4)");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn decayed(&self) -> Composed {
        if let Some((plain, offset)) = self.decay()
            && let Ok(c) = Composed::new(&Swizzle::IDENTITY.on(self.unit()), offset, &plain)
        {
            return c;
        }
        *self
    }
}

/// Appends `extent:stride` to a mode, joined with the last leaf where it continues it.
const fn join(mode: &mut [(Int, i64); 65], len: &mut usize, extent: &Int, stride: i64) -> Result<(), LayoutError> {
    if *len > 0
        && let (Some(s), d) = (mode[*len - 1].0.value(), mode[*len - 1].1)
        && let Some(next) = s.checked_mul(d)
        && next == stride
    {
        mode[*len - 1].0 = tri!(extent.mul(&Int::known(s)));
    } else {
        mode[*len] = (*extent, stride);
        *len += 1;
    }
    Ok(())
}

//! Text of linear layouts: `register:[1,2] lane:[4,8] -> offset:16 ^ 3`.

use super::{Axes, Axis, BITS, LinearLayout};
use crate::layout::{LayoutError, Reader, Text};
use core::fmt;

impl Text {
    /// `register 8, lane 32`
    pub(super) const fn axes(&mut self, a: &Axes) -> &mut Text {
        let mut i = 0;
        while i < a.rank() {
            if i > 0 {
                self.str(", ");
            }
            self.name(a.axes()[i].0).str(" ").int(1 << a.place(i).1);
            i += 1;
        }
        self
    }

    /// A number, or the coordinate of it if there are several axes.
    const fn value(&mut self, v: i64, outs: &Axes) -> &mut Text {
        if outs.rank() < 2 {
            return self.int(v);
        }
        let mut i = 0;
        while i < outs.rank() {
            let (start, bits) = outs.place(i);
            self.str(if i == 0 { "(" } else { "," }).int(super::axis::low(v >> start, bits));
            i += 1;
        }
        self.str(")")
    }

    const fn linear(&mut self, l: &LinearLayout) -> &mut Text {
        let mut i = 0;
        while i < l.ins.rank() {
            let (start, bits) = l.ins.place(i);
            self.name(l.ins.axes()[i].0).str(":[");
            let mut j = 0;
            while j < bits {
                if j > 0 {
                    self.str(",");
                }
                self.value(l.basis[(start + j) as usize], &l.outs);
                j += 1;
            }
            self.str("] ");
            i += 1;
        }
        self.str("->");
        i = 0;
        while i < l.outs.rank() {
            self.str(" ").name(l.outs.axes()[i].0).str(":").int(1 << l.outs.place(i).1);
            i += 1;
        }
        if l.offset != 0 { self.str(" ^ ").value(l.offset, &l.outs) } else { self }
    }
}

impl LinearLayout {
    /// Reads the [text form](LinearLayout); `FromStr` at compile time.
    ///
    /// # Errors
    /// [`LayoutError::Text`] with the byte where reading stopped, or what makes the map itself impossible.
    /// ```
    /// # use girih::algebra::linear::LinearLayout;
    /// let a = LinearLayout::parse("lane:[(1,0),(2,1)] -> dim0:4 dim1:2 ^ (0,1)")?;
    /// assert_eq!(a.to_string(), "lane:[(1,0),(2,1)] -> dim0:4 dim1:2 ^ (0,1)");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn parse(text: &str) -> Result<LinearLayout, LayoutError> {
        let mut r = Reader::new(text);
        let mut ins = Axes::NONE;
        // where the bases stand: they are read again when the output axes are known
        let mut basis_at = [0; BITS];
        let mut n = 0;
        while !r.eat(b"->") {
            let axis = Axis(tri!(r.name()));
            if !r.eat(b":[") {
                return r.expected(":[");
            }
            let first = n;
            while !r.eat(b"]") {
                if n > first && !r.eat(b",") {
                    return r.expected(", or ]");
                }
                if n == BITS {
                    return Err(LayoutError::Overflow);
                }
                r.blanks();
                basis_at[n] = r.at;
                tri!(r.tuple());
                n += 1;
            }
            tri!(ins.push(axis, (n - first) as u32));
            r.blanks();
        }
        let mut outs = Axes::NONE;
        while r.peek() != 0 && r.peek() != b'^' {
            let axis = Axis(tri!(r.name()));
            if !r.eat(b":") {
                return r.expected(":");
            }
            let extent = tri!(r.number());
            if extent < 1 || !(extent as u64).is_power_of_two() {
                return Err(LayoutError::NotPowerOfTwo { leaf: outs.rank(), extent });
            }
            tri!(outs.push(axis, extent.trailing_zeros()));
        }
        let mut l = LinearLayout::constant(&ins, &outs);
        if r.eat(b"^") {
            l.offset = tri!(value(&mut r, &outs));
        }
        tri!(r.end());
        let mut i = 0;
        while i < n {
            r.at = basis_at[i];
            l.basis[i] = tri!(value(&mut r, &outs));
            i += 1;
        }
        Ok(l)
    }
}

/// A number, or a coordinate of the axes.
const fn value(r: &mut Reader<'_>, outs: &Axes) -> Result<i64, LayoutError> {
    if !r.eat(b"(") {
        let v = tri!(r.number());
        tri!(outs.check(v));
        return Ok(v);
    }
    let (mut v, mut i) = (0, 0);
    while i < outs.rank() {
        if i > 0 && !r.eat(b",") {
            return r.expected(",");
        }
        let (start, bits) = outs.place(i);
        let part = tri!(r.number());
        if part < 0 || part >> bits != 0 {
            return Err(LayoutError::OutOfRange { index: part, extent: 1 << bits });
        }
        v |= part << start;
        i += 1;
    }
    if r.eat(b")") { Ok(v) } else { r.expected(")") }
}

impl core::str::FromStr for LinearLayout {
    type Err = LayoutError;
    fn from_str(text: &str) -> Result<LinearLayout, LayoutError> {
        LinearLayout::parse(text)
    }
}
impl fmt::Display for LinearLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(Text::new().linear(self).as_str())
    }
}
impl fmt::Debug for LinearLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
#[cfg(feature = "serde")]
crate::layout::as_text!(LinearLayout);

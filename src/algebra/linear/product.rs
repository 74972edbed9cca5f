//! Products of linear layouts, and what is left when a factor is taken off.

use super::LinearLayout;
use crate::layout::LayoutError;

impl LinearLayout {
    /// `self` on the low bits and `rhs` on the bits above, axis by axis: of an axis that both have, inputs and outputs
    /// alike, the bits of `rhs` come above those of `self`; axes that only `rhs` has come last. (The direct sum of the
    /// matrices: copies of `self`, laid out by `rhs`.)
    ///
    /// Law: for `x` of `self` and `y` of `rhs`, the value at `x` with `y` above it is `self(x)` with `rhs(y)` above it.
    ///
    /// # Errors
    /// More than [`BITS`](super::BITS) bits or too many axes.
    /// ```
    /// # use girih::algebra::linear::{Axis, LinearLayout};
    /// let row = LinearLayout::parse("register:[1] lane:[2,4] -> offset:8")?;
    /// let rows = LinearLayout::identity(4, Axis::LANE, Axis::OFFSET)?;
    /// assert_eq!(row.product(&rows)?.to_string(), "register:[1] lane:[2,4,8,16] -> offset:32");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn product(&self, rhs: &LinearLayout) -> Result<LinearLayout, LayoutError> {
        let mut r = LinearLayout::constant(&tri!(self.ins.join(&rhs.ins)), &tri!(self.outs.join(&rhs.outs)));
        let none = super::Axes::NONE;
        let mut i = 0;
        while i < self.bases().len() {
            let bit = self.ins.embed(1 << i, &r.ins, &none);
            r.basis[bit.trailing_zeros() as usize] = self.outs.embed(self.basis[i], &r.outs, &none);
            i += 1;
        }
        i = 0;
        while i < rhs.bases().len() {
            let bit = rhs.ins.embed(1 << i, &r.ins, &self.ins);
            r.basis[bit.trailing_zeros() as usize] = rhs.outs.embed(rhs.basis[i], &r.outs, &self.outs);
            i += 1;
        }
        r.offset = self.outs.embed(self.offset, &r.outs, &none) | rhs.outs.embed(rhs.offset, &r.outs, &self.outs);
        Ok(r)
    }

    /// The map `c` with `factor.product(c) = self`, up to the order of the axes: left division. It has all axes of `self`,
    /// of extent 1 where the factor took all. A register-to-memory layout is divided by the layout of an instruction to
    /// find out whether the instruction can be used (vector loads, `ldmatrix`): the quotient says where its copies go.
    ///
    /// # Errors
    /// [`LayoutError::NoFactor`]: the bit of `self` whose basis is not that of a product; [`LayoutError::NoSuchAxis`] and
    /// [`LayoutError::NotDivisible`]: the factor has an axis that `self` has not, or that is shorter there.
    /// ```
    /// # use girih::algebra::linear::{Axis, LinearLayout};
    /// let a = LinearLayout::parse("register:[1,2,16] lane:[4,8] -> offset:32")?;
    /// let vector = LinearLayout::identity(4, Axis::REGISTER, Axis::OFFSET)?;
    /// assert_eq!(a.divide(&vector)?.to_string(), "register:[4] lane:[1,2] -> offset:8");
    /// let e = a.divide(&LinearLayout::identity(8, Axis::REGISTER, Axis::OFFSET)?).unwrap_err();
    /// assert_eq!(e.to_string(), "no factor: the basis of bit 2 is 16, in a product it is 4");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn divide(&self, factor: &LinearLayout) -> Result<LinearLayout, LayoutError> {
        let (ins, outs) = (tri!(self.ins.without(&factor.ins)), tri!(self.outs.without(&factor.outs)));
        let none = super::Axes::NONE;
        let taken = factor.outs.embed(factor.outs.size() - 1, &self.outs, &none);
        let mut r = LinearLayout::constant(&ins, &outs);
        let mut i = 0;
        while i < self.bases().len() {
            let (bit, got) = (1 << i, self.basis[i]);
            let (x, y) = (factor.ins.extract(bit, &self.ins, &none), ins.extract(bit, &self.ins, &factor.ins));
            let expected = if x != 0 { factor.outs.embed(factor.switched(x), &self.outs, &none) } else { got & !taken };
            if got != expected {
                return Err(LayoutError::NoFactor { bit: Some(i), got, expected });
            }
            if y != 0 {
                r.basis[y.trailing_zeros() as usize] = outs.extract(got, &self.outs, &factor.outs);
            }
            i += 1;
        }
        let low = factor.outs.embed(factor.offset, &self.outs, &none);
        if self.offset & taken != low {
            let expected = self.offset & !taken | low;
            return Err(LayoutError::NoFactor { bit: None, got: self.offset, expected });
        }
        r.offset = outs.extract(self.offset, &self.outs, &factor.outs);
        Ok(r)
    }
}

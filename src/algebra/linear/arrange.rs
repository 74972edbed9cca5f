//! Axes named, ordered and dropped.

use super::{Axes, Axis, LinearLayout};
use crate::layout::LayoutError;

impl LinearLayout {
    /// The same function of the index with other axes for it: a reshape. `inputs` has as many bits.
    ///
    /// # Errors
    /// [`LayoutError::SizeMismatch`].
    /// ```
    /// # use girih::{algebra::linear::{Axes, Axis, LinearLayout}, prelude::*};
    /// // 128 threads are 4 warps
    /// let tv = LinearLayout::from_layout(&layout!((128,4):(4,1)))?;
    /// let axes = Axes::new(&[(Axis::LANE, 32), (Axis::WARP, 4), (Axis::REGISTER, 4)])?;
    /// let a = tv.with_inputs(&axes)?;
    /// assert_eq!(a.to_string(), "lane:[4,8,16,32,64] warp:[128,256] register:[1,2] -> offset:512");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn with_inputs(&self, inputs: &Axes) -> Result<LinearLayout, LayoutError> {
        if inputs.bits() != self.ins.bits() {
            return Err(LayoutError::SizeMismatch { left: self.ins.size(), right: inputs.size() });
        }
        Ok(LinearLayout { ins: *inputs, ..*self })
    }

    /// The same values with other axes for them: a reshape, or a larger or smaller codomain.
    ///
    /// # Errors
    /// [`LayoutError::OutOfRange`]: `outputs` does not hold the largest value.
    /// ```
    /// # use girih::{algebra::linear::{Axes, Axis, LinearLayout}, prelude::*};
    /// let a = LinearLayout::from_layout(&layout!((4,8):(8,1)))?;
    /// let tile = a.with_outputs(&Axes::new(&[(Axis::dim(0)?, 8), (Axis::dim(1)?, 4)])?)?;
    /// assert_eq!(tile.to_string(), "dim0:[(0,1),(0,2)] dim1:[(1,0),(2,0),(4,0)] -> dim0:8 dim1:4");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn with_outputs(&self, outputs: &Axes) -> Result<LinearLayout, LayoutError> {
        if outputs.check(self.used()).is_err() {
            return Err(LayoutError::OutOfRange { index: self.image_range().1, extent: outputs.size() });
        }
        Ok(LinearLayout { outs: *outputs, ..*self })
    }

    /// The input axes in another order; those that are not named are left out: there the index is 0.
    ///
    /// # Errors
    /// [`LayoutError::NoSuchAxis`], or an axis named twice.
    /// ```
    /// # use girih::algebra::linear::{Axis, LinearLayout};
    /// let a: LinearLayout = "lane:[4,8] warp:[16] register:[1,2] -> offset:32".parse()?;
    /// let b = a.sublayout(&[Axis::REGISTER, Axis::LANE])?;
    /// assert_eq!(b.to_string(), "register:[1,2] lane:[4,8] -> offset:32");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn sublayout(&self, inputs: &[Axis]) -> Result<LinearLayout, LayoutError> {
        let ins = tri!(self.ins.select(inputs));
        let mut r = LinearLayout::constant(&ins, &self.outs);
        let mut i = 0;
        while i < r.bases().len() {
            r.basis[i] = self.switched(ins.embed(1 << i, &self.ins, &Axes::NONE));
            i += 1;
        }
        r.offset = self.offset;
        Ok(r)
    }

    /// [`LinearLayout::sublayout`] with all axes: the function of the same coordinate in another order.
    ///
    /// # Errors
    /// [`LayoutError::RankMismatch`]: not all axes; or as there.
    /// ```
    /// # use girih::algebra::linear::{Axis, LinearLayout};
    /// let a: LinearLayout = "lane:[4,8] register:[1,2] -> offset:16".parse()?;
    /// assert_eq!(a.reorder(&[Axis::REGISTER, Axis::LANE])?.to_string(), "register:[1,2] lane:[4,8] -> offset:16");
    /// assert!(a.reorder(&[Axis::LANE]).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn reorder(&self, inputs: &[Axis]) -> Result<LinearLayout, LayoutError> {
        if inputs.len() != self.ins.rank() {
            return Err(LayoutError::RankMismatch { rank: inputs.len(), other: self.ins.rank() });
        }
        self.sublayout(inputs)
    }

    /// The parts of the value on these output axes, in this order.
    ///
    /// # Errors
    /// As [`LinearLayout::sublayout`].
    /// ```
    /// # use girih::algebra::linear::{Axis, LinearLayout};
    /// let tile: LinearLayout = "lane:[(1,0),(2,1)] -> dim0:4 dim1:2 ^ (0,1)".parse()?;
    /// assert_eq!(tile.project(&[Axis::dim(1)?])?.to_string(), "lane:[0,1] -> dim1:2 ^ 1");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn project(&self, outputs: &[Axis]) -> Result<LinearLayout, LayoutError> {
        let outs = tri!(self.outs.select(outputs));
        let mut r = LinearLayout::constant(&self.ins, &outs);
        let mut i = 0;
        while i < r.bases().len() {
            r.basis[i] = outs.extract(self.basis[i], &self.outs, &Axes::NONE);
            i += 1;
        }
        r.offset = outs.extract(self.offset, &self.outs, &Axes::NONE);
        Ok(r)
    }

    /// The axis `from` called `to`, among inputs and outputs.
    ///
    /// # Errors
    /// [`LayoutError::NoSuchAxis`], or there is one called `to` beside it.
    /// ```
    /// # use girih::algebra::linear::{Axis, LinearLayout};
    /// let a: LinearLayout = "lane:[1,2] -> offset:4".parse()?;
    /// assert_eq!(a.rename(Axis::OFFSET, Axis::named("bank")?)?.to_string(), "lane:[1,2] -> bank:4");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn rename(&self, from: Axis, to: Axis) -> Result<LinearLayout, LayoutError> {
        let (ins, outs) = (self.ins.renamed(from, to), self.outs.renamed(from, to));
        if self.ins.find(from).is_none() && self.outs.find(from).is_none() {
            return Err(LayoutError::NoSuchAxis { name: from.0 });
        }
        Ok(LinearLayout { ins: tri!(ins), outs: tri!(outs), ..*self })
    }

    /// The longest aligned vectors along an axis: the largest power of two `n` that is at most its extent, such that groups of
    /// `n` indices along it have consecutive values, the first one a multiple of `n`.
    ///
    /// Law: `v = self(x)` with the coordinate of `x` in that axis a multiple of `n` is a multiple of `n`, and `i` further along
    /// the axis the value is `v + i` for `i < n`.
    ///
    /// # Errors
    /// [`LayoutError::NoSuchAxis`].
    /// ```
    /// # use girih::algebra::linear::{Axis, LinearLayout};
    /// let a: LinearLayout = "lane:[4,8] register:[1,2,16] -> offset:32".parse()?;
    /// assert_eq!(a.num_consecutive(Axis::REGISTER)?, 4);
    /// assert_eq!(a.with_offset(2)?.num_consecutive(Axis::REGISTER)?, 2);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn num_consecutive(&self, axis: Axis) -> Result<i64, LayoutError> {
        let (start, bits) = tri!(self.ins.place_of(axis));
        let mut n = 0;
        while n < bits && self.basis[(start + n) as usize] == 1 << n {
            n += 1;
        }
        while n > 0 {
            let (mut others, mut i) = (self.offset, 0);
            while i < self.bases().len() {
                if i < start as usize || i >= (start + n) as usize {
                    others |= self.basis[i];
                }
                i += 1;
            }
            if others.trailing_zeros() >= n {
                break;
            }
            n -= 1;
        }
        Ok(1 << n)
    }
}

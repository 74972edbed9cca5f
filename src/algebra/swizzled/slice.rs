//! Parts of swizzled layouts.

use crate::layout::{Bound, Composed, Error, IntTuple, Layout, LayoutError, Operand};

impl Composed {
    /// The sub-layout of the modes that `_` keeps, the fixed part moved into the offset: `r(c) = self(c, fixed)`. It
    /// has no swizzle any more when (and only when, see [`Composed::decay`]) a plain layout has these values.
    ///
    /// # Errors
    /// As [`Layout::slice`](crate::layout::Layout::slice); a fixed coordinate that is a symbol is
    /// [`LayoutError::Undecided`], for the bits that the swizzle reads are not known ([`Composed::slice_and_offset`]
    /// takes those that do not touch them).
    /// ```
    /// # use girih::prelude::*;
    /// let tile: Composed = "S<3,0,3> o 0 o (8,8):(8,1)".parse()?;
    /// let row = tile.slice(&ints!((3, _)))?;
    /// assert_eq!(row.decay(), Some((layout!(((4,2)):((-1,4))), 27)));
    /// assert_eq!(row.at(5)?, tile.at_coord([3, 5])?);
    /// # Ok::<(), girih::Error>(())
    /// ```
    pub const fn slice(&self, c: &IntTuple) -> Result<Composed, Error> {
        let reason = match self.moved(c) {
            Ok((r, outside)) if outside.terms().is_empty() => return Ok(r),
            Ok(_) => LayoutError::Undecided,
            Err(e) => e,
        };
        Err(Error::swizzled("slice", self, Operand::Tuple(*c), reason))
    }

    /// [`Composed::slice`] where the fixed part may hold symbols: `r(c) + offset = self(c, fixed)`, the known part
    /// inside `r`, the symbols in the offset outside.
    ///
    /// # Errors
    /// As [`Layout::slice`](crate::layout::Layout::slice); [`LayoutError::Undecided`] when a symbol moves the bits
    /// that the swizzle reads or changes.
    /// ```
    /// # use girih::prelude::*;
    /// let stages: Composed = "S<3,3,3> o 0 o (8,64,4):(64,1,512)".parse()?;
    /// let (row, offset) = stages.slice_and_offset(&ints!((1, _, ?stage)))?;
    /// assert_eq!(row.to_string(), "S<0,0,0> o 72 o ((8,2,4)):((1,-8,16))");
    /// assert_eq!(offset.to_string(), "512*?stage");
    /// assert!(stages.slice_and_offset(&ints!((?row, _, 0))).is_err());
    /// # Ok::<(), girih::Error>(())
    /// ```
    pub const fn slice_and_offset(&self, c: &IntTuple) -> Result<(Composed, Bound), Error> {
        match self.moved(c) {
            Ok(r) => Ok(r),
            Err(e) => Err(Error::swizzled("slice_and_offset", self, Operand::Tuple(*c), e)),
        }
    }

    /// A part of the layout below the swizzle, such as the elements of one thread: `r(c) + offset` are values of `self`, as
    /// `take` picks coordinates, and `r` has the shape that `take` gives (see [`Composed::decay`] for a plain layout).
    ///
    /// # Errors
    /// Those of `take`, or as [`Composed::slice_and_offset`].
    /// ```
    /// # use girih::prelude::*;
    /// let tile: Composed = "S<2,1,3> o 0 o (8,16):(16,1)".parse()?;
    /// let (mine, _) = tile.narrow(|l| l.local_partition(&layout!((4,2):(2,1)), 5))?; // thread 5 at (2,1)
    /// assert_eq!(mine.at_coord([1, 3])?, tile.at_coord([6, 7])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn narrow(
        &self,
        take: impl FnOnce(&Layout) -> Result<(Layout, Bound), Error>,
    ) -> Result<(Composed, Bound), Error> {
        let (kept, fixed) = take(self.inner())?;
        Ok(self.part(&kept, &fixed)?)
    }

    const fn moved(&self, c: &IntTuple) -> Result<(Composed, Bound), LayoutError> {
        let (kept, fixed) = tri!(self.inner().slice(c));
        let (part, outside) = tri!(self.part(&kept, &fixed));
        Ok((part.decayed(), outside))
    }

    /// `kept` below the swizzle, moved by `fixed`.
    const fn part(&self, kept: &Layout, fixed: &Bound) -> Result<(Composed, Bound), LayoutError> {
        let (mut offset, mut outside) = (self.offset(), Bound::ZERO);
        let mut i = 0;
        while i < fixed.terms().len() {
            let term = &fixed.terms()[i];
            if let Some(v) = term.value() {
                let Some(sum) = offset.checked_add(v) else { return Err(LayoutError::Overflow) };
                offset = sum;
            } else if term.coefficient() > 0 && term.coefficient().trailing_zeros() >= self.width() {
                // S(x + t) = S(x) + t for multiples t of the power of two above all bits of S
                outside = tri!(outside.plus(term));
            } else {
                return Err(LayoutError::Undecided);
            }
            i += 1;
        }
        Ok((tri!(self.with(offset, kept)), outside))
    }

    /// The rest of the domain from coordinate `c` on: `r(x) = self(c + x)`, of the same shape; only its values inside
    /// the domain of `self` are meant.
    ///
    /// # Errors
    /// As [`Layout::at_crd`](crate::layout::Layout::at_crd), or a value below the swizzle overflows.
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,0,3> o 0 o (8,8):(8,1)".parse()?;
    /// assert_eq!(c.domain_offset(&ints!((2, 3)))?.at_coord([1, 4])?, c.at_coord([3, 7])?);
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn domain_offset(&self, c: &IntTuple) -> Result<Composed, Error> {
        let moved = match self.inner().at_crd(c) {
            Ok(v) => match self.offset().checked_add(v) {
                Some(offset) => self.with(offset, self.inner()),
                None => Err(LayoutError::Overflow),
            },
            Err(e) => Err(e),
        };
        match moved {
            Ok(r) => Ok(r),
            Err(e) => Err(Error::swizzled("domain_offset", self, Operand::Tuple(*c), e)),
        }
    }
}

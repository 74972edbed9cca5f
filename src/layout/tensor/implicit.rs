//! Tensors without memory: the elements are what the layout says.

use super::{Coordinate, Storage, Tensor};
use crate::layout::iter::Offsets;
use crate::layout::{Bound, Int, IntTuple, Layout, LayoutError, MODES};

/// No memory: the element at `c` is the number `base + layout(c)`. See [`Tensor::counting`].
/// ```
/// # use girih::prelude::*;
/// # use girih::layout::Counting;
/// let offsets: Tensor<i64, Counting> = Tensor::counting(layout!((4,8):(8,1)))?;
/// assert_eq!(offsets.get((2, 3))?, 19);
/// # Ok::<(), girih::LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Counting;

/// No memory: the element at `c` is the coordinate `origin + layout(c)`, of a layout with basis strides. See
/// [`Tensor::identity`].
/// ```
/// # use girih::prelude::*;
/// # use girih::layout::Coordinates;
/// // the part of a 4 x 8 tile that lies in a matrix of 3 x 5
/// let tile: Tensor<IntTuple, Coordinates> = Tensor::identity(&ints!((4, 8)))?;
/// let inside = tile.iter().filter(|c| matches!(c, Ok(c) if c.elem_less(&ints!((3, 5))) == Some(true)));
/// assert_eq!(inside.count(), 15);
/// # Ok::<(), girih::LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Coordinates {
    pub(super) origin: IntTuple,
}

impl Storage<i64> for Counting {
    fn advance(&mut self, base: &mut i64, by: &Bound) -> Result<(), LayoutError> {
        let by = by.value().ok_or(LayoutError::Undecided)?;
        *base = base.checked_add(by).ok_or(LayoutError::Overflow)?;
        Ok(())
    }
    fn admit(&self, base: i64, layout: &Layout) -> Result<(), LayoutError> {
        let (min, max) = layout.image_range()?;
        base.checked_add(min).and(base.checked_add(max)).map(|_| ()).ok_or(LayoutError::Overflow)
    }
}

impl Storage<IntTuple> for Coordinates {
    fn advance(&mut self, _: &mut i64, by: &Bound) -> Result<(), LayoutError> {
        for term in by.terms() {
            self.origin.move_by(term)?;
        }
        Ok(())
    }
    fn admit(&self, _: i64, layout: &Layout) -> Result<(), LayoutError> {
        for i in 0..layout.leaves() {
            let stride = layout.stride_int(i);
            if stride.coef != 0 && self.origin.leaf_at(&stride.basis).is_none() {
                return Err(LayoutError::Codomain);
            }
        }
        layout.size()?;
        Ok(())
    }
}

impl Tensor<i64, Counting> {
    /// The tensor whose element at `c` is `layout(c)`: CuTe's `make_coord_tensor`. Its tiles and partitions hold the
    /// offsets of those of a tensor with this layout.
    ///
    /// # Errors
    /// A symbol is unbound, or values are coordinates ([`Tensor::coordinates`]).
    /// ```
    /// # use girih::prelude::*;
    /// let column = Tensor::counting(layout!((4,8):(1,4)))?.slice((.., 3))?;
    /// assert_eq!(column.to_string(), "12 o (4):(1)\n  12\n  13\n  14\n  15\n");
    /// assert_eq!(column.get(2)?, 14);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn counting(layout: Layout) -> Result<Self, LayoutError> {
        Self::checked(Counting, 0, layout)
    }

    /// The element at any coordinate.
    ///
    /// # Errors
    /// The coordinate does not fit the shape, is outside it, or holds `..`.
    /// ```
    /// # use girih::prelude::*;
    /// let column = Tensor::counting(layout!((4,8):(8,1)))?.slice((.., 3))?;
    /// assert_eq!(column.get(2)?, 19);
    /// assert!(column.get(4).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn get(&self, c: impl Coordinate) -> Result<i64, LayoutError> {
        Ok(self.base + c.offset_in(&self.layout)?)
    }

    /// The elements in colexicographic order of their coordinates.
    /// ```
    /// # use girih::prelude::*;
    /// let column = Tensor::counting(layout!((4,8):(8,1)))?.slice((.., 3))?;
    /// assert!(column.iter().eq([3, 11, 19, 27]));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = i64> {
        Offsets::of_known(&self.layout).map(|o| self.base + o)
    }
}

impl Tensor<IntTuple, Coordinates> {
    /// The tensor whose element at `c` is `c` itself: CuTe's `make_identity_tensor`. Its tiles and partitions hold the
    /// coordinates of the elements of those of a tensor of this shape, which is what predicates are made from.
    ///
    /// # Errors
    /// Extents below 1, or a shape nested deeper than four levels.
    /// ```
    /// # use girih::prelude::*;
    /// let row = Tensor::identity(&ints!((4, 8)))?.slice((2, ..))?;
    /// assert_eq!(row.to_string().lines().next(), Some("(2,0) o (8):(1@1)"));
    /// assert_eq!(row.get(5)?, ints!((2, 5)));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn identity(shape: &IntTuple) -> Result<Self, LayoutError> {
        Self::coordinates(Layout::identity(shape)?)
    }

    /// The tensor whose element at `c` is the coordinate `layout(c)`, for basis strides.
    ///
    /// # Errors
    /// A symbol is unbound.
    /// ```
    /// # use girih::prelude::*;
    /// let transposed = Tensor::coordinates(Layout::parse("(4,8):(1@1,1@0)")?)?;
    /// assert_eq!(transposed.get((3, 5))?, ints!((5, 3)));
    /// assert!(Tensor::coordinates(Layout::parse("(?M,8):(1@0,1@1)")?).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn coordinates(layout: Layout) -> Result<Self, LayoutError> {
        let origin = layout.coshape()?.0.profile();
        Self::checked(Coordinates { origin }, 0, layout)
    }

    /// The element at any coordinate.
    ///
    /// # Errors
    /// The coordinate does not fit the shape, is outside it, or holds `..`; overflow.
    /// ```
    /// # use girih::prelude::*;
    /// let column = Tensor::identity(&ints!((4, 8)))?.slice((.., 3))?;
    /// assert_eq!(column.get(2)?, ints!((2, 3)));
    /// assert!(column.get(4).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn get(&self, c: impl Coordinate) -> Result<IntTuple, LayoutError> {
        let mut digit = [0; MODES];
        self.layout.digits(&c.to_tuple()?, false, &mut digit)?;
        let mut at = self.storage.origin;
        for (i, &digit) in digit.iter().enumerate().take(self.layout.leaves()) {
            at.move_by(&self.layout.stride_int(i).mul(&Int::known(digit))?)?;
        }
        Ok(at)
    }

    /// The elements in colexicographic order of their coordinates.
    ///
    /// # Errors
    /// Each element: overflow.
    /// ```
    /// # use girih::prelude::*;
    /// let all: Vec<_> = Tensor::identity(&ints!((2, 2)))?.iter().collect::<Result<_, _>>()?;
    /// assert_eq!(all, [ints!((0, 0)), ints!((1, 0)), ints!((0, 1)), ints!((1, 1))]);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = Result<IntTuple, LayoutError>> {
        (0..self.size()).map(|i| self.get(i))
    }
}

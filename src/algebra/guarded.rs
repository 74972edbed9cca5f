//! Tiles of tensors that hang over the edge.

use super::Part;
use crate::layout::{Bound, Coordinate, Error, IntTuple, Layout, LayoutError, Tensor, gather, table};
use core::fmt;

/// A tile or a partition of a tensor whose number of tiles was rounded up. Only real elements are reached: those outside
/// the tensor read as `None` or as a padding value, and are not written.
///
/// ```
/// use girih::prelude::*;
/// let mut a = Tensor::from_fn(layout!((5,3):(3,1)), |i| i)?;
/// let tile = a.view().local_tile_ceil(&tiler![4, 2], (1, 1))?;
/// assert_eq!((tile.get((0, 0))?, tile.get((0, 1))?, tile.get((1, 0))?), (Some(&14), None, None));
/// assert_eq!(tile.to_string(), "14 o (4,2):(3,1) if 4@0+2@1 + (4,2):(1@0,1@1) < (5,3)\n  14   .\n   .   .\n   .   .\n   .   .\n");
/// assert_eq!(tile.load(0)?.memory(), [14, 0, 0, 0, 0, 0, 0, 0]);
/// a.view_mut().local_tile_ceil(&tiler![4, 2], (1, 1))?.store(&Tensor::filled(layout!((4,2):(1,4)), 7)?)?;
/// assert_eq!((a[(4, 2)], a.iter().filter(|x| **x == 7).count()), (7, 2));
/// # Ok::<(), Error>(())
/// ```
pub struct GuardedTensor<E, S> {
    whole: Tensor<E, S>,
    part: Part,
}

impl<E, S: AsRef<[E]>> GuardedTensor<E, S> {
    /// Of known numbers only, as all tensors are.
    pub(crate) fn new(whole: Tensor<E, S>, part: Part) -> Result<Self, LayoutError> {
        part.offset.value().ok_or(LayoutError::Undecided)?;
        part.layout.image_range()?;
        part.guard.axes(&part.origin)?;
        Ok(GuardedTensor { whole, part })
    }

    /// Layout, offset and guard.
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!((100,60):(60,1)), |i| i)?;
    /// let edge = a.view().local_tile_ceil(&tiler![32, 32], (3, 1))?;
    /// assert_eq!(edge.part().offset.value(), Some(96 * 60 + 32));
    /// assert_eq!(edge.part().mask()?.filter(|&real| real).count(), 4 * 28);
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn part(&self) -> &Part {
        &self.part
    }

    /// The shape, overhang and all.
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!((100,60):(60,1)), |i| i)?;
    /// assert_eq!(a.view().local_tile_ceil(&tiler![32, 32], (3, 1))?.shape(), ints!((32, 32)));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn shape(&self) -> IntTuple {
        self.part.layout.shape()
    }

    /// A part of this part, such as the elements of one thread: see [`Part::narrow`].
    ///
    /// # Errors
    /// As [`Part::narrow`].
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!((100,60):(60,1)), |i| i)?;
    /// let edge = a.view().local_tile_ceil(&tiler![32, 32], (3, 1))?;
    /// let mine = edge.narrow(|tile| tile.outer_partition(&tiler![8, 4], &ints!((1, 0))))?;
    /// // rows 97, 105, .. and columns 32, 36, ..
    /// assert_eq!((mine.get((0, 6))?, mine.get((0, 7))?, mine.get((1, 0))?), (Some(&a[(97, 56)]), None, None));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn narrow(self, take: impl Fn(&Layout) -> Result<(Layout, Bound), Error>) -> Result<Self, Error> {
        Ok(GuardedTensor::new(self.whole, self.part.narrow(take)?)?)
    }

    /// The modes kept by `..`: see [`Layout::slice`].
    ///
    /// # Errors
    /// As [`Layout::slice`].
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!((5,3):(3,1)), |i| i)?;
    /// let row = a.view().local_tile_ceil(&tiler![4, 2], (1, 0))?.slice((0, ..))?; // row 4
    /// assert!(row.iter()?.eq([Some(&a[(4, 0)]), Some(&a[(4, 1)])]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn slice(self, c: impl Coordinate) -> Result<Self, Error> {
        let c = c.to_tuple()?;
        self.narrow(|l| Ok(l.slice(&c)?))
    }

    /// The elements of thread `index` in the tile: see [`Layout::local_partition`].
    ///
    /// # Errors
    /// As [`Layout::local_partition`].
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!((100,60):(60,1)), |i| i)?;
    /// let mine = a.view().local_tile_ceil(&tiler![32, 32], (3, 1))?.local_partition(&layout!((8,4):(4,1)), 5)?;
    /// assert_eq!(mine.shape(), ints!((4, 8)));
    /// assert_eq!(mine.iter()?.flatten().count(), 7); // of row 97 alone, columns 33, 37, .., 57
    /// # Ok::<(), Error>(())
    /// ```
    pub fn local_partition(self, threads: &Layout, index: i64) -> Result<Self, Error> {
        self.narrow(|l| l.local_partition(threads, index))
    }

    /// The part as a tensor, when all of it is real; else None.
    ///
    /// # Errors
    /// Never for the part of a tensor.
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!((100,60):(60,1)), |i| i)?;
    /// let tile = |m, n| a.view().local_tile_ceil(&tiler![32, 32], (m, n));
    /// assert_eq!(tile(2, 0)?.whole()?.map(|t| t[(0, 0)]), Some(a[(64, 0)]));
    /// assert!(tile(3, 1)?.whole()?.is_none());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn whole(self) -> Result<Option<Tensor<E, S>>, LayoutError> {
        if !self.part.always()? {
            return Ok(None);
        }
        self.whole.relayout(self.part.layout, &self.part.offset).map(Some)
    }

    /// The place in memory of offset 0 of the part.
    fn base(&self) -> Result<i64, LayoutError> {
        let offset = self.part.offset.value().ok_or(LayoutError::Undecided)?;
        self.whole.base().checked_add(offset).ok_or(LayoutError::Overflow)
    }

    /// The place in memory of the element at a coordinate; None: not real.
    fn place(&self, c: impl Coordinate) -> Result<Option<usize>, LayoutError> {
        let index = self.shape().crd2idx(&c.to_tuple()?)?;
        let real = self.part.holds(index)?;
        Ok(place(self.base()?, self.part.layout.at(index)?, real))
    }

    /// The element at any coordinate; None: not real.
    ///
    /// # Errors
    /// As [`Tensor::get`].
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!((5,3):(3,1)), |i| i)?;
    /// let edge = a.view().local_tile_ceil(&tiler![4, 2], (1, 1))?;
    /// assert_eq!((edge.get((0, 0))?, edge.get((0, 1))?), (Some(&14), None));
    /// assert!(edge.get((4, 0)).is_err()); // outside the tile, not only of the tensor
    /// # Ok::<(), Error>(())
    /// ```
    pub fn get(&self, c: impl Coordinate) -> Result<Option<&E>, LayoutError> {
        Ok(self.place(c)?.and_then(|p| self.whole.memory().get(p)))
    }

    /// The element at any coordinate, mutably; None: not real.
    ///
    /// # Errors
    /// As [`Tensor::get`].
    /// ```
    /// # use girih::prelude::*;
    /// let mut a = Tensor::from_fn(layout!((5,3):(3,1)), |i| i)?;
    /// let mut edge = a.view_mut().local_tile_ceil(&tiler![4, 2], (1, 1))?;
    /// for c in [(0, 0), (0, 1)] {
    ///     edge.get_mut(c)?.map(|x| *x = 0);
    /// }
    /// assert_eq!((a[(4, 2)], a.iter().filter(|x| **x == 0).count()), (0, 2));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn get_mut(&mut self, c: impl Coordinate) -> Result<Option<&mut E>, LayoutError>
    where
        S: AsMut<[E]>,
    {
        Ok(self.place(c)?.and_then(|p| self.whole.memory_mut().get_mut(p)))
    }

    /// The elements in colexicographic order of their coordinates; None: not real.
    ///
    /// # Errors
    /// Never for the part of a tensor.
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!(10:1), |i| i)?;
    /// let last = a.view().local_tile_ceil(&tiler![4], 2)?;
    /// assert!(last.iter()?.eq([Some(&8), Some(&9), None, None]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn iter(&self) -> Result<impl Iterator<Item = Option<&E>>, LayoutError> {
        let (memory, base) = (self.whole.memory(), self.base()?);
        let offsets = self.part.layout.offsets()?.zip(self.part.mask()?);
        Ok(offsets.map(move |(o, real)| memory.get(place(base, o, real)?)))
    }

    /// The elements in a new tensor of the same shape, column-major, `padding` where they are not real.
    ///
    /// # Errors
    /// More elements than memory holds.
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!(10:1), |i| i)?;
    /// let fragment = a.view().local_tile_ceil(&tiler![4], 2)?.load(0)?;
    /// assert_eq!(fragment.memory(), [8, 9, 0, 0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn load(&self, padding: E) -> Result<Tensor<E>, LayoutError>
    where
        E: Clone,
    {
        if self.part.always()? {
            return self.whole.view().relayout(self.part.layout, &self.part.offset)?.to_compact();
        }
        let elements = self.iter()?.map(|x| x.unwrap_or(&padding).clone());
        Tensor::new(gather(elements, self.part.layout.size()?)?, Layout::column_major(&self.shape())?)
    }

    /// Writes the elements of `src` where they are real.
    ///
    /// # Errors
    /// The sizes differ.
    /// ```
    /// # use girih::prelude::*;
    /// let mut c = Tensor::filled(layout!(10:1), 0)?;
    /// let fragment = Tensor::filled(layout!(4:1), 7)?;
    /// c.view_mut().local_tile_ceil(&tiler![4], 2)?.store(&fragment)?;
    /// assert_eq!(c.memory(), [0, 0, 0, 0, 0, 0, 0, 0, 7, 7]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn store<T: AsRef<[E]>>(&mut self, src: &Tensor<E, T>) -> Result<(), LayoutError>
    where
        E: Clone,
        S: AsMut<[E]>,
    {
        let (left, right) = (self.part.layout.size()?, src.size());
        if left != right {
            return Err(LayoutError::SizeMismatch { left, right });
        }
        if self.part.always()? {
            return self.whole.view_mut().relayout(self.part.layout, &self.part.offset)?.copy_from(src);
        }
        let (base, memory) = (self.base()?, self.whole.memory_mut());
        for ((o, real), x) in self.part.layout.offsets()?.zip(self.part.mask()?).zip(src) {
            if let Some(y) = place(base, o, real).and_then(|p| memory.get_mut(p)) {
                y.clone_from(x);
            }
        }
        Ok(())
    }
}

/// Only what is real has a place.
fn place(base: i64, offset: i64, real: bool) -> Option<usize> {
    if real { usize::try_from(base.checked_add(offset)?).ok() } else { None }
}

impl<E, S: Clone> Clone for GuardedTensor<E, S> {
    fn clone(&self) -> Self {
        GuardedTensor { whole: self.whole.clone(), part: self.part }
    }
}
impl<E, S: Copy> Copy for GuardedTensor<E, S> {}

/// The part, then a table with `.` for what is not real.
impl<E: fmt::Display, S: AsRef<[E]>> fmt::Display for GuardedTensor<E, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.part)?;
        table(f, &self.part.layout, self.iter().map_err(|_| fmt::Error)?)
    }
}

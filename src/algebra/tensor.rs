//! The algebra on tensors: the same storage through another layout.

use super::{GuardedTensor, Part};
use crate::layout::{Bound, Coordinate, Error, IntTuple, Layout, LayoutError, Plain, Storage, Tensor, Tiler};

/// Methods take the tensor by value and keep its storage: start from [`Tensor::view`] or [`Tensor::view_mut`] to keep the
/// tensor. They work alike on tensors in memory, on counting and on identity tensors.
impl<E, S: Storage<E>> Tensor<E, S> {
    /// The storage through what `f` makes of the layout.
    fn through(self, f: impl FnOnce(&Layout) -> Result<Layout, Error>) -> Result<Self, Error> {
        let layout = f(self.layout())?;
        Ok(self.with_layout(layout)?)
    }

    /// A part of the tensor, such as the elements of one thread: the storage through what `take` makes of the layout.
    ///
    /// # Errors
    /// Those of `take`, or the part reaches beyond the storage.
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!((8,6):(6,1)), |i| i)?;
    /// let row = a.view().narrow(|l| Ok(l.slice(&ints!((3, _)))?))?;
    /// assert!(row.iter().eq(&[3, 11, 19, 27, 35, 43]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn narrow(self, take: impl FnOnce(&Layout) -> Result<(Layout, Bound), Error>) -> Result<Self, Error> {
        let (layout, offset) = take(self.layout())?;
        Ok(self.relayout(layout, &offset)?)
    }

    /// The element at `c` is that at `b(c)`: see [`Layout::compose`].
    ///
    /// # Errors
    /// As [`Layout::compose`].
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!((4,3):(1,4)), |i| i)?;
    /// let every_third = a.view().compose(&layout!((2,2):(3,6)))?;
    /// assert!(every_third.iter().eq(&[0, 3, 6, 9]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn compose(self, b: &Layout) -> Result<Self, Error> {
        self.through(|l| l.compose(b))
    }

    /// The elements that the tiler picks along each mode: see [`Layout::compose_by_mode`].
    ///
    /// # Errors
    /// As [`Layout::compose_by_mode`].
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!((8,6):(1,8)), |i| i)?;
    /// let part = a.view().compose_by_mode(&tiler![2:4, 3:2])?; // rows 0 and 4, columns 0, 2 and 4
    /// assert!(part.iter().eq(&[0, 4, 16, 20, 32, 36]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn compose_by_mode(self, t: &Tiler) -> Result<Self, Error> {
        self.through(|l| l.compose_by_mode(t))
    }

    /// The elements in another shape of the same size: see [`Layout::with_shape`].
    ///
    /// # Errors
    /// As [`Layout::with_shape`].
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!((2,8,20):(320,1,16)), |i| i)?;
    /// let matrix = a.view().with_shape(&ints!((16, 20)))?;
    /// assert_eq!(matrix[(5, 3)], a[(1, 2, 3)]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn with_shape(self, shape: &IntTuple) -> Result<Self, Error> {
        self.through(|l| l.with_shape(shape))
    }

    /// The same elements at the same one-dimensional coordinates, with as few modes as possible: see
    /// [`Layout::coalesce`].
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!((2,(1,6)):(1,(6,2))), |i| i)?;
    /// assert_eq!(a.view().coalesce().layout(), &layout!(12:1)); // one run to copy
    /// # Ok::<(), Error>(())
    /// ```
    pub fn coalesce(self) -> Self {
        let layout = self.layout().coalesce();
        self.respelled(layout)
    }

    /// Each element once where modes of stride 0 repeat it: see [`Layout::filter`].
    /// ```
    /// # use girih::prelude::*;
    /// let bias = Tensor::from_fn(layout!((128,64):(0,1)), |i| i)?; // one row for all 128
    /// assert_eq!(bias.view().filter().layout(), &layout!(64:1));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn filter(self) -> Self {
        let layout = self.layout().filter();
        self.respelled(layout)
    }

    /// Modes of stride 0 get extent 1: see [`Layout::filter_zeros`].
    /// ```
    /// # use girih::prelude::*;
    /// let bias = Tensor::from_fn(layout!((128,64):(0,1)), |i| i)?;
    /// assert_eq!(bias.view().filter_zeros().shape(), ints!((1, 64)));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn filter_zeros(self) -> Self {
        let layout = self.layout().filter_zeros();
        self.respelled(layout)
    }

    /// `(tile, rest)`: see [`Layout::logical_divide`].
    ///
    /// # Errors
    /// As [`Layout::logical_divide`].
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!(12:1), |i| i)?;
    /// let vectors = a.view().logical_divide(&layout!(4:1))?; // (place in the vector, vector)
    /// assert_eq!((vectors.shape(), vectors[(1, 2)]), (ints!((4, 3)), 9));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn logical_divide(self, t: &Layout) -> Result<Self, Error> {
        self.through(|l| l.logical_divide(t))
    }

    /// `((TileM,RestM),(TileN,RestN),L,..)`: see [`Layout::logical_divide_by_mode`].
    ///
    /// # Errors
    /// As [`Layout::logical_divide_by_mode`].
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!((8,6):(6,1)), |i| i)?;
    /// let tiles = a.view().logical_divide_by_mode(&tiler![4, 2])?;
    /// assert_eq!(tiles.shape(), ints!(((4, 2), (2, 3))));
    /// assert_eq!(tiles[((3, 1), (1, 2))], a[(7, 5)]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn logical_divide_by_mode(self, t: &Tiler) -> Result<Self, Error> {
        self.through(|l| l.logical_divide_by_mode(t))
    }

    /// `((TileM,TileN),(RestM,RestN,L,..))`: see [`Layout::zipped_divide`].
    ///
    /// # Errors
    /// As [`Layout::zipped_divide`].
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!((8,6):(6,1)), |i| i)?;
    /// let tiles = a.view().zipped_divide(&tiler![4, 2])?;
    /// assert_eq!(tiles.shape(), ints!(((4, 2), (2, 3))));
    /// assert_eq!(tiles[((3, 1), (0, 2))], a[(3, 5)]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn zipped_divide(self, t: &Tiler) -> Result<Self, Error> {
        self.through(|l| l.zipped_divide(t))
    }

    /// `((TileM,TileN),RestM,RestN,L,..)`: see [`Layout::tiled_divide`].
    ///
    /// # Errors
    /// As [`Layout::tiled_divide`].
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!((8,6):(6,1)), |i| i)?;
    /// let tiles = a.view().tiled_divide(&tiler![4, 2])?;
    /// assert_eq!(tiles[((3, 1), 0, 2)], a[(3, 5)]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn tiled_divide(self, t: &Tiler) -> Result<Self, Error> {
        self.through(|l| l.tiled_divide(t))
    }

    /// `(TileM,TileN,RestM,RestN,L,..)`: see [`Layout::flat_divide`].
    ///
    /// # Errors
    /// As [`Layout::flat_divide`].
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!((8,6):(6,1)), |i| i)?;
    /// let tiles = a.view().flat_divide(&tiler![4, 2])?;
    /// assert_eq!(tiles[(3, 1, 0, 2)], a[(3, 5)]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn flat_divide(self, t: &Tiler) -> Result<Self, Error> {
        self.through(|l| l.flat_divide(t))
    }

    /// One tile: see [`Layout::inner_partition`].
    ///
    /// # Errors
    /// As [`Layout::inner_partition`].
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!((8,6):(6,1)), |i| i)?;
    /// let tile = a.view().inner_partition(&tiler![4, 2], (1, 2))?;
    /// assert_eq!((tile.shape(), tile[(0, 0)]), (ints!((4, 2)), a[(4, 4)]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn inner_partition(self, tiler: &Tiler, c: impl Coordinate) -> Result<Self, Error> {
        let c = c.to_tuple()?;
        self.narrow(|l| l.inner_partition(tiler, &c))
    }

    /// The same place in all tiles: see [`Layout::outer_partition`].
    ///
    /// # Errors
    /// As [`Layout::outer_partition`].
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!((8,6):(6,1)), |i| i)?;
    /// let mine = a.view().outer_partition(&tiler![4, 2], (3, 1))?;
    /// assert_eq!((mine.shape(), mine[(1, 2)]), (ints!((2, 3)), a[(7, 5)]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn outer_partition(self, tiler: &Tiler, c: impl Coordinate) -> Result<Self, Error> {
        let c = c.to_tuple()?;
        self.narrow(|l| l.outer_partition(tiler, &c))
    }

    /// The tile at `c`; `..` keeps all tiles along a mode: see [`Layout::local_tile`].
    ///
    /// # Errors
    /// As [`Layout::local_tile`].
    /// ```
    /// # use girih::prelude::*;
    /// let mut a = Tensor::from_fn(layout!((6,8):(8,1)), |i| i)?;
    /// let tile = a.view().local_tile(&tiler![3, 4], (1, 0))?;
    /// assert_eq!((tile.shape(), tile[(0, 0)], tile[(2, 3)]), (ints!((3, 4)), 3, 23));
    /// assert_eq!(a.view().local_tile(&tiler![3, 4], (1, ..))?.shape(), ints!((3, 4, 2)));
    /// a.view_mut().local_tile(&tiler![3, 4], (1, 0))?.fill(0);
    /// assert_eq!((a[(3, 0)], a[(3, 4)]), (0, 27));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn local_tile(self, tiler: &Tiler, c: impl Coordinate) -> Result<Self, Error> {
        let c = c.to_tuple()?;
        self.narrow(|l| l.local_tile(tiler, &c))
    }

    /// The tile at `c` of an operand without the modes where `projection` has `_`: see
    /// [`Layout::local_tile_projected`].
    ///
    /// # Errors
    /// As [`Layout::local_tile_projected`].
    /// ```
    /// # use girih::prelude::*;
    /// // block (1,2) of a kernel with (M,N,K) tiles of (4,3,2): its tiles of the operand (N,K)
    /// let b = Tensor::from_fn(layout!((9,8):(8,1)), |i| i)?;
    /// let tiles = b.view().local_tile_projected(&tiler![4, 3, 2], (1, 2, ..), &ints!((_, 1, 1)))?;
    /// assert_eq!((tiles.shape(), tiles[(0, 1, 3)]), (ints!((3, 2, 4)), b[(6, 7)]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn local_tile_projected(self, tiler: &Tiler, c: impl Coordinate, projection: &IntTuple) -> Result<Self, Error> {
        let c = c.to_tuple()?;
        self.narrow(|l| l.local_tile_projected(tiler, &c, projection))
    }

    /// The elements of thread `index`: see [`Layout::local_partition`].
    ///
    /// # Errors
    /// As [`Layout::local_partition`].
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!((4,4):(1,4)), |i| i)?;
    /// let mine = a.view().local_partition(&layout!((2,2):(1,2)), 3)?;
    /// assert!(mine.iter().eq(&[5, 7, 13, 15]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn local_partition(self, threads: &Layout, index: i64) -> Result<Self, Error> {
        self.narrow(|l| l.local_partition(threads, index))
    }

    /// The elements that thread `index` reads of an operand without the modes where `projection` has `_`: see
    /// [`Layout::local_partition_projected`].
    ///
    /// # Errors
    /// As [`Layout::local_partition_projected`].
    /// ```
    /// # use girih::prelude::*;
    /// // threads (2,2) over (M,N): thread 3 reads all of K from its rows of the operand (M,K)
    /// let a = Tensor::from_fn(layout!((4,3):(3,1)), |i| i)?;
    /// let mine = a.view().local_partition_projected(&layout!((2,2):(1,2)), 3, &ints!((1, _)))?;
    /// assert_eq!((mine.shape(), mine[(1, 2)]), (ints!((2, 3)), a[(3, 2)]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn local_partition_projected(self, threads: &Layout, index: i64, projection: &IntTuple) -> Result<Self, Error> {
        self.narrow(|l| l.local_partition_projected(threads, index, projection))
    }
}

/// Tiles that may hang over the edge.
impl<E, S: AsRef<[E]>> Tensor<E, S> {
    fn guarded(self, f: impl FnOnce(&Layout) -> Result<Part, Error>) -> Result<GuardedTensor<E, S>, Error> {
        let part = f(self.layout())?;
        Ok(GuardedTensor::new(self, part)?)
    }

    /// `((TileM,TileN),(RestM,RestN,L,..))`, the number of tiles rounded up: see [`Layout::zipped_divide_ceil`].
    ///
    /// # Errors
    /// As [`Layout::zipped_divide_ceil`].
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!((5,3):(1,5)), |i| i)?;
    /// let tiles = a.view().zipped_divide_ceil(&tiler![4, 2])?;
    /// assert_eq!(tiles.get(((3, 1), (0, 0)))?, Some(&8));
    /// assert_eq!(tiles.slice((.., (1, 1)))?.iter()?.flatten().count(), 1);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn zipped_divide_ceil(self, t: &Tiler) -> Result<GuardedTensor<E, S>, Error> {
        self.guarded(|l| l.zipped_divide_ceil(t).map(Part::from))
    }

    /// The tile at `c`, the number of tiles rounded up: see [`Layout::local_tile_ceil`].
    ///
    /// # Errors
    /// As [`Layout::local_tile_ceil`].
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!((5,3):(3,1)), |i| i)?;
    /// let edge = a.view().local_tile_ceil(&tiler![4, 2], (1, 1))?;
    /// assert_eq!((edge.get((0, 0))?, edge.get((1, 0))?), (Some(&a[(4, 2)]), None));
    /// assert_eq!(a.view().local_tile_ceil(&tiler![4, 2], (1, ..))?.shape(), ints!((4, 2, 2)));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn local_tile_ceil(self, tiler: &Tiler, c: impl Coordinate) -> Result<GuardedTensor<E, S>, Error> {
        let c = c.to_tuple()?;
        self.guarded(|l| l.local_tile_ceil(tiler, &c))
    }

    /// [`Tensor::local_tile_projected`], the number of tiles rounded up: see [`Layout::local_tile_projected_ceil`].
    ///
    /// # Errors
    /// As [`Layout::local_tile_projected_ceil`].
    /// ```
    /// # use girih::prelude::*;
    /// let b = Tensor::from_fn(layout!((8,7):(7,1)), |i| i)?;                      // (N,K)
    /// let tiles = b.view().local_tile_projected_ceil(&tiler![4, 3, 2], (1, 2, ..), &ints!((_, 1, 1)))?;
    /// assert_eq!(tiles.shape(), ints!((3, 2, 4)));
    /// assert_eq!(tiles.get((1, 0, 3))?, Some(&b[(7, 6)]));
    /// assert_eq!((tiles.get((1, 1, 3))?, tiles.get((2, 0, 3))?), (None, None));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn local_tile_projected_ceil(
        self,
        tiler: &Tiler,
        c: impl Coordinate,
        projection: &IntTuple,
    ) -> Result<GuardedTensor<E, S>, Error> {
        let c = c.to_tuple()?;
        self.guarded(|l| l.local_tile_projected_ceil(tiler, &c, projection))
    }

    /// The elements of thread `index`, the number of tiles rounded up: see [`Layout::local_partition_ceil`].
    ///
    /// # Errors
    /// As [`Layout::local_partition_ceil`].
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!(10:1), |i| i)?;
    /// let mine = a.view().local_partition_ceil(&layout!(4:1), 3)?;
    /// assert!(mine.iter()?.eq([Some(&3), Some(&7), None]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn local_partition_ceil(self, threads: &Layout, index: i64) -> Result<GuardedTensor<E, S>, Error> {
        self.guarded(|l| l.local_partition_ceil(threads, index))
    }

    /// [`Tensor::local_partition_projected`], the number of tiles rounded up: see
    /// [`Layout::local_partition_projected_ceil`].
    ///
    /// # Errors
    /// As [`Layout::local_partition_projected_ceil`].
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!((5,2):(2,1)), |i| i)?;                      // (M,K)
    /// let mine = a.view().local_partition_projected_ceil(&layout!((2,2):(1,2)), 3, &ints!((1, _)))?;
    /// assert_eq!((mine.shape(), mine.get((1, 1))?, mine.get((2, 0))?), (ints!((3, 2)), Some(&a[(3, 1)]), None));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn local_partition_projected_ceil(
        self,
        threads: &Layout,
        index: i64,
        projection: &IntTuple,
    ) -> Result<GuardedTensor<E, S>, Error> {
        self.guarded(|l| l.local_partition_projected_ceil(threads, index, projection))
    }
}

impl<E: Plain, S: AsRef<[E]>> Tensor<E, S> {
    /// The memory as elements of another width: see [`Layout::recast`]. A copy, since safe code cannot see memory as
    /// another type; bytes are in little-endian order. The memory's start counts as aligned for both types.
    ///
    /// # Errors
    /// As [`Layout::recast`], or the base is not aligned for the new elements.
    /// ```
    /// # use girih::prelude::*;
    /// let bytes = Tensor::from_fn(layout!((4,3):(1,4)), |i| i as u8)?;
    /// let words = bytes.recast::<u16>()?;
    /// assert_eq!((words.layout(), words[(1, 2)]), (&layout!((2,3):(1,2)), 0x0b0a));
    /// assert_eq!(words.recast::<u8>()?.memory(), bytes.memory());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn recast<U: Plain>(&self) -> Result<Tensor<U>, Error> {
        let layout = self.layout().recast(E::BITS, U::BITS)?;
        let moved = self.layout().recast_offset(E::BITS, U::BITS)?;
        let refused = |reason| Error::with_int("recast", self.layout(), U::BITS, reason);
        let start = self.base().checked_mul(E::BITS).and_then(|bits| bits.checked_add(moved));
        let start = start.ok_or(refused(LayoutError::Overflow))?;
        if start % U::BITS != 0 {
            return Err(refused(LayoutError::NotDivisible { extent: start, by: U::BITS }));
        }
        let mut bytes = Vec::new();
        self.memory().iter().for_each(|x| x.to_bytes(&mut bytes));
        let words = bytes.chunks(size_of::<U>()).map_while(U::from_bytes).collect();
        Tensor::with_base(words, start / U::BITS, layout).map_err(refused)
    }
}

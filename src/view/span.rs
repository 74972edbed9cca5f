//! Memory seen as a tensor.

use super::ViewError;
use super::chunk::check_index;
use super::divided::{Divided, Gather, GatherScatterView, Partition, PartitionView, Strided, StridedView};
use super::mapping::{Fixed, Listed, Mapping, Numbered, Rank, Runtime, StaticRank, Strides, TileOf};
use super::memory::{Borrowed, Memory};
use crate::layout::typed::StaticLayout;
use crate::layout::{IntTuple, Layout, Tensor};
use crate::tile::{Element, Integer};
use core::cell::Cell;
use core::fmt;
use core::marker::PhantomData;

/// A tensor in memory: elements `E` in memory `M`, found by a mapping `X`, with indices of type `I` (cuda::tiles: `tensor_span`).
///
/// The mapping is a layout whose extents and strides are known when the program runs, [`Runtime`], or types, [`Fixed`]. The
/// memory is borrowed: `&[E]` can be loaded from, `&[Cell<E>]`, made of `&mut [E]`, stored to as well; a program's memory
/// records what is done. A [`Tensor`] owns its memory, and [`TensorSpan::of`] is a span over it. A span is `Copy`.
///
/// Extents and the offset of the last element must be representable in the index type, which is `i64` unless
/// [`TensorSpan::indexed`] narrows it; an extent is at least 1.
///
/// Elements are loaded and stored in chunks: [`partition`](TensorSpan::partition), [`strided`](TensorSpan::strided) and
/// [`gather`](TensorSpan::gather) divide a span.
/// ```
/// use girih::Shape;
/// use girih::view::TensorSpan;
/// let mut x: Vec<i32> = (0..16).collect();
/// let span = TensorSpan::right(&mut x, [4, 4])?;
/// let blocks = span.partition::<Shape![2, 2]>();
/// let tile = blocks.load((0, 1))?;
/// assert_eq!(tile.to_string(), "(2 3)\n(6 7)");
/// blocks.store(&tile, (1, 0))?;
/// assert_eq!(x[8..], [2, 3, 10, 11, 6, 7, 14, 15]);
/// # Ok::<(), girih::view::ViewError>(())
/// ```
pub struct TensorSpan<E, X, M, I = i64> {
    mapping: X,
    memory: M,
    types: PhantomData<fn() -> (E, I)>,
}

impl<E: Element, X: Mapping, M: Memory<E>> TensorSpan<E, X, M> {
    /// Memory through a mapping.
    ///
    /// # Errors
    /// The layout reaches beyond the memory or begins before it.
    /// ```
    /// # use girih::{layout, view::{Runtime, TensorSpan}};
    /// let x = [0.0f32; 8];
    /// let e = TensorSpan::new(&x[..], Runtime::<2>::new(layout!((2,4):(5,1)))?).unwrap_err();
    /// assert_eq!(e.to_string(), "the layout reaches offset 8, the memory has 8 elements");
    /// # Ok::<(), girih::view::ViewError>(())
    /// ```
    pub fn new(memory: M, mapping: X) -> Result<Self, ViewError> {
        memory.holds(&mapping.layout())?;
        Ok(TensorSpan { mapping, memory, types: PhantomData })
    }
}

impl<E: Element, const R: usize, M: Memory<E>> TensorSpan<E, Runtime<R>, M>
where
    Rank<R>: Numbered,
{
    /// Memory through a layout of rank `R`; modes may be nested.
    ///
    /// # Errors
    /// As [`TensorSpan::new`], or the layout has another rank.
    /// ```
    /// use girih::prelude::*;
    /// use girih::view::{Runtime, TensorSpan};
    /// let x: Vec<f32> = (0..8).map(|i| i as f32).collect();
    /// let span: TensorSpan<_, Runtime<2>, _> = TensorSpan::over(&x, layout!((2,(2,2)):(2,(1,4))))?;
    /// assert_eq!(span.partition::<girih::Shape![1, 4]>().load((1, 0))?.to_string(), "(2 3 6 7)");
    /// # Ok::<(), girih::view::ViewError>(())
    /// ```
    pub fn over<B: Borrowed<Element = E, Memory = M>>(memory: B, layout: Layout) -> Result<Self, ViewError> {
        TensorSpan::new(memory.memory(), Runtime::new(layout)?)
    }

    /// Row-major: the last dimension is the fastest (cuda::tiles: `layout_right`).
    ///
    /// # Errors
    /// The memory is too short, or an extent is below 1.
    /// ```
    /// # use girih::{Shape, view::TensorSpan};
    /// let x = [0, 1, 2, 3, 4, 5, 6, 7];
    /// let span = TensorSpan::right(&x, [2, 4])?;
    /// assert_eq!(span.partition::<Shape![2, 2]>().load((0, 1))?.to_string(), "(2 3)\n(6 7)");
    /// assert!(TensorSpan::right(&x, [2, 5]).is_err() && TensorSpan::right(&x, [0, 4]).is_err());
    /// # Ok::<(), girih::view::ViewError>(())
    /// ```
    pub fn right<B: Borrowed<Element = E, Memory = M>>(memory: B, extents: [i64; R]) -> Result<Self, ViewError> {
        Self::over(memory, Layout::row_major(&IntTuple::flat(&extents)?)?)
    }

    /// Column-major: the first dimension is the fastest (cuda::tiles: `layout_left`).
    ///
    /// # Errors
    /// As [`TensorSpan::right`].
    /// ```
    /// use girih::view::TensorSpan;
    /// let x = [0, 1, 2, 3, 4, 5, 6, 7];
    /// let span = TensorSpan::left(&x, [2, 4])?;
    /// assert_eq!(span.partition::<girih::Shape![2, 2]>().load((0, 1))?.to_string(), "(4 6)\n(5 7)");
    /// # Ok::<(), girih::view::ViewError>(())
    /// ```
    pub fn left<B: Borrowed<Element = E, Memory = M>>(memory: B, extents: [i64; R]) -> Result<Self, ViewError> {
        Self::over(memory, Layout::column_major(&IntTuple::flat(&extents)?)?)
    }

    /// Any strides, none of them negative (cuda::tiles: `layout_strided`).
    ///
    /// # Errors
    /// As [`TensorSpan::right`], or a stride is negative.
    /// ```
    /// use girih::view::TensorSpan;
    /// let x = [0, 1, 2, 3, 4, 5, 6, 7];
    /// let span = TensorSpan::strided_by(&x, [2, 2], [4, 2])?;
    /// assert_eq!(span.partition::<girih::Shape![2, 2]>().load((0, 0))?.to_string(), "(0 2)\n(4 6)");
    /// # Ok::<(), girih::view::ViewError>(())
    /// ```
    pub fn strided_by<B: Borrowed<Element = E, Memory = M>>(
        memory: B,
        extents: [i64; R],
        strides: [i64; R],
    ) -> Result<Self, ViewError> {
        Self::over(memory, Layout::flat(&extents, &strides)?)
    }

    /// Row-major, with rows `padded` elements apart (cuda::tiles: `layout_right_padded`).
    ///
    /// # Errors
    /// As [`TensorSpan::right`], or rows are longer than that.
    /// ```
    /// use girih::view::TensorSpan;
    /// let x = [0, 1, 2, -1, 3, 4, 5, -1];
    /// let span = TensorSpan::right_padded(&x, [2, 3], 4)?;
    /// assert_eq!(span.layout().to_string(), "(2,3):(4,1)");
    /// # Ok::<(), girih::view::ViewError>(())
    /// ```
    pub fn right_padded<B: Borrowed<Element = E, Memory = M>>(
        memory: B,
        extents: [i64; R],
        padded: i64,
    ) -> Result<Self, ViewError> {
        let row = extents.last().copied().unwrap_or(1);
        Self::over(memory, padded_layout(&extents, R - 1, padded, row, Layout::row_major)?)
    }

    /// Column-major, with columns `padded` elements apart (cuda::tiles: `layout_left_padded`).
    ///
    /// # Errors
    /// As [`TensorSpan::right`], or columns are longer than that.
    /// ```
    /// # use girih::{layout, view::TensorSpan};
    /// let x = [0, 1, 2, -1, 3, 4, 5, -1];
    /// assert_eq!(TensorSpan::left_padded(&x, [3, 2], 4)?.layout(), layout!((3,2):(1,4)));
    /// assert_eq!(TensorSpan::left_padded(&x, [3, 2], 2).unwrap_err().to_string(), "lines of 3 elements are no 2 apart");
    /// # Ok::<(), girih::view::ViewError>(())
    /// ```
    pub fn left_padded<B: Borrowed<Element = E, Memory = M>>(
        memory: B,
        extents: [i64; R],
        padded: i64,
    ) -> Result<Self, ViewError> {
        let column = extents.first().copied().unwrap_or(1);
        Self::over(memory, padded_layout(&extents, 0, padded, column, Layout::column_major)?)
    }
}

/// The layout of the allocated extents, seen through the real ones.
fn padded_layout(
    extents: &[i64],
    dim: usize,
    padded: i64,
    length: i64,
    order: impl Fn(&IntTuple) -> Result<Layout, crate::layout::LayoutError>,
) -> Result<Layout, ViewError> {
    if padded < length {
        return Err(ViewError::Pitch { padded, length });
    }
    let mut allocated = extents.to_vec();
    allocated[dim] = padded;
    Ok(Layout::new(&IntTuple::flat(extents)?, &order(&IntTuple::flat(&allocated)?)?.stride())?)
}

impl<'a, E: Element, const R: usize> TensorSpan<E, Runtime<R>, &'a [E]>
where
    Rank<R>: Numbered,
{
    /// The elements of a tensor, whatever it is made of.
    ///
    /// # Errors
    /// The tensor has another rank, or runs backwards: its layout has negative values.
    /// ```
    /// use girih::prelude::*;
    /// use girih::view::TensorSpan;
    /// let a = Tensor::from_fn(layout!((4,8):(8,1)), |i| i)?;
    /// let row = a.view().slice((2, ..))?;
    /// let span = TensorSpan::of(&row)?;
    /// assert_eq!(span.partition::<girih::Shape![4]>().load(1)?.to_string(), "(18 22 26 30)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of<S: AsRef<[E]>>(tensor: &'a Tensor<E, S>) -> Result<Self, ViewError> {
        Self::over(tensor.memory().get(tensor.base() as usize..).unwrap_or_default(), *tensor.layout())
    }
}

impl<'a, E: Element, const R: usize> TensorSpan<E, Runtime<R>, &'a [Cell<E>]>
where
    Rank<R>: Numbered,
{
    /// The elements of a tensor, to be stored to.
    ///
    /// # Errors
    /// As [`TensorSpan::of`].
    /// ```
    /// # use girih::prelude::*;
    /// let mut a = Tensor::from_fn(layout!((2,4):(4,1)), |i| i)?;
    /// let halves = TensorSpan::of_mut(&mut a)?.partition::<Shape![2, 2]>();
    /// halves.store(Tile::<i64, Shape![2, 2]>::zeros(), (0, 1))?;
    /// assert_eq!(a.memory(), &[0, 2, 0, 0, 1, 3, 0, 0]); // `from_fn` counts column-major
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_mut<S: AsRef<[E]> + AsMut<[E]>>(tensor: &'a mut Tensor<E, S>) -> Result<Self, ViewError> {
        let (base, layout) = (tensor.base() as usize, *tensor.layout());
        Self::over(tensor.memory_mut().get_mut(base..).unwrap_or_default(), layout)
    }
}

impl<E: Element, A: StaticLayout, M: Memory<E>> TensorSpan<E, Fixed<A>, M> {
    /// Memory through a layout that is a type.
    ///
    /// # Errors
    /// As [`TensorSpan::new`].
    /// ```
    /// use girih::prelude::*;
    /// use girih::view::{Fixed, TensorSpan};
    /// let x = [0, 1, 2, 3, 4, 5];
    /// let span: TensorSpan<_, Fixed<Row<(U2, U3)>>, _> = TensorSpan::fixed(&x)?;
    /// assert_eq!(span.layout(), layout!((2,3):(3,1)));
    /// # Ok::<(), girih::view::ViewError>(())
    /// ```
    pub fn fixed<B: Borrowed<Element = E, Memory = M>>(memory: B) -> Result<Self, ViewError>
    where
        A: StaticRank,
    {
        TensorSpan::new(memory.memory(), Fixed::default())
    }
}

impl<E: Element, X: Mapping, M: Memory<E>, I: Integer> TensorSpan<E, X, M, I> {
    /// The span with indices of another type.
    ///
    /// # Errors
    /// An extent or the offset of the last element is not of the type.
    /// ```
    /// use girih::view::TensorSpan;
    /// let x = [0u8; 300];
    /// assert!(TensorSpan::right(&x, [300])?.indexed::<i16>().is_ok());
    /// let e = TensorSpan::right(&x, [300])?.indexed::<u8>().unwrap_err();
    /// assert_eq!(e.to_string(), "300 is no u8: index the span by a wider type");
    /// # Ok::<(), girih::view::ViewError>(())
    /// ```
    pub fn indexed<J: Integer>(self) -> Result<TensorSpan<E, X, M, J>, ViewError> {
        check_index(&self.layout(), J::TYPE)?;
        Ok(TensorSpan { mapping: self.mapping, memory: self.memory, types: PhantomData })
    }

    /// The layout from coordinates to offsets.
    /// ```
    /// # use girih::{layout, view::TensorSpan};
    /// assert_eq!(TensorSpan::right(&[0u8; 24], [2, 3, 4])?.layout(), layout!((2,3,4):(12,4,1)));
    /// # Ok::<(), girih::view::ViewError>(())
    /// ```
    pub fn layout(&self) -> Layout {
        self.mapping.layout()
    }

    /// The memory.
    pub fn memory(&self) -> M {
        self.memory
    }

    /// Chunks side by side, which tile the span (cuda::tiles: `partition_view`).
    ///
    /// Where an extent is no multiple of the chunk's, the last chunks are partial: access them by the masked methods.
    /// ```
    /// # use girih::{Shape, view::TensorSpan};
    /// let x = [1, 2, 3, 4, 5];
    /// let pairs = TensorSpan::right(&x, [5])?.partition::<Shape![2]>();
    /// assert_eq!(pairs.index_space()?.to_string(), "(3)");
    /// assert_eq!(pairs.load(1)?.to_vec(), [3, 4]);
    /// assert!(pairs.load(2).is_err()); // half of it is outside
    /// # Ok::<(), girih::view::ViewError>(())
    /// ```
    pub fn partition<S: TileOf<X::Rank>>(self) -> PartitionView<Self, S> {
        Divided::new(self, Partition::default())
    }

    /// Chunks at multiples of strides, a tuple of typenum's positive numbers: they overlap or leave gaps, as these are less or
    /// more than the chunk's extents (cuda::tiles: `strided_view`).
    /// ```
    /// use girih::{prelude::*, view::TensorSpan};
    /// let x: Vec<i32> = (0..16).collect();
    /// let windows = TensorSpan::right(&x, [4, 4])?.strided::<girih::Shape![2, 2], (U1, U1)>();
    /// assert_eq!(windows.load((1, 1))?.to_string(), "( 5  6)\n( 9 10)");
    /// # Ok::<(), girih::view::ViewError>(())
    /// ```
    pub fn strided<S: TileOf<X::Rank>, T: Strides<X::Rank>>(self) -> StridedView<Self, S, T> {
        Divided::new(self, Strided::default())
    }

    /// Chunks whose rows along dimension `D` are listed by each access, and lie side by side along the others (cuda::tiles:
    /// `gather_scatter_view`).
    /// ```
    /// use girih::{prelude::*, tile::Tile, view::TensorSpan};
    /// let x: Vec<i32> = (0..16).collect();
    /// let rows = TensorSpan::right(&x, [8, 2])?.gather::<girih::Shape![4, 2], U0>();
    /// let list = Tile::<u8, girih::Shape![4]>::new(vec![7, 0, 3, 3])?;
    /// assert_eq!(rows.load((list, 0))?.to_string(), "(14 15)\n( 0  1)\n( 6  7)\n( 6  7)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn gather<S: TileOf<X::Rank> + Listed<D>, D>(self) -> GatherScatterView<Self, S, D> {
        Divided::new(self, Gather::default())
    }
}

impl<E, X: Clone, M: Clone, I> Clone for TensorSpan<E, X, M, I> {
    fn clone(&self) -> Self {
        TensorSpan { mapping: self.mapping.clone(), memory: self.memory.clone(), types: PhantomData }
    }
}
impl<E, X: Copy, M: Copy, I> Copy for TensorSpan<E, X, M, I> {}

/// The type of the elements, the layout and the type of indices: `f32 (4,8):(8,1) by i64`.
impl<E: Element, X: Mapping, M, I: Integer> fmt::Debug for TensorSpan<E, X, M, I> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {} by {}", E::TYPE, self.mapping.layout(), I::TYPE)
    }
}

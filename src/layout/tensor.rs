//! Tensors on the host: a layout over memory, or over nothing at all.

mod coordinate;
mod elementwise;
mod implicit;
mod plain;
mod print;

pub use coordinate::Coordinate;
pub use implicit::{Coordinates, Counting};
pub use plain::Plain;
pub(crate) use print::table;

use super::iter::Offsets;
use super::{Bound, Int, IntTuple, Layout, LayoutError, MODES};
use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ops::{Index, IndexMut};

/// A layout over storage: the element at a coordinate `c` is the one at `base + layout(c)`.
///
/// | type | storage |
/// |---|---|
/// | `Tensor<E>` | owned: `Vec<E>` (any `AsRef<[E]>` will do, arrays too) |
/// | [`TensorView<E>`](TensorView), `Copy` | `&[E]` |
/// | [`TensorViewMut<E>`](TensorViewMut) | `&mut [E]` |
/// | `Tensor<i64, Counting>`, `Copy` | none: the elements are the offsets, [`Tensor::counting`] |
/// | `Tensor<IntTuple, Coordinates>`, `Copy` | none: the elements are the coordinates, [`Tensor::identity`] |
///
/// Every offset was checked against the memory when the tensor was made. Methods that change the layout (slices, tiles,
/// partitions, `compose`, ...) take the tensor by value and keep the storage: start them from [`view`](Tensor::view) or
/// [`view_mut`](Tensor::view_mut) to keep the tensor.
///
/// ```
/// use girih::prelude::*;
/// let mut a = Tensor::from_fn(layout!((4,(2,3)):(6,(3,1))), |i| i)?;
/// assert_eq!((a[9], a[[1, 2]], a[(1, (0, 1))]), (9, 9, 9));
/// assert!(a.get((4, 0)).is_err());
///
/// let row = a.view().slice((2, ..))?;
/// assert!(row.iter().eq(&[2, 6, 10, 14, 18, 22]));
///
/// a.view_mut().slice((2, ..))?.fill(0);
/// assert_eq!(a.iter().sum::<i64>(), 276 - 72);
/// # Ok::<(), girih::LayoutError>(())
/// ```
pub struct Tensor<E, S = Vec<E>> {
    layout: Layout,
    base: i64,
    storage: S,
    element: PhantomData<E>,
}

/// A tensor over borrowed memory.
/// ```
/// # use girih::prelude::*;
/// fn sum(a: TensorView<f32>) -> f32 {
///     a.iter().sum()
/// }
/// let a = Tensor::filled(layout!((4,8):(8,1)), 0.5)?;
/// assert_eq!(sum(a.view()), 16.0);
/// assert_eq!(sum(a.view().slice((0, ..))?), 4.0);
/// # Ok::<(), girih::LayoutError>(())
/// ```
pub type TensorView<'a, E> = Tensor<E, &'a [E]>;
/// A tensor over mutably borrowed memory.
/// ```
/// # use girih::prelude::*;
/// fn scale(mut a: TensorViewMut<f32>, by: f32) {
///     a.transform(|x| x * by);
/// }
/// let mut a = Tensor::filled(layout!((2,3):(3,1)), 1.0)?;
/// scale(a.view_mut().slice((1, ..))?, 2.0);
/// assert_eq!(a.memory(), [1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
/// # Ok::<(), girih::LayoutError>(())
/// ```
pub type TensorViewMut<'a, E> = Tensor<E, &'a mut [E]>;

/// What a tensor's layout points into: memory (everything that is `AsRef<[E]>`), or nothing ([`Counting`],
/// [`Coordinates`]).
/// ```
/// # use girih::prelude::*;
/// # use girih::layout::Storage;
/// fn area<E, S: Storage<E>>(a: &Tensor<E, S>) -> i64 {
///     a.size()
/// }
/// assert_eq!(area(&Tensor::new([0u8; 12], layout!((3,4):(4,1)))?), 12);
/// assert_eq!(area(&Tensor::counting(layout!((3,4):(4,1)))?), 12);
/// # Ok::<(), girih::LayoutError>(())
/// ```
pub trait Storage<E> {
    /// Moves the origin by the offset of a slice.
    #[doc(hidden)]
    fn advance(&mut self, base: &mut i64, by: &Bound) -> Result<(), LayoutError>;
    /// Does every value of `layout` have an element?
    #[doc(hidden)]
    fn admit(&self, base: i64, layout: &Layout) -> Result<(), LayoutError>;
}

impl<E, S: AsRef<[E]>> Storage<E> for S {
    fn advance(&mut self, base: &mut i64, by: &Bound) -> Result<(), LayoutError> {
        let by = by.value().ok_or(LayoutError::Undecided)?;
        *base = base.checked_add(by).ok_or(LayoutError::Overflow)?;
        Ok(())
    }
    fn admit(&self, base: i64, layout: &Layout) -> Result<(), LayoutError> {
        let (min, max) = layout.image_range()?;
        let (Some(min), Some(max)) = (base.checked_add(min), base.checked_add(max)) else {
            return Err(LayoutError::Overflow);
        };
        let len = self.as_ref().len();
        if min >= 0 && usize::try_from(max).is_ok_and(|max| max < len) {
            Ok(())
        } else {
            Err(LayoutError::Storage { min, max, len })
        }
    }
}

impl<E, S: Storage<E>> Tensor<E, S> {
    fn checked(storage: S, base: i64, layout: Layout) -> Result<Self, LayoutError> {
        storage.admit(base, &layout)?;
        Ok(Tensor { layout, base, storage, element: PhantomData })
    }

    /// The same storage through another layout, whose 0 is `by` further.
    pub(crate) fn relayout(mut self, layout: Layout, by: &Bound) -> Result<Self, LayoutError> {
        self.storage.advance(&mut self.base, by)?;
        Self::checked(self.storage, self.base, layout)
    }

    /// The same storage through another layout: [`Tensor::flatten`] and the like are forms of it.
    ///
    /// # Errors
    /// The layout reaches beyond the storage, a symbol is unbound, or the values are not what the storage holds (coordinates
    /// for memory).
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::new([1, 2, 3, 4, 5, 6], layout!((2,3):(3,1)))?;
    /// assert!(a.view().with_layout(layout!(6:1))?.iter().eq(a.memory()));
    /// assert!(a.view().with_layout(layout!(7:1)).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn with_layout(self, layout: Layout) -> Result<Self, LayoutError> {
        self.relayout(layout, &Bound::ZERO)
    }

    /// The layout.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Tensor::new([0; 12], layout!((3,4):(4,1)))?.layout(), &layout!((3,4):(4,1)));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }
    /// The shape.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Tensor::new([0; 12], layout!((3,4):(4,1)))?.shape(), ints!((3, 4)));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn shape(&self) -> IntTuple {
        self.layout.shape()
    }
    /// The stride.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Tensor::new([0; 12], layout!((3,4):(4,1)))?.stride(), ints!((4, 1)));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn stride(&self) -> IntTuple {
        self.layout.stride()
    }
    /// Number of modes.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Tensor::new([0; 12], layout!((3,(2,2)):(4,(2,1))))?.rank(), 2);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn rank(&self) -> usize {
        self.layout.rank()
    }
    /// Levels of nesting.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Tensor::new([0; 12], layout!((3,(2,2)):(4,(2,1))))?.depth(), 2);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn depth(&self) -> usize {
        self.layout.depth()
    }
    /// Number of elements of the domain.
    /// ```
    /// # use girih::prelude::*;
    /// // a broadcast row: three elements in memory, twelve in the tensor
    /// assert_eq!(Tensor::new([1, 2, 3], layout!((4,3):(0,1)))?.size(), 12);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn size(&self) -> i64 {
        match self.layout.size() {
            Ok(n) => n,
            // a tensor's extents are known
            Err(_) => 0,
        }
    }

    /// The sub-tensor of the modes kept by `..` (an [`IntTuple`] has `_` there), the others fixed: CuTe's `T(3,_)`.
    ///
    /// # Errors
    /// The coordinate does not fit the shape, or a number is outside its extent.
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!((4,(2,3)):(6,(3,1))), |i| i)?;
    /// let b = a.view().slice((.., (1, ..)))?;
    /// assert_eq!((b.shape(), b[(1, 2)]), (ints!((4, 3)), 21));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn slice(self, c: impl Coordinate) -> Result<Self, LayoutError> {
        let (layout, offset) = self.layout.slice(&c.to_tuple()?)?;
        self.relayout(layout, &offset)
    }

    /// The same layout with its origin at `c`, which may lie outside the domain: CuTe's `domain_offset`.
    ///
    /// # Errors
    /// The coordinate does not fit the shape, or the layout reaches beyond the storage there.
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!((4,8):(1,4)), |i| i)?;
    /// let window = a.view().slice((.., 0))?.domain_offset(5)?;
    /// assert!(window.iter().eq(&[5, 6, 7, 8]));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn domain_offset(self, c: impl Coordinate) -> Result<Self, LayoutError> {
        let layout = self.layout;
        let mut digit = [0; MODES];
        layout.digits(&c.to_tuple()?, true, &mut digit)?;
        let mut by = Bound::ZERO;
        for (i, &digit) in digit.iter().enumerate().take(layout.leaves()) {
            by = by.plus(&layout.stride_int(i).mul(&Int::known(digit))?)?;
        }
        self.relayout(layout, &by)
    }

    /// The tensor of mode `i` alone, the others at 0: CuTe's `tensor<i>`.
    ///
    /// # Errors
    /// There is no such mode.
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::new([1, 2, 3, 4, 5, 6], layout!((2,3):(3,1)))?;
    /// assert!(a.view().mode(0)?.iter().eq(&[1, 4]));
    /// assert!(a.view().mode(1)?.iter().eq(&[1, 2, 3]));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn mode(self, i: usize) -> Result<Self, LayoutError> {
        let layout = self.layout.mode(i)?;
        self.with_layout(layout)
    }

    /// Modes `from..to`, the others at 0.
    ///
    /// # Errors
    /// There are no such modes, or none is left.
    /// ```
    /// # use girih::prelude::*;
    /// let stages = Tensor::from_fn(layout!((4,8,3):(1,4,32)), |i| i)?;
    /// assert_eq!(stages.view().take(0, 2)?.layout(), &layout!((4,8):(1,4)));
    /// assert!(stages.view().take(2, 4).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn take(self, from: usize, to: usize) -> Result<Self, LayoutError> {
        let layout = self.layout.take(from, to)?;
        self.with_layout(layout)
    }

    /// The modes with these numbers, in this order, the others at 0: `select(&[1, 0])` transposes a matrix.
    ///
    /// # Errors
    /// There is no such mode, or none is chosen.
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::new([1, 2, 3, 4, 5, 6], layout!((2,3):(3,1)))?;
    /// let transposed = a.view().select(&[1, 0])?;
    /// assert_eq!((transposed.shape(), transposed[(2, 0)]), (ints!((3, 2)), a[(0, 2)]));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn select(self, modes: &[usize]) -> Result<Self, LayoutError> {
        let layout = self.layout.select(modes)?;
        self.with_layout(layout)
    }

    /// Modes `from..to` become one mode.
    ///
    /// # Errors
    /// There are no such modes, or nesting too deep.
    /// ```
    /// # use girih::prelude::*;
    /// let images = Tensor::from_fn(layout!((4,8,3):(1,4,32)), |i| i)?;
    /// let pixels = images.view().group(0, 2)?;
    /// assert_eq!((pixels.shape(), pixels[(31, 2)]), (ints!(((4, 8), 3)), 95));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn group(self, from: usize, to: usize) -> Result<Self, LayoutError> {
        let layout = self.layout.group(from, to)?;
        self.with_layout(layout)
    }

    /// All leaves in one flat tuple.
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!((4,(2,3)):(6,(3,1))), |i| i)?;
    /// assert_eq!(a.view().flatten()[(2, 1, 0)], a[(2, (1, 0))]);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn flatten(self) -> Self {
        let layout = self.layout.flatten();
        self.respelled(layout)
    }

    /// The same storage through a layout that reaches no other offsets.
    pub(crate) fn respelled(mut self, layout: Layout) -> Self {
        self.layout = layout;
        self
    }
}

impl<E> Tensor<E> {
    /// A new tensor in memory just large enough, every element `value`. The base is chosen so that negative strides work.
    ///
    /// # Errors
    /// A symbol is unbound, values are coordinates, or there is not enough memory.
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::filled(layout!((4,3):(-1,4)), 0.5)?;
    /// assert_eq!((a.base(), a.memory().len()), (3, 12));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn filled(layout: Layout, value: E) -> Result<Self, LayoutError>
    where
        E: Clone,
    {
        let (min, _) = layout.image_range()?;
        let len = layout.cosize()?;
        Self::checked(gather(core::iter::repeat(value), len)?, -min, layout)
    }

    /// A new tensor whose element at the one-dimensional coordinate `i` is `f(i)`; what the layout does not reach is the
    /// default. An element with several coordinates is that of the last.
    ///
    /// # Errors
    /// As [`Tensor::filled`].
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Tensor::from_fn(layout!((2,3):(3,1)), |i| i)?.memory(), [0, 2, 4, 1, 3, 5]);
    /// assert_eq!(Tensor::from_fn(layout!((2,2):(1,3)), |i| i + 1)?.memory(), [1, 2, 0, 3, 4]); // a padded column
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn from_fn(layout: Layout, mut f: impl FnMut(i64) -> E) -> Result<Self, LayoutError>
    where
        E: Default + Clone,
    {
        let mut tensor = Self::filled(layout, E::default())?;
        let mut i = 0;
        tensor.for_each_mut(|x| {
            *x = f(i);
            i += 1;
        });
        Ok(tensor)
    }
}

impl<E, S: AsRef<[E]>> Tensor<E, S> {
    /// `layout` over `storage`: a vector, an array, a slice, a mutable slice.
    ///
    /// # Errors
    /// The layout reaches beyond the storage or below 0, a symbol is unbound, or values are coordinates.
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::new([1, 2, 3, 4, 5, 6], layout!((2,3):(3,1)))?;
    /// assert_eq!(a[(1, 0)], 4);
    /// let e = Tensor::new(vec![0.0; 6], layout!((2,3):(4,1))).unwrap_err();
    /// assert_eq!(e.to_string(), "the layout reaches offsets 0..=6, the memory has 6 elements");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn new(storage: S, layout: Layout) -> Result<Self, LayoutError> {
        Self::with_base(storage, 0, layout)
    }

    /// As [`Tensor::new`], with offset 0 of the layout at element `base` of the storage.
    ///
    /// # Errors
    /// As [`Tensor::new`].
    /// ```
    /// # use girih::prelude::*;
    /// let backwards = Tensor::with_base([1, 2, 3, 4], 3, layout!(4:-1))?;
    /// assert!(backwards.iter().eq(&[4, 3, 2, 1]));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn with_base(storage: S, base: i64, layout: Layout) -> Result<Self, LayoutError> {
        Self::checked(storage, base, layout)
    }

    /// Index in the memory of the element at offset 0; a slice moves it.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Tensor::filled(layout!(4:-1), 0)?.base(), 3);
    /// let a = Tensor::new([0; 12], layout!((3,4):(4,1)))?;
    /// assert_eq!(a.view().slice((2, ..))?.base(), 8);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn base(&self) -> i64 {
        self.base
    }
    /// All of the memory, whether the layout reaches it or not.
    /// ```
    /// # use girih::prelude::*;
    /// let column = Tensor::new([1, 2, 3, 4, 5, 6], layout!((2,3):(3,1)))?.slice((.., 0))?;
    /// assert_eq!((column.size(), column.memory().len()), (2, 6));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn memory(&self) -> &[E] {
        self.storage.as_ref()
    }
    /// All of the memory, mutably.
    /// ```
    /// # use girih::prelude::*;
    /// let mut a = Tensor::filled(layout!((2,2):(1,3)), 1)?;
    /// a.memory_mut()[2] = 9; // the padding
    /// assert_eq!(a.iter().sum::<i32>(), 4);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn memory_mut(&mut self) -> &mut [E]
    where
        S: AsMut<[E]>,
    {
        self.storage.as_mut()
    }
    /// The storage itself.
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!((2,3):(3,1)), |i| i)?;
    /// let memory: Vec<i64> = a.into_storage();
    /// assert_eq!(memory, [0, 2, 4, 1, 3, 5]);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn into_storage(self) -> S {
        self.storage
    }

    /// The same elements, borrowed.
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::from_fn(layout!((4,8):(8,1)), |i| i)?;
    /// let (top, bottom) = (a.view().slice((0, ..))?, a.view().slice((3, ..))?); // a is still there
    /// assert_eq!((top[1], bottom[1], a[(3, 1)]), (4, 7, 7));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn view(&self) -> TensorView<'_, E> {
        Tensor { layout: self.layout, base: self.base, storage: self.storage.as_ref(), element: PhantomData }
    }

    /// The same elements, mutably borrowed.
    /// ```
    /// # use girih::prelude::*;
    /// let mut a = Tensor::filled(layout!((4,8):(8,1)), 1)?;
    /// a.view_mut().slice((0, ..))?.fill(0);
    /// assert_eq!(a.iter().sum::<i32>(), 24);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn view_mut(&mut self) -> TensorViewMut<'_, E>
    where
        S: AsMut<[E]>,
    {
        Tensor { layout: self.layout, base: self.base, storage: self.storage.as_mut(), element: PhantomData }
    }

    /// The elements in a new tensor of the same shape, column-major.
    ///
    /// # Errors
    /// More elements than memory holds: modes of stride 0 are written out.
    /// ```
    /// # use girih::prelude::*;
    /// let row_major = Tensor::new([1, 2, 3, 4, 5, 6], layout!((2,3):(3,1)))?;
    /// assert_eq!(row_major.to_compact()?.memory(), [1, 4, 2, 5, 3, 6]);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn to_compact(&self) -> Result<Tensor<E>, LayoutError>
    where
        E: Clone,
    {
        Tensor::checked(gather(self.iter().cloned(), self.size())?, 0, Layout::column_major(&self.shape())?)
    }

    /// The element at any coordinate: [`Coordinate`] says what one is.
    ///
    /// # Errors
    /// The coordinate does not fit the shape, is outside it, or holds `..`.
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::new(['a', 'b', 'c', 'd'], layout!((2,2):(1,2)))?;
    /// assert_eq!(a.get((0, 1))?, &'c');
    /// assert_eq!(a.get(4).unwrap_err().to_string(), "coordinate 4 is not in 0..4");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    #[inline]
    pub fn get(&self, c: impl Coordinate) -> Result<&E, LayoutError> {
        let offset = c.offset_in(&self.layout)?;
        place(self.base, offset, self.storage.as_ref()).ok_or(LayoutError::Storage { min: offset, max: offset, len: 0 })
    }

    /// The element at any coordinate, mutably.
    ///
    /// # Errors
    /// As [`Tensor::get`].
    /// ```
    /// # use girih::prelude::*;
    /// let mut a = Tensor::filled(layout!((2,3):(3,1)), 1)?;
    /// *a.get_mut((1, 2))? = 7;
    /// assert_eq!(a.memory(), [1, 1, 1, 1, 1, 7]);
    /// assert!(a.get_mut((2, 0)).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    #[inline]
    pub fn get_mut(&mut self, c: impl Coordinate) -> Result<&mut E, LayoutError>
    where
        S: AsMut<[E]>,
    {
        let offset = c.offset_in(&self.layout)?;
        place_mut(self.base, offset, self.storage.as_mut()).ok_or(LayoutError::Storage {
            min: offset,
            max: offset,
            len: 0,
        })
    }

    /// The elements in colexicographic order of their coordinates.
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::new([1, 2, 3, 4, 5, 6], layout!((2,3):(3,1)))?;
    /// assert!(a.iter().eq(&[1, 4, 2, 5, 3, 6]));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn iter(&self) -> Iter<'_, E> {
        Iter { memory: self.storage.as_ref(), base: self.base, offsets: Offsets::of_known(&self.layout) }
    }
}

/// The first `len` of `elements`, if there is memory for them.
pub(crate) fn gather<E>(elements: impl Iterator<Item = E>, len: i64) -> Result<Vec<E>, LayoutError> {
    let none = LayoutError::Storage { min: 0, max: len - 1, len: 0 };
    let len = usize::try_from(len).map_err(|_| none)?;
    let mut memory = Vec::new();
    memory.try_reserve_exact(len).map_err(|_| none)?;
    memory.extend(elements.take(len));
    Ok(memory)
}

/// The element at an offset. The layout was checked against the memory: there always is one, unless the storage changed
/// its length in between.
#[inline(always)]
fn place<E>(base: i64, offset: i64, memory: &[E]) -> Option<&E> {
    memory.get(base.wrapping_add(offset) as usize)
}

#[inline(always)]
fn place_mut<E>(base: i64, offset: i64, memory: &mut [E]) -> Option<&mut E> {
    memory.get_mut(base.wrapping_add(offset) as usize)
}

impl<E, S: Clone> Clone for Tensor<E, S> {
    fn clone(&self) -> Self {
        Tensor { layout: self.layout, base: self.base, storage: self.storage.clone(), element: PhantomData }
    }
}
impl<E, S: Copy> Copy for Tensor<E, S> {}

/// The text of [`Display`](fmt::Display).
impl<E, S> fmt::Debug for Tensor<E, S>
where
    Tensor<E, S>: fmt::Display,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// # Panics
/// As slices do, where [`Tensor::get`] has no element.
impl<E, S: AsRef<[E]>, C: Coordinate> Index<C> for Tensor<E, S> {
    type Output = E;
    #[inline]
    #[track_caller]
    fn index(&self, c: C) -> &E {
        match self.get(c) {
            Ok(x) => x,
            Err(e) => no_element(&self.layout, &e),
        }
    }
}

/// # Panics
/// As slices do, where [`Tensor::get_mut`] has no element.
impl<E, S: AsRef<[E]> + AsMut<[E]>, C: Coordinate> IndexMut<C> for Tensor<E, S> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, c: C) -> &mut E {
        match c.offset_in(&self.layout) {
            Ok(offset) => &mut self.storage.as_mut()[self.base.wrapping_add(offset) as usize],
            Err(e) => no_element(&self.layout, &e),
        }
    }
}

#[cold]
#[track_caller]
fn no_element(layout: &Layout, e: &LayoutError) -> ! {
    panic!("no element there in a tensor of shape {}: {e}", layout.shape())
}

/// The elements of a tensor: [`Tensor::iter`].
/// ```
/// # use girih::prelude::*;
/// let a = Tensor::new([1, 2, 3, 4, 5, 6], layout!((2,3):(3,1)))?;
/// assert_eq!(a.iter().len(), 6);
/// assert!(a.iter().rev().eq(&[6, 3, 5, 2, 4, 1]));
/// # Ok::<(), girih::LayoutError>(())
/// ```
#[derive(Clone)]
pub struct Iter<'a, E> {
    memory: &'a [E],
    base: i64,
    offsets: Offsets<'a>,
}

impl<'a, E> Iterator for Iter<'a, E> {
    type Item = &'a E;
    #[inline]
    fn next(&mut self) -> Option<&'a E> {
        place(self.base, self.offsets.next()?, self.memory)
    }
    fn nth(&mut self, n: usize) -> Option<&'a E> {
        place(self.base, self.offsets.nth(n)?, self.memory)
    }
    #[inline]
    fn fold<B, F: FnMut(B, &'a E) -> B>(self, init: B, mut f: F) -> B {
        self.offsets.fold(init, |acc, o| match place(self.base, o, self.memory) {
            Some(x) => f(acc, x),
            None => acc,
        })
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.offsets.size_hint()
    }
}
impl<'a, E> DoubleEndedIterator for Iter<'a, E> {
    fn next_back(&mut self) -> Option<&'a E> {
        place(self.base, self.offsets.next_back()?, self.memory)
    }
}
impl<E> ExactSizeIterator for Iter<'_, E> {}
impl<E> FusedIterator for Iter<'_, E> {}

impl<'a, E, S: AsRef<[E]>> IntoIterator for &'a Tensor<E, S> {
    type Item = &'a E;
    type IntoIter = Iter<'a, E>;
    fn into_iter(self) -> Iter<'a, E> {
        self.iter()
    }
}

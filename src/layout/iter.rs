//! Iteration over the coordinates and the values of a layout, in colexicographic order.
//!
//! Nothing here divides for each element: a step adds a stride and carries. `fold`, and with it `for_each`, `sum`, `max`
//! and the like, runs nested loops over the two innermost modes, at the speed of loops written by hand; a `for` loop
//! tests for a carry at each element, which costs as much as two or three loads. `nth` and `next_back` evaluate, with
//! divisions.

// digits, extents and strides are indexed alike
#![allow(clippy::needless_range_loop)]

use super::{IntTuple, Layout, LayoutError, MODES, divmod};
use core::iter::FusedIterator;

/// An odometer over a shape that carries the values of `K` strides along. It borrows the planes, since copying them would
/// cost as much as walking over a small layout.
#[derive(Clone, Debug)]
pub(crate) struct Walk<'a, const N: usize, const K: usize> {
    extent: &'a [i64; N],
    stride: [&'a [i64; N]; K],
    rank: usize,
    digit: [i64; N],
    value: [i64; K],
    index: i64,
    end: i64,
}

impl<'a, const N: usize, const K: usize> Walk<'a, N, K> {
    #[inline(always)]
    const fn new(extent: &'a [i64; N], stride: [&'a [i64; N]; K], rank: usize, end: i64) -> Self {
        Walk { extent, stride, rank, digit: [0; N], value: [0; K], index: 0, end }
    }

    /// For shapes of exactly `N` leaves.
    #[inline(always)]
    const fn flat(layout: &'a Layout) -> Result<Self, LayoutError> {
        const { assert!(N > 0 && N <= MODES, "a flat coordinate has 1 to 24 numbers") };
        if layout.leaves() != N {
            return Err(LayoutError::RankMismatch { rank: N, other: layout.leaves() });
        }
        if K > 0 && layout.packed {
            return Err(LayoutError::Unbound { name: layout.first_symbol() });
        }
        let end = tri!(layout.size());
        match (layout.shape.first_chunk(), layout.stride.first_chunk()) {
            (Some(extent), Some(stride)) => Ok(Self::new(extent, [stride; K], N, end)),
            // N <= MODES
            _ => Err(LayoutError::TooManyModes),
        }
    }

    /// Digits and values at an index.
    fn locate(&self, index: i64) -> ([i64; N], [i64; K]) {
        let (mut digit, mut value, mut rest) = ([0; N], [0; K], index);
        for i in 0..self.rank {
            (rest, digit[i]) = divmod(rest, self.extent[i]);
            for k in 0..K {
                value[k] += digit[i] * self.stride[k][i];
            }
        }
        (digit, value)
    }

    /// Adds one to digit `i`, the ones below being 0; past the last element it wraps to the first.
    #[inline(always)]
    fn carry(&mut self, mut i: usize) {
        while i < self.rank {
            self.digit[i] += 1;
            if self.digit[i] < self.extent[i] {
                for k in 0..K {
                    self.value[k] += self.stride[k][i];
                }
                return;
            }
            self.digit[i] = 0;
            for k in 0..K {
                self.value[k] -= (self.extent[i] - 1) * self.stride[k][i];
            }
            i += 1;
        }
    }

    #[inline(always)]
    fn next<T>(&mut self, item: impl FnOnce(Place<N>, [i64; K]) -> T) -> Option<T> {
        if self.index == self.end {
            return None;
        }
        let x = item(Place::of(&self.digit), self.value);
        self.index += 1;
        self.carry(0);
        Some(x)
    }

    fn nth<T>(&mut self, n: usize, item: impl FnOnce(Place<N>, [i64; K]) -> T) -> Option<T> {
        match i64::try_from(n) {
            Ok(n) if n < self.end - self.index => {
                self.index += n;
                (self.digit, self.value) = self.locate(self.index);
                self.next(item)
            }
            _ => {
                self.index = self.end;
                None
            }
        }
    }

    fn next_back<T>(&mut self, item: impl FnOnce(Place<N>, [i64; K]) -> T) -> Option<T> {
        if self.index == self.end {
            return None;
        }
        self.end -= 1;
        let (digit, value) = self.locate(self.end);
        Some(item(Place::of(&digit), value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match usize::try_from(self.end - self.index) {
            Ok(n) => (n, Some(n)),
            Err(_) => (usize::MAX, None),
        }
    }

    /// The loop that starts at mode `from`: its extent, its strides, the mode after it. If `merge`, modes that continue
    /// each other for every stride are one loop.
    #[inline(always)]
    fn run(&self, from: usize, merge: bool) -> (i64, [i64; K], usize) {
        if from >= self.rank {
            return (1, [0; K], from);
        }
        let (mut extent, mut stride) = (self.extent[from], self.stride.map(|d| d[from]));
        let mut to = from + 1;
        while merge && to < self.rank {
            let continues = |k: usize| extent.checked_mul(stride[k]) == Some(self.stride[k][to]);
            if extent == 1 {
                stride = self.stride.map(|d| d[to]);
            } else if self.extent[to] > 1 && !(0..K).all(continues) {
                break;
            }
            extent *= self.extent[to];
            to += 1;
        }
        (extent, stride, to)
    }

    /// All that is left, by loops over the two innermost runs.
    #[inline(always)]
    pub(crate) fn fold<B>(&mut self, merge: bool, mut acc: B, mut f: impl FnMut(B, Place<N>, [i64; K]) -> B) -> B {
        // past the last element of a run the sum is not used
        let step = |v: &mut [i64; K], d: [i64; K]| (0..K).for_each(|k| v[k] = v[k].wrapping_add(d[k]));
        let (n0, d0, first) = self.run(0, merge);
        let (n1, d1, second) = self.run(first, merge);
        while self.index < self.end {
            let left = self.end - self.index;
            // where `next` left off in the first run, and whether it is at the start of both
            let (mut at, mut i) = (0, first);
            while i > 0 {
                i -= 1;
                at = at * self.extent[i] + self.digit[i];
            }
            if at == 0 && left >= n0 * n1 && self.digit[first..second].iter().all(|&c| c == 0) {
                let mut row = self.value;
                for j in 0..n1 {
                    let mut v = row;
                    for i in 0..n0 {
                        acc = f(acc, Place { inner: [i, j], outer: &self.digit }, v);
                        step(&mut v, d0);
                    }
                    step(&mut row, d1);
                }
                self.index += n0 * n1;
                self.carry(second);
            } else {
                let n = left.min(n0 - at);
                let mut v = self.value;
                for i in at..at + n {
                    let inner = [i, Place::of(&self.digit).inner[1]];
                    acc = f(acc, Place { inner, outer: &self.digit }, v);
                    step(&mut v, d0);
                }
                self.index += n;
                self.digit[..first].fill(0);
                for k in 0..K {
                    self.value[k] -= at * d0[k];
                }
                self.carry(first);
            }
        }
        acc
    }
}

/// Calls `f` with the values of all layouts at 0, then at 1, and so on.
pub(crate) fn zip_offsets<const K: usize>(
    layouts: [&Layout; K],
    mut f: impl FnMut([i64; K]),
) -> Result<(), LayoutError> {
    let mut size = 1;
    for (k, layout) in layouts.iter().enumerate() {
        if layout.packed {
            return Err(LayoutError::Unbound { name: layout.first_symbol() });
        }
        let right = layout.size()?;
        if k > 0 && size != right {
            return Err(LayoutError::SizeMismatch { left: size, right });
        }
        size = right;
    }
    if let Some((extent, stride, rank)) = refine(layouts) {
        Walk::new(&extent, stride.each_ref(), rank, size).fold(true, (), |(), _, value| f(value));
        return Ok(());
    }
    for i in 0..size {
        let mut value = [0; K];
        for (value, layout) in value.iter_mut().zip(layouts) {
            *value = layout.at(i)?;
        }
        f(value);
    }
    Ok(())
}

/// The coarsest extents that refine all shapes (of equal size), and the strides on them. None when extents do not divide
/// each other, as in (2,3) beside (3,2), or when they are more than a layout holds.
fn refine<const K: usize>(layouts: [&Layout; K]) -> Option<([i64; MODES], [[i64; MODES]; K], usize)> {
    let (mut extent, mut stride, mut rank) = ([1; MODES], [[0; MODES]; K], 0);
    // of the leaf that each layout is at: the extent that is left, and the stride
    let (mut leaf, mut rest, mut step) = ([0; K], [1; K], [0; K]);
    loop {
        for k in 0..K {
            while rest[k] == 1 && leaf[k] < layouts[k].leaves() {
                (rest[k], step[k]) = (layouts[k].shape[leaf[k]], layouts[k].stride[leaf[k]]);
                leaf[k] += 1;
            }
        }
        let least = rest.into_iter().min()?;
        if least == 1 {
            // the sizes are equal: all end at once
            return Some((extent, stride, rank));
        }
        *extent.get_mut(rank)? = least;
        for k in 0..K {
            let (quotient, remainder) = divmod(rest[k], least);
            if remainder != 0 {
                return None;
            }
            stride[k][rank] = step[k];
            rest[k] = quotient;
            // beyond 64 bits only at the end of a leaf, where it is not used
            step[k] = step[k].wrapping_mul(least);
        }
        rank += 1;
    }
}

/// A coordinate of which the two innermost digits are in registers.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a, const N: usize> {
    inner: [i64; 2],
    outer: &'a [i64; N],
}

impl<'a, const N: usize> Place<'a, N> {
    #[inline(always)]
    fn of(digit: &'a [i64; N]) -> Self {
        Place { inner: [digit[0], if N > 1 { digit[1] } else { 0 }], outer: digit }
    }

    #[inline(always)]
    fn coord(self) -> [i64; N] {
        let mut c = *self.outer;
        c[0] = self.inner[0];
        if N > 1 {
            c[1] = self.inner[1];
        }
        c
    }
}

/// The values of a layout: [`Layout::offsets`].
/// ```
/// # use girih::prelude::*;
/// let l = layout!((4,2):(2,1));
/// let mut offsets = l.offsets()?;
/// assert_eq!((offsets.len(), offsets.next(), offsets.next_back()), (8, Some(0), Some(7)));
/// # Ok::<(), girih::LayoutError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Offsets<'a> {
    walk: Walk<'a, MODES, 1>,
}

/// The flat coordinates of a layout: [`Layout::coords`].
/// ```
/// # use girih::prelude::*;
/// let l = layout!((64,8):(8,1));
/// let mut coords = l.coords()?;
/// assert_eq!((coords.next(), coords.next_back()), (Some([0, 0]), Some([63, 7])));
/// # Ok::<(), girih::LayoutError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Coords<'a, const R: usize> {
    walk: Walk<'a, R, 0>,
}

/// The flat coordinates of a layout, each with its value: [`Layout::coords_and_offsets`].
/// ```
/// # use girih::prelude::*;
/// let l = layout!((64,8):(8,1));
/// assert_eq!(l.coords_and_offsets()?.nth(65), Some(([1, 1], 9)));
/// # Ok::<(), girih::LayoutError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CoordsAndOffsets<'a, const R: usize> {
    walk: Walk<'a, R, 1>,
}

/// The hierarchical coordinates of a layout: [`Layout::hier_coords`].
/// ```
/// # use girih::prelude::*;
/// let l = layout!((2,(3,4)):(1,(2,6)));
/// let mut coords = l.hier_coords()?;
/// assert_eq!((coords.len(), coords.nth(7)), (24, Some(ints!((1, (0, 1))))));
/// # Ok::<(), girih::LayoutError>(())
/// ```
#[derive(Clone, Debug)]
pub struct HierCoords<'a> {
    walk: Walk<'a, MODES, 0>,
    profile: IntTuple,
}

macro_rules! iterator {
    ([$($rank:tt)*] $name:ty, $item:ty, merge: $merge:literal, |$at:pat_param, $value:pat_param| $make:expr) => {
        impl<'a, $($rank)*> Iterator for $name {
            type Item = $item;
            #[inline(always)]
            fn next(&mut self) -> Option<$item> {
                self.walk.next(|$at, $value| $make)
            }
            #[inline]
            fn nth(&mut self, n: usize) -> Option<$item> {
                self.walk.nth(n, |$at, $value| $make)
            }
            #[inline(always)]
            fn fold<B, F: FnMut(B, $item) -> B>(mut self, init: B, mut f: F) -> B {
                self.walk.fold($merge, init, |acc, $at, $value| f(acc, $make))
            }
            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.walk.size_hint()
            }
        }
        impl<'a, $($rank)*> DoubleEndedIterator for $name {
            #[inline]
            fn next_back(&mut self) -> Option<$item> {
                self.walk.next_back(|$at, $value| $make)
            }
        }
        impl<'a, $($rank)*> ExactSizeIterator for $name {}
        impl<'a, $($rank)*> FusedIterator for $name {}
    };
}
iterator!([] Offsets<'a>, i64, merge: true, |_, [value]| value);
iterator!([const R: usize] Coords<'a, R>, [i64; R], merge: false, |at, []| at.coord());
iterator!([const R: usize] CoordsAndOffsets<'a, R>, ([i64; R], i64), merge: false, |at, [value]| (at.coord(), value));

impl Iterator for HierCoords<'_> {
    type Item = IntTuple;
    fn next(&mut self) -> Option<IntTuple> {
        let mut c = self.profile;
        self.walk.next(|at, []| c.0.shape = at.coord())?;
        Some(c)
    }
    fn nth(&mut self, n: usize) -> Option<IntTuple> {
        let mut c = self.profile;
        self.walk.nth(n, |at, []| c.0.shape = at.coord())?;
        Some(c)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.walk.size_hint()
    }
}
impl ExactSizeIterator for HierCoords<'_> {}
impl FusedIterator for HierCoords<'_> {}

impl<'a> Offsets<'a> {
    /// Of a layout whose leaves are known numbers; of any other none.
    #[inline]
    pub(crate) const fn of_known(layout: &'a Layout) -> Offsets<'a> {
        let end = match layout.size() {
            Ok(n) if !layout.packed => n,
            _ => 0,
        };
        Offsets { walk: Walk::new(&layout.shape, [&layout.stride], layout.leaves(), end) }
    }
}

impl<'a> Coords<'a, MODES> {
    /// Of any layout of known extents; the numbers beyond its leaves are 0.
    pub(crate) const fn padded(layout: &'a Layout) -> Result<Self, LayoutError> {
        let end = tri!(layout.size());
        Ok(Coords { walk: Walk::new(&layout.shape, [], layout.leaves(), end) })
    }
}

impl Layout {
    /// The values at `0, 1, .., size - 1`: [`Layout::at`] of each, at the speed of nested loops. Modes that continue each
    /// other are one loop.
    ///
    /// # Errors
    /// A symbol is unbound, or values are coordinates ([`Layout::coord_at`]).
    /// ```
    /// # use girih::prelude::*;
    /// assert!(layout!((2,3):(10,1)).offsets()?.eq([0, 10, 1, 11, 2, 12]));
    /// assert_eq!(layout!((256,(256,64)):(64,(16384,1))).offsets()?.sum::<i64>(), 8796090925056);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    #[inline]
    pub const fn offsets(&self) -> Result<Offsets<'_>, LayoutError> {
        if self.packed {
            return Err(LayoutError::Unbound { name: self.first_symbol() });
        }
        Ok(Offsets::of_known(self))
    }

    /// The flat coordinates in colexicographic order, one number for each leaf.
    ///
    /// # Errors
    /// The number of leaves is not `R`, or an extent is a symbol.
    /// ```
    /// # use girih::prelude::*;
    /// let l = layout!((2,(1,2)):(1,(0,2)));
    /// assert!(l.coords()?.eq([[0, 0, 0], [1, 0, 0], [0, 0, 1], [1, 0, 1]]));
    /// assert_eq!(l.coords::<2>().unwrap_err().to_string(), "the ranks are 2 and 3, they must be equal");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    #[inline]
    pub const fn coords<const R: usize>(&self) -> Result<Coords<'_, R>, LayoutError> {
        Ok(Coords { walk: tri!(Walk::flat(self)) })
    }

    /// The flat coordinates, each with the value there: [`Layout::at_coord`] of each.
    ///
    /// # Errors
    /// The number of leaves is not `R`, a symbol is unbound, or values are coordinates.
    /// ```
    /// # use girih::prelude::*;
    /// for ([i, j], offset) in layout!((8,4):(4,1)).coords_and_offsets()? {
    ///     assert_eq!(offset, 4 * i + j);
    /// }
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    #[inline]
    pub const fn coords_and_offsets<const R: usize>(&self) -> Result<CoordsAndOffsets<'_, R>, LayoutError> {
        Ok(CoordsAndOffsets { walk: tri!(Walk::flat(self)) })
    }

    /// The coordinates in the nesting of the shape. Each is an [`IntTuple`] of half a kilobyte: where the nesting is known,
    /// [`Layout::coords`] is much faster.
    ///
    /// # Errors
    /// An extent is a symbol.
    /// ```
    /// # use girih::prelude::*;
    /// let last = layout!((2,(3,4)):(1,(2,6))).hier_coords()?.last();
    /// assert_eq!(last, Some(ints!((1, (2, 3)))));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn hier_coords(&self) -> Result<HierCoords<'_>, LayoutError> {
        let end = tri!(self.size());
        Ok(HierCoords { walk: Walk::new(&self.shape, [], self.leaves(), end), profile: self.profile() })
    }
}

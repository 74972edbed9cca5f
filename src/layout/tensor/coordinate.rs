//! Ways of writing a coordinate in Rust: `7`, `[3, 7, 2]`, `(3, (7, 2))`, `(3, ..)`.

use crate::layout::{Int, IntTuple, Layout, LayoutError};
use core::ops::RangeFull;

/// A coordinate: an integer (one-dimensional), an array of integers (flat: one number for each leaf or for each mode), a
/// tuple of coordinates (hierarchical), or an [`IntTuple`]. `..` is CuTe's `_`: it keeps a mode in a slice.
///
/// ```
/// use girih::layout::Coordinate;
/// use girih::prelude::*;
/// let l = layout!((8,(16,4)):(64,(4,1)));
/// assert_eq!((3, (7, 2)).offset_in(&l)?, 222);
/// assert_eq!([3, 7, 2].offset_in(&l)?, 222);
/// assert_eq!([3, 39].offset_in(&l)?, 222);
/// assert_eq!(315.offset_in(&l)?, 222);
/// assert_eq!((3, (.., 2)).to_tuple()?, ints!((3, (_, 2))));
/// # Ok::<(), girih::LayoutError>(())
/// ```
pub trait Coordinate {
    /// The coordinate as an integer tuple.
    ///
    /// # Errors
    /// More than 24 numbers, or nested too deep.
    /// ```
    /// # use girih::prelude::*;
    /// # use girih::layout::Coordinate;
    /// assert_eq!([3, 39].to_tuple()?, ints!((3, 39)));
    /// assert_eq!((3, (7, ..)).to_tuple()?, ints!((3, (7, _))));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    fn to_tuple(&self) -> Result<IntTuple, LayoutError>;

    /// The value of `layout` here: [`Layout::at`], [`Layout::at_coord`] or [`Layout::at_crd`].
    ///
    /// # Errors
    /// As those: the coordinate does not fit the shape, is outside it, or holds `..`.
    /// ```
    /// # use girih::layout::Coordinate;
    /// # use girih::prelude::*;
    /// let l = layout!((8,(16,4)):(64,(4,1)));
    /// assert_eq!((3, 39).offset_in(&l)?, 222);
    /// assert!((8, 0).offset_in(&l).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    #[inline(always)]
    fn offset_in(&self, layout: &Layout) -> Result<i64, LayoutError> {
        layout.at_crd(&self.to_tuple()?)
    }

    /// The number of a coordinate that is an integer; None of any other.
    /// ```
    /// # use girih::layout::Coordinate;
    /// assert_eq!((7.as_index(), (3, 4).as_index()), (Some(7), None));
    /// ```
    #[inline(always)]
    fn as_index(&self) -> Option<i64> {
        None
    }
}

macro_rules! integers {
    ($($int:ty)*) => {$(
        impl Coordinate for $int {
            fn to_tuple(&self) -> Result<IntTuple, LayoutError> {
                Ok(IntTuple::int(index(*self)))
            }
            #[inline(always)]
            fn offset_in(&self, layout: &Layout) -> Result<i64, LayoutError> {
                layout.at(index(*self))
            }
            #[inline(always)]
            fn as_index(&self) -> Option<i64> {
                Some(index(*self))
            }
        }
        impl<const R: usize> Coordinate for [$int; R] {
            fn to_tuple(&self) -> Result<IntTuple, LayoutError> {
                IntTuple::flat(&self.map(index))
            }
            #[inline(always)]
            fn offset_in(&self, layout: &Layout) -> Result<i64, LayoutError> {
                flat(self.map(index), layout)
            }
        }
    )*};
}
integers!(i32 i64 u32 u64 usize);

/// An integer beyond `i64` is outside every extent, and so is the greatest `i64`.
#[inline(always)]
fn index(i: impl TryInto<i64>) -> i64 {
    i.try_into().unwrap_or(i64::MAX)
}

#[inline(always)]
fn flat<const R: usize>(c: [i64; R], layout: &Layout) -> Result<i64, LayoutError> {
    if R == layout.leaves() {
        return layout.at_coord(c);
    }
    layout.at_crd(&IntTuple::flat(&c)?)
}

macro_rules! tuples {
    ($($($name:ident $i:tt),+;)*) => {$(
        impl<$($name: Coordinate),+> Coordinate for ($($name,)+) {
            fn to_tuple(&self) -> Result<IntTuple, LayoutError> {
                IntTuple::tuple(&[$(self.$i.to_tuple()?),+])
            }
            #[inline(always)]
            fn offset_in(&self, layout: &Layout) -> Result<i64, LayoutError> {
                match [$(self.$i.as_index()),+] {
                    [$(Some($name)),+] => flat([$($name),+], layout),
                    _ => layout.at_crd(&self.to_tuple()?),
                }
            }
        }
    )*};
}
#[allow(non_snake_case)]
mod tuples {
    use super::*;
    tuples! {
        A 0;
        A 0, B 1;
        A 0, B 1, C 2;
        A 0, B 1, C 2, D 3;
        A 0, B 1, C 2, D 3, E 4;
        A 0, B 1, C 2, D 3, E 4, F 5;
    }
}

impl Coordinate for RangeFull {
    fn to_tuple(&self) -> Result<IntTuple, LayoutError> {
        IntTuple::leaf(&Int::UNDERSCORE)
    }
}

impl Coordinate for IntTuple {
    fn to_tuple(&self) -> Result<IntTuple, LayoutError> {
        Ok(*self)
    }
}

impl<C: Coordinate> Coordinate for &C {
    fn to_tuple(&self) -> Result<IntTuple, LayoutError> {
        (*self).to_tuple()
    }
    #[inline(always)]
    fn offset_in(&self, layout: &Layout) -> Result<i64, LayoutError> {
        (*self).offset_in(layout)
    }
    #[inline(always)]
    fn as_index(&self) -> Option<i64> {
        (*self).as_index()
    }
}

//! Reductions and scans along a dimension.

use super::mode::{ArithmeticMode, TypedMode};
use super::shape::{TileShape, With};
use super::tile::{Tile, Value};
use crate::tile::element::{Arithmetic, Element, Integral, Number};
use crate::tile::op::{Direction, Extreme, Fold, Mode, Nan, Op};
use typenum::{U1, Unsigned};

/// The shape with dimension `D` folded to length 1.
pub type Reduced<S, D> = <S as With<D, U1>>::Output;

/// Reductions: dimension `D` keeps its place with length 1, so that the result broadcasts back.
///
/// Floating-point sums and products are folded in an order that does not depend on anything but the shape.
impl<E: Element, S: TileShape, V: Value> Tile<E, S, V> {
    #[track_caller]
    fn folded<D: Unsigned>(&self, fold: Fold) -> Tile<E, Reduced<S, D>, V>
    where
        S: With<D, U1>,
    {
        Tile::wrap(V::apply(Op::Reduce(fold, D::U8), &[self.value()]))
    }

    /// The sum along dimension `D`.
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// # use typenum::*;
    /// let x = Tile::<i32, Shape![2, 4]>::iota();
    /// let sums: Tile<i32, Shape![2, 1]> = x.sum::<U1>();
    /// assert_eq!(sums.to_vec(), [6, 22]);
    /// ```
    #[track_caller]
    pub fn sum<D: Unsigned>(&self) -> Tile<E, Reduced<S, D>, V>
    where
        E: Number,
        S: With<D, U1>,
    {
        self.folded::<D>(Fold::Sum(Mode::default()))
    }

    /// [`sum`](Self::sum) in a mode.
    #[track_caller]
    pub fn sum_with<M: TypedMode, D: Unsigned>(&self) -> Tile<E, Reduced<S, D>, V>
    where
        E: ArithmeticMode<M>,
        S: With<D, U1>,
    {
        self.folded::<D>(Fold::Sum(M::MODE))
    }

    /// The product along dimension `D`.
    #[track_caller]
    pub fn prod<D: Unsigned>(&self) -> Tile<E, Reduced<S, D>, V>
    where
        E: Number,
        S: With<D, U1>,
    {
        self.folded::<D>(Fold::Prod(Mode::default()))
    }

    /// [`prod`](Self::prod) in a mode.
    #[track_caller]
    pub fn prod_with<M: TypedMode, D: Unsigned>(&self) -> Tile<E, Reduced<S, D>, V>
    where
        E: ArithmeticMode<M>,
        S: With<D, U1>,
    {
        self.folded::<D>(Fold::Prod(M::MODE))
    }

    /// The least element along dimension `D`; NaN only of NaNs, as [`min`](Self::min).
    #[track_caller]
    pub fn reduce_min<D: Unsigned>(&self) -> Tile<E, Reduced<S, D>, V>
    where
        E: Arithmetic,
        S: With<D, U1>,
    {
        self.folded::<D>(Fold::Min(Nan::Suppress))
    }

    /// The greatest element along dimension `D`; NaN only of NaNs, as [`max`](Self::max).
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// # use typenum::*;
    /// let x = Tile::<f32, Shape![2, 2]>::new(vec![1.0, 3.0, f32::NAN, 2.0])?;
    /// assert_eq!(x.reduce_max::<U1>().to_vec(), [3.0, 2.0]);
    /// assert!(x.reduce_maximum::<U1>().to_vec()[1].is_nan());
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn reduce_max<D: Unsigned>(&self) -> Tile<E, Reduced<S, D>, V>
    where
        E: Arithmetic,
        S: With<D, U1>,
    {
        self.folded::<D>(Fold::Max(Nan::Suppress))
    }

    /// The least element along dimension `D`, or NaN if there is one, as [`minimum`](Self::minimum).
    #[track_caller]
    pub fn reduce_minimum<D: Unsigned>(&self) -> Tile<E, Reduced<S, D>, V>
    where
        E: Arithmetic,
        S: With<D, U1>,
    {
        self.folded::<D>(Fold::Min(Nan::Propagate))
    }

    /// The greatest element along dimension `D`, or NaN if there is one, as [`maximum`](Self::maximum).
    #[track_caller]
    pub fn reduce_maximum<D: Unsigned>(&self) -> Tile<E, Reduced<S, D>, V>
    where
        E: Arithmetic,
        S: With<D, U1>,
    {
        self.folded::<D>(Fold::Max(Nan::Propagate))
    }

    /// The index of the least element along dimension `D`, of equal ones the first (seed: `min_element`). As in
    /// [`reduce_min`](Self::reduce_min), -0 is below +0, and a NaN counts only if there is nothing else: it is the first then.
    #[track_caller]
    pub fn argmin<D: Unsigned>(&self) -> Tile<u32, Reduced<S, D>, V>
    where
        E: Arithmetic,
        S: With<D, U1>,
    {
        Tile::wrap(V::apply(Op::Arg(Extreme::Min, D::U8), &[self.value()]))
    }

    /// The index of the greatest element along dimension `D`, of equal ones the first (seed: `max_element`). As in
    /// [`reduce_max`](Self::reduce_max), -0 is below +0, and a NaN counts only if there is nothing else: it is the first then.
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// # use typenum::*;
    /// let x = Tile::<i32, Shape![2, 2]>::new(vec![1, 3, 4, 4])?;
    /// assert_eq!(x.argmax::<U1>().to_vec(), [1, 0]);
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn argmax<D: Unsigned>(&self) -> Tile<u32, Reduced<S, D>, V>
    where
        E: Arithmetic,
        S: With<D, U1>,
    {
        Tile::wrap(V::apply(Op::Arg(Extreme::Max, D::U8), &[self.value()]))
    }

    /// Is any element along dimension `D` true, after conversion to `bool` (seed: `any_of`)?
    #[track_caller]
    pub fn any<D: Unsigned>(&self) -> Tile<bool, Reduced<S, D>, V>
    where
        S: With<D, U1>,
    {
        self.cast::<bool>().folded::<D>(Fold::Or)
    }

    /// Are all elements along dimension `D` true, after conversion to `bool` (seed: `all_of`)?
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// # use typenum::*;
    /// let x = Tile::<i32, Shape![2, 2]>::iota();
    /// assert_eq!((x.all::<U1>().to_vec(), x.any::<U1>().to_vec()), (vec![false, true], vec![true, true]));
    /// ```
    #[track_caller]
    pub fn all<D: Unsigned>(&self) -> Tile<bool, Reduced<S, D>, V>
    where
        S: With<D, U1>,
    {
        self.cast::<bool>().folded::<D>(Fold::And)
    }

    /// The elements along dimension `D` joined by `&` (seed: `reduce_bitand`).
    #[track_caller]
    pub fn reduce_and<D: Unsigned>(&self) -> Tile<E, Reduced<S, D>, V>
    where
        E: Integral,
        S: With<D, U1>,
    {
        self.folded::<D>(Fold::And)
    }

    /// The elements along dimension `D` joined by `|` (seed: `reduce_bitor`).
    #[track_caller]
    pub fn reduce_or<D: Unsigned>(&self) -> Tile<E, Reduced<S, D>, V>
    where
        E: Integral,
        S: With<D, U1>,
    {
        self.folded::<D>(Fold::Or)
    }

    /// The elements along dimension `D` joined by `^` (seed: `reduce_bitxor`).
    #[track_caller]
    pub fn reduce_xor<D: Unsigned>(&self) -> Tile<E, Reduced<S, D>, V>
    where
        E: Integral,
        S: With<D, U1>,
    {
        self.folded::<D>(Fold::Xor)
    }
}

/// Scans: running folds along dimension `D`, each element's own included, from the end that the direction names.
impl<E: Element, S: TileShape, V: Value> Tile<E, S, V> {
    #[track_caller]
    fn scanned<D: Unsigned>(&self, fold: Fold, direction: Direction) -> Self
    where
        S: With<D, U1>,
    {
        Tile::wrap(V::apply(Op::Scan(fold, D::U8, direction), &[self.value()]))
    }

    /// Running sums (seed: `partial_sum`).
    /// ```
    /// # use girih::{Shape, tile::{Direction, Tile}};
    /// # use typenum::*;
    /// let x = Tile::<i32, Shape![4]>::iota();
    /// assert_eq!(x.scan_sum::<U0>(Direction::Forward).to_vec(), [0, 1, 3, 6]);
    /// assert_eq!(x.scan_sum::<U0>(Direction::Backward).to_vec(), [6, 6, 5, 3]);
    /// ```
    #[track_caller]
    pub fn scan_sum<D: Unsigned>(&self, direction: Direction) -> Self
    where
        E: Number,
        S: With<D, U1>,
    {
        self.scanned::<D>(Fold::Sum(Mode::default()), direction)
    }

    /// [`scan_sum`](Self::scan_sum) in a mode.
    #[track_caller]
    pub fn scan_sum_with<M: TypedMode, D: Unsigned>(&self, direction: Direction) -> Self
    where
        E: ArithmeticMode<M>,
        S: With<D, U1>,
    {
        self.scanned::<D>(Fold::Sum(M::MODE), direction)
    }

    /// Running products (seed: `partial_prod`).
    #[track_caller]
    pub fn scan_prod<D: Unsigned>(&self, direction: Direction) -> Self
    where
        E: Number,
        S: With<D, U1>,
    {
        self.scanned::<D>(Fold::Prod(Mode::default()), direction)
    }

    /// [`scan_prod`](Self::scan_prod) in a mode.
    #[track_caller]
    pub fn scan_prod_with<M: TypedMode, D: Unsigned>(&self, direction: Direction) -> Self
    where
        E: ArithmeticMode<M>,
        S: With<D, U1>,
    {
        self.scanned::<D>(Fold::Prod(M::MODE), direction)
    }

    /// Running minima, as [`min`](Self::min).
    #[track_caller]
    pub fn scan_min<D: Unsigned>(&self, direction: Direction) -> Self
    where
        E: Arithmetic,
        S: With<D, U1>,
    {
        self.scanned::<D>(Fold::Min(Nan::Suppress), direction)
    }

    /// Running maxima, as [`max`](Self::max).
    #[track_caller]
    pub fn scan_max<D: Unsigned>(&self, direction: Direction) -> Self
    where
        E: Arithmetic,
        S: With<D, U1>,
    {
        self.scanned::<D>(Fold::Max(Nan::Suppress), direction)
    }

    /// Running minima, as [`minimum`](Self::minimum).
    #[track_caller]
    pub fn scan_minimum<D: Unsigned>(&self, direction: Direction) -> Self
    where
        E: Arithmetic,
        S: With<D, U1>,
    {
        self.scanned::<D>(Fold::Min(Nan::Propagate), direction)
    }

    /// Running maxima, as [`maximum`](Self::maximum).
    #[track_caller]
    pub fn scan_maximum<D: Unsigned>(&self, direction: Direction) -> Self
    where
        E: Arithmetic,
        S: With<D, U1>,
    {
        self.scanned::<D>(Fold::Max(Nan::Propagate), direction)
    }

    /// Running `&`.
    #[track_caller]
    pub fn scan_and<D: Unsigned>(&self, direction: Direction) -> Self
    where
        E: Integral,
        S: With<D, U1>,
    {
        self.scanned::<D>(Fold::And, direction)
    }

    /// Running `|`.
    #[track_caller]
    pub fn scan_or<D: Unsigned>(&self, direction: Direction) -> Self
    where
        E: Integral,
        S: With<D, U1>,
    {
        self.scanned::<D>(Fold::Or, direction)
    }

    /// Running `^`.
    #[track_caller]
    pub fn scan_xor<D: Unsigned>(&self, direction: Direction) -> Self
    where
        E: Integral,
        S: With<D, U1>,
    {
        self.scanned::<D>(Fold::Xor, direction)
    }
}

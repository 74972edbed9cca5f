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
/// Floating-point sums and products are folded in an order that depends on nothing but the shape.
impl<E: Element, S: TileShape, V: Value> Tile<E, S, V> {
    #[track_caller]
    fn folded<D: Unsigned>(&self, fold: Fold) -> Tile<E, Reduced<S, D>, V>
    where
        S: With<D, U1>,
    {
        Tile::wrap(V::apply(Op::Reduce(fold, D::U8), &[self.value()]))
    }

    /// The sum along dimension `D`; integers wrap.
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
    /// ```
    /// # use girih::{Shape, tile::Tile, tile::rounding::TowardPositive};
    /// # use typenum::*;
    /// let x = Tile::<f32, Shape![2]>::new(vec![1.0, 1e-10])?;
    /// assert_eq!(x.sum::<U0>().item(), 1.0);
    /// assert_eq!(x.sum_with::<TowardPositive, U0>().item(), 1.0 + f32::EPSILON);
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn sum_with<M: TypedMode, D: Unsigned>(&self) -> Tile<E, Reduced<S, D>, V>
    where
        E: ArithmeticMode<M>,
        S: With<D, U1>,
    {
        self.folded::<D>(Fold::Sum(M::MODE))
    }

    /// The product along dimension `D`; integers wrap.
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// # use typenum::*;
    /// let x = Tile::<u8, Shape![2, 2]>::new(vec![2, 3, 16, 17])?;
    /// assert_eq!(x.prod::<U1>().to_vec(), [6, 16]); // 272 modulo 256
    /// assert_eq!(x.prod::<U0>().to_string(), "(32 51)");
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn prod<D: Unsigned>(&self) -> Tile<E, Reduced<S, D>, V>
    where
        E: Number,
        S: With<D, U1>,
    {
        self.folded::<D>(Fold::Prod(Mode::default()))
    }

    /// [`prod`](Self::prod) in a mode.
    /// ```
    /// # use girih::{Shape, tile::Tile, tile::rounding::TowardZero};
    /// # use typenum::*;
    /// let x = Tile::<f32, Shape![2]>::full(f32::MAX);
    /// assert_eq!(x.prod::<U0>().item(), f32::INFINITY);
    /// assert_eq!(x.prod_with::<TowardZero, U0>().item(), f32::MAX);
    /// ```
    #[track_caller]
    pub fn prod_with<M: TypedMode, D: Unsigned>(&self) -> Tile<E, Reduced<S, D>, V>
    where
        E: ArithmeticMode<M>,
        S: With<D, U1>,
    {
        self.folded::<D>(Fold::Prod(M::MODE))
    }

    /// The least element along dimension `D`; NaN only of NaNs, as [`min`](Self::min).
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// # use typenum::*;
    /// let x = Tile::<f32, Shape![2, 2]>::new(vec![1.0, f32::NAN, 0.0, -0.0])?;
    /// assert_eq!(x.reduce_min::<U1>().to_string(), "( 1)\n(-0)"); // -0 is below +0
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
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
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// # use typenum::*;
    /// let x = Tile::<f32, Shape![2, 2]>::new(vec![1.0, f32::NAN, 0.0, -0.0])?;
    /// assert_eq!(x.reduce_minimum::<U1>().to_string(), "(NaN)\n( -0)");
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn reduce_minimum<D: Unsigned>(&self) -> Tile<E, Reduced<S, D>, V>
    where
        E: Arithmetic,
        S: With<D, U1>,
    {
        self.folded::<D>(Fold::Min(Nan::Propagate))
    }

    /// The greatest element along dimension `D`, or NaN if there is one, as [`maximum`](Self::maximum).
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// # use typenum::*;
    /// let x = Tile::<f32, Shape![2, 2]>::new(vec![1.0, f32::NAN, 0.0, -0.0])?;
    /// assert_eq!(x.reduce_maximum::<U1>().to_string(), "(NaN)\n(  0)"); // `reduce_max` gives 1 and 0
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn reduce_maximum<D: Unsigned>(&self) -> Tile<E, Reduced<S, D>, V>
    where
        E: Arithmetic,
        S: With<D, U1>,
    {
        self.folded::<D>(Fold::Max(Nan::Propagate))
    }

    /// The index of the least element along dimension `D`, of equal ones the first (cuda::tiles: `min_element`). As in
    /// [`reduce_min`](Self::reduce_min), -0 is below +0, and a NaN counts only if there is nothing else: it is the first then.
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// # use typenum::*;
    /// let x = Tile::<f32, Shape![4, 2]>::new(vec![2.0, 2.0, f32::NAN, 7.0, 0.0, -0.0, f32::NAN, f32::NAN])?;
    /// assert_eq!(x.argmin::<U1>().to_vec(), [0, 1, 1, 0]);
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn argmin<D: Unsigned>(&self) -> Tile<u32, Reduced<S, D>, V>
    where
        E: Arithmetic,
        S: With<D, U1>,
    {
        Tile::wrap(V::apply(Op::Arg(Extreme::Min, D::U8), &[self.value()]))
    }

    /// The index of the greatest element along dimension `D`, of equal ones the first (cuda::tiles: `max_element`). As in
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

    /// Is any element along dimension `D` true (cuda::tiles: `any_of`)? Elements of other types than `bool` are cast: true is what is
    /// other than zero.
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// # use typenum::*;
    /// let x = Tile::<f32, Shape![2, 2]>::new(vec![0.0, -0.0, 0.0, f32::NAN])?;
    /// assert_eq!(x.any::<U1>().to_vec(), [false, true]); // a NaN is other than zero
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn any<D: Unsigned>(&self) -> Tile<bool, Reduced<S, D>, V>
    where
        S: With<D, U1>,
    {
        self.cast::<bool>().folded::<D>(Fold::Or)
    }

    /// Are all elements along dimension `D` true (cuda::tiles: `all_of`)? They are cast as those of [`any`](Self::any).
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

    /// The elements along dimension `D` joined by `&` (cuda::tiles: `reduce_bitand`).
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// # use typenum::*;
    /// let x = Tile::<u8, Shape![2, 2]>::new(vec![0b1100, 0b1010, 0b0110, 0b0011])?;
    /// assert_eq!(x.reduce_and::<U1>().to_vec(), [0b1000, 0b0010]);
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn reduce_and<D: Unsigned>(&self) -> Tile<E, Reduced<S, D>, V>
    where
        E: Integral,
        S: With<D, U1>,
    {
        self.folded::<D>(Fold::And)
    }

    /// The elements along dimension `D` joined by `|` (cuda::tiles: `reduce_bitor`).
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// # use typenum::*;
    /// let x = Tile::<u8, Shape![2, 2]>::new(vec![0b1100, 0b1010, 0b0110, 0b0011])?;
    /// assert_eq!(x.reduce_or::<U1>().to_vec(), [0b1110, 0b0111]);
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn reduce_or<D: Unsigned>(&self) -> Tile<E, Reduced<S, D>, V>
    where
        E: Integral,
        S: With<D, U1>,
    {
        self.folded::<D>(Fold::Or)
    }

    /// The elements along dimension `D` joined by `^` (cuda::tiles: `reduce_bitxor`).
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// # use typenum::*;
    /// let x = Tile::<bool, Shape![4]>::new(vec![true, true, false, true])?;
    /// assert_eq!(x.reduce_xor::<U0>().to_vec(), [true]); // is the number of true ones odd?
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn reduce_xor<D: Unsigned>(&self) -> Tile<E, Reduced<S, D>, V>
    where
        E: Integral,
        S: With<D, U1>,
    {
        self.folded::<D>(Fold::Xor)
    }
}

/// Scans: running folds along dimension `D`, which stays as long as it is. Element `i` of the result is the fold of elements
/// `0..=i` where the direction is [`Forward`](Direction::Forward), and of `i..` where it is [`Backward`](Direction::Backward); it
/// is folded one by one from that end.
impl<E: Element, S: TileShape, V: Value> Tile<E, S, V> {
    #[track_caller]
    fn scanned<D: Unsigned>(&self, fold: Fold, direction: Direction) -> Self
    where
        S: With<D, U1>,
    {
        Tile::wrap(V::apply(Op::Scan(fold, D::U8, direction), &[self.value()]))
    }

    /// Running sums (cuda::tiles: `partial_sum`).
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
    /// ```
    /// # use girih::{Shape, tile::{Direction::*, Tile}, tile::rounding::TowardPositive};
    /// # use typenum::*;
    /// let (x, e) = (Tile::<f32, Shape![4]>::new(vec![1.0, 1e-10, 1e-10, 1e-10])?, f32::EPSILON);
    /// assert_eq!(x.scan_sum::<U0>(Forward).to_vec(), [1.0; 4]);
    /// assert_eq!(x.scan_sum_with::<TowardPositive, U0>(Forward).to_vec(), [1.0, 1.0 + e, 1.0 + 2.0 * e, 1.0 + 3.0 * e]);
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn scan_sum_with<M: TypedMode, D: Unsigned>(&self, direction: Direction) -> Self
    where
        E: ArithmeticMode<M>,
        S: With<D, U1>,
    {
        self.scanned::<D>(Fold::Sum(M::MODE), direction)
    }

    /// Running products (cuda::tiles: `partial_prod`).
    /// ```
    /// # use girih::{Shape, tile::{Direction::*, Tile}};
    /// # use typenum::*;
    /// let x = Tile::<i32, Shape![4]>::iota() + 1;
    /// assert_eq!(x.scan_prod::<U0>(Forward).to_vec(), [1, 2, 6, 24]); // factorials
    /// assert_eq!(x.scan_prod::<U0>(Backward).to_vec(), [24, 24, 12, 4]);
    /// ```
    #[track_caller]
    pub fn scan_prod<D: Unsigned>(&self, direction: Direction) -> Self
    where
        E: Number,
        S: With<D, U1>,
    {
        self.scanned::<D>(Fold::Prod(Mode::default()), direction)
    }

    /// [`scan_prod`](Self::scan_prod) in a mode.
    /// ```
    /// # use girih::{Shape, tile::{Direction::*, Tile}, tile::rounding::TiesToEven, tile::typed::Flush};
    /// # use typenum::*;
    /// let x = Tile::<f32, Shape![4]>::new(vec![0.5, f32::MIN_POSITIVE, 2.0, 2.0])?; // the first product is subnormal
    /// assert_eq!(x.scan_prod::<U0>(Forward).to_vec()[2..], [f32::MIN_POSITIVE, 2.0 * f32::MIN_POSITIVE]);
    /// assert_eq!(x.scan_prod_with::<Flush<TiesToEven>, U0>(Forward).to_vec(), [0.5, 0.0, 0.0, 0.0]);
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn scan_prod_with<M: TypedMode, D: Unsigned>(&self, direction: Direction) -> Self
    where
        E: ArithmeticMode<M>,
        S: With<D, U1>,
    {
        self.scanned::<D>(Fold::Prod(M::MODE), direction)
    }

    /// Running minima, as [`min`](Self::min): NaN only until a number comes.
    /// ```
    /// # use girih::{Shape, tile::{Direction::*, Tile}};
    /// # use typenum::*;
    /// let x = Tile::<f32, Shape![4]>::new(vec![f32::NAN, 3.0, 1.0, 2.0])?;
    /// assert_eq!(x.scan_min::<U0>(Forward).to_string(), "(NaN   3   1   1)");
    /// assert_eq!(x.scan_min::<U0>(Backward).to_vec(), [1.0, 1.0, 1.0, 2.0]);
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn scan_min<D: Unsigned>(&self, direction: Direction) -> Self
    where
        E: Arithmetic,
        S: With<D, U1>,
    {
        self.scanned::<D>(Fold::Min(Nan::Suppress), direction)
    }

    /// Running maxima, as [`max`](Self::max): NaN only until a number comes.
    /// ```
    /// # use girih::{Shape, tile::{Direction::*, Tile}};
    /// # use typenum::*;
    /// let x = Tile::<i32, Shape![2, 4]>::new(vec![3, 1, 4, 1, 5, 9, 2, 6])?;
    /// assert_eq!(x.scan_max::<U1>(Forward).to_string(), "(3 3 4 4)\n(5 9 9 9)");
    /// assert_eq!(x.scan_max::<U1>(Backward).to_string(), "(4 4 4 1)\n(9 9 6 6)");
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn scan_max<D: Unsigned>(&self, direction: Direction) -> Self
    where
        E: Arithmetic,
        S: With<D, U1>,
    {
        self.scanned::<D>(Fold::Max(Nan::Suppress), direction)
    }

    /// Running minima, as [`minimum`](Self::minimum): NaN from the first NaN on.
    /// ```
    /// # use girih::{Shape, tile::{Direction::*, Tile}};
    /// # use typenum::*;
    /// let x = Tile::<f32, Shape![4]>::new(vec![3.0, f32::NAN, 1.0, 2.0])?;
    /// assert_eq!(x.scan_minimum::<U0>(Forward).to_string(), "(  3 NaN NaN NaN)"); // `scan_min`: 3 3 1 1
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn scan_minimum<D: Unsigned>(&self, direction: Direction) -> Self
    where
        E: Arithmetic,
        S: With<D, U1>,
    {
        self.scanned::<D>(Fold::Min(Nan::Propagate), direction)
    }

    /// Running maxima, as [`maximum`](Self::maximum): NaN from the first NaN on.
    /// ```
    /// # use girih::{Shape, tile::{Direction::*, Tile}};
    /// # use typenum::*;
    /// let x = Tile::<f32, Shape![4]>::new(vec![3.0, f32::NAN, 1.0, 2.0])?;
    /// assert_eq!(x.scan_maximum::<U0>(Backward).to_string(), "(NaN NaN   2   2)"); // `scan_max`: 3 2 2 2
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn scan_maximum<D: Unsigned>(&self, direction: Direction) -> Self
    where
        E: Arithmetic,
        S: With<D, U1>,
    {
        self.scanned::<D>(Fold::Max(Nan::Propagate), direction)
    }

    /// Running `&`.
    /// ```
    /// # use girih::{Shape, tile::{Direction::*, Tile}};
    /// # use typenum::*;
    /// let x = Tile::<bool, Shape![4]>::new(vec![true, true, false, true])?;
    /// assert_eq!(x.scan_and::<U0>(Forward).to_vec(), [true, true, false, false]); // none false so far
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn scan_and<D: Unsigned>(&self, direction: Direction) -> Self
    where
        E: Integral,
        S: With<D, U1>,
    {
        self.scanned::<D>(Fold::And, direction)
    }

    /// Running `|`.
    /// ```
    /// # use girih::{Shape, tile::{Direction::*, Tile}};
    /// # use typenum::*;
    /// let x = Tile::<u8, Shape![4]>::new(vec![1, 2, 4, 8])?;
    /// assert_eq!(x.scan_or::<U0>(Forward).to_vec(), [1, 3, 7, 15]);
    /// assert_eq!(x.scan_or::<U0>(Backward).to_vec(), [15, 14, 12, 8]);
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn scan_or<D: Unsigned>(&self, direction: Direction) -> Self
    where
        E: Integral,
        S: With<D, U1>,
    {
        self.scanned::<D>(Fold::Or, direction)
    }

    /// Running `^`.
    /// ```
    /// # use girih::{Shape, tile::{Direction::*, Tile}};
    /// # use typenum::*;
    /// let gray = Tile::<bool, Shape![4]>::new(vec![true, false, true, true])?; // in Gray's code, the highest bit first
    /// assert_eq!(gray.scan_xor::<U0>(Forward).to_vec(), [true, true, false, true]); // 13
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn scan_xor<D: Unsigned>(&self, direction: Direction) -> Self
    where
        E: Integral,
        S: With<D, U1>,
    {
        self.scanned::<D>(Fold::Xor, direction)
    }
}

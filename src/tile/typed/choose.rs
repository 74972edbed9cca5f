//! Elementwise choices: comparisons, selection, extremes.

use super::mode::ExtremumMode;
use super::operand::{Alternative, Operand};
use super::operators::binary;
use super::shape::{BroadcastsTo, TileShape};
use super::tile::{AsTile, Tile, Value};
use crate::tile::element::Element;
use crate::tile::op::{Binary, Compare, Extremum, Op};

/// Comparisons: as IEEE 754 has it, with a NaN only `ne` holds. Both sides are converted to a common type and broadcast.
impl<E: Element, S: TileShape, V: Value> Tile<E, S, V> {
    #[track_caller]
    fn compared<R: Operand<E, S, V>>(&self, f: Compare, other: R) -> Tile<bool, R::Shape, V> {
        let [a, b] = other.meet(self);
        Tile::wrap(V::apply(Op::Compare(f), &[a.value(), b.value()]))
    }

    /// `==`
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let x = Tile::<i32, Shape![4]>::iota();
    /// assert_eq!((&x % 2).eq(0).to_vec(), [true, false, true, false]);
    /// ```
    #[track_caller]
    pub fn eq<R: Operand<E, S, V>>(&self, other: R) -> Tile<bool, R::Shape, V> {
        self.compared(Compare::Eq, other)
    }

    /// `!=`
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let x = Tile::<f32, Shape![2]>::new(vec![1.0, f32::NAN])?;
    /// assert_eq!(x.ne(&x).to_vec(), [false, true]);
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn ne<R: Operand<E, S, V>>(&self, other: R) -> Tile<bool, R::Shape, V> {
        self.compared(Compare::Ne, other)
    }

    /// `<`
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let column = Tile::<i32, Shape![2, 1]>::iota();
    /// assert_eq!(column.lt(Tile::<i32, Shape![2]>::iota()).to_string(), "(false  true)\n(false false)");
    /// ```
    #[track_caller]
    pub fn lt<R: Operand<E, S, V>>(&self, other: R) -> Tile<bool, R::Shape, V> {
        self.compared(Compare::Lt, other)
    }

    /// `<=`
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let x = Tile::<f32, Shape![2]>::new(vec![0.0, f32::NAN])?;
    /// assert_eq!(x.le(-0.0).to_vec(), [true, false]); // zeros of both signs are equal
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn le<R: Operand<E, S, V>>(&self, other: R) -> Tile<bool, R::Shape, V> {
        self.compared(Compare::Le, other)
    }

    /// `>`
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let x = Tile::<f32, Shape![2]>::new(vec![0.0, f32::NAN])?;
    /// assert_eq!((x.gt(-0.0).to_vec(), x.gt(-1.0).to_vec()), (vec![false, false], vec![true, false]));
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn gt<R: Operand<E, S, V>>(&self, other: R) -> Tile<bool, R::Shape, V> {
        self.compared(Compare::Gt, other)
    }

    /// `>=`
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// // rows against columns: the mask of causal attention
    /// let row = Tile::<i32, Shape![2, 1]>::iota();
    /// assert_eq!(row.ge(Tile::<i32, Shape![2]>::iota()).to_string(), "( true false)\n( true  true)");
    /// ```
    #[track_caller]
    pub fn ge<R: Operand<E, S, V>>(&self, other: R) -> Tile<bool, R::Shape, V> {
        self.compared(Compare::Ge, other)
    }
}

/// Choices.
impl<E: Element, S: TileShape, V: Value> Tile<E, S, V> {
    /// Elements of `a` where this tile is true, of `b` elsewhere (cuda::tiles: `select`, of which this is the condition); it is
    /// converted to `bool` and broadcast. `b` is a tile or a number.
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let c = Tile::<bool, Shape![4]>::new(vec![true, false, true, false])?;
    /// let x = Tile::<i32, Shape![4]>::iota();
    /// assert_eq!(c.select(&x, -&x).to_vec(), [0, -1, 2, -3]);
    /// assert_eq!(c.select(&x, 9).to_vec(), [0, 9, 2, 9]);
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn select<F: Element, T: TileShape>(
        &self,
        a: impl AsTile<F, T, V>,
        b: impl Alternative<F, T, V>,
    ) -> Tile<F, T, V>
    where
        S: BroadcastsTo<T>,
    {
        let (condition, a) = (self.conformed::<bool, T>(), a.as_tile());
        Tile::wrap(V::apply(Op::Select, &[condition.value(), a.value(), b.to(a).value()]))
    }

    /// The lesser element, a number rather than a NaN: IEEE 754-2019 `minimumNumber`. Two NaNs give one.
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let x = Tile::<f32, Shape![2]>::new(vec![0.0, f32::NAN])?;
    /// assert_eq!(x.min(-0.0).to_string(), "(-0 -0)"); // -0 is below +0
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn min<R: Operand<E, S, V>>(&self, other: R) -> Tile<R::Element, R::Shape, V> {
        binary(Binary::Min(Extremum::SUPPRESS), self, &other)
    }

    /// The greater element, a number rather than a NaN: IEEE 754-2019 `maximumNumber`.
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let x = Tile::<f32, Shape![2]>::new(vec![-1.0, f32::NAN])?;
    /// assert_eq!(x.max(0.0).to_vec(), [0.0, 0.0]);
    /// assert!(x.maximum(0.0).to_vec()[1].is_nan());
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn max<R: Operand<E, S, V>>(&self, other: R) -> Tile<R::Element, R::Shape, V> {
        binary(Binary::Max(Extremum::SUPPRESS), self, &other)
    }

    /// The lesser element, NaN if one is: IEEE 754-2019 `minimum`.
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let x = Tile::<f32, Shape![2]>::new(vec![0.0, f32::NAN])?;
    /// assert_eq!(x.minimum(-0.0).to_string(), "( -0 NaN)");
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn minimum<R: Operand<E, S, V>>(&self, other: R) -> Tile<R::Element, R::Shape, V> {
        binary(Binary::Min(Extremum::PROPAGATE), self, &other)
    }

    /// The greater element, NaN if one is: IEEE 754-2019 `maximum`.
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let x = Tile::<f32, Shape![2]>::new(vec![-0.0, f32::NAN])?;
    /// assert_eq!(x.maximum(0.0).to_string(), "(  0 NaN)"); // `max` gives 0 twice
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn maximum<R: Operand<E, S, V>>(&self, other: R) -> Tile<R::Element, R::Shape, V> {
        binary(Binary::Max(Extremum::PROPAGATE), self, &other)
    }

    /// [`min`](Self::min) or [`minimum`](Self::minimum), as the mode says, also flushing.
    /// ```
    /// # use girih::{Shape, tile::Tile, tile::typed::{Flush, Suppress}};
    /// let x = Tile::<f32, Shape![2]>::full(1e-40);
    /// assert_eq!(x.min(1.0).to_vec(), [1e-40; 2]);
    /// assert_eq!(x.min_with::<Flush<Suppress>, _>(1.0).to_vec(), [0.0; 2]);
    /// ```
    #[track_caller]
    pub fn min_with<M, R: Operand<E, S, V>>(&self, other: R) -> Tile<R::Element, R::Shape, V>
    where
        R::Element: ExtremumMode<M>,
    {
        binary(Binary::Min(<R::Element as ExtremumMode<M>>::MODE), self, &other)
    }

    /// [`max`](Self::max) or [`maximum`](Self::maximum), as the mode says, also flushing.
    /// ```
    /// # use girih::{Shape, tile::Tile, tile::typed::{Flush, Propagate}};
    /// let x = Tile::<f32, Shape![2]>::new(vec![-1e-40, f32::NAN])?;
    /// assert_eq!(x.max_with::<Flush<Propagate>, _>(-1.0).to_string(), "( -0 NaN)");
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn max_with<M, R: Operand<E, S, V>>(&self, other: R) -> Tile<R::Element, R::Shape, V>
    where
        R::Element: ExtremumMode<M>,
    {
        binary(Binary::Max(<R::Element as ExtremumMode<M>>::MODE), self, &other)
    }
}

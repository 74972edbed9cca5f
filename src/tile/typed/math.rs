//! Elementwise functions: comparisons, extremes, floating-point functions, and arithmetic in modes.

use super::mode::*;
use super::operand::{Alternative, Conforms, Operand};
use super::operators::binary;
use super::shape::{BroadcastsTo, TileShape};
use super::tile::{AsTile, Tile, Value};
use crate::tile::element::{BasicFloat, Element, Float, Number};
use crate::tile::op::{Binary, Compare, Extremum, Mode, Op, Unary};

/// Comparisons: as IEEE 754 has it, with a NaN only `ne` holds.
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
    #[track_caller]
    pub fn ne<R: Operand<E, S, V>>(&self, other: R) -> Tile<bool, R::Shape, V> {
        self.compared(Compare::Ne, other)
    }

    /// `<`
    #[track_caller]
    pub fn lt<R: Operand<E, S, V>>(&self, other: R) -> Tile<bool, R::Shape, V> {
        self.compared(Compare::Lt, other)
    }

    /// `<=`
    #[track_caller]
    pub fn le<R: Operand<E, S, V>>(&self, other: R) -> Tile<bool, R::Shape, V> {
        self.compared(Compare::Le, other)
    }

    /// `>`
    #[track_caller]
    pub fn gt<R: Operand<E, S, V>>(&self, other: R) -> Tile<bool, R::Shape, V> {
        self.compared(Compare::Gt, other)
    }

    /// `>=`
    #[track_caller]
    pub fn ge<R: Operand<E, S, V>>(&self, other: R) -> Tile<bool, R::Shape, V> {
        self.compared(Compare::Ge, other)
    }
}

/// Choices.
impl<E: Element, S: TileShape, V: Value> Tile<E, S, V> {
    /// Elements of `a` where this tile is true, of `b` elsewhere (seed: `select`, of which this is the condition); it is converted
    /// to `bool` and broadcast. `b` is a tile or a number.
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

    /// The lesser element, a number rather than a NaN: IEEE 754-2019 `minimumNumber`.
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
    #[track_caller]
    pub fn minimum<R: Operand<E, S, V>>(&self, other: R) -> Tile<R::Element, R::Shape, V> {
        binary(Binary::Min(Extremum::PROPAGATE), self, &other)
    }

    /// The greater element, NaN if one is: IEEE 754-2019 `maximum`.
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
    #[track_caller]
    pub fn max_with<M, R: Operand<E, S, V>>(&self, other: R) -> Tile<R::Element, R::Shape, V>
    where
        R::Element: ExtremumMode<M>,
    {
        binary(Binary::Max(<R::Element as ExtremumMode<M>>::MODE), self, &other)
    }
}

/// Arithmetic in modes; the operators have the default one, [ties to even](crate::tile::rounding::TiesToEven).
impl<E: Element, S: TileShape, V: Value> Tile<E, S, V> {
    /// `+` in a mode.
    /// ```
    /// # use girih::{Shape, tile::Tile, tile::rounding::TowardPositive};
    /// let x = Tile::<f32, Shape![2]>::full(1.0);
    /// assert_eq!(x.add_with::<TowardPositive, _>(1e-10).to_vec(), [1.0 + f32::EPSILON; 2]);
    /// ```
    #[track_caller]
    pub fn add_with<M, R: Operand<E, S, V>>(&self, other: R) -> Tile<R::Element, R::Shape, V>
    where
        R::Element: ArithmeticMode<M>,
        M: TypedMode,
    {
        binary(Binary::Add(M::MODE), self, &other)
    }

    /// `-` in a mode.
    #[track_caller]
    pub fn sub_with<M, R: Operand<E, S, V>>(&self, other: R) -> Tile<R::Element, R::Shape, V>
    where
        R::Element: ArithmeticMode<M>,
        M: TypedMode,
    {
        binary(Binary::Sub(M::MODE), self, &other)
    }

    /// `*` in a mode.
    #[track_caller]
    pub fn mul_with<M, R: Operand<E, S, V>>(&self, other: R) -> Tile<R::Element, R::Shape, V>
    where
        R::Element: ArithmeticMode<M>,
        M: TypedMode,
    {
        binary(Binary::Mul(M::MODE), self, &other)
    }

    /// `/` in a mode.
    #[track_caller]
    pub fn div_with<M, R: Operand<E, S, V>>(&self, other: R) -> Tile<R::Element, R::Shape, V>
    where
        R::Element: DivMode<M>,
        M: TypedMode,
    {
        binary(Binary::Div(M::MODE), self, &other)
    }

    /// `self * b + c`, rounded once. `b` and `c` are converted and broadcast to this tile's type, if they need not narrow.
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let x = Tile::<f32, Shape![4]>::full(3.0);
    /// assert_eq!(x.fma(2.0, &x).to_vec(), [9.0; 4]);
    /// ```
    #[track_caller]
    pub fn fma<B, C>(&self, b: B, c: C) -> Self
    where
        E: BasicFloat,
        B: Conforms<E, S, V>,
        C: Conforms<E, S, V>,
    {
        self.fused(Mode::default(), &b, &c)
    }

    /// [`fma`](Self::fma) in a mode.
    #[track_caller]
    pub fn fma_with<M, B, C>(&self, b: B, c: C) -> Self
    where
        E: BasicFloat + ArithmeticMode<M>,
        M: TypedMode,
        B: Conforms<E, S, V>,
        C: Conforms<E, S, V>,
    {
        self.fused(M::MODE, &b, &c)
    }

    #[track_caller]
    fn fused<B, C>(&self, mode: Mode, b: &B, c: &C) -> Self
    where
        B: Conforms<E, S, V>,
        C: Conforms<E, S, V>,
    {
        let ([a, b], [_, c]) = (b.meet(self), c.meet(self));
        Tile::wrap(V::apply(Op::Fma(mode), &[a.value(), b.value(), c.value()]))
    }
}

/// Functions of numbers.
impl<E: Element, S: TileShape, V: Value> Tile<E, S, V> {
    /// The magnitude; of the least signed integer itself.
    #[track_caller]
    pub fn abs(&self) -> Self
    where
        E: Number,
    {
        self.map(Unary::Abs)
    }
}

/// Classes of floats, also of restricted ones.
impl<E: Element, S: TileShape, V: Value> Tile<E, S, V> {
    /// Is it an infinity (seed: `isinf`)?
    #[track_caller]
    pub fn isinf(&self) -> Tile<bool, S, V>
    where
        E: Float,
    {
        Tile::wrap(V::apply(Op::Unary(Unary::IsInf), &[self.value()]))
    }

    /// Is it a NaN (seed: `isnan`)?
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let x = Tile::<f32, Shape![4]>::new(vec![f32::INFINITY, -f32::INFINITY, f32::NAN, 1.0])?;
    /// assert_eq!(x.isnan().to_vec(), [false, false, true, false]);
    /// assert_eq!(x.isinf().to_vec(), [true, true, false, false]);
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn isnan(&self) -> Tile<bool, S, V>
    where
        E: Float,
    {
        Tile::wrap(V::apply(Op::Unary(Unary::IsNan), &[self.value()]))
    }
}

/// Floating-point functions. `exp` and `tanh`, `exp2` and `rsqrt` have the mode [`Full`] unless another is named.
impl<E: Element, S: TileShape, V: Value> Tile<E, S, V> {
    /// The square root, rounded to nearest.
    #[track_caller]
    pub fn sqrt(&self) -> Self
    where
        E: BasicFloat,
    {
        self.map(Unary::Sqrt(Mode::default()))
    }

    /// [`sqrt`](Self::sqrt) in a mode.
    #[track_caller]
    pub fn sqrt_with<M: TypedMode>(&self) -> Self
    where
        E: SqrtMode<M>,
    {
        self.map(Unary::Sqrt(M::MODE))
    }

    /// `1 / sqrt(x)`
    #[track_caller]
    pub fn rsqrt(&self) -> Self
    where
        E: BasicFloat,
    {
        self.rsqrt_with::<Full>()
    }

    /// [`rsqrt`](Self::rsqrt) in a mode.
    #[track_caller]
    pub fn rsqrt_with<M: TypedMode>(&self) -> Self
    where
        E: FlushMode<M>,
    {
        self.map(Unary::Rsqrt(M::MODE))
    }

    /// `e^x`
    /// ```
    /// # use girih::{Shape, tile::Tile, tile::typed::{Approximate, Flush}};
    /// let x = Tile::<f32, Shape![2]>::zeros();
    /// assert_eq!(x.exp().to_vec(), [1.0; 2]);
    /// assert_eq!(x.exp_with::<Flush<Approximate>>().to_vec(), [1.0; 2]);
    /// ```
    #[track_caller]
    pub fn exp(&self) -> Self
    where
        E: BasicFloat,
    {
        self.exp_with::<Full>()
    }

    /// [`exp`](Self::exp) in a mode.
    #[track_caller]
    pub fn exp_with<M: TypedMode>(&self) -> Self
    where
        E: ExpMode<M>,
    {
        self.map(Unary::Exp(M::MODE))
    }

    /// `2^x`
    #[track_caller]
    pub fn exp2(&self) -> Self
    where
        E: BasicFloat,
    {
        self.exp2_with::<Full>()
    }

    /// [`exp2`](Self::exp2) in a mode.
    #[track_caller]
    pub fn exp2_with<M: TypedMode>(&self) -> Self
    where
        E: FlushMode<M>,
    {
        self.map(Unary::Exp2(M::MODE))
    }

    /// The natural logarithm.
    #[track_caller]
    pub fn log(&self) -> Self
    where
        E: BasicFloat,
    {
        self.map(Unary::Log)
    }

    /// The logarithm to base 2.
    #[track_caller]
    pub fn log2(&self) -> Self
    where
        E: BasicFloat,
    {
        self.map(Unary::Log2)
    }

    /// The sine, of radians.
    #[track_caller]
    pub fn sin(&self) -> Self
    where
        E: BasicFloat,
    {
        self.map(Unary::Sin)
    }

    /// The cosine, of radians.
    #[track_caller]
    pub fn cos(&self) -> Self
    where
        E: BasicFloat,
    {
        self.map(Unary::Cos)
    }

    /// The hyperbolic tangent.
    #[track_caller]
    pub fn tanh(&self) -> Self
    where
        E: BasicFloat,
    {
        self.tanh_with::<Full>()
    }

    /// [`tanh`](Self::tanh) in a mode.
    #[track_caller]
    pub fn tanh_with<M: TypedMode>(&self) -> Self
    where
        E: ExpMode<M>,
    {
        self.map(Unary::Tanh(M::MODE))
    }

    /// The greatest whole number that is not above.
    #[track_caller]
    pub fn floor(&self) -> Self
    where
        E: BasicFloat,
    {
        self.map(Unary::Floor)
    }

    /// The least whole number that is not below.
    #[track_caller]
    pub fn ceil(&self) -> Self
    where
        E: BasicFloat,
    {
        self.map(Unary::Ceil)
    }

    /// `self^other`
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// assert_eq!(Tile::<f32, Shape![2]>::full(3.0).pow(2.0).to_vec(), [9.0; 2]);
    /// ```
    #[track_caller]
    pub fn pow<R: Operand<E, S, V>>(&self, other: R) -> Tile<R::Element, R::Shape, V>
    where
        R::Element: BasicFloat,
    {
        binary(Binary::Pow, self, &other)
    }

    /// `self^exponent` for exponents that are integers: `i32`s, or a tile of what converts to them, and broadcasts.
    /// ```
    /// # use girih::{Shape, tile::{Tile, f16}};
    /// assert_eq!(Tile::<f32, Shape![2]>::full(2.0).powi(-3).to_vec(), [0.125; 2]);
    /// // 2049 is no f16: `pow` would have an even exponent
    /// assert_eq!(Tile::<f16, Shape![2]>::full(-f16::ONE).powi(2049).to_vec(), [-f16::ONE; 2]);
    /// ```
    #[track_caller]
    pub fn powi(&self, exponent: impl Conforms<i32, S, V>) -> Self
    where
        E: BasicFloat,
    {
        let like: Tile<i32, S, V> = Tile::wrap(self.value().constant(Op::Full(Tile::<i32, S>::TYPE, 0)));
        let [_, exponent] = exponent.meet(&like);
        Tile::wrap(V::apply(Op::Powi, &[self.value(), exponent.value()]))
    }
}

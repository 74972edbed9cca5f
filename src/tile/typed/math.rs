//! Elementwise functions: floating-point functions, and arithmetic in modes.

use super::mode::*;
use super::operand::{Conforms, Operand};
use super::operators::binary;
use super::shape::TileShape;
use super::tile::{Tile, Value};
use crate::tile::element::{BasicFloat, Element, Float, Number};
use crate::tile::op::{Binary, Mode, Op, Unary};

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
    /// ```
    /// # use girih::{Shape, tile::Tile, tile::rounding::TowardNegative};
    /// let x = Tile::<f32, Shape![2]>::ones();
    /// assert_eq!((&x - 1.0).to_string(), "(0 0)");
    /// assert_eq!(x.sub_with::<TowardNegative, _>(1.0).to_string(), "(-0 -0)"); // IEEE 754, 6.3
    /// ```
    #[track_caller]
    pub fn sub_with<M, R: Operand<E, S, V>>(&self, other: R) -> Tile<R::Element, R::Shape, V>
    where
        R::Element: ArithmeticMode<M>,
        M: TypedMode,
    {
        binary(Binary::Sub(M::MODE), self, &other)
    }

    /// `*` in a mode.
    /// ```
    /// # use girih::{Shape, tile::Tile, tile::rounding::TowardZero};
    /// let x = Tile::<f32, Shape![2]>::full(f32::MAX);
    /// assert_eq!((&x * 2.0).to_vec(), [f32::INFINITY; 2]);
    /// assert_eq!(x.mul_with::<TowardZero, _>(2.0).to_vec(), [f32::MAX; 2]);
    /// ```
    #[track_caller]
    pub fn mul_with<M, R: Operand<E, S, V>>(&self, other: R) -> Tile<R::Element, R::Shape, V>
    where
        R::Element: ArithmeticMode<M>,
        M: TypedMode,
    {
        binary(Binary::Mul(M::MODE), self, &other)
    }

    /// `/` in a mode.
    /// ```
    /// # use girih::{Shape, tile::Tile, tile::rounding::{TowardNegative, TowardPositive}};
    /// let x = Tile::<f64, Shape![2]>::ones();
    /// let bounds = (x.div_with::<TowardNegative, _>(3.0).to_vec(), x.div_with::<TowardPositive, _>(3.0).to_vec());
    /// assert_eq!(bounds, (vec![0.333_333_333_333_333_3; 2], vec![0.333_333_333_333_333_37; 2])); // next to each other
    /// ```
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
    /// let (x, e) = (Tile::<f32, Shape![2]>::full(1.0 + f32::EPSILON), f32::EPSILON);
    /// assert_eq!((&x * &x - (1.0 + 2.0 * e)).to_vec(), [0.0; 2]);
    /// assert_eq!(x.fma(&x, -1.0 - 2.0 * e).to_vec(), [e * e; 2]); // what rounding the product loses
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
    /// ```
    /// # use girih::{Shape, tile::Tile, tile::rounding::TowardPositive};
    /// let x = Tile::<f32, Shape![2]>::full(1.0 + f32::EPSILON);
    /// assert_eq!(x.fma(&x, 0.0).to_vec(), [1.0 + 2.0 * f32::EPSILON; 2]);
    /// assert_eq!(x.fma_with::<TowardPositive, _, _>(&x, 0.0).to_vec(), [1.0 + 3.0 * f32::EPSILON; 2]);
    /// ```
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
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// assert_eq!(Tile::<i8, Shape![2]>::new(vec![-3, -128])?.abs().to_vec(), [3, -128]);
    /// assert_eq!(Tile::<f32, Shape![2]>::full(-0.0).abs().to_string(), "(0 0)");
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
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
    /// Is it an infinity (cuda::tiles: `isinf`)?
    /// ```
    /// # use girih::{Shape, tile::{F8E4M3, F8E5M2, Tile}};
    /// assert_eq!(Tile::<F8E5M2, Shape![2]>::full(F8E5M2::INFINITY).isinf().to_vec(), [true; 2]);
    /// assert_eq!(Tile::<F8E4M3, Shape![2]>::full(F8E4M3::MAX).isinf().to_vec(), [false; 2]); // it has none
    /// ```
    #[track_caller]
    pub fn isinf(&self) -> Tile<bool, S, V>
    where
        E: Float,
    {
        Tile::wrap(V::apply(Op::Unary(Unary::IsInf), &[self.value()]))
    }

    /// Is it a NaN (cuda::tiles: `isnan`)?
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
    /// The square root, rounded to nearest; of -0 it is -0, of numbers below NaN.
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let x = Tile::<f32, Shape![4]>::new(vec![2.25, -0.0, f32::INFINITY, -1.0])?;
    /// assert_eq!(x.sqrt().to_string(), "(1.5  -0 inf NaN)");
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn sqrt(&self) -> Self
    where
        E: BasicFloat,
    {
        self.map(Unary::Sqrt(Mode::default()))
    }

    /// [`sqrt`](Self::sqrt) in a mode.
    /// ```
    /// # use girih::{Shape, tile::Tile, tile::rounding::TowardPositive};
    /// # use core::f32::consts::SQRT_2;
    /// let x = Tile::<f32, Shape![2]>::full(2.0);
    /// assert_eq!(x.sqrt().to_vec(), [SQRT_2; 2]); // the nearest, which is below
    /// assert_eq!(x.sqrt_with::<TowardPositive>().to_vec(), [SQRT_2.next_up(); 2]);
    /// ```
    #[track_caller]
    pub fn sqrt_with<M: TypedMode>(&self) -> Self
    where
        E: SqrtMode<M>,
    {
        self.map(Unary::Sqrt(M::MODE))
    }

    /// `1 / sqrt(x)`; of zeros the infinity of their sign (IEEE 754, `rSqrt`).
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let x = Tile::<f32, Shape![4]>::new(vec![4.0, 0.0, -0.0, -1.0])?;
    /// assert_eq!(x.rsqrt().to_string(), "( 0.5  inf -inf  NaN)");
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn rsqrt(&self) -> Self
    where
        E: BasicFloat,
    {
        self.rsqrt_with::<Full>()
    }

    /// [`rsqrt`](Self::rsqrt) in a mode.
    /// ```
    /// # use girih::{Shape, tile::Tile, tile::typed::{Flush, Full}};
    /// let x = Tile::<f32, Shape![2]>::full(f32::from_bits(1)); // 2^-149, subnormal
    /// assert!(x.rsqrt().to_vec()[0].is_finite());
    /// assert_eq!(x.rsqrt_with::<Flush<Full>>().to_vec(), [f32::INFINITY; 2]);
    /// ```
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
    /// ```
    /// # use girih::{Shape, tile::Tile, tile::typed::{Flush, Full}};
    /// let x = Tile::<f32, Shape![2]>::new(vec![0.0, -100.0])?;
    /// assert!(x.exp().to_vec()[1] > 0.0); // about 4e-44, subnormal
    /// assert_eq!(x.exp_with::<Flush<Full>>().to_vec(), [1.0, 0.0]);
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn exp_with<M: TypedMode>(&self) -> Self
    where
        E: ExpMode<M>,
    {
        self.map(Unary::Exp(M::MODE))
    }

    /// `2^x`
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let x = Tile::<f32, Shape![4]>::new(vec![-149.0, -1.0, 10.0, 128.0])?;
    /// assert_eq!(x.exp2().to_vec(), [f32::from_bits(1), 0.5, 1024.0, f32::INFINITY]);
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn exp2(&self) -> Self
    where
        E: BasicFloat,
    {
        self.exp2_with::<Full>()
    }

    /// [`exp2`](Self::exp2) in a mode.
    /// ```
    /// # use girih::{Shape, tile::Tile, tile::typed::{Flush, Full}};
    /// let x = Tile::<f32, Shape![2]>::new(vec![-126.0, -127.0])?;
    /// assert_eq!(x.exp2_with::<Flush<Full>>().to_vec(), [f32::MIN_POSITIVE, 0.0]);
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn exp2_with<M: TypedMode>(&self) -> Self
    where
        E: FlushMode<M>,
    {
        self.map(Unary::Exp2(M::MODE))
    }

    /// The natural logarithm; of zeros minus infinity, of numbers below NaN.
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let x = Tile::<f32, Shape![4]>::new(vec![1.0, 0.0, f32::INFINITY, -1.0])?;
    /// assert_eq!(x.log().to_string(), "(   0 -inf  inf  NaN)");
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn log(&self) -> Self
    where
        E: BasicFloat,
    {
        self.map(Unary::Log)
    }

    /// The logarithm to base 2, as [`log`](Self::log).
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let x = Tile::<f32, Shape![4]>::new(vec![8.0, 0.5, -0.0, f32::from_bits(1)])?;
    /// assert_eq!(x.log2().to_vec(), [3.0, -1.0, f32::NEG_INFINITY, -149.0]);
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn log2(&self) -> Self
    where
        E: BasicFloat,
    {
        self.map(Unary::Log2)
    }

    /// The sine, of radians; of infinities NaN.
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// # use core::f32::consts::PI;
    /// let x = Tile::<f32, Shape![2]>::new(vec![PI / 2.0, PI])?;
    /// assert_eq!(x.sin().to_vec(), [1.0, -8.742278e-8]); // the f32 nearest to pi is above it
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn sin(&self) -> Self
    where
        E: BasicFloat,
    {
        self.map(Unary::Sin)
    }

    /// The cosine, of radians; of infinities NaN.
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let x = Tile::<f32, Shape![2]>::new(vec![-0.0, core::f32::consts::PI])?;
    /// assert_eq!(x.cos().to_vec(), [1.0, -1.0]);
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn cos(&self) -> Self
    where
        E: BasicFloat,
    {
        self.map(Unary::Cos)
    }

    /// The hyperbolic tangent, from -1 to 1.
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let x = Tile::<f32, Shape![4]>::new(vec![-0.0, f32::INFINITY, -100.0, f32::NAN])?;
    /// assert_eq!(x.tanh().to_string(), "( -0   1  -1 NaN)");
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn tanh(&self) -> Self
    where
        E: BasicFloat,
    {
        self.tanh_with::<Full>()
    }

    /// [`tanh`](Self::tanh) in a mode.
    /// ```
    /// # use girih::{Shape, tile::Tile, tile::typed::{Flush, Full}};
    /// let x = Tile::<f32, Shape![2]>::full(-1e-40);
    /// assert_eq!(x.tanh().to_vec(), [-1e-40; 2]);
    /// assert_eq!(x.tanh_with::<Flush<Full>>().to_string(), "(-0 -0)");
    /// ```
    #[track_caller]
    pub fn tanh_with<M: TypedMode>(&self) -> Self
    where
        E: ExpMode<M>,
    {
        self.map(Unary::Tanh(M::MODE))
    }

    /// The greatest whole number that is not above; zeros keep their sign.
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let x = Tile::<f32, Shape![4]>::new(vec![-0.5, -0.0, 2.0, 2.9])?;
    /// assert_eq!(x.floor().to_string(), "(-1 -0  2  2)");
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn floor(&self) -> Self
    where
        E: BasicFloat,
    {
        self.map(Unary::Floor)
    }

    /// The least whole number that is not below; above -1 and below 0 that is -0.
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let x = Tile::<f32, Shape![4]>::new(vec![-0.5, 0.1, 2.0, -2.9])?;
    /// assert_eq!(x.ceil().to_string(), "(-0  1  2 -2)");
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
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

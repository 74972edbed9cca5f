//! Modes of floating-point functions as types, and which function has which mode for which elements.

use crate::tile::element::rounding::{TiesToEven, TowardNegative, TowardPositive, TowardZero};
use crate::tile::element::{BasicFloat, Number, RoundingMode};
use crate::tile::op::{Mode, Precision};

mod sealed {
    pub trait Sealed {}
}

/// A [`Mode`] as a type: a rounding mode, [`Full`], [`Approximate`], or one of these in [`Flush`].
/// ```
/// use girih::tile::element::rounding::TowardZero;
/// use girih::tile::typed::{Flush, TypedMode};
/// assert!(<Flush<TowardZero>>::MODE.flush);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no mode of arithmetic",
    note = "modes are TiesToEven, TowardZero, TowardNegative, TowardPositive, Full, Approximate, and each of them in Flush<..>"
)]
pub trait TypedMode: sealed::Sealed {
    /// The mode as a value.
    const MODE: Mode;
}

/// [`Precision::Full`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Full;
/// [`Precision::Approximate`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Approximate;
/// A mode whose subnormal operands and results are zeros of their sign (`.ftz`): `f32` only.
#[derive(Clone, Copy, Debug)]
pub struct Flush<M>(core::marker::PhantomData<M>);

impl<M: RoundingMode> sealed::Sealed for M {}
impl<M: RoundingMode> TypedMode for M {
    const MODE: Mode = Mode { precision: Precision::Rounded(M::MODE), flush: false };
}
impl sealed::Sealed for Full {}
impl TypedMode for Full {
    const MODE: Mode = Mode { precision: Precision::Full, flush: false };
}
impl sealed::Sealed for Approximate {}
impl TypedMode for Approximate {
    const MODE: Mode = Mode { precision: Precision::Approximate, flush: false };
}
impl<M> sealed::Sealed for Flush<M> {}
impl<M: TypedMode> TypedMode for Flush<M> {
    const MODE: Mode = Mode { flush: true, ..M::MODE };
}

/// A mode of sums and products of elements `E`: the four directions of IEEE 754, in [`Flush`] for `f32`; of integers only the
/// default, [`TiesToEven`], which rounds nothing there.
#[diagnostic::on_unimplemented(
    message = "sums and products of `{E}` have no mode `{Self}`",
    label = "no mode of `{E}`",
    note = "of f16, bf16, f32 and f64: TiesToEven, TowardZero, TowardNegative, TowardPositive; of f32 also in Flush<..>"
)]
pub trait ArithmeticMode<E>: TypedMode {}
impl<E: Number> ArithmeticMode<E> for TiesToEven {}
impl<E: BasicFloat> ArithmeticMode<E> for TowardZero {}
impl<E: BasicFloat> ArithmeticMode<E> for TowardNegative {}
impl<E: BasicFloat> ArithmeticMode<E> for TowardPositive {}
#[diagnostic::do_not_recommend]
impl<M: RoundingMode + ArithmeticMode<f32>> ArithmeticMode<f32> for Flush<M> {}

/// A mode of quotients of elements `E`: those of [`ArithmeticMode`], and for `f32` [`Full`] and [`Approximate`].
#[diagnostic::on_unimplemented(
    message = "quotients of `{E}` have no mode `{Self}`",
    label = "no mode of `{E}`",
    note = "of f16, bf16, f32 and f64: TiesToEven, TowardZero, TowardNegative, TowardPositive",
    note = "of f32 also Full and Approximate, and each in Flush<..>"
)]
pub trait DivMode<E>: TypedMode {}
#[diagnostic::do_not_recommend]
impl<E: Number, M: RoundingMode + ArithmeticMode<E>> DivMode<E> for M {}
#[diagnostic::do_not_recommend]
impl<M: DivMode<f32>> DivMode<f32> for Flush<M> {}
impl DivMode<f32> for Full {}
impl DivMode<f32> for Approximate {}

/// A mode of square roots of elements `E`: those of [`ArithmeticMode`], and for `f32` [`Approximate`].
#[diagnostic::on_unimplemented(
    message = "square roots of `{E}` have no mode `{Self}`",
    label = "no mode of `{E}`",
    note = "of f16, bf16, f32 and f64: TiesToEven, TowardZero, TowardNegative, TowardPositive",
    note = "of f32 also Approximate, and each in Flush<..>"
)]
pub trait SqrtMode<E>: TypedMode {}
#[diagnostic::do_not_recommend]
impl<E: BasicFloat, M: RoundingMode + ArithmeticMode<E>> SqrtMode<E> for M {}
#[diagnostic::do_not_recommend]
impl<M: SqrtMode<f32>> SqrtMode<f32> for Flush<M> {}
impl SqrtMode<f32> for Approximate {}

/// A mode of `exp` and `tanh` of elements `E`: [`Full`], and for `f32` [`Approximate`] and both in [`Flush`].
#[diagnostic::on_unimplemented(
    message = "exp and tanh of `{E}` have no mode `{Self}`",
    label = "no mode of `{E}`",
    note = "of f16, bf16, f32 and f64: Full; of f32 also Approximate, and each in Flush<..>"
)]
pub trait ExpMode<E>: TypedMode {}
impl<E: BasicFloat> ExpMode<E> for Full {}
impl ExpMode<f32> for Approximate {}
impl ExpMode<f32> for Flush<Full> {}
impl ExpMode<f32> for Flush<Approximate> {}

/// A mode of `exp2` and `rsqrt` of elements `E`: [`Full`], and for `f32` in [`Flush`].
#[diagnostic::on_unimplemented(
    message = "exp2 and rsqrt of `{E}` have no mode `{Self}`",
    label = "no mode of `{E}`",
    note = "of f16, bf16, f32 and f64: Full; of f32 also Flush<Full>"
)]
pub trait FlushMode<E>: TypedMode {}
impl<E: BasicFloat> FlushMode<E> for Full {}
impl FlushMode<f32> for Flush<Full> {}

//! Modes of floating-point functions as types, and which function has which mode for which elements.

use crate::tile::element::rounding::{TiesToEven, TowardNegative, TowardPositive, TowardZero};
use crate::tile::element::{Arithmetic, BasicFloat, Number, RoundingMode};
use crate::tile::op::{Extremum, Mode, Nan, Precision};

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

/// What [`Flush`] flushes: a mode that does not yet.
trait Unflushed: TypedMode {}
impl<M: RoundingMode> Unflushed for M {}
impl Unflushed for Full {}
impl Unflushed for Approximate {}

impl<M: RoundingMode> sealed::Sealed for M {}
impl<M: RoundingMode> TypedMode for M {
    const MODE: Mode = Mode { precision: Precision::Rounded(M::MODE), flush: false };
}
impl sealed::Sealed for Full {}
impl TypedMode for Full {
    const MODE: Mode = Mode::FULL;
}
impl sealed::Sealed for Approximate {}
impl TypedMode for Approximate {
    const MODE: Mode = Mode::APPROXIMATE;
}
impl<M> sealed::Sealed for Flush<M> {}
impl<M: Unflushed> TypedMode for Flush<M> {
    const MODE: Mode = Mode { flush: true, ..M::MODE };
}

/// Elements whose sums and products have the mode `M`: the four directions of IEEE 754 for basic floats, in [`Flush`] for `f32`;
/// for integers only the default, [`TiesToEven`], which rounds nothing there.
#[diagnostic::on_unimplemented(
    message = "sums and products of `{Self}` have no mode `{M}`",
    label = "not with these elements",
    note = "of f16, bf16, f32 and f64: TiesToEven, TowardZero, TowardNegative, TowardPositive; of f32 also in Flush<..>",
    note = "integers are not rounded"
)]
pub trait ArithmeticMode<M>: Number {}
impl<E: Number> ArithmeticMode<TiesToEven> for E {}
impl<E: BasicFloat> ArithmeticMode<TowardZero> for E {}
impl<E: BasicFloat> ArithmeticMode<TowardNegative> for E {}
impl<E: BasicFloat> ArithmeticMode<TowardPositive> for E {}
#[diagnostic::do_not_recommend]
impl<M: RoundingMode> ArithmeticMode<Flush<M>> for f32 where f32: ArithmeticMode<M> {}

/// Elements whose quotients have the mode `M`: those of [`ArithmeticMode`], and for `f32` [`Full`] and [`Approximate`].
#[diagnostic::on_unimplemented(
    message = "quotients of `{Self}` have no mode `{M}`",
    label = "not with these elements",
    note = "of f16, bf16, f32 and f64: TiesToEven, TowardZero, TowardNegative, TowardPositive",
    note = "of f32 also Full and Approximate, and each in Flush<..>"
)]
pub trait DivMode<M>: Number {}
#[diagnostic::do_not_recommend]
impl<M: RoundingMode, E: ArithmeticMode<M>> DivMode<M> for E {}
#[diagnostic::do_not_recommend]
impl<M> DivMode<Flush<M>> for f32 where f32: DivMode<M> {}
impl DivMode<Full> for f32 {}
impl DivMode<Approximate> for f32 {}

/// Elements whose square roots have the mode `M`: those of [`ArithmeticMode`], and for `f32` [`Approximate`].
#[diagnostic::on_unimplemented(
    message = "square roots of `{Self}` have no mode `{M}`",
    label = "not with these elements",
    note = "of f16, bf16, f32 and f64: TiesToEven, TowardZero, TowardNegative, TowardPositive",
    note = "of f32 also Approximate, and each in Flush<..>"
)]
pub trait SqrtMode<M>: BasicFloat {}
#[diagnostic::do_not_recommend]
impl<M: RoundingMode, E: BasicFloat + ArithmeticMode<M>> SqrtMode<M> for E {}
#[diagnostic::do_not_recommend]
impl<M> SqrtMode<Flush<M>> for f32 where f32: SqrtMode<M> {}
impl SqrtMode<Approximate> for f32 {}

/// Elements whose `exp` and `tanh` have the mode `M`: [`Full`], and for `f32` [`Approximate`] and both in [`Flush`].
#[diagnostic::on_unimplemented(
    message = "exp and tanh of `{Self}` have no mode `{M}`",
    label = "not with these elements",
    note = "of f16, bf16, f32 and f64: Full; of f32 also Approximate, and each in Flush<..>"
)]
pub trait ExpMode<M>: BasicFloat {}
impl<E: BasicFloat> ExpMode<Full> for E {}
impl ExpMode<Approximate> for f32 {}
impl ExpMode<Flush<Full>> for f32 {}
impl ExpMode<Flush<Approximate>> for f32 {}

/// Elements whose `exp2` and `rsqrt` have the mode `M`: [`Full`], and for `f32` in [`Flush`].
#[diagnostic::on_unimplemented(
    message = "exp2 and rsqrt of `{Self}` have no mode `{M}`",
    label = "not with these elements",
    note = "of f16, bf16, f32 and f64: Full; of f32 also Flush<Full>"
)]
pub trait FlushMode<M>: BasicFloat {}
impl<E: BasicFloat> FlushMode<Full> for E {}
impl FlushMode<Flush<Full>> for f32 {}

/// [`Nan::Suppress`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Suppress;
/// [`Nan::Propagate`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Propagate;

/// Elements whose `min` and `max` have the mode `M`: [`Suppress`] and [`Propagate`], and for `f32` both in [`Flush`].
#[diagnostic::on_unimplemented(
    message = "min and max of `{Self}` have no mode `{M}`",
    label = "not with these elements",
    note = "Suppress and Propagate; of f32 also Flush<Suppress> and Flush<Propagate>"
)]
pub trait ExtremumMode<M>: Arithmetic {
    /// The mode as a value.
    const MODE: Extremum;
}
impl<E: Arithmetic> ExtremumMode<Suppress> for E {
    const MODE: Extremum = Extremum::SUPPRESS;
}
impl<E: Arithmetic> ExtremumMode<Propagate> for E {
    const MODE: Extremum = Extremum::PROPAGATE;
}
impl ExtremumMode<Flush<Suppress>> for f32 {
    const MODE: Extremum = Extremum { nan: Nan::Suppress, flush: true };
}
impl ExtremumMode<Flush<Propagate>> for f32 {
    const MODE: Extremum = Extremum { nan: Nan::Propagate, flush: true };
}

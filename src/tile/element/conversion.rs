//! Which conversions there are: rounding modes and saturation by pair of types.

use super::cast::lanes;
use super::rounding::{TiesAway, TiesToEven, TowardNegative, TowardPositive, TowardZero};
use super::{
    BasicFloat, Element, ElementType, F4E2M1, F8E4M3, F8E5M2, F8E8M0, F8UE5M3, Float, Integral, Rounding, RoundingMode,
    Saturation, Tf32, Widens, bf16, f16, non_narrowing,
};
use core::fmt;

/// The rounding modes of a conversion; none unless both are floats.
///
/// The first row that fits counts (cuda::tiles, `element_cast`):
///
/// | to | from | modes |
/// |---|---|---|
/// | `f8e8m0` | any | toward zero, toward positive |
/// | `f8e4m3`, `f8e5m2`, `f8ue5m3`, `f4e2m1` | any | ties to even |
/// | any | what does not narrow, see [`non_narrowing`] | all five |
/// | `f32` | `f64` | ties to even, toward zero, toward negative, toward positive |
/// | `tf32` | `f32` | ties to even, toward zero, ties away |
/// | any | any | ties to even, toward zero |
///
/// Where Tile IR differs this follows cuda::tiles: Tile IR has no directed modes to `bf16` and `tf32`, also where nothing is
/// rounded, no ties away to `f32` from `f8e8m0`, and gives all five from `f16` and `bf16` to `f16`.
/// ```
/// use girih::tile::element::{ElementType::*, Rounding::*, rounding_modes};
/// assert_eq!(rounding_modes(F32, Tf32), [TiesToEven, TowardZero, TiesAway]);
/// assert_eq!(rounding_modes(F64, F8E8M0), [TowardZero, TowardPositive]);
/// assert!(rounding_modes(F32, I32).is_empty());
/// ```
pub const fn rounding_modes(from: ElementType, to: ElementType) -> &'static [Rounding] {
    use ElementType::*;
    use Rounding::*;
    match (from, to) {
        _ if !from.is_float() || !to.is_float() => &[],
        (_, F8E8M0) => &[TowardZero, TowardPositive],
        (_, F8E4M3 | F8E5M2 | F8UE5M3 | F4E2M1) => &[TiesToEven],
        _ if non_narrowing(from, to) => &Rounding::ALL,
        (F64, F32) => &[TiesToEven, TowardZero, TowardNegative, TowardPositive],
        (F32, Tf32) => &[TiesToEven, TowardZero, TiesAway],
        _ => &[TiesToEven, TowardZero],
    }
}

/// The rounding of a conversion to a type when none is asked for: ties to even, but toward zero to `f8e8m0`, which has no ties.
pub const fn default_rounding(to: ElementType) -> Rounding {
    match to {
        ElementType::F8E8M0 => Rounding::TowardZero,
        _ => Rounding::TiesToEven,
    }
}

/// A conversion from one element type to another, with its rounding and saturation. What they mean: [`cast`](super::cast).
/// ```
/// use girih::tile::element::{Conversion, ElementType::*, Rounding::*};
/// assert_eq!(Conversion::new(F32, F8E8M0).rounding(), TowardZero);
/// assert!(Conversion::new(F32, I16).saturating().is_ok());
/// let e = Conversion::new(F32, Tf32).rounded(TowardPositive).unwrap_err();
/// assert_eq!(e.to_string(), "f32 to tf32 does not round toward positive; it rounds ties to even, toward zero or ties away");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Conversion {
    pub(super) from: ElementType,
    pub(super) to: ElementType,
    pub(super) rounding: Rounding,
    pub(super) saturation: Saturation,
}

impl Conversion {
    /// With the default rounding, without saturation.
    pub const fn new(from: ElementType, to: ElementType) -> Conversion {
        Conversion { from, to, rounding: default_rounding(to), saturation: Saturation::None }
    }

    /// With a rounding mode.
    ///
    /// # Errors
    /// [`ConversionError::Rounding`] if it is not among the pair's [`rounding_modes`].
    pub fn rounded(self, rounding: Rounding) -> Result<Conversion, ConversionError> {
        let Conversion { from, to, .. } = self;
        match rounding_modes(from, to).contains(&rounding) {
            true => Ok(Conversion { rounding, ..self }),
            false => Err(ConversionError::Rounding { from, to, rounding }),
        }
    }

    /// With saturation to finite values.
    ///
    /// # Errors
    /// [`ConversionError::Saturation`] unless it is from a basic float to an integral type.
    pub const fn saturating(self) -> Result<Conversion, ConversionError> {
        let Conversion { from, to, .. } = self;
        match from.is_basic_float() && to.is_integral() {
            true => Ok(Conversion { saturation: Saturation::Finite, ..self }),
            false => Err(ConversionError::Saturation { from, to }),
        }
    }

    /// With a rounding mode that the bound [`RoundsTo`] has checked.
    pub(crate) const fn rounded_as<A: RoundsTo<B, M>, B: Element, M: RoundingMode>() -> Conversion {
        Conversion { rounding: M::MODE, ..Conversion::new(A::TYPE, B::TYPE) }
    }

    /// With saturation that the bound [`SaturatesTo`] has checked.
    pub(crate) const fn saturated_as<A: SaturatesTo<B>, B: Element>() -> Conversion {
        Conversion { saturation: Saturation::Finite, ..Conversion::new(A::TYPE, B::TYPE) }
    }

    /// Elements converted, each as by [`cast`](super::cast), [`cast_rounded`](super::cast_rounded) and
    /// [`cast_saturating`](super::cast_saturating).
    /// ```
    /// use girih::tile::element::{Conversion, ElementType::*, Rounding::TowardZero};
    /// let how = Conversion::new(F64, F32).rounded(TowardZero)?;
    /// assert_eq!(how.convert::<f64, f32>(&[0.1, 1e300])?, [0.099999994, f32::MAX]);
    /// # Ok::<(), girih::tile::element::ConversionError>(())
    /// ```
    ///
    /// # Errors
    /// [`ConversionError::Types`] if it is of other types.
    pub fn convert<A: Element, B: Element>(self, from: &[A]) -> Result<Vec<B>, ConversionError> {
        if (self.from, self.to) != (A::TYPE, B::TYPE) {
            return Err(ConversionError::Types { from: A::TYPE, to: B::TYPE, conversion: self });
        }
        let mut to = Vec::with_capacity(from.len());
        lanes(from, B::TYPE, &mut |lanes| lanes.append(self, &mut to));
        Ok(to)
    }

    /// The type converted from.
    pub const fn from(self) -> ElementType {
        self.from
    }

    /// The type converted to.
    pub const fn to(self) -> ElementType {
        self.to
    }

    /// The rounding of results between two neighbours.
    pub const fn rounding(self) -> Rounding {
        self.rounding
    }

    /// What becomes of results that are out of range.
    pub const fn saturation(self) -> Saturation {
        self.saturation
    }
}

/// Why there is no such conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConversionError {
    /// the pair does not round this way
    Rounding {
        /// the type converted from
        from: ElementType,
        /// the type converted to
        to: ElementType,
        /// the mode asked for
        rounding: Rounding,
    },
    /// the conversion is of other types
    Types {
        /// the type of the elements
        from: ElementType,
        /// the type asked for
        to: ElementType,
        /// the conversion
        conversion: Conversion,
    },
    /// only conversions from basic floats to integral types saturate
    Saturation {
        /// the type converted from
        from: ElementType,
        /// the type converted to
        to: ElementType,
    },
}

impl fmt::Display for ConversionError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ConversionError::Rounding { from, to, rounding } => {
                write!(f, "{from} to {to} does not round {rounding}; ")?;
                let modes = rounding_modes(*from, *to);
                let Some((last, others)) = modes.split_last() else {
                    return write!(f, "a rounding mode is for conversions between floats");
                };
                write!(f, "it rounds ")?;
                for (i, mode) in others.iter().enumerate() {
                    write!(f, "{}{mode}", if i == 0 { "" } else { ", " })?;
                }
                write!(f, "{}{last}", if others.is_empty() { "" } else { " or " })
            }
            ConversionError::Types { from, to, conversion: Conversion { from: a, to: b, .. } } => {
                write!(f, "a conversion from {a} to {b} was given {from} to make {to}")
            }
            ConversionError::Saturation { from, to } => {
                write!(f, "{from} to {to} does not saturate; only f16, bf16, f32 and f64 to integers and bool do")
            }
        }
    }
}

impl core::error::Error for ConversionError {}

/// `Self` converts to `To` with this rounding mode: [`rounding_modes`] as a fact of types.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not convert to `{To}` with rounding `{Mode}`",
    label = "this pair of types does not round this way",
    note = "to F8E8M0: TowardZero, TowardPositive; to F8E4M3, F8E5M2, F8UE5M3 and F4E2M1: TiesToEven",
    note = "otherwise, from what does not narrow: all five; f64 to f32: all but TiesAway; f32 to Tf32: TiesToEven, TowardZero, \
            TiesAway; other floats to floats: TiesToEven, TowardZero",
    note = "a rounding mode is for conversions between floats; without one, use `.cast()`"
)]
pub trait RoundsTo<To: Element, Mode: RoundingMode>: Element {}

/// `Self` converts to `To` with saturation: from a basic float to an integral type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not convert to `{To}` with saturation",
    label = "only f16, bf16, f32 and f64 to integers and bool saturate",
    note = "without saturation, use `.cast()`: to the floats of 8 and 4 bits it gives the largest finite value in any case"
)]
pub trait SaturatesTo<To: Element>: Element {}

impl<From: BasicFloat, To: Integral> SaturatesTo<To> for From {}

impl<From: Float> RoundsTo<F8E8M0, TowardZero> for From {}
impl<From: Float> RoundsTo<F8E8M0, TowardPositive> for From {}

macro_rules! rounds {
    (any => $($to:ty)*: $mode:ty) => { $(impl<From: Float> RoundsTo<$to, $mode> for From {})* };
    (wider => $($to:ty)*) => { $(impl<From: Float + Widens<$to>, Mode: RoundingMode> RoundsTo<$to, Mode> for From {})* };
    ($from:ty => $to:ty: $($mode:ty)*) => { $(impl RoundsTo<$to, $mode> for $from {})* };
}

rounds!(any => F8E4M3 F8E5M2 F8UE5M3 F4E2M1: TiesToEven);
rounds!(wider => f16 bf16 Tf32 f32 f64);
rounds!(f64 => f32: TiesToEven TowardZero TowardNegative TowardPositive);
rounds!(f32 => Tf32: TiesToEven TowardZero TiesAway);
rounds!(f64 => Tf32: TiesToEven TowardZero);
rounds!(f64 => bf16: TiesToEven TowardZero);
rounds!(f64 => f16: TiesToEven TowardZero);
rounds!(f32 => bf16: TiesToEven TowardZero);
rounds!(f32 => f16: TiesToEven TowardZero);
rounds!(Tf32 => bf16: TiesToEven TowardZero);
rounds!(Tf32 => f16: TiesToEven TowardZero);
rounds!(bf16 => f16: TiesToEven TowardZero);
rounds!(f16 => bf16: TiesToEven TowardZero);
rounds!(F8E8M0 => f16: TiesToEven TowardZero);
rounds!(F8UE5M3 => f16: TiesToEven TowardZero);

//! Rounding and saturation: as values, and as types for what is decided when compiling.

use core::fmt;

/// How a result between two neighbours is rounded.
/// ```
/// use girih::tile::element::Rounding;
/// assert_eq!(Rounding::default(), Rounding::TiesToEven);
/// assert_eq!(Rounding::TowardZero.to_string(), "toward zero");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Rounding {
    /// to the nearest, of two the one whose last bit is 0; PTX `.rn`
    #[default]
    TiesToEven,
    /// to the neighbour closer to zero; PTX `.rz`
    TowardZero,
    /// to the lower neighbour; PTX `.rm`
    TowardNegative,
    /// to the upper neighbour; PTX `.rp`
    TowardPositive,
    /// to the nearest, of two the one farther from zero; PTX `.rna`
    TiesAway,
}

impl Rounding {
    /// All of them.
    pub const ALL: [Rounding; 5] = [
        Rounding::TiesToEven,
        Rounding::TowardZero,
        Rounding::TowardNegative,
        Rounding::TowardPositive,
        Rounding::TiesAway,
    ];
}

impl fmt::Display for Rounding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Rounding::TiesToEven => "ties to even",
            Rounding::TowardZero => "toward zero",
            Rounding::TowardNegative => "toward negative",
            Rounding::TowardPositive => "toward positive",
            Rounding::TiesAway => "ties away",
        })
    }
}

/// What becomes of a value beyond the largest finite one of its new type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Saturation {
    /// what the type has for it
    #[default]
    None,
    /// the largest finite value of its sign
    Finite,
}

/// A [`Rounding`] as a type, for conversions whose mode is checked when compiling.
/// ```
/// use girih::tile::element::{Rounding, RoundingMode, rounding};
/// assert_eq!(rounding::TiesAway::MODE, Rounding::TiesAway);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a rounding mode",
    note = "the modes are TiesToEven, TowardZero, TowardNegative, TowardPositive and TiesAway of `girih::tile::element::rounding`"
)]
pub trait RoundingMode: Copy + Default + Send + Sync + 'static + sealed::Sealed {
    /// The mode as a value.
    const MODE: Rounding;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! modes {
    ($($mode:ident)*) => {$(
        #[doc = concat!("[`Rounding::", stringify!($mode), "`] as a type.")]
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct $mode;

        impl sealed::Sealed for $mode {}
        impl RoundingMode for $mode {
            const MODE: Rounding = Rounding::$mode;
        }
    )*};
}

modes!(TiesToEven TowardZero TowardNegative TowardPositive TiesAway);

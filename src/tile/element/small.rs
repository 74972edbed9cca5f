//! The floating-point types that Rust and the crate `half` do not have: tf32, and those of 8 and 4 bits.

use super::cast;
use super::format::{E2M1, E4M3, E5M2, E8M0, TF32, UE5M3};
use core::cmp::Ordering;
use core::fmt;

macro_rules! small {
    ($(#[$doc:meta])* $name:ident: $bits:ident << $aside:literal, $format:ident, $min:literal, $epsilon:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Default)]
        #[repr(transparent)]
        pub struct $name($bits);

        impl $name {
            /// The largest finite number.
            pub const MAX: Self = Self::from_bits($format.max as $bits);
            /// The least positive number that is not subnormal.
            pub const MIN_POSITIVE: Self = Self::from_bits($min);
            /// The distance from 1 to the next larger number.
            pub const EPSILON: Self = Self::from_bits($epsilon);

            /// The number of a code; bits above the type's are ignored.
            pub const fn from_bits(bits: $bits) -> Self {
                Self((bits & $bits::MAX >> ($bits::BITS - $format.bits())) << $aside)
            }

            /// Its code.
            pub const fn to_bits(self) -> $bits {
                self.0 >> $aside
            }

            /// The number nearest to a single: what [`cast`](super::cast) gives.
            pub fn from_f32(x: f32) -> Self {
                cast(x)
            }

            /// Its value, exactly.
            pub const fn to_f32(self) -> f32 {
                self.to_f64() as f32
            }

            /// Its value, exactly.
            pub const fn to_f64(self) -> f64 {
                $format.value(self.to_bits() as u64)
            }

            /// Is it a NaN?
            pub const fn is_nan(self) -> bool {
                $format.is_nan(self.to_bits() as u64)
            }
        }

        /// By value: zeros of both signs are equal, a NaN is equal to nothing.
        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.to_f64() == other.to_f64()
            }
        }

        /// By value.
        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                self.to_f64().partial_cmp(&other.to_f64())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
                fmt::Display::fmt(&self.to_f32(), f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
                fmt::Debug::fmt(&self.to_f32(), f)
            }
        }
    };
}

small! {
    /// Tf32: a single whose mantissa has 10 bits, for tensor cores (PTX ISA 5.2.3, `.tf32`).
    ///
    /// In memory it is a single whose 13 lowest bits are 0; its code is the other 19.
    /// ```
    /// use girih::tile::element::Tf32;
    /// let x = Tf32::from_f32(1.0 / 3.0);
    /// assert_eq!(x.to_string(), "0.33325195");
    /// assert_eq!(x.to_bits() << 13, x.to_f32().to_bits());
    /// ```
    Tf32: u32 << 13, TF32, 0x400, 0x1d400
}

small! {
    /// 4 bits of exponent, 3 of mantissa, no infinity, NaN 0x7f and 0xff (PTX ISA 5.2.3, `.e4m3`; OCP's E4M3).
    /// ```
    /// use girih::tile::element::F8E4M3;
    /// assert_eq!(F8E4M3::MAX.to_f32(), 448.0);
    /// assert_eq!(F8E4M3::from_f32(1000.0), F8E4M3::MAX);
    /// assert!(F8E4M3::from_f32(f32::NAN).is_nan());
    /// ```
    F8E4M3: u8 << 0, E4M3, 0x08, 0x20
}

small! {
    /// 5 bits of exponent, 2 of mantissa, with infinities and NaNs as IEEE 754 has them (PTX ISA 5.2.3, `.e5m2`; OCP's E5M2).
    /// ```
    /// use girih::tile::element::F8E5M2;
    /// assert_eq!(F8E5M2::MAX.to_f32(), 57344.0);
    /// assert_eq!(F8E5M2::INFINITY.to_string(), "inf");
    /// ```
    F8E5M2: u8 << 0, E5M2, 0x04, 0x34
}

small! {
    /// No sign, 5 bits of exponent with bias 15, 3 of mantissa, no infinity, NaN 0xff (CUDA 13.4, `__nv_fp8_ue5m3`).
    ///
    /// What is converted to it loses its sign.
    /// ```
    /// use girih::tile::element::F8UE5M3;
    /// assert_eq!(F8UE5M3::MAX.to_f32(), 114688.0);
    /// assert_eq!(F8UE5M3::from_f32(-1.5).to_f32(), 1.5);
    /// ```
    F8UE5M3: u8 << 0, UE5M3, 0x08, 0x60
}

small! {
    /// Powers of two, 2^-127 to 2^127, and NaN 0xff (PTX ISA 5.2.3, `.ue8m0`; OCP's E8M0): scales of blocks.
    ///
    /// It has no sign and no zero: what is converted to it loses its sign, zero becomes 2^-127, and so is the default. Rounding
    /// is toward zero, as ties to even is not among the modes for it.
    /// ```
    /// use girih::tile::element::F8E8M0;
    /// assert_eq!(F8E8M0::from_f32(7.9).to_f32(), 4.0);
    /// assert_eq!(F8E8M0::from_f32(0.0).to_f64(), 2f64.powi(-127));
    /// ```
    F8E8M0: u8 << 0, E8M0, 0x00, 0x7f
}

small! {
    /// 2 bits of exponent, 1 of mantissa, neither infinity nor NaN (PTX ISA 5.2.3, `.e2m1`; OCP's E2M1).
    ///
    /// The numbers are 0, 0.5, 1, 1.5, 2, 3, 4 and 6, of both signs. A NaN becomes 6, as in PTX.
    /// ```
    /// use girih::tile::element::F4E2M1;
    /// assert_eq!(F4E2M1::from_bits(0b1111).to_f32(), -6.0);
    /// assert_eq!(F4E2M1::from_f32(2.5).to_f32(), 2.0);
    /// ```
    F4E2M1: u8 << 0, E2M1, 0x2, 0x1
}

/// What the formats do not share.
macro_rules! constant {
    ($($(#[$doc:meta])* $name:ident::$constant:ident = $bits:expr;)*) => {$(
        impl $name {
            $(#[$doc])*
            pub const $constant: Self = Self::from_bits($bits);
        }
    )*};
}

constant! {
    /// The least positive number.
    Tf32::MIN_POSITIVE_SUBNORMAL = 1;
    /// The least positive number.
    F8E4M3::MIN_POSITIVE_SUBNORMAL = 1;
    /// The least positive number.
    F8E5M2::MIN_POSITIVE_SUBNORMAL = 1;
    /// The least positive number.
    F8UE5M3::MIN_POSITIVE_SUBNORMAL = 1;
    /// The least positive number.
    F4E2M1::MIN_POSITIVE_SUBNORMAL = 1;
    /// Infinity.
    Tf32::INFINITY = Self::MAX.to_bits() + 1;
    /// Infinity.
    F8E5M2::INFINITY = Self::MAX.to_bits() + 1;
    /// What a NaN becomes.
    Tf32::NAN = TF32.nan as u32;
    /// What a NaN becomes.
    F8E4M3::NAN = E4M3.nan as u8;
    /// What a NaN becomes.
    F8E5M2::NAN = E5M2.nan as u8;
    /// The NaN.
    F8UE5M3::NAN = UE5M3.nan as u8;
    /// The NaN.
    F8E8M0::NAN = E8M0.nan as u8;
}

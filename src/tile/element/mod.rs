//! Element types of tiles: what there is, their numbers, and conversion between them.
//!
//! | type | Rust | bits | finite values | |
//! |---|---|---|---|---|
//! | `bool` | `bool` | 1 (8 in memory) | 0, 1 | integral |
//! | `i8` .. `i64`, `u8` .. `u64` | same | 8 to 64 | | integral |
//! | `f16` | [`f16`](struct@f16) | 16 | ±2^-24 to 65504 | basic float |
//! | `bf16` | [`bf16`] | 16 | ±2^-133 to 3.39e38 | basic float |
//! | `f32`, `f64` | same | 32, 64 | | basic float |
//! | `tf32` | [`Tf32`] | 19 (32 in memory) | ±2^-136 to 3.40e38 | restricted float |
//! | `f8e4m3` | [`F8E4M3`] | 8 | ±2^-9 to 448, no infinity | restricted float |
//! | `f8e5m2` | [`F8E5M2`] | 8 | ±2^-16 to 57344 | restricted float |
//! | `f8ue5m3` | [`F8UE5M3`] | 8 | 2^-17 to 114688, no sign, no infinity | restricted float |
//! | `f8e8m0` | [`F8E8M0`] | 8 | 2^-127 to 2^127, no sign, no zero, no infinity | restricted float |
//! | `f4e2m1` | [`F4E2M1`] | 4 (8 in memory) | ±0.5 to 6, no infinity, no NaN | restricted float |
//!
//! Integral types and basic floats are [`Arithmetic`]; restricted floats are for storage, tensor cores and conversion only.

pub(crate) mod cast;
mod class;
mod conversion;
pub(crate) mod exact;
pub(crate) mod format;
mod kind;
pub(crate) mod pack;
pub(crate) mod round;
pub mod rounding;
mod small;
mod widen;
pub(crate) mod word;

pub use cast::{cast, cast_rounded, cast_saturating, is_true};
pub use class::{Arithmetic, BasicFloat, Element, Float, Integer, Integral, Number};
pub use conversion::{Conversion, ConversionError, RoundsTo, SaturatesTo, default_rounding, rounding_modes};
pub use half::{bf16, f16};
pub use kind::{ElementType, UnknownElementType};
pub use pack::{PackError, pack, unpack};
pub use rounding::{Rounding, RoundingMode, Saturation};
pub use small::{F4E2M1, F8E4M3, F8E5M2, F8E8M0, F8UE5M3, Tf32};
pub use widen::{Common, NoCommonType, Widens, common, non_narrowing};

//! Element types of tiles: what there is, their numbers, and conversion between them.
//!
//! | type | Rust | bits | finite values | |
//! |---|---|---|---|---|
//! | `bool` | `bool` | 1 (8 in memory) | 0, 1 | integral |
//! | `i8` .. `i64`, `u8` .. `u64` | same | 8 to 64 | | integral |
//! | `f16` | [`f16`] | 16 | ±2^-24 to 65504 | basic float |
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

mod class;
pub(crate) mod format;
mod kind;
pub mod rounding;
mod small;

pub use class::{Arithmetic, BasicFloat, Element, Float, Integer, Integral, Number, Signed};
pub use half::{bf16, f16};
pub use kind::{ElementType, UnknownElementType};
pub use rounding::{Rounding, RoundingMode, Saturation};
pub use small::{F4E2M1, F8E4M3, F8E5M2, F8E8M0, F8UE5M3, Tf32};

// STUB until conversions are merged
#[allow(missing_docs)]
pub fn narrowing(_a: ElementType, _b: ElementType) -> bool {
    false
}
#[allow(missing_docs)]
pub fn default_rounding(to: ElementType) -> Rounding {
    if to == ElementType::F8E8M0 { Rounding::TowardZero } else { Rounding::TiesToEven }
}
#[allow(missing_docs)]
pub trait Common<B>: Element {
    type Output: Element;
}
impl<A: Element> Common<A> for A {
    type Output = A;
}
#[allow(missing_docs)]
#[diagnostic::on_unimplemented(
    message = "storing `{Self}` as `{To}` would narrow",
    label = "not every value of `{Self}` exists in `{To}`, or one is a float and the other is not",
    note = "convert explicitly first, `.cast::<...>()`"
)]
pub trait Widens<To: Element>: Element {}
impl<E: Element> Widens<E> for E {}

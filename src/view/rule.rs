//! The rules of accesses in types: orders, scopes and paddings as types, and the traits that say which may stand where.
//!
//! [`Access::check`](super::Access::check) says the same of values.

use super::access::{Order, Padding, Scope};
use crate::tile::element::*;

macro_rules! values {
    ($trait:ident::$constant:ident: $value:ident; $($name:ident)+) => {$(
        #[doc = concat!("[`", stringify!($value), "::", stringify!($name), "`] as a type.")]
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct $name;
        impl $trait for $name {
            const $constant: $value = $value::$name;
        }
    )+};
}

/// An order as a type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no memory order",
    note = "an order is `Relaxed`, `Acquire` or `Release`"
)]
pub trait MemoryOrder {
    /// The order.
    const ORDER: Order;
}
values!(MemoryOrder::ORDER: Order; Relaxed Acquire Release);

/// An order that a load may have.
#[diagnostic::on_unimplemented(message = "no load has the order `{Self}`", note = "loads are `Relaxed` or `Acquire`")]
pub trait ReadOrder: MemoryOrder {}
impl ReadOrder for Relaxed {}
impl ReadOrder for Acquire {}

/// An order that a store may have.
#[diagnostic::on_unimplemented(message = "no store has the order `{Self}`", note = "stores are `Relaxed` or `Release`")]
pub trait WriteOrder: MemoryOrder {}
impl WriteOrder for Relaxed {}
impl WriteOrder for Release {}

/// An order that an atomic operation on a chunk may have.
#[diagnostic::on_unimplemented(
    message = "no atomic operation on a chunk has the order `{Self}`",
    note = "those that return nothing are `Relaxed`"
)]
pub trait UpdateOrder: MemoryOrder {}
impl UpdateOrder for Relaxed {}

/// A scope as a type.
#[diagnostic::on_unimplemented(message = "`{Self}` is no scope", note = "a scope is `System`, `Device` or `Block`")]
pub trait ThreadScope {
    /// The scope.
    const SCOPE: Scope;
}
values!(ThreadScope::SCOPE: Scope; System Device Block);

/// A scope that an atomic operation on a chunk may have.
#[diagnostic::on_unimplemented(
    message = "no atomic operation on a chunk has the scope `{Self}`",
    note = "those that return nothing have the scope `Device` or `Block`"
)]
pub trait UpdateScope: ThreadScope {}
impl UpdateScope for Device {}
impl UpdateScope for Block {}

/// A padding as a type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no padding",
    note = "a padding is `Zero`, `NegativeZero`, `PositiveInfinity`, `NegativeInfinity` or `Nan`"
)]
pub trait ViewPadding {
    /// The padding.
    const PADDING: Padding;
}
values!(ViewPadding::PADDING: Padding; Zero NegativeZero PositiveInfinity NegativeInfinity Nan);

/// A padding that elements `E` have: all but [`F8E8M0`] have [`Zero`], the basic floats have every one.
#[diagnostic::on_unimplemented(
    message = "elements `{E}` cannot be padded with `{Self}`",
    note = "paddings other than `Zero` are for `f16`, `bf16`, `f32` and `f64`; `F8E8M0` has none: load whole chunks of it"
)]
pub trait PaddingOf<E>: ViewPadding {}
macro_rules! zeros {
    ($($e:ty)+) => { $(impl PaddingOf<$e> for Zero {})+ };
}
zeros!(bool i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64 Tf32 F8E4M3 F8E5M2 F8UE5M3 F4E2M1);
macro_rules! floats {
    ($($e:ty)+) => {$(
        impl PaddingOf<$e> for NegativeZero {}
        impl PaddingOf<$e> for PositiveInfinity {}
        impl PaddingOf<$e> for NegativeInfinity {}
        impl PaddingOf<$e> for Nan {}
    )+};
}
floats!(f16 bf16 f32 f64);

/// Elements with atomic `and`, `or`, `xor`, `max` and `min`: integers of 32 and 64 bits.
#[diagnostic::on_unimplemented(
    message = "elements `{Self}` have no such atomic operation",
    note = "atomic and, or, xor, max and min are for `i32`, `u32`, `i64` and `u64`"
)]
pub trait AtomicBits: AtomicSum {}
/// Elements with atomic `add` and `sub`: integers of 32 and 64 bits and the basic floats.
#[diagnostic::on_unimplemented(
    message = "elements `{Self}` cannot be added atomically",
    note = "atomic add and sub are for `i32`, `u32`, `i64`, `u64`, `f16`, `bf16`, `f32` and `f64`"
)]
pub trait AtomicSum: Element {}
macro_rules! atomic {
    ($class:ident: $($e:ty)+) => { $(impl $class for $e {})+ };
}
atomic!(AtomicBits: i32 u32 i64 u64);
atomic!(AtomicSum: i32 u32 i64 u64 f16 bf16 f32 f64);

//! Swizzled layouts in types.

use super::{Sealed, StaticLayout, given, must};
use crate::layout::{Composed, Error, Layout, LayoutError, Swizzle, Unit};
use core::marker::PhantomData;

/// A swizzled layout in a type: [`Swizzled`], and the operator types on one. Shared-memory code that wants to leave open whether
/// a layout is swizzled asks for this bound; `Swizzled<S<0, 0, 0>, A>` is `A` itself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a static swizzled layout",
    note = "put a layout below a swizzle: `Swizzled<S<3, 4, 3>, {Self}>`; `S<0, 0, 0>` changes nothing"
)]
pub trait StaticComposed: Sealed {
    /// The swizzled layout, or why there is none: the innermost operation that was refused.
    const RESULT: Result<Composed, &'static Error>;
    /// The swizzled layout; reading it stops compilation if there is none.
    const COMPOSED: Composed = must(Self::RESULT);
}

/// A swizzle in a type; `UNIT` is the width in bits of what it counts (8: bytes), 0 where that is not said. [`Swizzle::new`].
pub enum S<const BITS: i64, const BASE: i64, const SHIFT: i64, const UNIT: u16 = 0> {}

/// A layout, moved by an offset, below a swizzle. [`Composed::new`].
/// ```
/// # use girih::prelude::*;
/// type Smem = Swizzled<S<3, 3, 3>, L<(U128, U64), (U64, U1)>>;
/// assert_eq!(Smem::COMPOSED.to_string(), "S<3,3,3> o 0 o (128,64):(64,1)");
/// type Tiles = ZippedDivide<Smem, (U16, U16)>;
/// assert_eq!(Tiles::COMPOSED.to_string(), "S<3,3,3> o 0 o ((16,16),(8,4)):((64,1),(1024,16))");
/// assert_eq!(at_swizzled::<Smem>(1), 64 ^ 8);
/// ```
pub struct Swizzled<W, A, const OFFSET: i64 = 0>(PhantomData<(W, A)>);

type Below<A, const BITS: i64, const BASE: i64, const SHIFT: i64, const UNIT: u16, const OFFSET: i64> =
    Swizzled<S<BITS, BASE, SHIFT, UNIT>, A, OFFSET>;

impl<A, const BITS: i64, const BASE: i64, const SHIFT: i64, const UNIT: u16, const OFFSET: i64> Sealed
    for Below<A, BITS, BASE, SHIFT, UNIT, OFFSET>
{
}
impl<A: StaticLayout, const BITS: i64, const BASE: i64, const SHIFT: i64, const UNIT: u16, const OFFSET: i64>
    StaticComposed for Below<A, BITS, BASE, SHIFT, UNIT, OFFSET>
{
    const RESULT: Result<Composed, &'static Error> = given!([l: <A as StaticLayout>::RESULT]
        swizzled(BITS, BASE, SHIFT, UNIT, OFFSET, l), e => Error::unary("swizzle", l, e));
}

const fn swizzled(
    bits: i64,
    base: i64,
    shift: i64,
    unit: u16,
    offset: i64,
    l: &Layout,
) -> Result<Composed, LayoutError> {
    let s = tri!(Swizzle::new(bits, base, shift));
    let s = if unit == 0 { s } else { s.on(tri!(Unit::elements(unit))) };
    Composed::new(&s, offset, l)
}

//! Layouts as types: zero-sized types whose constant is computed by the same `const fn`s that run-time layouts use.
//!
//! [`StaticLayout`] is the one bound that generic code needs, whatever chain of operations it builds: an operator type such as
//! `ZippedDivide<A, T>` is a [`StaticLayout`] whenever `A` is one and `T` a [`StaticTiler`]. Whether the operation *has* a
//! result is answered when its constant is read: an operation that is refused stops compilation, with the message of the
//! run-time error. The constants that operators pass on are `Result`s, so that the innermost failure is reported, once.
//!
//! ```
//! use girih::prelude::*;
//! type Smem = L<(U128, U64), (U64, U1)>;             // (128,64):(64,1)
//! type Tiles = ZippedDivide<Smem, (U16, U16)>;       // a shape as a tiler
//! assert_eq!(Tiles::LAYOUT.to_string(), "((16,16),(8,4)):((64,1),(1024,16))");
//!
//! /// No bound besides the operands': the composition may be refused, at the line that instantiates `fragment`.
//! fn fragment<A: StaticLayout, V: StaticLayout>(i: i64) -> i64 {
//!     at::<Compose<A, V>>(i)
//! }
//! assert_eq!(fragment::<Smem, L<(U4, U2), (U1, U8)>>(5), 9 * 64);
//! ```
//! ```compile_fail
//! # use girih::prelude::*;
//! // zipped_divide((100,64):(1,100), <32:1,16:1>): 32 does not divide 100; the _ceil form rounds up and returns the guard
//! const _: () = assert_ok::<ZippedDivide<L<(U100, U64), (U1, U100)>, (U32, U16)>>();
//! ```
//!
//! `cargo check` does not look into generic functions: where one is instantiated is where a refusal shows, with the caller's line
//! in an unoptimized build. `const _: () = assert_ok::<..>();` shows it at once. [`Layout::static_type`] writes the type of a
//! run-time layout.
//!
//! | in a type | value |
//! |---|---|
//! | `U4`, `P4`, `N4` (typenum), `C<4>`, `C<-4>` | a known integer |
//! | `Sym<M>`, `Sym<M, 8>` ([`symbols!`](crate::symbols)) | `?M`, `?M{8}` |
//! | `Times<U64, Sym<Lda>>` | `64*?lda` |
//! | `E<0>`, `E<0, E<1>>`, `E<0, U2>` | `1@0`, `1@1@0`, `2@0` |
//! | [`Keep`] | `_` |
//! | `(U2, (U3, Sym<N>))` | `(2,(3,?N))`: a shape, a stride, a coordinate, an order |
//! | `(U16, Keep, L<(U2, U4), (U1, U8)>)` | a by-mode tiler `<16:1,_,(2,4):(1,8)>` |
//! | `L<Shape, Stride>`, `Col<Shape>`, `Row<Shape>`, `Modes<(A, B)>` | a layout |

mod eval;
mod ints;
mod spell;
mod swizzled;

use super::{Error, IntTuple, Layout, LayoutError, Nest, Text, Tiler, Writer};
use core::marker::PhantomData;

pub use eval::{BoundLayout, at, at_coord, at_coord_swizzled, at_swizzled, bind};
pub use ints::{C, E, Keep, StaticInt, Sym, SymbolName, Times};
pub use swizzled::{S, StaticComposed, Swizzled};

pub(crate) use ints::{integers, leaf};

/// Only this crate says what a static layout is: its constants then keep the layout's invariants.
pub(crate) mod sealed {
    /// See the module.
    pub trait Sealed {}
}
use sealed::Sealed;

/// The value, or a panic with the error's text at the caller's line.
#[track_caller]
pub(crate) const fn must<T: Copy>(r: Result<T, &'static Error>) -> T {
    match r {
        Ok(v) => v,
        Err(e) => crate::must(Err(*e)),
    }
}

/// A layout in a type.
///
/// Generic code asks for this bound alone. [`LAYOUT`](StaticLayout::LAYOUT) is the layout; operators read
/// [`RESULT`](StaticLayout::RESULT), so that an error passes through them unchanged.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a static layout",
    note = "a shape alone is no layout: write `Col<{Self}>`, `Row<{Self}>` or `L<{Self}, Stride>`"
)]
pub trait StaticLayout: Sealed {
    /// The layout, or why there is none: the innermost operation that was refused.
    const RESULT: Result<Layout, &'static Error>;
    /// The layout; reading it stops compilation if there is none.
    const LAYOUT: Layout = must(Self::RESULT);
    /// [`Layout::size`], for array lengths; stops compilation if it is symbolic.
    const SIZE: usize = crate::literal(Self::LAYOUT.size()) as usize;
    /// [`Layout::cosize`], for array lengths; stops compilation if it is symbolic.
    const COSIZE: usize = crate::literal(Self::LAYOUT.cosize()) as usize;
}

/// A tuple of integers in a type, nested to any depth: a shape, a stride, a coordinate or an order.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a static integer tuple",
    note = "integers are typenum's (`U4`), `C<4>` and `Sym<M>`; tuples have 1 to 12 modes"
)]
pub trait StaticTuple: Sealed {
    /// The tuple, or why there is none.
    const RESULT: Result<IntTuple, &'static Error>;
    /// The tuple; reading it stops compilation if there is none.
    const TUPLE: IntTuple = must(Self::RESULT);
}

/// A by-mode tiler in a type: an integer, a layout, [`Keep`], or a tuple of tilers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a static tiler",
    note = "a tiler is an integer (`U4` is `4:1`), a static layout, `Keep`, or a tuple of tilers"
)]
pub trait StaticTiler: Sealed {
    /// The tiler, or why there is none.
    const RESULT: Result<Tiler, &'static Error>;
    /// The tiler; reading it stops compilation if there is none.
    const TILER: Tiler = must(Self::RESULT);
}

/// `body?` with the values of the `Ok`s, in a constant, which has no `?`; `e => ..` makes the error of a reason. The error is an extended temporary of the constant: a
/// reference keeps the constants small, of which there is one for each type.
macro_rules! given {
    ([] $body:expr) => {
        $crate::layout::typed::given!([] $body, e => e)
    };
    ([] $body:expr, $e:ident => $error:expr) => {
        match $body {
            Ok(v) => Ok(v),
            Err($e) => Err(&{ $error }),
        }
    };
    ([$x:ident: $value:expr $(, $($rest:tt)*)?] $($body:tt)+) => {
        match &$value {
            Ok($x) => $crate::layout::typed::given!([$($($rest)*)?] $($body)+),
            Err(e) => Err(*e),
        }
    };
}
pub(crate) use given;

/// Operator types. A row names the operands with their traits (and, after `;`, constants) and gives the result, in which
/// the operands' names stand for their values. The example becomes a documentation test.
macro_rules! operators {
    ($trait:ident::$constant:ident, $value:ty; $(
        $(#[$doc:meta])*
        $name:ident<$($p:ident: $kind:ident),* $(; $($n:ident: $of:ty),+)?> = $body:expr $(, $e:ident => $error:expr)?;
        $example:ty => $text:literal;
    )+) => {$(
        $(#[$doc])*
        #[doc = concat!(
            "```\n# use girih::prelude::*;\ntype R = ", stringify!($example), ";\n",
            "assert_eq!(R::", stringify!($constant), ".to_string(), ", stringify!($text), ");\n```"
        )]
        pub struct $name<$($p,)* $($(const $n: $of),+)?>(core::marker::PhantomData<($($p,)*)>);
        impl<$($p,)* $($(const $n: $of),+)?> $crate::layout::typed::sealed::Sealed
            for $name<$($p,)* $($($n),+)?> {}
        impl<$($p: $kind,)* $($(const $n: $of),+)?> $trait for $name<$($p,)* $($($n),+)?> {
            #[allow(non_snake_case)]
            const RESULT: Result<$value, &'static Error> =
                $crate::layout::typed::given!([$($p: <$p as $kind>::RESULT),*] $body $(, $e => $error)?);
        }
    )+};
}
pub(crate) use operators;

/// [`operators`] of which the layout is one part of the result: `parts! { Trait, Value, |v| its layout; rows }`.
macro_rules! parts {
    ($trait:ident, $value:ty, |$v:ident| $layout:expr; $(
        $(#[$doc:meta])*
        $name:ident<$($p:ident: $kind:ident),* $(; $($n:ident: $of:ty),+)?> = $body:expr $(, $e:ident => $error:expr)?;
        $example:ty => $text:literal;
    )+) => {
        $crate::layout::typed::operators! { $trait::LAYOUT, $value; $(
            $(#[$doc])*
            $name<$($p: $kind),* $(; $($n: $of),+)?> = $body $(, $e => $error)?;
            $example => $text;
        )+ }
        $(impl<$($p: $kind,)* $($(const $n: $of),+)?> StaticLayout for $name<$($p,)* $($($n),+)?> {
            const RESULT: Result<Layout, &'static Error> = match &<Self as $trait>::RESULT {
                Ok($v) => Ok($layout),
                Err(e) => Err(*e),
            };
        })+
    };
}
pub(crate) use parts;

operators! { StaticLayout::LAYOUT, Layout;
    /// Shape and stride, congruent. [`Layout::new`].
    L<S: StaticTuple, D: StaticTuple> = Layout::new(S, D), e => Error::of_tuples("layout", S, D, e);
    L<(U4, (U2, U3)), (C<-1>, (U4, U8))> => "(4,(2,3)):(-1,(4,8))";

    /// Compact, leftmost mode fastest. [`Layout::column_major`].
    Col<S: StaticTuple> = Layout::column_major(S), e => Error::of_tuple("column_major", S, e);
    Col<(U2, (U3, U4))> => "(2,(3,4)):(1,(2,6))";

    /// Compact, rightmost mode fastest. [`Layout::row_major`].
    Row<S: StaticTuple> = Layout::row_major(S), e => Error::of_tuple("row_major", S, e);
    Row<(U2, (U3, U4))> => "(2,(3,4)):(12,(4,1))";

    /// Compact, the mode with the smallest order fastest. [`Layout::ordered`].
    Ordered<S: StaticTuple, O: StaticTuple> = Layout::ordered(S, O), e => Error::of_tuples("ordered", S, O, e);
    Ordered<(U2, U3, U4), (U2, U0, U1)> => "(2,3,4):(12,1,3)";

    /// Values are coordinates. [`Layout::identity`].
    Identity<S: StaticTuple> = Layout::identity(S), e => Error::of_tuple("identity", S, e);
    Identity<(U4, (U2, U3))> => "(4,(2,3)):(1@0,(1@0@1,1@1@1))";
}

/// The layout whose modes are the layouts of a tuple. [`Layout::tuple`].
/// ```
/// # use girih::prelude::*;
/// type R = Modes<(L<U4, U1>, L<(U2, U3), (U4, U8)>)>;
/// assert_eq!(R::LAYOUT.to_string(), "(4,(2,3)):(1,(4,8))");
/// ```
pub struct Modes<T>(PhantomData<T>);

impl<A: StaticLayout> StaticTiler for A {
    const RESULT: Result<Tiler, &'static Error> =
        given!([l: <A as StaticLayout>::RESULT] Tiler::leaf(l), e => Error::unary("tiler", l, e));
}

/// [`IntTuple::tuple`], with few steps for a flat tuple of known integers: they are most of what there is to compile.
const fn tuple_of(modes: &[&Layout]) -> Result<IntTuple, LayoutError> {
    let mut flat = Layout::BLANK;
    let (n, mut i) = (modes.len(), 0);
    while i < n && modes[i].is_integer() && !modes[i].packed {
        flat.shape[i] = modes[i].shape[0];
        i += 1;
    }
    if i == n {
        flat.len = n as u8;
        flat.nest = Nest::flat(n);
        return Ok(IntTuple(flat));
    }
    let mut w = Writer::NEW;
    w.open();
    i = 0;
    while i < modes.len() {
        tri!(w.mode(modes[i]));
        i += 1;
    }
    tri!(w.close());
    Ok(IntTuple(w.finish()))
}

macro_rules! tuples {
    ($($t:ident)+) => {
        impl<$($t),+> Sealed for ($($t,)+) {}
        #[allow(non_snake_case)]
        impl<$($t: StaticTuple),+> StaticTuple for ($($t,)+) {
            const RESULT: Result<IntTuple, &'static Error> =
                given!([$($t: <$t as StaticTuple>::RESULT),+] tuple_of(&[$(&$t.0),+]), e => Error::bare(e));
        }
        #[allow(non_snake_case)]
        impl<$($t: StaticTiler),+> StaticTiler for ($($t,)+) {
            const RESULT: Result<Tiler, &'static Error> =
                given!([$($t: <$t as StaticTiler>::RESULT),+] Tiler::tuple(&[$(*$t),+]), e => Error::bare(e));
        }
        impl<$($t: StaticLayout),+> Sealed for Modes<($($t,)+)> {}
        #[allow(non_snake_case)]
        impl<$($t: StaticLayout),+> StaticLayout for Modes<($($t,)+)> {
            const RESULT: Result<Layout, &'static Error> =
                given!([$($t: <$t as StaticLayout>::RESULT),+] Layout::tuple(&[$(*$t),+]), e => Error::bare(e));
        }
    };
}
tuples!(A);
tuples!(A B);
tuples!(A B D);
tuples!(A B D E);
tuples!(A B D E F);
tuples!(A B D E F G);
tuples!(A B D E F G H);
tuples!(A B D E F G H I);
tuples!(A B D E F G H I J);
tuples!(A B D E F G H I J K);
tuples!(A B D E F G H I J K M);
tuples!(A B D E F G H I J K M N);

/// Stops compilation at the caller's line if `A` is no layout: `const _: () = assert_ok::<A>();`, or
/// `const { assert_ok::<A>() }` in a generic function.
///
/// # Panics
/// With the message of the innermost operation that was refused.
/// ```
/// # use girih::prelude::*;
/// const _: () = assert_ok::<LogicalDivide<L<U12, U1>, L<U4, U1>>>();
/// ```
/// ```compile_fail
/// # use girih::prelude::*;
/// const _: () = assert_ok::<LogicalDivide<L<U10, U1>, L<U4, U1>>>(); // 4 does not divide 10
/// ```
#[track_caller]
pub const fn assert_ok<A: StaticLayout>() {
    if let Err(e) = &A::RESULT {
        crate::must::<()>(Err(**e));
    }
}

/// Stops compilation at the caller's line if the layouts are not spelled the same: `const _: () = assert_same::<A, B>();`
///
/// # Panics
/// With both layouts, or the error of one.
/// ```
/// # use girih::prelude::*;
/// const _: () = assert_same::<Col<(U4, U8)>, L<(U4, U8), (U1, U4)>>();
/// ```
/// ```compile_fail
/// # use girih::prelude::*;
/// const _: () = assert_same::<Col<(U4, U8)>, Row<(U4, U8)>>(); // (4,8):(1,4) is not (4,8):(8,1)
/// ```
#[track_caller]
pub const fn assert_same<A: StaticLayout, B: StaticLayout>() {
    let (a, b) = (must(A::RESULT), must(B::RESULT));
    if !a.same(&b) {
        panic!("{}", Text::new().layout(&a).str(" is not ").layout(&b).as_str());
    }
}

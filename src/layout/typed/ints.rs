//! Integers in types.

use super::{StaticTiler, StaticTuple};
use crate::layout::{Error, Int, IntTuple, LayoutError, Tiler};
use core::marker::PhantomData;

/// An integer leaf in a type: typenum's integers, [`C`], [`Sym`], [`Times`], [`E`] and [`Keep`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a static integer",
    note = "integers are typenum's (`U4`), `C<4>`, `Sym<M>` and products `Times<..>` of them"
)]
pub trait StaticInt: StaticTuple {
    /// The integer; reading it stops compilation if there is none.
    const INT: Int = Self::TUPLE.0.extent_int(0);
}

/// An integer is a tuple of depth 0, and a tiler `t:1` (or `_`).
macro_rules! integers {
    ($([$($bound:tt)*] $type:ty, [$($given:tt)*] $value:expr $(, $e:ident => $error:expr)?;)+) => {$(
        impl<$($bound)*> $crate::layout::typed::sealed::Sealed for $type {}
        impl<$($bound)*> StaticInt for $type {}
        impl<$($bound)*> StaticTuple for $type {
            const RESULT: Result<IntTuple, &'static Error> = $crate::layout::typed::given!([$($given)*] $value $(, $e => $error)?);
        }
        impl<$($bound)*> StaticTiler for $type {
            const RESULT: Result<Tiler, &'static Error> =
                $crate::layout::typed::given!([t: <Self as StaticTuple>::RESULT] Tiler::shape(t), e => Error::of_tuple("tiler", t, e));
        }
    )+};
}
pub(crate) use integers;

/// An integer that typenum does not name, or a negative one: `C<-3>`, `C<{ N + 1 }>`.
/// ```
/// # use girih::prelude::*;
/// assert_eq!(L::<C<4>, C<-1>>::LAYOUT, layout!(4:-1));
/// ```
pub enum C<const N: i64> {}

/// The name of a symbol, on a marker type. [`symbols!`](crate::symbols) makes them.
pub trait SymbolName {
    /// One to eight characters of `[A-Za-z0-9_]`.
    const NAME: &'static str;
}

/// A symbol, at least 1 and promised to be a multiple of `MULTIPLE`: `Sym<M>` is `?M`, `Sym<M, 8>` is `?M{8}`.
/// ```
/// # use girih::prelude::*;
/// girih::symbols!(M, N, Lda = "lda");
/// type G = L<(Sym<M, 128>, Sym<N, 64>), (U1, Sym<Lda>)>;
/// assert_eq!(G::LAYOUT.to_string(), "(?M{128},?N{64}):(1,?lda)");
/// assert_eq!(
///     ZippedDivide::<G, (U128, U64)>::LAYOUT.to_string(),
///     "((128,64),(⌈?M{128}/128⌉,⌈?N{64}/64⌉)):((1,?lda),(128,64*?lda))"
/// );
/// ```
pub struct Sym<N, const MULTIPLE: u32 = 1>(PhantomData<N>);

/// Marker types that name symbols: `symbols!(M, N, Lda = "lda")` (without a text, the type's own name).
/// ```
/// # use girih::prelude::*;
/// girih::symbols!(Rows = "rows", M);
/// assert_eq!(Col::<(Sym<M>, Sym<Rows, 4>)>::LAYOUT.to_string(), "(?M,?rows{4}):(1,?M)");
/// ```
#[macro_export]
macro_rules! symbols {
    ($($type:ident $(= $name:literal)?),+ $(,)?) => {$(
        #[doc = concat!("The symbol of `Sym<", stringify!($type), ">`.")]
        pub enum $type {}
        impl $crate::layout::typed::SymbolName for $type {
            const NAME: &'static str = $crate::symbols!(@ $type $($name)?);
        }
    )+};
    (@ $type:ident) => { stringify!($type) };
    (@ $type:ident $name:literal) => { $name };
}

/// The product of two integers, as strides need it: `Times<U64, Sym<Lda>>` is `64*?lda`.
/// ```
/// # use girih::prelude::*;
/// girih::symbols!(Lda = "lda");
/// assert_eq!(L::<(U64, U8), (U1, Times<U64, Sym<Lda>>)>::LAYOUT.to_string(), "(64,8):(1,64*?lda)");
/// ```
pub struct Times<A, B>(PhantomData<(A, B)>);

/// A basis stride, mode `MODE` of the coordinate that is the layout's value: `E<0>` is `1@0`, `E<1, E<0>>` is `1@0@1` (mode 0
/// of mode 1), `E<0, U2>` is `2@0`.
/// ```
/// # use girih::prelude::*;
/// assert_eq!(L::<(U8, U4, U2), (E<0>, E<1, E<0>>, E<1, E<1, U3>>)>::LAYOUT.to_string(), "(8,4,2):(1@0,1@0@1,3@1@1)");
/// ```
pub struct E<const MODE: u8, Of = C<1>>(PhantomData<Of>);

/// `_`: a mode that a tiler leaves alone, or that a coordinate keeps when it slices.
/// ```
/// # use girih::prelude::*;
/// assert_eq!(LogicalDivideByMode::<Col<(U4, U8)>, (Keep, U2)>::LAYOUT, layout!((4,(2,4)):(1,(4,8))));
/// ```
pub enum Keep {}

integers! {
    [const N: i64] C<N>, [] Ok(IntTuple::int(N));
    [N: SymbolName, const MULTIPLE: u32] Sym<N, MULTIPLE>, [] leaf(Int::symbol(N::NAME, MULTIPLE)), e => Error::bare(e);
    [A: StaticInt, B: StaticInt] Times<A, B>, [a: A::RESULT, b: B::RESULT]
        leaf(a.0.extent_int(0).mul(&b.0.extent_int(0))), e => Error::bare(e);
    [Of: StaticInt, const MODE: u8] E<MODE, Of>, [v: Of::RESULT]
        leaf(v.0.extent_int(0).inside(MODE)), e => Error::bare(e);
    [] Keep, [] leaf(Ok(Int::UNDERSCORE)), e => Error::bare(e);
    [] typenum::UTerm, [] Ok(IntTuple::int(0));
    [U: typenum::Unsigned, B: typenum::Bit] typenum::UInt<U, B>, [] Ok(IntTuple::int(<Self as typenum::Unsigned>::I64));
    [] typenum::Z0, [] Ok(IntTuple::int(0));
    [U: typenum::Unsigned + typenum::NonZero] typenum::PInt<U>, [] Ok(IntTuple::int(U::I64));
    [U: typenum::Unsigned + typenum::NonZero] typenum::NInt<U>, [] Ok(IntTuple::int(-U::I64));
}

pub(crate) const fn leaf(v: Result<Int, LayoutError>) -> Result<IntTuple, LayoutError> {
    IntTuple::leaf(&tri!(v))
}

//! Integers in types.

use super::{Sealed, StaticTiler, StaticTuple, bare, given};
use crate::layout::{Error, Int, IntTuple, Tiler};
use core::marker::PhantomData;

/// An integer leaf in a type: typenum's integers, [`C`], [`Sym`], [`Times`], [`E`] and [`Keep`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a static integer",
    note = "integers are typenum's (`U4`), `C<4>`, `Sym<M>` and products `Times<..>` of them"
)]
pub trait StaticInt: StaticTuple {
    /// The integer, or why there is none.
    const RESULT: Result<Int, Error>;
    /// The integer; reading it stops compilation if there is none.
    const INT: Int = crate::must(<Self as StaticInt>::RESULT);
}

/// An integer is a tuple of depth 0, and a tiler `t:1` (or `_`).
macro_rules! integers {
    ($([$($bound:tt)*] $type:ty = $value:expr;)+) => {$(
        impl<$($bound)*> Sealed for $type {}
        impl<$($bound)*> StaticInt for $type {
            const RESULT: Result<Int, Error> = $value;
        }
        impl<$($bound)*> StaticTuple for $type {
            const RESULT: Result<IntTuple, Error> = match <Self as StaticInt>::RESULT {
                Ok(v) => match v.value() {
                    Some(v) => Ok(IntTuple::int(v)),
                    None => bare(IntTuple::leaf(&v)),
                },
                Err(e) => Err(e),
            };
        }
        impl<$($bound)*> StaticTiler for $type {
            const RESULT: Result<Tiler, Error> =
                given!([t: <Self as StaticTuple>::RESULT] match Tiler::shape(t) {
                    Ok(t) => Ok(t),
                    Err(e) => Err(Error::of_tuple("tiler", t, e)),
                });
        }
    )+};
}
pub(super) use integers;

/// An integer that typenum does not name, or a negative one: `C<-3>`, `C<{ N + 1 }>`.
/// ```
/// # use girih::prelude::*;
/// assert_eq!(L::<C<4>, C<-1>>::LAYOUT, layout!(4:-1));
/// ```
pub struct C<const N: i64>;

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
        pub struct $type;
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
pub struct Keep;

integers! {
    [const N: i64] C<N> = Ok(Int::known(N));
    [N: SymbolName, const MULTIPLE: u32] Sym<N, MULTIPLE> = bare(Int::symbol(N::NAME, MULTIPLE));
    [A: StaticInt, B: StaticInt] Times<A, B> =
        given!([a: <A as StaticInt>::RESULT, b: <B as StaticInt>::RESULT] bare(a.mul(b)));
    [Of: StaticInt, const MODE: u8] E<MODE, Of> =
        given!([v: <Of as StaticInt>::RESULT] bare(v.inside(MODE)));
    [] Keep = Ok(Int::UNDERSCORE);
    [] typenum::UTerm = Ok(Int::known(0));
    [U: typenum::Unsigned, B: typenum::Bit] typenum::UInt<U, B> =
        Ok(Int::known(<Self as typenum::Unsigned>::I64));
    [] typenum::Z0 = Ok(Int::known(0));
    [U: typenum::Unsigned + typenum::NonZero] typenum::PInt<U> = Ok(Int::known(U::I64));
    [U: typenum::Unsigned + typenum::NonZero] typenum::NInt<U> = Ok(Int::known(-U::I64));
}

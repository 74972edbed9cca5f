//! Operator types: what the operations are for [`Layout`] values, these are for [static layouts](crate::layout::typed).
//!
//! `Compose<A, B>` is a [`StaticLayout`] whose constant is [`Layout::compose`] of the constants of `A` and `B`: the laws and
//! refusals are those of the operations, which each type names. A refused operation stops compilation where the layout is
//! used, with the operands in the message. The `..Ceil` types round up; [`GuardCoord`] and [`GuardLimit`] are their guards.

mod edit;

use super::Guarded;
use crate::layout::typed::{
    StaticComposed, StaticInt, StaticLayout, StaticTiler, StaticTuple, integers, leaf, operators, parts,
};
use crate::layout::{Composed, Error, IntTuple, Layout, LayoutError, Operand, Tiler};
use core::marker::PhantomData;

pub use edit::*;

/// Operators that act on the layout below a swizzle: the same row makes them operators on swizzled layouts.
macro_rules! forwarded {
    ($(
        $(#[$doc:meta])*
        $name:ident<$a:ident: StaticLayout $(, $p:ident: $kind:ident)* $(; $($n:ident: $of:ty),+)?>
            = $body:expr $(, $e:ident => $error:expr)?;
        $example:ty => $text:literal;
    )+) => {
        $crate::layout::typed::operators! { StaticLayout::LAYOUT, Layout; $(
            $(#[$doc])*
            #[doc = ""]
            #[doc = "Also of a [`StaticComposed`]."]
            $name<$a: StaticLayout $(, $p: $kind)* $(; $($n: $of),+)?> = $body $(, $e => $error)?;
            $example => $text;
        )+ }
        $(impl<$a: StaticComposed, $($p: $kind,)* $($(const $n: $of),+)?> StaticComposed
            for $name<$a, $($p,)* $($($n),+)?>
        {
            #[allow(non_snake_case)]
            const RESULT: Result<crate::layout::Composed, &'static Error> = $crate::layout::typed::given!(
                [$a: <$a as StaticComposed>::RESULT $(, $p: <$p as $kind>::RESULT)*] $body);
        })+
    };
}
pub(crate) use forwarded;

/// Operators whose result is an integer tuple, which as a tiler is a shape.
macro_rules! tuples {
    ($(
        $(#[$doc:meta])*
        $name:ident<$($p:ident: $kind:ident),*> = $body:expr $(, $e:ident => $error:expr)?;
        $example:ty => $text:literal;
    )+) => {
        $crate::layout::typed::operators! { StaticTuple::TUPLE, IntTuple; $(
            $(#[$doc])*
            $name<$($p: $kind),*> = $body $(, $e => $error)?;
            $example => $text;
        )+ }
        $(impl<$($p: $kind),*> StaticTiler for $name<$($p),*> {
            const RESULT: Result<Tiler, &'static Error> = $crate::layout::typed::given!(
                [t: <Self as StaticTuple>::RESULT] Tiler::shape(t), e => Error::of_tuple("tiler", t, e));
        })+
    };
}
pub(crate) use tuples;

forwarded! {
    /// Fewest leaves with the same function on the domain. [`Layout::coalesce`].
    Coalesce<A: StaticLayout> = Ok(A.coalesce());
    Coalesce<L<(U2, (U1, U6)), (U1, (U6, U2))>> => "12:1";

    /// Coalesces each part that a leaf of the profile covers. [`Layout::coalesce_by_mode`].
    CoalesceByMode<A: StaticLayout, P: StaticTuple> = A.coalesce_by_mode(P);
    CoalesceByMode<L<(U2, (U1, U6)), (U1, (U6, U2))>, (U1, U1)> => "(2,6):(1,2)";

    /// Stride-0 modes get extent 1. [`Layout::filter_zeros`].
    FilterZeros<A: StaticLayout> = Ok(A.filter_zeros());
    FilterZeros<L<(U2, U4), (U1, U0)>> => "(2,1):(1,0)";

    /// Stride-0 and extent-1 modes dropped, then coalesced. [`Layout::filter`].
    Filter<A: StaticLayout> = Ok(A.filter());
    Filter<L<(U2, U4, U3), (U1, U0, U2)>> => "6:1";

    /// Filters each part that a leaf of the profile covers. [`Layout::filter_by_mode`].
    FilterByMode<A: StaticLayout, P: StaticTuple> = A.filter_by_mode(P);
    FilterByMode<L<(U2, (U4, U3)), (U1, (U0, U2))>, (U1, U1)> => "(2,3):(1,2)";

    /// `A(B(c))` for every coordinate c of B. [`Layout::compose`].
    Compose<A: StaticLayout, B: StaticLayout> = A.compose(B);
    Compose<L<(U6, U2), (U8, U2)>, L<(U4, U3), (U3, U1)>> => "((2,2),3):((24,2),8)";

    /// Composition with A continued through its last mode. [`Layout::compose_extended`].
    ComposeExtended<A: StaticLayout, B: StaticLayout> = A.compose_extended(B);
    ComposeExtended<L<(U4, U3), (U3, U1)>, Col<U24>> => "(4,6):(3,1)";

    /// Composition mode by mode. [`Layout::compose_by_mode`].
    ComposeByMode<A: StaticLayout, T: StaticTiler> = A.compose_by_mode(T);
    ComposeByMode<L<(U12, (U4, U8)), (U59, (U13, U1))>, (U3, U8)> => "(3,(4,2)):(59,(13,1))";

    /// [`ComposeExtended`] mode by mode. [`Layout::compose_extended_by_mode`].
    ComposeExtendedByMode<A: StaticLayout, T: StaticTiler> = A.compose_extended_by_mode(T);
    ComposeExtendedByMode<Col<(U4, U8)>, (U8, U2)> => "(8,2):(1,4)";

    /// The same elements in the same order in another shape. [`Layout::with_shape`].
    WithShape<A: StaticLayout, S: StaticTuple> = A.with_shape(S);
    WithShape<L<(U2, U8, U20), (U320, U1, U16)>, (U16, U20)> => "((2,8),20):((320,1),16)";

    /// `(tile, rest)` of the one-dimensional domain. [`Layout::logical_divide`].
    LogicalDivide<A: StaticLayout, B: StaticLayout> = A.logical_divide(B);
    LogicalDivide<L<(U4, U2, U3), (U2, U1, U8)>, L<U4, U2>> => "((2,2),(2,3)):((4,1),(2,8))";

    /// `((TileM,RestM),(TileN,RestN),L,..)`. [`Layout::logical_divide_by_mode`].
    LogicalDivideByMode<A: StaticLayout, T: StaticTiler> = A.logical_divide_by_mode(T);
    LogicalDivideByMode<Col<(U8, U6)>, (U4, U2)> => "((4,2),(2,3)):((1,4),(8,16))";

    /// `((TileM,TileN),(RestM,RestN,L,..))`. [`Layout::zipped_divide`].
    ZippedDivide<A: StaticLayout, T: StaticTiler> = A.zipped_divide(T);
    ZippedDivide<Col<(U8, U6)>, (U4, U2)> => "((4,2),(2,3)):((1,8),(4,16))";

    /// `((TileM,TileN),RestM,RestN,L,..)`. [`Layout::tiled_divide`].
    TiledDivide<A: StaticLayout, T: StaticTiler> = A.tiled_divide(T);
    TiledDivide<Col<(U8, U6)>, (U4, U2)> => "((4,2),2,3):((1,8),4,16)";

    /// `(TileM,TileN,RestM,RestN,L,..)`. [`Layout::flat_divide`].
    FlatDivide<A: StaticLayout, T: StaticTiler> = A.flat_divide(T);
    FlatDivide<Col<(U8, U6)>, (U4, U2)> => "(4,2,2,3):(1,8,4,16)";

    /// A copy of A for each element of B. [`Layout::logical_product`].
    LogicalProduct<A: StaticLayout, B: StaticLayout> = A.logical_product(B);
    LogicalProduct<L<(U2, U2), (U4, U1)>, L<U6, U1>> => "((2,2),(2,3)):((4,1),(2,8))";

    /// `((M,TileM),(N,TileN),L,..)`. [`Layout::logical_product_by_mode`].
    LogicalProductByMode<A: StaticLayout, T: StaticTiler> = A.logical_product_by_mode(T);
    LogicalProductByMode<L<(U2, U5), (U5, U1)>, (U3, U4)> => "((2,3),(5,4)):((5,1),(1,5))";

    /// `((M,N),(TileM,TileN,L,..))`. [`Layout::zipped_product`].
    ZippedProduct<A: StaticLayout, T: StaticTiler> = A.zipped_product(T);
    ZippedProduct<L<(U2, U5), (U5, U1)>, (U3, U4)> => "((2,5),(3,4)):((5,1),(1,5))";

    /// `((M,N),TileM,TileN,L,..)`. [`Layout::tiled_product`].
    TiledProduct<A: StaticLayout, T: StaticTiler> = A.tiled_product(T);
    TiledProduct<L<(U2, U5), (U5, U1)>, (U3, U4)> => "((2,5),3,4):((5,1),1,5)";

    /// `(M,N,TileM,TileN,L,..)`. [`Layout::flat_product`].
    FlatProduct<A: StaticLayout, T: StaticTiler> = A.flat_product(T);
    FlatProduct<L<(U2, U5), (U5, U1)>, (U3, U4)> => "(2,5,3,4):(5,1,1,5)";

    /// Blocks A arranged like B, mode i is `(A_i, B_i)`. [`Layout::blocked_product`].
    BlockedProduct<A: StaticLayout, B: StaticLayout> = A.blocked_product(B);
    BlockedProduct<L<(U2, U5), (U5, U1)>, Col<(U3, U4)>> => "(6,(5,4)):(5,(1,30))";

    /// Copies of A interleaved, mode i is `(B_i, A_i)`. [`Layout::raked_product`].
    RakedProduct<A: StaticLayout, B: StaticLayout> = A.raked_product(B);
    RakedProduct<L<(U2, U5), (U5, U1)>, Col<(U3, U4)>> => "((3,2),(4,5)):((10,5),(30,1))";

    /// Copies of A that fill a shape, leftmost mode first. [`Layout::tile_to_shape`].
    TileToShape<A: StaticLayout, S: StaticTuple> = A.tile_to_shape(S);
    TileToShape<Row<(U4, U8)>, (U8, U16)> => "((4,2),(8,2)):((8,32),(1,64))";

    /// Copies of A that fill a shape, in an order of the modes. [`Layout::tile_to_shape_ordered`].
    TileToShapeOrdered<A: StaticLayout, S: StaticTuple, O: StaticTuple> = A.tile_to_shape_ordered(S, O);
    TileToShapeOrdered<Row<(U4, U8)>, (U8, U16), (U1, U0)> => "((4,2),(8,2)):((8,64),(1,32))";
}

operators! { StaticLayout::LAYOUT, Layout;
    /// Fewest leaves with the same function also past the domain. [`Layout::coalesce_extended`].
    CoalesceExtended<A: StaticLayout> = Ok(A.coalesce_extended());
    CoalesceExtended<L<(U2, U6, U1), (U1, U2, U42)>> => "(12,1):(1,42)";

    /// What A misses up to the size of M, an integer or a shape. [`Layout::complement_in`].
    Complement<A: StaticLayout, M: StaticTuple> = A.complement_in(M);
    Complement<L<U4, U2>, U24> => "(2,3):(1,8)";

    /// The complement that makes the pair a bijection onto `[0, M)`, M an integer or a shape. [`Layout::complement_exact_in`].
    ComplementExact<A: StaticLayout, M: StaticTuple> = A.complement_exact_in(M);
    ComplementExact<L<U4, U2>, U24> => "(2,3):(1,8)";

    /// The longest R with `A(R(i)) = B(R(i)) = i`. [`Layout::max_common_layout`].
    MaxCommonLayout<A: StaticLayout, B: StaticLayout> = A.max_common_layout(B);
    MaxCommonLayout<Col<(U4, U8)>, Col<(U4, U2)>> => "8:1";

    /// The coordinates that A maps to 0 through stride 0. [`Layout::nullspace`].
    Nullspace<A: StaticLayout> = A.nullspace();
    Nullspace<L<(U2, U4), (U1, U0)>> => "4:2";

    /// `N` elements spread over a shape. [`IntTuple::domain_distribute`].
    DomainDistribute<T: StaticTuple; N: i64> = T.domain_distribute(N);
    DomainDistribute<((U64, U3), (U8, U8)), 128> => "(64,2):(1,192)";

    /// Compact, the modes in the order of the strides of A. [`Layout::make_layout_like`].
    LayoutLike<A: StaticLayout> = A.make_layout_like();
    LayoutLike<L<(U4, U8), (U16, U1)>> => "(4,8):(8,1)";

    /// Compact, mode 0 fastest, then as [`LayoutLike`]. [`Layout::make_fragment_like`].
    FragmentLike<A: StaticLayout> = A.make_fragment_like();
    FragmentLike<L<(U4, U8, U2), (U64, U1, U8)>> => "(4,8,2):(1,4,32)";
}

forwarded! {
    /// The longest R with `A(R(i)) = i`. [`Layout::right_inverse`].
    RightInverse<A: StaticLayout> = A.right_inverse();
    RightInverse<Row<(U4, U8)>> => "(8,4):(4,1)";

    /// R with `R(A(i)) = i`, or `A(R(A(i))) = A(i)` where A is not injective. [`Layout::left_inverse`].
    LeftInverse<A: StaticLayout> = A.left_inverse();
    LeftInverse<Row<(U4, U8)>> => "(8,4):(4,1)";

    /// `N` elements as one. [`Layout::upcast`].
    Upcast<A: StaticLayout; N: i64> = A.upcast(N);
    Upcast<Col<(U8, U4)>, 2> => "(4,4):(1,4)";

    /// One element as `N`. [`Layout::downcast`].
    Downcast<A: StaticLayout; N: i64> = A.downcast(N);
    Downcast<Col<(U8, U4)>, 2> => "(16,4):(1,16)";

    /// Elements of `OLD` bits as elements of `NEW` bits. [`Layout::recast`].
    Recast<A: StaticLayout; OLD: i64, NEW: i64> = A.recast(OLD, NEW);
    Recast<Col<(U8, U4)>, 16, 32> => "(4,4):(1,4)";
}

operators! { StaticComposed::COMPOSED, Composed;
    /// `A(B(c))` where B is swizzled: the swizzle passes A. [`Layout::compose_swizzled`].
    ComposeSwizzled<A: StaticLayout, B: StaticComposed> = A.compose_swizzled(B);
    ComposeSwizzled<L<U64, U2>, Swizzled<S<1, 0, 3>, Col<(U8, U4)>>> => "S<1,1,3> o 0 o (8,4):(2,16)";

    /// A copy of A for each element of a swizzled B. [`Layout::logical_product_swizzled`].
    LogicalProductSwizzled<A: StaticLayout, B: StaticComposed> = A.logical_product_swizzled(B);
    LogicalProductSwizzled<Col<U2>, Swizzled<S<1, 0, 3>, Col<(U8, U4)>>> => "S<1,1,3> o 0 o (2,(8,4)):(1,(2,16))";
}

operators! { StaticLayout::LAYOUT, Layout;
    /// The plain layout that a swizzled one is, where its swizzle changes the offset alone. [`Composed::decay`].
    Decay<A: StaticComposed> = decay(A), e => Error::swizzled("decay", A, Operand::None, e);
    Decay<Mode<Swizzled<S<1, 0, 3>, Col<(U8, U4)>>, 0>> => "8:1";

    /// [`Upcast`] with extents rounded up. [`Layout::upcast_ceil`].
    UpcastCeil<A: StaticLayout; N: i64> = A.upcast_ceil(N);
    UpcastCeil<Col<U6>, 4> => "2:1";

    /// [`Recast`] with extents rounded up. [`Layout::recast_ceil`].
    RecastCeil<A: StaticLayout; OLD: i64, NEW: i64> = A.recast_ceil(OLD, NEW);
    RecastCeil<Col<U6>, 8, 32> => "2:1";
}

/// The offset is left to the place where the plain layout is read.
const fn decay(a: &Composed) -> Result<Layout, LayoutError> {
    match a.decay() {
        Some((l, _)) => Ok(l),
        None => Err(LayoutError::Swizzled { why: "the swizzle changes more than the offset" }),
    }
}

/// The largest n for which A and B are both the identity on `0..n` behind one layout. [`Layout::max_common_vector`].
/// ```
/// # use girih::prelude::*;
/// assert_eq!(MaxCommonVector::<Col<(U4, U8)>, Col<(U4, U2)>>::INT, Int::known(8));
/// ```
pub struct MaxCommonVector<A, B>(PhantomData<(A, B)>);

/// The most elements that one access can join. [`Layout::max_alignment`].
/// ```
/// # use girih::prelude::*;
/// assert_eq!(MaxAlignment::<L<(U8, U4), (U1, U16)>>::INT, Int::known(8));
/// ```
pub struct MaxAlignment<A>(PhantomData<A>);

integers! {
    [A: StaticLayout, B: StaticLayout] MaxCommonVector<A, B>, [a: A::RESULT, b: B::RESULT] vector(a, b);
    [A: StaticLayout] MaxAlignment<A>, [a: A::RESULT] alignment(a);
}

const fn vector(a: &Layout, b: &Layout) -> Result<IntTuple, Error> {
    match leaf(Ok(tri!(a.max_common_vector(b)))) {
        Ok(t) => Ok(t),
        Err(e) => Err(Error::binary("max_common_vector", a, b, e)),
    }
}

const fn alignment(a: &Layout) -> Result<IntTuple, Error> {
    Ok(IntTuple::int(tri!(a.max_alignment())))
}

tuples! {
    /// Quotients rounded up. [`IntTuple::ceil_div`].
    CeilDiv<N: StaticTuple, D: StaticTuple> = N.ceil_div(D), e => Error::of_tuples("ceil_div", N, D, e);
    CeilDiv<(U10, U6), (U4, U4)> => "(3,2)";

    /// Quotients where one divides the other. [`IntTuple::shape_div`].
    ShapeDiv<N: StaticTuple, D: StaticTuple> = N.shape_div(D), e => Error::of_tuples("shape_div", N, D, e);
    ShapeDiv<(U8, U6), (U4, U12)> => "(2,1)";

    /// The next multiples. [`IntTuple::round_up`].
    RoundUp<N: StaticTuple, D: StaticTuple> = N.round_up(D), e => Error::of_tuples("round_up", N, D, e);
    RoundUp<(U10, U6), (U4, U4)> => "(12,8)";

    /// Each leaf times the size of the mode of another tuple. [`IntTuple::elem_scale`].
    ElemScale<N: StaticTuple, D: StaticTuple> = N.elem_scale(D), e => Error::of_tuples("elem_scale", N, D, e);
    ElemScale<(U10, U6), (U4, (U2, U2))> => "(40,24)";
}

/// A layout that was rounded up, with its guard: the `..Ceil` operator types.
/// ```
/// # use girih::prelude::*;
/// fn guard<G: StaticGuarded>() -> Guard {
///     Guard { coord: GuardCoord::<G>::LAYOUT, limit: GuardLimit::<G>::TUPLE }
/// }
/// assert_eq!(guard::<LogicalDivideCeil<Col<U10>, Col<U4>>>().to_string(), "(4,3):(1,4) < 10");
/// ```
pub trait StaticGuarded: StaticLayout {
    /// The layout and the guard, or why there are none.
    const RESULT: Result<Guarded, &'static Error>;
}

parts! { StaticGuarded, Guarded, |g| g.layout;
    /// [`LogicalDivide`] rounded up. [`Layout::logical_divide_ceil`].
    LogicalDivideCeil<A: StaticLayout, B: StaticLayout> = A.logical_divide_ceil(B);
    LogicalDivideCeil<Col<U10>, Col<U4>> => "(4,3):(1,4)";

    /// [`LogicalDivideByMode`] rounded up. [`Layout::logical_divide_by_mode_ceil`].
    LogicalDivideByModeCeil<A: StaticLayout, T: StaticTiler> = A.logical_divide_by_mode_ceil(T);
    LogicalDivideByModeCeil<Col<(U10, U6)>, (U4, U4)> => "((4,3),(4,2)):((1,4),(10,40))";

    /// [`ZippedDivide`] rounded up. [`Layout::zipped_divide_ceil`].
    ZippedDivideCeil<A: StaticLayout, T: StaticTiler> = A.zipped_divide_ceil(T);
    ZippedDivideCeil<Col<(U10, U6)>, (U4, U4)> => "((4,4),(3,2)):((1,10),(4,40))";

    /// [`TiledDivide`] rounded up. [`Layout::tiled_divide_ceil`].
    TiledDivideCeil<A: StaticLayout, T: StaticTiler> = A.tiled_divide_ceil(T);
    TiledDivideCeil<Col<(U10, U6)>, (U4, U4)> => "((4,4),3,2):((1,10),4,40)";

    /// [`FlatDivide`] rounded up. [`Layout::flat_divide_ceil`].
    FlatDivideCeil<A: StaticLayout, T: StaticTiler> = A.flat_divide_ceil(T);
    FlatDivideCeil<Col<(U10, U6)>, (U4, U4)> => "(4,4,3,2):(1,10,4,40)";

    /// [`TileToShape`] rounded up. [`Layout::tile_to_shape_ceil`].
    TileToShapeCeil<A: StaticLayout, S: StaticTuple> = A.tile_to_shape_ceil(S);
    TileToShapeCeil<Row<(U4, U8)>, (U6, U16)> => "((4,2),(8,2)):((8,32),(1,64))";
}

operators! { StaticLayout::LAYOUT, Layout;
    /// The coordinates of a guard: where each coordinate of the layout lies in the shape before the division.
    GuardCoord<G: StaticGuarded> = Ok(G.guard.coord);
    GuardCoord<ZippedDivideCeil<Col<(U10, U6)>, (U4, U4)>> => "((4,4),(3,2)):((1@0,1@1),(4@0,4@1))";
}
tuples! {
    /// The limits of a guard: the shape before the division.
    GuardLimit<G: StaticGuarded> = Ok(G.guard.limit);
    GuardLimit<ZippedDivideCeil<Col<(U10, U6)>, (U4, U4)>> => "(10,6)";
}

//! Types for the parts of a layout and for the manipulation of its modes.

use super::{forwarded, tuples};
use crate::layout::typed::*;
use crate::layout::typed::{given, integers, leaf, operators, parts};
use crate::layout::{Bound, Composed, Error, Int, IntTuple, Layout, LayoutError, MODES, Tiler};
use core::marker::PhantomData;

tuples! {
    /// The shape of a layout. [`Layout::shape`].
    ShapeOf<A: StaticLayout> = Ok(A.shape());
    ShapeOf<Col<(U4, U8)>> => "(4,8)";

    /// The strides of a layout. [`Layout::stride`].
    StrideOf<A: StaticLayout> = Ok(A.stride());
    StrideOf<Col<(U4, U8)>> => "(1,4)";

    /// The product of each mode of a shape. [`IntTuple::product_each`].
    ProductEach<S: StaticTuple> = S.product_each(), e => Error::of_tuple("product_each", S, e);
    ProductEach<(U2, (U3, U4))> => "(2,12)";
}

/// The size of a layout, as an integer. [`Layout::size_int`].
/// ```
/// # use girih::prelude::*;
/// assert_eq!(SizeOf::<Col<(U4, U8)>>::INT, Int::known(32));
/// ```
pub struct SizeOf<A>(PhantomData<A>);

/// The cosize of a layout of known numbers, as an integer. [`Layout::cosize`].
/// ```
/// # use girih::prelude::*;
/// assert_eq!(CosizeOf::<L<(U4, U3), (U1, U5)>>::INT, Int::known(14));
/// ```
pub struct CosizeOf<A>(PhantomData<A>);

/// A part of a layout and where it starts: [`Slice`], and the partitions. [`OffsetOf`] is the offset.
/// ```
/// # use girih::prelude::*;
/// fn place<P: StaticPart>() -> (Layout, Int) {
///     (P::LAYOUT, OffsetOf::<P>::INT)
/// }
/// type Tile = LocalTile<Row<(U256, U512)>, (U128, U64), (U1, U3)>;
/// assert_eq!(place::<Tile>(), (layout!((128,64):(512,1)), Int::known(65728)));
/// ```
pub trait StaticPart: StaticLayout {
    /// The part and its offset, or why there are none.
    const RESULT: Result<(Layout, Bound), &'static Error>;
}

/// Where a part of a layout starts, as an integer.
/// ```
/// # use girih::prelude::*;
/// type A = L<(U8, (U16, U4)), (U64, (U4, U1))>;
/// assert_eq!(OffsetOf::<Slice<A, (U3, Keep)>>::INT, Int::known(192));
/// ```
pub struct OffsetOf<P>(PhantomData<P>);

integers! {
    [A: StaticLayout] SizeOf<A>, [l: A::RESULT] leaf(l.size_int()), e => Error::unary("size", l, e);
    [A: StaticLayout] CosizeOf<A>, [l: A::RESULT] cosize(l), e => Error::unary("cosize", l, e);
    [P: StaticPart] OffsetOf<P>, [p: <P as StaticPart>::RESULT] leaf(offset(&p.1)), e => Error::unary("offset", &p.0, e);
}

const fn cosize(l: &Layout) -> Result<IntTuple, LayoutError> {
    Ok(IntTuple::int(tri!(l.cosize())))
}

/// One integer: a sum of different monomials is none.
const fn offset(sum: &Bound) -> Result<Int, LayoutError> {
    match sum.terms() {
        [] => Ok(Int::known(0)),
        [one] => Ok(*one),
        _ => Err(LayoutError::Undecided),
    }
}

forwarded! {
    /// Mode `I`. [`Layout::mode`].
    Mode<A: StaticLayout; I: usize> = A.mode(I), e => Error::unary("mode", A, e);
    Mode<Col<(U4, (U2, U3))>, 1> => "(2,3):(4,8)";

    /// Modes `FROM..TO`. [`Layout::take`].
    Take<A: StaticLayout; FROM: usize, TO: usize> = A.take(FROM, TO), e => Error::unary("take", A, e);
    Take<Col<(U4, U2, U3)>, 1, 3> => "(2,3):(4,8)";

    /// All leaves as modes. [`Layout::flatten`].
    Flatten<A: StaticLayout> = Ok(A.flatten());
    Flatten<Col<(U4, (U2, U3))>> => "(4,2,3):(1,4,8)";

    /// The leaves, nested as a profile. [`Layout::unflatten`].
    Unflatten<A: StaticLayout, P: StaticTuple> = A.unflatten(P), e => Error::with_tuple("unflatten", A, P, e);
    Unflatten<Col<(U4, U2, U3)>, ((U0, U0), U0)> => "((4,2),3):((1,4),8)";

    /// Modes `FROM..TO` as one mode. [`Layout::group`].
    Group<A: StaticLayout; FROM: usize, TO: usize> = A.group(FROM, TO), e => Error::unary("group", A, e);
    Group<Col<(U4, U2, U3)>, 0, 2> => "((4,2),3):((1,4),8)";

    /// `B` as a further mode, last. [`Layout::append`].
    Append<A: StaticLayout, B: StaticLayout> = A.append(B), e => Error::binary("append", A, B, e);
    Append<Col<(U4, U2)>, L<U3, U8>> => "(4,2,3):(1,4,8)";

    /// `B` as a further mode, first. [`Layout::prepend`].
    Prepend<A: StaticLayout, B: StaticLayout> = A.prepend(B), e => Error::binary("prepend", A, B, e);
    Prepend<Col<(U4, U2)>, L<U3, U8>> => "(3,4,2):(8,1,4)";

    /// `B` as mode `I`, before the one that was there. [`Layout::insert`].
    Insert<A: StaticLayout, B: StaticLayout; I: usize> = A.insert(I, B), e => Error::binary("insert", A, B, e);
    Insert<Col<(U4, U2)>, L<U3, U8>, 1> => "(4,3,2):(1,8,4)";

    /// `B` in the place of mode `I`. [`Layout::replace`].
    Replace<A: StaticLayout, B: StaticLayout; I: usize> = A.replace(I, B), e => Error::binary("replace", A, B, e);
    Replace<Col<(U4, U2)>, L<U3, U8>, 1> => "(4,3):(1,8)";

    /// Modes `1:0` up to rank `N`. [`Layout::pad_rank`].
    PadRank<A: StaticLayout; N: usize> = A.pad_rank(N), e => Error::unary("pad_rank", A, e);
    PadRank<Col<(U4, U2)>, 3> => "(4,2,1):(1,4,0)";

    /// The modes in reverse order. [`Layout::reverse`].
    Reverse<A: StaticLayout> = A.reverse(), e => Error::unary("reverse", A, e);
    Reverse<Col<(U4, U2, U3)>> => "(3,2,4):(8,4,1)";

    /// Mode i is the pair of the modes i. [`Layout::zip`].
    Zip<A: StaticLayout, B: StaticLayout> = A.zip(B), e => Error::binary("zip", A, B, e);
    Zip<Col<(U4, U2)>, L<(U3, U5), (U8, U24)>> => "((4,3),(2,5)):((1,8),(4,24))";

    /// Modes of modes exchanged. [`Layout::transpose`].
    Transpose<A: StaticLayout> = A.transpose(), e => Error::unary("transpose", A, e);
    Transpose<Col<((U4, U2), (U3, U5))>> => "((4,3),(2,5)):((1,8),(4,24))";

    /// The modes where the coordinate has no [`Keep`]. [`Layout::dice`].
    Dice<A: StaticLayout, T: StaticTuple> = A.dice(T), e => Error::with_tuple("dice", A, T, e);
    Dice<L<(U8, U16, U4), (U64, U4, U1)>, (U0, Keep, U0)> => "(8,4):(64,1)";
}

operators! { StaticLayout::LAYOUT, Layout;
    /// The modes that a tuple of mode numbers names, in its order. [`Layout::select`].
    Select<A: StaticLayout, I: StaticTuple> = select(A, I), e => Error::with_tuple("select", A, I, e);
    Select<Col<(U4, U2, U3)>, (U2, U0)> => "(3,4):(8,1)";
}

const fn select(a: &Layout, modes: &IntTuple) -> Result<Layout, LayoutError> {
    let Some(v) = modes.known() else { return Err(LayoutError::Undecided) };
    let mut index = [0usize; MODES];
    let mut i = 0;
    while i < v.len() {
        if v[i] < 0 {
            return Err(LayoutError::OutOfRange { index: v[i], extent: a.rank() as i64 });
        }
        index[i] = v[i] as usize;
        i += 1;
    }
    a.select(index.split_at(v.len()).0)
}

parts! { StaticPart, (Layout, Bound), |p| p.0;
    /// The modes where the coordinate has [`Keep`]; [`OffsetOf`] is the rest. [`Layout::slice`].
    Slice<A: StaticLayout, T: StaticTuple> = A.slice(T), e => Error::with_tuple("slice", A, T, e);
    Slice<L<(U8, (U16, U4)), (U64, (U4, U1))>, (Keep, (U7, Keep))> => "(8,4):(64,1)";

    /// Tile `T` of a layout divided by a tiler, T the coordinate of the tile. [`Layout::inner_partition`].
    InnerPartition<A: StaticLayout, B: StaticTiler, T: StaticTuple> = A.inner_partition(B, T);
    InnerPartition<Col<(U8, U6)>, (U4, U2), (U1, U2)> => "(4,2):(1,8)";

    /// Place `T` of all tiles. [`Layout::outer_partition`].
    OuterPartition<A: StaticLayout, B: StaticTiler, T: StaticTuple> = A.outer_partition(B, T);
    OuterPartition<Col<(U8, U6)>, (U4, U2), (U1, U1)> => "(2,3):(4,16)";

    /// The tile of a block. [`Layout::local_tile`].
    LocalTile<A: StaticLayout, B: StaticTiler, T: StaticTuple> = A.local_tile(B, T);
    LocalTile<Col<(U8, U6)>, (U4, U2), (U1, U2)> => "(4,2):(1,8)";

    /// The tile of a block, without the modes where the projection has [`Keep`]. [`Layout::local_tile_projected`].
    LocalTileProjected<A: StaticLayout, B: StaticTiler, T: StaticTuple, P: StaticTuple> =
        A.local_tile_projected(B, T, P);
    LocalTileProjected<Col<(U8, U6)>, (U4, U3, U2), (U1, U0, U2), (U1, Keep, U1)> => "(4,2):(1,8)";

    /// The elements of thread `I` of a layout of threads. [`Layout::local_partition`].
    LocalPartition<A: StaticLayout, B: StaticLayout; I: i64> = A.local_partition(B, I);
    LocalPartition<Col<(U8, U6)>, Col<(U4, U2)>, 5> => "(2,3):(4,16)";

    /// The elements of thread `I`, without the thread modes where the projection has [`Keep`].
    /// [`Layout::local_partition_projected`].
    LocalPartitionProjected<A: StaticLayout, B: StaticLayout, P: StaticTuple; I: i64> =
        A.local_partition_projected(B, I, P);
    LocalPartitionProjected<Col<(U8, U6)>, Col<(U4, U5, U2)>, (U1, Keep, U1), 5> => "(2,3):(4,16)";
}

impl<A: StaticComposed, T: StaticTuple> StaticComposed for Slice<A, T> {
    const RESULT: Result<Composed, &'static Error> =
        given!([a: <A as StaticComposed>::RESULT, c: <T as StaticTuple>::RESULT] a.slice(c));
}

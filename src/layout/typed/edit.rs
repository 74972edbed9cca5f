//! Types for the parts of a layout and for the manipulation of its modes.

use super::ints::integers;
use super::{Sealed, StaticInt, StaticLayout, StaticTiler, StaticTuple, bare, given, named, operators};
use crate::layout::{Error, Int, IntTuple, Layout, LayoutError, Tiler};
use core::marker::PhantomData;

operators! { StaticTuple::TUPLE, IntTuple;
    /// The shape of a layout. [`Layout::shape`].
    ShapeOf<A: StaticLayout> = Ok(A.shape());
    ShapeOf<Col<(U4, U8)>> => "(4,8)";

    /// The strides of a layout. [`Layout::stride`].
    StrideOf<A: StaticLayout> = Ok(A.stride());
    StrideOf<Col<(U4, U8)>> => "(1,4)";

    /// The product of each mode of a shape. [`IntTuple::product_each`].
    ProductEach<S: StaticTuple> = match S.product_each() {
        Ok(t) => Ok(t),
        Err(e) => Err(Error::of_tuple("product_each", S, e)),
    };
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

/// The offset of the part of a layout that a coordinate fixes. [`Layout::slice`].
/// ```
/// # use girih::prelude::*;
/// type A = L<(U8, (U16, U4)), (U64, (U4, U1))>;
/// assert_eq!(SliceOffset::<A, (U3, Keep)>::INT, Int::known(192));
/// ```
pub struct SliceOffset<A, T>(PhantomData<(A, T)>);

integers! {
    [A: StaticLayout] SizeOf<A> = given!([l: <A as StaticLayout>::RESULT] match l.size_int() {
        Ok(n) => Ok(n),
        Err(e) => Err(Error::unary("size", l, e)),
    });
    [A: StaticLayout] CosizeOf<A> = given!([l: <A as StaticLayout>::RESULT] match l.cosize() {
        Ok(n) => Ok(Int::known(n)),
        Err(e) => Err(Error::unary("cosize", l, e)),
    });
    [A: StaticLayout, T: StaticTuple] SliceOffset<A, T> =
        given!([l: <A as StaticLayout>::RESULT, c: <T as StaticTuple>::RESULT] match offset(l, c) {
            Ok(n) => Ok(n),
            Err(e) => Err(Error::with_tuple("slice", l, c, e)),
        });
}

/// One integer: a sum of different monomials is none.
const fn offset(l: &Layout, c: &IntTuple) -> Result<Int, LayoutError> {
    let (_, sum) = tri!(l.slice(c));
    match sum.terms() {
        [] => Ok(Int::known(0)),
        [one] => Ok(*one),
        _ => Err(LayoutError::Undecided),
    }
}

const fn sliced(a: &Layout, c: &IntTuple) -> Result<Layout, Error> {
    match a.slice(c) {
        Ok((l, _)) => Ok(l),
        Err(e) => Err(Error::with_tuple("slice", a, c, e)),
    }
}

const fn with_tuple(
    op: &'static str,
    a: &Layout,
    t: &IntTuple,
    r: Result<Layout, LayoutError>,
) -> Result<Layout, Error> {
    match r {
        Ok(l) => Ok(l),
        Err(e) => Err(Error::with_tuple(op, a, t, e)),
    }
}

const fn binary(op: &'static str, a: &Layout, b: &Layout, r: Result<Layout, LayoutError>) -> Result<Layout, Error> {
    match r {
        Ok(l) => Ok(l),
        Err(e) => Err(Error::binary(op, a, b, e)),
    }
}

operators! { StaticLayout::LAYOUT, Layout;
    /// Mode `I`. [`Layout::mode`].
    Mode<A: StaticLayout; I: usize> = named("mode", A, A.mode(I));
    Mode<Col<(U4, (U2, U3))>, 1> => "(2,3):(4,8)";

    /// Modes `FROM..TO`. [`Layout::take`].
    Take<A: StaticLayout; FROM: usize, TO: usize> = named("take", A, A.take(FROM, TO));
    Take<Col<(U4, U2, U3)>, 1, 3> => "(2,3):(4,8)";

    /// The modes that a tuple of mode numbers names, in its order. [`Layout::select`].
    Select<A: StaticLayout, I: StaticTuple> = with_tuple("select", A, I, select(A, I));
    Select<Col<(U4, U2, U3)>, (U2, U0)> => "(3,4):(8,1)";

    /// All leaves as modes. [`Layout::flatten`].
    Flatten<A: StaticLayout> = Ok(A.flatten());
    Flatten<Col<(U4, (U2, U3))>> => "(4,2,3):(1,4,8)";

    /// The leaves, nested as a profile. [`Layout::unflatten`].
    Unflatten<A: StaticLayout, P: StaticTuple> = with_tuple("unflatten", A, P, A.unflatten(P));
    Unflatten<Col<(U4, U2, U3)>, ((U0, U0), U0)> => "((4,2),3):((1,4),8)";

    /// Modes `FROM..TO` as one mode. [`Layout::group`].
    Group<A: StaticLayout; FROM: usize, TO: usize> = named("group", A, A.group(FROM, TO));
    Group<Col<(U4, U2, U3)>, 0, 2> => "((4,2),3):((1,4),8)";

    /// `B` as a further mode, last. [`Layout::append`].
    Append<A: StaticLayout, B: StaticLayout> = binary("append", A, B, A.append(B));
    Append<Col<(U4, U2)>, L<U3, U8>> => "(4,2,3):(1,4,8)";

    /// `B` as a further mode, first. [`Layout::prepend`].
    Prepend<A: StaticLayout, B: StaticLayout> = binary("prepend", A, B, A.prepend(B));
    Prepend<Col<(U4, U2)>, L<U3, U8>> => "(3,4,2):(8,1,4)";

    /// `B` as mode `I`, before the one that was there. [`Layout::insert`].
    Insert<A: StaticLayout, B: StaticLayout; I: usize> = binary("insert", A, B, A.insert(I, B));
    Insert<Col<(U4, U2)>, L<U3, U8>, 1> => "(4,3,2):(1,8,4)";

    /// `B` in the place of mode `I`. [`Layout::replace`].
    Replace<A: StaticLayout, B: StaticLayout; I: usize> = binary("replace", A, B, A.replace(I, B));
    Replace<Col<(U4, U2)>, L<U3, U8>, 1> => "(4,3):(1,8)";

    /// Modes `1:0` up to rank `N`. [`Layout::pad_rank`].
    PadRank<A: StaticLayout; N: usize> = named("pad_rank", A, A.pad_rank(N));
    PadRank<Col<(U4, U2)>, 3> => "(4,2,1):(1,4,0)";

    /// The modes in reverse order. [`Layout::reverse`].
    Reverse<A: StaticLayout> = named("reverse", A, A.reverse());
    Reverse<Col<(U4, U2, U3)>> => "(3,2,4):(8,4,1)";

    /// Mode i is the pair of the modes i. [`Layout::zip`].
    Zip<A: StaticLayout, B: StaticLayout> = binary("zip", A, B, A.zip(B));
    Zip<Col<(U4, U2)>, L<(U3, U5), (U8, U24)>> => "((4,3),(2,5)):((1,8),(4,24))";

    /// Modes of modes exchanged. [`Layout::transpose`].
    Transpose<A: StaticLayout> = named("transpose", A, A.transpose());
    Transpose<Col<((U4, U2), (U3, U5))>> => "((4,3),(2,5)):((1,8),(4,24))";

    /// The modes where the coordinate has [`Keep`](super::Keep); [`SliceOffset`] is the rest. [`Layout::slice`].
    Slice<A: StaticLayout, T: StaticTuple> = sliced(A, T);
    Slice<L<(U8, (U16, U4)), (U64, (U4, U1))>, (Keep, (U7, Keep))> => "(8,4):(64,1)";

    /// The modes where the coordinate has no [`Keep`](super::Keep). [`Layout::dice`].
    Dice<A: StaticLayout, T: StaticTuple> = with_tuple("dice", A, T, A.dice(T));
    Dice<L<(U8, U16, U4), (U64, U4, U1)>, (U0, Keep, U0)> => "(8,4):(64,1)";
}

const fn select(a: &Layout, modes: &IntTuple) -> Result<Layout, LayoutError> {
    let Some(v) = modes.known() else { return Err(LayoutError::Undecided) };
    let mut index = [0usize; crate::layout::MODES];
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

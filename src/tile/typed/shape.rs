//! Shapes in types: tuples of typenum's powers of two, and what operations ask of them.
//!
//! Each concept of cuda::tiles is a trait: `broadcastable_to` is [`BroadcastsTo`], `extractable_from` is [`ExtractableFrom`],
//! `concatenation_compatible` is [`Cat`], `tile_permutation_t` is [`Permute::Output`], and so on.

use super::bits::Regroups;
use super::len::*;
use crate::tile::op::Map;
use crate::tile::shape::Shape;
use typenum::{U0, U1, U2, U3, U4, U5, U6, U7, Unsigned};

mod sealed {
    pub trait Sealed {}
}

/// A shape of a tile in a type: a tuple of up to eight [`Length`]s, with at most 2^24 elements; `()` is a scalar's.
///
/// [`Shape!`](crate::Shape) writes one with plain numbers.
/// ```
/// use girih::tile::TileShape;
/// use typenum::*;
/// assert_eq!(<(U2, U4)>::SHAPE, girih::tile::Shape::new(&[2, 4])?);
/// assert_eq!(<girih::Shape![16, 1, 8]>::SHAPE.to_string(), "(16,1,8)");
/// # Ok::<(), girih::tile::TileError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no shape of a tile",
    note = "a shape is a tuple of up to 8 powers of two of typenum, at most 2^24 in all: `(U2, U4)`, or `Shape![2, 4]`"
)]
pub trait TileShape: sealed::Sealed + Copy + Default + Send + Sync + 'static {
    /// The number of dimensions.
    type Rank: typenum::Unsigned;
    /// The number of elements.
    type Size: Numeral + Fits;
    /// The lengths as messages of the compiler say them: `(N<2>, N<4>)`.
    type Numerals;
    /// The lengths from the last to the first, for rules that align at the last one.
    type Reversed: Reversed;
    /// The shape as a value.
    const SHAPE: Shape;
}

/// A shape of this rank.
#[diagnostic::on_unimplemented(message = "the shape `{Self}` has not {R} dimensions", label = "its rank must be {R}")]
pub trait HasRank<const R: usize>: TileShape {}

/// Lengths from the last dimension to the first.
pub trait Reversed {
    /// The shape that they are of.
    type Shape;
}
/// The end of [`Reversed`] lengths.
#[derive(Clone, Copy, Debug)]
pub struct Nil;
/// One of [`Reversed`] lengths, and those before it.
#[derive(Clone, Copy, Debug)]
pub struct Cons<Last, Rest>(core::marker::PhantomData<(Last, Rest)>);

/// The length of dimension `D`.
#[diagnostic::on_unimplemented(
    message = "the tile has no dimension `{D}`",
    label = "no such dimension",
    note = "dimensions are counted from `U0`; in a message that is `UTerm`, `U1` is `UInt<UTerm, B1>`, and so on in bits"
)]
pub trait Dim<D>: TileShape {
    /// The length.
    type Length: Length;
}

/// The shape with length `N` in dimension `D`.
#[diagnostic::on_unimplemented(
    message = "the tile has no dimension `{D}`",
    label = "no such dimension",
    note = "dimensions are counted from `U0`; in a message that is `UTerm`, `U1` is `UInt<UTerm, B1>`, and so on in bits"
)]
pub trait With<D, N>: Dim<D> {
    /// The shape.
    type Output: TileShape;
}

/// The shape that two broadcast to: aligned at the last dimension, lengths are equal or one of them is 1.
#[diagnostic::on_unimplemented(message = "shapes `{Self}` and `{Other}` do not broadcast to each other")]
pub trait Broadcast<Other: TileShape>: TileShape {
    /// The shape.
    type Output: TileShape;
}

/// A shape that broadcasts to that one: each of its trailing dimensions is 1 or as long as there.
#[diagnostic::on_unimplemented(message = "the shape `{Self}` does not broadcast to `{To}`")]
pub trait BroadcastsTo<To: TileShape>: TileShape {}

/// A shape of parts of that one: of the same rank, with lengths that divide those there.
#[diagnostic::on_unimplemented(message = "parts of shape `{Self}` cannot be cut from a tile of shape `{Whole}`")]
pub trait ExtractableFrom<Whole: TileShape>: TileShape {}
impl<S: TileShape, Whole: TileShape> ExtractableFrom<Whole> for S where S::Numerals: PartOf<Whole::Numerals> {}

/// [`ExtractableFrom`] of [`TileShape::Numerals`].
#[diagnostic::on_unimplemented(
    message = "a tile of shape `{Whole}` has no parts of shape `{Self}`",
    label = "not a shape of its parts",
    note = "a part has the rank of the whole, and lengths that divide its lengths"
)]
pub trait PartOf<Whole> {}

/// The shape of two tiles behind each other along dimension `D`: equal otherwise, and with a power of two as the sum of
/// their lengths along it, so that these are equal too.
#[diagnostic::on_unimplemented(
    message = "tiles of shapes `{Self}` and `{Other}` cannot be concatenated along dimension `{D}`",
    note = "the shapes have the same rank of at least 1 and equal lengths, and the sum along the dimension is a power of two"
)]
pub trait Cat<Other: TileShape, D>: TileShape {
    /// The shape.
    type Output: TileShape;
}
impl<S: TileShape + Dim<D>, T: TileShape, D> Cat<T, D> for S
where
    S::Numerals: Concatenates<T::Numerals>,
    S: With<D, Double<<S as Dim<D>>::Length>>,
{
    type Output = <S as With<D, Double<<S as Dim<D>>::Length>>>::Output;
}

/// [`Cat`] of [`TileShape::Numerals`].
#[diagnostic::on_unimplemented(
    message = "tiles of shapes `{Self}` and `{Other}` cannot be concatenated",
    label = "tiles of equal shapes are needed",
    note = "they are equally long along the other dimensions, and the sum of their lengths along this one is a power of two, so \
            that they are equally long along it, too"
)]
pub trait Concatenates<Other> {}

/// The shape whose dimension `i` is dimension `Map[i]` of this one; the map is a tuple of `U0`, `U1`, ... that names each once.
#[diagnostic::on_unimplemented(
    message = "this is no map of the dimensions of the tile: `{M}`",
    label = "no map of its dimensions",
    note = "a map has the rank of the shape and names each dimension from `U0` on once"
)]
pub trait Permute<M>: TileShape {
    /// The shape: `tile_permutation_t` of cuda::tiles.
    type Output: TileShape;
    /// The map as a value.
    const MAP: Map;
}

/// The shape in which the elements `From` along dimension `D` are elements `To` with the same bits (cuda::tiles: `repack`).
#[diagnostic::on_unimplemented(message = "the bits of `{From}` along dimension `{D}` of `{Self}` are no `{To}`s")]
pub trait Repack<From, To, D>: TileShape {
    /// The shape.
    type Output: TileShape;
}
impl<S: TileShape + Dim<D>, From, To, D> Repack<From, To, D> for S
where
    <<S as Dim<D>>::Length as Length>::Numeral: Regroups<From, To>,
    S: With<D, <<<S as Dim<D>>::Length as Length>::Numeral as Regroups<From, To>>::Output>,
{
    type Output = <S as With<D, <<<S as Dim<D>>::Length as Length>::Numeral as Regroups<From, To>>::Output>>::Output;
}

/// The shape with the first two dimensions interchanged; below rank 2 the shape itself: `tile_transpose_t` of cuda::tiles.
pub trait Transpose: TileShape {
    /// The shape.
    type Output: TileShape;
}

/// Two dimensions of one map.
#[diagnostic::on_unimplemented(
    message = "a dimension is named twice: `{Self}`",
    label = "no map of its dimensions",
    note = "a map names each dimension once; `UTerm` is `U0`, `UInt<UTerm, B1>` is `U1`"
)]
pub trait Differs<Other> {}
macro_rules! differ {
    ($($d:ident: $($o:ident)+;)+) => { $($(impl Differs<$o> for $d {})+)+ };
}
differ! {
    U0: U1 U2 U3 U4 U5 U6 U7;
    U1: U0 U2 U3 U4 U5 U6 U7;
    U2: U0 U1 U3 U4 U5 U6 U7;
    U3: U0 U1 U2 U4 U5 U6 U7;
    U4: U0 U1 U2 U3 U5 U6 U7;
    U5: U0 U1 U2 U3 U4 U6 U7;
    U6: U0 U1 U2 U3 U4 U5 U7;
    U7: U0 U1 U2 U3 U4 U5 U6;
}

/// The product of lengths.
macro_rules! size {
    () => { U1 };
    ($a:ident) => { $a };
    ($a:ident $($b:ident)+) => { <$a as Length>::Times<size!($($b)+)> };
}
/// A list of types from the last to the first.
macro_rules! reversed {
    ($list:ty;) => { $list };
    ($list:ty; $a:ty $(, $b:ty)*) => { reversed!(Cons<$a, $list>; $($b),*) };
}
/// The shapes of one rank: their lengths, what follows from these, and for each dimension those before and behind it.
macro_rules! shapes {
    ($rank:literal $rank_type:ident [$($a:ident)*] [$($x:ident)*] [$($p:ident)*] $own:ty,
     $transposed:ty, [$($first:ident $other:ident)*];
     $([$($before:ident)*] $d:ident $at:ident [$($behind:ident)*];)*) => {
        impl<$($a: Length),*> sealed::Sealed for ($($a,)*) {}
        impl<$($a: Length),*> TileShape for ($($a,)*)
        where
            <size!($($a)*) as Length>::Numeral: Fits,
        {
            type Rank = typenum::$rank_type;
            type Size = <size!($($a)*) as Length>::Numeral;
            type Numerals = ($($a::Numeral,)*);
            type Reversed = reversed!(Nil; $(<$a as Length>::Numeral),*);
            const SHAPE: Shape = Shape::fitting(&[$($a::U32),*]);
        }
        impl<$($a: Length),*> HasRank<$rank> for ($($a,)*) where ($($a,)*): TileShape {}
        impl<$($a: Numeral),*> Reversed for reversed!(Nil; $($a),*) {
            type Shape = ($($a::Length,)*);
        }
        impl<$($a: Length),*> Transpose for ($($a,)*)
        where
            ($($a,)*): TileShape,
            $transposed: TileShape,
        {
            type Output = $transposed;
        }
        #[diagnostic::do_not_recommend]
        impl<$($a: Divides<$x>,)* $($x),*> PartOf<($($x,)*)> for ($($a,)*) {}
        #[diagnostic::do_not_recommend]
        impl<$($a),*> Concatenates<($($a,)*)> for ($($a,)*) {}
        #[diagnostic::do_not_recommend]
        impl<$($a),*> Concatenates<Undecided> for ($($a,)*) {}
        impl<$($a: Length,)* $($p: Unsigned),*> Permute<($($p,)*)> for ($($a,)*)
        where
            $own: TileShape $(+ Dim<$p>)*,
            ($(<$own as Dim<$p>>::Length,)*): TileShape,
            $($first: Differs<$other>),*
        {
            type Output = ($(<$own as Dim<$p>>::Length,)*);
            const MAP: Map = Map::new(&[$($p::U8),*]);
        }
        $(
            impl<$($before: Length,)* $d: Length, $($behind: Length),*> Dim<$at> for ($($before,)* $d, $($behind,)*)
            where
                ($($before,)* $d, $($behind,)*): TileShape,
            {
                type Length = $d;
            }
            impl<$($before: Length,)* $d: Length, $($behind: Length,)* Z: Length> With<$at, Z>
                for ($($before,)* $d, $($behind,)*)
            where
                ($($before,)* $d, $($behind,)*): TileShape,
                ($($before,)* Z, $($behind,)*): TileShape,
            {
                type Output = ($($before,)* Z, $($behind,)*);
            }
        )*
    };
}
shapes! { 0 U0 [] [] [] (),
    (), [];
}
impl Dim<Undecided> for () {
    type Length = U1;
}
impl<Z: Length> With<Undecided, Z> for () {
    type Output = ();
}
shapes! { 1 U1 [A] [K] [P] (A,),
    (A,), [];
    [] A U0 [];
}
shapes! { 2 U2 [A B] [K L] [P Q] (A, B),
    (B, A), [P Q];
    [] A U0 [B];
    [A] B U1 [];
}
shapes! { 3 U3 [A B C] [K L M] [P Q R] (A, B, C),
    (B, A, C), [P Q P R Q R];
    [] A U0 [B C];
    [A] B U1 [C];
    [A B] C U2 [];
}
shapes! { 4 U4 [A B C D] [K L M N] [P Q R S] (A, B, C, D),
    (B, A, C, D), [P Q P R P S Q R Q S R S];
    [] A U0 [B C D];
    [A] B U1 [C D];
    [A B] C U2 [D];
    [A B C] D U3 [];
}
shapes! { 5 U5 [A B C D E] [K L M N O] [P Q R S I] (A, B, C, D, E),
    (B, A, C, D, E), [P Q P R P S P I Q R Q S Q I R S R I S I];
    [] A U0 [B C D E];
    [A] B U1 [C D E];
    [A B] C U2 [D E];
    [A B C] D U3 [E];
    [A B C D] E U4 [];
}
shapes! { 6 U6 [A B C D E F] [K L M N O T] [P Q R S I J] (A, B, C, D, E, F),
    (B, A, C, D, E, F), [P Q P R P S P I P J Q R Q S Q I Q J R S R I R J S I S J I J];
    [] A U0 [B C D E F];
    [A] B U1 [C D E F];
    [A B] C U2 [D E F];
    [A B C] D U3 [E F];
    [A B C D] E U4 [F];
    [A B C D E] F U5 [];
}
shapes! { 7 U7 [A B C D E F G] [K L M N O T V] [P Q R S I J U] (A, B, C, D, E, F, G),
    (B, A, C, D, E, F, G), [P Q P R P S P I P J P U Q R Q S Q I Q J Q U R S R I R J R U S I S J S U I J I U J U];
    [] A U0 [B C D E F G];
    [A] B U1 [C D E F G];
    [A B] C U2 [D E F G];
    [A B C] D U3 [E F G];
    [A B C D] E U4 [F G];
    [A B C D E] F U5 [G];
    [A B C D E F] G U6 [];
}
shapes! { 8 U8 [A B C D E F G H] [K L M N O T V W] [P Q R S I J U Y] (A, B, C, D, E, F, G, H),
    (B, A, C, D, E, F, G, H), [P Q P R P S P I P J P U P Y Q R Q S Q I Q J Q U Q Y R S R I R J R U R Y S I S J S U S Y I J I U I Y J U J Y U Y];
    [] A U0 [B C D E F G H];
    [A] B U1 [C D E F G H];
    [A B] C U2 [D E F G H];
    [A B C] D U3 [E F G H];
    [A B C D] E U4 [F G H];
    [A B C D E] F U5 [G H];
    [A B C D E F] G U6 [H];
    [A B C D E F G] H U7 [];
}

/// Two lists of reversed lengths, paired.
pub trait Zip<Other> {
    /// The longer length of each pair.
    type Output;
}
impl Zip<Nil> for Nil {
    type Output = Nil;
}
impl<A, R> Zip<Nil> for Cons<A, R> {
    type Output = Cons<A, R>;
}
impl<A, R> Zip<Cons<A, R>> for Nil {
    type Output = Cons<A, R>;
}
impl<A: Meets<B>, B, R: Zip<Q>, Q> Zip<Cons<B, Q>> for Cons<A, R> {
    type Output = Cons<A::Longer, R::Output>;
}
impl<S: TileShape, T: TileShape> Broadcast<T> for S
where
    S::Reversed: Zip<T::Reversed>,
    <S::Reversed as Zip<T::Reversed>>::Output: Reversed,
    <<S::Reversed as Zip<T::Reversed>>::Output as Reversed>::Shape: TileShape,
{
    type Output = <<S::Reversed as Zip<T::Reversed>>::Output as Reversed>::Shape;
}

/// Reversed lengths each of which broadcasts to its partner.
#[diagnostic::on_unimplemented(
    message = "the shape has more dimensions than the one that it should broadcast to",
    label = "the shape does not broadcast to that one",
    note = "a broadcast adds dimensions in front and removes none"
)]
pub trait FillsAll<To> {}
impl<To> FillsAll<To> for Nil {}
impl<A: Fills<B>, B, R: FillsAll<Q>, Q> FillsAll<Cons<B, Q>> for Cons<A, R> {}
impl<A, R> FillsAll<Undecided> for Cons<A, R> {}
impl<S: TileShape, To: TileShape> BroadcastsTo<To> for S where S::Reversed: FillsAll<To::Reversed> {}

/// The type of a tile's shape with plain numbers: `Shape![2, 4]` is `(U2, U4)`, `Shape![]` a scalar's.
/// ```
/// use girih::tile::{Tile, TileShape};
/// assert_eq!(<girih::Shape![1, 8192]>::SHAPE.size(), 8192);
/// ```
#[macro_export]
macro_rules! Shape {
    ($($length:literal),* $(,)?) => { ($($crate::tile::typed::Len<$length>,)*) };
}

/// typenum's type of a number.
pub type Len<const LENGTH: usize> = typenum::U<LENGTH>;

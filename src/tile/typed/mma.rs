//! Products of matrices, as tensor cores have them.

use super::len::{Divides, Fills, Length, Meets, N, Numeral, Undecided};
use super::shape::TileShape;
use super::tile::{AsTile, Tile, Value};
use crate::tile::element::{Element, F4E2M1, F8E4M3, F8E5M2, F8E8M0, F8UE5M3, Tf32, bf16, f16};
use crate::tile::op::Op;

/// Matrices, or batches of them, whose product with `B` has shape `C`: (M,K) and (K,N) to (M,N), with a batch in front of each
/// or of none; a batch of one is repeated.
#[diagnostic::on_unimplemented(
    message = "matrices of shapes `{Self}` and `{B}` do not multiply to `{C}`",
    note = "shapes are (M,K), (K,N) and (M,N), or each with a batch in front, of which those of the factors may be 1"
)]
pub trait Multiplies<B: TileShape, C: TileShape>: TileShape {}
impl<A: TileShape, B: TileShape, C: TileShape> Multiplies<B, C> for A where
    A::Numerals: Product<B::Numerals, C::Numerals>
{
}

/// [`Multiplies`] of [`TileShape::Numerals`].
#[diagnostic::on_unimplemented(
    message = "matrices of shapes `{Self}` and `{B}` do not multiply to `{C}`",
    label = "the shapes do not fit",
    note = "shapes are (M,K), (K,N) and (M,N), or each with a batch in front, of which those of the factors may be 1"
)]
pub trait Product<B, C> {}
#[diagnostic::do_not_recommend]
impl<M, N, K> Product<(K, N), (M, N)> for (M, K) {}
#[diagnostic::do_not_recommend]
impl<A, B> Product<B, Undecided> for A {}
#[diagnostic::do_not_recommend]
impl<A, B> Product<B, Undecided<1>> for A {}
#[diagnostic::do_not_recommend]
impl<P: Fills<R>, Q: Fills<R>, R, M, N, K> Product<(Q, K, N), (R, M, N)> for (P, M, K) {}

/// Matrices, or batches of them, that have a product with `B`.
#[diagnostic::on_unimplemented(
    message = "matrices of shapes `{Self}` and `{B}` do not multiply",
    note = "shapes are (M,K) and (K,N), or each with a batch in front, equal or one of them 1"
)]
pub trait Matmul<B: TileShape>: TileShape {
    /// The shape of the product.
    type Output: TileShape;
}
impl<A: TileShape, B: TileShape> Matmul<B> for A
where
    A::Numerals: Factor<B::Numerals>,
{
    type Output = <A::Numerals as Factor<B::Numerals>>::Product;
}

/// [`Matmul`] of [`TileShape::Numerals`].
#[diagnostic::on_unimplemented(
    message = "matrices of shapes `{Self}` and `{B}` do not multiply",
    label = "the shapes do not fit",
    note = "shapes are (M,K) and (K,N), or each with a batch in front, equal or one of them 1"
)]
pub trait Factor<B> {
    /// The shape of the product.
    type Product: TileShape;
}
#[diagnostic::do_not_recommend]
impl<A> Factor<Undecided> for A {
    type Product = ();
}
#[diagnostic::do_not_recommend]
impl<A> Factor<Undecided<1>> for A {
    type Product = ();
}
#[diagnostic::do_not_recommend]
impl<M: Numeral, N: Numeral, K> Factor<(K, N)> for (M, K)
where
    (M::Length, N::Length): TileShape,
{
    type Product = (M::Length, N::Length);
}
#[diagnostic::do_not_recommend]
impl<P: Meets<Q>, Q, M: Numeral, N: Numeral, K> Factor<(Q, K, N)> for (P, M, K)
where
    (<P::Longer as Numeral>::Length, M::Length, N::Length): TileShape,
{
    type Product = (<P::Longer as Numeral>::Length, M::Length, N::Length);
}

/// Elements whose products with `B` are summed in `C`.
#[diagnostic::on_unimplemented(
    message = "products of `{Self}` and `{B}` are not summed in `{C}`",
    label = "no such accumulator",
    note = "i8 or u8 with i8 or u8 in i32; f16, F8E4M3 or F8E5M2 with its like in f16 or f32; bf16, Tf32 or f32 with its like in f32; \
            f64 in f64"
)]
pub trait Accumulates<B, C>: Element {}
#[diagnostic::do_not_recommend]
impl<A: Element, B> Accumulates<B, Undecided> for A {}
#[diagnostic::do_not_recommend]
impl<A: Element, B> Accumulates<B, Undecided<1>> for A {}
/// The elements of a product with `B` unless others are asked for.
#[diagnostic::on_unimplemented(
    message = "there are no products of `{Self}` and `{B}`",
    label = "no such product",
    note = "i8 or u8 with i8 or u8; f16, F8E4M3, F8E5M2, bf16, Tf32, f32 and f64 with its like: cast one of the factors"
)]
pub trait Accumulator<B>: Element {
    /// The elements.
    type Output: Element;
}
#[diagnostic::do_not_recommend]
impl<A: Element> Accumulator<Undecided> for A {
    type Output = A;
}
#[diagnostic::do_not_recommend]
impl<A: Element> Accumulator<Undecided<1>> for A {
    type Output = A;
}
macro_rules! accumulates {
    ($($a:ident $b:ident: $default:ident $($other:ident)?;)+) => {$(
        impl Accumulates<$b, $default> for $a {}
        $(impl Accumulates<$b, $other> for $a {})?
        impl Accumulator<$b> for $a { type Output = $default; }
    )+};
}
accumulates! {
    i8 i8: i32;
    i8 u8: i32;
    u8 i8: i32;
    u8 u8: i32;
    F8E4M3 F8E4M3: f16 f32;
    F8E5M2 F8E5M2: f16 f32;
    f16 f16: f16 f32;
    bf16 bf16: f32;
    Tf32 Tf32: f32;
    f32 f32: f32;
    f64 f64: f64;
}

/// Elements with a scale of type `F` for each run of `Length` of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no scales `{F}` for runs of `{Length}` elements",
    label = "no such scales",
    note = "F8E4M3 and F8E5M2 have scales F8E8M0 for 32 elements each; F4E2M1 has F8E8M0 and F8UE5M3 for 16 or 32, F8E4M3 for 16",
    note = "the length of a run is K over the length of the scales along k"
)]
pub trait Scales<F, Length>: Element {}
#[diagnostic::do_not_recommend]
impl<A: Element, F> Scales<F, Undecided> for A {}
#[diagnostic::do_not_recommend]
impl<A: Element, F> Scales<F, Undecided<1>> for A {}
macro_rules! scales {
    ($($e:ident $f:ident: $($length:literal)+;)+) => { $($(impl Scales<$f, N<$length>> for $e {})+)+ };
}
scales! {
    F8E4M3 F8E8M0: 32;
    F8E5M2 F8E8M0: 32;
    F4E2M1 F8E8M0: 16 32;
    F4E2M1 F8UE5M3: 16 32;
    F4E2M1 F8E4M3: 16;
}

/// Matrices to be multiplied by `B` with scales of shapes `P`, for these, and `Q`, for `B`: as many as there are runs along k.
pub trait ScaledBy<B: TileShape, P: TileShape, Q: TileShape>: TileShape {
    /// How many elements along k share a scale.
    type Run;
}
impl<A: TileShape, B: TileShape, P: TileShape, Q: TileShape> ScaledBy<B, P, Q> for A
where
    A::Numerals: Scaled<B::Numerals, P::Numerals, Q::Numerals>,
{
    type Run = <A::Numerals as Scaled<B::Numerals, P::Numerals, Q::Numerals>>::Run;
}

/// [`ScaledBy`] of [`TileShape::Numerals`].
#[diagnostic::on_unimplemented(
    message = "scales of shapes `{P}` and `{Q}` do not fit matrices of shapes `{Self}` and `{B}`",
    label = "the shapes do not fit",
    note = "beside (M,K) and (K,N) they are (M,R) and (R,N) for R runs along k, with the batches of the matrices in front"
)]
pub trait Scaled<B, P, Q> {
    /// How many elements along k share a scale.
    type Run;
}
#[diagnostic::do_not_recommend]
impl<A, B, P> Scaled<B, P, Undecided> for A {
    type Run = Undecided;
}
#[diagnostic::do_not_recommend]
impl<A, B, P> Scaled<B, P, Undecided<1>> for A {
    type Run = Undecided;
}
#[diagnostic::do_not_recommend]
impl<M, N, K, R: Divides<K>> Scaled<(K, N), (M, R), (R, N)> for (M, K) {
    type Run = <R::Parts as Length>::Numeral;
}
#[diagnostic::do_not_recommend]
impl<P, Q, M, N, K, R: Divides<K>> Scaled<(Q, K, N), (P, M, R), (Q, R, N)> for (P, M, K) {
    type Run = <R::Parts as Length>::Numeral;
}

/// Products of matrices, and of batches of them.
impl<A: Element, S: TileShape, V: Value> Tile<A, S, V> {
    /// `self * b + c` of matrices (cuda::tiles: `mma`). On the host, floats are summed in `f64`: `c` first, then the products in the order
    /// of k, with one rounding a step and one at the end, to the type of `c`. Products are exact, also those of `f64`, which are fused
    /// with the addition. Integers are summed modulo 2^32.
    /// ```
    /// # use girih::{Shape, tile::{Tile, f16}};
    /// let (a, b) = (Tile::<f16, Shape![2, 4]>::ones(), Tile::<f16, Shape![4, 8]>::ones());
    /// let c = a.mma(&b, &Tile::<f32, Shape![2, 8]>::full(0.5));
    /// assert_eq!(c.to_vec(), [4.5; 16]);
    /// ```
    #[track_caller]
    pub fn mma<B: Element, C: Element, T: TileShape, U: TileShape>(
        &self,
        b: impl AsTile<B, T, V>,
        c: impl AsTile<C, U, V>,
    ) -> Tile<C, U, V>
    where
        A: Accumulates<B, C>,
        S: Multiplies<T, U>,
    {
        Tile::wrap(V::apply(Op::Mma, &[self.value(), b.as_tile().value(), c.as_tile().value()]))
    }

    /// `self * b` of matrices (cuda::tiles: `matmul`), in `i32` of integers, `f16` of it and of 8-bit floats, `f64` of `f64`, else in
    /// `f32`.
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let a = Tile::<i8, Shape![2, 2]>::iota();
    /// assert_eq!(a.matmul(&a).to_string(), "( 2  3)\n( 6 11)");
    /// ```
    #[track_caller]
    pub fn matmul<B: Element, T: TileShape>(&self, b: impl AsTile<B, T, V>) -> Tile<A::Output, S::Output, V>
    where
        A: Accumulator<B>,
        S: Matmul<T>,
    {
        let zero = self.value().constant(Op::Full(Tile::<A::Output, S::Output>::TYPE, 0));
        Tile::wrap(V::apply(Op::Mma, &[self.value(), b.as_tile().value(), &zero]))
    }

    /// [`mma`](Self::mma) of matrices with scales: each run of elements along k has one, `scale` for this tile, `scale_b` for `b`
    /// (cuda::tiles: `scaled_mma`).
    /// ```
    /// # use girih::{Shape, tile::{F8E4M3, F8E8M0, Tile}};
    /// let (a, b) = (Tile::<F8E4M3, Shape![2, 64]>::ones(), Tile::<F8E4M3, Shape![64, 2]>::ones());
    /// let two = Tile::<f32, Shape![]>::from(2.0).cast::<F8E8M0>();
    /// let d = a.scaled_mma(
    ///     &two.broadcast::<Shape![2, 2]>(),
    ///     &b,
    ///     &Tile::<F8E8M0, Shape![2, 2]>::ones(),
    ///     &Tile::<f32, Shape![2, 2]>::zeros(),
    /// );
    /// assert_eq!(d.to_vec(), [128.0; 4]);
    /// ```
    #[track_caller]
    pub fn scaled_mma<F: Element, T: TileShape, U: TileShape, P: TileShape, Q: TileShape>(
        &self,
        scale: impl AsTile<F, P, V>,
        b: impl AsTile<A, T, V>,
        scale_b: impl AsTile<F, Q, V>,
        c: impl AsTile<f32, U, V>,
    ) -> Tile<f32, U, V>
    where
        S: Multiplies<T, U> + ScaledBy<T, P, Q>,
        A: Scales<F, S::Run>,
    {
        let (scale, b, scale_b, c) = (scale.as_tile(), b.as_tile(), scale_b.as_tile(), c.as_tile());
        Tile::wrap(V::apply(Op::ScaledMma, &[self.value(), b.value(), c.value(), scale.value(), scale_b.value()]))
    }
}

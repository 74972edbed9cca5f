//! Products of matrices, as tensor cores have them.

use super::len::{Divides, Fills, Length, Meets};
use super::shape::TileShape;
use super::tile::{Tile, Value};
use crate::tile::element::*;
use crate::tile::op::Op;
use typenum::{U16, U32};

/// Matrices, or batches of them, whose product with `B` has shape `C`: (M,K) and (K,N) to (M,N), with a batch in front of each
/// or of none; a batch of one is repeated.
#[diagnostic::on_unimplemented(
    message = "matrices of shapes `{Self}` and `{B}` do not multiply to `{C}`",
    note = "shapes are (M,K), (K,N) and (M,N), or each with a batch in front, of which those of the factors may be 1"
)]
pub trait Multiplies<B: TileShape, C: TileShape>: TileShape {}
impl<M: Length, N: Length, K: Length> Multiplies<(K, N), (M, N)> for (M, K)
where
    (M, K): TileShape,
    (K, N): TileShape,
    (M, N): TileShape,
{
}
impl<P: Length + Fills<R>, Q: Length + Fills<R>, R: Length, M: Length, N: Length, K: Length>
    Multiplies<(Q, K, N), (R, M, N)> for (P, M, K)
where
    (P, M, K): TileShape,
    (Q, K, N): TileShape,
    (R, M, N): TileShape,
{
}

/// Matrices, or batches of them, that have a product with `B`.
#[diagnostic::on_unimplemented(
    message = "matrices of shapes `{Self}` and `{B}` do not multiply",
    note = "shapes are (M,K) and (K,N), or each with a batch in front, equal or one of them 1"
)]
pub trait Matmul<B: TileShape>: Multiplies<B, Self::Output> {
    /// The shape of the product.
    type Output: TileShape;
}
impl<M: Length, N: Length, K: Length> Matmul<(K, N)> for (M, K)
where
    (M, K): TileShape,
    (K, N): TileShape,
    (M, N): TileShape,
{
    type Output = (M, N);
}
impl<P, Q, M: Length, N: Length, K: Length> Matmul<(Q, K, N)> for (P, M, K)
where
    P: Length + Meets<Q> + Fills<P::Longer>,
    Q: Length + Fills<P::Longer>,
    (P, M, K): TileShape,
    (Q, K, N): TileShape,
    (P::Longer, M, N): TileShape,
{
    type Output = (P::Longer, M, N);
}

/// Elements whose products with `B` are summed in `C`.
#[diagnostic::on_unimplemented(
    message = "products of `{Self}` and `{B}` are not summed in `{C}`",
    label = "no such accumulator",
    note = "i8 or u8 with i8 or u8 in i32; f16, F8E4M3 or F8E5M2 with its like in f16 or f32; bf16, Tf32 or f32 with its like in f32; \
            f64 in f64"
)]
pub trait Accumulates<B: Element, C: Element>: Element {}
/// The elements of a product with `B` unless others are asked for.
#[diagnostic::on_unimplemented(
    message = "there are no products of `{Self}` and `{B}`",
    label = "no such product",
    note = "i8 or u8 with i8 or u8; f16, F8E4M3, F8E5M2, bf16, Tf32, f32 and f64 with its like: cast one of the factors"
)]
pub trait Accumulator<B: Element>: Accumulates<B, Self::Output> {
    /// The elements.
    type Output: Number;
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
    message = "`{Self}` has no scales `{F}` for runs of this length",
    label = "no such scales",
    note = "F8E4M3 and F8E5M2 have scales F8E8M0 for 32 elements each; F4E2M1 has F8E8M0 and F8UE5M3 for 16 or 32, F8E4M3 for 16",
    note = "the length of a run is K over the length of the scales along k"
)]
pub trait Scales<F: Element, Length>: Element {}
macro_rules! scales {
    ($($e:ident $f:ident: $($length:ident)+;)+) => { $($(impl Scales<$f, $length> for $e {})+)+ };
}
scales! {
    F8E4M3 F8E8M0: U32;
    F8E5M2 F8E8M0: U32;
    F4E2M1 F8E8M0: U16 U32;
    F4E2M1 F8UE5M3: U16 U32;
    F4E2M1 F8E4M3: U16;
}

/// Matrices to be multiplied by `B` with scales of shapes `P`, for these, and `Q`, for `B`: as many as there are runs along k.
#[diagnostic::on_unimplemented(
    message = "scales of shapes `{P}` and `{Q}` do not fit matrices of shapes `{Self}` and `{B}`",
    note = "beside (M,K) and (K,N) they are (M,K/V) and (K/V,N), with the batches of the matrices in front"
)]
pub trait ScaledBy<B: TileShape, P: TileShape, Q: TileShape>: TileShape {
    /// How many elements along k share a scale: V.
    type Run;
}
impl<M: Length, N: Length, K: Length, R: Divides<K> + Length> ScaledBy<(K, N), (M, R), (R, N)> for (M, K)
where
    (M, K): TileShape,
    (K, N): TileShape,
    (M, R): TileShape,
    (R, N): TileShape,
{
    type Run = R::Parts;
}
impl<P: Length, Q: Length, M: Length, N: Length, K: Length, R: Divides<K> + Length>
    ScaledBy<(Q, K, N), (P, M, R), (Q, R, N)> for (P, M, K)
where
    (P, M, K): TileShape,
    (Q, K, N): TileShape,
    (P, M, R): TileShape,
    (Q, R, N): TileShape,
{
    type Run = R::Parts;
}

/// Products of matrices, and of batches of them.
impl<A: Element, S: TileShape, V: Value> Tile<A, S, V> {
    /// `self * b + c` of matrices (seed: `mma`). The products are exact and summed in the type of `c`.
    /// ```
    /// # use girih::{Shape, tile::{Tile, f16}};
    /// let (a, b) = (Tile::<f16, Shape![2, 4]>::ones(), Tile::<f16, Shape![4, 8]>::ones());
    /// let c = a.mma(&b, &Tile::<f32, Shape![2, 8]>::full(0.5));
    /// assert_eq!(c.to_vec(), [4.5; 16]);
    /// ```
    #[track_caller]
    pub fn mma<B: Element, C: Element, T: TileShape, U: TileShape>(
        &self,
        b: &Tile<B, T, V>,
        c: &Tile<C, U, V>,
    ) -> Tile<C, U, V>
    where
        A: Accumulates<B, C>,
        S: Multiplies<T, U>,
    {
        Tile::wrap(V::apply(Op::Mma, &[self.value(), b.value(), c.value()]))
    }

    /// `self * b` of matrices (seed: `matmul`), in `i32` of integers, `f16` of it and of 8-bit floats, `f64` of `f64`, else in
    /// `f32`.
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let a = Tile::<i8, Shape![2, 2]>::iota();
    /// assert_eq!(a.matmul(&a).to_string(), "(2  3)\n(6 11)");
    /// ```
    #[track_caller]
    pub fn matmul<B: Element, T: TileShape>(&self, b: &Tile<B, T, V>) -> Tile<A::Output, S::Output, V>
    where
        A: Accumulator<B>,
        S: Matmul<T>,
    {
        let zero = self.value().constant(Op::Full(Tile::<A::Output, S::Output>::TYPE, 0));
        self.mma(b, &Tile::wrap(zero))
    }

    /// [`mma`](Self::mma) of matrices with scales: each run of elements along k has one, `scale` for this tile, `scale_b` for `b`
    /// (seed: `scaled_mma`).
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
        scale: &Tile<F, P, V>,
        b: &Tile<A, T, V>,
        scale_b: &Tile<F, Q, V>,
        c: &Tile<f32, U, V>,
    ) -> Tile<f32, U, V>
    where
        S: Multiplies<T, U> + ScaledBy<T, P, Q>,
        A: Scales<F, S::Run>,
    {
        Tile::wrap(V::apply(Op::ScaledMma, &[self.value(), b.value(), c.value(), scale.value(), scale_b.value()]))
    }
}

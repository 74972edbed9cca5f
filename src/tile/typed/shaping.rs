//! Typed operations on shapes.

use super::shape::*;
use super::tile::{Tile, Value};
use super::{Bitcasts, Is};
use crate::tile::element::Element;
use crate::tile::op::Op;

impl<E: Element, S: TileShape, V: Value> Tile<E, S, V> {
    /// The elements in row-major order in another shape of as many (seed: `reshape`).
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let x = Tile::<i32, Shape![2, 4]>::iota();
    /// assert_eq!(x.reshape::<Shape![4, 2]>().to_string(), "(0 1)\n(2 3)\n(4 5)\n(6 7)");
    /// ```
    #[track_caller]
    pub fn reshape<T: TileShape>(&self) -> Tile<E, T, V>
    where
        S::Size: Is<T::Size>,
    {
        Tile::wrap(V::apply(Op::Reshape(T::SHAPE), &[self.value()]))
    }

    /// Dimension `i` of the result is dimension `M[i]` of this one (seed: `permute`).
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// # use typenum::*;
    /// let x = Tile::<i32, Shape![4, 2, 2]>::iota();
    /// let r: Tile<i32, Shape![2, 4, 2]> = x.permute::<(U2, U0, U1)>();
    /// assert_eq!(r.to_vec(), [0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15]);
    /// ```
    #[track_caller]
    pub fn permute<M>(&self) -> Tile<E, S::Output, V>
    where
        S: Permute<M>,
    {
        Tile::wrap(V::apply(Op::Permute(S::MAP), &[self.value()]))
    }

    /// This tile and behind it another one, along dimension `D` (seed: `cat`).
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// # use typenum::*;
    /// let (x, y) = (Tile::<i32, Shape![2, 2]>::full(0), Tile::<i32, Shape![2, 2]>::full(1));
    /// assert_eq!(x.cat::<U1, _>(&y).to_string(), "(0 0 1 1)\n(0 0 1 1)");
    /// ```
    #[track_caller]
    pub fn cat<D: typenum::Unsigned, T: TileShape>(&self, other: &Tile<E, T, V>) -> Tile<E, S::Output, V>
    where
        S: Cat<T, D>,
    {
        Tile::wrap(V::apply(Op::Cat(D::U8), &[self.value(), other.value()]))
    }

    /// Repeated along dimensions of length 1 and new ones in front (seed: `broadcast`).
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let x = Tile::<i32, Shape![2, 1]>::iota();
    /// assert_eq!(x.broadcast::<Shape![2, 4]>().to_string(), "(0 0 0 0)\n(1 1 1 1)");
    /// ```
    #[track_caller]
    pub fn broadcast<T: TileShape>(&self) -> Tile<E, T, V>
    where
        S: BroadcastsTo<T>,
    {
        Tile::wrap(V::apply(Op::Broadcast(T::SHAPE), &[self.value()]))
    }

    /// The elements with the same bits in another type as wide; `bool` counts as 8 bits (seed: `element_bitcast`).
    #[track_caller]
    pub fn bitcast<F: Element>(&self) -> Tile<F, S, V>
    where
        E: Bitcasts<F>,
    {
        Tile::wrap(V::apply(Op::Bitcast(F::TYPE), &[self.value()]))
    }

    /// The bits along dimension `D` as elements of another type, lower bits first (seed: `repack`).
    #[track_caller]
    pub fn repack<F: Element, D: typenum::Unsigned>(&self) -> Tile<F, S::Output, V>
    where
        S: Repack<E, F, D>,
    {
        Tile::wrap(V::apply(Op::Repack(F::TYPE, D::U8), &[self.value()]))
    }
}

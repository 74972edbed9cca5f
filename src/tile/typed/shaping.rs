//! Typed operations on shapes.

use super::SameSize;
use super::shape::*;
use super::tile::{AsTile, Tile, Value};
use crate::tile::element::Element;
use crate::tile::op::{Map, Op};
use crate::tile::shape::RANK;

impl<E: Element, S: TileShape, V: Value> Tile<E, S, V> {
    /// The elements in row-major order in another shape of as many (cuda::tiles: `reshape`).
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let x = Tile::<i32, Shape![2, 4]>::iota();
    /// assert_eq!(x.reshape::<Shape![4, 2]>().to_string(), "(0 1)\n(2 3)\n(4 5)\n(6 7)");
    /// ```
    #[track_caller]
    pub fn reshape<T: TileShape>(&self) -> Tile<E, T, V>
    where
        S::Size: SameSize<T::Size>,
    {
        Tile::wrap(V::apply(Op::Reshape(T::SHAPE), &[self.value()]))
    }

    /// Dimension `i` of the result is dimension `M[i]` of this one (cuda::tiles: `permute`).
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

    /// This tile and behind it another one, along dimension `D` (cuda::tiles: `cat`).
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// # use typenum::*;
    /// let (x, y) = (Tile::<i32, Shape![2, 2]>::full(0), Tile::<i32, Shape![2, 2]>::full(1));
    /// assert_eq!(x.cat::<U1, _>(&y).to_string(), "(0 0 1 1)\n(0 0 1 1)");
    /// ```
    #[track_caller]
    pub fn cat<D: typenum::Unsigned, T: TileShape>(&self, other: impl AsTile<E, T, V>) -> Tile<E, S::Output, V>
    where
        S: Cat<T, D>,
    {
        Tile::wrap(V::apply(Op::Cat(D::U8), &[self.value(), other.as_tile().value()]))
    }

    /// Repeated along dimensions of length 1 and new ones in front (cuda::tiles: `broadcast`).
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

    /// The first two dimensions interchanged; below rank 2 the tile itself (cuda::tiles: `transpose`).
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// assert_eq!(Tile::<i32, Shape![2, 2]>::iota().transpose().to_string(), "(0 2)\n(1 3)");
    /// ```
    #[track_caller]
    pub fn transpose(&self) -> Tile<E, S::Output, V>
    where
        S: Transpose,
    {
        let rank = S::SHAPE.rank();
        let dims: [u8; RANK] = core::array::from_fn(|i| if i < 2 { 1 - i as u8 } else { i as u8 });
        match rank {
            0 | 1 => Tile::wrap(self.value().clone()),
            _ => Tile::wrap(V::apply(Op::Permute(Map::new(&dims[..rank])), &[self.value()])),
        }
    }
}

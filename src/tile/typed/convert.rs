//! Conversion of elements.

use super::Bitcasts;
use super::shape::{Repack, TileShape};
use super::tile::{Tile, Value};
use crate::tile::element::*;
use crate::tile::op::Op;
use typenum::Unsigned;

impl<E: Element, S: TileShape, V: Value> Tile<E, S, V> {
    /// The elements converted to another type, as [`cast`] does (cuda::tiles: `element_cast`).
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let x = Tile::<i32, Shape![4, 1]>::iota().cast::<f64>();
    /// assert_eq!(x.to_vec(), [0.0, 1.0, 2.0, 3.0]);
    /// ```
    #[track_caller]
    pub fn cast<F: Element>(&self) -> Tile<F, S, V> {
        self.converted(Conversion::new(E::TYPE, F::TYPE))
    }

    /// The elements converted to another type with a rounding mode, as [`cast_rounded`] does (cuda::tiles: `element_cast`).
    /// ```
    /// # use girih::{Shape, tile::Tile, tile::rounding::TowardPositive};
    /// let x = Tile::<f64, Shape![2]>::full(1.0 + 1e-12);
    /// assert_eq!(x.cast_rounded::<f32, TowardPositive>().to_vec(), [1.0 + f32::EPSILON; 2]);
    /// ```
    #[track_caller]
    pub fn cast_rounded<F: Element, M: RoundingMode>(&self) -> Tile<F, S, V>
    where
        E: RoundsTo<F, M>,
    {
        self.converted(Conversion::rounded_as::<E, F, M>())
    }

    /// Floats converted to integers, what is out of range to the nearest one, as [`cast_saturating`] does (cuda::tiles:
    /// `element_cast`).
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let x = Tile::<f32, Shape![2, 1]>::full(100000.0);
    /// assert_eq!(x.cast_saturating::<i16>().to_vec(), [32767, 32767]);
    /// ```
    #[track_caller]
    pub fn cast_saturating<F: Element>(&self) -> Tile<F, S, V>
    where
        E: SaturatesTo<F>,
    {
        self.converted(Conversion::saturated_as::<E, F>())
    }

    /// The elements with the same bits in another type as wide; `bool` counts as 8 bits (cuda::tiles: `element_bitcast`).
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// assert_eq!(Tile::<u8, Shape![4, 1]>::full(255).bitcast::<i8>().to_vec(), [-1; 4]);
    /// ```
    #[track_caller]
    pub fn bitcast<F: Element>(&self) -> Tile<F, S, V>
    where
        E: Bitcasts<F>,
    {
        Tile::wrap(V::apply(Op::Bitcast(F::TYPE), &[self.value()]))
    }

    /// The bits along dimension `D` as elements of another type, lower bits first (cuda::tiles: `repack`).
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// # use typenum::*;
    /// let x = Tile::<u8, Shape![1, 2]>::new(vec![0x01, 0x23])?;
    /// assert_eq!(x.repack::<u16, U1>().to_vec(), [0x2301]);
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn repack<F: Element, D: Unsigned>(&self) -> Tile<F, S::Output, V>
    where
        S: Repack<E, F, D>,
    {
        Tile::wrap(V::apply(Op::Repack(F::TYPE, D::U8), &[self.value()]))
    }

    /// A conversion whose modes exist; none if the type is the same.
    #[track_caller]
    fn converted<F: Element>(&self, how: Conversion) -> Tile<F, S, V> {
        match E::TYPE == F::TYPE {
            true => Tile::wrap(self.value().clone()),
            false => Tile::wrap(V::apply(Op::Cast(how), &[self.value()])),
        }
    }
}

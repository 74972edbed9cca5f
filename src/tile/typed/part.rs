//! Parts of tiles: `extract` and `insert`.

use super::shape::{ExtractableFrom, TileShape};
use super::tile::{AsTile, Tile, Value};
use crate::tile::element::{Element, Integer, Widens};
use crate::tile::op::Op;
use crate::tile::shape::TileType;
use typenum::*;

/// An index with one entry for each of `Rank` dimensions: a tuple or an array of [`IndexEntry`]s.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no index of a tile of this rank",
    label = "one integer for each dimension is needed here",
    note = "an index is a tuple or an array of integers, or of integer tiles of rank 0: `(0, 1)`, `(i,)`, `()` for a scalar"
)]
pub trait Index<Rank, V> {
    /// Its entries as scalars beside a value.
    #[track_caller]
    fn entries(&self, beside: &V) -> Vec<V>;
}

/// One entry of an [`Index`]: an integer, or an integer tile of rank 0.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no entry of an index",
    label = "an integer, or an integer tile of rank 0, is needed here"
)]
pub trait IndexEntry<V> {
    /// The scalar.
    #[track_caller]
    fn entry(&self, beside: &V) -> V;
}

macro_rules! entries {
    ($($number:ty as $e:ty)+) => {$(
        impl<V: Value> IndexEntry<V> for $number {
            fn entry(&self, beside: &V) -> V {
                beside.constant(Op::Full(TileType::scalar(<$e as Element>::TYPE), Element::to_bits(*self as $e)))
            }
        }
    )+};
}
entries!(i8 as i8 u8 as u8 i16 as i16 u16 as u16 i32 as i32 u32 as u32 i64 as i64 u64 as u64 usize as u64 isize as i64);

impl<E: Integer, V: Value> IndexEntry<V> for Tile<E, (), V> {
    fn entry(&self, _: &V) -> V {
        self.value().clone()
    }
}
impl<I: IndexEntry<V>, V> IndexEntry<V> for &I {
    fn entry(&self, beside: &V) -> V {
        I::entry(self, beside)
    }
}

macro_rules! indices {
    ($($n:literal $rank:ident: $($i:ident $at:tt)*;)+) => {$(
        impl<V, $($i: IndexEntry<V>),*> Index<$rank, V> for ($($i,)*) {
            fn entries(&self, _beside: &V) -> Vec<V> {
                vec![$(self.$at.entry(_beside)),*]
            }
        }
        impl<V, I: IndexEntry<V>> Index<$rank, V> for [I; $n] {
            fn entries(&self, beside: &V) -> Vec<V> {
                self.iter().map(|i| i.entry(beside)).collect()
            }
        }
    )+};
}
indices! {
    0 U0:;
    1 U1: A 0;
    2 U2: A 0 B 1;
    3 U3: A 0 B 1 C 2;
    4 U4: A 0 B 1 C 2 D 3;
    5 U5: A 0 B 1 C 2 D 3 E 4;
    6 U6: A 0 B 1 C 2 D 3 E 4 F 5;
    7 U7: A 0 B 1 C 2 D 3 E 4 F 5 G 6;
    8 U8: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
}

impl<E: Element, S: TileShape, V: Value> Tile<E, S, V> {
    /// The part of shape `T` with this index among the parts that tile this one (cuda::tiles: `extract`).
    ///
    /// # Errors
    /// There is no such part. A traced tile is checked when it is evaluated.
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let x = Tile::<i32, Shape![4, 4]>::iota();
    /// assert_eq!(x.extract::<Shape![2, 2]>((0, 1))?.to_string(), "(2 3)\n(6 7)");
    /// assert!(x.extract::<Shape![2, 2]>((0, 2)).is_err());
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn extract<T: ExtractableFrom<S>>(&self, index: impl Index<S::Rank, V>) -> V::Checked<Tile<E, T, V>> {
        let entries = index.entries(self.value());
        let operands: Vec<_> = core::iter::once(self.value()).chain(&entries).collect();
        V::checked(Op::Extract(T::SHAPE), &operands, Tile::wrap)
    }

    /// This tile with the part of this index replaced by another tile, converted if that does not narrow (cuda::tiles: `insert`).
    ///
    /// # Errors
    /// There is no such part. A traced tile is checked when it is evaluated.
    /// ```
    /// # use girih::{Shape, tile::Tile};
    /// let (x, s) = (Tile::<i32, Shape![2, 4]>::zeros(), Tile::<i16, Shape![2, 2]>::ones());
    /// assert_eq!(x.insert(&s, (0, 1))?.to_string(), "(0 0 1 1)\n(0 0 1 1)");
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    #[track_caller]
    pub fn insert<F: Widens<E>, T: ExtractableFrom<S>>(
        &self,
        part: impl AsTile<F, T, V>,
        index: impl Index<S::Rank, V>,
    ) -> V::Checked<Self> {
        let part: Tile<E, T, V> = part.as_tile().cast();
        let entries = index.entries(self.value());
        let operands: Vec<_> = [self.value(), part.value()].into_iter().chain(&entries).collect();
        V::checked(Op::Insert, &operands, Tile::wrap)
    }
}

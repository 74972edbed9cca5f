//! Indices of chunks.

use crate::tile::{AnyTile, Element, Integral, Tile, TileShape, Value};

/// One number of an index, or the list of rows of a gathered dimension.
#[derive(Clone, Debug)]
pub enum At<V> {
    /// a number
    Number(i128),
    /// a scalar tile of an integral type, or a list of rows
    Tile(V),
}

/// A dimension along which chunks are numbered.
#[derive(Clone, Copy, Debug)]
pub enum One {}
/// A dimension along which `N` rows are listed.
#[derive(Clone, Copy, Debug)]
pub struct Many<N>(core::marker::PhantomData<N>);

/// What stands in an index for a dimension of kind `K`: an integer or a scalar tile of them for [`One`], a tile of `N` integers
/// for [`Many<N>`](Many). Only integral elements are taken: a float is cast first, so that its rounding is written.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no index along a dimension of kind `{K}`",
    note = "where chunks are numbered (`One`), it is an integer or a scalar tile of an integral type",
    note = "where rows are listed (`Many<N>`), it is a tile of shape `(N,)` of an integral type"
)]
pub trait Coordinate<V, K> {
    /// The number or the list.
    fn at(&self) -> At<V>;
}

macro_rules! numbers {
    ($($number:ty)+) => {$(
        impl<V> Coordinate<V, One> for $number {
            fn at(&self) -> At<V> {
                At::Number(*self as i128)
            }
        }
    )+};
}
numbers!(i8 u8 i16 u16 i32 u32 i64 u64 isize usize);

impl<E: Element + Integral, V: Value> Coordinate<V, One> for Tile<E, (), V> {
    fn at(&self) -> At<V> {
        At::Tile(self.value().clone())
    }
}
impl<E: Element + Integral, V: Value, N> Coordinate<V, Many<N>> for Tile<E, (N,), V>
where
    (N,): TileShape,
{
    fn at(&self) -> At<V> {
        At::Tile(self.value().clone())
    }
}
impl<V, K, C: Coordinate<V, K>> Coordinate<V, K> for &C {
    fn at(&self) -> At<V> {
        (*self).at()
    }
}

/// The index of a chunk of a view whose dimensions are of the kinds `K`: a tuple with a [`Coordinate`] for each dimension; an
/// array, if all are of one type; a single one, if there is one dimension.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no index of a chunk: `{K}` is needed",
    note = "an index is a tuple or an array with one entry for each dimension: an integer or a scalar tile where `One` is needed, \
            a tile of `N` integers where `Many<N>` is"
)]
pub trait Index<V, K> {
    /// Its entries.
    fn entries(&self) -> Vec<At<V>>;
}

macro_rules! index {
    ($($rank:literal: $($c:ident $k:ident $one:ident),+;)+) => {$(
        impl<V, $($c: Coordinate<V, $k>, $k),+> Index<V, ($($k,)+)> for ($($c,)+) {
            #[allow(non_snake_case)]
            fn entries(&self) -> Vec<At<V>> {
                let ($($c,)+) = self;
                vec![$($c.at()),+]
            }
        }
        impl<V, C: Coordinate<V, One>> Index<V, ($($one,)+)> for [C; $rank] {
            fn entries(&self) -> Vec<At<V>> {
                self.iter().map(C::at).collect()
            }
        }
    )+};
}
index! {
    1: A K One;
    2: A K One, B L One;
    3: A K One, B L One, C M One;
    4: A K One, B L One, C M One, D N One;
    5: A K One, B L One, C M One, D N One, E O One;
    6: A K One, B L One, C M One, D N One, E O One, F P One;
    7: A K One, B L One, C M One, D N One, E O One, F P One, G Q One;
    8: A K One, B L One, C M One, D N One, E O One, F P One, G Q One, H R One;
}

macro_rules! single {
    ($($number:ty)+) => {$(
        impl<V> Index<V, (One,)> for $number {
            fn entries(&self) -> Vec<At<V>> {
                vec![Coordinate::<V, One>::at(self)]
            }
        }
    )+};
}
single!(i8 u8 i16 u16 i32 u32 i64 u64 isize usize);

impl<E: Element, S: TileShape, V, K> Index<V, (K,)> for Tile<E, S, V>
where
    Self: Coordinate<V, K>,
{
    fn entries(&self) -> Vec<At<V>> {
        vec![self.at()]
    }
}

impl<V, K, I: Index<V, K>> Index<V, K> for &I {
    fn entries(&self) -> Vec<At<V>> {
        I::entries(self)
    }
}

/// The integers of a tile in row-major order, if its elements are integral.
pub(super) fn integers(tile: &AnyTile) -> Option<Vec<i128>> {
    let element = tile.element();
    if !element.is_integral() {
        return None;
    }
    crate::tile::value::any!(element, E => {
        tile.to_vec::<E>().map(|values| values.into_iter().map(|x| element.integer(Element::to_bits(x))).collect())
    })
}

//! Replication: one layout laid out by another.
//!
//! `A x B = (A, A* o B)`: mode 0 is A, mode 1 is compatible with B and places a copy of A for each element of B. A* is the
//! complement of A continued without end, so that there is a place for every value of B. By mode, as in
//! [`divide`](super::divide):
//! ```text
//! logical_product   ((M,TileM), (N,TileN), L, ...)
//! zipped_product    ((M,N), (TileM,TileN,L,...))
//! tiled_product     ((M,N), TileM, TileN, L, ...)
//! flat_product      (M, N, TileM, TileN, L, ...)
//! ```
//! [`Layout::blocked_product`] and [`Layout::raked_product`] are the ones to reach for: tile and arrangement are given
//! independently, and modes of the same rank are joined.

use super::by_mode::{Order, Split, by_mode};
use super::complement::{Reach, complement_into};
use super::compose::compose_into;
use super::divide::{Guard, Guarded};
use super::exact::CONST_BUDGET;
use super::symbolic::at_path;
use crate::layout::{Error, Int, IntTuple, Layout, LayoutError, Tiler, Writer};

impl Layout {
    /// `(self, self* o b)`: a copy of `self` for each element of `b`.
    ///
    /// Law: [`laws::logical_product`](crate::algebra::laws::logical_product): mode 0 is `self`, mode 1 is compatible with `b`,
    /// and copies at different values of `b` share no value. Padded and broadcast tiles multiply too.
    ///
    /// # Errors
    /// Modes of `self` interleave, `b` has negative or basis strides, or the composition is refused.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((2,2):(4,1)).logical_product(&layout!(6:1))?, layout!(((2,2),(2,3)):((4,1),(2,8))));
    /// assert_eq!(layout!(3:0).logical_product(&layout!(4:1))?, layout!((3,4):(0,1)));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn logical_product(&self, b: &Layout) -> Result<Layout, Error> {
        match product(self, b) {
            Ok(l) => Ok(l),
            Err(e) => Err(Error::binary("logical_product", self, b, e)),
        }
    }

    /// Mode i times the tiler's mode i: `((M,TileM),(N,TileN),L,..)`. A mode is multiplied alone, so that the strides
    /// of the tiler have to keep the copies clear of the other modes: [`Layout::blocked_product`] does that by itself.
    ///
    /// # Errors
    /// As [`Layout::logical_product`] for some mode, or the tiler has more modes than the layout.
    /// ```
    /// # use girih::prelude::*;
    /// // 8x8 core matrices, 2 along M and 4 along N. A tiler's stride counts the places that the mode leaves free:
    /// // along M 8 of them come before the span 64, along N they are the multiples of 8
    /// let core = layout!((8,8):(8,1));
    /// assert_eq!(core.logical_product_by_mode(&tiler![2:8, 4:16])?, layout!(((8,2),(8,4)):((8,64),(1,128))));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn logical_product_by_mode(&self, t: &Tiler) -> Result<Layout, Error> {
        rearranged("logical_product", self, t, Order::Logical)
    }

    /// `((M,N),(TileM,TileN,L,..))`: mode 0 is `self` where the tiler has modes, mode 1 runs over the copies.
    ///
    /// # Errors
    /// As [`Layout::logical_product_by_mode`].
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(
    ///     layout!((2,5):(5,1)).zipped_product(&tiler![3:5, 4:6])?,
    ///     layout!(((2,5),(3,4)):((5,1),(10,30)))
    /// );
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn zipped_product(&self, t: &Tiler) -> Result<Layout, Error> {
        rearranged("zipped_product", self, t, Order::Zipped)
    }

    /// `((M,N),TileM,TileN,L,..)`: mode 0 as in [`Layout::zipped_product`], each further mode runs over the copies
    /// along one mode.
    ///
    /// # Errors
    /// As [`Layout::logical_product_by_mode`].
    /// ```
    /// # use girih::prelude::*;
    /// let core = layout!((8,8):(8,1));
    /// assert_eq!(core.tiled_product(&tiler![2:8, 4:16])?, layout!(((8,8),2,4):((8,1),64,128)));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn tiled_product(&self, t: &Tiler) -> Result<Layout, Error> {
        rearranged("tiled_product", self, t, Order::Tiled)
    }

    /// `(M,N,TileM,TileN,L,..)`: [`Layout::tiled_product`] without the nesting of mode 0.
    ///
    /// # Errors
    /// As [`Layout::logical_product_by_mode`].
    /// ```
    /// # use girih::prelude::*;
    /// let core = layout!((8,8):(8,1));
    /// assert_eq!(core.flat_product(&tiler![2:8, 4:16])?, layout!((8,8,2,4):(8,1,64,128)));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn flat_product(&self, t: &Tiler) -> Result<Layout, Error> {
        rearranged("flat_product", self, t, Order::Flat)
    }

    /// Copies of the tile `self` arranged by `b`, block beside block: mode i is mode i of `self`, then mode i of `b`, coalesced.
    /// The lower rank is padded with `1:0`.
    ///
    /// # Errors
    /// As [`Layout::logical_product`].
    /// ```
    /// # use girih::prelude::*;
    /// let tile = layout!((2,5):(5,1));
    /// assert_eq!(tile.blocked_product(&layout!((3,4):(1,3)))?, layout!((6,(5,4)):(5,(1,30))));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn blocked_product(&self, b: &Layout) -> Result<Layout, Error> {
        match joined(self, b, true) {
            Ok(l) => Ok(l),
            Err(e) => Err(Error::binary("blocked_product", self, b, e)),
        }
    }

    /// Copies of the tile `self` interleaved (a cyclic distribution): mode i is mode i of `b`, then mode i of `self`.
    ///
    /// # Errors
    /// As [`Layout::logical_product`].
    /// ```
    /// # use girih::prelude::*;
    /// let tile = layout!((2,5):(5,1));
    /// assert_eq!(tile.raked_product(&layout!((3,4):(1,3)))?, layout!(((3,2),(4,5)):((10,5),(30,1))));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn raked_product(&self, b: &Layout) -> Result<Layout, Error> {
        match joined(self, b, false) {
            Ok(l) => Ok(l),
            Err(e) => Err(Error::binary("raked_product", self, b, e)),
        }
    }

    /// The tile `self` repeated, first mode fastest, until it fills `shape`: mode i is (tile mode, copies).
    ///
    /// # Errors
    /// The size of a mode of the tile does not divide that of the shape, the tile has the higher rank, or as
    /// [`Layout::logical_product`].
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((8,3):(1,8)).tile_to_shape(&ints!((16, 9)))?, layout!(((8,2),(3,3)):((1,24),(8,48))));
    /// assert_eq!(
    ///     layout!((8,3):(1,8)).tile_to_shape(&ints!((16, 10))).unwrap_err().to_string(),
    ///     "tile_to_shape((8,3):(1,8), (16,10)): 3 does not divide 10; the _ceil form rounds up and returns the guard"
    /// );
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn tile_to_shape(&self, shape: &IntTuple) -> Result<Layout, Error> {
        match to_shape(self, shape, None, false) {
            Ok(g) => Ok(g.layout),
            Err(e) => Err(Error::with_tuple("tile_to_shape", self, shape, e)),
        }
    }

    /// [`Layout::tile_to_shape`] with copies in the order of `order`, as [`Layout::ordered`].
    ///
    /// # Errors
    /// As [`Layout::tile_to_shape`], or a bad order.
    /// ```
    /// # use girih::prelude::*;
    /// let l = layout!((8,3):(1,8)).tile_to_shape_ordered(&ints!((16, 9)), &ints!((1, 0)))?;
    /// assert_eq!(l, layout!(((8,2),(3,3)):((1,72),(8,24))));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn tile_to_shape_ordered(&self, shape: &IntTuple, order: &IntTuple) -> Result<Layout, Error> {
        match to_shape(self, shape, Some(order), false) {
            Ok(g) => Ok(g.layout),
            Err(e) => Err(Error::with_tuple("tile_to_shape", self, shape, e)),
        }
    }

    /// [`Layout::tile_to_shape`] with the copies rounded up; the guard holds for the coordinates of `shape`.
    ///
    /// # Errors
    /// As [`Layout::tile_to_shape`], but for divisibility.
    /// ```
    /// # use girih::prelude::*;
    /// let g = layout!((8,3):(1,8)).tile_to_shape_ceil(&ints!((16, 10)))?;
    /// assert_eq!(g.layout, layout!(((8,2),(3,4)):((1,24),(8,48))));
    /// assert_eq!(g.guard.to_string(), "((8,2),(3,4)):((1@0,8@0),(1@1,3@1)) < (16,10)");
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn tile_to_shape_ceil(&self, shape: &IntTuple) -> Result<Guarded, Error> {
        match to_shape(self, shape, None, true) {
            Ok(g) => Ok(g),
            Err(e) => Err(Error::with_tuple("tile_to_shape_ceil", self, shape, e)),
        }
    }
}

pub(crate) const fn product(a: &Layout, b: &Layout) -> Result<Layout, LayoutError> {
    // the values of B are places, one after another, and no coordinates
    if b.has_basis() {
        return Err(LayoutError::Codomain);
    }
    // the gaps of A, and then its span as a last mode, to be continued
    let mut gaps = Layout::BLANK;
    tri!(complement_into(a, Reach::Padded(1), &mut gaps));
    let mut w = Writer::NEW;
    w.open();
    tri!(gaps.write_modes(&mut w, 0, gaps.rank()));
    tri!(w.known(1, tri!(span(a))));
    tri!(w.close());
    let mut copies = Layout::BLANK;
    tri!(compose_into(&w.finish(), b, true, CONST_BUDGET, &mut copies));
    Layout::tuple(&[*a, copies])
}

/// Where the next copy of A begins: the largest `extent * stride`, 1 if there is none.
pub(crate) const fn span(a: &Layout) -> Result<i64, LayoutError> {
    let (mut span, mut i) = (1, 0);
    while i < a.leaves() {
        if a.shape[i] > 1 {
            match a.shape[i].checked_mul(a.stride[i]) {
                Some(x) if x > span => span = x,
                Some(_) => {}
                None => return Err(LayoutError::Overflow),
            }
        }
        i += 1;
    }
    Ok(span)
}

const fn rearranged(op: &'static str, a: &Layout, t: &Tiler, order: Order) -> Result<Layout, Error> {
    match by_mode(a, t, Split::Product, order) {
        Ok(l) => Ok(l),
        Err(e) => Err(Error::with_tiler(op, a, t, e)),
    }
}

/// `((A_0,B_0),(A_1,B_1),..)` coalesced by mode, or `((B_0,A_0),..)`.
const fn joined(a: &Layout, b: &Layout, blocked: bool) -> Result<Layout, LayoutError> {
    let rank = if a.rank() > b.rank() { a.rank() } else { b.rank() };
    let both = tri!(product(&tri!(a.pad_rank(rank)), &tri!(b.pad_rank(rank))));
    let (a, b) = (tri!(both.mode(0)), tri!(both.mode(1)));
    if !blocked {
        return b.zip(&a);
    }
    let zipped = tri!(a.zip(&b));
    let mut w = Writer::NEW;
    w.open();
    let mut i = 0;
    while i < rank {
        tri!(w.mode(&tri!(zipped.mode(i)).coalesce()));
        i += 1;
    }
    tri!(w.close());
    Ok(w.finish())
}

const fn to_shape(a: &Layout, shape: &IntTuple, order: Option<&IntTuple>, ceil: bool) -> Result<Guarded, LayoutError> {
    let shape = tri!(shape.product_each());
    let rank = shape.rank();
    let tile = tri!(a.pad_rank(rank));
    // copies in each mode, and the coordinate in the shape of (tile, copies)
    let (mut copies, mut coords) = (Writer::NEW, Writer::NEW);
    copies.open();
    coords.open();
    let mut i = 0;
    while i < rank {
        let mode = tri!(tile.mode(i));
        let size = tri!(mode.size());
        let extent = tri!(shape.get(i));
        let n = if ceil {
            tri!(extent.ceil_div(size))
        } else {
            match (extent.div_exact(&Int::known(size)), extent.value()) {
                (Some(n), _) => n,
                (None, Some(extent)) => return Err(LayoutError::NotDivisible { extent, by: size }),
                (None, None) => return Err(LayoutError::Undecided),
            }
        };
        tri!(copies.leaf(&n, &Int::known(0)));
        if ceil {
            let inner = tri!(Layout::column_major(&mode.shape()));
            coords.open();
            tri!(coords.mode(&tri!(at_path(&inner, &[i as u8]))));
            tri!(coords.leaf(&n, &tri!(Int::known(size).at(&[i as u8]))));
            tri!(coords.close());
        }
        i += 1;
    }
    tri!(copies.close());
    let copies = IntTuple(copies.finish());
    let arrangement = match order {
        Some(order) => tri!(Layout::ordered(&copies, order)),
        None => tri!(Layout::column_major(&copies)),
    };
    let both = tri!(product(&tile, &arrangement));
    let layout = tri!(tri!(both.mode(0)).zip(&tri!(both.mode(1))));
    let coord = if ceil {
        tri!(coords.close());
        coords.finish()
    } else {
        layout
    };
    Ok(Guarded { layout, guard: Guard { coord, limit: shape } })
}

//! One tile of a layout, or one thread's elements of every tile.
//!
//! `zipped_divide` arranges a layout as `((TileM,TileN),(RestM,RestN,L,..))`. Fixing the rest leaves one tile
//! ([`Layout::inner_partition`], `local_tile`); fixing the place in the tile leaves that place in all tiles
//! ([`Layout::outer_partition`], `local_partition`). Both return the layout and the offset of its 0, as
//! [`Layout::slice`] does.
//!
//! Strict: tiles cover the layout exactly, or it is refused. The `_ceil` forms round the number of tiles up and return a
//! [`Part`], whose guard tells which elements are real.

use super::{Guard, Guarded};
use crate::layout::{Bound, Coords, Error, Int, IntTuple, Layout, LayoutError, MODES, Tiler, Writer};

/// A tile or a partition of a layout whose number of tiles was rounded up: where its elements are, and which are real.
/// ```
/// # use girih::prelude::*;
/// let edge = layout!((100,60):(60,1)).local_tile_ceil(&tiler![32, 32], &ints!((3, 1)))?;
/// assert_eq!((edge.layout, edge.offset.value()), (layout!((32,32):(60,1)), Some(96 * 60 + 32)));
/// assert_eq!(edge.origin.to_string(), "96@0+32@1");
/// assert_eq!(edge.guard.to_string(), "(32,32):(1@0,1@1) < (100,60)");
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Part {
    /// The layout; read it only where the part [`holds`](Part::holds).
    pub layout: Layout,
    /// The value of the whole layout at 0 of this one.
    pub offset: Bound,
    /// The coordinate in the whole layout, relative to the `origin`, and its limit.
    pub guard: Guard,
    /// The coordinate in the whole layout at 0 of this one: a sum of multiples of basis vectors.
    pub origin: Bound,
}

impl Part {
    /// Is the element at the one-dimensional coordinate `index` real?
    ///
    /// # Errors
    /// `index` is outside the domain, or a symbol is unbound.
    /// ```
    /// # use girih::prelude::*;
    /// let edge = layout!((100,60):(60,1)).local_tile_ceil(&tiler![32, 32], &ints!((3, 1)))?;
    /// assert!(edge.holds(3)?); // row 99, column 32
    /// assert!(!edge.holds(4)?); // row 100
    /// # Ok::<(), Error>(())
    /// ```
    pub fn holds(&self, index: i64) -> Result<bool, LayoutError> {
        let digits = self.guard.coord.shape().idx2crd(index)?;
        Ok(self.guard.axes(&self.origin)?.inside(digits.known().unwrap_or(&[])))
    }

    /// The coordinate in the whole layout of the element at the one-dimensional coordinate `index`, real or not.
    ///
    /// # Errors
    /// As [`Part::holds`].
    /// ```
    /// # use girih::prelude::*;
    /// let edge = layout!((100,60):(60,1)).local_tile_ceil(&tiler![32, 32], &ints!((3, 1)))?;
    /// assert_eq!((edge.coord_at(35)?, edge.holds(35)?), (ints!((99, 33)), true));
    /// assert_eq!((edge.coord_at(36)?, edge.holds(36)?), (ints!((100, 33)), false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn coord_at(&self, index: i64) -> Result<IntTuple, LayoutError> {
        let digits = self.guard.coord.shape().idx2crd(index)?;
        let mut c = self.guard.limit.0.profile();
        for term in self.origin.terms() {
            c.move_by(term)?;
        }
        for (i, &digit) in digits.known().unwrap_or(&[]).iter().enumerate() {
            let mut step = self.guard.coord.leaf_stride(i)?;
            step.coef = step.coef.checked_mul(digit).ok_or(LayoutError::Overflow)?;
            c.move_by(&step)?;
        }
        Ok(c)
    }

    /// [`Part::holds`] for all elements in order.
    ///
    /// # Errors
    /// A symbol is unbound.
    /// ```
    /// # use girih::prelude::*;
    /// let edge = layout!((100,60):(60,1)).local_tile_ceil(&tiler![32, 32], &ints!((3, 1)))?;
    /// assert_eq!(edge.mask()?.len(), 32 * 32);
    /// assert_eq!(edge.mask()?.filter(|&real| real).count(), 4 * 28);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn mask(&self) -> Result<impl ExactSizeIterator<Item = bool>, LayoutError> {
        let axes = self.guard.axes(&self.origin)?;
        Ok(Coords::padded(&self.guard.coord)?.map(move |digits| axes.inside(&digits)))
    }

    /// Every element is real: so it is for all parts but those at the edge.
    ///
    /// # Errors
    /// A symbol is unbound.
    /// ```
    /// # use girih::prelude::*;
    /// let tile = |c: &IntTuple| layout!((100,60):(60,1)).local_tile_ceil(&tiler![32, 32], c);
    /// assert!(tile(&ints!((2, 0)))?.always()?); // take the loop without checks
    /// assert!(!tile(&ints!((3, 0)))?.always()?);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn always(&self) -> Result<bool, LayoutError> {
        // the largest coordinate along every axis, which some element has along all of them at once
        self.guard.coord.size()?;
        let mut digits = self.guard.coord.shape;
        let axes = self.guard.axes(&self.origin)?;
        for (digit, stride) in digits.iter_mut().zip(axes.stride) {
            *digit = if stride > 0 { *digit - 1 } else { 0 };
        }
        Ok(axes.inside(&digits))
    }

    /// A part of this part, such as the elements of one thread: what `take` makes of the layout is done to the guard too.
    ///
    /// # Errors
    /// Those of `take`, or overflow.
    /// ```
    /// # use girih::prelude::*;
    /// let edge = layout!((100,60):(60,1)).local_tile_ceil(&tiler![32, 32], &ints!((3, 1)))?;
    /// let mine = edge.narrow(|tile| tile.local_partition(&layout!((8,4):(4,1)), 5))?;
    /// assert_eq!(mine.to_string(), "5853 o (4,8):(480,4) if 97@0+33@1 + (4,8):(8@0,4@1) < (100,60)");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn narrow(&self, take: impl Fn(&Layout) -> Result<(Layout, Bound), Error>) -> Result<Part, Error> {
        let (layout, offset) = take(&self.layout)?;
        let (coord, origin) = take(&self.guard.coord)?;
        Ok(Part {
            layout,
            offset: self.offset.add(&offset)?,
            guard: Guard { coord, ..self.guard },
            origin: self.origin.add(&origin)?,
        })
    }

    /// The symbols in `values` replaced by their values.
    ///
    /// # Errors
    /// As [`Layout::bind`].
    /// ```
    /// # use girih::prelude::*;
    /// let gmem = Layout::parse("(?M,64):(64,1)")?;
    /// let last = gmem.local_tile_ceil(&tiler![128, 64], &ints!((2, 0)))?;
    /// let bound = last.bind(&[("M", 300)])?;
    /// assert_eq!(bound.mask()?.filter(|&real| real).count(), (300 - 256) * 64);
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn bind(&self, values: &[(&str, i64)]) -> Result<Part, LayoutError> {
        Ok(Part {
            layout: tri!(self.layout.bind(values)),
            offset: tri!(self.offset.bind(values)),
            guard: tri!(self.guard.bind(values)),
            origin: tri!(self.origin.bind(values)),
        })
    }
}

/// All of a divided layout.
impl From<Guarded> for Part {
    fn from(g: Guarded) -> Part {
        Part { layout: g.layout, offset: Bound::ZERO, guard: g.guard, origin: Bound::ZERO }
    }
}

/// `offset o layout if origin + coord < limit`.
impl core::fmt::Display for Part {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} o {} if {} + {}", self.offset, self.layout, self.origin, self.guard)
    }
}
impl core::fmt::Debug for Part {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{self}")
    }
}

/// Which mode of a zipped divide the coordinate fixes.
#[derive(Clone, Copy)]
enum Fix {
    Tile,
    Rest,
}

impl Layout {
    /// One tile: `zipped_divide`, the rest mode at `c`. A coordinate shorter than the rest keeps the remaining modes, and
    /// so does `_`: with `(i,_)` the result is `(TileM,TileN,RestN)`.
    ///
    /// Law: with `(l, o) = a.inner_partition(t, c)`, `o + l(x) = a.zipped_divide(t)(x, c)`.
    ///
    /// # Errors
    /// As [`Layout::zipped_divide`]; `c` does not fit the rest, or is outside it.
    /// ```
    /// # use girih::prelude::*;
    /// let a = layout!((256,512):(512,1));
    /// let (tile, offset) = a.inner_partition(&tiler![128, 64], &ints!((1, 3)))?;
    /// assert_eq!((tile, offset.value()), (layout!((128,64):(512,1)), Some(65728)));
    /// let (row, offset) = a.inner_partition(&tiler![128, 64], &ints!((1, _)))?;
    /// assert_eq!((row, offset.value()), (layout!((128,64,8):(512,1,64)), Some(65536)));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn inner_partition(&self, tiler: &Tiler, c: &IntTuple) -> Result<(Layout, Bound), Error> {
        named("inner_partition", self, tiler, strict(self, tiler, c, Fix::Rest))
    }

    /// The same place in all tiles: `zipped_divide`, the tile mode at `c`.
    ///
    /// # Errors
    /// As [`Layout::zipped_divide`]; `c` does not fit the tile, or is outside it.
    /// ```
    /// # use girih::prelude::*;
    /// let a = layout!((16,32):(1,16));
    /// let (mine, offset) = a.outer_partition(&tiler![4, 8], &ints!((3, 2)))?;
    /// assert_eq!((mine, offset.value()), (layout!((4,4):(4,128)), Some(35)));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn outer_partition(&self, tiler: &Tiler, c: &IntTuple) -> Result<(Layout, Bound), Error> {
        named("outer_partition", self, tiler, strict(self, tiler, c, Fix::Tile))
    }

    /// [`Layout::inner_partition`] with the number of tiles rounded up.
    ///
    /// # Errors
    /// As [`Layout::zipped_divide_ceil`]; `c` does not fit the rest, or is outside it.
    /// ```
    /// # use girih::prelude::*;
    /// // the last row of tiles, all along N
    /// let row = layout!((100,60):(60,1)).inner_partition_ceil(&tiler![32, 32], &ints!((3, _)))?;
    /// assert_eq!(row.layout, layout!((32,32,2):(60,1,32)));
    /// assert_eq!(row.mask()?.filter(|&real| real).count(), 4 * 60);
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn inner_partition_ceil(&self, tiler: &Tiler, c: &IntTuple) -> Result<Part, Error> {
        named("inner_partition_ceil", self, tiler, ceil(self, tiler, c, Fix::Rest))
    }

    /// [`Layout::outer_partition`] with the number of tiles rounded up.
    ///
    /// # Errors
    /// As [`Layout::zipped_divide_ceil`]; `c` does not fit the tile, or is outside it.
    /// ```
    /// # use girih::prelude::*;
    /// // place (7,3) of all tiles: rows 7, 15, .., 103 and columns 3, 7, .., 59
    /// let mine = layout!((100,60):(60,1)).outer_partition_ceil(&tiler![8, 4], &ints!((7, 3)))?;
    /// assert_eq!((mine.layout, mine.offset.value()), (layout!((13,15):(480,4)), Some(423)));
    /// assert_eq!(mine.mask()?.filter(|&real| real).count(), 12 * 15);
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn outer_partition_ceil(&self, tiler: &Tiler, c: &IntTuple) -> Result<Part, Error> {
        named("outer_partition_ceil", self, tiler, ceil(self, tiler, c, Fix::Tile))
    }

    /// The tile of a block: [`Layout::inner_partition`] by CuTe's other name.
    ///
    /// # Errors
    /// As [`Layout::inner_partition`].
    /// ```
    /// # use girih::prelude::*;
    /// let gmem = layout!((256,512):(512,1));
    /// let (tile, offset) = gmem.local_tile(&tiler![128, 64], &ints!((1, 3)))?;
    /// assert_eq!((tile, offset.value()), (layout!((128,64):(512,1)), Some(128 * 512 + 3 * 64)));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn local_tile(&self, tiler: &Tiler, c: &IntTuple) -> Result<(Layout, Bound), Error> {
        named("local_tile", self, tiler, strict(self, tiler, c, Fix::Rest))
    }

    /// [`Layout::local_tile`] with the modes of tiler and coordinate where `projection` has `_` (CuTe's `X`) left out: one
    /// `(M,N,K)` tiler and block coordinate serve the operands `(M,K)`, `(N,K)` and `(M,N)`.
    ///
    /// # Errors
    /// As [`Layout::inner_partition`], or the ranks of tiler, coordinate and projection differ.
    /// ```
    /// # use girih::prelude::*;
    /// let (cta, block) = (tiler![128, 64, 32], ints!((1, 2, _)));
    /// let b = layout!((256,512):(1,256));                              // (N,K)
    /// let (tile, offset) = b.local_tile_projected(&cta, &block, &ints!((_, 1, 1)))?;
    /// assert_eq!((tile, offset.value()), (layout!((64,32,16):(1,256,8192)), Some(128)));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn local_tile_projected(
        &self,
        tiler: &Tiler,
        c: &IntTuple,
        projection: &IntTuple,
    ) -> Result<(Layout, Bound), Error> {
        match project(tiler, c, projection) {
            Ok((t, c)) => named("local_tile", self, &t, strict(self, &t, &c, Fix::Rest)),
            Err(e) => Err(Error::with_tiler("local_tile", self, tiler, e)),
        }
    }

    /// [`Layout::local_tile`] with the number of tiles rounded up.
    ///
    /// # Errors
    /// As [`Layout::inner_partition_ceil`].
    /// ```
    /// # use girih::prelude::*;
    /// let edge = layout!((100,60):(60,1)).local_tile_ceil(&tiler![32, 32], &ints!((3, 1)))?;
    /// assert_eq!(edge.to_string(), "5792 o (32,32):(60,1) if 96@0+32@1 + (32,32):(1@0,1@1) < (100,60)");
    /// assert!(edge.holds(3)? && !edge.holds(4)?);
    /// let tile = layout!((100,60):(60,1)).local_tile_ceil(&tiler![32, 32], &ints!((2, 0)))?;
    /// assert!(tile.always()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn local_tile_ceil(&self, tiler: &Tiler, c: &IntTuple) -> Result<Part, Error> {
        named("local_tile_ceil", self, tiler, ceil(self, tiler, c, Fix::Rest))
    }

    /// [`Layout::local_tile_projected`] with the number of tiles rounded up.
    ///
    /// # Errors
    /// As [`Layout::inner_partition_ceil`], or the ranks of tiler, coordinate and projection differ.
    /// ```
    /// # use girih::prelude::*;
    /// let (cta, block) = (tiler![128, 64, 32], ints!((1, 3, _)));
    /// let b = layout!((200,500):(1,200));                              // (N,K)
    /// let tiles = b.local_tile_projected_ceil(&cta, &block, &ints!((_, 1, 1)))?;
    /// assert_eq!((tiles.layout, tiles.offset.value()), (layout!((64,32,16):(1,200,6400)), Some(192)));
    /// assert_eq!(tiles.mask()?.filter(|&real| real).count(), 8 * 500);
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn local_tile_projected_ceil(
        &self,
        tiler: &Tiler,
        c: &IntTuple,
        projection: &IntTuple,
    ) -> Result<Part, Error> {
        match project(tiler, c, projection) {
            Ok((t, c)) => named("local_tile_ceil", self, &t, ceil(self, &t, &c, Fix::Rest)),
            Err(e) => Err(Error::with_tiler("local_tile_ceil", self, tiler, e)),
        }
    }

    /// The elements of thread `index` when threads are laid over `self` as in `threads`, again and again:
    /// [`Layout::outer_partition`] by a tile of the threads' shape, at the coordinate of the thread.
    ///
    /// Law: over all threads, each element comes once.
    ///
    /// # Errors
    /// As [`Layout::outer_partition`]; no thread, or more than one place, has this index.
    /// ```
    /// # use girih::prelude::*;
    /// let tile = layout!((128,64):(1,128));
    /// let (mine, offset) = tile.local_partition(&layout!((16,8):(8,1)), 17)?;   // thread 17 at (2,1)
    /// assert_eq!((mine, offset.value()), (layout!((8,8):(16,1024)), Some(130)));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn local_partition(&self, threads: &Layout, index: i64) -> Result<(Layout, Bound), Error> {
        match thread(threads, index) {
            Ok((t, c)) => named("local_partition", self, &t, strict(self, &t, &c, Fix::Tile)),
            Err(e) => Err(Error::binary("local_partition", self, threads, e)),
        }
    }

    /// [`Layout::local_partition`] with the modes of the threads where `projection` has `_` (CuTe's `X`) left out: threads
    /// laid over `(M,N)` read the same elements of an operand `(M,K)` along N.
    ///
    /// # Errors
    /// As [`Layout::local_partition`], or the ranks of threads and projection differ.
    /// ```
    /// # use girih::prelude::*;
    /// let a = layout!((128,32):(1,128));                                       // (M,K)
    /// let (mine, offset) = a.local_partition_projected(&layout!((16,8):(8,1)), 17, &ints!((1, _)))?;
    /// assert_eq!((mine, offset.value()), (layout!((8,32):(16,128)), Some(2)));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn local_partition_projected(
        &self,
        threads: &Layout,
        index: i64,
        projection: &IntTuple,
    ) -> Result<(Layout, Bound), Error> {
        match thread_projected(threads, index, projection) {
            Ok((t, c)) => named("local_partition", self, &t, strict(self, &t, &c, Fix::Tile)),
            Err(e) => Err(Error::binary("local_partition", self, threads, e)),
        }
    }

    /// [`Layout::local_partition`] with the number of tiles rounded up.
    ///
    /// # Errors
    /// As [`Layout::outer_partition_ceil`]; no thread, or more than one place, has this index.
    /// ```
    /// # use girih::prelude::*;
    /// let tile = layout!((100,60):(1,100));
    /// let last = tile.local_partition_ceil(&layout!((16,8):(8,1)), 127)?;       // thread 127 at (15,7)
    /// assert_eq!((last.layout, last.offset.value()), (layout!((7,8):(16,800)), Some(715)));
    /// assert_eq!(last.mask()?.filter(|&real| real).count(), 6 * 7);
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn local_partition_ceil(&self, threads: &Layout, index: i64) -> Result<Part, Error> {
        match thread(threads, index) {
            Ok((t, c)) => named("local_partition_ceil", self, &t, ceil(self, &t, &c, Fix::Tile)),
            Err(e) => Err(Error::binary("local_partition_ceil", self, threads, e)),
        }
    }

    /// [`Layout::local_partition_projected`] with the number of tiles rounded up.
    ///
    /// # Errors
    /// As [`Layout::local_partition_ceil`], or the ranks of threads and projection differ.
    /// ```
    /// # use girih::prelude::*;
    /// let a = layout!((100,32):(1,100));                                          // (M,K)
    /// let last = a.local_partition_projected_ceil(&layout!((16,8):(8,1)), 127, &ints!((1, _)))?;
    /// assert_eq!((last.layout, last.offset.value()), (layout!((7,32):(16,100)), Some(15)));
    /// assert_eq!(last.mask()?.filter(|&real| real).count(), 6 * 32);
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn local_partition_projected_ceil(
        &self,
        threads: &Layout,
        index: i64,
        projection: &IntTuple,
    ) -> Result<Part, Error> {
        match thread_projected(threads, index, projection) {
            Ok((t, c)) => named("local_partition_ceil", self, &t, ceil(self, &t, &c, Fix::Tile)),
            Err(e) => Err(Error::binary("local_partition_ceil", self, threads, e)),
        }
    }
}

/// The result of the operation `op`, or its error with the operands.
const fn named<T: Copy>(op: &'static str, a: &Layout, t: &Tiler, r: Result<T, LayoutError>) -> Result<T, Error> {
    match r {
        Ok(x) => Ok(x),
        Err(e) => Err(Error::with_tiler(op, a, t, e)),
    }
}

const fn strict(a: &Layout, t: &Tiler, c: &IntTuple, fix: Fix) -> Result<(Layout, Bound), LayoutError> {
    match a.zipped_divide(t) {
        Ok(zipped) => fix_at(&zipped, c, fix),
        Err(e) => Err(e.reason),
    }
}

const fn ceil(a: &Layout, t: &Tiler, c: &IntTuple, fix: Fix) -> Result<Part, LayoutError> {
    let zipped = match a.zipped_divide_ceil(t) {
        Ok(g) => g,
        Err(e) => return Err(e.reason),
    };
    let (layout, offset) = tri!(fix_at(&zipped.layout, c, fix));
    let (coord, origin) = tri!(fix_at(&zipped.guard.coord, c, fix));
    Ok(Part { layout, offset, guard: Guard { coord, limit: zipped.guard.limit }, origin })
}

/// Slices a zipped layout at `c` in one of its modes. The other mode is kept, mode by mode.
const fn fix_at(zipped: &Layout, c: &IntTuple, fix: Fix) -> Result<(Layout, Bound), LayoutError> {
    let (tile, rest) = (tri!(zipped.mode(0)), tri!(zipped.mode(1)));
    let c = match fix {
        Fix::Tile => [tri!(padded(Some(c), &tile)), tri!(padded(None, &rest))],
        Fix::Rest => [tri!(padded(None, &tile)), tri!(padded(Some(c), &rest))],
    };
    zipped.slice(&tri!(IntTuple::tuple(&c)))
}

/// `c` with `_` for the modes of `mode` that it does not reach; an integer coordinate stays one. None: `_` for all.
const fn padded(c: Option<&IntTuple>, mode: &Layout) -> Result<IntTuple, LayoutError> {
    let mut w = Writer::NEW;
    let mut rank = 0;
    w.open();
    match c {
        Some(c) if c.is_int() => return Ok(*c),
        None if mode.is_integer() => return IntTuple::leaf(&Int::UNDERSCORE),
        Some(c) => {
            rank = c.rank();
            tri!(c.0.write_modes(&mut w, 0, rank));
        }
        None => {}
    }
    while rank < mode.rank() {
        tri!(w.leaf(&Int::UNDERSCORE, &Int::known(0)));
        rank += 1;
    }
    tri!(w.close());
    Ok(IntTuple(w.finish()))
}

/// The tiler of the threads' shape, and the coordinate of thread `index` in it, by modes.
pub(crate) const fn thread(threads: &Layout, index: i64) -> Result<(Tiler, IntTuple), LayoutError> {
    // a left inverse passes over modes of stride 0, whose elements would be no thread's
    if let Some((shape, stride)) = threads.known_leaves() {
        let (mut below, mut i) = (1, 0);
        while i < shape.len() {
            if stride[i] == 0 && shape[i] > 1 {
                return Err(LayoutError::NotInjective { first: 0, second: below });
            }
            below *= shape[i];
            i += 1;
        }
    }
    let inverse = match threads.left_inverse() {
        Ok(l) => l,
        Err(e) => return Err(e.reason),
    };
    let at = match inverse.at(index) {
        Ok(at) => at,
        Err(_) => return Err(LayoutError::NotAValue { value: index }),
    };
    // between the values of a padded layout the inverse still has an answer
    match threads.at(at) {
        Ok(value) if value == index => {}
        _ => return Err(LayoutError::NotAValue { value: index }),
    }
    let shape = if threads.is_integer() { threads.shape() } else { tri!(threads.shape().product_each()) };
    Ok((tri!(Tiler::shape(&shape)), tri!(shape.idx2crd(at))))
}

const fn thread_projected(
    threads: &Layout,
    index: i64,
    projection: &IntTuple,
) -> Result<(Tiler, IntTuple), LayoutError> {
    let (tiler, c) = tri!(thread(threads, index));
    project(&tiler, &c, projection)
}

/// The modes of tiler and coordinate where the projection has no `_`.
const fn project(tiler: &Tiler, c: &IntTuple, projection: &IntTuple) -> Result<(Tiler, IntTuple), LayoutError> {
    let rank = projection.rank();
    let other = if tiler.rank() != rank { tiler.rank() } else { c.rank() };
    if other != rank {
        return Err(LayoutError::RankMismatch { rank, other });
    }
    let mut tiles = [Tiler::KEEP; MODES];
    let mut at = Writer::NEW;
    let (mut n, mut i) = (0, 0);
    at.open();
    while i < rank {
        let p = tri!(projection.mode(i));
        if !(p.is_int() && p.has_underscore()) {
            tiles[n] = tri!(tiler.mode(i));
            tri!(at.mode(&tri!(c.mode(i)).0));
            n += 1;
        }
        i += 1;
    }
    let tiler = tri!(Tiler::tuple(tiles.split_at(n).0));
    tri!(at.close());
    Ok((tiler, IntTuple(at.finish())))
}

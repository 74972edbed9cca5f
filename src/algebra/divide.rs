//! Tiling: a layout divided by a tile.
//!
//! `A / B = A o (B, B*)` with `B*` the complement of B in the size of A: mode 0 runs through a tile, mode 1 through the tiles.
//! By mode, the strict forms only rearrange:
//! ```text
//! layout            (M, N, L, ...)            tiler <TileM, TileN>
//! logical_divide    ((TileM,RestM), (TileN,RestN), L, ...)
//! zipped_divide     ((TileM,TileN), (RestM,RestN,L,...))
//! tiled_divide      ((TileM,TileN), RestM, RestN, L, ...)
//! flat_divide       (TileM, TileN, RestM, RestN, L, ...)
//! ```
//! Strict: every element lands in exactly one tile, or the divide is refused. The `_ceil` forms round the number of tiles up, as
//! CuTe does, and return a [`Guard`] that tells which coordinates are real.

use super::by_mode::{Order, Split, by_mode, guarded, refined};
use super::complement::{Reach, complement_into};
use super::compose::compose_into;
use super::exact::CONST_BUDGET;
use crate::layout::{Bound, Error, Int, IntTuple, Layout, LayoutError, MODES, Nest, Tiler, Writer};

/// A layout whose domain was rounded up, and the guard of its real coordinates. A [`Part`](super::Part) made from it
/// has the mask and the coordinates of all elements.
/// ```
/// # use girih::prelude::*;
/// let tiled = layout!(10:1).logical_divide_ceil(&layout!(4:1))?;
/// assert_eq!(tiled.to_string(), "(4,3):(1,4) if (4,3):(1,4) < 10");
/// assert_eq!(Part::from(tiled).mask()?.filter(|real| *real).count(), 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Guarded {
    /// The layout; read it only where the guard holds.
    pub layout: Layout,
    /// Which coordinates are real.
    pub guard: Guard,
}

impl Guarded {
    /// Layout and guard with the symbols in `values` replaced by their values.
    ///
    /// # Errors
    /// As [`Layout::bind`].
    /// ```
    /// # use girih::prelude::*;
    /// let tiled = Layout::parse("?M:1")?.logical_divide_ceil(&layout!(128:1))?;
    /// let bound = tiled.bind(&[("M", 300)])?;
    /// assert_eq!(bound.layout, layout!((128,3):(1,128)));
    /// assert!(bound.guard.holds(299)? && !bound.guard.holds(300)?);
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn bind(&self, values: &[(&str, i64)]) -> Result<Guarded, LayoutError> {
        Ok(Guarded { layout: tri!(self.layout.bind(values)), guard: tri!(self.guard.bind(values)) })
    }
}

/// `layout if coord < limit`.
impl core::fmt::Display for Guarded {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} if {}", self.layout, self.guard)
    }
}
impl core::fmt::Debug for Guarded {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{self}")
    }
}

/// Which coordinates of a layout are real: those where every element of `coord(c)` is less than that of `limit`.
///
/// `coord` has the domain of the guarded layout and gives the coordinate in the layout before the division (CuTe's identity
/// tensor, divided alongside); `limit` is the shape before the division, by modes.
/// ```
/// # use girih::prelude::*;
/// let tiled = layout!(10:1).logical_divide_ceil(&layout!(4:1))?;
/// assert_eq!(tiled.layout, layout!((4,3):(1,4)));
/// assert_eq!(tiled.guard.to_string(), "(4,3):(1,4) < 10");
/// assert!(tiled.guard.holds(9)? && !tiled.guard.holds(10)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Guard {
    /// The coordinate before the division.
    pub coord: Layout,
    /// The shape before the division.
    pub limit: IntTuple,
}

impl Guard {
    /// Is the one-dimensional coordinate `index` real?
    ///
    /// # Errors
    /// `index` is outside the domain, or a symbol is unbound.
    /// ```
    /// # use girih::prelude::*;
    /// let tiled = layout!((100,60):(60,1)).zipped_divide_ceil(&tiler![32, 32])?;
    /// let at = |c: &IntTuple| tiled.guard.holds(tiled.layout.shape().crd2idx(c)?);
    /// assert!(at(&ints!(((3, 27), (3, 1))))?); // row 99, column 59
    /// assert!(!at(&ints!(((4, 27), (3, 1))))?); // row 100
    /// # Ok::<(), Error>(())
    /// ```
    pub fn holds(&self, index: i64) -> Result<bool, LayoutError> {
        let digits = self.coord.shape().idx2crd(index)?;
        Ok(self.axes(&Bound::ZERO)?.inside(digits.known().unwrap_or(&[])))
    }

    /// The guard in plain numbers, of the part that begins at `origin`.
    pub(crate) fn axes(&self, origin: &Bound) -> Result<Axes, LayoutError> {
        let limits = self.limit.known().ok_or(LayoutError::Undecided)?;
        let mut start = self.limit.0.profile();
        for term in origin.terms() {
            start.move_by(term)?;
        }
        let leaves = self.coord.leaves();
        let mut axes = Axes { room: [0; MODES], rank: limits.len(), axis: [0; MODES], stride: [0; MODES], leaves };
        for (i, &limit) in limits.iter().enumerate() {
            axes.room[i] = limit.checked_sub(start.get(i)?.coefficient()).ok_or(LayoutError::Overflow)?;
        }
        for i in 0..leaves {
            let stride = self.coord.leaf_stride(i)?;
            if stride.symbols() > 0 {
                return Err(LayoutError::Unbound { name: stride.factors[0].name });
            }
            if stride.coefficient() != 0 {
                axes.axis[i] = start.leaf_at(&stride.basis).ok_or(LayoutError::Codomain)?;
                axes.stride[i] = stride.coefficient();
            }
        }
        Ok(axes)
    }

    /// The guard with the symbols in `values` replaced by their values.
    ///
    /// # Errors
    /// As [`Layout::bind`].
    /// ```
    /// # use girih::prelude::*;
    /// let tiled = Layout::parse("?M:1")?.logical_divide_ceil(&layout!(128:1))?;
    /// assert_eq!(tiled.guard.to_string(), "(128,⌈?M/128⌉):(1,128) < ?M");
    /// assert_eq!(tiled.guard.bind(&[("M", 300)])?.to_string(), "(128,3):(1,128) < 300");
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn bind(&self, values: &[(&str, i64)]) -> Result<Guard, LayoutError> {
        Ok(Guard { coord: tri!(self.coord.bind(values)), limit: tri!(self.limit.bind(values)) })
    }

    /// Is every coordinate real, for all values of the symbols? Then no check is needed. False also when that is
    /// not known.
    /// ```
    /// # use girih::prelude::*;
    /// let guard = |l: &Layout| Ok::<_, Error>(l.logical_divide_ceil(&layout!(128:1))?.guard);
    /// assert!(guard(&layout!(1024:1))?.always());
    /// assert!(!guard(&layout!(1000:1))?.always());
    /// assert!(guard(&Layout::parse("?M{128}:1")?)?.always()); // a promised multiple of 128: no check is needed
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn always(&self) -> bool {
        // the domain is no larger than the limit, and the coordinates are a bijection onto a box
        match (self.coord.size_int(), self.limit.product()) {
            (Ok(a), Ok(b)) => a.same(&b),
            _ => false,
        }
    }
}

/// A guard of known numbers: the coordinate along each axis of the whole layout, relative to a part, must be below `room`.
pub(crate) struct Axes {
    room: [i64; MODES],
    rank: usize,
    /// of each leaf of the part: the axis along which it runs, and how fast
    axis: [usize; MODES],
    pub stride: [i64; MODES],
    leaves: usize,
}

impl Axes {
    pub fn inside(&self, digits: &[i64]) -> bool {
        let mut room = self.room;
        for ((&axis, stride), digit) in self.axis.iter().zip(self.stride).zip(digits).take(self.leaves) {
            room[axis] = room[axis].saturating_sub(digit.saturating_mul(stride));
        }
        room[..self.rank].iter().all(|&left| left > 0)
    }
}

impl core::fmt::Display for Guard {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} < {}", self.coord, self.limit)
    }
}
impl core::fmt::Debug for Guard {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{self}")
    }
}

impl Layout {
    /// `(tile, rest)`: `self o (t, t*)` for one layout `t`, a tile of the one-dimensional domain.
    ///
    /// Law: [`laws::logical_divide`](crate::algebra::laws::logical_divide): the multiset of values is kept and mode 0 is
    /// `self o t`.
    ///
    /// # Errors
    /// `t` has no exact complement in the size of `self` (an element would be dropped or doubled), or the composition is
    /// refused.
    /// ```
    /// # use girih::prelude::*;
    /// let a = layout!((4,2,3):(2,1,8));
    /// assert_eq!(a.logical_divide(&layout!(4:2))?, layout!(((2,2),(2,3)):((4,1),(2,8))));
    /// assert_eq!(
    ///     layout!(10:1).logical_divide(&layout!(4:1)).unwrap_err().to_string(),
    ///     "logical_divide(10:1, 4:1): 4 does not divide 10; the _ceil form rounds up and returns the guard"
    /// );
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn logical_divide(&self, t: &Layout) -> Result<Layout, Error> {
        let mut l = Layout::BLANK;
        let mut pair = Layout::BLANK;
        match divide_into(self, t, false, &mut pair, &mut l) {
            Ok(()) => Ok(l),
            Err(e) => Err(Error::binary("logical_divide", self, t, e)),
        }
    }

    /// [`Layout::logical_divide`] with the number of tiles rounded up.
    ///
    /// Law: where the guard holds the value is `self(guard.coord(c))`, and these are all elements, once.
    ///
    /// # Errors
    /// `t` leaves holes that no copy of it fills, or the composition (of `self` continued past its end through its last mode of
    /// more than one element) is refused.
    /// ```
    /// # use girih::prelude::*;
    /// let tiled = layout!((10,1):(1,42)).logical_divide_ceil(&layout!(4:1))?;
    /// assert_eq!(tiled.layout, layout!((4,3):(1,4)));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn logical_divide_ceil(&self, t: &Layout) -> Result<Guarded, Error> {
        match divide_ceil(self, t) {
            Ok(g) => Ok(g),
            Err(e) => Err(Error::binary("logical_divide_ceil", self, t, e)),
        }
    }

    /// Divides mode i by the tiler's mode i: `((TileM,RestM),(TileN,RestN),L,..)`; `_` and further modes are left alone.
    ///
    /// # Errors
    /// As [`Layout::logical_divide`] for some mode, or the tiler has more modes than the layout.
    /// ```
    /// # use girih::prelude::*;
    /// let a = layout!((9,(4,8)):(59,(13,1)));
    /// let t = tiler![3:3, (2,4):(1,8)];
    /// assert_eq!(a.logical_divide_by_mode(&t)?, layout!(((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn logical_divide_by_mode(&self, t: &Tiler) -> Result<Layout, Error> {
        strict("logical_divide", self, t, Order::Logical)
    }

    /// [`Layout::logical_divide_by_mode`] rounded up.
    ///
    /// # Errors
    /// As [`Layout::logical_divide_ceil`] for some mode, or the tiler has more modes than the layout.
    /// ```
    /// # use girih::prelude::*;
    /// let tiled = layout!((100,60):(60,1)).logical_divide_by_mode_ceil(&tiler![32, 32])?;
    /// assert_eq!(tiled.layout, layout!(((32,4),(32,2)):((60,1920),(1,32))));
    /// assert_eq!(tiled.guard.to_string(), "((32,4),(32,2)):((1@0,32@0),(1@1,32@1)) < (100,60)");
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn logical_divide_by_mode_ceil(&self, t: &Tiler) -> Result<Guarded, Error> {
        ceil("logical_divide_ceil", self, t, Order::Logical)
    }

    /// `((TileM,TileN),(RestM,RestN,L,..))`: mode 0 is a tile, mode 1 runs over the tiles. A mode kept by `_` is all rest.
    ///
    /// # Errors
    /// As [`Layout::logical_divide_by_mode`].
    /// ```
    /// # use girih::prelude::*;
    /// let a = layout!((9,(4,8)):(59,(13,1)));
    /// let z = a.zipped_divide(&tiler![3:3, (2,4):(1,8)])?;
    /// assert_eq!(z, layout!(((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))));
    /// let m: Layout = "(?M{128},?N{64}):(1,?lda)".parse()?;
    /// assert_eq!(
    ///     m.zipped_divide(&tiler![128, 64])?.to_string(),
    ///     "((128,64),(⌈?M{128}/128⌉,⌈?N{64}/64⌉)):((1,?lda),(128,64*?lda))"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn zipped_divide(&self, t: &Tiler) -> Result<Layout, Error> {
        strict("zipped_divide", self, t, Order::Zipped)
    }

    /// [`Layout::zipped_divide`] rounded up.
    ///
    /// # Errors
    /// As [`Layout::logical_divide_by_mode_ceil`].
    /// ```
    /// # use girih::prelude::*;
    /// let a: Layout = "(?M,?N):(1,?lda)".parse()?;
    /// let tiled = a.zipped_divide_ceil(&tiler![128, 64])?;
    /// assert_eq!(tiled.layout.to_string(), "((128,64),(⌈?M/128⌉,⌈?N/64⌉)):((1,?lda),(128,64*?lda))");
    /// assert_eq!(tiled.guard.to_string(), "((128,64),(⌈?M/128⌉,⌈?N/64⌉)):((1@0,1@1),(128@0,64@1)) < (?M,?N)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn zipped_divide_ceil(&self, t: &Tiler) -> Result<Guarded, Error> {
        ceil("zipped_divide_ceil", self, t, Order::Zipped)
    }

    /// `((TileM,TileN),RestM,RestN,L,..)`: mode 0 is a tile, each further mode runs over the tiles along one mode.
    ///
    /// # Errors
    /// As [`Layout::logical_divide_by_mode`].
    /// ```
    /// # use girih::prelude::*;
    /// let gmem = layout!((256,512):(512,1));
    /// assert_eq!(gmem.tiled_divide(&tiler![128, 64])?, layout!(((128,64),2,8):((512,1),65536,64)));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn tiled_divide(&self, t: &Tiler) -> Result<Layout, Error> {
        strict("tiled_divide", self, t, Order::Tiled)
    }

    /// [`Layout::tiled_divide`] rounded up.
    ///
    /// # Errors
    /// As [`Layout::logical_divide_by_mode_ceil`].
    /// ```
    /// # use girih::prelude::*;
    /// let tiled = layout!((100,60):(60,1)).tiled_divide_ceil(&tiler![32, 32])?;
    /// assert_eq!(tiled.layout, layout!(((32,32),4,2):((60,1),1920,32)));
    /// assert_eq!(tiled.guard.limit, ints!((100, 60)));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn tiled_divide_ceil(&self, t: &Tiler) -> Result<Guarded, Error> {
        ceil("tiled_divide_ceil", self, t, Order::Tiled)
    }

    /// `(TileM,TileN,RestM,RestN,L,..)`: [`Layout::tiled_divide`] without the nesting of the tile.
    ///
    /// # Errors
    /// As [`Layout::logical_divide_by_mode`].
    /// ```
    /// # use girih::prelude::*;
    /// let gmem = layout!((256,512):(512,1));
    /// assert_eq!(gmem.flat_divide(&tiler![128, 64])?, layout!((128,64,2,8):(512,1,65536,64)));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn flat_divide(&self, t: &Tiler) -> Result<Layout, Error> {
        strict("flat_divide", self, t, Order::Flat)
    }

    /// [`Layout::flat_divide`] rounded up.
    ///
    /// # Errors
    /// As [`Layout::logical_divide_by_mode_ceil`].
    /// ```
    /// # use girih::prelude::*;
    /// let tiled = layout!((100,60):(60,1)).flat_divide_ceil(&tiler![32, 32])?;
    /// assert_eq!(tiled.layout, layout!((32,32,4,2):(60,1,1920,32)));
    /// assert_eq!(tiled.guard.to_string(), "(32,32,4,2):(1@0,1@1,32@0,32@1) < (100,60)");
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn flat_divide_ceil(&self, t: &Tiler) -> Result<Guarded, Error> {
        ceil("flat_divide_ceil", self, t, Order::Flat)
    }
}

const fn strict(op: &'static str, a: &Layout, t: &Tiler, order: Order) -> Result<Layout, Error> {
    match by_mode(a, t, Split::Divide, order) {
        Ok(l) => Ok(l),
        Err(e) => Err(Error::with_tiler(op, a, t, e)),
    }
}

const fn ceil(op: &'static str, a: &Layout, t: &Tiler, order: Order) -> Result<Guarded, Error> {
    match guarded(a, t, order) {
        Ok(g) => Ok(g),
        Err(e) => Err(Error::with_tiler(op, a, t, e)),
    }
}

const fn divide_ceil(a: &Layout, t: &Layout) -> Result<Guarded, LayoutError> {
    let (mut layout, mut coord) = (Layout::BLANK, Layout::BLANK);
    tri!(divide_into(a, t, true, &mut coord, &mut layout));
    let coord = refined(&coord, &layout);
    Ok(Guarded { layout, guard: Guard { coord, limit: tri!(IntTuple::leaf(&tri!(a.size_int()))) } })
}

/// `out = a o (t, t*)` and `coord = (t, t*)`.
pub(crate) const fn divide_into(
    a: &Layout,
    t: &Layout,
    ceil: bool,
    coord: &mut Layout,
    out: &mut Layout,
) -> Result<(), LayoutError> {
    if a.packed || t.packed {
        *coord = tri!(tile_and_rest(t, &tri!(a.size_int()), ceil));
    } else {
        let size = tri!(a.size());
        tri!(complement_into(t, if ceil { Reach::Ceil(size) } else { Reach::Exact(size) }, coord));
        tri!(put_before(t, coord));
    }
    if ceil {
        // no value past the end is real, so which mode continues is free: not one of a single element beside larger ones,
        // whose stride may be any
        let folded = a.coalesce();
        let continued = if matches!(folded.size(), Ok(1)) { a } else { &folded };
        return compose_into(continued, coord, true, CONST_BUDGET, out);
    }
    compose_into(a, coord, false, CONST_BUDGET, out)
}

/// `rest` becomes `(t, rest)`, for known leaves: leaves and nesting words moved up, `t` written below.
#[inline(always)]
const fn put_before(t: &Layout, rest: &mut Layout) -> Result<(), LayoutError> {
    let (n, w) = (t.leaves(), rest.leaves());
    if n + w > MODES {
        return Err(LayoutError::TooManyModes);
    }
    let mut i = w;
    while i > 0 {
        i -= 1;
        rest.shape[n + i] = rest.shape[i];
        rest.stride[n + i] = rest.stride[i];
    }
    i = 0;
    while i < n {
        rest.shape[i] = t.shape[i];
        rest.stride[i] = t.stride[i];
        i += 1;
    }
    rest.len = (n + w) as u8;
    let below = n as u32 + t.nest.open.count_ones();
    if below + rest.nest.open.count_ones() + w as u32 + 1 > 64 {
        return Err(LayoutError::TooDeep);
    }
    let end = 1 << (w as u32 + rest.nest.open.count_ones());
    rest.nest = Nest {
        open: t.nest.open << 1 | 1 | rest.nest.open << (below + 1),
        close: t.nest.close | (rest.nest.close | end) << below,
    };
    Ok(())
}

/// `(t, t*)` in a size that may be symbolic.
const fn tile_and_rest(t: &Layout, size: &Int, ceil: bool) -> Result<Layout, LayoutError> {
    let mut rest = Layout::BLANK;
    if let Some(size) = size.value() {
        tri!(complement_into(t, if ceil { Reach::Ceil(size) } else { Reach::Exact(size) }, &mut rest));
        return Layout::tuple(&[*t, rest]);
    }
    // the gaps inside one span, then the copies of it
    tri!(complement_into(t, Reach::Ceil(1), &mut rest));
    let span = tri!(rest.size()) * tri!(t.size());
    let copies = if ceil {
        tri!(size.ceil_div(span))
    } else {
        match size.div_exact(&Int::known(span)) {
            Some(q) => q,
            None => return Err(LayoutError::Undecided),
        }
    };
    let gaps = rest.coalesce();
    let trivial = gaps.leaves() == 1 && gaps.shape[0] == 1;
    let mut w = Writer::NEW;
    w.open();
    tri!(w.mode(t));
    if !trivial {
        w.open();
        tri!(gaps.write_modes(&mut w, 0, gaps.rank()));
    }
    tri!(w.leaf(&copies, &Int::known(span)));
    if !trivial {
        tri!(w.close());
    }
    tri!(w.close());
    let l = w.finish();
    tri!(l.check());
    Ok(l)
}

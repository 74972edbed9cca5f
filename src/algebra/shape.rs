//! Arithmetic of shapes: integer tuples against integer tuples.

use super::complement::{Reach, complement_into};
use crate::layout::{Error, Int, IntTuple, Layout, LayoutError, Tiler, Writer};
use core::cmp::Ordering;

/// What [`pair`] does where an integer meets an integer.
#[derive(Clone, Copy)]
enum Op {
    CeilDiv,
    ShapeDiv,
    RoundUp,
}

impl Op {
    const fn apply(self, a: &Int, b: &Int) -> Result<Int, LayoutError> {
        if a.underscore || b.underscore {
            return Err(LayoutError::Underscore);
        }
        match self {
            Op::CeilDiv => match b.value() {
                Some(by) => a.ceil_div(by),
                None => exact(a, b),
            },
            Op::RoundUp => tri!(Op::CeilDiv.apply(a, b)).mul(b),
            Op::ShapeDiv => match (a.value(), b.value()) {
                (_, Some(by)) if by < 1 => Err(LayoutError::BadExtent { leaf: 0, extent: by }),
                (Some(x), _) if x < 1 => Err(LayoutError::BadExtent { leaf: 0, extent: x }),
                (Some(x), Some(by)) if x % by == 0 => Ok(Int::known(x / by)),
                (Some(x), Some(by)) if by % x == 0 => Ok(Int::known(1)),
                (Some(extent), Some(by)) => Err(LayoutError::NotDivisible { extent, by }),
                _ => match exact(a, b) {
                    Ok(q) => Ok(q),
                    Err(_) if b.div_exact(a).is_some() => Ok(Int::known(1)),
                    Err(e) => Err(e),
                },
            },
        }
    }
}

const fn exact(a: &Int, b: &Int) -> Result<Int, LayoutError> {
    match a.div_exact(b) {
        Some(q) => Ok(q),
        None => Err(LayoutError::Undecided),
    }
}

/// `op` elementwise: a tuple against a tuple of at most its rank mode by mode (missing modes leave `a` alone), an integer
/// against a tuple takes the product of that, and a tuple against an integer takes from each leaf, left to right, what
/// the leaves before have left of the integer.
const fn pair(a: &IntTuple, b: &IntTuple, op: Op) -> Result<IntTuple, LayoutError> {
    if matches!(op, Op::RoundUp) && a.is_int() != b.is_int() {
        return Err(LayoutError::Incongruent { leaf: 0 });
    }
    if a.is_int() {
        return IntTuple::leaf(&tri!(op.apply(&a.0.extent_int(0), &tri!(b.product()))));
    }
    let mut r = *a;
    let mut i = 0;
    if b.is_int() {
        let mut rest = b.0.extent_int(0);
        while i < a.leaves() {
            let s = a.0.extent_int(i);
            tri!(r.0.set_extent(i, &tri!(op.apply(&s, &rest))));
            rest = tri!(op.apply(&rest, &s));
            i += 1;
        }
        r.0.settle();
        return Ok(r);
    }
    let (rank, of) = (b.rank(), a.rank());
    if rank > of {
        return Err(LayoutError::RankTooHigh { rank, of });
    }
    let mut w = Writer::NEW;
    w.open();
    while i < of {
        let mode = tri!(a.mode(i));
        tri!(w.mode(&if i < rank { tri!(pair(&mode, &tri!(b.mode(i)), op)).0 } else { mode.0 }));
        i += 1;
    }
    tri!(w.close());
    Ok(IntTuple(w.finish()))
}

impl IntTuple {
    /// `ceil(self / by)`: an integer against an integer; a tuple against a tuple mode by mode (modes that `by` lacks are
    /// kept); an integer against the product of a tuple; and an integer folded through a tuple from the left, so that
    /// `(4,8) / 8` is `(1,4)`.
    ///
    /// # Errors
    /// `by` has more modes, a divisor is below 1, or [`LayoutError::Undecided`] when the quotient is no monomial.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(ints!((10, 16)).ceil_div(&ints!((4, 8)))?, ints!((3, 2)));
    /// assert_eq!(ints!((4, 8)).ceil_div(&ints!(8))?, ints!((1, 4)));
    /// assert_eq!(ints!(20).ceil_div(&ints!((2, 4)))?, ints!(3));
    /// assert_eq!(IntTuple::parse("(?M,64)")?.ceil_div(&ints!((128, 64)))?.to_string(), "(⌈?M/128⌉,1)");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn ceil_div(&self, by: &IntTuple) -> Result<IntTuple, LayoutError> {
        pair(self, by, Op::CeilDiv)
    }

    /// [`IntTuple::ceil_div`] that refuses to round: where an integer meets an integer one of the two must divide the
    /// other (and the quotient is 1 when it is the dividend).
    ///
    /// # Errors
    /// [`LayoutError::NotDivisible`], an extent below 1, `by` has more modes, or it depends on symbols.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(ints!((6, 2)).shape_div(&ints!(3))?, ints!((2, 2)));
    /// assert_eq!(ints!((3, 6, 2, 8)).shape_div(&ints!(9))?, ints!((1, 2, 2, 8)));
    /// assert_eq!(ints!((6, 2)).shape_div(&ints!(4)), Err(LayoutError::NotDivisible { extent: 6, by: 4 }));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn shape_div(&self, by: &IntTuple) -> Result<IntTuple, LayoutError> {
        pair(self, by, Op::ShapeDiv)
    }

    /// Each extent rounded up to a multiple of the one of `to`; modes that `to` lacks are kept.
    ///
    /// # Errors
    /// `to` has more modes, a tuple meets an integer, a multiple is below 1, or the result is no monomial.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(ints!((10, 16, 3)).round_up(&ints!((4, 8)))?, ints!((12, 16, 3)));
    /// assert_eq!(IntTuple::parse("?M")?.round_up(&ints!(8))?.to_string(), "8*⌈?M/8⌉");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn round_up(&self, to: &IntTuple) -> Result<IntTuple, LayoutError> {
        pair(self, to, Op::RoundUp)
    }

    /// How many tiles `tile` the shape takes, the last ones partly filled: the shape of the rest of a divide, which is that of
    /// the complement of `tile` in the size of this shape.
    ///
    /// # Errors
    /// As [`Layout::complement`].
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(ints!(20).ceil_div_by(&layout!((2,4):(1,2)))?, ints!(3));
    /// assert_eq!(ints!((4, 6)).ceil_div_by(&layout!(4:2))?, ints!((2, 3)));
    /// # Ok::<(), girih::Error>(())
    /// ```
    pub const fn ceil_div_by(&self, tile: &Layout) -> Result<IntTuple, Error> {
        match tile.complement_in(self) {
            Ok(rest) => Ok(rest.shape()),
            Err(e) => Err(e),
        }
    }

    /// Would a divide by `tiler` keep the size exactly, without an overhang or a hole? None when it depends on symbols.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(ints!((12, (4, 8))).evenly_divides(&tiler![3:4, 8:2]), Some(true));
    /// assert_eq!(ints!((12, (4, 8))).evenly_divides(&tiler![8, _]), Some(false));
    /// assert_eq!(IntTuple::parse("(?M{128},?N)")?.evenly_divides(&tiler![64]), Some(true));
    /// assert_eq!(IntTuple::parse("?M")?.evenly_divides(&tiler![64].mode(0)?), None);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn evenly_divides(&self, tiler: &Tiler) -> Option<bool> {
        if tiler.is_leaf() {
            let Ok(Some(tile)) = tiler.get(0) else { return Some(true) };
            return self.holds_copies(&tile);
        }
        if tiler.rank() > self.rank() {
            return Some(false);
        }
        let (mut sure, mut i) = (true, 0);
        while i < tiler.rank() {
            let (Ok(mode), Ok(t)) = (self.mode(i), tiler.mode(i)) else { return None };
            match mode.evenly_divides(&t) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => sure = false,
            }
            i += 1;
        }
        if sure { Some(true) } else { None }
    }

    /// Is this shape filled by whole copies of `tile` and its gaps?
    const fn holds_copies(&self, tile: &Layout) -> Option<bool> {
        let Ok(size) = self.product() else { return None };
        let mut gaps = Layout::BLANK;
        match complement_into(tile, Reach::Ceil(1), &mut gaps) {
            Ok(()) => {}
            Err(LayoutError::Undecided) => return None,
            Err(_) => return Some(false),
        }
        // at most the span of the tile, which was checked to fit
        let (Ok(s), Ok(g)) = (tile.size(), gaps.size()) else { return None };
        match (size.value(), size.div_exact(&Int::known(s * g))) {
            (_, Some(_)) => Some(true),
            (Some(_), None) => Some(false),
            (None, None) => None,
        }
    }

    /// `self_i * product(by_i)`: each leaf times the product of what `by` has there.
    ///
    /// # Errors
    /// The profile of `self` is no prefix of that of `by`, or as [`IntTuple::product`].
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(ints!((2, 3)).elem_scale(&ints!((4, (5, 6))))?, ints!((8, 90)));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn elem_scale(&self, by: &IntTuple) -> Result<IntTuple, LayoutError> {
        let mut r = tri!(by.product_like(self));
        let mut i = 0;
        while i < self.leaves() {
            let v = tri!(r.0.extent_int(i).mul(&self.0.extent_int(i)));
            tri!(r.0.set_extent(i, &v));
            i += 1;
        }
        r.0.settle();
        Ok(r)
    }

    /// The least leaf.
    ///
    /// # Errors
    /// [`LayoutError::Undecided`]: a leaf is not known.
    /// ```
    /// # use girih::prelude::*;
    /// let t = ints!((6, (4, 10)));
    /// assert_eq!((t.min()?, t.max()?, t.gcd()?), (4, 10, 2));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn min(&self) -> Result<i64, LayoutError> {
        let v = tri!(self.numbers());
        let (mut m, mut i) = (v[0], 1);
        while i < v.len() {
            if v[i] < m {
                m = v[i];
            }
            i += 1;
        }
        Ok(m)
    }

    /// The largest leaf.
    ///
    /// # Errors
    /// As [`IntTuple::min`].
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(ints!((8, (128, 64))).max()?, 128);
    /// assert_eq!(IntTuple::parse("(8,?M)")?.max(), Err(LayoutError::Undecided));
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub const fn max(&self) -> Result<i64, LayoutError> {
        let v = tri!(self.numbers());
        let (mut m, mut i) = (v[0], 1);
        while i < v.len() {
            if v[i] > m {
                m = v[i];
            }
            i += 1;
        }
        Ok(m)
    }

    /// The greatest common divisor of the leaves; 0 when all are 0.
    ///
    /// # Errors
    /// As [`IntTuple::min`], and the divisor 2^63.
    /// ```
    /// # use girih::prelude::*;
    /// // every row starts at a multiple of 8 elements
    /// assert_eq!(layout!((64,(8,4)):(72,(1024,8))).stride().gcd()?, 8);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub const fn gcd(&self) -> Result<i64, LayoutError> {
        let v = tri!(self.numbers());
        let (mut g, mut i) = (0u64, 0);
        while i < v.len() {
            g = gcd(g, v[i].unsigned_abs());
            i += 1;
        }
        if g > i64::MAX as u64 { Err(LayoutError::Overflow) } else { Ok(g as i64) }
    }

    const fn numbers(&self) -> Result<&[i64], LayoutError> {
        match self.known() {
            Some(v) => Ok(v),
            None if self.has_underscore() => Err(LayoutError::Underscore),
            None => Err(LayoutError::Undecided),
        }
    }

    /// Lexicographic order of congruent coordinates: the leftmost leaf that differs decides. None when they are not
    /// congruent, or a leaf is not known.
    /// ```
    /// # use girih::prelude::*;
    /// use core::cmp::Ordering::*;
    /// assert_eq!(ints!((1, (5, 0))).lex_cmp(&ints!((1, (0, 9)))), Some(Greater));
    /// assert_eq!(ints!((1, (5, 0))).colex_cmp(&ints!((1, (0, 9)))), Some(Less));
    /// assert_eq!(ints!((1, 2)).lex_cmp(&ints!(1)), None);
    /// ```
    pub const fn lex_cmp(&self, o: &IntTuple) -> Option<Ordering> {
        self.compare(o, false)
    }

    /// Colexicographic order of congruent coordinates: the rightmost leaf that differs decides. It is the order of their
    /// one-dimensional coordinates. None as for [`IntTuple::lex_cmp`].
    /// ```
    /// # use girih::prelude::*;
    /// let (a, b) = (ints!((3, 0)), ints!((0, 1)));
    /// assert_eq!(a.colex_cmp(&b), Some(core::cmp::Ordering::Less));
    /// let shape = ints!((4, 8));
    /// assert_eq!((shape.crd2idx(&a)?, shape.crd2idx(&b)?), (3, 4));
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub const fn colex_cmp(&self, o: &IntTuple) -> Option<Ordering> {
        self.compare(o, true)
    }

    const fn compare(&self, o: &IntTuple, from_right: bool) -> Option<Ordering> {
        if !self.congruent(o) {
            return None;
        }
        let (Some(a), Some(b)) = (self.known(), o.known()) else { return None };
        let mut k = 0;
        while k < a.len() {
            let i = if from_right { a.len() - 1 - k } else { k };
            if a[i] < b[i] {
                return Some(Ordering::Less);
            } else if a[i] > b[i] {
                return Some(Ordering::Greater);
            }
            k += 1;
        }
        Some(Ordering::Equal)
    }
}

impl Layout {
    /// Is this extent 1 for every value of the symbols?
    pub(crate) const fn is_one(&self, leaf: usize) -> bool {
        let s = self.extent_int(leaf);
        s.is_known() && s.coef == 1
    }
}

/// The greatest common divisor; `gcd(0, b) = b`.
pub(crate) const fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

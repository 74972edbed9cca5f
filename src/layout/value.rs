//! The layout value.

use super::nest::{Nest, Pen};
use super::pool::Pool;
use super::{Int, IntTuple, LayoutError, MODES};

/// A layout: a function from coordinates to integers, given by a nested shape and a congruent stride.
///
/// The value of the natural coordinate `(c0, c1, ..)` is `c0*d0 + c1*d1 + ..`; a one-dimensional coordinate is unpacked
/// colexicographically (leftmost mode fastest). Inline and `Copy`: 512 bytes, no heap, at most [`MODES`] (24) leaf modes,
/// so a binary layout of 2^24 elements fits. The capacity is a promise: later versions never hold less.
///
/// What every layout satisfies (checked when it is made, kept by every operation):
/// 1. extents are at least 1, and shape and stride have the same nesting;
/// 2. the size, every value on the domain, and `max - min + 1` over the values fit an `i64`;
/// 3. either all nonzero strides are integers or all are multiples of basis vectors, of which none is a part of another.
///
/// A leaf may be a symbol ([`Int`]); then 1 and 2 hold for the least values of all symbols, and are checked when it is bound.
///
/// ```
/// use girih::prelude::*;
/// let a = layout!((6,2):(8,2));
/// assert_eq!(a.size(), Ok(12));
/// assert_eq!(a.at(3), Ok(24));
/// assert_eq!(a.at_coord([3, 1]), Ok(26));
/// assert_eq!(a.to_string(), "(6,2):(8,2)");
/// ```
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct Layout {
    pub(crate) shape: [i64; MODES],
    pub(crate) stride: [i64; MODES],
    pub(crate) nest: Nest,
    pub(crate) packed_shape: u32,
    pub(crate) packed_stride: u32,
    pub(crate) len: u8,
    /// Some leaf is packed (a symbol, a basis vector or `_`). A bool, for its niche.
    pub(crate) packed: bool,
    pub(crate) pool: Pool,
}

const _: () = assert!(size_of::<Layout>() == 512);

impl Layout {
    /// No leaf: every byte 0, so that making one is a `memset` and not a copy of a constant. Where results are built.
    pub(crate) const BLANK: Layout = Layout {
        shape: [0; MODES],
        stride: [0; MODES],
        nest: Nest::LEAF,
        packed_shape: 0,
        packed_stride: 0,
        len: 0,
        packed: false,
        pool: Pool::EMPTY,
    };

    /// `1:0`, one element at 0.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Layout::UNIT, layout!(1:0));
    /// assert_eq!(Layout::UNIT.at(0)?, 0);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const UNIT: Layout = Layout::leaf(1, 0);

    /// `shape:stride` without a check: extents that are known to be good.
    pub(crate) const fn leaf(shape: i64, stride: i64) -> Layout {
        let mut l = Layout::BLANK;
        l.shape[0] = shape;
        l.stride[0] = stride;
        l.len = 1;
        l
    }

    /// The layout `shape:stride`.
    ///
    /// # Errors
    /// Shape and stride are not congruent, an extent is below 1, `_` appears, size or offsets overflow, or integer and
    /// basis strides are mixed.
    /// ```
    /// use girih::prelude::*;
    /// let a = Layout::new(&ints!((4, 8)), &ints!((8, 1)))?;
    /// assert_eq!(a, layout!((4,8):(8,1)));
    /// let e = Layout::new(&ints!((4, 8)), &ints!((8, (1, 2)))).unwrap_err();
    /// assert_eq!(e.to_string(), "the nestings do not fit: they differ at leaf 1");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn new(shape: &IntTuple, stride: &IntTuple) -> Result<Layout, LayoutError> {
        let (s, d) = (&shape.0, &stride.0);
        if !s.nest.same(&d.nest) || s.len != d.len {
            return Err(LayoutError::Incongruent { leaf: s.first_difference(d) });
        }
        let mut l = *s;
        if d.packed {
            let mut i = 0;
            while i < s.leaves() {
                tri!(l.set_stride(i, &d.extent_int(i)));
                i += 1;
            }
        } else {
            l.stride = d.shape;
        }
        tri!(l.check());
        Ok(l)
    }

    /// `(s0,s1,..):(d0,d1,..)` of known numbers.
    ///
    /// # Errors
    /// As [`Layout::new`], no mode, or more than 24.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Layout::flat(&[4, 8], &[8, 1])?, layout!((4,8):(8,1)));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn flat(shape: &[i64], stride: &[i64]) -> Result<Layout, LayoutError> {
        if shape.len() > MODES {
            return Err(LayoutError::TooManyModes);
        }
        if shape.is_empty() {
            return Err(LayoutError::Empty);
        }
        if shape.len() != stride.len() {
            return Err(LayoutError::Incongruent {
                leaf: if shape.len() < stride.len() { shape.len() } else { stride.len() },
            });
        }
        let mut l = Layout::BLANK;
        let mut i = 0;
        while i < shape.len() {
            l.shape[i] = shape[i];
            l.stride[i] = stride[i];
            i += 1;
        }
        l.len = shape.len() as u8;
        l.nest = Nest::flat(shape.len());
        tri!(l.check());
        Ok(l)
    }

    /// Compact, leftmost mode fastest: `(2,3,4):(1,2,6)`. Extent-1 modes get stride 0.
    ///
    /// # Errors
    /// Bad extents, overflow, or a product of more symbols than a leaf holds.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Layout::column_major(&ints!((2, (3, 4))))?, layout!((2,(3,4)):(1,(2,6))));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn column_major(shape: &IntTuple) -> Result<Layout, LayoutError> {
        Layout::compact(shape, false)
    }

    /// Compact, rightmost mode fastest: `(2,3,4):(12,4,1)`. Extent-1 modes get stride 0.
    ///
    /// # Errors
    /// As [`Layout::column_major`].
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Layout::row_major(&ints!((2, (3, 4))))?, layout!((2,(3,4)):(12,(4,1))));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn row_major(shape: &IntTuple) -> Result<Layout, LayoutError> {
        Layout::compact(shape, true)
    }

    const fn compact(shape: &IntTuple, last_fastest: bool) -> Result<Layout, LayoutError> {
        let mut l = shape.0;
        let n = l.leaves();
        let mut span = Int::known(1);
        let mut k = 0;
        while k < n {
            let i = if last_fastest { n - 1 - k } else { k };
            let s = l.extent_int(i);
            let one = s.is_known() && s.coef == 1;
            tri!(l.set_stride(i, &if one { Int::known(0) } else { span }));
            k += 1;
            // the last product is not a stride: a size of more symbols than a leaf holds is no error
            if k < n {
                span = tri!(span.mul(&s));
            }
        }
        tri!(l.check());
        Ok(l)
    }

    /// Compact with the modes in the given order: the leaf with the smallest `order` is fastest. `order` has one
    /// number for each leaf of `shape`, or one for each of its modes (whose leaves then follow each other).
    ///
    /// # Errors
    /// Profiles that do not fit, overflow, and equal order values of modes with extents above 1 (CuTe lets them overlap
    /// silently).
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Layout::ordered(&ints!((2, 3, 4)), &ints!((2, 0, 1)))?, layout!((2,3,4):(12,1,3)));
    /// assert!(Layout::ordered(&ints!((2, 3, 5)), &ints!((1, 1, 0))).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn ordered(shape: &IntTuple, order: &IntTuple) -> Result<Layout, LayoutError> {
        let mut rank = [0i64; MODES];
        let mut owner = [0usize; MODES];
        tri!(shape.spread(order, &mut rank, &mut owner));
        let mut l = shape.0;
        let n = l.leaves();
        let mut done = 0u32;
        let mut span = Int::known(1);
        let mut k = 0;
        while k < n {
            // the least order value not yet done, leftmost first
            let mut next = n;
            let mut i = 0;
            while i < n {
                if done >> i & 1 == 0 && (next == n || rank[i] < rank[next]) {
                    next = i;
                }
                i += 1;
            }
            done |= 1 << next;
            let s = l.extent_int(next);
            let one = s.is_known() && s.coef == 1;
            i = 0;
            while i < next {
                let t = l.extent_int(i);
                if !one && rank[i] == rank[next] && owner[i] != owner[next] && !(t.is_known() && t.coef == 1) {
                    return Err(LayoutError::OrderTie { order: rank[i] });
                }
                i += 1;
            }
            tri!(l.set_stride(next, &if one { Int::known(0) } else { span }));
            k += 1;
            if k < n {
                span = tri!(span.mul(&s));
            }
        }
        tri!(l.check());
        Ok(l)
    }

    /// The identity on coordinates of `shape`: strides are basis vectors, values are coordinates.
    ///
    /// # Errors
    /// Bad extents, or a shape nested deeper than four levels.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Layout::identity(&ints!((4, (2, 3))))?.to_string(), "(4,(2,3)):(1@0,(1@0@1,1@1@1))");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn identity(shape: &IntTuple) -> Result<Layout, LayoutError> {
        let mut l = shape.0;
        let mut nest = l.nest;
        // path[k]: place in the tuple of depth k + 1
        let mut path = [0u8; 64];
        let (mut depth, mut i) = (0usize, 0);
        while i < l.leaves() {
            let (o, c) = nest.next();
            let mut k = 0;
            while k < o {
                path[depth] = 0;
                depth += 1;
                k += 1;
            }
            let unit = tri!(Int::known(1).at(path.split_at(depth).0));
            tri!(l.set_stride(i, &unit));
            depth -= c as usize;
            if depth > 0 {
                path[depth - 1] += 1;
            }
            i += 1;
        }
        tri!(l.check());
        Ok(l)
    }

    /// Number of leaf modes.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((8,(16,4)):(64,(4,1))).leaves(), 3);
    /// ```
    #[inline(always)]
    pub const fn leaves(&self) -> usize {
        self.len as usize
    }

    /// Every leaf is a known integer: no symbol, no basis vector.
    /// ```
    /// # use girih::prelude::*;
    /// assert!(layout!((8,64):(64,1)).is_known());
    /// assert!(!Layout::parse("(8,?N):(64,1)")?.is_known());
    /// assert!(!Layout::identity(&ints!((8, 64)))?.is_known());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    #[inline(always)]
    pub const fn is_known(&self) -> bool {
        !self.packed
    }

    /// Extents and strides of the leaves in order, if they are all known.
    /// ```
    /// # use girih::prelude::*;
    /// let l = layout!((2,(3,4)):(1,(2,6)));
    /// assert_eq!(l.known_leaves(), Some((&[2, 3, 4][..], &[1, 2, 6][..])));
    /// ```
    pub const fn known_leaves(&self) -> Option<(&[i64], &[i64])> {
        if self.packed {
            return None;
        }
        Some((self.shape.split_at(self.leaves()).0, self.stride.split_at(self.leaves()).0))
    }

    const fn first_difference(&self, o: &Layout) -> usize {
        let (mut a, mut b) = (self.nest, o.nest);
        let mut i = 0;
        while i < self.leaves() && i < o.leaves() {
            let (x, y) = (a.next(), b.next());
            if x.0 != y.0 || x.1 != y.1 {
                break;
            }
            i += 1;
        }
        i
    }

    /// The invariants 1 to 3.
    pub(crate) const fn check(&self) -> Result<(), LayoutError> {
        // in 128 bits no single step overflows
        let (mut size, mut min, mut max) = (1i128, 0i128, 0i128);
        let mut i = 0;
        while i < self.leaves() {
            let (s, d) = if self.packed {
                let (s, d) = (self.extent_int(i), self.stride_int(i));
                if s.underscore || d.underscore {
                    return Err(LayoutError::Underscore);
                }
                if s.basis.len > 0 {
                    return Err(LayoutError::Codomain);
                }
                // a symbol is at least 1: no values make the layout smaller than its coefficients
                (s.coef, d.coef)
            } else {
                (self.shape[i], self.stride[i])
            };
            if s < 1 {
                return Err(LayoutError::BadExtent { leaf: i, extent: s });
            }
            size *= s as i128;
            let reach = (s as i128 - 1) * d as i128;
            if reach < 0 {
                min += reach
            } else {
                max += reach
            }
            if size > i64::MAX as i128 || max - min >= i64::MAX as i128 {
                return Err(LayoutError::Overflow);
            }
            i += 1;
        }
        if self.packed_stride != 0 { self.check_basis() } else { Ok(()) }
    }

    const fn check_basis(&self) -> Result<(), LayoutError> {
        let mut i = 0;
        while i < self.leaves() {
            let a = self.stride_int(i);
            let mut j = 0;
            while j < i && (a.coef != 0 || a.basis.len > 0) {
                let b = self.stride_int(j);
                let (short, long) =
                    if a.basis.len <= b.basis.len { (&a.basis, &b.basis) } else { (&b.basis, &a.basis) };
                let mut k = 0;
                while k < short.len as usize && short.step[k] == long.step[k] {
                    k += 1;
                }
                if (b.coef != 0 || b.basis.len > 0) && k == short.len as usize && short.len != long.len {
                    return Err(LayoutError::MixedBasis);
                }
                j += 1;
            }
            i += 1;
        }
        Ok(())
    }

    /// The values are coordinates: some stride is a multiple of a basis vector.
    /// ```
    /// # use girih::prelude::*;
    /// assert!(Layout::identity(&ints!((8, 64)))?.has_basis());
    /// assert!(!layout!((8,64):(64,1)).has_basis());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn has_basis(&self) -> bool {
        let mut i = 0;
        while i < self.leaves() && self.packed_stride != 0 {
            if self.stride_int(i).basis.len > 0 {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Same spelling: same nesting, extents and strides.
    /// ```
    /// # use girih::prelude::*;
    /// let (a, b) = (layout!((2,3):(1,2)), layout!(6:1));
    /// assert!(a.same_function(&b) && !a.same(&b));
    /// ```
    pub const fn same(&self, o: &Layout) -> bool {
        if self.len != o.len || !self.nest.same(&o.nest) {
            return false;
        }
        let known = !self.packed && !o.packed;
        let mut i = 0;
        while i < self.leaves() {
            let equal = if known {
                self.shape[i] == o.shape[i] && self.stride[i] == o.stride[i]
            } else {
                self.extent_int(i).same(&o.extent_int(i)) && self.stride_int(i).same(&o.stride_int(i))
            };
            if !equal {
                return false;
            }
            i += 1;
        }
        true
    }
}

/// Same spelling; whether two layouts are the same *function* is
/// [`same_function`](Layout::same_function).
impl PartialEq for Layout {
    fn eq(&self, o: &Layout) -> bool {
        self.same(o)
    }
}
impl Eq for Layout {}

impl core::hash::Hash for Layout {
    fn hash<H: core::hash::Hasher>(&self, h: &mut H) {
        self.nest.hash(h);
        for i in 0..self.leaves() {
            let (s, d) = (self.extent_int(i), self.stride_int(i));
            (s.coef, d.coef, s.symbols(), d.symbols()).hash(h);
        }
    }
}

/// Copies leaves of other layouts into one, with new nesting.
pub(crate) struct Writer {
    pub out: Layout,
    pen: Pen,
}

impl Writer {
    pub const NEW: Writer = Writer { out: Layout::BLANK, pen: Pen::NEW };

    pub const fn open(&mut self) {
        self.pen.open(1);
    }
    pub const fn close(&mut self) -> Result<(), LayoutError> {
        if self.pen.close(1) { Ok(()) } else { Err(LayoutError::TooDeep) }
    }
    const fn place(&mut self) -> Result<usize, LayoutError> {
        let n = self.out.leaves();
        if n == MODES {
            return Err(LayoutError::TooManyModes);
        }
        if !self.pen.leaf() {
            return Err(LayoutError::TooDeep);
        }
        self.out.len += 1;
        Ok(n)
    }
    pub const fn leaf(&mut self, extent: &Int, stride: &Int) -> Result<(), LayoutError> {
        let n = tri!(self.place());
        tri!(self.out.set_extent(n, extent));
        self.out.set_stride(n, stride)
    }
    pub const fn known(&mut self, extent: i64, stride: i64) -> Result<(), LayoutError> {
        let n = tri!(self.place());
        self.out.shape[n] = extent;
        self.out.stride[n] = stride;
        Ok(())
    }
    /// Leaf `i` of `from`.
    pub const fn copy(&mut self, from: &Layout, i: usize) -> Result<(), LayoutError> {
        if from.packed {
            self.leaf(&from.extent_int(i), &from.stride_int(i))
        } else {
            self.known(from.shape[i], from.stride[i])
        }
    }
    /// All of `from`, as one mode.
    pub const fn mode(&mut self, from: &Layout) -> Result<(), LayoutError> {
        if from.is_integer() && !from.packed {
            return self.known(from.shape[0], from.stride[0]);
        }
        let mut nest = from.nest;
        let mut i = 0;
        while i < from.leaves() {
            let (o, c) = nest.next();
            self.pen.open(o);
            tri!(self.copy(from, i));
            if !self.pen.close(c) {
                return Err(LayoutError::TooDeep);
            }
            i += 1;
        }
        Ok(())
    }
    pub const fn finish(mut self) -> Layout {
        self.out.nest = self.pen.nest;
        self.out
    }
}

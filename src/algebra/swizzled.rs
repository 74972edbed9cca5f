//! The algebra of swizzled layouts.
//!
//! A swizzle is a bijection that does not look at coordinates, so every operation that rearranges, restricts or repeats
//! *coordinates* acts on the layout below it and leaves swizzle and offset alone: `(S o f o L) o R = S o f o (L o R)`, and
//! the one side exists exactly when the other does. What remains is when the swizzle itself can go away
//! ([`Composed::decay`]), pass a layout from right to left ([`Layout::compose_swizzle`]) or change its unit
//! ([`Composed::recast`]).

use super::Guard;
use super::shape::gcd;
use crate::layout::{Composed, Error, IntTuple, Layout, LayoutError, Operand, SWIZZLES, Swizzle, Tiler, Writer, ratio};

impl Composed {
    /// The sub-layout of the modes that `_` keeps, the fixed part moved into the offset: `r(c) = self(c, fixed)`. It has no
    /// swizzle any more when (and only when, see [`Composed::decay`]) a plain layout has these values.
    ///
    /// # Errors
    /// As [`Layout::slice`]; a fixed coordinate that is a symbol is [`LayoutError::Undecided`], for the bits that the
    /// swizzle reads are not known.
    /// ```
    /// # use girih::prelude::*;
    /// let tile: Composed = "S<3,0,3> o 0 o (8,8):(8,1)".parse()?;
    /// let row = tile.slice(&ints!((3, _)))?;
    /// assert_eq!(row.decay(), Some((layout!(((4,2)):((-1,4))), 27)));
    /// assert_eq!(row.at(5)?, tile.at_coord([3, 5])?);
    /// # Ok::<(), girih::Error>(())
    /// ```
    pub const fn slice(&self, c: &IntTuple) -> Result<Composed, Error> {
        match self.moved(c) {
            Ok(r) => Ok(r.decayed()),
            Err(e) => Err(Error::swizzled("slice", self, Operand::Tuple(*c), e)),
        }
    }

    const fn moved(&self, c: &IntTuple) -> Result<Composed, LayoutError> {
        let (kept, fixed) = tri!(self.inner().slice(c));
        let Some(fixed) = fixed.value() else { return Err(LayoutError::Undecided) };
        match self.offset().checked_add(fixed) {
            Some(offset) => self.with(offset, &kept),
            None => Err(LayoutError::Overflow),
        }
    }
}

impl Composed {
    /// The rest of the domain from coordinate `c` on: `r(x) = self(c + x)`, of the same shape; only its values inside the
    /// domain of `self` are meant.
    ///
    /// # Errors
    /// As [`Layout::at_crd`], or a value below the swizzle overflows.
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,0,3> o 0 o (8,8):(8,1)".parse()?;
    /// assert_eq!(c.domain_offset(&ints!((2, 3)))?.at_coord([1, 4])?, c.at_coord([3, 7])?);
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn domain_offset(&self, c: &IntTuple) -> Result<Composed, Error> {
        let moved = match self.inner().at_crd(c) {
            Ok(v) => match self.offset().checked_add(v) {
                Some(offset) => self.with(offset, self.inner()),
                None => Err(LayoutError::Overflow),
            },
            Err(e) => Err(e),
        };
        match moved {
            Ok(r) => Ok(r),
            Err(e) => Err(Error::swizzled("domain_offset", self, Operand::Tuple(*c), e)),
        }
    }

    /// The complement of the layout below the swizzle: with `R` beside that layout below the same swizzle, all values are
    /// distinct, as [`Layout::complement`] has it.
    ///
    /// # Errors
    /// As [`Layout::complement`].
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,0,3> o 0 o (8,4):(8,1)".parse()?;
    /// let rest = c.complement(64)?;
    /// assert_eq!(c.append(&rest)?.to_string(), "S<3,0,3> o 0 o (8,4,2):(8,1,4)");
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn complement(&self, cotarget: i64) -> Result<Layout, Error> {
        match self.inner().complement(cotarget) {
            Ok(l) => Ok(l),
            Err(e) => Err(Error::swizzled("complement", self, Operand::Int(cotarget), e.reason)),
        }
    }

    /// The coordinates along which stride 0 keeps the value, as [`Layout::nullspace`].
    ///
    /// # Errors
    /// As [`Layout::nullspace`].
    pub const fn nullspace(&self) -> Result<Layout, Error> {
        match self.inner().nullspace() {
            Ok(l) => Ok(l),
            Err(e) => Err(Error::swizzled("nullspace", self, Operand::None, e.reason)),
        }
    }

    /// Words of `n` elements: swizzle, offset and layout each counted in words.
    ///
    /// Law: as [`Layout::upcast`], `r(c0/g0, c1/g1, ..) = floor(self(c) / n)`; and the swizzle keeps the order of elements in
    /// each word.
    ///
    /// # Errors
    /// As [`Layout::upcast`] and [`Swizzle::upcast`](crate::layout::Swizzle::upcast); or the offset moves elements over the
    /// end of their word.
    /// ```
    /// # use girih::prelude::*;
    /// let halves: Composed = "S<3,3,3>[16b] o 64 o (8,64):(64,1)".parse()?;
    /// assert_eq!(halves.upcast(8)?.to_string(), "S<3,0,3>[128b] o 8 o (8,8):(8,1)");
    /// assert!(halves.upcast(16).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn upcast(&self, n: i64) -> Result<Composed, Error> {
        match self.either(n, true) {
            Ok(c) => Ok(c),
            Err(e) => Err(Error::swizzled("upcast", self, Operand::Int(n), e)),
        }
    }

    /// Parts of `1/n` element: swizzle, offset and layout each counted in parts.
    ///
    /// Law: as [`Layout::downcast`]: the `n` parts of the element at `c` are at `n*self(c) ..`.
    ///
    /// # Errors
    /// As [`Layout::downcast`] and [`Swizzle::downcast`](crate::layout::Swizzle::downcast).
    /// ```
    /// # use girih::prelude::*;
    /// let words: Composed = "S<3,2,3>[32b] o 32 o (8,32):(32,1)".parse()?;
    /// assert_eq!(words.downcast(4)?.to_string(), "S<3,4,3>[8b] o 128 o (8,128):(128,1)");
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn downcast(&self, n: i64) -> Result<Composed, Error> {
        match self.either(n, false) {
            Ok(c) => Ok(c),
            Err(e) => Err(Error::swizzled("downcast", self, Operand::Int(n), e)),
        }
    }

    /// Elements of `old_bits` seen as elements of `new_bits`.
    ///
    /// # Errors
    /// The swizzle counts another unit than `old_bits`, a width below 1, or as [`Composed::upcast`] and
    /// [`Composed::downcast`].
    /// ```
    /// # use girih::prelude::*;
    /// let bf16: Composed = "S<3,3,3>[16b] o 0 o (8,64):(64,1)".parse()?;
    /// assert_eq!(bf16.recast(16, 32)?.to_string(), "S<3,2,3>[32b] o 0 o (8,32):(32,1)");
    /// assert!(bf16.recast(8, 32).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn recast(&self, old_bits: i64, new_bits: i64) -> Result<Composed, Error> {
        match self.reseen(old_bits, new_bits) {
            Ok(c) => Ok(c),
            Err(e) => Err(Error::swizzled("recast", self, Operand::Int(new_bits), e)),
        }
    }

    const fn reseen(&self, old: i64, new: i64) -> Result<Composed, LayoutError> {
        if old < 1 || new < 1 {
            return Err(LayoutError::BadExtent { leaf: 0, extent: if old < new { old } else { new } });
        }
        if let Some(width) = self.unit().width()
            && width as i64 != old
        {
            return Err(LayoutError::Swizzled { why: "the swizzle counts elements of another width" });
        }
        let (down, up) = ratio(old, new);
        tri!(self.either(down, false)).either(up, true)
    }

    /// Up or down, the swizzle taken away where it is in the way and not needed.
    const fn either(&self, n: i64, up: bool) -> Result<Composed, LayoutError> {
        match self.scaled(n, up) {
            Ok(c) => Ok(c),
            Err(e) => match self.decayed().scaled(n, up) {
                Ok(c) => Ok(c),
                Err(_) => Err(e),
            },
        }
    }

    const fn scaled(&self, n: i64, up: bool) -> Result<Composed, LayoutError> {
        let (inner, moved) = if up {
            (self.inner().upcast(n), self.inner().recast_offset(1, n))
        } else {
            (self.inner().downcast(n), self.inner().recast_offset(n, 1))
        };
        let (inner, moved) = match (inner, moved) {
            (Ok(l), Ok(m)) => (l, m),
            (Err(e), _) | (_, Err(e)) => return Err(e.reason),
        };
        let mut chain = [Swizzle::IDENTITY; SWIZZLES];
        let links = self.swizzles().len();
        let mut i = 0;
        while i < links {
            let s = &self.swizzles()[i];
            chain[i] = tri!(if up { s.upcast(n) } else { s.downcast(n) });
            i += 1;
        }
        let offset = if up {
            match self.offset().checked_add(moved) {
                Some(o) if o.rem_euclid(n) <= n - 1 - tri!(self.reach_in_word(n)) => o.div_euclid(n),
                _ => return Err(LayoutError::Swizzled { why: "the offset moves elements over the end of their word" }),
            }
        } else {
            match self.offset().checked_mul(n) {
                Some(o) => match o.checked_add(moved) {
                    Some(o) => o,
                    None => return Err(LayoutError::Overflow),
                },
                None => return Err(LayoutError::Overflow),
            }
        };
        Composed::from_chain(chain.split_at(links).0, offset, &inner)
    }

    /// The last place in a word of `n` that some element of the layout below has, from the start of its word.
    const fn reach_in_word(&self, n: i64) -> Result<i64, LayoutError> {
        let l = self.inner();
        let (mut reach, mut i) = (0, 0);
        while i < l.leaves() {
            let (s, d) = (l.extent_int(i), l.stride_int(i).coef);
            if d % n != 0 && !matches!(s.value(), Some(1)) {
                // the upcast exists, so this stride is known and divides n, or stays inside one word
                let group = (n as u64).div_ceil(d.unsigned_abs()) as i64;
                let inside = match s.value() {
                    Some(s) if s < group => s,
                    _ => group,
                };
                reach += (inside - 1) * d.abs();
            }
            i += 1;
        }
        Ok(reach)
    }

    /// The largest N that is known to cut the values into whole aligned vectors of N: it divides the runs that the swizzle
    /// keeps, the offset, and [`Layout::max_alignment`] of the layout below.
    ///
    /// Law: the set of values is a union of intervals `[kN, kN + N)`, and elements that follow each other below the swizzle
    /// in such an interval do so above it.
    ///
    /// # Errors
    /// As [`Layout::max_alignment`].
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// assert_eq!(c.max_alignment()?, 8);
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn max_alignment(&self) -> Result<i64, Error> {
        let mut n = match self.inner().max_alignment() {
            Ok(n) => gcd(n as u64, self.offset() as u64),
            Err(e) => return Err(Error::swizzled("max_alignment", self, Operand::None, e.reason)),
        };
        let mut i = 0;
        while i < self.swizzles().len() {
            n = gcd(n, self.swizzles()[i].max_alignment() as u64);
            i += 1;
        }
        Ok(n as i64)
    }

    /// A layout R of elements that are one aligned vector in both: of [`Layout::max_common_layout`] below the swizzles, as
    /// much as divides both [alignments](Composed::max_alignment). (A plain layout is one below [`Swizzle::IDENTITY`].)
    ///
    /// Law: `self(R(i)) = self(0) + i` and `o(R(i)) = o(0) + i` for `i < size(R)`, and the same from every other coordinate
    /// that has R's digits 0. CuTe does not cut where both swizzles are equal; the vectors then start at a wrong address.
    ///
    /// # Errors
    /// As [`Layout::max_common_layout`] and [`Layout::max_alignment`].
    /// ```
    /// # use girih::prelude::*;
    /// let smem: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// let gmem = layout!((8,64):(4096,1)).swizzled(&Swizzle::IDENTITY)?;
    /// assert_eq!(smem.max_common_layout(&gmem)?, layout!(8:8));
    /// assert_eq!(smem.max_common_vector(&gmem)?, 8);
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn max_common_layout(&self, o: &Composed) -> Result<Layout, Error> {
        match self.common(o) {
            Ok(l) => Ok(l),
            Err(e) => Err(Error::swizzled("max_common_layout", self, Operand::Composed(*o), e)),
        }
    }

    /// The size of [`Composed::max_common_layout`].
    ///
    /// # Errors
    /// As [`Composed::max_common_layout`].
    pub const fn max_common_vector(&self, o: &Composed) -> Result<i64, Error> {
        let n = match self.common(o) {
            Ok(l) => l.size(),
            Err(e) => Err(e),
        };
        match n {
            Ok(n) => Ok(n),
            Err(e) => Err(Error::swizzled("max_common_vector", self, Operand::Composed(*o), e)),
        }
    }

    const fn common(&self, o: &Composed) -> Result<Layout, LayoutError> {
        let (r, a, b) = match (self.inner().max_common_layout(o.inner()), self.max_alignment(), o.max_alignment()) {
            (Ok(r), Ok(a), Ok(b)) => (r, a, b),
            (Err(e), _, _) | (_, Err(e), _) | (_, _, Err(e)) => return Err(e.reason),
        };
        let mut left = gcd(a as u64, b as u64) as i64;
        let Some((shape, stride)) = r.known_leaves() else { return Err(LayoutError::Undecided) };
        let mut w = Writer::NEW;
        w.open();
        let mut i = 0;
        while i < shape.len() && left > 1 {
            let s = shape[i];
            if left % s == 0 {
                left /= s;
                tri!(w.known(s, stride[i]));
            } else {
                // R ends inside this mode
                tri!(w.known(if left < s { left } else { gcd(left as u64, s as u64) as i64 }, stride[i]));
                left = 1;
            }
            i += 1;
        }
        tri!(w.known(1, 0));
        tri!(w.close());
        Ok(w.finish().coalesce())
    }
}

/// Operations that act on the layout below the swizzle.
macro_rules! forward {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $type:ty $(as $operand:ident)?),*) -> $result:ident;)*) => {
        impl Composed {$(
            $(#[$doc])*
            pub const fn $name(&self $(, $arg: $type)*) -> forward!(@type $result) {
                let right = forward!(@operand $($(($operand $arg))?)*);
                forward!(@call $result self right stringify!($name), self.inner().$name($($arg),*))
            }
        )*}
    };
    (@operand) => { Operand::None };
    (@operand ($kind:ident $arg:ident) $($more:tt)*) => { Operand::$kind(*$arg) };
    // cannot fail
    (@type Always) => { Composed };
    (@call Always $self:ident $right:ident $op:expr, $value:expr) => {{
        let _ = $right;
        $self.over(&$value)
    }};
    // a layout operation, or a change of modes whose reason is not yet attached to operands
    (@type Layout) => { Result<Composed, Error> };
    (@call Layout $self:ident $right:ident $op:expr, $value:expr) => {
        match $value {
            Ok(l) => $self.result($op, &l, $right),
            Err(e) => Err(Error::swizzled($op, $self, $right, e.reason)),
        }
    };
    (@type Modes) => { Result<Composed, Error> };
    (@call Modes $self:ident $right:ident $op:expr, $value:expr) => {
        match $value {
            Ok(l) => $self.result($op, &l, $right),
            Err(e) => Err(Error::swizzled($op, $self, $right, e)),
        }
    };
    (@type Guarded) => { Result<(Composed, Guard), Error> };
    (@call Guarded $self:ident $right:ident $op:expr, $value:expr) => {
        match $value {
            Ok(g) => match $self.result($op, &g.layout, $right) {
                Ok(c) => Ok((c, g.guard)),
                Err(e) => Err(e),
            },
            Err(e) => Err(Error::swizzled($op, $self, $right, e.reason)),
        }
    };
}

impl Composed {
    const fn result(&self, op: &'static str, inner: &Layout, right: Operand) -> Result<Composed, Error> {
        match self.with(self.offset(), inner) {
            Ok(c) => Ok(c),
            Err(e) => Err(Error::swizzled(op, self, right, e)),
        }
    }

    /// The same swizzle and offset on a layout with the same values in another order, or some of them.
    const fn over(&self, inner: &Layout) -> Composed {
        match self.with(self.offset(), inner) {
            Ok(c) => c,
            // the values were checked when `self` was made
            Err(_) => *self,
        }
    }
}

forward! {
    /// Mode `i`, as [`Layout::mode`].
    ///
    /// # Errors
    /// There is no such mode.
    mode(i: usize) -> Modes;
    /// Modes `from..to`, as [`Layout::take`].
    ///
    /// # Errors
    /// There are no such modes, or none is left.
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,(4,16)):(64,(16,1))".parse()?;
    /// assert_eq!(c.take(1, 2)?.to_string(), "S<3,3,3> o 0 o ((4,16)):((16,1))");
    /// assert_eq!(c.flatten().to_string(), "S<3,3,3> o 0 o (8,4,16):(64,16,1)");
    /// # Ok::<(), Error>(())
    /// ```
    take(from: usize, to: usize) -> Modes;
    /// The modes with these numbers, in this order, as [`Layout::select`].
    ///
    /// # Errors
    /// There is no such mode, none is chosen, or the values overflow.
    select(modes: &[usize]) -> Modes;
    /// The modes in reverse order.
    ///
    /// # Errors
    /// Never for a layout that fits.
    reverse() -> Modes;
    /// All leaves in one flat tuple, as [`Layout::flatten`].
    flatten() -> Always;
    /// The leaves in the nesting of `profile`, as [`Layout::unflatten`].
    ///
    /// # Errors
    /// The numbers of leaves differ.
    unflatten(profile: &IntTuple as Tuple) -> Modes;
    /// Modes `from..to` become one mode, as [`Layout::group`].
    ///
    /// # Errors
    /// There are no such modes, or nesting too deep.
    group(from: usize, to: usize) -> Modes;
    /// The modes, then `mode`: its values are added below the swizzle.
    ///
    /// # Errors
    /// Too many leaves, or a value below the swizzle is negative or overflows.
    /// ```
    /// # use girih::prelude::*;
    /// let atom: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// assert_eq!(atom.append(&layout!(4:512))?.to_string(), "S<3,3,3> o 0 o (8,64,4):(64,1,512)");
    /// # Ok::<(), Error>(())
    /// ```
    append(mode: &Layout as Layout) -> Modes;
    /// `mode`, then the modes.
    ///
    /// # Errors
    /// As [`Composed::append`].
    prepend(mode: &Layout as Layout) -> Modes;
    /// The modes with `mode` before mode `at`.
    ///
    /// # Errors
    /// As [`Composed::append`], or `at` is past the end.
    insert(at: usize, mode: &Layout as Layout) -> Modes;
    /// Mode `i` replaced.
    ///
    /// # Errors
    /// As [`Composed::append`], or there is no such mode.
    replace(i: usize, mode: &Layout as Layout) -> Modes;
    /// Padded with `1:0` modes at the end up to rank `n`.
    ///
    /// # Errors
    /// The rank is above `n`, or too many leaves.
    pad_rank(n: usize) -> Modes;
    /// Mode i of the result is (mode i of this one, mode i of `o`), values added below the swizzle.
    ///
    /// # Errors
    /// The ranks differ, or as [`Composed::append`].
    zip(o: &Layout as Layout) -> Modes;
    /// Modes of modes transposed, as [`Layout::transpose`].
    ///
    /// # Errors
    /// The modes differ in rank.
    transpose() -> Modes;
    /// The sub-layout of the modes that `_` does *not* mark, as [`Layout::dice`].
    ///
    /// # Errors
    /// The coordinate does not fit the shape.
    dice(c: &IntTuple as Tuple) -> Modes;

    /// The same function with as few modes as possible below the swizzle, as [`Layout::coalesce`].
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<1,0,2> o 0 o (2,(1,6)):(1,(6,2))".parse()?;
    /// assert_eq!(c.coalesce().to_string(), "S<1,0,2> o 0 o 12:1");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    coalesce() -> Always;
    /// Coalesced at the leaves of `profile`, as [`Layout::coalesce_by_mode`].
    ///
    /// # Errors
    /// The profile does not fit.
    coalesce_by_mode(profile: &IntTuple as Tuple) -> Layout;
    /// Extent 1 where the stride is 0, as [`Layout::filter_zeros`].
    filter_zeros() -> Always;
    /// Without stride-0 and extent-1 modes, as [`Layout::filter`].
    filter() -> Always;
    /// Filtered at the leaves of `profile`, as [`Layout::filter_by_mode`].
    ///
    /// # Errors
    /// The profile does not fit.
    filter_by_mode(profile: &IntTuple as Tuple) -> Layout;

    /// `self o b`, the function `c -> self(b(c))`.
    ///
    /// Exact both ways, as [`Layout::compose`]: the swizzle is a bijection, so this exists with the same swizzle if and only
    /// if the composition below it does.
    ///
    /// # Errors
    /// As [`Layout::compose`].
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// assert_eq!(c.compose(&layout!((4,8):(8,64)))?.to_string(), "S<3,3,3> o 0 o (4,8):(1,8)");
    /// # Ok::<(), Error>(())
    /// ```
    compose(b: &Layout as Layout) -> Layout;
    /// [`Composed::compose`] with the last mode extended past the domain.
    ///
    /// # Errors
    /// As [`Layout::compose_extended`], or a value below the swizzle is negative.
    compose_extended(b: &Layout as Layout) -> Layout;
    /// Mode by mode, as [`Layout::compose_by_mode`].
    ///
    /// # Errors
    /// As [`Layout::compose_by_mode`].
    compose_by_mode(t: &Tiler as Tiler) -> Layout;
    /// The same values in another shape, as [`Layout::with_shape`].
    ///
    /// # Errors
    /// As [`Layout::with_shape`].
    with_shape(shape: &IntTuple as Tuple) -> Layout;

    /// `(tile, rest)`, as [`Layout::logical_divide`].
    ///
    /// # Errors
    /// As [`Layout::logical_divide`].
    logical_divide(t: &Layout as Layout) -> Layout;
    /// `((TileM,RestM),(TileN,RestN),..)`, as [`Layout::logical_divide_by_mode`].
    ///
    /// # Errors
    /// As [`Layout::logical_divide_by_mode`].
    logical_divide_by_mode(t: &Tiler as Tiler) -> Layout;
    /// `((TileM,TileN),(RestM,RestN,..))`, as [`Layout::zipped_divide`].
    ///
    /// # Errors
    /// As [`Layout::zipped_divide`].
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// let tiles = c.zipped_divide(&tiler![4, 16])?;
    /// assert_eq!(tiles.to_string(), "S<3,3,3> o 0 o ((4,16),(2,4)):((64,1),(256,16))");
    /// # Ok::<(), Error>(())
    /// ```
    zipped_divide(t: &Tiler as Tiler) -> Layout;
    /// `((TileM,TileN),RestM,RestN,..)`, as [`Layout::tiled_divide`].
    ///
    /// # Errors
    /// As [`Layout::tiled_divide`].
    tiled_divide(t: &Tiler as Tiler) -> Layout;
    /// `(TileM,TileN,RestM,RestN,..)`, as [`Layout::flat_divide`].
    ///
    /// # Errors
    /// As [`Layout::flat_divide`].
    flat_divide(t: &Tiler as Tiler) -> Layout;
    /// [`Composed::logical_divide`] with the number of tiles rounded up, and the guard of the real coordinates.
    ///
    /// # Errors
    /// As [`Layout::logical_divide_ceil`], or a value below the swizzle is negative.
    logical_divide_ceil(t: &Layout as Layout) -> Guarded;
    /// [`Composed::logical_divide_by_mode`] rounded up.
    ///
    /// # Errors
    /// As [`Layout::logical_divide_by_mode_ceil`], or a value below the swizzle is negative.
    logical_divide_by_mode_ceil(t: &Tiler as Tiler) -> Guarded;
    /// [`Composed::zipped_divide`] rounded up.
    ///
    /// # Errors
    /// As [`Composed::logical_divide_by_mode_ceil`].
    zipped_divide_ceil(t: &Tiler as Tiler) -> Guarded;
    /// [`Composed::tiled_divide`] rounded up.
    ///
    /// # Errors
    /// As [`Composed::logical_divide_by_mode_ceil`].
    tiled_divide_ceil(t: &Tiler as Tiler) -> Guarded;
    /// [`Composed::flat_divide`] rounded up.
    ///
    /// # Errors
    /// As [`Composed::logical_divide_by_mode_ceil`].
    flat_divide_ceil(t: &Tiler as Tiler) -> Guarded;

    /// A copy for each element of `b`, as [`Layout::logical_product`]; the copies are disjoint, for the swizzle is injective.
    /// It goes on over all copies: they look alike only where its bits lie inside one.
    ///
    /// # Errors
    /// As [`Layout::logical_product`].
    logical_product(b: &Layout as Layout) -> Layout;
    /// `((M,TileM),(N,TileN),..)`, as [`Layout::logical_product_by_mode`].
    ///
    /// # Errors
    /// As [`Layout::logical_product_by_mode`].
    logical_product_by_mode(t: &Tiler as Tiler) -> Layout;
    /// `((M,N),(TileM,TileN,..))`, as [`Layout::zipped_product`].
    ///
    /// # Errors
    /// As [`Layout::zipped_product`].
    zipped_product(t: &Tiler as Tiler) -> Layout;
    /// `((M,N),TileM,TileN,..)`, as [`Layout::tiled_product`].
    ///
    /// # Errors
    /// As [`Layout::tiled_product`].
    tiled_product(t: &Tiler as Tiler) -> Layout;
    /// `(M,N,TileM,TileN,..)`, as [`Layout::flat_product`].
    ///
    /// # Errors
    /// As [`Layout::flat_product`].
    flat_product(t: &Tiler as Tiler) -> Layout;
    /// Block beside block, as [`Layout::blocked_product`].
    ///
    /// # Errors
    /// As [`Layout::blocked_product`].
    blocked_product(b: &Layout as Layout) -> Layout;
    /// Interleaved, as [`Layout::raked_product`].
    ///
    /// # Errors
    /// As [`Layout::raked_product`].
    raked_product(b: &Layout as Layout) -> Layout;
    /// Repeated until it fills `shape`, as [`Layout::tile_to_shape`].
    ///
    /// # Errors
    /// As [`Layout::tile_to_shape`].
    /// ```
    /// # use girih::prelude::*;
    /// let atom: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// let tile = atom.tile_to_shape(&ints!((128, 128)))?;
    /// assert_eq!(tile.to_string(), "S<3,3,3> o 0 o ((8,16),(64,2)):((64,512),(1,8192))");
    /// # Ok::<(), Error>(())
    /// ```
    tile_to_shape(shape: &IntTuple as Tuple) -> Layout;
    /// [`Composed::tile_to_shape`] with copies in the order of `order`.
    ///
    /// # Errors
    /// As [`Layout::tile_to_shape_ordered`].
    tile_to_shape_ordered(shape: &IntTuple as Tuple, order: &IntTuple as Tuple) -> Layout;
    /// [`Composed::tile_to_shape`] with the copies rounded up.
    ///
    /// # Errors
    /// As [`Layout::tile_to_shape_ceil`].
    tile_to_shape_ceil(shape: &IntTuple as Tuple) -> Guarded;
}

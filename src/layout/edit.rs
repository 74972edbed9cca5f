//! Queries and manipulation of the modes of a layout: everything that copies leaves and changes nesting.

use super::value::Writer;
use super::{Int, IntTuple, Layout, LayoutError, MODES, nest::Nest};

impl Layout {
    /// Not a tuple: `4:1`, which is not `(4):(1)`.
    /// ```
    /// # use girih::prelude::*;
    /// assert!(layout!(4:1).is_integer());
    /// assert!(!layout!((4):(1)).is_integer());
    /// ```
    pub const fn is_integer(&self) -> bool {
        self.len == 1 && self.nest.open == 0
    }

    /// Number of modes; an integer layout has one.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((2,(3,4)):(1,(2,6))).rank(), 2);
    /// ```
    pub const fn rank(&self) -> usize {
        self.mode_starts(&mut [0; MODES + 1])
    }

    /// Levels of nesting; an integer layout has none.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((8,(16,4)):(64,(4,1))).depth(), 2);
    /// assert_eq!(layout!(4:1).depth(), 0);
    /// ```
    pub const fn depth(&self) -> usize {
        let mut nest = self.nest;
        let (mut depth, mut deepest, mut i) = (0, 0, 0);
        while i < self.leaves() {
            let (o, c) = nest.next();
            depth += o;
            if depth > deepest {
                deepest = depth;
            }
            depth -= c;
            i += 1;
        }
        deepest as usize
    }

    /// The first leaf of each mode and, after the last, the number of leaves; returns the rank.
    pub(crate) const fn mode_starts(&self, start: &mut [usize; MODES + 1]) -> usize {
        let mut nest = self.nest;
        let outer = (self.nest.open != 0) as u32;
        let (mut rank, mut depth, mut i) = (0, 0, 0);
        while i < self.leaves() {
            let (o, c) = nest.next();
            if depth <= outer && (i == 0 || depth == outer) {
                start[rank] = i;
                rank += 1;
            }
            depth += o;
            depth -= c;
            i += 1;
        }
        start[rank] = i;
        rank
    }

    /// Writes modes `from..to` one after another, without the parentheses around the whole.
    pub(crate) const fn write_modes(&self, w: &mut Writer, from: usize, to: usize) -> Result<(), LayoutError> {
        let mut start = [0; MODES + 1];
        let rank = self.mode_starts(&mut start);
        if to > rank || from > to {
            return Err(LayoutError::NoSuchMode { mode: if to > rank { to - 1 } else { from }, rank });
        }
        let tuple = !self.is_integer();
        let mut nest = self.nest;
        let mut i = 0;
        while i < start[to] {
            let (mut o, mut c) = nest.next();
            if tuple && i == 0 {
                o -= 1;
            }
            if tuple && i + 1 == self.leaves() {
                c -= 1;
            }
            if i >= start[from] {
                while o > 0 {
                    w.open();
                    o -= 1;
                }
                tri!(w.copy(self, i));
                while c > 0 {
                    tri!(w.close());
                    c -= 1;
                }
            }
            i += 1;
        }
        Ok(())
    }

    const fn write_mode(&self, w: &mut Writer, i: usize) -> Result<(), LayoutError> {
        match i.checked_add(1) {
            Some(to) => self.write_modes(w, i, to),
            None => Err(LayoutError::NoSuchMode { mode: i, rank: self.rank() }),
        }
    }

    /// Mode `i`; mode 0 of an integer layout is itself.
    ///
    /// # Errors
    /// There is no such mode.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((2,(3,4)):(1,(2,6))).mode(1)?, layout!((3,4):(2,6)));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn mode(&self, i: usize) -> Result<Layout, LayoutError> {
        let mut w = Writer::NEW;
        tri!(self.write_mode(&mut w, i));
        Ok(w.finish())
    }

    /// The shape, an integer or a nested tuple.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!(((4,8),(2,2)):((32,1),(16,8))).shape(), ints!(((4, 8), (2, 2))));
    /// ```
    pub const fn shape(&self) -> IntTuple {
        let mut r = *self;
        let mut i = 0;
        while i < r.leaves() {
            r.stride[i] = 0;
            i += 1;
        }
        r.packed_stride = 0;
        r.settle();
        IntTuple(r)
    }

    /// The stride, in the nesting of the shape.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!(((4,8),(2,2)):((32,1),(16,8))).stride(), ints!(((32, 1), (16, 8))));
    /// ```
    pub const fn stride(&self) -> IntTuple {
        let mut r = *self;
        let mut i = 0;
        while i < r.leaves() {
            r.shape[i] = r.stride[i];
            r.stride[i] = 0;
            i += 1;
        }
        r.packed_shape = r.packed_stride;
        r.packed_stride = 0;
        r.settle();
        IntTuple(r)
    }

    /// Extent of leaf `i`, counted from the left.
    ///
    /// # Errors
    /// There is no such leaf.
    /// ```
    /// # use girih::prelude::*;
    /// let l = Layout::parse("(?M,(16,4)):(64,(4,1))")?;
    /// assert_eq!(l.leaf_extent(0)?, Int::symbol("M", 1)?);
    /// assert_eq!(l.leaf_extent(2)?, Int::known(4));
    /// assert!(l.leaf_extent(3).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn leaf_extent(&self, i: usize) -> Result<Int, LayoutError> {
        if i < self.leaves() {
            Ok(self.extent_int(i))
        } else {
            Err(LayoutError::NoSuchMode { mode: i, rank: self.leaves() })
        }
    }

    /// Stride of leaf `i`, counted from the left.
    ///
    /// # Errors
    /// There is no such leaf.
    /// ```
    /// # use girih::prelude::*;
    /// let l = Layout::parse("(64,(16,4)):(?lda,(4,1))")?;
    /// assert_eq!((l.leaf_stride(0)?, l.leaf_stride(1)?), (Int::symbol("lda", 1)?, Int::known(4)));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn leaf_stride(&self, i: usize) -> Result<Int, LayoutError> {
        if i < self.leaves() {
            Ok(self.stride_int(i))
        } else {
            Err(LayoutError::NoSuchMode { mode: i, rank: self.leaves() })
        }
    }

    /// The nesting, as a tuple with every leaf 0.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((8,(16,4)):(64,(4,1))).profile(), ints!((0, (0, 0))));
    /// ```
    pub const fn profile(&self) -> IntTuple {
        let mut p = Layout::BLANK;
        p.len = self.len;
        p.nest = self.nest;
        IntTuple(p)
    }

    /// The shapes have the same nesting.
    /// ```
    /// # use girih::prelude::*;
    /// assert!(layout!((8,64):(64,1)).congruent(&layout!((4,2):(1,4))));
    /// assert!(!layout!((8,64):(64,1)).congruent(&layout!((8,(8,8)):(64,(1,8)))));
    /// ```
    pub const fn congruent(&self, o: &Layout) -> bool {
        self.len == o.len && self.nest.same(&o.nest)
    }

    /// The profile of `self` is a prefix of that of `o`: each leaf of `self` meets a leaf or a whole mode of `o`.
    /// ```
    /// # use girih::prelude::*;
    /// assert!(layout!((8,64):(64,1)).weakly_congruent(&layout!((2,(3,4)):(1,(2,6)))));
    /// assert!(!layout!((2,(3,4)):(1,(2,6))).weakly_congruent(&layout!((8,64):(64,1))));
    /// ```
    pub const fn weakly_congruent(&self, o: &Layout) -> bool {
        self.shape().weakly_congruent(&o.shape())
    }

    /// The shape of `o` refines that of `self`: every coordinate of `self` is one of `o`.
    /// ```
    /// # use girih::prelude::*;
    /// let (matrix, tiled) = (layout!((8,64):(64,1)), layout!((8,(8,8)):(8,(1,64))));
    /// assert!(matrix.compatible(&tiled));
    /// assert!(!tiled.compatible(&matrix));
    /// ```
    pub const fn compatible(&self, o: &Layout) -> bool {
        self.shape().compatible(&o.shape())
    }

    /// Number of elements of the domain, of known extents.
    ///
    /// # Errors
    /// An extent is a symbol: see [`Layout::size_int`].
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((8,(16,4)):(64,(4,1))).size()?, 512);
    /// assert_eq!(Layout::parse("(?M,64):(64,1)")?.size().unwrap_err().to_string(), "?M has no value: bind it");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn size(&self) -> Result<i64, LayoutError> {
        if self.packed_shape != 0 {
            return Err(LayoutError::Unbound { name: self.first_symbol() });
        }
        let (mut n, mut i) = (1, 0);
        while i < self.leaves() {
            n *= self.shape[i];
            i += 1;
        }
        Ok(n)
    }

    /// Number of elements of the domain, symbols and all.
    ///
    /// # Errors
    /// A product of more than four factors.
    /// ```
    /// # use girih::prelude::*;
    /// let l: Layout = "(?N,?C,4):(1,?N,0)".parse()?;
    /// assert_eq!(l.size_int()?.to_string(), "4*?C*?N");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn size_int(&self) -> Result<Int, LayoutError> {
        let mut n = Int::known(1);
        let mut i = 0;
        while i < self.leaves() {
            n = tri!(n.mul(&self.extent_int(i)));
            i += 1;
        }
        Ok(n)
    }

    pub(crate) const fn first_symbol(&self) -> super::Name {
        let mut i = 0;
        while i < self.leaves() {
            let (s, d) = (self.extent_int(i), self.stride_int(i));
            if s.symbols() > 0 {
                return s.factors[0].name;
            }
            if d.symbols() > 0 {
                return d.factors[0].name;
            }
            i += 1;
        }
        super::Name::NONE
    }

    /// The layout whose modes are `modes` (CuTe's `make_layout` of layouts).
    ///
    /// # Errors
    /// No mode, too many leaves, nesting too deep, or the whole overflows.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Layout::tuple(&[layout!(2:1), layout!((3,4):(2,6))])?, layout!((2,(3,4)):(1,(2,6))));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn tuple(modes: &[Layout]) -> Result<Layout, LayoutError> {
        if modes.is_empty() {
            return Err(LayoutError::Empty);
        }
        let mut w = Writer::NEW;
        w.open();
        let mut i = 0;
        while i < modes.len() {
            tri!(w.mode(&modes[i]));
            i += 1;
        }
        tri!(w.close());
        let l = w.finish();
        tri!(l.check());
        Ok(l)
    }

    /// Modes `from..to`, as a tuple even if it is a single one ([`Layout::mode`] takes that out of it).
    ///
    /// # Errors
    /// There are no such modes, or none is left.
    /// ```
    /// # use girih::prelude::*;
    /// let stages = layout!((64,32,3):(1,64,2048));
    /// assert_eq!(stages.take(0, 2)?, layout!((64,32):(1,64)));
    /// assert_eq!(stages.take(1, 2)?, layout!((32):(64)));
    /// assert!(stages.take(2, 4).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn take(&self, from: usize, to: usize) -> Result<Layout, LayoutError> {
        if from >= to {
            return Err(LayoutError::Empty);
        }
        let mut w = Writer::NEW;
        w.open();
        tri!(self.write_modes(&mut w, from, to));
        tri!(w.close());
        Ok(w.finish())
    }

    /// The modes with these numbers, in this order: a permutation, a choice or a repetition of modes.
    ///
    /// # Errors
    /// There is no such mode, or none is chosen.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((2,3,4):(1,2,6)).select(&[2, 0])?, layout!((4,2):(6,1)));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn select(&self, modes: &[usize]) -> Result<Layout, LayoutError> {
        if modes.is_empty() {
            return Err(LayoutError::Empty);
        }
        let mut w = Writer::NEW;
        w.open();
        let mut i = 0;
        while i < modes.len() {
            tri!(self.write_mode(&mut w, modes[i]));
            i += 1;
        }
        tri!(w.close());
        let l = w.finish();
        tri!(l.check());
        Ok(l)
    }

    /// The modes in reverse order.
    ///
    /// # Errors
    /// Never for a layout that fits (nesting keeps its depth).
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((2,(3,4)):(1,(2,6))).reverse()?, layout!(((3,4),2):((2,6),1)));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn reverse(&self) -> Result<Layout, LayoutError> {
        if self.is_integer() {
            return Ok(*self);
        }
        let mut order = [0; MODES];
        let rank = self.rank();
        let mut i = 0;
        while i < rank {
            order[i] = rank - 1 - i;
            i += 1;
        }
        self.select(order.split_at(rank).0)
    }

    /// All leaves in one flat tuple (an integer layout stays one).
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((2,(3,4)):(1,(2,6))).flatten(), layout!((2,3,4):(1,2,6)));
    /// ```
    pub const fn flatten(&self) -> Layout {
        let mut r = *self;
        if !self.is_integer() {
            r.nest = Nest::flat(self.leaves());
        }
        r
    }

    /// The leaves in the nesting of `profile`.
    ///
    /// # Errors
    /// The numbers of leaves differ.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((2,3,4):(1,2,6)).unflatten(&ints!((0, (0, 0))))?, layout!((2,(3,4)):(1,(2,6))));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn unflatten(&self, profile: &IntTuple) -> Result<Layout, LayoutError> {
        if profile.leaves() != self.leaves() {
            return Err(LayoutError::Incongruent {
                leaf: if profile.leaves() < self.leaves() { profile.leaves() } else { self.leaves() },
            });
        }
        let mut r = *self;
        r.nest = profile.0.nest;
        Ok(r)
    }

    /// Modes `from..to` become one mode.
    ///
    /// # Errors
    /// There are no such modes, or nesting too deep.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((2,3,4):(1,2,6)).group(1, 3)?, layout!((2,(3,4)):(1,(2,6))));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn group(&self, from: usize, to: usize) -> Result<Layout, LayoutError> {
        if from >= to {
            return Err(LayoutError::Empty);
        }
        let mut w = Writer::NEW;
        w.open();
        tri!(self.write_modes(&mut w, 0, from));
        w.open();
        tri!(self.write_modes(&mut w, from, to));
        tri!(w.close());
        tri!(self.write_modes(&mut w, to, self.rank()));
        tri!(w.close());
        Ok(w.finish())
    }

    /// The modes of `self`, then `mode`.
    ///
    /// # Errors
    /// Too many leaves, nesting too deep, or the whole overflows.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((2,3):(1,2)).append(&layout!(4:6))?, layout!((2,3,4):(1,2,6)));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn append(&self, mode: &Layout) -> Result<Layout, LayoutError> {
        self.insert(self.rank(), mode)
    }

    /// `mode`, then the modes of `self`.
    ///
    /// # Errors
    /// As [`Layout::append`].
    /// ```
    /// # use girih::prelude::*;
    /// // the batch first
    /// assert_eq!(layout!((64,32):(1,64)).prepend(&layout!(3:2048))?, layout!((3,64,32):(2048,1,64)));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn prepend(&self, mode: &Layout) -> Result<Layout, LayoutError> {
        self.insert(0, mode)
    }

    /// The modes of `self` with `mode` before mode `at`.
    ///
    /// # Errors
    /// As [`Layout::append`], or `at` is past the end.
    /// ```
    /// # use girih::prelude::*;
    /// let l = layout!((64,32):(1,64));
    /// assert_eq!(l.insert(1, &layout!(3:2048))?, layout!((64,3,32):(1,2048,64)));
    /// assert!(l.insert(3, &layout!(3:2048)).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn insert(&self, at: usize, mode: &Layout) -> Result<Layout, LayoutError> {
        let mut w = Writer::NEW;
        w.open();
        tri!(self.write_modes(&mut w, 0, at));
        tri!(w.mode(mode));
        tri!(self.write_modes(&mut w, at, self.rank()));
        tri!(w.close());
        let l = w.finish();
        tri!(l.check());
        Ok(l)
    }

    /// Mode `i` replaced.
    ///
    /// # Errors
    /// There is no such mode, too many leaves, or the whole overflows.
    /// ```
    /// # use girih::prelude::*;
    /// let l = layout!((64,32):(1,64));
    /// assert_eq!(l.replace(1, &layout!((8,4):(64,512)))?, layout!((64,(8,4)):(1,(64,512))));
    /// assert!(l.replace(2, &layout!(4:1)).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn replace(&self, i: usize, mode: &Layout) -> Result<Layout, LayoutError> {
        if i >= self.rank() {
            return Err(LayoutError::NoSuchMode { mode: i, rank: self.rank() });
        }
        if self.is_integer() {
            return Ok(*mode);
        }
        let mut w = Writer::NEW;
        w.open();
        tri!(self.write_modes(&mut w, 0, i));
        tri!(w.mode(mode));
        tri!(self.write_modes(&mut w, i + 1, self.rank()));
        tri!(w.close());
        let l = w.finish();
        tri!(l.check());
        Ok(l)
    }

    /// Padded with `1:0` modes at the end up to rank `n`. An integer layout becomes `(s,1,..)`.
    ///
    /// # Errors
    /// The rank is above `n`, or too many leaves.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((64,32):(1,64)).pad_rank(3)?, layout!((64,32,1):(1,64,0)));
    /// assert!(layout!((64,32):(1,64)).pad_rank(1).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn pad_rank(&self, n: usize) -> Result<Layout, LayoutError> {
        let rank = self.rank();
        if rank > n {
            return Err(LayoutError::RankTooHigh { rank, of: n });
        }
        let mut w = Writer::NEW;
        w.open();
        tri!(self.write_modes(&mut w, 0, rank));
        let mut i = rank;
        while i < n {
            tri!(w.known(1, 0));
            i += 1;
        }
        tri!(w.close());
        Ok(w.finish())
    }

    /// Mode i of the result is (mode i of `self`, mode i of `o`).
    ///
    /// # Errors
    /// The ranks differ, too many leaves, or the whole overflows.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((2,3):(1,2)).zip(&layout!((4,5):(6,24)))?, layout!(((2,4),(3,5)):((1,6),(2,24))));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn zip(&self, o: &Layout) -> Result<Layout, LayoutError> {
        let (rank, other) = (self.rank(), o.rank());
        if rank != other {
            return Err(LayoutError::RankMismatch { rank, other });
        }
        let mut w = Writer::NEW;
        w.open();
        let mut i = 0;
        while i < rank {
            w.open();
            tri!(self.write_modes(&mut w, i, i + 1));
            tri!(o.write_modes(&mut w, i, i + 1));
            tri!(w.close());
            i += 1;
        }
        tri!(w.close());
        let l = w.finish();
        tri!(l.check());
        Ok(l)
    }

    /// Modes of modes transposed: `((a,b),(c,d))` becomes `((a,c),(b,d))`.
    ///
    /// # Errors
    /// The modes differ in rank.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!(((2,4),(3,5)):((1,6),(2,24))).transpose()?, layout!(((2,3),(4,5)):((1,2),(6,24))));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn transpose(&self) -> Result<Layout, LayoutError> {
        let rank = self.rank();
        let inner = tri!(self.mode(0)).rank();
        let mut w = Writer::NEW;
        w.open();
        let mut j = 0;
        while j < inner {
            w.open();
            let mut i = 0;
            while i < rank {
                let mode = tri!(self.mode(i));
                if mode.rank() != inner {
                    return Err(LayoutError::RankMismatch { rank: inner, other: mode.rank() });
                }
                tri!(mode.write_modes(&mut w, j, j + 1));
                i += 1;
            }
            tri!(w.close());
            j += 1;
        }
        tri!(w.close());
        Ok(w.finish())
    }
}

//! Compact layouts in the likeness of another one: where a copy of its elements is kept.

use crate::layout::{Error, Int, Layout, LayoutError, MODES};

/// The leaves of `a` from leaf `from` on by the absolute value of their strides, the leftmost first among equals. Leaves that
/// store nothing, of extent 1 or with `broadcast` of stride 0, come in between, wherever.
const fn by_stride(a: &Layout, from: usize, broadcast: bool) -> Result<[usize; MODES], LayoutError> {
    let mut order = [0; MODES];
    let mut n = from;
    while n < a.leaves() {
        let d = tri!(a.stride_magnitude(n));
        let mut at = n;
        while at > from && a.stores(n, broadcast) {
            let other = order[at - 1];
            if a.stores(other, broadcast) {
                let e = tri!(a.stride_magnitude(other));
                match (e.le(&d), d.le(&e)) {
                    (Some(true), _) => break,
                    (_, Some(true)) => {}
                    _ => return Err(LayoutError::Undecided),
                }
            }
            order[at] = other;
            at -= 1;
        }
        order[at] = n;
        n += 1;
    }
    Ok(order)
}

impl Layout {
    /// The absolute value of an integer stride.
    pub(crate) const fn stride_magnitude(&self, leaf: usize) -> Result<Int, LayoutError> {
        let mut d = self.stride_int(leaf);
        if d.basis.len > 0 {
            return Err(LayoutError::Codomain);
        }
        match d.coef.checked_abs() {
            Some(c) => d.coef = c,
            None => return Err(LayoutError::Overflow),
        }
        Ok(d)
    }

    /// A compact layout of the same shape whose modes are ordered as the strides of `self` (by absolute value; equal strides
    /// from the left, symbolic ones by their order where they differ): the storage of a copy. Modes of stride 0 keep it: what is broadcast stays broadcast.
    ///
    /// Law: the result is congruent with `self`; without its stride-0 modes it is a bijection onto `[0, n)`, `n` the product
    /// of the extents of those modes of `self` whose stride is not 0; and of two such modes with `|d_i| < |d_j|` mode `i` has
    /// the smaller stride. Extent-1 modes get stride 0.
    ///
    /// # Errors
    /// [`LayoutError::Undecided`] when the order depends on symbols, [`LayoutError::Codomain`] for basis strides, overflow.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((8,(4,16)):(16,(1,256))).make_layout_like()?, layout!((8,(4,16)):(4,(1,32))));
    /// assert_eq!(layout!((20,2):(2,0)).make_layout_like()?, layout!((20,2):(1,0)));
    /// # Ok::<(), girih::Error>(())
    /// ```
    pub const fn make_layout_like(&self) -> Result<Layout, Error> {
        match self.compacted(0, Int::known(1)) {
            Ok(l) => Ok(l),
            Err(e) => Err(Error::unary("make_layout_like", self, e)),
        }
    }

    /// The layout of a register fragment for `self`: mode 0 compact and leftmost fastest (it is what one instruction
    /// takes), then the other modes, compact, ordered as their strides. Leaves of stride 0 in mode 0 keep it; in the other
    /// modes each element has a register of its own. A single mode is compact in its own order.
    ///
    /// Law: as [`Layout::make_layout_like`], the stride-0 leaves being those of mode 0 (none for rank 1).
    ///
    /// # Errors
    /// As [`Layout::make_layout_like`].
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((4,4,2,4):(4,1,64,16)).make_fragment_like()?, layout!((4,4,2,4):(1,4,64,16)));
    /// assert_eq!(layout!((2,14,20):(0,2,28)).make_fragment_like()?, layout!((2,14,20):(0,1,14)));
    /// # Ok::<(), girih::Error>(())
    /// ```
    pub const fn make_fragment_like(&self) -> Result<Layout, Error> {
        match self.fragment() {
            Ok(l) => Ok(l),
            Err(e) => Err(Error::unary("make_fragment_like", self, e)),
        }
    }

    const fn fragment(&self) -> Result<Layout, LayoutError> {
        let mut start = [0; MODES + 1];
        let rank = self.mode_starts(&mut start);
        if rank == 1 {
            return Layout::column_major(&self.shape());
        }
        let mut r = *self;
        let mut span = Int::known(1);
        let mut i = 0;
        while i < start[1] {
            tri!(r.place(i, true, &mut span));
            i += 1;
        }
        r.compacted(start[1], span)
    }

    /// Leaves from `from` on compact above `span`, in the order of their strides. For `from` = 0 stride 0 stays.
    const fn compacted(mut self, from: usize, mut span: Int) -> Result<Layout, LayoutError> {
        let broadcast = from == 0;
        let order = tri!(by_stride(&self, from, broadcast));
        let mut k = from;
        while k < self.leaves() {
            tri!(self.place(order[k], broadcast, &mut span));
            k += 1;
        }
        self.settle();
        tri!(self.check());
        Ok(self)
    }

    /// Does the leaf count in a copy?
    const fn stores(&self, leaf: usize, broadcast: bool) -> bool {
        !(self.is_one(leaf) || broadcast && self.stride_int(leaf).coef == 0)
    }

    const fn place(&mut self, leaf: usize, broadcast: bool, span: &mut Int) -> Result<(), LayoutError> {
        if !self.stores(leaf, broadcast) {
            return self.set_stride(leaf, &Int::known(0));
        }
        tri!(self.set_stride(leaf, span));
        *span = tri!(span.mul(&self.extent_int(leaf)));
        Ok(())
    }
}

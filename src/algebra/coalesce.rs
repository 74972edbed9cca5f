//! Simplification: the same function with fewer modes.

use crate::layout::{Error, Int, IntTuple, Layout, LayoutError, Nest, Writer};

impl Layout {
    /// The same function on the domain with the fewest modes: depth at most 1, no extent-1 mode and no two neighbours
    /// `s0:d0, s1:s0*d0`. Outside the domain it may differ (a trailing `1:42` is dropped): see
    /// [`Layout::coalesce_extended`].
    ///
    /// Law: [`laws::coalesce`](crate::algebra::laws::coalesce). Symbolic neighbours merge where they merge for all values.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((2,(1,6)):(1,(6,2))).coalesce(), layout!(12:1));
    /// assert_eq!(layout!((1,1):(3,5)).coalesce(), layout!(1:0));
    /// ```
    pub const fn coalesce(&self) -> Layout {
        let mut l = Layout::BLANK;
        if self.packed {
            coalesce_symbolic(self, false, &mut l);
        } else {
            coalesce_known(self, false, &mut l);
        }
        l
    }

    /// [`Layout::coalesce`] that keeps the function outside the domain too, where the last mode is continued: a trailing
    /// mode of extent 1 stays.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((4,1):(1,42)).coalesce_extended(), layout!((4,1):(1,42)));
    /// assert_eq!(layout!((4,1):(1,4)).coalesce_extended(), layout!(4:1));
    /// ```
    pub const fn coalesce_extended(&self) -> Layout {
        let mut l = Layout::BLANK;
        if self.packed {
            coalesce_symbolic(self, true, &mut l);
        } else {
            coalesce_known(self, true, &mut l);
        }
        l
    }

    /// The same function on the same number of elements, whatever the nesting: the coalesced forms are equal. (For symbols:
    /// equal for all their values as far as the spelling shows.)
    /// ```
    /// # use girih::prelude::*;
    /// assert!(layout!((2,6):(1,2)).same_function(&layout!(12:1)));
    /// assert!(!layout!((2,6):(1,2)).same_function(&layout!(12:2)));
    /// ```
    pub const fn same_function(&self, o: &Layout) -> bool {
        self.coalesce().same(&o.coalesce())
    }

    /// Coalesces at the leaves of `profile` (whose numbers do not matter); modes beyond it stay.
    ///
    /// # Errors
    /// The profile has more modes than the layout somewhere.
    /// ```
    /// # use girih::prelude::*;
    /// let a = layout!((2,(1,6)):(1,(6,2)));
    /// assert_eq!(a.coalesce_by_mode(&ints!((1, 1)))?, layout!((2,6):(1,2)));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn coalesce_by_mode(&self, profile: &IntTuple) -> Result<Layout, Error> {
        match at_leaves(self, profile, false) {
            Ok(l) => Ok(l),
            Err(e) => Err(Error::with_tuple("coalesce_by_mode", self, profile, e)),
        }
    }

    /// Extent 1 (and the stride kept) where the stride is 0: what a broadcast really stores.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((2,(4,3)):(1,(0,2))).filter_zeros(), layout!((2,(1,3)):(1,(0,2))));
    /// ```
    pub const fn filter_zeros(&self) -> Layout {
        let mut l = *self;
        let mut i = 0;
        while i < l.leaves() {
            if l.stride[i] == 0 && l.packed_stride >> i & 1 == 0 {
                l.shape[i] = 1;
                l.packed_shape &= !(1 << i);
            }
            i += 1;
        }
        l.settle();
        l
    }

    /// [`Layout::filter_zeros`], coalesced: no stride-0 and no extent-1 mode is left, or `1:0`. Not the same function; the
    /// same set of values.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((2,(4,3)):(1,(0,2))).filter(), layout!(6:1));
    /// ```
    pub const fn filter(&self) -> Layout {
        self.filter_zeros().coalesce()
    }

    /// [`Layout::filter`] at the leaves of `profile`; modes beyond it stay.
    ///
    /// # Errors
    /// The profile has more modes than the layout somewhere.
    /// ```
    /// # use girih::prelude::*;
    /// // a row of threads shares its elements along the second mode of M
    /// let a = layout!(((8,4),(2,16)):((1,0),(8,16)));
    /// assert_eq!(a.filter_by_mode(&ints!((1, 1)))?, layout!((8,32):(1,8)));
    /// assert_eq!(a.filter(), layout!(256:1)); // the modes are gone
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn filter_by_mode(&self, profile: &IntTuple) -> Result<Layout, Error> {
        match at_leaves(self, profile, true) {
            Ok(l) => Ok(l),
            Err(e) => Err(Error::with_tuple("filter_by_mode", self, profile, e)),
        }
    }
}

const fn coalesce_known(a: &Layout, extended: bool, out: &mut Layout) {
    let mut n = 0;
    let (mut s, mut d) = (1i64, 0i64); // the mode being grown
    let mut i = 0;
    while i < a.leaves() {
        let (t, e) = (a.shape[i], a.stride[i]);
        i += 1;
        let last = extended && i == a.leaves();
        if t == 1 && !last {
            continue;
        }
        if s == 1 {
            (s, d) = (t, e);
            continue;
        }
        // a span that overflows equals no stride; the product of extents is at most the size
        match s.checked_mul(d) {
            Some(span) if span == e => s *= t,
            _ => {
                out.shape[n] = s;
                out.stride[n] = d;
                n += 1;
                (s, d) = (t, e);
            }
        }
    }
    out.shape[n] = s;
    out.stride[n] = d;
    out.len = n as u8 + 1;
    if n > 0 {
        out.nest = Nest::flat(n + 1);
    }
}

const fn coalesce_symbolic(a: &Layout, extended: bool, out: &mut Layout) {
    let mut n = 0;
    let one = Int::known(1);
    let (mut s, mut d) = (one, Int::known(0));
    let mut i = 0;
    while i < a.leaves() {
        let (t, e) = (a.extent_int(i), a.stride_int(i));
        i += 1;
        let last = extended && i == a.leaves();
        if t.same(&one) && !last {
            continue;
        }
        if s.same(&one) {
            (s, d) = (t, e);
            continue;
        }
        if let (Ok(span), Ok(product)) = (s.mul(&d), s.mul(&t))
            && span.same(&e)
        {
            let mut test = *out;
            if test.set_extent(n, &product).is_ok() {
                s = product;
                continue;
            }
        }
        put(out, n, &s, &d);
        n += 1;
        (s, d) = (t, e);
    }
    put(out, n, &s, &d);
    out.len = n as u8 + 1;
    if n > 0 {
        out.nest = Nest::flat(n + 1);
    }
}

/// A leaf whose factors all occur in the source layout or were tested: it fits.
const fn put(out: &mut Layout, n: usize, s: &Int, d: &Int) {
    let fits = out.set_extent(n, s).is_ok() && out.set_stride(n, d).is_ok();
    debug_assert!(fits, "a merged leaf was tested to fit");
}

/// Coalesces or filters at the leaves of a profile.
const fn at_leaves(a: &Layout, profile: &IntTuple, filter: bool) -> Result<Layout, LayoutError> {
    if profile.is_int() {
        return Ok(if filter { a.filter() } else { a.coalesce() });
    }
    let (rank, of) = (profile.rank(), a.rank());
    if rank > of {
        return Err(LayoutError::RankTooHigh { rank, of });
    }
    let mut w = Writer::NEW;
    w.open();
    let mut i = 0;
    while i < rank {
        let mode = tri!(at_leaves(&tri!(a.mode(i)), &tri!(profile.mode(i)), filter));
        tri!(w.mode(&mode));
        i += 1;
    }
    tri!(a.write_modes(&mut w, rank, of));
    tri!(w.close());
    Ok(w.finish())
}

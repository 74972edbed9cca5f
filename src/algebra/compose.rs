//! Exact composition.
//!
//! `A o B` as a layout is the layout R compatible with B (same shape, leaves of B possibly refined into tuples) with
//! `R(c) = A(B(c))` for every coordinate of B. Such an R need not exist; when it does, its coalesced-per-leaf form is unique.
//! [`Layout::compose`] returns it exactly when it exists. How that is decided without enumerating the domain:
//!
//! **Carry form.** Coalesce A to modes `(s_k : d_k)` and let `P_k = s_0 ... s_(k-1)`. The digits of x in mixed radix are
//! differences of floors, so `A(x) = d_0 x + sum_k delta_k floor(x / P_k)` with `delta_k = d_k - s_(k-1) d_(k-1)`, which is never
//! 0 after coalescing: A is linear but for a jump of `delta_k` at each multiple of `P_k`, a *carry*.
//!
//! **Refinement.** A leaf `t:e` of B sees `A(e i)`. If it is linear up to i = n and breaks there, R's leaf must begin with a
//! mode of extent n, so n must divide t; the rest is the leaf `t/n : e n`, and so on. This gives *fine leaves*, each a run
//! on which A is linear by itself.
//!
//! **Cross terms.** On the fine leaves together A o B must be linear: with `r_lk = e_l mod P_k`,
//! `H(u) = A(sum e_l u_l) - sum u_l A(e_l) = sum_k delta_k floor(sum_l r_lk u_l / P_k)` must vanish on the whole box. If no
//! carry is *active* (`sum_l (n_l - 1) r_lk >= P_k`) it does; this is all that ever happens in layouts that people write, and
//! all that the code here handles. Else the [search](super::exact) decides.
//!
//! The extended form lets B leave the domain of A; A's last mode then continues, as CuTe has it.

use super::carries::Pair;
use super::exact::CONST_BUDGET;
use super::symbolic;
use crate::layout::{Error, IntTuple, Layout, LayoutError, MODES, Pen, Tiler, Writer, divmod};

impl Layout {
    /// The layout compatible with `b` that is `self(b(c))` at every coordinate c, if there is one.
    ///
    /// Law: [`laws::composition`](crate::algebra::laws::composition). The result is coalesced within each leaf of `b`. Symbolic
    /// leaves are composed where the result is the same for all values of the symbols.
    ///
    /// # Errors
    /// [`NoLayout`](LayoutError::NoLayout) with the least coordinate where every candidate fails;
    /// [`OutOfDomain`](LayoutError::OutOfDomain) or [`NegativeStride`](LayoutError::NegativeStride) when `b` has values outside
    /// `0..size(self)`; [`TooHard`](LayoutError::TooHard) when the search ends its budget ([`CONST_BUDGET`], chosen so that a
    /// constant can afford it: [`Layout::compose_within`] takes another); [`Undecided`](LayoutError::Undecided) when it
    /// depends on symbols.
    /// ```
    /// # use girih::prelude::*;
    /// let a = layout!((6,2):(8,2));
    /// assert_eq!(a.compose(&layout!((4,3):(3,1)))?, layout!(((2,2),3):((24,2),8)));
    /// let e = layout!((4,2):(1,100)).compose(&layout!((3,2):(1,2))).unwrap_err();
    /// assert_eq!(e.reason, LayoutError::NoLayout { index: 5, got: 100, forced: 4 });
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn compose(&self, b: &Layout) -> Result<Layout, Error> {
        let mut l = Layout::BLANK;
        match compose_into(self, b, false, CONST_BUDGET, &mut l) {
            Ok(()) => Ok(l),
            Err(e) => Err(Error::binary("compose", self, b, e)),
        }
    }

    /// [`Layout::compose`] with a budget of inner steps for the search behind the fast path. Only adversarial pairs need more
    /// than the default; a million steps take some milliseconds.
    ///
    /// # Errors
    /// As [`Layout::compose`].
    /// ```
    /// # use girih::prelude::*;
    /// // does a subset of 2, 4, 8, .., 64 have the sum 99? No, so this composes, and that takes a search
    /// let (a, b) = (layout!((100,99,2):(0,1,98)), layout!((2,2,2,2,2,2):(202,404,808,1616,3232,6464)));
    /// assert!(matches!(a.compose_within(&b, 10).unwrap_err().reason, LayoutError::TooHard { .. }));
    /// assert_eq!(a.compose_within(&b, 1_000_000)?, layout!((2,2,2,2,2,2):(2,4,8,16,32,64)));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn compose_within(&self, b: &Layout, budget: u64) -> Result<Layout, Error> {
        let mut l = Layout::BLANK;
        match compose_into(self, b, false, budget, &mut l) {
            Ok(()) => Ok(l),
            Err(e) => Err(Error::binary("compose", self, b, e)),
        }
    }

    /// [`Layout::compose`] of `self` continued through its last mode: `b` may leave the domain, not go below 0. A trailing mode of
    /// extent 1 is the one that is continued.
    ///
    /// # Errors
    /// As [`Layout::compose`], overflow instead of leaving the domain.
    /// ```
    /// # use girih::prelude::*;
    /// assert!(layout!((4,3):(3,1)).compose(&layout!(24:1)).is_err());
    /// assert_eq!(layout!((4,3):(3,1)).compose_extended(&layout!(24:1))?, layout!((4,6):(3,1)));
    /// assert_eq!(layout!((4,1):(1,42)).compose_extended(&layout!(12:1))?, layout!((4,3):(1,42)));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn compose_extended(&self, b: &Layout) -> Result<Layout, Error> {
        let mut l = Layout::BLANK;
        match compose_into(self, b, true, CONST_BUDGET, &mut l) {
            Ok(()) => Ok(l),
            Err(e) => Err(Error::binary("compose_extended", self, b, e)),
        }
    }

    /// Composes mode by mode: mode i with the tiler's mode i, `_` and modes beyond the tiler left alone.
    ///
    /// # Errors
    /// As [`Layout::compose`] for some mode, or the tiler has more modes than the layout.
    /// ```
    /// # use girih::prelude::*;
    /// let a = layout!((12,(4,8)):(59,(13,1)));
    /// assert_eq!(a.compose_by_mode(&tiler![3:4, 8:2])?, layout!((3,(2,4)):(236,(26,1))));
    /// assert_eq!(a.compose_by_mode(&tiler![3, 8])?, layout!((3,(4,2)):(59,(13,1))));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn compose_by_mode(&self, t: &Tiler) -> Result<Layout, Error> {
        match by_mode(self, t, false) {
            Ok(l) => Ok(l),
            Err(e) => Err(Error::with_tiler("compose", self, t, e)),
        }
    }

    /// [`Layout::compose_by_mode`] with every mode continued through its own last mode.
    ///
    /// # Errors
    /// As [`Layout::compose_extended`] for some mode, or the tiler has more modes than the layout.
    /// ```
    /// # use girih::prelude::*;
    /// let a = layout!((10,8):(8,1));
    /// assert!(a.compose_by_mode(&tiler![16]).is_err());
    /// assert_eq!(a.compose_extended_by_mode(&tiler![16])?, layout!((16,8):(8,1)));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn compose_extended_by_mode(&self, t: &Tiler) -> Result<Layout, Error> {
        match by_mode(self, t, true) {
            Ok(l) => Ok(l),
            Err(e) => Err(Error::with_tiler("compose_extended", self, t, e)),
        }
    }

    /// The same elements in the same order, in another shape: `compose` with the column-major layout of `shape`.
    ///
    /// # Errors
    /// As [`Layout::compose`]; a shape larger than the layout.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((2,8,20):(320,1,16)).with_shape(&ints!((16, 20)))?, layout!(((2,8),20):((320,1),16)));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn with_shape(&self, shape: &IntTuple) -> Result<Layout, Error> {
        let mut l = Layout::BLANK;
        let r = match Layout::column_major(shape) {
            Ok(b) => compose_into(self, &b, false, CONST_BUDGET, &mut l),
            Err(e) => Err(e),
        };
        match r {
            Ok(()) => Ok(l),
            Err(e) => Err(Error::with_tuple("with_shape", self, shape, e)),
        }
    }
}

const fn by_mode(a: &Layout, t: &Tiler, extended: bool) -> Result<Layout, LayoutError> {
    if t.is_leaf() {
        return match tri!(t.get(0)) {
            None => Ok(*a),
            Some(b) => {
                let mut l = Layout::BLANK;
                tri!(compose_into(a, &b, extended, CONST_BUDGET, &mut l));
                Ok(l)
            }
        };
    }
    let (rank, of) = (t.rank(), a.rank());
    if rank > of {
        return Err(LayoutError::RankTooHigh { rank, of });
    }
    let mut w = Writer::NEW;
    w.open();
    let mut i = 0;
    while i < rank {
        let mode = tri!(by_mode(&tri!(a.mode(i)), &tri!(t.mode(i)), extended));
        tri!(w.mode(&mode));
        i += 1;
    }
    tri!(a.write_modes(&mut w, rank, of));
    tri!(w.close());
    let l = w.finish();
    // past the domain the sum of the modes' values is new
    if extended {
        tri!(l.check());
    }
    Ok(l)
}

/// A carry of the fast path with its running state. One array of these, not four arrays: one bounds check.
#[derive(Clone, Copy)]
struct Bp {
    p: i64,
    /// modulo 2^64: enough for the values, which fit; the search takes the true ones
    delta: i64,
    /// residue of the current step
    r: i64,
    /// sum of (n_l - 1) r_l over the fine leaves: at least p when this carry is active
    top: i64,
}

/// Carries that the fast path holds in its small frame; more go to the frame for all.
const FEW: usize = 4;

pub(crate) const fn compose_into(
    a: &Layout,
    b: &Layout,
    extended: bool,
    budget: u64,
    out: &mut Layout,
) -> Result<(), LayoutError> {
    if a.packed || b.packed {
        return symbolic::compose_into(a, b, extended, budget, out);
    }
    let done = if a.leaves() <= FEW + 1 {
        compose_known::<FEW>(a, b, extended, budget, out)
    } else {
        compose_many(a, b, extended, budget, out)
    };
    tri!(done);
    // past the domain the values are new
    if extended { out.check() } else { Ok(()) }
}

#[inline(never)]
const fn compose_many(
    a: &Layout,
    b: &Layout,
    extended: bool,
    budget: u64,
    out: &mut Layout,
) -> Result<(), LayoutError> {
    compose_known::<MODES>(a, b, extended, budget, out)
}

/// A in carry form: `(d0, carries, size)`. The carries are written in place: returning them costs a copy.
#[inline(always)]
const fn carry_form<const K: usize>(a: &Layout, extended: bool, bp: &mut [Bp; K]) -> (i64, usize, i64) {
    let (mut d0, mut m) = (0i64, 0usize);
    let (mut s, mut d) = (1i64, 0i64); // the mode being grown
    let mut below = 1i64; // product of the extents below it
    let mut started = false;
    let mut i = 0;
    while i < a.leaves() {
        let (t, e) = (a.shape[i], a.stride[i]);
        i += 1;
        // a trailing extent 1 is continued in the extended form
        if t == 1 && !(extended && i == a.leaves()) {
            continue;
        }
        if !started {
            (s, d, d0, started) = (t, e, e, true);
            continue;
        }
        let (span, wide) = s.overflowing_mul(d);
        if span == e && !wide {
            s *= t;
        } else {
            below *= s;
            bp[m].p = below;
            bp[m].delta = e.wrapping_sub(span);
            m += 1;
            (s, d) = (t, e);
        }
    }
    (d0, m, below * s)
}

#[inline(always)]
const fn compose_known<const K: usize>(
    a: &Layout,
    b: &Layout,
    extended: bool,
    budget: u64,
    out: &mut Layout,
) -> Result<(), LayoutError> {
    let mut bp = [Bp { p: 0, delta: 0, r: 0, top: 0 }; K];
    let (d0, mut m, size) = carry_form::<K>(a, extended, &mut bp);
    // the largest value of B, which lies in the domain of A
    let mut x = 0i64;
    let mut j = 0;
    while j < b.leaves() {
        let (t, e) = (b.shape[j], b.stride[j]);
        if t > 1 {
            if e < 0 {
                return Err(LayoutError::NegativeStride { leaf: j, stride: e });
            }
            x += e * (t - 1); // within the values of B
        }
        j += 1;
    }
    if x >= size && !extended {
        return Err(LayoutError::OutOfDomain { reach: x, size });
    }
    // carries beyond the reach of B never happen
    while m > 0 && bp[m - 1].p > x {
        m -= 1;
    }
    let mut pair = Pair { a, b, extended, budget };
    let mut n = 0; // fine leaves written
    let mut starts = 0u32; // bit: this fine leaf begins a leaf of b
    j = 0;
    while j < b.leaves() {
        let (t, e) = (b.shape[j], b.stride[j]);
        starts |= 1 << n;
        if t == 1 || e == 0 {
            if n == MODES {
                return Err(LayoutError::TooManyModes);
            }
            out.shape[n] = t;
            out.stride[n] = 0;
            n += 1;
            j += 1;
            continue;
        }
        let (mut step, mut lim) = (e, t);
        loop {
            // (lim - 1) * step <= x: no product here overflows
            let mut run = lim;
            // wraps back, as the result is a value of A; past the domain it need not be one of 64 bits
            let mut v = d0.wrapping_mul(step);
            let mut ties = 0; // carries that attain `run`
            let mut k = 0;
            while k < m {
                let c = &mut bp[k];
                let (q, rk) = divmod(step, c.p);
                v = v.wrapping_add(c.delta.wrapping_mul(q));
                c.r = rk;
                if (lim - 1) * rk >= c.p {
                    let at = divmod(c.p - 1, rk).0 + 1;
                    if at < run {
                        run = at;
                        ties = 1;
                    } else if at == run {
                        ties += 1;
                    }
                }
                k += 1;
            }
            if extended {
                v = tri!(a.at_extended(step));
            }
            if ties > 1 {
                // their deltas may cancel
                run = tri!(pair.first_break(m, step, lim));
            }
            if n == MODES {
                return Err(LayoutError::TooManyModes);
            }
            out.shape[n] = run;
            out.stride[n] = v;
            n += 1;
            k = 0;
            while k < m {
                bp[k].top += (run - 1) * bp[k].r;
                k += 1;
            }
            if run == lim {
                break;
            }
            let (q, rest) = divmod(lim, run);
            if rest != 0 {
                return Err(pair.refuse(m, out, n, j, step));
            }
            lim = q;
            step *= run;
        }
        j += 1;
    }
    // a carry between the fine leaves?
    let mut k = 0;
    while k < m {
        if bp[k].top >= bp[k].p {
            tri!(pair.decide(m, out, n));
            break;
        }
        k += 1;
    }
    out.len = n as u8;
    if n == b.leaves() {
        out.nest = b.nest;
        Ok(())
    } else {
        renest(b, starts, n, out)
    }
}

/// The nesting of `b` with its leaves refined: fine leaf i begins a leaf of `b` if bit i of `starts` is set.
pub(crate) const fn renest(b: &Layout, starts: u32, n: usize, out: &mut Layout) -> Result<(), LayoutError> {
    let mut nest = b.nest;
    let mut pen = Pen::NEW;
    let mut after = 0;
    let mut i = 0;
    while i < n {
        let first = starts >> i & 1 == 1;
        let last = i + 1 == n || starts >> (i + 1) & 1 == 1;
        if first {
            let (before, c) = nest.next();
            after = c + !last as u32;
            pen.open(before + !last as u32);
        }
        if !pen.leaf() || last && !pen.close(after) {
            return Err(LayoutError::TooDeep);
        }
        i += 1;
    }
    out.nest = pen.nest;
    Ok(())
}

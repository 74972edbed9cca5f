//! Index functions of static layouts: straight-line code, because extents and strides are constants of the type.

use super::{StaticComposed, StaticLayout, must};
use crate::layout::{Composed, Error, Layout, LayoutError, MODES, SWIZZLES};
use core::marker::PhantomData;

/// What the type knows of the leaves, as plain arrays that the optimizer folds, and which leaves it does not know.
#[derive(Clone, Copy)]
struct Leaves {
    shape: [i64; MODES],
    stride: [i64; MODES],
    len: usize,
    symbolic_shape: u32,
    symbolic_stride: u32,
}

impl Leaves {
    #[track_caller]
    const fn of(r: Result<Layout, &'static Error>) -> Leaves {
        let l = must(r);
        Leaves {
            shape: l.shape,
            stride: l.stride,
            len: l.leaves(),
            symbolic_shape: l.packed_shape,
            symbolic_stride: l.packed_stride,
        }
    }

    /// Every leaf must be a number; the leaves past the domain's function are coalesced.
    #[track_caller]
    const fn coalesced(r: Result<Layout, &'static Error>) -> Leaves {
        Leaves::of(Ok(must(r).coalesce_extended())).known(r)
    }

    #[track_caller]
    const fn known(self, r: Result<Layout, &'static Error>) -> Leaves {
        if self.symbolic_shape | self.symbolic_stride != 0 {
            crate::literal::<()>(Err(LayoutError::Unbound { name: must(r).first_symbol() }));
        }
        self
    }

    #[track_caller]
    const fn with_rank(self, rank: usize) -> Leaves {
        if self.len != rank {
            crate::literal::<()>(Err(LayoutError::RankMismatch { rank, other: self.len }));
        }
        self
    }

    /// No early exit, unlike [`Layout::at`]: the loop unrolls, with shifts for powers of two. The last mode takes the rest.
    #[inline(always)]
    fn at(&self, index: i64, extent: impl Fn(usize) -> u64, stride: impl Fn(usize) -> i64) -> i64 {
        let (mut rest, mut value, mut i) = (index as u64, 0i64, 0);
        while i + 1 < self.len {
            let s = extent(i);
            value = value.wrapping_add(((rest % s) as i64).wrapping_mul(stride(i)));
            rest /= s;
            i += 1;
        }
        value.wrapping_add((rest as i64).wrapping_mul(stride(i)))
    }
}

#[inline(always)]
fn dot(c: &[i64], stride: impl Fn(usize) -> i64) -> i64 {
    c.iter().enumerate().fold(0i64, |sum, (i, c)| sum.wrapping_add(c.wrapping_mul(stride(i))))
}

/// The value of `A` at a one-dimensional coordinate, as straight-line code: [`Layout::at_extended`] without its checks. The
/// index is meant to be in `0..`; arithmetic wraps. `A::LAYOUT.at(i)` checks.
///
/// Compilation stops where `A` is no layout, or has symbols ([`bind`] them) or coordinates as values.
/// ```
/// # use girih::prelude::*;
/// type A = L<(U8, (U16, U4)), (U64, (U4, U1))>;
/// assert_eq!(at::<A>(315), 222);
/// ```
#[inline]
pub fn at<A: StaticLayout>(index: i64) -> i64 {
    let l = const { Leaves::coalesced(A::RESULT) };
    l.at(index, |i| l.shape[i] as u64, |i| l.stride[i])
}

/// The value of `A` at a flat coordinate, one number for each leaf, as multiplications and additions; unchecked as [`at`].
///
/// Compilation stops also where `R` is not the number of leaves.
/// ```
/// # use girih::prelude::*;
/// type A = L<(U8, (U16, U4)), (U64, (U4, U1))>;
/// assert_eq!(at_coord::<A, 3>([3, 7, 2]), 222);
/// ```
#[inline]
pub fn at_coord<A: StaticLayout, const R: usize>(c: [i64; R]) -> i64 {
    let l = const { Leaves::of(A::RESULT).known(A::RESULT).with_rank(R) };
    dot(&c, |i| l.stride[i])
}

/// The value of a swizzled layout at a one-dimensional coordinate, as straight-line code; unchecked as [`at`].
/// ```
/// # use girih::prelude::*;
/// type A = Swizzled<S<3, 0, 3>, Row<(U8, U8)>>;
/// assert_eq!(at_swizzled::<A>(1), 8 ^ 1);
/// ```
#[inline]
pub fn at_swizzled<A: StaticComposed>(index: i64) -> i64 {
    let (l, bits) = const { (Leaves::coalesced(below(A::RESULT)), Bits::of(A::RESULT)) };
    bits.apply(l.at(index, |i| l.shape[i] as u64, |i| l.stride[i]))
}

/// The value of a swizzled layout at a flat coordinate, one number for each leaf; unchecked as [`at_coord`].
/// ```
/// # use girih::prelude::*;
/// type A = Swizzled<S<3, 0, 3>, Row<(U8, U8)>>;
/// assert_eq!(at_coord_swizzled::<A, 2>([1, 0]), 8 ^ 1);
/// ```
#[inline]
pub fn at_coord_swizzled<A: StaticComposed, const R: usize>(c: [i64; R]) -> i64 {
    let (l, bits) = const { (Leaves::of(below(A::RESULT)).known(below(A::RESULT)).with_rank(R), Bits::of(A::RESULT)) };
    bits.apply(dot(&c, |i| l.stride[i]))
}

const fn below(r: Result<Composed, &'static Error>) -> Result<Layout, &'static Error> {
    match r {
        Ok(c) => Ok(*c.inner()),
        Err(e) => Err(e),
    }
}

/// What a chain of swizzles does to an offset, as plain numbers.
#[derive(Clone, Copy)]
struct Bits {
    offset: i64,
    /// innermost first; a mask of 0 changes nothing
    source: [i64; SWIZZLES],
    shift: [i32; SWIZZLES],
}

impl Bits {
    const fn of(r: Result<Composed, &'static Error>) -> Bits {
        let c = must(r);
        let mut b = Bits { offset: c.offset(), source: [0; SWIZZLES], shift: [0; SWIZZLES] };
        let chain = c.swizzles();
        let mut i = 0;
        while i < chain.len() {
            let s = &chain[chain.len() - 1 - i];
            (b.source[i], b.shift[i]) = (s.source_mask() as i64, s.shift());
            i += 1;
        }
        b
    }

    #[inline(always)]
    fn apply(&self, value: i64) -> i64 {
        let mut x = value.wrapping_add(self.offset);
        for i in 0..SWIZZLES {
            let source = x & self.source[i];
            x ^= if self.shift[i] < 0 { source << -self.shift[i] } else { source >> self.shift[i] };
        }
        x
    }
}

/// A static layout whose symbols have values; made by [`bind`]. What the type knows is constant in its index functions, the
/// rest is read from here.
#[derive(Clone, Copy)]
pub struct BoundLayout<A> {
    layout: Layout,
    of: PhantomData<A>,
}

/// Gives the symbols of `A` their values, once; promises are checked.
///
/// # Errors
/// As [`Layout::bind`], or a symbol is left without a value.
/// ```
/// # use girih::prelude::*;
/// girih::symbols!(M, Lda = "lda");
/// type G = L<(Sym<M>, U8), (U1, Sym<Lda>)>;
/// let g = bind::<G>(&[(M::NAME, 100), (Lda::NAME, 128)])?;
/// assert_eq!(g.at_coord([3, 5]), 3 + 5 * 128);
/// assert_eq!(g.at(503), g.at_coord([3, 5]));
/// assert!(bind::<G>(&[("M", 100)]).is_err());
/// # Ok::<(), LayoutError>(())
/// ```
pub fn bind<A: StaticLayout>(values: &[(&str, i64)]) -> Result<BoundLayout<A>, LayoutError> {
    let layout = const { must(A::RESULT) }.bind(values)?;
    if layout.packed {
        return Err(LayoutError::Unbound { name: layout.first_symbol() });
    }
    Ok(BoundLayout { layout, of: PhantomData })
}

impl<A: StaticLayout> BoundLayout<A> {
    /// The layout, of known numbers.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What the type does not know is read from the bound layout; 1 is the least extent.
    #[inline(always)]
    fn extent(&self, l: &Leaves, i: usize) -> u64 {
        (if l.symbolic_shape >> i & 1 == 1 { self.layout.shape[i].max(1) } else { l.shape[i] }) as u64
    }

    #[inline(always)]
    fn stride(&self, l: &Leaves, i: usize) -> i64 {
        if l.symbolic_stride >> i & 1 == 1 { self.layout.stride[i] } else { l.stride[i] }
    }

    /// [`at`] of the bound layout.
    #[inline(always)]
    pub fn at(&self, index: i64) -> i64 {
        let l = const { Leaves::of(A::RESULT) };
        l.at(index, |i| self.extent(&l, i), |i| self.stride(&l, i))
    }

    /// [`at_coord`] of the bound layout: no division, whatever is symbolic.
    #[inline(always)]
    pub fn at_coord<const R: usize>(&self, c: [i64; R]) -> i64 {
        let l = const { Leaves::of(A::RESULT).with_rank(R) };
        dot(&c, |i| self.stride(&l, i))
    }
}

//! The laws of the operations, as functions that check them.
//!
//! Each takes the operands and the result and looks at every coordinate of the domain up to [`EXHAUSTIVE`] of them, at that
//! many spread over it beyond; [`Violation`] says where the law is broken. Tables of cases, the property tests of this crate and
//! your own tests of your own tilings use the same functions:
//! ```
//! use girih::{algebra::laws, prelude::*};
//! let (a, b) = (layout!((6,2):(8,2)), layout!((4,3):(3,1)));
//! laws::composition(&a, &b, &a.compose(&b)?)?;
//! assert!(laws::composition(&a, &b, &layout!((4,3):(24,8))).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arrange;
mod inverse;
mod linear;

pub use arrange::*;
pub use inverse::*;
pub use linear::*;

use crate::layout::{Layout, LayoutError};
use std::collections::BTreeMap;

/// Coordinates that a law looks at, all of them when there are no more.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let tile = layout!((128,64):(64,1));
/// assert!(tile.size()? <= laws::EXHAUSTIVE); // a law looks at each of its elements
/// # Ok::<(), Error>(())
/// ```
pub const EXHAUSTIVE: i64 = 1 << 16;

/// A law that does not hold.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let broken = laws::same_function(&layout!((2,6):(1,2)), &layout!(12:2)).unwrap_err();
/// assert_eq!((broken.at, broken.got, broken.expected), (1, 2, 1));
/// assert_eq!(broken.to_string(), "it does not hold that the functions are equal: at 1 it is 2, not 1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Violation {
    /// Which law, as a sentence about the operands.
    pub law: &'static str,
    /// The coordinate where it fails (a mode, or a copy, where the law speaks of those); 0 for a law about the whole.
    pub at: i64,
    /// The value there.
    pub got: i64,
    /// What the law asks for; for values that must be distinct, who else has it.
    pub expected: i64,
}

impl Violation {
    /// A law about the whole and not about one coordinate.
    /// ```
    /// # use girih::{algebra::laws::{self, Violation}, prelude::*};
    /// // a law of your own: a tile is a multiple of a warp
    /// fn warps(tile: &Layout) -> Result<(), Violation> {
    ///     if tile.size()? % 32 == 0 { Ok(()) } else { Err(Violation::whole("whole warps")) }
    /// }
    /// assert!(warps(&layout!((16,8):(8,1))).is_ok());
    /// assert_eq!(warps(&layout!((15,8):(8,1))).unwrap_err().law, "whole warps");
    /// ```
    pub const fn whole(law: &'static str) -> Violation {
        Violation { law, at: 0, got: 0, expected: 0 }
    }
}

impl core::fmt::Display for Violation {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Violation { law, at, got, expected } = self;
        // a law about the whole has no coordinate
        if got == expected {
            return write!(f, "it does not hold that {law}");
        }
        write!(f, "it does not hold that {law}: at {at} it is {got}, not {expected}")
    }
}
impl core::error::Error for Violation {}

impl From<LayoutError> for Violation {
    /// A layout that cannot be evaluated satisfies no law.
    fn from(_: LayoutError) -> Violation {
        Violation::whole("the layouts can be evaluated")
    }
}

/// Coordinates of a domain of `size`: all, or some spread over it with both ends.
pub(crate) fn coordinates(size: i64) -> impl Iterator<Item = i64> {
    // an odd step that shares few factors with the extents of layouts
    let step = if size <= EXHAUSTIVE { 1 } else { (size / EXHAUSTIVE) | 1 };
    (0..).map(move |k: i64| k * step).take_while(move |&i| i < size).chain((step > 1).then_some(size - 1))
}

pub(crate) fn holds(law: &'static str, condition: bool) -> Result<(), Violation> {
    if condition { Ok(()) } else { Err(Violation::whole(law)) }
}

pub(crate) fn equal(law: &'static str, at: i64, got: i64, expected: i64) -> Result<(), Violation> {
    if got == expected { Ok(()) } else { Err(Violation { law, at, got, expected }) }
}

/// `a` and `b` are the same function on the same number of elements.
///
/// # Errors
/// Where they differ.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let a = layout!(((4,2),8):((1,4),8));
/// laws::same_function(&a, &layout!((8,8):(1,8)))?;
/// assert!(laws::same_function(&a, &layout!((8,8):(8,1))).is_err());
/// # Ok::<(), laws::Violation>(())
/// ```
pub fn same_function(a: &Layout, b: &Layout) -> Result<(), Violation> {
    equal("the sizes are equal", 0, b.size()?, a.size()?)?;
    for i in coordinates(a.size()?) {
        equal("the functions are equal", i, b.at(i)?, a.at(i)?)?;
    }
    Ok(())
}

/// `r = coalesce(a)`: the same function, depth at most 1, no extent-1 mode (but in `1:0`) and no neighbours that merge.
///
/// # Errors
/// What does not hold.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let a = layout!((2,(1,6)):(1,(6,2)));
/// laws::coalesce(&a, &a.coalesce())?;
/// assert!(laws::coalesce(&a, &layout!((2,6):(1,2))).is_err()); // the same function, but the modes merge
/// # Ok::<(), laws::Violation>(())
/// ```
pub fn coalesce(a: &Layout, r: &Layout) -> Result<(), Violation> {
    same_function(a, r)?;
    holds("depth at most 1", r.depth() <= 1)?;
    let (shape, stride) = r.known_leaves().ok_or(Violation::whole("known leaves"))?;
    holds("no mode of extent 1 is left", *r == Layout::UNIT || shape.iter().all(|&s| s > 1))?;
    let merges = (1..shape.len()).any(|i| shape[i - 1].checked_mul(stride[i - 1]) == Some(stride[i]));
    holds("no two neighbours can be merged", !merges)
}

/// `r = a o b`: compatible with `b`, and `r(c) = a(b(c))`.
///
/// # Errors
/// What does not hold.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let (a, b) = (layout!((6,2):(8,2)), layout!((4,3):(3,1)));
/// laws::composition(&a, &b, &layout!(((2,2),3):((24,2),8)))?;
/// assert_eq!(laws::composition(&a, &b, &layout!((4,3):(24,8))).unwrap_err().at, 2);
/// # Ok::<(), laws::Violation>(())
/// ```
pub fn composition(a: &Layout, b: &Layout, r: &Layout) -> Result<(), Violation> {
    holds("the result is compatible with the right side", b.compatible(r))?;
    for i in coordinates(b.size()?) {
        equal("r(c) = a(b(c))", i, r.at(i)?, a.at(b.at(i)?)?)?;
    }
    Ok(())
}

/// `r = compose_extended(a, b)`: as [`composition`], with the last mode of `a` continued.
///
/// # Errors
/// What does not hold.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let (a, b) = (layout!((4,3):(3,1)), layout!(24:1));
/// laws::composition_extended(&a, &b, &a.compose_extended(&b)?)?;
/// assert!(laws::composition(&a, &b, &a.compose_extended(&b)?).is_err()); // `b` leaves the domain of `a`
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn composition_extended(a: &Layout, b: &Layout, r: &Layout) -> Result<(), Violation> {
    holds("the result is compatible with the right side", b.compatible(r))?;
    for i in coordinates(b.size()?) {
        equal("r(c) = a(b(c))", i, r.at(i)?, a.at_extended(b.at(i)?)?)?;
    }
    Ok(())
}

/// Live modes sorted by stride: `(extent, stride)`.
fn live(a: &Layout) -> Result<Vec<(i64, i64)>, Violation> {
    let (shape, stride) = a.known_leaves().ok_or(Violation::whole("known leaves"))?;
    let mut live: Vec<_> = shape.iter().zip(stride).map(|(&s, &d)| (s, d)).filter(|&(s, d)| s > 1 && d != 0).collect();
    live.sort_by_key(|&(_, d)| d);
    Ok(live)
}

/// `r = complement(a, cotarget)`: ordered with positive strides; all sums of a value of `a` (broadcasts aside) and a value of
/// `r` distinct, below `cotarget` rounded up to whole spans of `a`; and all of that range when the sorted strides of `a` are a
/// chain of multiples.
///
/// # Errors
/// What does not hold.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let tile = layout!((2,2):(1,3));
/// laws::complement(&tile, 12, &tile.complement(12)?)?; // 2:6, with holes
/// let broken = laws::complement(&tile, 12, &layout!(2:3)).unwrap_err();
/// assert_eq!(broken.law, "all sums are distinct");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn complement(a: &Layout, cotarget: i64, r: &Layout) -> Result<(), Violation> {
    ordered(r)?;
    let live = live(a)?;
    let span = live.last().map_or(1, |&(s, d)| s * d);
    let bound = (cotarget - 1).div_euclid(span) * span + span;
    let chain = live.iter().scan(1, |below, &(s, d)| Some(d % std::mem::replace(below, s * d) == 0)).all(|b| b);
    sums(&a.filter_zeros(), r, bound, chain)
}

/// `r = complement_exact(a, cotarget)`: ordered, and `(a, r)` is a bijection onto `[0, cotarget)`.
///
/// # Errors
/// What does not hold.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// laws::complement_exact(&layout!(4:2), 24, &layout!((2,3):(1,8)))?;
/// assert!(laws::complement_exact(&layout!((2,2):(1,3)), 12, &layout!(2:6)).is_err()); // 2 is in no copy
/// # Ok::<(), laws::Violation>(())
/// ```
pub fn complement_exact(a: &Layout, cotarget: i64, r: &Layout) -> Result<(), Violation> {
    ordered(r)?;
    sums(a, r, cotarget, true)
}

fn ordered(r: &Layout) -> Result<(), Violation> {
    let (shape, stride) = r.known_leaves().ok_or(Violation::whole("known leaves"))?;
    let positive = *r == Layout::UNIT || stride.iter().all(|&d| d > 0);
    holds("strides are positive and increasing", positive && stride.windows(2).all(|w| w[0] < w[1]))?;
    let apart = (1..shape.len()).all(|i| (shape[i - 1] - 1) * stride[i - 1] < stride[i]);
    holds("values are increasing", apart)
}

/// All sums of a value of `a` and one of `r` are distinct and in `[0, bound)`; all of it, if `onto`.
fn sums(a: &Layout, r: &Layout, bound: i64, onto: bool) -> Result<(), Violation> {
    let (n, m) = (a.size()?, r.size()?);
    if onto {
        let pairs = n.checked_mul(m).ok_or(Violation::whole("the pairs can be counted"))?;
        equal("as many pairs as values", 0, pairs, bound)?;
    }
    let mut seen = BTreeMap::new();
    // sums of sampled values are still to be distinct
    let side = 1 << 8;
    let all = n.saturating_mul(m) <= EXHAUSTIVE;
    let pick =
        |size: i64| coordinates(size).step_by(if all { 1 } else { (size.min(EXHAUSTIVE) / side).max(1) as usize });
    for j in pick(m) {
        for i in pick(n) {
            let v = a.at(i)? + r.at(j)?;
            holds("sums lie in the range", (0..bound).contains(&v))?;
            if let Some(before) = seen.insert(v, i) {
                return Err(Violation { law: "all sums are distinct", at: i, got: v, expected: before });
            }
        }
    }
    Ok(())
}

/// `r = logical_divide(a, t)`: rank 2, mode 0 is `a o t`, and the multiset of values is that of `a`.
///
/// # Errors
/// What does not hold.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let (a, t) = (layout!((8,32):(32,1)), layout!(16:1));
/// laws::logical_divide(&a, &t, &a.logical_divide(&t)?)?;
/// let gone = layout!(((8,2),8):((32,1),2)); // 8 tiles of 16: half of the elements
/// assert!(laws::logical_divide(&a, &t, &gone).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn logical_divide(a: &Layout, t: &Layout, r: &Layout) -> Result<(), Violation> {
    holds("the rank is 2", r.rank() == 2)?;
    composition(a, t, &r.mode(0)?)?;
    same_values(a, r)
}

/// `a` and `b` have the same values, each as often (compared in full up to [`EXHAUSTIVE`] elements, by size and image range
/// beyond).
///
/// # Errors
/// What does not hold.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let a = layout!((8,32):(32,1));
/// laws::same_values(&a, &layout!(256:1))?; // in another order
/// assert!(laws::same_values(&a, &layout!((8,32):(32,0))).is_err());
/// # Ok::<(), laws::Violation>(())
/// ```
pub fn same_values(a: &Layout, b: &Layout) -> Result<(), Violation> {
    equal("the sizes are equal", 0, b.size()?, a.size()?)?;
    if a.size()? > EXHAUSTIVE {
        let (x, y) = (a.image_range()?, b.image_range()?);
        equal("the least values are equal", 0, y.0, x.0)?;
        return equal("the largest values are equal", 0, y.1, x.1);
    }
    let values = |l: &Layout| -> Result<Vec<i64>, LayoutError> {
        let mut v = (0..l.size()?).map(|i| l.at(i)).collect::<Result<Vec<_>, _>>()?;
        v.sort_unstable();
        Ok(v)
    };
    for (i, (x, y)) in values(a)?.into_iter().zip(values(b)?).enumerate() {
        equal("the sorted values are equal", i as i64, y, x)?;
    }
    Ok(())
}

/// `g = logical_divide_ceil(a, t)` (or a by-mode form of it): where the guard holds, the value is that of `a` at the guard's
/// coordinate, and these are the elements of `a`, each once.
///
/// # Errors
/// What does not hold.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let a = layout!((100,60):(60,1));
/// let tiled = a.zipped_divide_ceil(&tiler![32, 32])?;
/// laws::divide_ceil(&a, &tiled)?;
/// // a guard that lets row 100 through
/// let wrong = Guarded { guard: Guard { limit: ints!((101, 60)), ..tiled.guard }, ..tiled };
/// assert!(laws::divide_ceil(&a, &wrong).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn divide_ceil(a: &Layout, g: &crate::algebra::Guarded) -> Result<(), Violation> {
    let n = a.size()?;
    let all = g.layout.size()? <= EXHAUSTIVE;
    let mut seen = vec![false; if all { n as usize } else { 0 }];
    let limits = Layout::column_major(&g.guard.limit)?;
    for i in coordinates(g.layout.size()?) {
        if !g.guard.holds(i)? {
            continue;
        }
        let c = if g.guard.coord.has_basis() {
            padded(&g.guard.coord.coord_at(i)?, &g.guard.limit)?
        } else {
            crate::layout::IntTuple::int(g.guard.coord.at(i)?)
        };
        let index = limits.at_crd(&c)?;
        equal("the value is that of the guard's coordinate", i, g.layout.at(i)?, a.at(index)?)?;
        if all {
            holds("no element is met twice", !std::mem::replace(&mut seen[index as usize], true))?;
        }
    }
    holds("every element is met", seen.iter().all(|&s| s))
}

/// `c` with a 0 for each mode of `limit` that it lacks at the end.
fn padded(
    c: &crate::layout::IntTuple,
    limit: &crate::layout::IntTuple,
) -> Result<crate::layout::IntTuple, LayoutError> {
    use crate::layout::IntTuple;
    if limit.is_int() {
        return Ok(IntTuple::int(c.get(0)?.coefficient()));
    }
    let mut modes = Vec::new();
    for i in 0..limit.rank() {
        modes.push(if i < c.rank() && !c.is_int() { padded(&c.mode(i)?, &limit.mode(i)?)? } else { IntTuple::int(0) });
    }
    IntTuple::tuple(&modes)
}

/// `r = logical_product(a, b)`: rank 2, mode 0 is `a`, mode 1 is compatible with `b` and constant exactly where `b` is, and
/// copies at different values of `b` share no value.
///
/// # Errors
/// What does not hold.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let (a, b) = (layout!((8,8):(8,1)), layout!(4:1));
/// laws::logical_product(&a, &b, &a.logical_product(&b)?)?;
/// let overlap = layout!(((8,8),4):((8,1),32));
/// assert_eq!(laws::logical_product(&a, &b, &overlap).unwrap_err().law, "copies share no value");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn logical_product(a: &Layout, b: &Layout, r: &Layout) -> Result<(), Violation> {
    holds("the rank is 2", r.rank() == 2)?;
    holds("mode 0 is the tile", r.mode(0)? == *a)?;
    let places = r.mode(1)?;
    holds("mode 1 is compatible with the arrangement", b.compatible(&places))?;
    if a.size()?.saturating_mul(b.size()?) > EXHAUSTIVE {
        return Ok(());
    }
    let mut place = BTreeMap::new();
    for j in 0..b.size()? {
        let p = *place.entry(b.at(j)?).or_insert(places.at(j)?);
        equal("equal values of the arrangement are one copy", j, places.at(j)?, p)?;
    }
    let tile: std::collections::BTreeSet<i64> = (0..a.size()?).map(|i| a.at(i)).collect::<Result<_, _>>()?;
    let mut owner = BTreeMap::new();
    for (&copy, &p) in &place {
        for &v in &tile {
            if let Some(other) = owner.insert(v + p, copy) {
                return Err(Violation { law: "copies share no value", at: copy, got: v + p, expected: other });
            }
        }
    }
    Ok(())
}

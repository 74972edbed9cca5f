//! Strategies for [proptest](https://docs.rs/proptest): layouts by kind, pairs that compose, tilers that divide, tiling
//! schemes. Feature `proptest`.
//!
//! They are free functions, and everything they make shrinks towards few, small, readable modes: `2:1` before `(4,6):(6,1)`.
//! ```
//! use girih::{algebra::{laws, strategy}, prelude::*};
//! use proptest::prelude::*;
//!
//! proptest!(|((a, b) in strategy::composable(4096))| {
//!     let r = a.compose(&b).unwrap();
//!     prop_assert!(laws::composition(&a, &b, &r).is_ok());
//! });
//! ```

use crate::layout::{Layout, Tiler};
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Extents with a product of at most `max`, none below 1, one to six of them.
fn extents(max: i64) -> impl Strategy<Value = Vec<i64>> {
    // small ones first: that is where shrinking goes
    let extent = select(vec![1i64, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 32, 64]);
    prop::collection::vec(extent, 1..=6).prop_map(move |mut s| {
        let mut size = 1;
        s.retain(|&x| {
            let fits = size * x <= max.max(1);
            if fits {
                size *= x;
            }
            fits
        });
        if s.is_empty() { vec![1] } else { s }
    })
}

/// From extents and strides that fit by construction.
fn flat(shape: &[i64], stride: &[i64]) -> Layout {
    Layout::flat(shape, stride).unwrap_or(Layout::UNIT)
}

/// Compact and column-major, flat: `(4,6):(1,4)`. Size at most `max`.
/// ```
/// # use girih::{algebra::strategy, prelude::*};
/// # use proptest::prelude::*;
/// proptest!(|(l in strategy::compact(256))| prop_assert!(l.same_function(&Layout::column_major(&l.shape())?)));
/// ```
pub fn compact(max: i64) -> impl Strategy<Value = Layout> {
    extents(max).prop_map(|s| flat(&s, &running(&s, &(0..s.len()).collect::<Vec<_>>(), &[])))
}

/// Strides that make `shape` compact in `order` (fastest first), each mode with a gap of `pad` after it.
fn running(shape: &[i64], order: &[usize], pad: &[i64]) -> Vec<i64> {
    let mut stride = vec![0; shape.len()];
    let mut span = 1;
    for &i in order {
        stride[i] = span;
        span = span * shape[i] + pad.get(i).copied().unwrap_or(0);
    }
    stride
}

/// An order of `n` things from sorting keys; equal keys (and so shrunk ones) keep the order.
fn order(keys: &[u8], n: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|&i| keys[i]);
    order
}

/// Compact with the modes in any order: a bijection onto `[0, size)`. Size at most `max`.
/// ```
/// # use girih::{algebra::{laws, strategy}, prelude::*};
/// # use proptest::prelude::*;
/// proptest!(|(l in strategy::permuted(256))| {
///     prop_assert!(laws::same_values(&l, &Layout::column_major(&l.shape())?).is_ok()); // each of 0..size once
/// });
/// ```
pub fn permuted(max: i64) -> impl Strategy<Value = Layout> {
    (extents(max), any::<[u8; 6]>()).prop_map(|(s, keys)| flat(&s, &running(&s, &order(&keys, s.len()), &[])))
}

/// Modes in any order with gaps between them: injective, with holes. Size at most `max`; values may be larger.
/// ```
/// # use girih::{algebra::strategy, prelude::*};
/// # use proptest::prelude::*;
/// proptest!(|(l in strategy::padded(256))| prop_assert!(l.cosize()? >= l.size()?)); // the rest is holes
/// ```
pub fn padded(max: i64) -> impl Strategy<Value = Layout> {
    (extents(max), any::<[u8; 6]>(), prop::array::uniform6(0i64..5))
        .prop_map(|(s, keys, pad)| flat(&s, &running(&s, &order(&keys, s.len()), &pad)))
}

/// Modes in any order, some of them repeated by a stride of 0. Size, repeats and all, at most `max`.
/// ```
/// # use girih::{algebra::{laws, strategy}, prelude::*};
/// # use proptest::prelude::*;
/// proptest!(|(l in strategy::broadcast(256))| prop_assert!(laws::nullspace(&l, &l.nullspace()?).is_ok()));
/// ```
pub fn broadcast(max: i64) -> impl Strategy<Value = Layout> {
    (extents(max), any::<[u8; 6]>(), any::<[bool; 6]>()).prop_map(|(s, keys, zero)| {
        let stored: Vec<i64> = s.iter().zip(zero).map(|(&s, z)| if z { 1 } else { s }).collect();
        let mut d = running(&stored, &order(&keys, s.len()), &[]);
        for (d, z) in d.iter_mut().zip(zero) {
            *d = if z { 0 } else { *d };
        }
        flat(&s, &d)
    })
}

/// The layouts of `inner` with neighbouring modes grouped, up to three times: the same functions, up to three levels
/// deeper.
/// ```
/// # use girih::{algebra::strategy, prelude::*};
/// # use proptest::prelude::*;
/// proptest!(|(l in strategy::nested(strategy::compact(256)))| {
///     prop_assert!(l.depth() <= 4);
///     prop_assert_eq!(l.flatten().leaves(), l.leaves());
/// });
/// ```
pub fn nested(inner: impl Strategy<Value = Layout>) -> impl Strategy<Value = Layout> {
    let group = (any::<Index>(), any::<Index>());
    (inner, prop::collection::vec(group, 0..=3)).prop_map(|(l, groups)| {
        groups.iter().fold(l, |l, (from, len)| {
            let from = from.index(l.rank());
            let to = from + 1 + len.index(l.rank() - from);
            l.group(from, to).unwrap_or(l)
        })
    })
}

/// Injective, nested: distinct coordinates have distinct values. Size at most `max`.
/// ```
/// # use girih::{algebra::strategy, prelude::*};
/// # use proptest::prelude::*;
/// proptest!(|(l in strategy::injective(256))| {
///     let mut values = (0..l.size()?).map(|i| l.at(i)).collect::<Result<Vec<_>, _>>()?;
///     values.sort();
///     values.dedup();
///     prop_assert_eq!(values.len() as i64, l.size()?);
/// });
/// ```
pub fn injective(max: i64) -> impl Strategy<Value = Layout> {
    nested(prop_oneof![compact(max), permuted(max), padded(max)])
}

/// Any layout of known integers: every kind above, and strides that overlap, repeat or are negative. Size at most
/// `max`.
/// ```
/// # use girih::{algebra::{laws, strategy}, prelude::*};
/// # use proptest::prelude::*;
/// proptest!(|(l in strategy::any_layout(256))| prop_assert!(laws::coalesce(&l, &l.coalesce()).is_ok()));
/// ```
pub fn any_layout(max: i64) -> impl Strategy<Value = Layout> {
    let arbitrary = (extents(max), prop::array::uniform6(-9i64..40)).prop_map(|(s, d)| flat(&s, &d[..s.len()]));
    nested(prop_oneof![compact(max), permuted(max), padded(max), broadcast(max), arbitrary])
}

/// A pair whose composition exists: the right side takes factors of the extents of the left side, in any order. The
/// size of the left side is at most `max`.
/// ```
/// # use girih::{algebra::{laws, strategy}, prelude::*};
/// # use proptest::prelude::*;
/// proptest!(|((a, b) in strategy::composable(256))| {
///     prop_assert!(laws::composition(&a, &b, &a.compose(&b)?).is_ok());
/// });
/// ```
pub fn composable(max: i64) -> impl Strategy<Value = (Layout, Layout)> {
    let choice = prop::collection::vec((any::<Index>(), any::<Index>(), any::<u8>()), 1..=5);
    (any_layout(max), choice).prop_map(|(a, choice)| {
        let digits = a.coalesce();
        let extents = digits.known_leaves().map_or(&[][..], |l| l.0);
        // what is left of each extent, and the product of what was taken from it
        let mut left = extents.to_vec();
        let mut leaves: Vec<(u8, i64, i64)> = vec![];
        for (k, f, key) in choice {
            let k = k.index(left.len());
            let below: i64 = extents[..k].iter().product::<i64>() * (extents[k] / left[k]);
            let factors: Vec<i64> = (1..=left[k]).filter(|f| left[k] % f == 0).collect();
            let f = factors[f.index(factors.len())];
            leaves.push((key, f, below));
            left[k] /= f;
        }
        leaves.sort_by_key(|l| l.0);
        let (s, d): (Vec<i64>, Vec<i64>) = leaves.iter().map(|&(_, f, below)| (f, below)).unzip();
        (a, flat(&s, &d))
    })
}

/// A right side within the domain of the left side: the composition may or may not exist. The size of the left
/// side is at most `max`.
/// ```
/// # use girih::{algebra::{laws, strategy}, prelude::*};
/// # use proptest::prelude::*;
/// proptest!(|((a, b) in strategy::pair(256))| match a.compose(&b) {
///     Ok(r) => prop_assert!(laws::composition(&a, &b, &r).is_ok()),
///     Err(e) => prop_assert_eq!(e.kind(), "no_layout"),
/// });
/// ```
pub fn pair(max: i64) -> impl Strategy<Value = (Layout, Layout)> {
    let leaf = (1i64..9, any::<Index>(), any::<bool>());
    (any_layout(max), prop::collection::vec(leaf, 1..=4)).prop_map(|(a, leaves)| {
        let mut room = a.size().unwrap_or(1) - 1;
        let mut run = 1;
        let (mut s, mut d) = (vec![], vec![]);
        for (t, e, compact) in leaves {
            let most = if t > 1 { room / (t - 1) } else { room };
            let e = if compact { run.min(most) } else { e.index(most as usize + 1) as i64 };
            room -= e * (t - 1);
            run = e.max(1) * t;
            s.push(t);
            d.push(e);
        }
        (a, flat(&s, &d))
    })
}

/// A by-mode tiler that divides `layout` exactly: in each mode a tile of a divisor's extent, contiguous or strided over the
/// mode.
/// ```
/// # use girih::{algebra::strategy, prelude::*};
/// # use proptest::prelude::*;
/// let gmem = layout!((256,512):(512,1));
/// proptest!(|(t in strategy::dividing_tiler(gmem))| prop_assert_eq!(gmem.shape().evenly_divides(&t), Some(true)));
/// ```
pub fn dividing_tiler(layout: Layout) -> impl Strategy<Value = Tiler> {
    let choice = prop::collection::vec((any::<Index>(), any::<bool>()), layout.rank());
    choice.prop_map(move |choice| {
        let tile = |(i, (pick, strided)): (usize, &(Index, bool))| {
            let mode = layout.mode(i).unwrap_or(Layout::UNIT);
            let size = mode.size().unwrap_or(1);
            // inside a nested mode not every divisor of the size is a tile; 1 and the whole are
            let tiles: Vec<Layout> = (1..=size)
                .filter(|t| size % t == 0)
                .map(|t| flat(&[t], &[if *strided { size / t } else { 1 }]).coalesce())
                .filter(|t| mode.logical_divide(t).is_ok())
                .collect();
            tiles[pick.index(tiles.len())]
        };
        let tiles: Vec<Layout> = choice.iter().enumerate().map(tile).collect();
        Tiler::flat(&tiles).unwrap_or(Tiler::KEEP)
    })
}

/// An injective layout of size at most `max` with a tiler that divides it: what a tiling scheme is made of.
/// ```
/// # use girih::{algebra::{laws, strategy}, prelude::*};
/// # use proptest::prelude::*;
/// proptest!(|((l, t) in strategy::tiling(256))| {
///     prop_assert!(laws::zipped_divide(&l, &t, &l.zipped_divide(&t)?).is_ok());
/// });
/// ```
pub fn tiling(max: i64) -> impl Strategy<Value = (Layout, Tiler)> {
    injective(max).prop_flat_map(|l| dividing_tiler(l).prop_map(move |t| (l, t)))
}

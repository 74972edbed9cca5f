//! Laws of the operations that arrange tiles: filter, by-mode divides, blocked and raked products, `tile_to_shape`.

use super::{EXHAUSTIVE, Violation, composition, equal, holds, same_values};
use crate::layout::{IntTuple, Layout, LayoutError, Tiler};
use std::collections::{BTreeMap, BTreeSet};

/// `r = filter(a)`: the same set of values, coalesced, with no mode of stride 0 or extent 1 (but in `1:0`).
///
/// # Errors
/// What does not hold.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let bias = layout!((128,64):(0,1)); // one row for all 128
/// laws::filter(&bias, &bias.filter())?;
/// assert!(laws::filter(&bias, &layout!((1,64):(0,1))).is_err()); // `filter_zeros` alone
/// # Ok::<(), laws::Violation>(())
/// ```
pub fn filter(a: &Layout, r: &Layout) -> Result<(), Violation> {
    let (shape, stride) = r.known_leaves().ok_or(Violation::whole("known leaves"))?;
    let stored = *r == Layout::UNIT || shape.iter().zip(stride).all(|(&s, &d)| s > 1 && d != 0);
    holds("no mode of stride 0 or extent 1 is left", stored)?;
    holds("it is coalesced", r.coalesce() == *r)?;
    if a.size()? > EXHAUSTIVE {
        return holds("the image ranges are equal", a.image_range()? == r.image_range()?);
    }
    holds("the sets of values are equal", values(a)? == values(r)?)
}

fn values(l: &Layout) -> Result<BTreeSet<i64>, LayoutError> {
    (0..l.size()?).map(|i| l.at(i)).collect()
}

/// `r = zipped_divide(a, t)`: mode 0 is `compose_by_mode(a, t)`, and the values are those of `a`, each as often.
///
/// # Errors
/// What does not hold.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let (a, t) = (layout!((256,512):(512,1)), tiler![128, 64]);
/// laws::zipped_divide(&a, &t, &a.zipped_divide(&t)?)?;
/// let swapped = layout!(((128,64),(2,8)):((1,512),(128,32768)));
/// assert!(laws::zipped_divide(&a, &t, &swapped).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn zipped_divide(a: &Layout, t: &Tiler, r: &Layout) -> Result<(), Violation> {
    holds("the rank is 2", r.rank() == 2)?;
    let tile = r.mode(0)?;
    // mode by mode, so that no operation under test is used: the tile at (c0, c1, ..) is the sum of the modes' values there
    for i in 0..t.rank() {
        let leaf = t.mode(i)?;
        if leaf.is_leaf()
            && let Some(one) = leaf.get(0)?
        {
            composition(&a.mode(i)?, &one, &tile.mode(i)?)?;
        }
    }
    same_values(a, r)
}

/// `r = blocked_product(a, b)`: mode i runs through mode i of `a`, then through mode i of `b`; the block at each value of `b` is
/// a copy of `a`, and copies share no value.
///
/// # Errors
/// What does not hold.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let (a, b) = (layout!((8,8):(8,1)), layout!((2,4):(1,2)));
/// laws::blocked_product(&a, &b, &a.blocked_product(&b)?)?;
/// assert!(laws::blocked_product(&a, &b, &a.raked_product(&b)?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn blocked_product(a: &Layout, b: &Layout, r: &Layout) -> Result<(), Violation> {
    copies(a, b, r, true)
}

/// `r = raked_product(a, b)`: as [`blocked_product`], with mode i running through mode i of `b` first.
///
/// # Errors
/// What does not hold.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let (a, b) = (layout!((8,8):(8,1)), layout!((2,4):(1,2)));
/// laws::raked_product(&a, &b, &a.raked_product(&b)?)?;
/// assert!(laws::raked_product(&a, &b, &a.blocked_product(&b)?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn raked_product(a: &Layout, b: &Layout, r: &Layout) -> Result<(), Violation> {
    copies(a, b, r, false)
}

/// `r = tile_to_shape(a, shape)`: the modes have the sizes of `shape`, the first block is `a`, all blocks are copies of it, and
/// they share no value.
///
/// # Errors
/// What does not hold.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let (atom, shape) = (layout!((8,64):(64,1)), ints!((128, 128)));
/// laws::tile_to_shape(&atom, &shape, &atom.tile_to_shape(&shape)?)?;
/// let row_major = layout!((128,128):(128,1)); // its first block is (8,64):(128,1)
/// assert!(laws::tile_to_shape(&atom, &shape, &row_major).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tile_to_shape(a: &Layout, shape: &IntTuple, r: &Layout) -> Result<(), Violation> {
    holds("the modes have the sizes of the shape", shape.product_each()? == r.shape().product_each()?)?;
    let rank = r.rank();
    let tile = a.pad_rank(rank)?;
    let mut extents = Vec::with_capacity(rank);
    for i in 0..rank {
        let (whole, part) = (r.mode(i)?.size()?, tile.mode(i)?.size()?);
        holds("tiles fill each mode", whole % part == 0)?;
        extents.push(whole / part);
    }
    // any injective arrangement of that many blocks: its values only tell blocks apart
    let blocks = Layout::column_major(&IntTuple::flat(&extents)?)?;
    let zero = vec![0; rank];
    equal("the first block begins at 0", 0, r.at_crd(&IntTuple::flat(&zero)?)?, 0)?;
    copies(a, &blocks, r, true)
}

fn copies(a: &Layout, b: &Layout, r: &Layout, blocked: bool) -> Result<(), Violation> {
    let rank = a.rank().max(b.rank());
    let (a, b) = (a.pad_rank(rank)?, b.pad_rank(rank)?);
    holds("the rank is the higher one", r.rank() == rank)?;
    let sizes = |l: &Layout| (0..rank).map(|i| l.mode(i)?.size()).collect::<Result<Vec<i64>, LayoutError>>();
    let (sa, sb, sr) = (sizes(&a)?, sizes(&b)?, sizes(r)?);
    holds("each mode has the size of both", (0..rank).all(|i| sa[i] * sb[i] == sr[i]))?;
    if r.size()? > EXHAUSTIVE {
        return Ok(());
    }
    let (ta, tb) = (IntTuple::flat(&sa)?, IntTuple::flat(&sb)?);
    let at = |i: i64, j: i64| -> Result<i64, LayoutError> {
        let (ca, cb) = (ta.idx2crd(i)?, tb.idx2crd(j)?);
        let mut c = Vec::with_capacity(rank);
        for k in 0..rank {
            let (x, y) = (ca.get(k)?.coefficient(), cb.get(k)?.coefficient());
            c.push(if blocked { x + sa[k] * y } else { y + sb[k] * x });
        }
        r.at_crd(&IntTuple::flat(&c)?)
    };
    // flat coordinates of the modes are colexicographic within each, so index i of the padded tile is coordinate ca
    let mut place = BTreeMap::new();
    for j in 0..b.size()? {
        let start = at(0, j)?;
        for i in 0..a.size()? {
            equal("a block is a copy of the tile", j, at(i, j)? - start, a.at(i)?)?;
        }
        let first = *place.entry(b.at(j)?).or_insert(start);
        equal("equal values of the arrangement are one copy", j, start, first)?;
    }
    let tile = values(&a)?;
    let mut owner = BTreeMap::new();
    for (&copy, &start) in &place {
        for v in &tile {
            if let Some(other) = owner.insert(v + start, copy) {
                return Err(Violation { law: "copies share no value", at: copy, got: v + start, expected: other });
            }
        }
    }
    Ok(())
}

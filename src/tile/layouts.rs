//! Operations on shapes as operations on layouts.
//!
//! A tile is memory and a layout; this chapter says which layout a reshaped, permuted, ... tile has over the same memory. They
//! are the algebra's: a dimension of the tile is a mode of the layout. Only the order of dimensions differs (the last is the
//! fastest here, the first there), so a reshape is a composition between two reversals.
//!
//! | operation | layout |
//! |---|---|
//! | reshape to `S` | `reverse(reverse(L) o column_major(reverse(S)))` |
//! | permute, transpose | the modes in another order (`select`) |
//! | broadcast | modes of extent 1 become modes of stride 0, and such are put in front |
//! | extract | `local_tile` |
//!
//! Where a layout has no such form over the same memory, the tile is copied to row-major order before, which has it. Three
//! operations always write new memory, in row-major order: `insert` writes its part through a `local_tile` of the result's layout,
//! `cat` both tiles through two of them, and `repack` cuts the bits along the dimension anew, as a `recast` of that mode numbers
//! them.

use super::shape::Shape;
use crate::layout::{Error, IntTuple, Layout, LayoutError, Tiler};

/// Row-major order in another shape.
pub(super) fn reshape(l: &Layout, to: &Shape) -> Result<Layout, LayoutError> {
    let shape = Layout::row_major(&to.tuple()?)?.reverse()?.shape();
    l.reverse()?.with_shape(&shape).map_err(reason)?.reverse()
}

/// Dimension `i` is dimension `map[i]` of the operand.
pub(super) fn permute(l: &Layout, map: &[u8]) -> Result<Layout, LayoutError> {
    let modes: Vec<usize> = map.iter().map(|&dim| dim.into()).collect();
    if modes.is_empty() { Ok(*l) } else { l.select(&modes) }
}

/// Repeated along dimensions of length 1 and new ones in front.
pub(super) fn broadcast(l: &Layout, from: &Shape, to: &Shape) -> Result<Layout, LayoutError> {
    let lead = to.rank() - from.rank();
    let mode = |dim: usize| match dim.checked_sub(lead) {
        Some(own) if from.extent(own) == to.extent(dim) => l.mode(own),
        _ => Layout::flat(&[to.extent(dim).into()], &[0])?.mode(0),
    };
    let modes = (0..to.rank()).map(mode).collect::<Result<Vec<_>, _>>()?;
    if modes.is_empty() { Ok(*l) } else { Layout::tuple(&modes) }
}

/// The part with this coordinate of those that tile the layout, and where it begins.
pub(super) fn part(l: &Layout, part: &Shape, coordinate: &[i64]) -> Result<(Layout, i64), LayoutError> {
    if part.rank() == 0 {
        return Ok((*l, 0));
    }
    let tile = |extent: u32| Tiler::shape(&IntTuple::int(extent.into()));
    let tiler = Tiler::tuple(&part.extents().map(tile).collect::<Result<Vec<_>, _>>()?)?;
    let at = IntTuple::tuple(&coordinate.iter().map(|&c| IntTuple::int(c)).collect::<Vec<_>>())?;
    let (inner, offset) = l.local_tile(&tiler, &at).map_err(reason)?;
    Ok((inner, offset.value().ok_or(LayoutError::Undecided)?))
}

fn reason(e: Error) -> LayoutError {
    e.reason
}

//! Arrays of the crate `ndarray` as memory of spans, and tiles as arrays.

use super::mapping::{Numbered, Rank, Runtime};
use super::{TensorSpan, ViewError};
use crate::layout::Layout;
use crate::tile::{Element, Shape, Tile, TileError, TileShape, TileType};
use core::cell::Cell;
use ndarray::{ArrayBase, ArrayD, ArrayView, ArrayViewMut, Data, Dimension, IxDyn};

/// The layout of an array's axes.
fn layout(shape: &[usize], strides: &[isize]) -> Result<Layout, ViewError> {
    let shape: Vec<i64> = shape.iter().map(|&n| n as i64).collect();
    let strides: Vec<i64> = strides.iter().map(|&n| n as i64).collect();
    Ok(Layout::flat(&shape, &strides)?)
}

/// The strides are kept, so that transposed and permuted arrays need no copy.
///
/// # Errors
/// The array has another rank or no element, its memory has gaps (take a span of the whole array, or copy it), or an axis runs
/// backwards.
/// ```
/// use girih::{Shape, view::{Runtime, TensorSpan, ViewError}};
/// let a = ndarray::arr2(&[[1, 2], [3, 4]]);
/// let span: TensorSpan<_, Runtime<2>, _> = a.t().try_into()?;
/// assert_eq!(span.partition::<Shape![2, 2]>().load((0, 0))?.to_string(), "(1 3)\n(2 4)");
/// # Ok::<(), ViewError>(())
/// ```
impl<'a, E: Element, D: Dimension, const R: usize> TryFrom<ArrayView<'a, E, D>> for TensorSpan<E, Runtime<R>, &'a [E]>
where
    Rank<R>: Numbered,
{
    type Error = ViewError;

    fn try_from(array: ArrayView<'a, E, D>) -> Result<Self, ViewError> {
        let layout = layout(array.shape(), array.strides())?;
        TensorSpan::over(array.to_slice_memory_order().ok_or(ViewError::Gaps)?, layout)
    }
}

/// As from an [`ArrayView`], to be stored to.
impl<'a, E: Element, D: Dimension, const R: usize> TryFrom<ArrayViewMut<'a, E, D>>
    for TensorSpan<E, Runtime<R>, &'a [Cell<E>]>
where
    Rank<R>: Numbered,
{
    type Error = ViewError;

    fn try_from(array: ArrayViewMut<'a, E, D>) -> Result<Self, ViewError> {
        let layout = layout(array.shape(), array.strides())?;
        TensorSpan::over(array.into_slice_memory_order().ok_or(ViewError::Gaps)?, layout)
    }
}

impl<E: Element, S: TileShape> From<&Tile<E, S>> for ArrayD<E> {
    fn from(tile: &Tile<E, S>) -> ArrayD<E> {
        let shape: Vec<usize> = S::SHAPE.extents().map(|n| n as usize).collect();
        let mut values = tile.to_vec().into_iter();
        // row-major, as tiles are
        ArrayD::from_shape_simple_fn(IxDyn(&shape), || values.next().unwrap_or_default())
    }
}

/// # Errors
/// The array has another shape.
impl<E: Element, S: TileShape, A: Data<Elem = E>, D: Dimension> TryFrom<&ArrayBase<A, D>> for Tile<E, S> {
    type Error = TileError;

    fn try_from(array: &ArrayBase<A, D>) -> Result<Tile<E, S>, TileError> {
        let extents: Vec<u32> = array.shape().iter().map(|&n| n as u32).collect();
        let got = TileType::new(E::TYPE, Shape::new(&extents)?);
        if got != Self::TYPE {
            return Err(TileError::Type { got, expected: Self::TYPE });
        }
        Tile::new(array.iter().copied().collect())
    }
}

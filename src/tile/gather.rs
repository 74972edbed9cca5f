//! Elements out of memory and into it, in the row-major order of a tile.

use super::shape::Shape;
use crate::layout::{Layout, LayoutError};

/// The elements at a layout's values.
pub fn collect<E: Copy>(memory: &[E], layout: &Layout, shape: Shape) -> Vec<E> {
    let mut values = Vec::with_capacity(shape.size());
    // a layout that has no row-major order was never made
    let _ = visit(layout, |offset| values.push(memory[offset]));
    values
}

/// Elements to a layout's values.
pub fn scatter<E: Copy>(values: &[E], memory: &mut [E], layout: &Layout) {
    let mut next = values.iter();
    let _ = visit(layout, |offset| {
        if let Some(&value) = next.next() {
            memory[offset] = value;
        }
    });
}

/// The values of a layout in row-major order.
fn visit(layout: &Layout, mut f: impl FnMut(usize)) -> Result<(), LayoutError> {
    let reversed = layout.reverse()?.coalesce();
    reversed.offsets()?.for_each(|offset| f(offset as usize));
    Ok(())
}

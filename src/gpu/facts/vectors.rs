//! How wide the accesses of a thread can be.

use super::FactError;
use super::request::Offsets;
use crate::layout::{Drawable, LayoutError};

/// Widest access there is.
const WIDEST: usize = 16;

/// How wide each thread can load and store its values; see [`vectors`].
/// ```
/// # use girih::gpu::facts::{Vectors, vectors};
/// # use girih::prelude::*;
/// // 4 halves in a row, but rows start at odd multiples of 4 bytes
/// let found = vectors(&layout!((32,4):(18,1)), 16)?;
/// assert_eq!(found, Vectors { contiguous: 8, alignment: 4, width: 4 });
/// # Ok::<(), girih::gpu::facts::FactError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vectors {
    /// bytes of the largest power of two of consecutive values into which every thread's values fall, at most 16 (0: less
    /// than a byte)
    pub contiguous: usize,
    /// largest power of two, at most 16, that divides the byte address of each of these groups (0: within a byte)
    pub alignment: usize,
    /// the lesser of both: the widest access
    pub width: usize,
}

/// The widest access with which every thread can move its values, offsets in elements of `bits` bits, provided that offset 0 is
/// aligned. (For one pair of layouts, [`Layout::max_common_vector`](crate::layout::Layout::max_common_vector).)
///
/// # Errors
/// The layout has no integer values, or more than [`VALUES`](super::VALUES); `bits` is 0 or above 128.
/// ```
/// use girih::gpu::facts::vectors;
/// use girih::prelude::*;
/// assert_eq!(vectors(&layout!((32,8):(8,1)), 16)?.width, 16);
/// assert_eq!(vectors(&layout!((32,8):(1,32)), 16)?.width, 2);
/// let swizzled: Composed = "S<3,2,3> o 0 o (32,8):(8,1)".parse()?; // keeps groups of 4 halves
/// assert_eq!(vectors(&swizzled, 16)?.width, 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn vectors(layout: &(impl Drawable + ?Sized), bits: usize) -> Result<Vectors, FactError> {
    if bits == 0 || bits > 8 * WIDEST {
        return Err(FactError::Element { bits, bytes: WIDEST });
    }
    let table = Offsets::new(layout)?;
    let starts = |size: usize| (0..table.values()).step_by(size).flat_map(|v| (0..table.threads).map(move |t| (t, v)));
    let follow = |t: usize, v: usize, i: usize| table.at(t, v).checked_add(i as i64) == Some(table.at(t, v + i));
    let whole = |size: usize| {
        table.values().is_multiple_of(size) && starts(size).all(|(t, v)| (1..size).all(|i| follow(t, v, i)))
    };
    let mut size = 1;
    while 2 * size * bits <= 8 * WIDEST && whole(2 * size) {
        size *= 2;
    }
    let mut alignment = WIDEST;
    for (t, v) in starts(size) {
        let bit = table.at(t, v).checked_mul(bits as i64).ok_or(LayoutError::Overflow)?;
        while alignment > 0 && bit % (8 * alignment) as i64 != 0 {
            alignment /= 2;
        }
    }
    // of elements of 24 bits, 16 at once
    let contiguous = (size * bits / 8).checked_ilog2().map_or(0, |n| 1 << n);
    Ok(Vectors { contiguous, alignment, width: contiguous.min(alignment) })
}

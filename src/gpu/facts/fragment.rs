//! Whether a view is the fragment that an instruction wants.

use super::FactError;
use super::request::Offsets;
use crate::layout::Drawable;
use core::fmt;

/// Where two thread-value layouts part.
/// ```
/// use girih::gpu::atom::SM80_16x8x16_F32F16F16F32_TN as MMA;
/// use girih::gpu::facts::{Difference, difference};
/// use girih::prelude::*;
/// let a_of_m16n8k8 = layout!(((4,8),(2,2)):((32,1),(16,8)));
/// let found = difference(&a_of_m16n8k8, &MMA.a())?;
/// assert_eq!(found, Some(Difference::Values { got: 4, expected: 8 }));
/// # Ok::<(), girih::gpu::facts::FactError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Difference {
    /// in the number of threads
    Threads {
        /// those of the view
        got: usize,
        /// those of the fragment
        expected: usize,
    },
    /// in the number of values of a thread
    Values {
        /// those of the view
        got: usize,
        /// those of the fragment
        expected: usize,
    },
    /// at a coordinate: the first, threads fastest
    At {
        /// the thread
        thread: usize,
        /// the value of the thread
        value: usize,
        /// the element that the view gives it
        got: i64,
        /// the element of the fragment
        expected: i64,
    },
}

/// The first (thread, value) at which a view is not the given thread-value layout, such as the operand of an
/// [atom](crate::gpu::atom); `None` if they are the same function. Nesting within threads and values does not matter.
///
/// # Errors
/// A layout has no integer values, or more than [`VALUES`](super::VALUES).
/// ```
/// use girih::gpu::atom::SM80_16x8x16_F32F16F16F32_TN as MMA;
/// use girih::gpu::facts::difference;
/// use girih::prelude::*;
/// // what ldmatrix.x4 leaves in the registers, in halves of a 16 x 16 tile
/// let loaded = layout!(((4,8),(2,(2,2))):((32,1),(16,(8,128))));
/// assert_eq!(difference(&loaded, &MMA.a())?, None);
/// // the matrices in the wrong order
/// let turned = layout!(((4,8),(2,(2,2))):((32,1),(16,(128,8))));
/// let found = difference(&turned, &MMA.a())?.map(|d| d.to_string());
/// assert_eq!(found.as_deref(), Some("(T0,V2) is 128, not 8"));
/// # Ok::<(), girih::gpu::facts::FactError>(())
/// ```
pub fn difference(
    view: &(impl Drawable + ?Sized),
    fragment: &(impl Drawable + ?Sized),
) -> Result<Option<Difference>, FactError> {
    let (view, fragment) = (Offsets::new(view)?, Offsets::new(fragment)?);
    let (got, expected) = (view.threads, fragment.threads);
    if got != expected {
        return Ok(Some(Difference::Threads { got, expected }));
    }
    let (got, expected) = (view.values(), fragment.values());
    if got != expected {
        return Ok(Some(Difference::Values { got, expected }));
    }
    let coordinates = (0..view.values()).flat_map(|value| (0..view.threads).map(move |thread| (thread, value)));
    let mut values = coordinates.map(|(t, v)| (t, v, view.at(t, v), fragment.at(t, v)));
    let first = values.find(|(_, _, got, expected)| got != expected);
    Ok(first.map(|(thread, value, got, expected)| Difference::At { thread, value, got, expected }))
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Threads { got, expected } => write!(f, "{got} threads, not {expected}"),
            Difference::Values { got, expected } => write!(f, "{got} values to a thread, not {expected}"),
            Difference::At { thread, value, got, expected } => {
                write!(f, "(T{thread},V{value}) is {got}, not {expected}")
            }
        }
    }
}

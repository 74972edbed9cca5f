//! Elements packed into bits, as `repack` sees them.

use super::{Element, ElementType};
use core::fmt;

/// Elements packed without gaps: the first in the lowest bits of the first byte (little endian). `bool` takes 1 bit, `f4e2m1` 4,
/// `tf32` 19, others as many as their bytes have.
/// ```
/// use girih::tile::element::{F4E2M1, pack, unpack};
/// let bits = [true, true, false, false, true, true, false, false];
/// assert_eq!(pack(&bits)?, [0b00110011]);
/// assert_eq!(unpack::<bool>(&[0b00110011])?, bits);
/// assert_eq!(pack(&[F4E2M1::from_f32(0.5), F4E2M1::from_f32(6.0)])?, [0x71]);
/// assert_eq!(pack(&[true]).unwrap_err().to_string(), "1 x bool is 1 bit, not a whole number of bytes");
/// # Ok::<(), girih::tile::element::PackError>(())
/// ```
///
/// # Errors
/// [`PackError::Elements`] if they do not fill whole bytes.
pub fn pack<E: Element>(elements: &[E]) -> Result<Vec<u8>, PackError> {
    let bits = E::TYPE.bits() as usize;
    let ragged = PackError::Elements { element: E::TYPE, count: elements.len() };
    let total = elements.len().checked_mul(bits).filter(|n| n % 8 == 0).ok_or(ragged)?;
    let mut bytes = Vec::with_capacity(total / 8);
    // what is not yet written, lowest bits first: fewer than 8 bits between elements
    let (mut pending, mut held) = (0u128, 0);
    for x in elements {
        pending |= u128::from(x.to_bits()) << held;
        held += bits;
        while held >= 8 {
            bytes.push(pending as u8);
            pending >>= 8;
            held -= 8;
        }
    }
    Ok(bytes)
}

/// The elements that were packed into these bytes: the inverse of [`pack`].
///
/// # Errors
/// [`PackError::Bytes`] if the bytes end inside an element.
pub fn unpack<E: Element>(bytes: &[u8]) -> Result<Vec<E>, PackError> {
    let bits = E::TYPE.bits() as usize;
    let ragged = PackError::Bytes { element: E::TYPE, count: bytes.len() };
    let total = bytes.len().checked_mul(8).filter(|n| n % bits == 0).ok_or(ragged)?;
    let mut elements = Vec::with_capacity(total / bits);
    let (mut pending, mut held) = (0u128, 0);
    for byte in bytes {
        pending |= u128::from(*byte) << held;
        held += 8;
        while held >= bits {
            elements.push(E::from_bits(pending as u64 & (u64::MAX >> (64 - bits))));
            pending >>= bits;
            held -= bits;
        }
    }
    Ok(elements)
}

/// A sequence that does not end where a byte, or an element, ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PackError {
    /// these elements do not fill whole bytes
    Elements {
        /// their type
        element: ElementType,
        /// how many
        count: usize,
    },
    /// these bytes end inside an element
    Bytes {
        /// the type of the elements
        element: ElementType,
        /// how many bytes
        count: usize,
    },
}

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            PackError::Elements { element, count } => {
                let bits = *count as u128 * u128::from(element.bits());
                let s = if bits == 1 { "" } else { "s" };
                write!(f, "{count} x {element} is {bits} bit{s}, not a whole number of bytes")
            }
            PackError::Bytes { element, count } => {
                let s = if *count == 1 { "" } else { "s" };
                write!(f, "{count} byte{s} end inside an element: {element} takes {} bits", element.bits())
            }
        }
    }
}

impl core::error::Error for PackError {}

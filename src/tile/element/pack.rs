//! Elements packed into bits, as `repack` sees them.

use super::cast::codes;
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
    let mut regroup = Regroup::new(E::TYPE.bits(), 8);
    codes(elements, &mut |codes| bytes.extend(regroup.next(codes).iter().map(|&byte| byte as u8)));
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
    let mut regroup = Regroup::new(8, E::TYPE.bits());
    codes(bytes, &mut |codes| elements.extend(regroup.next(codes).iter().copied().map(E::from_bits)));
    Ok(elements)
}

/// A sequence of bits cut anew, the lowest of each code first.
pub(crate) struct Regroup {
    from: u32,
    to: u32,
    /// bits that do not make a code yet: `held` of them
    pending: u128,
    held: u32,
    codes: Vec<u64>,
}

impl Regroup {
    /// From codes of so many bits to codes of so many.
    pub fn new(from: u32, to: u32) -> Regroup {
        Regroup { from, to, pending: 0, held: 0, codes: Vec::new() }
    }

    /// The codes that these complete, with bits of later ones above.
    pub fn next(&mut self, codes: &[u64]) -> &[u64] {
        self.codes.clear();
        for &code in codes {
            self.pending |= u128::from(code) << self.held;
            self.held += self.from;
            while self.held >= self.to {
                self.codes.push(self.pending as u64);
                self.pending >>= self.to;
                self.held -= self.to;
            }
        }
        &self.codes
    }
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

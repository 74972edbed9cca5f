//! Why there is no answer.

use super::{Access, NoSwizzle, VALUES};
use crate::layout::LayoutError;
use core::fmt;

/// Why a layout has no such accesses. Threads and values are one-dimensional coordinates, addresses are in bytes.
/// ```
/// use girih::gpu::facts::{Access, FactError, banks};
/// use girih::prelude::*;
/// let e = banks(&layout!((32,2):(3,1)), 32, Access::Load(8)).unwrap_err();
/// assert_eq!(e, FactError::Misaligned { lane: 1, address: 12, bytes: 8 });
/// assert_eq!(e.to_string(), "lane 1 accesses 8 bytes at byte 12, which is no multiple of 8");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FactError {
    /// The layout cannot be evaluated, or is not of the needed form.
    Layout(LayoutError),
    /// An access has 1, 2, 4, 8 or 16 bytes.
    Width {
        /// this many
        bytes: usize,
    },
    /// `ldmatrix` and `stmatrix` move 1, 2 or 4 matrices.
    Matrices {
        /// this many
        count: usize,
    },
    /// The access is no whole number of elements.
    Element {
        /// bits of an element
        bits: usize,
        /// bytes of the access
        bytes: usize,
    },
    /// The values of a thread are no whole number of accesses.
    Ragged {
        /// values of a thread
        values: usize,
        /// values of an access
        access: usize,
    },
    /// The values of one access do not follow each other in memory.
    NotConsecutive {
        /// the thread
        thread: usize,
        /// the value
        value: usize,
        /// its offset
        got: i64,
        /// the offset after the value before it
        expected: i64,
    },
    /// The address is no multiple of the access.
    Misaligned {
        /// the lane
        lane: usize,
        /// its address
        address: i64,
        /// bytes of the access
        bytes: usize,
    },
    /// The access starts inside a byte.
    InsideByte {
        /// the lane
        lane: usize,
        /// its address in bits
        bit: i64,
    },
    /// The address is below 0.
    Negative {
        /// the lane
        lane: usize,
        /// its address
        address: i64,
    },
    /// A warp has 32 lanes.
    Lanes {
        /// this many
        lanes: usize,
    },
    /// A lane that must have the address of a row has none.
    NoAddress {
        /// the lane
        lane: usize,
        /// the instruction
        access: Access,
    },
    /// More than [`VALUES`] values.
    TooLarge {
        /// how many
        values: i64,
    },
    /// The instruction does not access global memory.
    NotGlobal {
        /// the instruction
        access: Access,
    },
    /// The address is beyond any shared memory.
    NotShared {
        /// the address
        address: i64,
    },
    /// No swizzle frees all accesses.
    NoSwizzle(NoSwizzle),
}

impl FactError {
    /// One word for programs (the command line's `kind`).
    /// ```
    /// # use girih::gpu::facts::FactError;
    /// assert_eq!(FactError::Width { bytes: 3 }.kind(), "access");
    /// ```
    pub const fn kind(&self) -> &'static str {
        match self {
            FactError::Layout(e) => e.kind(),
            FactError::TooLarge { .. } => "capacity",
            FactError::NoSwizzle(_) => "no_swizzle",
            _ => "access",
        }
    }
}

impl From<LayoutError> for FactError {
    fn from(e: LayoutError) -> FactError {
        FactError::Layout(e)
    }
}

impl fmt::Display for FactError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use FactError::*;
        match self {
            Layout(e) => e.fmt(f),
            Width { bytes } => write!(f, "an access has 1, 2, 4, 8 or 16 bytes, not {bytes}"),
            Matrices { count } => write!(f, "ldmatrix and stmatrix move 1, 2 or 4 matrices, not {count}"),
            Element { bits, bytes } => {
                write!(f, "an access of {bytes} bytes is no whole number of elements of {bits} bits")
            }
            Ragged { values, access } => {
                write!(f, "{values} values of a thread are no whole number of accesses of {access} values")
            }
            NotConsecutive { thread, value, got, expected } => write!(
                f,
                "an access has consecutive values, but value {value} of thread {thread} is at offset {got}, not {expected}"
            ),
            Misaligned { lane, address, bytes } => {
                write!(f, "lane {lane} accesses {bytes} bytes at byte {address}, which is no multiple of {bytes}")
            }
            InsideByte { lane, bit } => write!(f, "lane {lane} starts at bit {bit}, inside a byte"),
            Negative { lane, address } => write!(f, "lane {lane} accesses byte {address}, below 0"),
            Lanes { lanes } => write!(f, "a warp has 32 lanes, not {lanes}"),
            NoAddress { lane, access } => write!(f, "lane {lane} has no address, {access} needs one"),
            TooLarge { values } => write!(f, "{values} values are too many: at most {VALUES}"),
            NotGlobal { access } => write!(f, "{access} does not access global memory"),
            NotShared { address } => write!(f, "byte {address} is beyond any shared memory, of less than 256 KiB"),
            NoSwizzle(proof) => proof.fmt(f),
        }
    }
}

impl core::error::Error for FactError {}

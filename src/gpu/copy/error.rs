//! What can go wrong when building a stream.

use crate::gpu::atom::NumericType;
use crate::gpu::kernel::KernelError;
use crate::gpu::launch::LaunchError;
use crate::layout::LayoutError;
use core::fmt;

/// Why there is no such kernel.
/// ```
/// use girih::gpu::atom::NumericType::F64;
/// use girih::gpu::copy::{Stream, StreamError};
/// let e = Stream::copy(F64).aligned(4).certificate().unwrap_err();
/// assert_eq!(e, StreamError::Alignment { align: 4, ty: F64 });
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum StreamError {
    /// a type that nothing computes with, or that has no bytes of its own
    Type {
        /// it
        ty: NumericType,
    },
    /// an alignment that is no power of two, or less than an element's
    Alignment {
        /// bytes
        align: u32,
        /// of the elements
        ty: NumericType,
    },
    /// something that the kernel relies on is not so
    Claim {
        /// what was found
        verdict: String,
    },
    /// a layout has no such operation
    Layout(Box<LayoutError>),
    /// the builder's
    Kernel(Box<KernelError>),
    /// the description's
    Launch(Box<LaunchError>),
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StreamError::Type { ty } => write!(f, "nothing computes with {ty} here"),
            StreamError::Alignment { align, ty } => {
                write!(f, "vectors of {ty} aligned to {align} bytes: a power of two, an element at least, 1024 at most")
            }
            StreamError::Claim { verdict } => f.write_str(verdict),
            StreamError::Layout(e) => e.fmt(f),
            StreamError::Kernel(e) => e.fmt(f),
            StreamError::Launch(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for StreamError {}

impl From<LayoutError> for StreamError {
    fn from(e: LayoutError) -> StreamError {
        StreamError::Layout(Box::new(e))
    }
}

impl From<KernelError> for StreamError {
    fn from(e: KernelError) -> StreamError {
        StreamError::Kernel(Box::new(e))
    }
}

impl From<LaunchError> for StreamError {
    fn from(e: LaunchError) -> StreamError {
        StreamError::Launch(Box::new(e))
    }
}

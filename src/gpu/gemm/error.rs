//! What can go wrong when building a GEMM.

use super::Tiling;
use crate::gpu::atom::{NumericType, TiledError};
use crate::gpu::facts::FactError;
use crate::gpu::kernel::KernelError;
use crate::gpu::launch::LaunchError;
use crate::layout::{Error, LayoutError};
use core::fmt;

/// Why there is no such kernel.
/// ```
/// use girih::gpu::atom::NumericType::{F16, F32, S8};
/// use girih::gpu::gemm::{Gemm, GemmError, Matrix};
/// use girih::gpu::ptx::Target;
/// let e = Gemm::new(Matrix::row_major(F16), Matrix::row_major(S8), Matrix::row_major(F32)).build(Target::SM_80).unwrap_err();
/// assert_eq!(e.to_string(), "no product of f16 and s8 into f32");
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum GemmError {
    /// types that no instruction multiplies
    Types {
        /// of A
        a: NumericType,
        /// of B
        b: NumericType,
        /// of C
        c: NumericType,
    },
    /// sizes that do not go together
    Tiling {
        /// they
        tiling: Tiling,
        /// what they have to be
        why: &'static str,
    },
    /// promised alignment that is no power of two, or less than an element
    Alignment {
        /// the matrix
        matrix: &'static str,
        /// bytes
        align: u32,
    },
    /// something that the kernel relies on is not so
    Claim {
        /// it
        claim: String,
        /// what was found
        verdict: String,
    },
    /// an access to shared memory with bank conflicts
    Conflicts {
        /// which
        access: &'static str,
        /// wavefronts beyond those without
        conflicts: usize,
    },
    /// a layout has no such operation
    Layout(Box<Error>),
    /// an atom does not fit
    Tiled(Box<TiledError>),
    /// a pattern that is none
    Fact(Box<FactError>),
    /// the builder's
    Kernel(Box<KernelError>),
    /// the description's
    Launch(Box<LaunchError>),
}

impl fmt::Display for GemmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GemmError::Types { a, b, c } => write!(f, "no product of {a} and {b} into {c}"),
            GemmError::Tiling { tiling: Tiling { tile: [m, n, k], warps: [wm, wn], stages, group, .. }, why } => {
                write!(f, "a tile of {m} x {n} x {k} for {wm} x {wn} warps, {stages} stages, groups of {group}: {why}")
            }
            GemmError::Alignment { matrix, align } => {
                write!(
                    f,
                    "{matrix} cannot be aligned to {align} bytes: a power of two, an element at least, 1024 at most"
                )
            }
            GemmError::Claim { claim, verdict } => write!(f, "{claim}: {verdict}"),
            GemmError::Conflicts { access, conflicts } => write!(f, "{access}: {conflicts} bank conflicts"),
            GemmError::Layout(e) => e.fmt(f),
            GemmError::Tiled(e) => e.fmt(f),
            GemmError::Fact(e) => e.fmt(f),
            GemmError::Kernel(e) => e.fmt(f),
            GemmError::Launch(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for GemmError {}

impl From<Error> for GemmError {
    fn from(e: Error) -> GemmError {
        GemmError::Layout(Box::new(e))
    }
}

impl From<LayoutError> for GemmError {
    fn from(e: LayoutError) -> GemmError {
        GemmError::Layout(Box::new(e.into()))
    }
}

impl From<TiledError> for GemmError {
    fn from(e: TiledError) -> GemmError {
        GemmError::Tiled(Box::new(e))
    }
}

impl From<FactError> for GemmError {
    fn from(e: FactError) -> GemmError {
        GemmError::Fact(Box::new(e))
    }
}

impl From<KernelError> for GemmError {
    fn from(e: KernelError) -> GemmError {
        GemmError::Kernel(Box::new(e))
    }
}

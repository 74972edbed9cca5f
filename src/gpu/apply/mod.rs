//! One PTX instruction applied over tensors of registers.
//!
//! [`Kernel::apply`](super::kernel::Kernel::apply) repeats an instruction for every element of its operands: each is a tensor with the axes
//! *group x repeat x registers*. The group axes are the threads of the [`Scope`]; the repeats, equal for all operands, are expanded in
//! row-major order (the last axis fastest), one instruction each; the last axis counts the native registers of one operand: 1 for a
//! scalar, 4 for a `.v4`. Packing is the caller's: two halves in one `b32` are one register.
//!
//! | instructions | operands |
//! |---|---|
//! | of registers only: arithmetic, `mov`, `cvt`, ... | register tensors; scalars where a single register or immediate is read |
//! | `ld`, `st`, `cp.async` | register tensor and [`MemoryTensor`], whose last axis are the words that one instruction moves |
//! | `ldmatrix`, `stmatrix` | registers `(.., matrix)`, memory `(.., matrix, 8 rows, words)` |
//! | `mma` | `D (.., m, n, r)`, `A (.., m, k, r)`, `B (.., n, k, r)`, `C` as D or a scalar; k is innermost |
//!
//! A result may take the place of an operand of the same repeat, not of one that a later repeat reads. Stores must be proved not to
//! overlap. What is known of memory is checked: the size and alignment of tiles in shared memory; of global memory both are promises.
//!
//! Nothing is inserted: no packing, staging or synchronisation. What has no such meaning (`setp`, `shfl`, `atom`, `wgmma`, ...) is
//! refused: [`Kernel::emit`](super::kernel::Kernel::emit) takes it as it is.
//! ```
//! use girih::gpu::apply::{ApplyOptions, RegisterTensor};
//! use girih::gpu::kernel::Kernel;
//! use girih::gpu::ptx::{Target, Type};
//! use girih::prelude::*;
//!
//! // eight packed additions of two halves each
//! let mut k = Kernel::new("packed_add", Target::SM_80, [1, 1, 1]);
//! let a = RegisterTensor::new(&k.regs(Type::B32, 8), &layout!((8,1):(1,1)));
//! let b = RegisterTensor::new(&k.regs(Type::B32, 8), &layout!((8,1):(1,1)));
//! let n = k.apply("add.rn.f16x2", &[(&a).into(), (&a).into(), (&b).into()], &ApplyOptions::default())?;
//! assert_eq!(n, 8);
//! # Ok::<(), girih::gpu::apply::ApplyError>(())
//! ```

mod error;
mod expand;
mod tensor;

pub use error::ApplyError;
pub use tensor::{ApplyOperand, MemoryTensor, RegisterTensor, Scalar};

use crate::gpu::ptx::Reg;

/// Instructions that one application may expand to.
const LIMIT: i64 = 1 << 16;

/// Who executes together, and so which axes come before the repeats. It elects nobody: every thread that gets there executes.
/// ```
/// # use girih::gpu::apply::Scope;
/// assert_eq!(Scope::Warpgroup.group(false), [4, 32]);
/// assert_eq!(Scope::Warpgroup.group(true), [4]); // an instruction of the whole warp has no lanes
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scope {
    /// a thread by itself: no group axes
    #[default]
    Thread,
    /// (lane)
    Warp,
    /// (warp of the group, lane): each group of 4 neighbouring warps by itself
    Warpgroup,
    /// (warp of the block, lane)
    Cta {
        /// of the block
        warps: u32,
    },
    /// (block, warp of the block, lane)
    Cluster {
        /// of the cluster
        ctas: u32,
        /// of a block
        warps: u32,
    },
}

impl Scope {
    /// The extents of its axes, with or without the lanes.
    /// ```
    /// # use girih::gpu::apply::Scope;
    /// assert_eq!(Scope::Cluster { ctas: 2, warps: 8 }.group(false), [2, 8, 32]);
    /// ```
    pub fn group(self, collective: bool) -> Vec<i64> {
        let all: Vec<i64> = match self {
            Scope::Thread => vec![],
            Scope::Warp => vec![32],
            Scope::Warpgroup => vec![4, 32],
            Scope::Cta { warps } => vec![warps.into(), 32],
            Scope::Cluster { ctas, warps } => vec![ctas.into(), warps.into(), 32],
        };
        let lanes = usize::from(collective && !all.is_empty());
        all[..all.len() - lanes].to_vec()
    }
}

/// How an instruction is applied.
/// ```
/// # use girih::gpu::apply::{ApplyOptions, Scope};
/// assert_eq!(ApplyOptions::default().scope, Scope::Thread);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ApplyOptions {
    /// who executes it
    pub scope: Scope,
    /// only where this holds: a predicate, or an integer of 32 bits that is not 0
    pub pred: Option<Reg>,
    /// where it does not hold, the destination keeps what it held, which must have been written; else it is undefined there, and the
    /// instruction says so ([`Otherwise::Undefined`](crate::gpu::ptx::Otherwise))
    pub preserve_dst: bool,
}

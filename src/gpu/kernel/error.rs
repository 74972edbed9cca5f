//! What can go wrong when building a kernel.

use crate::gpu::ptx::{InstructionError, OpcodeError, Reg, Requirement, Target};
use crate::layout::LayoutError;
use core::fmt;

/// Why a kernel could not be built: the first thing that went wrong.
/// ```
/// use girih::gpu::kernel::{Kernel, KernelError};
/// use girih::gpu::ptx::Target;
/// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
/// k.emit("add.f32", vec![]);
/// assert!(matches!(k.finish(), Err(KernelError::Operands(_))));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum KernelError {
    /// no such opcode
    Opcode(OpcodeError),
    /// operands that do not go with it
    Operands(InstructionError),
    /// a layout could not be evaluated
    Layout(LayoutError),
    /// a layout of another rank than the coordinate
    Rank {
        /// of the layout
        layout: usize,
        /// of the coordinate
        coordinate: usize,
    },
    /// a symbol of a layout that no parameter is bound to
    Unbound {
        /// its name
        symbol: String,
    },
    /// something that is defined for values from 0 on, of one that may be negative
    Negative {
        /// what
        of: &'static str,
    },
    /// a value that may not fit 64 bits
    TooLarge {
        /// least value
        lo: i128,
        /// greatest value
        hi: i128,
    },
    /// two parameters of one name, or one that is no name in PTX
    Name {
        /// it
        name: String,
    },
    /// no such special register
    Special {
        /// its name
        name: &'static str,
    },
    /// an index or register that was computed in a block or loop, used where that is closed
    Ended {
        /// it
        register: Reg,
    },
    /// a register of another kernel
    Register {
        /// it
        register: Reg,
    },
    /// assignment to what is no variable
    NotAVariable,
    /// a vector access of a length that PTX has not
    Vector {
        /// elements
        elements: usize,
        /// bits of each
        bits: u32,
    },
    /// a block of 0 or of more than 1024 threads
    Block {
        /// its extents
        block: [u32; 3],
    },
    /// a cluster of 0 or of more than 16 blocks, or on a target without
    Cluster {
        /// its extents
        cluster: [u32; 3],
        /// of the kernel
        target: Target,
    },
    /// more shared memory than a block can have
    SharedMemory {
        /// asked for
        bytes: u64,
        /// there is
        limit: u64,
    },
    /// the target does not have an instruction
    Target {
        /// printed
        instruction: String,
        /// what it needs
        needs: Requirement,
    },
}

impl fmt::Display for KernelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KernelError::Opcode(e) => e.fmt(f),
            KernelError::Operands(e) => e.fmt(f),
            KernelError::Layout(e) => e.fmt(f),
            KernelError::Rank { layout, coordinate } => {
                write!(f, "a layout of rank {layout} at a coordinate of rank {coordinate}")
            }
            KernelError::Unbound { symbol } => write!(f, "?{symbol} is bound to no parameter"),
            KernelError::Negative { of } => write!(f, "{of} of a value that may be negative"),
            KernelError::TooLarge { lo, hi } => write!(f, "an index in {lo}..={hi} does not fit 64 bits"),
            KernelError::Name { name } => write!(f, "`{name}` is taken, or no name in PTX"),
            KernelError::Special { name } => write!(f, "no special register {name}"),
            KernelError::Ended { register } => {
                write!(f, "register {} is of a block that is closed; a variable lasts longer", register.id)
            }
            KernelError::Register { register } => {
                write!(f, "register {} of {} is none of this kernel's", register.id, register.ty)
            }
            KernelError::NotAVariable => f.write_str("only variables can be assigned"),
            KernelError::Vector { elements, bits } => write!(f, "no access of {elements} elements of {bits} bits"),
            KernelError::Block { block } => write!(f, "a block of {block:?} threads; 1 to 1024 are possible"),
            KernelError::Cluster { cluster, target } => {
                write!(f, "a cluster of {cluster:?} blocks on {target}; 1 to 16 are possible, from sm_90 on")
            }
            KernelError::SharedMemory { bytes, limit } => {
                write!(f, "{bytes} bytes of shared memory; a block can have {limit}")
            }
            KernelError::Target { instruction, needs } => write!(f, "`{instruction}` needs {needs}"),
        }
    }
}

impl std::error::Error for KernelError {}

impl From<OpcodeError> for KernelError {
    fn from(e: OpcodeError) -> KernelError {
        KernelError::Opcode(e)
    }
}

impl From<InstructionError> for KernelError {
    fn from(e: InstructionError) -> KernelError {
        KernelError::Operands(e)
    }
}

impl From<LayoutError> for KernelError {
    fn from(e: LayoutError) -> KernelError {
        KernelError::Layout(e)
    }
}

//! Why an instruction cannot be applied.

use super::Scope;
use crate::gpu::ptx::{InstructionError, OpcodeError, Reg};
use crate::layout::{Layout, LayoutError};
use core::fmt;

/// A condition of `apply` that does not hold. Operands count from 1.
/// ```
/// use girih::gpu::apply::{ApplyError, ApplyOptions, RegisterTensor};
/// use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
/// use girih::prelude::*;
/// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
/// let a = RegisterTensor::new(&k.regs(Type::F32, 4), &layout!((4,1):(1,1)));
/// let same = RegisterTensor::new(&k.regs(Type::F32, 1), &layout!((4,1):(0,1)));
/// k.apply("neg.f32", &[(&a).into(), (&same).into()], &ApplyOptions::default())?; // broadcast
/// let e = k.apply("neg.f32", &[(&same).into(), (&a).into()], &ApplyOptions::default()).unwrap_err();
/// assert!(matches!(e, ApplyError::Overlap { operand: 1, .. }));
/// # Ok::<(), ApplyError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum ApplyError {
    /// no such opcode
    Opcode(OpcodeError),
    /// an operand's type does not go with the opcode
    Operands(InstructionError),
    /// the opcode has no meaning over tensors
    NoPattern {
        /// it
        opcode: String,
    },
    /// another number of operands than the opcode takes
    Count {
        /// the numbers that it takes
        expected: Vec<usize>,
        /// how many there were
        found: usize,
    },
    /// the threads of the scope are not those of the kernel
    Scope {
        /// asked for
        scope: Scope,
        /// threads of the block
        block: [u32; 3],
        /// blocks of a cluster
        cluster: Option<[u32; 3]>,
    },
    /// more instructions than are worth expanding
    TooMany {
        /// extents whose product is their number
        repeats: Vec<i64>,
        /// how many may be
        limit: i64,
    },
    /// a register that is none of the kernel's, or of a block that is closed
    Register {
        /// it
        register: Reg,
    },
    /// the first axes are not those of the scope
    Group {
        /// which
        operand: usize,
        /// extents of the scope's axes
        expected: Vec<i64>,
        /// what it has
        found: Box<Layout>,
    },
    /// repeats of two operands differ
    Repeats {
        /// which
        operand: usize,
        /// of the operands before
        expected: Vec<i64>,
        /// its own
        found: Vec<i64>,
    },
    /// the last axis is not as long as the operand has registers
    Width {
        /// which
        operand: usize,
        /// registers of this operand
        expected: i64,
        /// its last extent
        found: i64,
    },
    /// a scalar, or a tensor, where the other is wanted
    Kind {
        /// which
        operand: usize,
        /// what is wanted
        wanted: &'static str,
    },
    /// a place beyond the list of registers
    Registers {
        /// which
        operand: usize,
        /// least place
        lo: i64,
        /// greatest place
        hi: i64,
        /// registers in the list
        have: i64,
    },
    /// an element that another thread holds, or of which that could not be excluded
    Owner {
        /// which
        operand: usize,
        /// where it is
        layout: Box<Layout>,
    },
    /// two results in one register
    Overlap {
        /// which
        operand: usize,
        /// the register
        register: Reg,
    },
    /// an operand of a later repeat is overwritten before it is read
    Hazard {
        /// the one that is read
        operand: usize,
        /// what is overwritten
        register: Reg,
    },
    /// two elements are stored to one place, or that could not be excluded
    Stores {
        /// which
        operand: usize,
        /// where they are
        layout: Box<Layout>,
        /// the verdict on it
        why: String,
    },
    /// other matrices than the opcode moves, or not of 8 rows
    Matrices {
        /// which
        operand: usize,
        /// (matrices, rows)
        expected: [i64; 2],
        /// repeats, matrices, rows that it has
        found: Vec<i64>,
    },
    /// more elements are promised than are known to be there
    Size {
        /// which
        operand: usize,
        /// elements promised
        promised: i64,
        /// bytes that there are
        bytes: i128,
    },
    /// the alignment promised is no power of two, or not that of the memory
    Promise {
        /// which
        operand: usize,
        /// bytes promised
        promised: i64,
        /// bytes that the address is a multiple of
        known: i64,
    },
    /// the words of one instruction are not neighbours
    Words {
        /// which
        operand: usize,
        /// where they are
        layout: Box<Layout>,
        /// words of one instruction
        words: i64,
    },
    /// words that do not begin at a multiple of their bytes
    Alignment {
        /// which
        operand: usize,
        /// where they are
        layout: Box<Layout>,
        /// bytes that the first is promised to be a multiple of
        align: i64,
        /// bytes of one access
        bytes: i64,
    },
    /// elements beyond the memory
    Bounds {
        /// which
        operand: usize,
        /// least element
        lo: i64,
        /// greatest element
        hi: i64,
        /// elements that there are
        size: i64,
    },
    /// memory of another state space
    Space {
        /// which
        operand: usize,
        /// of the opcode
        opcode: &'static str,
        /// of the memory
        memory: &'static str,
    },
    /// elements of another width than the opcode's type
    Element {
        /// which
        operand: usize,
        /// bits of the opcode's type
        opcode: u32,
        /// bits of the memory's
        memory: u32,
    },
    /// the condition is neither a predicate nor an integer of 32 bits
    Predicate,
    /// `preserve_dst` without a condition
    PreserveWithoutPredicate,
    /// `preserve_dst` of a destination that nothing wrote before
    PreserveUnwritten {
        /// which
        operand: usize,
    },
    /// `preserve_dst` of an instruction whose result is in no register
    PreserveNothing,
    /// a layout could not be evaluated: an extent of 0, a symbol
    Layout(LayoutError),
}

impl fmt::Display for ApplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use ApplyError::*;
        match self {
            Opcode(e) => e.fmt(f),
            Operands(e) => e.fmt(f),
            NoPattern { opcode } => write!(f, "{opcode} has no meaning over tensors: emit it by itself"),
            Count { expected, found } => {
                let expected: Vec<_> = expected.iter().map(usize::to_string).collect();
                write!(f, "{found} operands, where {} are wanted", expected.join(" or "))
            }
            Group { operand, expected, found } => {
                write!(f, "operand {operand} is {found}: its first axes must be {expected:?}, those of the scope")
            }
            Repeats { operand, expected, found } => {
                write!(f, "operand {operand} repeats {found:?}, the operands before {expected:?}")
            }
            Width { operand, expected, found } => {
                write!(f, "the last axis of operand {operand} is {found}, and it has {expected} registers")
            }
            Kind { operand, wanted } => write!(f, "operand {operand} must be {wanted}"),
            Registers { operand, lo, hi, have } => {
                write!(f, "operand {operand} reaches registers {lo}..={hi}; the list has {have}")
            }
            Owner { operand, layout } => {
                write!(f, "operand {operand}, {layout}: elements are held by other threads than execute")
            }
            Overlap { operand, register } => {
                write!(f, "operand {operand} has two results in register {} of {}", register.id, register.ty)
            }
            Hazard { operand, register } => write!(
                f,
                "register {} of {} is overwritten before a later repeat reads it as operand {operand}",
                register.id, register.ty
            ),
            Stores { operand, layout, why } => {
                write!(f, "operand {operand} is stored to, and {layout} is not proved injective: {why}")
            }
            Matrices { operand, expected, found } => {
                write!(f, "operand {operand} is {found:?} rows of matrices; the last two must be {expected:?}")
            }
            Size { operand, promised, bytes } => {
                write!(f, "operand {operand} is promised {promised} elements; {bytes} bytes are sure to be there")
            }
            Promise { operand, promised, known } => {
                write!(f, "operand {operand} is promised at a multiple of {promised} bytes; it is one of {known}")
            }
            Scope { scope, block, cluster } => {
                write!(f, "{scope:?} does not fit blocks of {block:?} threads in clusters of {cluster:?}")
            }
            TooMany { repeats, limit } => write!(f, "{repeats:?} are more than {limit} instructions: use a loop"),
            Register { register } => {
                write!(f, "register {} of {} is none of this kernel's, or ended", register.id, register.ty)
            }
            Words { operand, layout, words } => {
                write!(f, "operand {operand}, {layout}: the {words} words of an access must be neighbours")
            }
            Alignment { operand, layout, align, bytes } => write!(
                f,
                "operand {operand}, {layout} from a multiple of {align} bytes: accesses of {bytes} bytes are not aligned"
            ),
            Bounds { operand, lo, hi, size } => {
                write!(f, "operand {operand} reaches elements {lo}..={hi}; there are {size}")
            }
            Space { operand, opcode, memory } => {
                write!(f, "operand {operand} is in {memory} memory, the instruction works on {opcode}")
            }
            Element { operand, opcode, memory } => {
                write!(f, "operand {operand} has elements of {memory} bits, the instruction of {opcode}")
            }
            Predicate => f.write_str("the condition must be a predicate or an integer of 32 bits"),
            PreserveWithoutPredicate => f.write_str("preserve_dst needs a condition"),
            PreserveUnwritten { operand } => {
                write!(f, "operand {operand} would be preserved, but nothing wrote it")
            }
            PreserveNothing => f.write_str("preserve_dst of an instruction without a register result"),
            Layout(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for ApplyError {}

impl From<OpcodeError> for ApplyError {
    fn from(e: OpcodeError) -> ApplyError {
        ApplyError::Opcode(e)
    }
}

impl From<InstructionError> for ApplyError {
    fn from(e: InstructionError) -> ApplyError {
        ApplyError::Operands(e)
    }
}

impl From<LayoutError> for ApplyError {
    fn from(e: LayoutError) -> ApplyError {
        ApplyError::Layout(e)
    }
}

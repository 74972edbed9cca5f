//! What goes wrong: faults of kernels, and launches that cannot be simulated.

use super::report::Report;
use crate::gpu::launch::LaunchError;
use core::fmt;

/// What kind of fault it is.
/// ```
/// use girih::gpu::sim::FaultKind;
/// assert_eq!(FaultKind::OutOfBounds.to_string(), "out-of-bounds");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FaultKind {
    /// an access to memory that is not there, or not given to the kernel; more bytes of a source than `cp.async` copies
    OutOfBounds,
    /// an address that is no multiple of the access
    Misaligned,
    /// a store to memory that is only to be read
    ReadOnly,
    /// a read of memory that nothing wrote
    UnwrittenMemory,
    /// a read of a register that nothing wrote
    UnwrittenRegister,
    /// two accesses, one a write, that nothing orders
    Race,
    /// threads of a warp wait at different barriers, or with different counts
    DivergentBarrier,
    /// a barrier that threads wait at which others have left for good
    ExitedAtBarrier,
    /// an instruction of a warp that needs threads which do not take part, or a branch `.uni` that not all take
    InactiveLane,
    /// nothing can go on
    Deadlock,
    /// more instructions than the budget
    Budget,
    /// `trap`, or a jump or call to nowhere
    Trap,
    /// an mbarrier used otherwise than it was made for
    Mbarrier,
}

impl FaultKind {
    /// All of them.
    /// ```
    /// # use girih::gpu::sim::FaultKind;
    /// assert!(FaultKind::all().any(|kind| kind.to_string() == "race"));
    /// ```
    pub fn all() -> impl Iterator<Item = FaultKind> {
        use FaultKind::*;
        [
            OutOfBounds,
            Misaligned,
            ReadOnly,
            UnwrittenMemory,
            UnwrittenRegister,
            Race,
            DivergentBarrier,
            ExitedAtBarrier,
            InactiveLane,
            Deadlock,
            Budget,
            Trap,
            Mbarrier,
        ]
        .into_iter()
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            FaultKind::OutOfBounds => "out-of-bounds",
            FaultKind::Misaligned => "misaligned",
            FaultKind::ReadOnly => "read-only",
            FaultKind::UnwrittenMemory => "unwritten-memory",
            FaultKind::UnwrittenRegister => "unwritten-register",
            FaultKind::Race => "race",
            FaultKind::DivergentBarrier => "divergent-barrier",
            FaultKind::ExitedAtBarrier => "exited-at-barrier",
            FaultKind::InactiveLane => "inactive-lane",
            FaultKind::Deadlock => "deadlock",
            FaultKind::Budget => "budget",
            FaultKind::Trap => "trap",
            FaultKind::Mbarrier => "mbarrier",
        })
    }
}

/// An instruction in the text of its module.
/// ```
/// use girih::gpu::sim::Site;
/// let site = Site { function: "axpy".into(), line: 12, instruction: "ret;".into(), comment: None, source: None };
/// assert_eq!(site.to_string(), "axpy, line 12: ret;");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Site {
    /// the function that it is in
    pub function: String,
    /// of the PTX text, from 1; of the printed module where no text was given; 0 for the end of a function
    pub line: u32,
    /// as printed
    pub instruction: String,
    /// the kernel's own comment: the last one above it in its function, however far
    pub comment: Option<String>,
    /// file and line of the source that it was compiled from
    pub source: Option<(String, u32)>,
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}: {}", self.function, self.line, self.instruction)?;
        if let Some(comment) = &self.comment {
            write!(f, " // {comment}")?;
        }
        match &self.source {
            Some((file, line)) => write!(f, " ({file}:{line})"),
            None => Ok(()),
        }
    }
}

/// A thread of a grid.
/// ```
/// use girih::gpu::sim::ThreadId;
/// let t = ThreadId { block: [1, 0, 0], thread: [33, 0, 0] };
/// assert_eq!(t.to_string(), "thread (33,0,0) of block (1,0,0)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ThreadId {
    /// `%ctaid`
    pub block: [u32; 3],
    /// `%tid`
    pub thread: [u32; 3],
}

impl fmt::Display for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([x, y, z], [a, b, c]) = (self.thread, self.block);
        write!(f, "thread ({x},{y},{z}) of block ({a},{b},{c})")
    }
}

/// Something that a kernel does and must not.
/// ```
/// use girih::gpu::ptx::Module;
/// use girih::gpu::sim::{FaultKind, Grid, SimError};
/// let module = Module::parse(
///     ".version 7.0 .target sm_80 .address_size 64
///      .visible .entry f() {
///          .reg .b32 %r<2>;
///          // nothing wrote %r0
///          add.u32 %r1, %r0, 1;
///          ret;
///      }",
/// )?;
/// let SimError::Faults(report) = module.simulate(Grid::new(1, 32), &[]).unwrap_err() else { panic!() };
/// let fault = &report.faults[0];
/// assert_eq!((fault.kind, fault.thread.thread), (FaultKind::UnwrittenRegister, [0, 0, 0]));
/// assert_eq!(fault.site.comment.as_deref(), Some("nothing wrote %r0"));
/// # Ok::<(), girih::gpu::ptx::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Fault {
    /// what kind it is
    pub kind: FaultKind,
    /// the instruction
    pub site: Site,
    /// the thread, the first of those of its warp
    pub thread: ThreadId,
    /// where, and what there is to say
    pub detail: String,
    /// of a race the earlier access
    pub other: Option<(Site, ThreadId)>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}\n  {}\n  {}", self.kind, self.detail, self.site, self.thread)?;
        match &self.other {
            Some((site, thread)) => write!(f, "\n  against\n  {site}\n  {thread}"),
            None => Ok(()),
        }
    }
}

/// Why a launch was not simulated, or what was found.
/// ```
/// use girih::gpu::ptx::{Module, Target};
/// use girih::gpu::sim::{Grid, SimError};
/// let e = Module::new(Target::SM_80).simulate(Grid::new(1, 32), &[]).unwrap_err();
/// assert!(matches!(e, SimError::NoEntry { .. }));
/// assert_eq!(e.to_string(), "the module has no kernel");
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum SimError {
    /// there is no kernel of this name, or none at all
    NoEntry {
        /// what was asked for
        name: Option<String>,
        /// those that there are
        known: Vec<String>,
    },
    /// the module has several kernels, and none was named
    WhichEntry {
        /// those that there are
        known: Vec<String>,
    },
    /// an instruction that is not executed
    Unsupported {
        /// which
        site: Box<Site>,
    },
    /// a variable or parameter without a size, or one for which there is no room
    Variable {
        /// its name
        name: String,
        /// its size, where it has one
        bytes: Option<u64>,
    },
    /// so many arguments for so many parameters
    Arguments {
        /// parameters
        expected: usize,
        /// arguments
        got: usize,
    },
    /// an argument of another size than its parameter
    Argument {
        /// which, from 0
        index: usize,
        /// the parameter
        name: String,
        /// bytes of the parameter
        expected: u32,
        /// bytes of the argument
        got: u32,
    },
    /// an argument that is no memory of the simulator
    ForeignMemory {
        /// which, from 0
        index: usize,
        /// where it points
        address: u64,
    },
    /// a tensor map, which is for the copy engine that is not executed
    TensorMap {
        /// which argument, from 0
        index: usize,
    },
    /// blocks of no threads or of too many, or not of those that the kernel requires
    Block {
        /// as asked for
        threads: [u32; 3],
        /// what the kernel or PTX allows
        allowed: [u32; 3],
    },
    /// clusters of several blocks, which are not executed
    Cluster {
        /// blocks of a cluster; zeros where the launch should say how many
        blocks: [u32; 3],
    },
    /// a grid without blocks, or with more than there can be in a dimension
    Grid {
        /// as asked for
        blocks: [u32; 3],
        /// at most
        limit: [u32; 3],
    },
    /// more shared memory than a block can have
    Shared {
        /// as asked for, of the variables that the kernel and what it calls name, and dynamic
        bytes: u64,
        /// at most
        limit: u64,
    },
    /// it would take more instructions than the budget
    TooLarge {
        /// instructions of warps that it takes: those of its first block, times the blocks
        estimate: u64,
        /// the budget
        budget: u64,
    },
    /// the simulator itself failed: not all blocks came to their end, and no fault says why
    Incomplete {
        /// blocks that did
        done: u64,
        /// blocks of the grid
        ctas: u64,
    },
    /// the arguments do not go with the launch
    Launch(LaunchError),
    /// the kernel did what it must not
    Faults(Box<Report>),
}

impl From<LaunchError> for SimError {
    fn from(e: LaunchError) -> SimError {
        SimError::Launch(e)
    }
}

impl fmt::Display for SimError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dims = |[x, y, z]: [u32; 3]| format!("({x},{y},{z})");
        match self {
            SimError::NoEntry { known, .. } if known.is_empty() => f.write_str("the module has no kernel"),
            SimError::NoEntry { name, known } => {
                write!(f, "no kernel {}; there are {}", name.as_deref().unwrap_or("?"), known.join(", "))
            }
            SimError::WhichEntry { known } => write!(f, "several kernels, name one: {}", known.join(", ")),
            SimError::Unsupported { site } => write!(f, "not executed here: {site}"),
            SimError::Variable { name, bytes: Some(bytes) } => write!(f, "the variable {name} has {bytes} bytes"),
            SimError::Variable { name, bytes: None } => write!(f, "the variable {name} has no size"),
            SimError::Arguments { expected, got } => write!(f, "{got} arguments for {expected} parameters"),
            SimError::Argument { index, name, expected, got } => {
                write!(f, "argument {index} has {got} bytes, the parameter {name} has {expected}")
            }
            SimError::ForeignMemory { index, address } => {
                write!(f, "argument {index} points to {address:#x}, which is no buffer of the simulator")
            }
            SimError::TensorMap { index } => {
                write!(f, "argument {index} is a tensor map; the copy engine is not executed")
            }
            SimError::Block { threads, allowed } => {
                write!(f, "blocks of {} threads, where {} are allowed", dims(*threads), dims(*allowed))
            }
            SimError::Cluster { blocks: [0, 0, 0] } => {
                f.write_str("a kernel for clusters of as many blocks as a launch says; clusters are not executed")
            }
            SimError::Cluster { blocks } => {
                write!(f, "clusters of {} blocks; clusters are not executed", dims(*blocks))
            }
            SimError::Grid { blocks, limit } => {
                write!(f, "a grid of {} blocks, where there are 1 to {}", dims(*blocks), dims(*limit))
            }
            SimError::Shared { bytes, limit } => write!(f, "{bytes} bytes of shared memory, of at most {limit}"),
            SimError::TooLarge { estimate, budget } => {
                write!(f, "about {estimate} instructions of warps, more than the budget of {budget}")
            }
            SimError::Incomplete { done, ctas } => {
                write!(f, "the simulator failed: {done} of {ctas} blocks came to their end")
            }
            SimError::Launch(e) => e.fmt(f),
            SimError::Faults(report) => {
                for (i, fault) in report.faults.iter().enumerate() {
                    write!(f, "{}{fault}", if i > 0 { "\n" } else { "" })?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for SimError {}

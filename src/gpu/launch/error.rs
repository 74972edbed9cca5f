//! Why there is no launch.

use super::DataType;
use core::fmt;

/// Why a launch description is wrong, or arguments do not fit it. Dimensions are x, y, z.
/// ```
/// use girih::gpu::launch::LaunchError;
/// let e = LaunchError::Grid { grid: [1, 70000, 1], limit: [2147483647, 65535, 65535] };
/// assert_eq!(e.to_string(), "the grid is 1 x 70000 x 1 blocks, the limit 2147483647 x 65535 x 65535: give a block more work");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LaunchError {
    /// The text is no expression or rule.
    Syntax {
        /// the text
        text: String,
        /// the byte where reading stopped
        at: usize,
    },
    /// The JSON is none, or not that of a launch.
    Json {
        /// what, with line and column
        why: String,
    },
    /// Not an identifier of PTX.
    BadName {
        /// the name
        name: String,
    },
    /// Two parameters have this name.
    Duplicate {
        /// the name
        name: String,
    },
    /// An expression or rule names what is no parameter, or one that has no integer value.
    NoValue {
        /// the name
        name: String,
    },
    /// The address of a pointer is used as a number.
    Pointer {
        /// the parameter
        name: String,
        /// the expression or rule
        expr: String,
    },
    /// A buffer at address 0.
    Null {
        /// the parameter
        name: String,
        /// bytes that are said to be there
        bytes: u64,
    },
    /// The address is no multiple of the size of an element.
    Misaligned {
        /// the parameter
        name: String,
        /// its address
        address: u64,
        /// the type of its elements
        to: DataType,
    },
    /// The buffer reaches beyond the last address.
    Wraps {
        /// the parameter
        name: String,
        /// its address
        address: u64,
        /// its bytes
        bytes: u64,
    },
    /// What the kernel writes through one parameter is also another's.
    Overlap {
        /// the parameter that is written
        name: String,
        /// the other
        with: String,
    },
    /// The tensor map is another than the kernel's.
    Tensor {
        /// the parameter
        name: String,
        /// what differs: "box", "steps", "swizzle span in bytes" or "extents", the contiguous mode first
        what: &'static str,
        /// the argument's
        got: Vec<u64>,
        /// the parameter's
        expected: Vec<u64>,
    },
    /// A division by 0.
    DivisionByZero {
        /// the expression
        expr: String,
    },
    /// A value beyond 64 bits.
    Overflow {
        /// the expression
        expr: String,
    },
    /// A dimension of the block or the cluster is 0.
    Empty {
        /// "block" or "cluster"
        what: &'static str,
        /// the dimensions
        dims: [u32; 3],
    },
    /// More or fewer arguments than parameters.
    Count {
        /// arguments
        got: usize,
        /// parameters
        expected: usize,
    },
    /// The argument is of another kind: a pointer, a number, a tensor map.
    Kind {
        /// the parameter
        name: String,
        /// the argument's kind
        got: &'static str,
        /// the parameter's
        expected: &'static str,
    },
    /// The argument, or what the pointer points to, has another width.
    Width {
        /// the parameter
        name: String,
        /// the argument's type
        got: DataType,
        /// the parameter's
        expected: DataType,
    },
    /// The argument, or what the pointer points to, has the width but another type.
    Type {
        /// the parameter
        name: String,
        /// the argument's type
        got: DataType,
        /// the parameter's
        expected: DataType,
    },
    /// The kernel writes what the argument gives for reading.
    ReadOnly {
        /// the parameter
        name: String,
    },
    /// The integer is below 0 where an expression uses it.
    Negative {
        /// the parameter
        name: String,
        /// its argument
        value: i64,
    },
    /// The buffer holds less than the kernel touches.
    TooSmall {
        /// the parameter
        name: String,
        /// bytes of the buffer
        got: u64,
        /// bytes that the rule gives
        expected: u64,
        /// the rule
        rule: String,
    },
    /// A side condition does not hold.
    Condition {
        /// the rule
        rule: String,
        /// its left side
        left: u64,
        /// what to do
        message: String,
    },
    /// More blocks than the device takes.
    Grid {
        /// blocks
        grid: [u64; 3],
        /// at most
        limit: [u32; 3],
    },
    /// More threads in a block than the device takes.
    Block {
        /// threads
        block: [u32; 3],
        /// at most, for each dimension
        limit: [u32; 3],
        /// at most, together
        threads: u32,
    },
    /// More blocks in a cluster than the device takes.
    Cluster {
        /// blocks
        cluster: [u32; 3],
        /// at most, together; 1: no clusters
        limit: u32,
    },
    /// The grid is no multiple of the cluster.
    ClusterGrid {
        /// blocks
        grid: [u64; 3],
        /// blocks of a cluster
        cluster: [u32; 3],
    },
    /// More shared memory than a block may have.
    Shared {
        /// static bytes
        fixed: u32,
        /// dynamic bytes
        dynamic: u32,
        /// at most, together
        limit: u32,
    },
}

impl fmt::Display for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use LaunchError::*;
        match self {
            Syntax { text, at } => write!(
                f,
                "'{text}', byte {at}: expected numbers, names, ceil(x / n), + and *, and in a rule 'x % n == 0' or 'x <= y'"
            ),
            Json { why } => write!(f, "not a launch description: {why}"),
            BadName { name } => {
                write!(
                    f,
                    "'{name}' is no name: a letter, then letters, digits, _ and $, or one of _, $ and % and then some of these"
                )
            }
            Duplicate { name } => write!(f, "two parameters are named {name}"),
            NoValue { name } => write!(f, "{name} has no integer value: name an integer parameter"),
            Pointer { name, expr } => {
                write!(f, "{expr}: {name} is an address, and only its alignment may be asked: {name} % 16 == 0")
            }
            Null { name, bytes } => write!(f, "{name} is null, and said to have {bytes} bytes"),
            Misaligned { name, address, to } => {
                write!(f, "{name} is at {address:#x}, which is no multiple of the {} bytes of its {to}", to.bits() / 8)
            }
            Wraps { name, address, bytes } => {
                write!(f, "{name} is at {address:#x}, and {bytes} bytes from there reach beyond the last address")
            }
            Overlap { name, with } => {
                write!(f, "the kernel writes {name}, which overlaps {with}: give it memory of its own")
            }
            Tensor { name, what, got, expected } => {
                write!(
                    f,
                    "the tensor map {name} has the {what} {got:?}, the kernel's is {expected:?}: are two maps swapped?"
                )
            }
            DivisionByZero { expr } => write!(f, "{expr} divides by 0"),
            Overflow { expr } => write!(f, "{expr} is beyond 64 bits"),
            Empty { what, dims } => write!(f, "the {what} {} has a dimension 0", by(dims)),
            Count { got, expected } => write!(f, "{got} arguments for {expected} parameters"),
            Kind { name, got, expected } => write!(f, "{name} is {expected}, the argument is {got}"),
            Width { name, got, expected } => {
                write!(f, "{name} is {expected} ({} bits), the argument {got} ({} bits)", expected.bits(), got.bits())
            }
            Type { name, got, expected } => write!(f, "{name} is {expected}, the argument {got}"),
            ReadOnly { name } => write!(f, "the kernel writes {name}, which is given for reading: pass it as &mut"),
            Negative { name, value } => write!(f, "{name} is {value}, and the launch counts with it"),
            TooSmall { name, got, expected, rule } => {
                write!(f, "the buffer {name} has {got} bytes, the kernel touches {expected} ({rule})")
            }
            Condition { rule, left, message } => {
                write!(f, "{rule} does not hold, the left side is {left}")?;
                if message.is_empty() { Ok(()) } else { write!(f, ": {message}") }
            }
            Grid { grid, limit } => {
                write!(f, "the grid is {} blocks, the limit {}: give a block more work", by(grid), by(limit))
            }
            Block { block, limit, threads } => {
                write!(f, "the block is {} threads, the limit {} and {threads} together", by(block), by(limit))
            }
            Cluster { cluster, limit: 1 } => write!(f, "a cluster of {}: the device has no clusters", by(cluster)),
            Cluster { cluster, limit } => {
                write!(f, "the cluster is {} blocks, the limit {limit} together", by(cluster))
            }
            ClusterGrid { grid, cluster } => {
                write!(f, "the grid {} is no multiple of the cluster {}: round it up", by(grid), by(cluster))
            }
            Shared { fixed, dynamic, limit } => {
                write!(f, "{fixed} static and {dynamic} dynamic bytes of shared memory, a block has at most {limit}")
            }
        }
    }
}

impl core::error::Error for LaunchError {}

fn by<T: fmt::Display>(dims: &[T; 3]) -> String {
    format!("{} x {} x {}", dims[0], dims[1], dims[2])
}

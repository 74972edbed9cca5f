//! Why a description is none.

use crate::gpu::launch::DataType;
use core::fmt;
use std::path::PathBuf;

/// Why words describe no launch, or not one of this kernel.
/// ```
/// use girih::gpu::sim::{DescribeError, Description};
/// let e = "--grid 1 --block 1 f31[4]".parse::<Description>().unwrap_err();
/// assert_eq!(e, DescribeError::Type { name: "f31".into(), text: "f31[4]".into() });
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum DescribeError {
    /// There is no such option.
    Option {
        /// the word
        word: String,
    },
    /// Nothing follows an option.
    NoValue {
        /// the option
        option: String,
    },
    /// An option is given twice.
    Twice {
        /// the option
        option: String,
    },
    /// An option that every launch has is not given.
    Missing {
        /// the option
        option: &'static str,
    },
    /// Not one to three numbers, or one that is 0 or too large.
    Extents {
        /// `--grid` or `--block`
        option: &'static str,
        /// its value
        text: String,
        /// the most in x, y, z
        limits: [u32; 3],
    },
    /// A block has too many threads.
    Threads {
        /// its extents as written
        block: String,
        /// their product
        threads: u64,
        /// the most
        limit: u32,
    },
    /// No number of bytes, or more than a block has.
    Shared {
        /// the value of `--shared`
        got: String,
        /// the most
        limit: u32,
    },
    /// Not of the form `TYPE[COUNT]=FILL`.
    Argument {
        /// the word
        text: String,
    },
    /// No element is of this type.
    Type {
        /// the type's name
        name: String,
        /// the word
        text: String,
    },
    /// A buffer of no elements, or too many.
    Size {
        /// the word
        text: String,
        /// the most bytes
        limit: u64,
    },
    /// Elements cannot be filled so.
    Fill {
        /// the fill
        text: String,
    },
    /// No number is in [LO, HI).
    Bounds {
        /// the fill
        text: String,
    },
    /// `bytes(...)` of something other than pairs of hexadecimal digits.
    Hex {
        /// the word
        text: String,
    },
    /// Not a number of this type.
    Number {
        /// the word
        text: String,
        /// the type
        of: DataType,
    },
    /// A number that the type does not have.
    Range {
        /// the number
        text: String,
        /// the type
        of: DataType,
    },
    /// The file cannot be read.
    File {
        /// its path
        path: PathBuf,
        /// what the system says
        why: String,
    },
    /// The file is not as large as the buffer.
    FileSize {
        /// its path
        path: PathBuf,
        /// its bytes
        got: u64,
        /// the buffer's
        expected: u64,
    },
    /// No one kernel is meant.
    Entry {
        /// the name that is given
        entry: Option<String>,
        /// those of the module
        kernels: Vec<String>,
    },
    /// More or fewer arguments than parameters.
    Count {
        /// the kernel
        kernel: String,
        /// arguments
        got: usize,
        /// parameters
        expected: usize,
    },
    /// A buffer for a parameter that is no address.
    NoPointer {
        /// the parameter
        param: String,
        /// what it is
        shape: String,
    },
    /// Bytes for a parameter of another size.
    Bytes {
        /// the parameter
        param: String,
        /// what it is
        shape: String,
        /// how many bytes are given
        got: usize,
    },
    /// A number for a parameter that takes none.
    NoNumber {
        /// the parameter
        param: String,
        /// what it is
        shape: String,
        /// the number
        text: String,
    },
}

impl fmt::Display for DescribeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use DescribeError::*;
        match self {
            Option { word } => write!(f, "{word}: no such option; there are --grid, --block, --entry, --shared"),
            NoValue { option } => write!(f, "{option}: its value is missing"),
            Twice { option } => write!(f, "{option} is given twice"),
            Missing { option } => write!(f, "{option} is missing: {option} X[,Y[,Z]]"),
            Extents { option, text, limits: [x, y, z] } => {
                write!(f, "{option} {text}: one to three numbers from 1 to {x}, {y}, {z}")
            }
            Threads { block, threads, limit } => write!(f, "--block {block}: {threads} threads, at most {limit}"),
            Shared { got, limit } => write!(f, "--shared {got}: a number of bytes up to {limit}"),
            Argument { text } => write!(f, "{text}: a buffer is TYPE[COUNT] or TYPE[COUNT]=FILL, as f32[64]=iota"),
            Type { name, text } => {
                write!(f, "{text}: no type {name}; there are")?;
                DataType::ALL.iter().try_for_each(|ty| write!(f, " {ty}"))
            }
            Size { text, limit } => write!(f, "{text}: a buffer has at least one element and at most {limit} bytes"),
            Fill { text } => {
                write!(f, "{text}: elements are a number, iota, random(SEED), random(SEED,LO,HI) or @FILE")
            }
            Bounds { text } => write!(f, "{text}: LO and HI are finite numbers of the type, LO below HI"),
            Hex { text } => write!(f, "{text}: two hexadecimal digits for each byte"),
            Number { text, of } => write!(f, "{text}: not a number of type {of}"),
            Range { text, of } => write!(f, "{text}: out of the range of {of}"),
            File { path, why } => write!(f, "{}: {why}", path.display()),
            FileSize { path, got, expected } => {
                write!(f, "{}: {got} bytes, the buffer has {expected}", path.display())
            }
            Entry { kernels, .. } if kernels.is_empty() => write!(f, "the module has no kernel"),
            Entry { entry: Some(entry), kernels } => {
                write!(f, "no kernel {entry}; there are {}", kernels.join(", "))
            }
            Entry { entry: None, kernels } => write!(f, "--entry says which kernel: {}", kernels.join(", ")),
            Count { kernel, got, expected } => {
                write!(f, "{kernel} has {expected} parameters, {got} arguments are given")
            }
            NoPointer { param, shape } => {
                write!(f, "{param} is a {shape}, which takes no buffer: an address has 64 bits")
            }
            Bytes { param, shape, got } => write!(f, "{param} is a {shape}, {got} bytes are given"),
            NoNumber { param, shape, text } => {
                write!(f, "{param} is a {shape}, which takes bytes(...), not {text}")
            }
        }
    }
}

impl core::error::Error for DescribeError {}

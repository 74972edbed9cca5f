//! Why the device did not do it.

use crate::gpu::launch::LaunchError;
use crate::gpu::tensor_map::TensorMapError;
use core::fmt;
use cudarc::driver::DriverError;
use cudarc::driver::sys::CUresult;

/// Why the device did not do it.
/// ```
/// use girih::gpu::device::DeviceError;
/// let e = DeviceError::Range { start: 8, end: 12, len: 10 };
/// assert_eq!(e.to_string(), "elements 8 to 12 of a buffer of 10");
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum DeviceError {
    /// The CUDA driver's library is not there, or it finds no device.
    NoDriver,
    /// The driver is older than CUDA 12.4.
    OldDriver {
        /// the CUDA version that it supports, 1000 major + 10 minor
        version: i32,
    },
    /// No device of this number.
    NoDevice {
        /// the number
        ordinal: usize,
        /// devices that there are
        count: usize,
    },
    /// The PTX is not accepted. Shows the lines that the log names.
    Ptx {
        /// the driver's log
        log: String,
        /// lines of the PTX that it names, from 1 on, with their text
        lines: Vec<(usize, String)>,
    },
    /// The module has no such kernel.
    NoEntry {
        /// its name
        entry: String,
    },
    /// The kernel has other parameters than its description says.
    Signature {
        /// the kernel
        entry: String,
        /// bytes of each of its parameters
        got: Vec<usize>,
        /// as described
        expected: Vec<usize>,
    },
    /// The PTX demands another cluster than the description says.
    Cluster {
        /// the kernel
        entry: String,
        /// blocks of a cluster, as the PTX demands
        got: [u32; 3],
        /// as described
        expected: [u32; 3],
    },
    /// An argument is of memory for which nobody vouches.
    Foreign {
        /// the parameter
        name: String,
    },
    /// A graph is being captured from the stream: its work would run later, when buffers may be gone.
    Capturing,
    /// The time from an event to an earlier one.
    Earlier {
        /// from the one to the other
        milliseconds: f32,
    },
    /// The description is wrong or the arguments do not fit it.
    Launch(LaunchError),
    /// The tensor map does not fit the buffer.
    TensorMap(TensorMapError),
    /// The device has not so much memory left.
    OutOfMemory {
        /// bytes that were asked for
        bytes: usize,
    },
    /// Elements beyond a buffer.
    Range {
        /// the first
        start: usize,
        /// after the last
        end: usize,
        /// elements of the buffer
        len: usize,
    },
    /// More bytes than an address counts.
    TooLarge {
        /// elements
        len: usize,
        /// bytes of each
        width: usize,
    },
    /// Two things of different devices meet.
    OtherDevice {
        /// the device of the one
        got: usize,
        /// of the other
        expected: usize,
    },
    /// A kernel went wrong while it ran: the driver refuses this device to the process from now on.
    Fault {
        /// the driver's name for it
        name: String,
        /// and its explanation
        text: String,
    },
    /// The driver refuses something else.
    Driver {
        /// what was asked
        call: &'static str,
        /// the driver's name for the error
        name: String,
        /// and its explanation
        text: String,
    },
}

impl DeviceError {
    /// The driver's answer to `call`.
    pub(super) fn driver(call: &'static str) -> impl Fn(DriverError) -> DeviceError {
        move |e| {
            let text = |s: Result<&core::ffi::CStr, DriverError>| {
                s.map(|s| s.to_string_lossy().into_owned()).unwrap_or_else(|_| format!("error {}", e.0 as u32))
            };
            let (name, text) = (text(e.error_name()), text(e.error_string()));
            use CUresult::*;
            match e.0 {
                CUDA_ERROR_ILLEGAL_ADDRESS
                | CUDA_ERROR_LAUNCH_TIMEOUT
                | CUDA_ERROR_ASSERT
                | CUDA_ERROR_HARDWARE_STACK_ERROR
                | CUDA_ERROR_ILLEGAL_INSTRUCTION
                | CUDA_ERROR_MISALIGNED_ADDRESS
                | CUDA_ERROR_INVALID_ADDRESS_SPACE
                | CUDA_ERROR_INVALID_PC
                | CUDA_ERROR_LAUNCH_FAILED => DeviceError::Fault { name, text },
                _ => DeviceError::Driver { call, name, text },
            }
        }
    }

    /// The driver's log about a PTX text.
    pub(super) fn ptx(log: String, ptx: &str) -> DeviceError {
        let mut numbers: Vec<usize> = log
            .match_indices("line ")
            .filter_map(|(at, word)| {
                let digits = &log[at + word.len()..];
                digits[..digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len())].parse().ok()
            })
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        let text = |n: usize| n.checked_sub(1).and_then(|i| ptx.lines().nth(i)).map(|l| (n, l.trim().to_string()));
        DeviceError::Ptx { lines: numbers.into_iter().filter_map(text).collect(), log }
    }
}

impl From<LaunchError> for DeviceError {
    fn from(e: LaunchError) -> DeviceError {
        DeviceError::Launch(e)
    }
}

impl From<TensorMapError> for DeviceError {
    fn from(e: TensorMapError) -> DeviceError {
        DeviceError::TensorMap(e)
    }
}

impl fmt::Display for DeviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use DeviceError::*;
        match self {
            NoDriver => f.write_str("no CUDA driver, or no device: the library libcuda is not found or reports none"),
            OldDriver { version } => {
                write!(f, "the driver supports CUDA {}.{}, needed is 12.4", version / 1000, version % 1000 / 10)
            }
            NoDevice { ordinal, count } => write!(f, "no device {ordinal}, there are {count}"),
            Ptx { log, lines } => {
                write!(f, "the driver does not accept the PTX: {}", log.trim())?;
                lines.iter().try_for_each(|(n, text)| write!(f, "\n{n:>5} | {text}"))
            }
            NoEntry { entry } => write!(f, "the module has no kernel {entry}: is it .visible .entry?"),
            Signature { entry, got, expected } => {
                write!(f, "{entry} has parameters of {got:?} bytes, its description says {expected:?}")
            }
            Cluster { entry, got, expected } => {
                write!(f, "{entry} demands clusters of {got:?} blocks, its description says {expected:?}")
            }
            Foreign { name } => {
                write!(
                    f,
                    "{name} is an address that no buffer of the device backs: pass a buffer, or vouch for it (Arg::on)"
                )
            }
            Capturing => f.write_str("a graph is being captured from the stream: end that first"),
            Earlier { milliseconds } => {
                write!(f, "this event was {} ms before the other: ask the other", milliseconds.abs())
            }
            Launch(e) => e.fmt(f),
            TensorMap(e) => e.fmt(f),
            OutOfMemory { bytes } => write!(f, "the device has no {bytes} bytes left"),
            Range { start, end, len } => write!(f, "elements {start} to {end} of a buffer of {len}"),
            TooLarge { len, width } => write!(f, "{len} elements of {width} bytes are more than an address counts"),
            OtherDevice { got, expected } => write!(f, "something of device {got} is used on device {expected}"),
            Fault { name, text } => {
                write!(f, "a kernel went wrong while it ran, and the device is lost to this process: {text} ({name})")
            }
            Driver { call, name, text } => write!(f, "{call}: {text} ({name})"),
        }
    }
}

impl core::error::Error for DeviceError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            DeviceError::Launch(e) => Some(e),
            DeviceError::TensorMap(e) => Some(e),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_that_a_log_names_are_shown() {
        let ptx = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry f() {\n  add.s33 %r1, %r2, %r3;\n}\n";
        let log = "ptxas application ptx input, line 5; error   : Unexpected instruction types\nptxas application ptx \
                   input, line 5; fatal   : also this; line 99";
        let e = DeviceError::ptx(log.into(), ptx);
        let DeviceError::Ptx { lines, .. } = &e else { panic!("{e:?}") };
        assert_eq!(*lines, [(5, "add.s33 %r1, %r2, %r3;".to_string())]);
        assert!(e.to_string().ends_with("\n    5 | add.s33 %r1, %r2, %r3;"), "{e}");
    }
}

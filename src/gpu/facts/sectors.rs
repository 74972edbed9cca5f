//! Global memory: the sectors and cache lines of a request.

use super::{Access, FactError, Request};
use crate::layout::Drawable;
use core::fmt;
use std::collections::HashSet;

const SECTOR_BYTES: usize = 32;
const LINE_BYTES: usize = 128;

/// Sectors and lines of all requests of a thread-value layout over global memory, in accesses of `bytes` bytes, loads or
/// stores. Offset 0 lies at the start of a line; [`Request::moved`] is for other bases.
///
/// # Errors
/// As [`Request::all`].
/// ```
/// use girih::gpu::facts::sectors;
/// use girih::prelude::*;
/// // a row of floats, and a column of a matrix whose rows are 1024 floats apart
/// let (row, column) = (sectors(&layout!(32:1), 32, 4)?, sectors(&layout!(32:1024), 32, 4)?);
/// assert_eq!((row.sectors(), row.lines(), row.efficiency()), (4, 1, 1.0));
/// assert_eq!((column.sectors(), column.lines(), column.efficiency()), (32, 32, 0.125));
/// assert_eq!(column.to_string(), "1 request: 32 sectors of 32 lines, 128 of 1024 bytes used (12.5 %)");
/// # Ok::<(), girih::gpu::facts::FactError>(())
/// ```
pub fn sectors(layout: &(impl Drawable + ?Sized), bits: usize, bytes: usize) -> Result<Sectors, FactError> {
    let requests = Request::all(layout, bits, Access::Load(bytes))?;
    Ok(Sectors { requests: requests.iter().map(Request::sectors).collect::<Result<_, _>>()? })
}

/// The sectors of several requests. Displays the sum.
/// ```
/// # use girih::gpu::facts::sectors;
/// # use girih::prelude::*;
/// assert_eq!(sectors(&layout!((32,4):(4,1)), 32, 4)?.requests.len(), 4);
/// # Ok::<(), girih::gpu::facts::FactError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sectors {
    /// For each warp, for each access of its values.
    pub requests: Vec<RequestSectors>,
}

/// What one request touches.
/// ```
/// # use girih::gpu::facts::{Access, Request};
/// let pair = Request::new(Access::Load(8), &[Some(24), Some(128)])?;
/// let touched = pair.sectors()?;
/// assert_eq!((touched.sectors, touched.lines, touched.bytes), (2, 2, 16));
/// # Ok::<(), girih::gpu::facts::FactError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RequestSectors {
    /// 32-byte sectors that it touches: the profiler's `l1tex__t_sectors_pipe_lsu_mem_global_op_ld` (`_op_st`)
    pub sectors: usize,
    /// 128-byte lines that it touches: the profiler's `l1tex__t_set_accesses_pipe_lsu_mem_global_op_ld` (`_op_st`)
    pub lines: usize,
    /// bytes that it asks for, each counted once
    pub bytes: usize,
}

impl Request {
    /// What the request touches in global memory.
    ///
    /// # Errors
    /// It is a matrix instruction, which has shared memory only.
    /// ```
    /// # use girih::gpu::facts::{Access, Request};
    /// let broadcast = Request::new(Access::Load(4), &[Some(64); 32])?.sectors()?;
    /// assert_eq!((broadcast.sectors, broadcast.bytes), (1, 4));
    /// # Ok::<(), girih::gpu::facts::FactError>(())
    /// ```
    pub fn sectors(&self) -> Result<RequestSectors, FactError> {
        let access = self.access();
        if access.is_matrix() {
            return Err(FactError::NotGlobal { access });
        }
        // an aligned access lies in one sector
        let touched = |of: usize| self.lanes().map(|(_, address)| address / of as i64).collect::<HashSet<_>>().len();
        let bytes = access.bytes();
        Ok(RequestSectors { sectors: touched(SECTOR_BYTES), lines: touched(LINE_BYTES), bytes: bytes * touched(bytes) })
    }
}

impl Sectors {
    /// Sectors of all requests.
    /// ```
    /// # use girih::gpu::facts::sectors;
    /// # use girih::prelude::*;
    /// assert_eq!(sectors(&layout!((32,4):(4,1)), 32, 16)?.sectors(), 16);
    /// # Ok::<(), girih::gpu::facts::FactError>(())
    /// ```
    pub fn sectors(&self) -> usize {
        self.requests.iter().map(|r| r.sectors).sum()
    }

    /// Lines of all requests.
    /// ```
    /// # use girih::gpu::facts::sectors;
    /// # use girih::prelude::*;
    /// assert_eq!(sectors(&layout!((32,4):(4,1)), 32, 16)?.lines(), 4);
    /// # Ok::<(), girih::gpu::facts::FactError>(())
    /// ```
    pub fn lines(&self) -> usize {
        self.requests.iter().map(|r| r.lines).sum()
    }

    /// Bytes that the requests ask for, each counted once for each request.
    /// ```
    /// # use girih::gpu::facts::sectors;
    /// # use girih::prelude::*;
    /// assert_eq!(sectors(&layout!((32,4):(4,1)), 32, 16)?.bytes(), 512);
    /// # Ok::<(), girih::gpu::facts::FactError>(())
    /// ```
    pub fn bytes(&self) -> usize {
        self.requests.iter().map(|r| r.bytes).sum()
    }

    /// The part of the moved bytes that was asked for: 1.0 when every sector is used up.
    /// ```
    /// # use girih::gpu::facts::sectors;
    /// # use girih::prelude::*;
    /// assert_eq!(sectors(&layout!(32:2), 32, 4)?.efficiency(), 0.5);
    /// # Ok::<(), girih::gpu::facts::FactError>(())
    /// ```
    pub fn efficiency(&self) -> f64 {
        self.bytes() as f64 / (SECTOR_BYTES * self.sectors()) as f64
    }
}

impl fmt::Display for Sectors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (requests, sectors) = (self.requests.len(), self.sectors());
        let s = |n: usize| if n == 1 { "" } else { "s" };
        write!(f, "{requests} request{}: {sectors} sector{} ", s(requests), s(sectors))?;
        write!(f, "of {} line{}, {} of ", self.lines(), s(self.lines()), self.bytes())?;
        write!(f, "{} bytes used ({:.1} %)", SECTOR_BYTES * sectors, 100.0 * self.efficiency())
    }
}

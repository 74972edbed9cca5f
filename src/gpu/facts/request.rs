//! What one instruction of one warp asks of memory.

use super::FactError;
use crate::layout::{Drawable, LayoutError};
use core::fmt;

pub(crate) const WARP: usize = 32;

/// Most values of a layout that are looked at.
/// ```
/// # use girih::gpu::facts::{Access, VALUES, sectors};
/// # use girih::prelude::*;
/// assert_eq!(VALUES, 1 << 20);
/// assert!(sectors(&layout!((1024,1025):(1,1024)), 32, 4).is_err());
/// ```
pub const VALUES: i64 = 1 << 20;

/// A memory instruction, as far as its cost depends on it.
/// ```
/// # use girih::gpu::facts::Access;
/// assert_eq!(Access::Store(8).to_string(), "a store of 8 bytes");
/// assert_eq!(Access::Ldmatrix(4).bytes(), 16); // of each lane that holds a row
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    /// A load of 1, 2, 4, 8 or 16 bytes to a lane.
    Load(usize),
    /// A store of 1, 2, 4, 8 or 16 bytes to a lane.
    Store(usize),
    /// `ldmatrix` of 1, 2 or 4 matrices of 8 rows of 16 bytes, with or without `.trans`: lane `8*i + r` holds the address of
    /// row `r` of matrix `i`.
    Ldmatrix(usize),
    /// `stmatrix`, likewise.
    Stmatrix(usize),
}

impl Access {
    /// Bytes at each address.
    /// ```
    /// # use girih::gpu::facts::Access;
    /// assert_eq!((Access::Load(2).bytes(), Access::Stmatrix(1).bytes()), (2, 16));
    /// ```
    pub const fn bytes(self) -> usize {
        match self {
            Access::Load(bytes) | Access::Store(bytes) => bytes,
            Access::Ldmatrix(_) | Access::Stmatrix(_) => 16,
        }
    }

    /// Lanes whose addresses are used.
    pub(super) const fn lanes(self) -> usize {
        match self {
            Access::Load(_) | Access::Store(_) => WARP,
            Access::Ldmatrix(count) | Access::Stmatrix(count) => 8 * count,
        }
    }

    pub(super) const fn is_matrix(self) -> bool {
        matches!(self, Access::Ldmatrix(_) | Access::Stmatrix(_))
    }

    pub(super) const fn check(self) -> Result<(), FactError> {
        match self {
            Access::Load(1 | 2 | 4 | 8 | 16) | Access::Store(1 | 2 | 4 | 8 | 16) => Ok(()),
            Access::Ldmatrix(1 | 2 | 4) | Access::Stmatrix(1 | 2 | 4) => Ok(()),
            Access::Load(bytes) | Access::Store(bytes) => Err(FactError::Width { bytes }),
            Access::Ldmatrix(count) | Access::Stmatrix(count) => Err(FactError::Matrices { count }),
        }
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = |n: usize| if n == 1 { "byte" } else { "bytes" };
        match *self {
            Access::Load(n) => write!(f, "a load of {n} {}", bytes(n)),
            Access::Store(n) => write!(f, "a store of {n} {}", bytes(n)),
            Access::Ldmatrix(n) => write!(f, "ldmatrix.x{n}"),
            Access::Stmatrix(n) => write!(f, "stmatrix.x{n}"),
        }
    }
}

/// One instruction of one warp: the byte address of each active lane, aligned to the access and at least 0.
/// ```
/// use girih::gpu::facts::{Access, Request};
/// // lanes 0 and 31 load 4 bytes each, one bank apart
/// let mut addresses = [None; 32];
/// (addresses[0], addresses[31]) = (Some(0), Some(132));
/// let request = Request::new(Access::Load(4), &addresses)?;
/// assert_eq!(request.banks().wavefronts(), 1);
/// # Ok::<(), girih::gpu::facts::FactError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Request {
    access: Access,
    addresses: [Option<i64>; WARP],
}

impl Request {
    /// From the address of each lane, `None` for an inactive one; lanes beyond the slice are inactive.
    ///
    /// # Errors
    /// The access has no such width; an address is negative, misaligned or at the end of the 64 bits; there are more than 32
    /// lanes, or a matrix instruction lacks the address of a row (it ignores those of further lanes).
    /// ```
    /// use girih::gpu::facts::{Access, FactError, Request};
    /// let e = Request::new(Access::Load(16), &[Some(0), Some(8)]).unwrap_err();
    /// assert_eq!(e, FactError::Misaligned { lane: 1, address: 8, bytes: 16 });
    /// ```
    pub fn new(access: Access, addresses: &[Option<i64>]) -> Result<Request, FactError> {
        access.check()?;
        if addresses.len() > WARP {
            return Err(FactError::Lanes { lanes: addresses.len() });
        }
        let mut request = Request { access, addresses: [None; WARP] };
        for lane in 0..access.lanes() {
            let Some(address) = addresses.get(lane).copied().flatten() else {
                if access.is_matrix() {
                    return Err(FactError::NoAddress { lane, access });
                }
                continue;
            };
            let bytes = access.bytes();
            if address < 0 {
                return Err(FactError::Negative { lane, address });
            }
            if address % bytes as i64 != 0 {
                return Err(FactError::Misaligned { lane, address, bytes });
            }
            address.checked_add(bytes as i64).ok_or(LayoutError::Overflow)?;
            request.addresses[lane] = Some(address);
        }
        Ok(request)
    }

    /// The requests of a thread-value layout, in order: for each 32 threads, for each access of their values. Mode 0 is the
    /// thread, the other modes are its values, offsets count elements of `bits` bits.
    ///
    /// # Errors
    /// As [`Request::new`]; the values of one access are not consecutive, those of a thread no whole number of accesses;
    /// the layout has no integer values or more than [`VALUES`] of them.
    /// ```
    /// use girih::gpu::facts::{Access, Request};
    /// use girih::prelude::*;
    /// // 64 threads, each 8 halves of a row: two warps, one request each
    /// let requests = Request::all(&layout!((64,8):(64,1)), 16, Access::Load(16))?;
    /// assert_eq!(requests.len(), 2);
    /// assert_eq!(requests[1].address(0), Some(32 * 64 * 2));
    /// # Ok::<(), girih::gpu::facts::FactError>(())
    /// ```
    pub fn all(layout: &(impl Drawable + ?Sized), bits: usize, access: Access) -> Result<Vec<Request>, FactError> {
        access.check()?;
        let bytes = access.bytes();
        if bits == 0 || !(8 * bytes).is_multiple_of(bits) {
            return Err(FactError::Element { bits, bytes });
        }
        let vector = 8 * bytes / bits;
        let table = Offsets::new(layout)?;
        if !table.values().is_multiple_of(vector) {
            return Err(FactError::Ragged { values: table.values(), access: vector });
        }
        let mut requests = Vec::new();
        for first in (0..table.threads).step_by(WARP) {
            for value in (0..table.values()).step_by(vector) {
                let threads = first..table.threads.min(first + WARP);
                let address = |thread| table.address(thread, value, vector, bits, thread - first);
                let addresses = threads.map(|thread| address(thread).map(Some)).collect::<Result<Vec<_>, _>>()?;
                requests.push(Request::new(access, &addresses)?);
            }
        }
        Ok(requests)
    }

    /// The instruction.
    /// ```
    /// # use girih::gpu::facts::{Access, Request};
    /// assert_eq!(Request::new(Access::Load(4), &[Some(8)])?.access(), Access::Load(4));
    /// # Ok::<(), girih::gpu::facts::FactError>(())
    /// ```
    pub const fn access(&self) -> Access {
        self.access
    }

    /// The address of a lane, if it is active.
    /// ```
    /// # use girih::gpu::facts::{Access, Request};
    /// let request = Request::new(Access::Load(4), &[Some(8)])?;
    /// assert_eq!((request.address(0), request.address(1)), (Some(8), None));
    /// # Ok::<(), girih::gpu::facts::FactError>(())
    /// ```
    pub fn address(&self, lane: usize) -> Option<i64> {
        self.addresses.get(lane).copied().flatten()
    }

    /// The same request `bytes` further on.
    ///
    /// # Errors
    /// As [`Request::new`].
    /// ```
    /// use girih::gpu::facts::{Access, Request};
    /// use girih::prelude::*;
    /// let row = Request::all(&layout!(32:1), 32, Access::Load(4))?[0];
    /// // a row of floats that starts in the middle of a sector touches one more
    /// assert_eq!((row.sectors()?.sectors, row.moved(16)?.sectors()?.sectors), (4, 5));
    /// # Ok::<(), girih::gpu::facts::FactError>(())
    /// ```
    pub fn moved(&self, bytes: i64) -> Result<Request, FactError> {
        self.map(|address| Ok(address.checked_add(bytes).ok_or(LayoutError::Overflow)?))
    }

    /// Other addresses for the same lanes.
    pub(super) fn map(&self, to: impl Fn(i64) -> Result<i64, FactError>) -> Result<Request, FactError> {
        let mut addresses = self.addresses;
        for address in addresses.iter_mut().flatten() {
            *address = to(*address)?;
        }
        Request::new(self.access, &addresses)
    }

    /// Active lanes and their addresses.
    pub(super) fn lanes(&self) -> impl Iterator<Item = (usize, i64)> {
        self.addresses.iter().enumerate().filter_map(|(lane, &address)| Some((lane, address?)))
    }
}

/// A thread-value layout, evaluated.
pub(super) struct Offsets {
    pub threads: usize,
    /// threads fastest
    offsets: Vec<i64>,
}

impl Offsets {
    pub fn new(layout: &(impl Drawable + ?Sized)) -> Result<Offsets, FactError> {
        let shape = layout.shape();
        let known = |n: crate::layout::Int| n.value().ok_or(LayoutError::Undecided);
        let (size, threads) = (known(shape.product()?)?, known(shape.mode(0)?.product()?)?);
        if size > VALUES {
            return Err(FactError::TooLarge { values: size });
        }
        let offset = |i| layout.value(i)?.as_int().ok_or(LayoutError::Codomain);
        let offsets = (0..size).map(offset).collect::<Result<Vec<_>, LayoutError>>()?;
        match offsets.is_empty() {
            true => Err(LayoutError::BadExtent { leaf: 0, extent: size }.into()),
            false => Ok(Offsets { threads: threads as usize, offsets }),
        }
    }

    /// Values of each thread.
    pub fn values(&self) -> usize {
        self.offsets.len() / self.threads
    }

    pub fn at(&self, thread: usize, value: usize) -> i64 {
        self.offsets[thread + self.threads * value]
    }

    /// Address of `vector` consecutive values.
    fn address(&self, thread: usize, value: usize, vector: usize, bits: usize, lane: usize) -> Result<i64, FactError> {
        let first = self.at(thread, value);
        for v in 1..vector {
            let (got, expected) = (self.at(thread, value + v), first.saturating_add(v as i64));
            if got != expected {
                return Err(FactError::NotConsecutive { thread, value: value + v, got, expected });
            }
        }
        let bit = first.checked_mul(bits as i64).ok_or(LayoutError::Overflow)?;
        if bit % 8 == 0 { Ok(bit / 8) } else { Err(FactError::InsideByte { lane, bit }) }
    }
}

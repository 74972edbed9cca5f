//! Shared-memory banks: how many wavefronts a request takes, and which lanes are to blame.

use super::request::WARP;
use super::{Access, FactError, Request};
use crate::layout::Drawable;
use core::fmt;

pub(super) const BANKS: usize = 32;
const BANK_BYTES: i64 = 4;
/// What one phase delivers at most.
pub(super) const PHASE_BYTES: usize = 128;

/// Bank conflicts of all requests of a thread-value layout over shared memory (see the [module](super) for the model).
///
/// # Errors
/// As [`Request::all`].
/// ```
/// use girih::gpu::facts::{Access, banks};
/// use girih::prelude::*;
/// // ldmatrix.x4 reads a 16 x 16 part of a tile of halves: lane l gives row l%16, 8 halves from column 0 or 8
/// let rows = layout!(((16,2),8):((64,8),1));
/// let plain = banks(&rows, 16, Access::Ldmatrix(4))?;
/// assert_eq!((plain.wavefronts(), plain.conflicts(), plain.ways()), (32, 28, 8));
/// let swizzled = rows.swizzled(&"S<3,3,3>".parse()?)?;
/// assert_eq!(banks(&swizzled, 16, Access::Ldmatrix(4))?.conflicts(), 0);
/// assert_eq!(
///     plain.to_string(),
///     "ldmatrix.x4: 32 wavefronts, 4 without conflicts\n\
///      lanes 0-7: 8 ways, lane 0 (byte 0) meets lane 1 (byte 128) in bank 0"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn banks(layout: &(impl Drawable + ?Sized), bits: usize, access: Access) -> Result<Banks, FactError> {
    let requests = Request::all(layout, bits, access)?;
    Ok(Banks { requests: requests.iter().map(Request::banks).collect() })
}

/// The bank conflicts of several requests. Displays the sum and the worst phase.
/// ```
/// # use girih::gpu::facts::{Access, banks};
/// # use girih::prelude::*;
/// // each thread loads two floats, 32 words from the next thread's: two requests
/// let two = banks(&layout!((32,2):(32,1)), 32, Access::Load(4))?;
/// assert_eq!((two.requests.len(), two.wavefronts(), two.conflicts(), two.ways()), (2, 64, 62, 32));
/// # Ok::<(), girih::gpu::facts::FactError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Banks {
    /// For each warp, for each access of its values.
    pub requests: Vec<RequestBanks>,
}

/// How one request is served.
/// ```
/// # use girih::gpu::facts::{Access, Request};
/// // 16 bytes a lane, all the same: two phases of 16 lanes in a load, four of 8 in a store
/// let served = |access| Request::new(access, &[Some(0); 32]).map(|r| r.banks().phases.len());
/// assert_eq!((served(Access::Load(16))?, served(Access::Store(16))?), (2, 4));
/// # Ok::<(), girih::gpu::facts::FactError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RequestBanks {
    /// the instruction
    pub access: Access,
    /// those with active lanes
    pub phases: Vec<Phase>,
}

/// Lanes that are served together: in one wavefront, if no two of them want different words of one bank.
/// ```
/// # use girih::gpu::facts::{Access, Request};
/// let phase = &Request::new(Access::Load(4), &[Some(0), Some(4), Some(128)])?.banks().phases[0];
/// assert_eq!((phase.ways, phase.crowded, phase.lanes.clone()), (2, 1 << 0, vec![0, 1, 2]));
/// # Ok::<(), girih::gpu::facts::FactError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Phase {
    /// the active ones
    pub lanes: Vec<usize>,
    /// its wavefronts: the most different words in one bank
    pub ways: usize,
    /// banks with several different words: bit `b` for bank `b`
    pub crowded: u32,
    /// the first two lanes that want different words of the fullest bank
    pub worst: Option<Meeting>,
}

/// Two lanes that want different words of one bank.
/// ```
/// # use girih::gpu::facts::{Access, Request};
/// let served = Request::new(Access::Load(4), &[Some(0), Some(4), Some(128)])?.banks();
/// let worst = served.worst().and_then(|phase| phase.worst);
/// assert_eq!(worst.map(|m| m.to_string()).as_deref(), Some("lane 0 (byte 0) meets lane 2 (byte 128) in bank 0"));
/// # Ok::<(), girih::gpu::facts::FactError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Meeting {
    /// where
    pub bank: usize,
    /// who
    pub lanes: [usize; 2],
    /// the byte addresses of their accesses
    pub addresses: [i64; 2],
}

impl Request {
    /// How shared memory serves this request.
    /// ```
    /// # use girih::gpu::facts::{Access, Request};
    /// let strided: Vec<_> = (0..32).map(|lane| Some(lane * 8)).collect();
    /// assert_eq!(Request::new(Access::Load(4), &strided)?.banks().wavefronts(), 2);
    /// # Ok::<(), girih::gpu::facts::FactError>(())
    /// ```
    pub fn banks(&self) -> RequestBanks {
        let access = self.access();
        let mut lanes = PHASE_BYTES.min(WARP * access.bytes()) / access.bytes();
        if matches!(access, Access::Load(8 | 16)) && (self.pairs_up(1) || self.pairs_up(2)) {
            lanes *= 2;
        }
        let mut phases = Vec::new();
        for first in (0..WARP).step_by(lanes) {
            let active: Vec<_> = self.lanes().filter(|(lane, _)| (first..first + lanes).contains(lane)).collect();
            if !active.is_empty() {
                phases.push(Phase::new(&active, access.bytes()));
            }
        }
        RequestBanks { access, phases }
    }

    /// No lane `i` differs from lane `i ^ distance`.
    fn pairs_up(&self, distance: usize) -> bool {
        self.lanes().all(|(lane, address)| self.address(lane ^ distance).is_none_or(|other| other == address))
    }
}

/// The words of an access.
pub(super) fn words(address: i64, bytes: usize) -> core::ops::RangeInclusive<i64> {
    address / BANK_BYTES..=(address + bytes as i64 - 1) / BANK_BYTES
}

impl Phase {
    fn new(active: &[(usize, i64)], bytes: usize) -> Phase {
        let mut wanted: [Vec<i64>; BANKS] = Default::default();
        for word in active.iter().flat_map(|&(_, address)| words(address, bytes)) {
            let bank = &mut wanted[word as usize % BANKS];
            if !bank.contains(&word) {
                bank.push(word);
            }
        }
        let ways = wanted.iter().map(Vec::len).max().unwrap_or(0);
        let crowded = (0..BANKS).filter(|&b| wanted[b].len() > 1).fold(0, |mask, b| mask | 1 << b);
        let fullest = wanted.iter().position(|w| w.len() == ways && ways > 1);
        let worst = fullest.and_then(|bank| {
            let holder = |word: i64| active.iter().find(|&&(_, address)| words(address, bytes).contains(&word));
            let (first, second) = (holder(wanted[bank][0])?, holder(wanted[bank][1])?);
            Some(Meeting { bank, lanes: [first.0, second.0], addresses: [first.1, second.1] })
        });
        Phase { lanes: active.iter().map(|a| a.0).collect(), ways, crowded, worst }
    }
}

impl RequestBanks {
    /// Wavefronts that it takes: the profiler's `l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld` (`_op_st`).
    /// ```
    /// # use girih::gpu::facts::{Access, Request};
    /// assert_eq!(Request::new(Access::Load(4), &[Some(0), Some(128)])?.banks().wavefronts(), 2);
    /// # Ok::<(), girih::gpu::facts::FactError>(())
    /// ```
    pub fn wavefronts(&self) -> usize {
        self.phases.iter().map(|p| p.ways).sum()
    }

    /// Wavefronts without any conflict: one for each phase.
    /// ```
    /// # use girih::gpu::facts::{Access, Request};
    /// assert_eq!(Request::new(Access::Load(4), &[Some(0), Some(128)])?.banks().ideal(), 1);
    /// # Ok::<(), girih::gpu::facts::FactError>(())
    /// ```
    pub fn ideal(&self) -> usize {
        self.phases.len()
    }

    /// Wavefronts above the ideal: the profiler's `l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld` (`_op_st`).
    /// ```
    /// # use girih::gpu::facts::{Access, Request};
    /// assert_eq!(Request::new(Access::Load(4), &[Some(0), Some(128)])?.banks().conflicts(), 1);
    /// # Ok::<(), girih::gpu::facts::FactError>(())
    /// ```
    pub fn conflicts(&self) -> usize {
        self.wavefronts() - self.ideal()
    }

    /// The phase that takes longest, the first of several.
    /// ```
    /// # use girih::gpu::facts::{Access, Request};
    /// let served = Request::new(Access::Store(8), &[Some(0), Some(128)])?.banks();
    /// assert_eq!(served.worst().map(|phase| phase.ways), Some(2));
    /// # Ok::<(), girih::gpu::facts::FactError>(())
    /// ```
    pub fn worst(&self) -> Option<&Phase> {
        self.phases.iter().rev().max_by_key(|p| p.ways)
    }
}

impl Banks {
    /// Wavefronts of all requests.
    /// ```
    /// # use girih::gpu::facts::{Access, banks};
    /// # use girih::prelude::*;
    /// assert_eq!(banks(&layout!((32,4):(4,1)), 32, Access::Load(16))?.wavefronts(), 4);
    /// # Ok::<(), girih::gpu::facts::FactError>(())
    /// ```
    pub fn wavefronts(&self) -> usize {
        self.requests.iter().map(RequestBanks::wavefronts).sum()
    }

    /// Wavefronts without any conflict.
    /// ```
    /// # use girih::gpu::facts::{Access, banks};
    /// # use girih::prelude::*;
    /// assert_eq!(banks(&layout!((32,4):(32,1)), 32, Access::Load(16))?.ideal(), 4);
    /// # Ok::<(), girih::gpu::facts::FactError>(())
    /// ```
    pub fn ideal(&self) -> usize {
        self.requests.iter().map(RequestBanks::ideal).sum()
    }

    /// Wavefronts above the ideal.
    /// ```
    /// # use girih::gpu::facts::{Access, banks};
    /// # use girih::prelude::*;
    /// assert_eq!(banks(&layout!((32,4):(32,1)), 32, Access::Load(16))?.conflicts(), 28);
    /// # Ok::<(), girih::gpu::facts::FactError>(())
    /// ```
    pub fn conflicts(&self) -> usize {
        self.wavefronts() - self.ideal()
    }

    /// Wavefronts of the worst phase: 1 without conflicts.
    /// ```
    /// # use girih::gpu::facts::{Access, banks};
    /// # use girih::prelude::*;
    /// assert_eq!(banks(&layout!(32:16), 32, Access::Load(4))?.ways(), 16);
    /// # Ok::<(), girih::gpu::facts::FactError>(())
    /// ```
    pub fn ways(&self) -> usize {
        self.requests.iter().filter_map(RequestBanks::worst).map(|p| p.ways).max().unwrap_or(0)
    }
}

impl fmt::Display for Meeting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Meeting { bank, lanes: [a, b], addresses: [x, y] } = self;
        write!(f, "lane {a} (byte {x}) meets lane {b} (byte {y}) in bank {bank}")
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ways = if self.ways == 1 { "way" } else { "ways" };
        match self.lanes[..] {
            [lane] => write!(f, "lane {lane}")?,
            [first, .., last] if last - first + 1 == self.lanes.len() => write!(f, "lanes {first}-{last}")?,
            _ => write!(f, "lanes {}", self.lanes.iter().map(usize::to_string).collect::<Vec<_>>().join(","))?,
        }
        write!(f, ": {} {ways}", self.ways)?;
        self.worst.map_or(Ok(()), |m| write!(f, ", {m}"))
    }
}

/// `32 wavefronts, 4 without conflicts`
fn sum(f: &mut fmt::Formatter<'_>, wavefronts: usize, ideal: usize) -> fmt::Result {
    let s = if wavefronts == 1 { "" } else { "s" };
    match wavefronts == ideal {
        true => write!(f, "{wavefronts} wavefront{s}, no conflict"),
        false => write!(f, "{wavefronts} wavefronts, {ideal} without conflicts"),
    }
}

/// Every phase.
impl fmt::Display for RequestBanks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.access)?;
        sum(f, self.wavefronts(), self.ideal())?;
        self.phases.iter().try_for_each(|phase| write!(f, "\n{phase}"))
    }
}

/// The sum, and the worst phase of the worst request.
impl fmt::Display for Banks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.requests.as_slice() {
            [one] => write!(f, "{}: ", one.access)?,
            all => write!(f, "{} requests, each {}: ", all.len(), all[0].access)?,
        }
        sum(f, self.wavefronts(), self.ideal())?;
        let phases = self.requests.iter().enumerate().flat_map(|(i, r)| r.phases.iter().map(move |p| (i, p)));
        match phases.rev().max_by_key(|(_, p)| p.ways) {
            Some((i, phase)) if phase.ways > 1 && self.requests.len() > 1 => write!(f, "\nrequest {i}, {phase}"),
            Some((_, phase)) if phase.ways > 1 => write!(f, "\n{phase}"),
            _ => Ok(()),
        }
    }
}

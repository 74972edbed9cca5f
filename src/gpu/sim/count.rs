//! What instructions cost: how often they ran, and what they asked of memory.

use super::access::Request;
use super::clock::bits;
use super::program::Space;
use super::pure::Lanes;
use crate::gpu::facts::{Access, Request as Asked};

/// Of one instruction.
#[derive(Clone, Default, Debug)]
pub(super) struct Count {
    pub executions: u64,
    pub threads: u64,
    /// that threads asked for
    pub bytes: Bytes,
    pub cost: Cost,
    /// the last requests of shared and of other memory and what they cost: most are alike
    last: [Option<Box<Last>>; 2],
}

/// A request, by space, threads and addresses, with what it cost.
type Last = (Space, u32, Lanes, Cost);

/// Bytes by the memory that they are in.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Bytes {
    pub global: u64,
    pub shared: u64,
    /// local, constants, parameters
    pub other: u64,
}

/// What requests took.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Cost {
    /// of shared memory
    pub wavefronts: u64,
    /// without conflicts
    pub ideal: u64,
    /// of 32 bytes, of global memory
    pub sectors: u64,
    /// bytes in these that were asked for, each counted once for each request
    pub used: u64,
}

impl Cost {
    fn add(&mut self, other: Cost) {
        self.wavefronts += other.wavefronts;
        self.ideal += other.ideal;
        self.sectors += other.sectors;
        self.used += other.used;
    }
}

impl Count {
    /// One execution by these threads.
    #[inline]
    pub fn add(&mut self, mask: u32) {
        self.executions += 1;
        self.threads += u64::from(mask.count_ones());
    }

    /// What an access asks for.
    pub fn access(&mut self, request: &Request) {
        let mask = request.mask;
        let first = mask.trailing_zeros();
        if first > 31 {
            return;
        }
        let space = space(request);
        let home = match space {
            Space::Global => &mut self.bytes.global,
            Space::Shared => &mut self.bytes.shared,
            _ => &mut self.bytes.other,
        };
        *home += u64::from(mask.count_ones()) * request.bytes as u64;
        let base = request.addresses[first as usize] & !127;
        // banks and sectors are the same 128 bytes further
        let relative: Lanes = core::array::from_fn(|l| match mask >> l & 1 {
            1 => request.addresses[l].wrapping_sub(base),
            _ => 0,
        });
        let last = &mut self.last[(space == Space::Shared) as usize];
        if let Some(last) = last
            && (last.0, last.1) == (space, mask)
            && last.2 == relative
        {
            self.cost.add(last.3);
            return;
        }
        let cost = cost(request, space, &relative).unwrap_or_default();
        self.cost.add(cost);
        *last = Some(Box::new((space, mask, relative, cost)));
    }

    /// With those of another worker.
    pub fn join(&mut self, other: &Count) {
        self.executions += other.executions;
        self.threads += other.threads;
        self.bytes.global += other.bytes.global;
        self.bytes.shared += other.bytes.shared;
        self.bytes.other += other.bytes.other;
        self.cost.add(other.cost);
    }
}

/// Where its threads go, at generic addresses the first of them.
fn space(request: &Request) -> Space {
    let first = request.addresses[request.mask.trailing_zeros() as usize & 31];
    match request.space {
        Space::Generic => Space::of_generic(first).0,
        space => space,
    }
}

/// As the facts about the hardware say it; none for accesses that they do not know.
fn cost(request: &Request, space: Space, relative: &Lanes) -> Option<Cost> {
    let access = match (request.matrix, request.write) {
        (Some(count), false) => Access::Ldmatrix(count),
        (Some(count), true) => Access::Stmatrix(count),
        (None, false) => Access::Load(request.bytes),
        (None, true) => Access::Store(request.bytes),
    };
    let lowest = bits(request.mask).map(|l| relative[l as usize] as i64).min()?;
    let shift = if lowest < 0 { (lowest & !127).checked_neg()? } else { 0 };
    let address = |l: usize| match request.mask >> l & 1 {
        1 => (relative[l] as i64).checked_add(shift),
        _ => None,
    };
    let addresses: [Option<i64>; 32] = core::array::from_fn(address);
    let asked = Asked::new(access, &addresses).ok()?;
    match space {
        Space::Shared => {
            let banks = asked.banks();
            Some(Cost { wavefronts: banks.wavefronts() as u64, ideal: banks.ideal() as u64, ..Cost::default() })
        }
        Space::Global => {
            let touched = asked.sectors().ok()?;
            Some(Cost { sectors: touched.sectors as u64, used: touched.bytes as u64, ..Cost::default() })
        }
        _ => None,
    }
}

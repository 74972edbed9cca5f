//! Local memory: each thread's own.

/// Local memory of the threads of a warp.
pub(super) struct Local {
    lanes: Vec<Own>,
}

#[derive(Clone, Default)]
struct Own {
    bytes: Vec<u8>,
    written: Vec<bool>,
}

impl Local {
    pub fn new() -> Local {
        Local { lanes: vec![Own::default(); 32] }
    }

    /// Bytes of a thread; what was never written is 0.
    pub fn get(&self, lane: u8, at: u64, size: usize) -> u128 {
        let bytes = &self.lanes[lane as usize & 31].bytes;
        let byte =
            |i: usize| usize::try_from(at).ok().and_then(|at| bytes.get(at.checked_add(i)?)).copied().unwrap_or(0);
        (0..size.min(16)).fold(0, |value, i| value | u128::from(byte(i)) << (8 * i))
    }

    /// Writes bytes of a thread.
    pub fn set(&mut self, lane: u8, at: u64, size: usize, value: u128) {
        let own = &mut self.lanes[lane as usize & 31];
        let end = at.saturating_add(size as u64);
        if own.bytes.len() < end as usize {
            own.bytes.resize(end as usize, 0);
            own.written.resize(end as usize, false);
        }
        let range = at as usize..end as usize;
        own.bytes[range.clone()].copy_from_slice(&value.to_le_bytes()[..size]);
        own.written[range].fill(true);
    }

    /// These bytes count as never written.
    pub fn forget(&mut self, lane: u8, at: u64, size: usize) {
        let all = &mut self.lanes[lane as usize & 31].written;
        let end = all.len().min((at as usize).saturating_add(size));
        all[(at as usize).min(end)..end].fill(false);
    }

    /// Were all of these bytes written?
    pub fn is_written(&self, lane: u8, at: u64, size: usize) -> bool {
        let written = &self.lanes[lane as usize & 31].written;
        let end = at.saturating_add(size as u64);
        end <= written.len() as u64 && written[at as usize..end as usize].iter().all(|w| *w)
    }

    /// Copies bytes of a thread; those that were never written stay so.
    pub fn copy(&mut self, lane: u8, from: u32, to: u32, bytes: u32) {
        for i in 0..u64::from(bytes) {
            let (from, to) = (u64::from(from) + i, u64::from(to) + i);
            match self.is_written(lane, from, 1) {
                true => self.set(lane, to, 1, self.get(lane, from, 1)),
                false => self.forget(lane, to, 1),
            }
        }
    }
}

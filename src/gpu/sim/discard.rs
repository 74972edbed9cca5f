//! `discard`: memory whose contents are no longer wanted.

use super::access::{Request, Stop, Target, addresses, touching};
use super::cta::Core;
use super::program::Address;
use super::run::Worker;
use super::shadow::Strength;
use super::warp::{Group, Warp};

/// Bytes that it is about.
const LINE: usize = 128;

impl Warp {
    /// A weak write of whatever comes (PTX ISA, discard): what was there counts as never written.
    pub(super) fn discard(
        &mut self,
        g: usize,
        address: &Address,
        mask: u32,
        core: &mut Core,
        worker: &Worker,
    ) -> Result<(), Stop> {
        let Group { at: code, frame, .. } = self.groups[g];
        let Some(frame) = &self.frames[frame] else { return Err(Stop) };
        let addresses = addresses(frame, address);
        let request = Request { mask, ..Request::new(self.know.warp, code, address.space, &addresses, LINE, true) };
        let run = worker.run;
        request.each(core, worker, |target, lane| {
            let Target::Page(page, at) = target else { return Ok(()) };
            if run.checks.races {
                let by = touching(&self.know, &request, lane, run.warps, Strength::Weak);
                if let Some(with) = page.write(&by, at, LINE)
                    && (with.warp, with.code, with.tick) != (self.know.warp, code, self.know.tick)
                {
                    request.race(worker, lane, with)?;
                }
            }
            page.forget(at, LINE);
            Ok(())
        })
    }
}

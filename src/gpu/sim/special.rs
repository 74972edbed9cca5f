//! Special registers.

use super::cta::Core;
use super::pure::Lanes;
use super::run::Worker;
use super::warp::Warp;
use crate::gpu::ptx::Special;

impl Warp {
    /// What a special register holds.
    pub(super) fn special(&self, what: Special, core: &Core, worker: &Worker) -> Lanes {
        let run = worker.run;
        let [nx, ny, _] = run.threads;
        let first = 32 * self.index;
        let each = |f: &dyn Fn(u32) -> u32| core::array::from_fn(|l| f(first + l as u32).into());
        let all = |x: u32| [u64::from(x); 32];
        let lane = |f: &dyn Fn(u32) -> u32| core::array::from_fn(|l| f(l as u32).into());
        match what.name() {
            "%tid.x" => each(&|t| t % nx),
            "%tid.y" => each(&|t| t / nx % ny),
            "%tid.z" => each(&|t| t / nx / ny),
            "%ntid.x" => all(run.threads[0]),
            "%ntid.y" => all(run.threads[1]),
            "%ntid.z" => all(run.threads[2]),
            "%ctaid.x" => all(core.id[0]),
            "%ctaid.y" => all(core.id[1]),
            "%ctaid.z" => all(core.id[2]),
            "%nctaid.x" => all(run.blocks[0]),
            "%nctaid.y" => all(run.blocks[1]),
            "%nctaid.z" => all(run.blocks[2]),
            "%laneid" => lane(&|l| l),
            "%warpid" => all(self.index),
            "%nwarpid" => all(64),
            "%lanemask_eq" => lane(&|l| 1 << l),
            "%lanemask_le" => lane(&|l| u32::MAX >> (31 - l)),
            "%lanemask_lt" => lane(&|l| (1 << l) - 1),
            "%lanemask_ge" => lane(&|l| u32::MAX << l),
            "%lanemask_gt" => lane(&|l| (u32::MAX << l) << 1),
            "%dynamic_smem_size" => all(run.dynamic),
            "%total_smem_size" => all((run.fixed + run.dynamic).next_multiple_of(128)),
            "%cluster_nctaid.x" | "%cluster_nctaid.y" | "%cluster_nctaid.z" | "%cluster_nctarank" => all(1),
            "%clusterid.x" => all(core.id[0]),
            "%clusterid.y" => all(core.id[1]),
            "%clusterid.z" => all(core.id[2]),
            "%nclusterid.x" => all(run.blocks[0]),
            "%nclusterid.y" => all(run.blocks[1]),
            "%nclusterid.z" => all(run.blocks[2]),
            // a multiprocessor for each CTA, whose time is the instructions of its warps
            "%clock" | "%globaltimer_lo" => all(core.time(worker) as u32),
            "%clock64" | "%globaltimer" => [core.time(worker); 32],
            "%nsmid" => all(1),
            _ => all(0),
        }
    }
}

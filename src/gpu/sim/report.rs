//! What a run did, for people and for programs.

mod kind;
mod text;

pub use kind::Kind;

use super::count::Count;
use super::error::{Fault, Site};
use super::program::{Act, Program, Space};
use crate::gpu::ptx::Lines;
use std::collections::BTreeMap;

/// What a run did: every instruction that was executed with its counts, and the faults that were found.
///
/// Its text has the instructions by kind, the traffic of memory, the source lines that cost the most, and the faults. Lines are
/// those that `.loc` names; without it those of the PTX, instructions of one opcode that did the same together, as unrolled loops
/// have them. A line's cost is its instructions of warps, its sectors and its wavefronts, added: no time, but where to look first.
/// `used` is what was asked for of the 32 bytes of each sector, whatever is asked for twice in one request counted once.
/// ```
/// use girih::gpu::ptx::Module;
/// use girih::gpu::sim::{Buffer, Grid};
/// let module = Module::parse(
///     ".version 7.0 .target sm_80 .address_size 64
///      .visible .entry zero(.param .u64 x) {
///          .reg .b32 %r<1>; .reg .b64 %rd<3>;
///          ld.param.u64 %rd0, [x];
///          mov.u32 %r0, %tid.x;
///          mad.wide.u32 %rd2, %r0, 8, %rd0;
///          // every other word
///          st.global.u32 [%rd2], 0;
///          ret;
///      }",
/// )?;
/// let mut x = Buffer::<u32>::new(64);
/// let report = module.simulate(Grid::new(1, 32), &[x.arg_mut()])?;
/// assert_eq!((report.instructions(), report.thread_instructions()), (5, 160));
/// let store = &report.lines[3];
/// assert_eq!((store.sectors, store.used, store.efficiency()), (8, 128, Some(0.5)));
/// println!("{report}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// in the order of the code, without those that were never executed
    pub lines: Vec<Line>,
    /// what was found; none in a run that is `Ok`
    pub faults: Vec<Fault>,
    /// CTAs of the grid
    pub ctas: u64,
}

/// An instruction and what it did.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// where it is
    pub site: Site,
    /// the word before its first dot
    pub mnemonic: &'static str,
    /// what it keeps busy
    pub kind: Kind,
    /// of its address: `shared`, `global`, ... ; of a copy, the one that it writes; none if it is no access
    pub space: Option<&'static str>,
    /// executions by warps, of an access its requests
    pub executions: u64,
    /// executions by threads
    pub threads: u64,
    /// that the threads asked for; a copy moves them from global to shared memory
    pub bytes: u64,
    /// passes through the banks of shared memory
    pub wavefronts: u64,
    /// as many as there would be without conflicts
    pub ideal: u64,
    /// sectors of 32 bytes of global memory
    pub sectors: u64,
    /// bytes of these that were asked for, each counted once for each request
    pub used: u64,
}

impl Line {
    /// Wavefronts beyond those without conflicts.
    /// ```
    /// # use girih::gpu::{ptx::Module, sim::{Grid, Simulation}};
    /// # let module = Module::parse(
    /// #     ".version 7.0 .target sm_80 .address_size 64
    /// #      .visible .entry f() {
    /// #          .reg .b32 %r<3>; .shared .b32 tile[1024];
    /// #          mov.u32 %r0, %tid.x;
    /// #          mov.u32 %r1, tile;
    /// #          mad.lo.u32 %r2, %r0, 128, %r1;
    /// #          st.shared.u32 [%r2], %r0;
    /// #      }",
    /// # )?;
    /// // thread i writes word 32 * i
    /// let report = module.simulate(Grid::new(1, 32), &[])?;
    /// assert_eq!(report.lines[3].conflicts(), 31);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn conflicts(&self) -> u64 {
        self.wavefronts.saturating_sub(self.ideal)
    }

    /// The part of its sectors that was asked for; none if there are none. See [`Report`].
    /// ```
    /// # use girih::gpu::{ptx::Module, sim::Grid};
    /// # let module = Module::parse(
    /// #     ".version 7.0 .target sm_80 .address_size 64
    /// #      .global .u32 x[256];
    /// #      .visible .entry f() {
    /// #          .reg .b32 %r<1>; .reg .b64 %rd<2>;
    /// #          mov.u32 %r0, %tid.x;
    /// #          mov.u64 %rd0, x;
    /// #          mad.wide.u32 %rd1, %r0, 32, %rd0;
    /// #          st.global.u32 [%rd1], %r0;
    /// #      }",
    /// # )?;
    /// // thread i writes word 8 * i: each a sector of its own
    /// let report = module.simulate(Grid::new(1, 32), &[])?;
    /// assert_eq!((report.lines[3].efficiency(), report.lines[0].efficiency()), (Some(0.125), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn efficiency(&self) -> Option<f64> {
        (self.sectors > 0).then(|| self.used as f64 / (32 * self.sectors) as f64)
    }
}

impl Report {
    pub(super) fn new(
        program: &Program,
        counts: &[Count],
        faults: Vec<Fault>,
        text: Option<&Lines>,
        ctas: u64,
    ) -> Report {
        let lines = counts.iter().enumerate().filter(|(_, c)| c.executions > 0).map(|(code, c)| {
            let (act, instruction) = (&program.codes[code].act, program.origins[code].instruction.as_ref());
            let copied = matches!(act, Act::Copy { .. });
            Line {
                site: program.site(code as u32, text),
                mnemonic: instruction.map_or("ret", |i| i.opcode().mnemonic()),
                kind: Kind::of(instruction, act),
                space: space(act),
                executions: c.executions,
                threads: c.threads,
                bytes: c.bytes.shared + c.bytes.other + if copied { 0 } else { c.bytes.global },
                wavefronts: c.cost.wavefronts,
                ideal: c.cost.ideal,
                sectors: c.cost.sectors,
                used: c.cost.used,
            }
        });
        Report { lines: lines.collect(), faults, ctas }
    }

    /// Instructions executed by warps.
    /// ```
    /// # use girih::gpu::sim::Report;
    /// assert_eq!(Report { lines: vec![], faults: vec![], ctas: 0 }.instructions(), 0);
    /// ```
    pub fn instructions(&self) -> u64 {
        self.lines.iter().map(|l| l.executions).sum()
    }

    /// Instructions executed by threads.
    /// ```
    /// # use girih::gpu::sim::Report;
    /// assert_eq!(Report { lines: vec![], faults: vec![], ctas: 0 }.thread_instructions(), 0);
    /// ```
    pub fn thread_instructions(&self) -> u64 {
        self.lines.iter().map(|l| l.threads).sum()
    }

    /// Executions by warps of each kind.
    /// ```
    /// # use girih::gpu::sim::Report;
    /// assert!(Report { lines: vec![], faults: vec![], ctas: 0 }.by_kind().is_empty());
    /// ```
    pub fn by_kind(&self) -> BTreeMap<Kind, u64> {
        let mut all = BTreeMap::new();
        self.lines.iter().for_each(|l| *all.entry(l.kind).or_default() += l.executions);
        all
    }

    /// Executions by warps of each mnemonic.
    /// ```
    /// # use girih::gpu::sim::Report;
    /// assert!(Report { lines: vec![], faults: vec![], ctas: 0 }.by_mnemonic().is_empty());
    /// ```
    pub fn by_mnemonic(&self) -> BTreeMap<&'static str, u64> {
        let mut all = BTreeMap::new();
        self.lines.iter().for_each(|l| *all.entry(l.mnemonic).or_default() += l.executions);
        all
    }
}

fn space(act: &Act) -> Option<&'static str> {
    let space = match act {
        Act::Load { access, .. } | Act::Store { access, .. } | Act::Atomic { access, .. } => access.address.space,
        Act::LoadMatrix { .. } | Act::StoreMatrix { .. } | Act::Copy { .. } => Space::Shared,
        _ => return None,
    };
    Some(space.name())
}

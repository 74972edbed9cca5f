//! What a run did, for people.

use super::count::Count;
use super::error::{Fault, Site};
use super::program::{Act, Program, Space};
use crate::gpu::ptx::Lines;
use core::fmt;
use std::collections::BTreeMap;

/// What a run did: every instruction that was executed with its counts, and the faults that were found.
///
/// Its text is a table of instructions by mnemonic, the traffic, and the source lines that cost the most.
/// ```
/// use girih::gpu::ptx::Module;
/// use girih::gpu::sim::Grid;
/// let module = Module::parse(
///     ".version 7.0 .target sm_80 .address_size 64
///      .visible .entry f() {
///          .reg .b32 %r<2>;
///          mov.u32 %r0, %tid.x;
///          add.u32 %r1, %r0, 1;
///          ret;
///      }",
/// )?;
/// let report = module.simulate(Grid::new(2, 64), &[])?;
/// assert_eq!((report.instructions(), report.thread_instructions()), (12, 384));
/// assert!(report.to_string().contains("add"));
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
    /// executions by warps
    pub executions: u64,
    /// executions by threads
    pub threads: u64,
    /// of memory, by warps
    pub requests: u64,
    /// that the threads asked for
    pub bytes: u64,
    /// passes through the banks of shared memory
    pub wavefronts: u64,
    /// as many as there would be without conflicts
    pub ideal: u64,
    /// sectors of 32 bytes of global memory
    pub sectors: u64,
    /// of its address: `shared`, `global`, ... ; none if it is no access
    pub space: Option<&'static str>,
}

impl Line {
    /// Wavefronts beyond those without conflicts.
    /// ```
    /// # use girih::gpu::sim::{Line, Site};
    /// # let site = Site { function: "f".into(), line: 1, instruction: "ld".into(), comment: None, source: None };
    /// let line = Line { site, mnemonic: "ld", executions: 1, threads: 32, requests: 1, bytes: 128, wavefronts: 32, ideal: 1, sectors: 0, space: Some("shared") };
    /// assert_eq!(line.conflicts(), 31);
    /// ```
    pub fn conflicts(&self) -> u64 {
        self.wavefronts.saturating_sub(self.ideal)
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
            let mnemonic = program.origins[code].instruction.as_ref().map_or("ret", |i| i.opcode().mnemonic());
            Line {
                site: program.site(code as u32, text),
                mnemonic,
                executions: c.executions,
                threads: c.threads,
                requests: c.requests,
                bytes: c.bytes,
                wavefronts: c.cost.wavefronts,
                ideal: c.cost.ideal,
                sectors: c.cost.sectors,
                space: space(&program.codes[code].act),
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
    Some(match space {
        Space::Generic => "generic",
        Space::Global => "global",
        Space::Shared => "shared",
        Space::Local => "local",
        Space::Const => "const",
        Space::Param => "param",
    })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} blocks, {} instructions of warps, {} of threads",
            self.ctas,
            self.instructions(),
            self.thread_instructions()
        )?;
        for (mnemonic, count) in self.by_mnemonic() {
            writeln!(f, "  {mnemonic:12} {count:>12}")?;
        }
        for line in self.lines.iter().filter(|l| l.requests > 0) {
            write!(
                f,
                "line {}: {}: {} requests, {} bytes",
                line.site.line, line.site.instruction, line.requests, line.bytes
            )?;
            if line.ideal > 0 {
                write!(f, ", {} wavefronts, {} conflicts", line.wavefronts, line.conflicts())?;
            }
            if line.sectors > 0 {
                write!(f, ", {} sectors", line.sectors)?;
            }
            writeln!(f)?;
        }
        self.faults.iter().try_for_each(|fault| writeln!(f, "{fault}"))
    }
}

//! A module made ready, and its launches.

use super::buffer::Allocation;
use super::decode::decode;
use super::error::SimError;
use super::program::{Act, Callee, Program};
use super::report::Report;
use super::run::{Checks, Region, Run, Shared};
use crate::gpu::launch::{Arg, Launch, Limits, Value};
use crate::gpu::ptx::{Lines, Module};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Threads of the host at most.
const MOST_WORKERS: usize = 1024;

/// Blocks, their threads, and their dynamic shared memory.
/// ```
/// use girih::gpu::sim::Grid;
/// assert_eq!(Grid::new(4, 256).shared(1024), Grid { blocks: [4, 1, 1], threads: [256, 1, 1], shared: 1024 });
/// assert_eq!(Grid::new([4, 2, 1], [16, 16, 1]).blocks, [4, 2, 1]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid {
    /// of the grid
    pub blocks: [u32; 3],
    /// of a block
    pub threads: [u32; 3],
    /// bytes
    pub shared: u32,
}

/// One to three extents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dims(
    /// x, y, z
    pub [u32; 3],
);

impl From<u32> for Dims {
    fn from(x: u32) -> Dims {
        Dims([x, 1, 1])
    }
}

impl From<[u32; 2]> for Dims {
    fn from([x, y]: [u32; 2]) -> Dims {
        Dims([x, y, 1])
    }
}

impl From<[u32; 3]> for Dims {
    fn from(all: [u32; 3]) -> Dims {
        Dims(all)
    }
}

impl Grid {
    /// So many blocks of so many threads, without dynamic shared memory.
    /// ```
    /// # use girih::gpu::sim::Grid;
    /// assert_eq!(Grid::new(1, 32).threads, [32, 1, 1]);
    /// ```
    pub fn new(blocks: impl Into<Dims>, threads: impl Into<Dims>) -> Grid {
        Grid { blocks: blocks.into().0, threads: threads.into().0, shared: 0 }
    }

    /// With bytes of dynamic shared memory.
    /// ```
    /// # use girih::gpu::sim::Grid;
    /// assert_eq!(Grid::new(1, 32).shared(64).shared, 64);
    /// ```
    pub fn shared(mut self, bytes: u32) -> Grid {
        self.shared = bytes;
        self
    }
}

/// A module that is ready to be launched, with what is checked and how far it goes. See the [module](super).
/// ```
/// use girih::gpu::ptx::Module;
/// use girih::gpu::sim::{Grid, SimError, Simulation};
/// let module = Module::parse(
///     ".version 7.0 .target sm_80 .address_size 64
///      .visible .entry forever() {
///      again: bra again;
///      }",
/// )?;
/// let e = Simulation::new(&module)?.budget(10_000).run(Grid::new(1, 32), &[]).unwrap_err();
/// assert!(e.to_string().starts_with("budget: 10000 instructions of warps"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Simulation<'a> {
    program: Program,
    unsupported: Vec<u32>,
    lines: Option<Lines>,
    entry: Option<String>,
    checks: Checks,
    budget: u64,
    faults: usize,
    threads: Option<usize>,
    progress: Option<Box<dyn Fn(u64, u64) + Sync + 'a>>,
}

impl<'a> Simulation<'a> {
    /// Makes a module ready. Its variables in global memory live as long as this, as they do in a module that is loaded on a device.
    ///
    /// # Errors
    /// If a variable has no size, or there is no room for it. Instructions that are not executed are an error of the launch that reaches them.
    /// ```
    /// # use girih::gpu::{ptx::{Module, Target}, sim::Simulation};
    /// assert!(Simulation::new(&Module::new(Target::SM_80)).is_ok());
    /// ```
    pub fn new(module: &Module) -> Result<Simulation<'a>, SimError> {
        Simulation::prepare(module, Module::parse_with_lines(&module.to_string()).ok().map(|(_, lines)| lines))
    }

    /// With the lines of the text that the module was read from, for messages.
    ///
    /// # Errors
    /// As [`new`](Simulation::new).
    /// ```
    /// # use girih::gpu::{ptx::Module, sim::Simulation};
    /// let (module, lines) = Module::parse_with_lines(".version 7.0 .target sm_80 .address_size 64")?;
    /// assert!(Simulation::with_lines(&module, lines).is_ok());
    /// # Ok::<(), girih::gpu::ptx::ParseError>(())
    /// ```
    pub fn with_lines(module: &Module, lines: Lines) -> Result<Simulation<'a>, SimError> {
        Simulation::prepare(module, Some(lines))
    }

    fn prepare(module: &Module, lines: Option<Lines>) -> Result<Simulation<'a>, SimError> {
        let (program, unsupported) = decode(module)?;
        Ok(Simulation {
            program,
            unsupported,
            lines,
            entry: None,
            checks: Checks::default(),
            budget: 1 << 32,
            faults: 1,
            threads: None,
            progress: None,
        })
    }

    /// The kernel, where the module has several.
    /// ```
    /// # use girih::gpu::{ptx::{Module, Target}, sim::{Grid, Simulation}};
    /// let e = Simulation::new(&Module::new(Target::SM_80))?.entry("f").run(Grid::new(1, 32), &[]);
    /// assert!(e.is_err());
    /// # Ok::<(), girih::gpu::sim::SimError>(())
    /// ```
    pub fn entry(mut self, name: &str) -> Simulation<'a> {
        self.entry = Some(name.into());
        self
    }

    /// What is looked for.
    /// ```
    /// # use girih::gpu::{ptx::{Module, Target}, sim::{Checks, Simulation}};
    /// let fast = Simulation::new(&Module::new(Target::SM_80))?.checks(Checks { races: false, ..Checks::default() });
    /// # Ok::<(), girih::gpu::sim::SimError>(())
    /// ```
    pub fn checks(mut self, checks: Checks) -> Simulation<'a> {
        self.checks = checks;
        self
    }

    /// Instructions of warps at most, together, give or take some thousands on each thread of the host; 2^32 otherwise. A grid is
    /// refused once its first block is done and says that all would take more; one of more than 2^32 warps always.
    /// ```
    /// # use girih::gpu::{ptx::{Module, Target}, sim::Simulation};
    /// let short = Simulation::new(&Module::new(Target::SM_80))?.budget(1 << 20);
    /// # Ok::<(), girih::gpu::sim::SimError>(())
    /// ```
    pub fn budget(mut self, instructions: u64) -> Simulation<'a> {
        self.budget = instructions;
        self
    }

    /// Faults after which the run ends, 1 otherwise; the same instructions with the same kind of fault count once.
    /// ```
    /// # use girih::gpu::{ptx::{Module, Target}, sim::Simulation};
    /// let all = Simulation::new(&Module::new(Target::SM_80))?.faults(100);
    /// # Ok::<(), girih::gpu::sim::SimError>(())
    /// ```
    pub fn faults(mut self, most: usize) -> Simulation<'a> {
        self.faults = most.max(1);
        self
    }

    /// Threads of the host, all cores otherwise; no more than there are blocks, or 1024. With one, blocks go in order, and sums of floats by atomics are the same every time.
    /// ```
    /// # use girih::gpu::{ptx::{Module, Target}, sim::Simulation};
    /// let alone = Simulation::new(&Module::new(Target::SM_80))?.threads(1);
    /// # Ok::<(), girih::gpu::sim::SimError>(())
    /// ```
    pub fn threads(mut self, threads: usize) -> Simulation<'a> {
        self.threads = Some(threads);
        self
    }

    /// Called after every block with how many are done, and of how many.
    /// ```
    /// # use girih::gpu::{ptx::{Module, Target}, sim::Simulation};
    /// let told = Simulation::new(&Module::new(Target::SM_80))?.progress(|done, of| eprintln!("{done} of {of}"));
    /// # Ok::<(), girih::gpu::sim::SimError>(())
    /// ```
    pub fn progress(mut self, tell: impl Fn(u64, u64) + Sync + 'a) -> Simulation<'a> {
        self.progress = Some(Box::new(tell));
        self
    }

    /// Launches as a description says: checks the arguments with it, then runs.
    ///
    /// # Errors
    /// As [`run`](Simulation::run), and if the arguments do not go with the description.
    /// ```
    /// use girih::gpu::atom::NumericType::F32;
    /// use girih::gpu::{copy::Stream, ptx::Target, sim::{Buffer, Simulation}};
    /// let (module, launch) = Stream::axpy(F32).build(Target::SM_80)?;
    /// let (x, mut y) = (Buffer::from_slice(&[1f32, 2.0, 3.0]), Buffer::from_slice(&[10f32, 20.0, 30.0]));
    /// Simulation::new(&module)?.launch(&launch, &[2f32.into(), x.arg(), y.arg_mut(), 3u32.into()])?;
    /// assert_eq!(y.to_vec()?, [12.0, 24.0, 36.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn launch(&self, launch: &Launch, args: &[Arg]) -> Result<Report, SimError> {
        let blocks = launch.check(args, &Limits::LARGEST)?;
        if blocks.contains(&0) {
            return Ok(Report { lines: vec![], faults: vec![], ctas: 0 });
        }
        if launch.cluster != [1; 3] {
            return Err(SimError::Cluster { blocks: launch.cluster });
        }
        let grid = Grid { blocks, threads: launch.block, shared: launch.dynamic_shared };
        self.go(Some(&launch.entry), grid, args)
    }

    /// Launches.
    ///
    /// # Errors
    /// If the arguments do not go with the kernel's parameters, it uses an instruction that is not executed, no device takes such a
    /// grid or block, it is too large, or a fault is found.
    /// ```
    /// # use girih::gpu::{ptx::{Module, Target}, sim::{Grid, Simulation}};
    /// assert!(Simulation::new(&Module::new(Target::SM_80))?.run(Grid::new(1, 32), &[]).is_err());
    /// # Ok::<(), girih::gpu::sim::SimError>(())
    /// ```
    pub fn run(&self, grid: Grid, args: &[Arg]) -> Result<Report, SimError> {
        self.go(self.entry.as_deref(), grid, args)
    }

    fn go(&self, entry: Option<&str>, grid: Grid, args: &[Arg]) -> Result<Report, SimError> {
        let program = &self.program;
        let entry = self.find(entry)?;
        let reached = self.reached(entry);
        self.supported(&reached)?;
        let fixed = self.fixed(&reached);
        self.fits(entry, &grid, fixed)?;
        let (params, regions) = self.arguments(entry, args)?;
        static NUMBER: AtomicU64 = AtomicU64::new(1);
        let threads: u32 = grid.threads.iter().product();
        let ctas = grid.blocks.iter().map(|b| u64::from(*b)).product();
        let run = Run {
            program,
            lines: self.lines.as_ref(),
            entry,
            number: NUMBER.fetch_add(1, Ordering::Relaxed),
            blocks: grid.blocks,
            threads: grid.threads,
            warps: threads.div_ceil(32),
            dynamic: grid.shared,
            fixed,
            params,
            regions,
            checks: self.checks,
            budget: self.budget,
            limit: self.faults,
            progress: self.progress.as_deref(),
            state: Shared::default(),
        };
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let workers = self.threads.unwrap_or_else(cores).min(usize::try_from(ctas).unwrap_or(usize::MAX));
        let (counts, faults) = run.execute(workers.clamp(1, MOST_WORKERS));
        if let (Some(estimate), true) = (run.too_large(), faults.is_empty()) {
            return Err(SimError::TooLarge { estimate, budget: self.budget });
        }
        if faults.is_empty() && run.done() < ctas {
            return Err(SimError::Incomplete { done: run.done(), ctas });
        }
        let report = Report::new(program, &counts, faults, self.lines.as_ref(), ctas);
        if report.faults.is_empty() { Ok(report) } else { Err(SimError::Faults(Box::new(report))) }
    }

    fn find(&self, name: Option<&str>) -> Result<usize, SimError> {
        let mut known: Vec<String> = self.program.entries.keys().map(|k| k.to_string()).collect();
        known.sort();
        match name {
            Some(name) => {
                let entry = self.program.entries.get(name).copied();
                entry.ok_or_else(|| SimError::NoEntry { name: Some(name.into()), known })
            }
            None => match known.len() {
                0 => Err(SimError::NoEntry { name: None, known }),
                1 => Ok(self.program.entries.values().copied().next().unwrap_or(0)),
                _ => Err(SimError::WhichEntry { known }),
            },
        }
    }

    /// The functions that the kernel may reach.
    fn reached(&self, entry: usize) -> Vec<bool> {
        let program = &self.program;
        let mut reached = vec![false; program.bodies.len()];
        let mut open = vec![entry];
        while let Some(body) = open.pop() {
            if core::mem::replace(&mut reached[body], true) {
                continue;
            }
            for code in program.codes.iter().zip(&program.origins).filter(|(_, o)| o.body == body).map(|(c, _)| c) {
                match &code.act {
                    Act::Call { callee: Callee::Direct(to), .. } => open.push(*to),
                    // any function whose address may be taken
                    Act::Call { .. } => {
                        let functions = 0..program.bodies.len();
                        open.extend(functions.filter(|f| !program.entries.values().any(|e| e == f)));
                    }
                    _ => {}
                }
            }
        }
        reached
    }

    /// Bytes of the variables in shared memory that functions name.
    fn fixed(&self, reached: &[bool]) -> u32 {
        let bodies = self.program.bodies.iter().zip(reached).filter(|(_, reached)| **reached);
        let named: BTreeSet<u32> = bodies.flat_map(|(body, _)| &body.shared).copied().collect();
        self.program.shared.iter().filter(|(start, _)| named.contains(start)).map(|(start, end)| end - start).sum()
    }

    /// Are all instructions of these functions executed?
    fn supported(&self, reached: &[bool]) -> Result<(), SimError> {
        let program = &self.program;
        let first = self.unsupported.iter().find(|c| reached[program.origins[**c as usize].body]);
        match first {
            Some(code) => Err(SimError::Unsupported { site: Box::new(program.site(*code, self.lines.as_ref())) }),
            None => Ok(()),
        }
    }

    fn fits(&self, entry: usize, grid: &Grid, fixed: u32) -> Result<(), SimError> {
        let limits = Limits::LARGEST;
        let body = &self.program.bodies[entry];
        let threads = grid.threads;
        let product = |dims: [u32; 3]| dims.iter().fold(1u64, |all, d| all.saturating_mul((*d).into()));
        let block = |allowed| Err(SimError::Block { threads, allowed });
        if let Some(required) = body.required.filter(|r| *r != threads) {
            return block(required);
        }
        if let Some(most) = body.at_most.filter(|m| product(threads) > product(*m)) {
            return block(most);
        }
        if let Some(blocks) = body.cluster.filter(|blocks| *blocks != [1; 3]) {
            return Err(SimError::Cluster { blocks });
        }
        let within = |dims: [u32; 3], most: [u32; 3]| dims.iter().zip(most).all(|(d, most)| (1..=most).contains(d));
        if !within(threads, limits.block) || product(threads) > limits.threads.into() {
            return block([limits.threads, 1, 1]);
        }
        if !within(grid.blocks, limits.grid) {
            return Err(SimError::Grid { blocks: grid.blocks, limit: limits.grid });
        }
        let warps = product(threads).div_ceil(32);
        let ctas = product(grid.blocks);
        if ctas.saturating_mul(warps) > self.budget.min(1 << 32) {
            return Err(SimError::TooLarge { estimate: ctas.saturating_mul(warps), budget: self.budget });
        }
        let (bytes, limit) = (u64::from(fixed) + u64::from(grid.shared), limits.shared.into());
        if bytes > limit {
            return Err(SimError::Shared { bytes, limit });
        }
        Ok(())
    }

    /// The bytes of the parameters, and the memory that they give.
    fn arguments(&self, entry: usize, args: &[Arg]) -> Result<(Vec<u8>, Vec<Region>), SimError> {
        let body = &self.program.bodies[entry];
        if body.params.len() != args.len() {
            return Err(SimError::Arguments { expected: body.params.len(), got: args.len() });
        }
        let mut params = vec![0; body.param_bytes as usize];
        let mut regions = Vec::new();
        let mut at = 0;
        for (index, (arg, param)) in args.iter().zip(&body.params).enumerate() {
            let bytes = arg.to_bytes();
            let expected = param.bytes;
            if bytes.len() != expected as usize {
                let (name, got) = (param.name.to_string(), bytes.len() as u32);
                return Err(SimError::Argument { index, name, expected, got });
            }
            if let super::program::Home::Memory(home) = param.at {
                at = home as usize;
            }
            params[at..at + bytes.len()].copy_from_slice(&bytes);
            match &arg.value {
                Value::TensorMap(_) => return Err(SimError::TensorMap { index }),
                Value::Number { .. } | Value::Bytes(_) => {}
                Value::Pointer { memory, .. } => {
                    let (address, bytes) = (memory.address, memory.bytes);
                    let holds =
                        |a: &Arc<Allocation>| address.checked_add(bytes).is_some_and(|end| end <= a.address + a.bytes);
                    let allocation = Allocation::holding(address).filter(holds);
                    let Some(allocation) = allocation else { return Err(SimError::ForeignMemory { index, address }) };
                    let name = format!("argument {index}, {}", param.name);
                    regions.push(Region { name, address, bytes, write: memory.write, allocation });
                }
            }
        }
        for global in &self.program.globals {
            let name = "a variable".to_string();
            let (address, bytes) = (global.address, global.bytes);
            regions.push(Region { name, address, bytes, write: true, allocation: global.clone() });
        }
        Ok((params, regions))
    }
}

impl Module {
    /// Executes the module's only kernel on the CPU, with all checks: the quickest way to [`Simulation`], which has more to say.
    ///
    /// # Errors
    /// As [`Simulation::run`].
    /// ```
    /// use girih::gpu::ptx::Module;
    /// use girih::gpu::sim::{Buffer, Grid};
    /// let module = Module::parse(
    ///     ".version 7.0 .target sm_80 .address_size 64
    ///      .visible .entry iota(.param .u64 x) {
    ///          .reg .b32 %r<1>; .reg .b64 %rd<3>;
    ///          ld.param.u64 %rd0, [x];
    ///          mov.u32 %r0, %tid.x;
    ///          mul.wide.u32 %rd1, %r0, 4;
    ///          add.s64 %rd2, %rd0, %rd1;
    ///          st.global.u32 [%rd2], %r0;
    ///          ret;
    ///      }",
    /// )?;
    /// let mut x = Buffer::<u32>::new(32);
    /// let report = module.simulate(Grid::new(1, 32), &[x.arg_mut()])?;
    /// assert_eq!(x.to_vec()?, (0..32).collect::<Vec<_>>());
    /// assert_eq!(report.lines[4].sectors, 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn simulate(&self, grid: Grid, args: &[Arg]) -> Result<Report, SimError> {
        Simulation::new(self)?.run(grid, args)
    }
}

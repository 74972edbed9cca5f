//! A kernel on the CPU: its launch in words or from JSON, what it leaves, and what it does wrong.

use crate::value::Failure;
use clap::Args;
use girih::gpu::launch::{Arg, DataType, Launch, Param};
use girih::gpu::ptx::Module;
use girih::gpu::sim::{Argument, Buffer, Checks, Described, Description, Filled, Grid, Report, SimError, Simulation};
use half::{bf16, f16};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Once;
use std::time::{Duration, Instant};

#[derive(Args)]
pub struct Options {
    /// a file of PTX
    kernel: PathBuf,
    /// an argument for each parameter: 1000, -3, 0x10, 2.5, nan; bytes(0102ff); f32[64] (unwritten), f32[64]=0, =iota,
    /// =random(SEED), =random(SEED,LO,HI), =@FILE; `--` before -inf
    #[arg(allow_negative_numbers = true)]
    args: Vec<String>,
    /// blocks: X[,Y[,Z]]
    #[arg(long)]
    grid: Option<String>,
    /// threads of a block: X[,Y[,Z]]
    #[arg(long)]
    block: Option<String>,
    /// the kernel, where there are several
    #[arg(long)]
    entry: Option<String>,
    /// bytes of dynamic shared memory
    #[arg(long)]
    shared: Option<String>,
    /// a launch description in JSON, in place of --grid, --block, --entry and --shared
    #[arg(long, value_name = "FILE", conflicts_with_all = ["grid", "block", "entry", "shared"])]
    launch: Option<PathBuf>,
    /// write the buffer that is argument INDEX, from 0, to a file, raw
    #[arg(short, long, value_name = "INDEX=FILE", value_parser = output)]
    output: Vec<(usize, PathBuf)>,
    /// print the elements of the buffer that is argument INDEX, from 0, or the first COUNT of them; `?` is unwritten
    #[arg(long, value_name = "INDEX[:COUNT]", value_parser = print)]
    print: Vec<(usize, Option<usize>)>,
    /// instructions of warps at most
    #[arg(long, default_value_t = 1 << 32, value_parser = clap::value_parser!(u64).range(1..))]
    budget: u64,
    /// go on until so many faults are found
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    faults: u32,
    /// threads of the host; with 1, blocks go in order
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    threads: Option<u32>,
    /// do not look for data races
    #[arg(long)]
    no_races: bool,
    /// memory that nothing wrote may be read
    #[arg(long)]
    no_memory: bool,
    /// registers that nothing wrote may be read
    #[arg(long)]
    no_registers: bool,
    /// threads that have exited may be missing at a barrier
    #[arg(long)]
    no_exited: bool,
    /// instructions by kind, traffic, the costliest lines, in place of the summary
    #[arg(long)]
    report: bool,
    /// no summary
    #[arg(long, conflicts_with = "report")]
    quiet: bool,
}

fn output(text: &str) -> Result<(usize, PathBuf), String> {
    let parts = text.split_once('=').and_then(|(i, path)| Some((i.parse().ok()?, path)));
    parts.filter(|(_, path)| !path.is_empty()).map(|(i, path)| (i, path.into())).ok_or("INDEX=FILE, as 2=c.bin".into())
}

fn print(text: &str) -> Result<(usize, Option<usize>), String> {
    let (index, count) = text.split_once(':').map_or((text, None), |(index, count)| (index, Some(count)));
    let count = count.map(|n| n.parse::<usize>().ok()).map_or(Some(None), |n| n.map(Some));
    index.parse().ok().zip(count).ok_or("INDEX or INDEX:COUNT, as 2:64".into())
}

fn failure(e: impl Display) -> Failure {
    Failure::own("sim", e.to_string())
}

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|e| failure(format!("{}: {e}", path.display())))
}

/// Memory of an argument, and what its elements are.
struct Memory<'a> {
    of: &'a Filled,
    bytes: Buffer<u8>,
}

impl Memory<'_> {
    fn new<'a>(of: &'a Filled, folder: &Path) -> Result<Memory<'a>, Failure> {
        let bytes = match of.bytes(folder).map_err(failure)? {
            Some(bytes) => Buffer::from_slice(&bytes),
            None => Buffer::new(of.size() as usize),
        };
        Ok(Memory { of, bytes })
    }

    fn width(&self) -> usize {
        self.of.of.bits() as usize / 8
    }

    fn save(&self, path: &Path) -> Result<(), String> {
        let bytes = self.bytes.to_vec().map_err(|e| format!("element {} was never written", e.index / self.width()))?;
        std::fs::write(path, bytes).map_err(|e| format!("{}: {e}", path.display()))
    }

    /// Eight elements a line, each line with the number of its first.
    fn print(&self, count: Option<usize>, out: &mut impl Write) -> io::Result<()> {
        let bytes = self.bytes.values();
        let elements: Vec<String> = bytes
            .chunks_exact(self.width())
            .take(count.unwrap_or(usize::MAX))
            .map(|bytes| {
                let bits = bytes.iter().rev().try_fold(0, |bits, byte| Some(bits << 8 | u64::from((*byte)?)));
                bits.map_or("?".into(), |bits| element(self.of.of, bits))
            })
            .collect();
        let (wide, digits) = (elements.iter().map(String::len).max().unwrap_or(0), elements.len().to_string().len());
        for (i, line) in elements.chunks(8).enumerate() {
            write!(out, "{:>digits$}:", 8 * i)?;
            line.iter().try_for_each(|x| write!(out, " {x:>wide$}"))?;
            writeln!(out)?;
        }
        Ok(())
    }
}

/// A number from its bits.
fn element(of: DataType, bits: u64) -> String {
    match of {
        DataType::U8 | DataType::U16 | DataType::U32 | DataType::U64 => bits.to_string(),
        DataType::S8 => (bits as i8).to_string(),
        DataType::S16 => (bits as i16).to_string(),
        DataType::S32 => (bits as i32).to_string(),
        DataType::S64 => (bits as i64).to_string(),
        DataType::F16 => f16::from_bits(bits as u16).to_string(),
        DataType::BF16 => bf16::from_bits(bits as u16).to_string(),
        DataType::F32 => f32::from_bits(bits as u32).to_string(),
        DataType::F64 => f64::from_bits(bits).to_string(),
    }
}

impl Options {
    /// The launch in words: those of the command line, else those that the file begins with. With where its paths start from.
    fn description(&self, text: &str) -> Result<(Description, PathBuf), Failure> {
        let named =
            [("--grid", &self.grid), ("--block", &self.block), ("--entry", &self.entry), ("--shared", &self.shared)];
        let options = named.iter().filter_map(|(name, value)| Some([*name, value.as_deref()?])).flatten();
        let words: Vec<&str> = options.chain(self.args.iter().map(String::as_str)).collect();
        if !words.is_empty() {
            return Ok((Description::from_words(words).map_err(failure)?, PathBuf::new()));
        }
        let kernel = self.kernel.display();
        let header = Description::of_text(text).ok_or_else(|| {
            failure(format!(
                "{kernel}: launch it by --grid, --block and arguments, or by a first line `// girih sim --grid ...`"
            ))
        })?;
        let folder = self.kernel.parent().unwrap_or(Path::new(""));
        Ok((header.map_err(|e| failure(format!("{kernel}: {e}")))?, folder.into()))
    }

    /// A launch in JSON, with the arguments in words.
    fn described(&self, launch: &Launch) -> Result<Description, Failure> {
        let args = self.args.iter().map(|word| word.parse::<Described>().map_err(failure));
        Ok(Description {
            entry: Some(launch.entry.clone()),
            grid: [1; 3],
            block: launch.block,
            shared: launch.dynamic_shared,
            args: args.collect::<Result<_, _>>()?,
        })
    }

    /// A buffer that an option asks for.
    fn memory<'a, 'b>(option: &str, index: usize, all: &'b [Option<Memory<'a>>]) -> Result<&'b Memory<'a>, Failure> {
        let last = all.len().saturating_sub(1);
        match all.get(index) {
            Some(Some(memory)) => Ok(memory),
            Some(None) => Err(failure(format!("{option} {index}: that argument is a value, no buffer"))),
            None if all.is_empty() => Err(failure(format!("{option} {index}: there are no arguments"))),
            None => Err(failure(format!("{option} {index}: arguments are 0 to {last}"))),
        }
    }

    fn checks(&self) -> Checks {
        Checks {
            races: !self.no_races,
            memory: !self.no_memory,
            registers: !self.no_registers,
            exited: !self.no_exited,
        }
    }

    fn write(&self, report: &Report, out: &mut impl Write) -> io::Result<()> {
        match (self.report, self.quiet) {
            (true, _) => write!(out, "{report}"),
            (_, true) => Ok(()),
            _ => write!(out, "{}", report.summary()),
        }
    }
}

/// Shown once it has taken a second, on a terminal.
fn progress(bar: &ProgressBar) -> impl Fn(u64, u64) + Sync {
    let (begin, shown) = (Instant::now(), Once::new());
    move |done, of| {
        if begin.elapsed() > Duration::from_secs(1) {
            shown.call_once(|| bar.set_draw_target(ProgressDrawTarget::stderr()));
            bar.set_length(of);
            bar.set_position(done);
        }
    }
}

pub fn run(options: &Options) -> Result<ExitCode, Failure> {
    let text = read(&options.kernel)?;
    let named = |e: &dyn Display| failure(format!("{}: {e}", options.kernel.display()));
    let (module, lines) = Module::parse_with_lines(&text).map_err(|e| named(&e))?;
    let launch = match &options.launch {
        Some(path) => {
            let json = Launch::from_json(&read(path)?);
            Some(json.map_err(|e| failure(format!("{}: {e}", path.display())))?)
        }
        None => None,
    };
    let (description, folder) = match &launch {
        Some(launch) => (options.described(launch)?, PathBuf::new()),
        None => options.description(&text)?,
    };
    let kernel = description.kernel(&module).map_err(|e| named(&e))?;
    let arguments = description.arguments(kernel).map_err(failure)?;
    let memory = arguments.iter().map(|argument| match argument {
        Argument::Value(_) => Ok(None),
        Argument::Buffer(of) => Memory::new(of, &folder).map(Some),
    });
    let mut memory = memory.collect::<Result<Vec<_>, _>>()?;
    for (index, _) in &options.output {
        Options::memory("-o", *index, &memory)?;
    }
    for (index, _) in &options.print {
        Options::memory("--print", *index, &memory)?;
    }
    let params = launch.as_ref().map_or(&[][..], |launch| &launch.params);
    let args = arguments.iter().zip(&mut memory).enumerate().map(|(i, (argument, memory))| match (argument, memory) {
        (_, Some(Memory { of, bytes })) => Arg::pointer(bytes.address(), of.size(), of.of, true),
        (Argument::Value(bytes), _) => match params.get(i) {
            Some(Param::Number { of, .. }) => {
                let bits = bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
                Arg::number(*of, bits)
            }
            _ => Arg::bytes(bytes),
        },
        (Argument::Buffer(_), None) => Arg::bytes(&[]),
    });
    let args: Vec<Arg> = args.collect();

    let bar = ProgressBar::hidden();
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos} of {len} blocks, {eta} to go") {
        bar.set_style(style);
    }
    let simulation = Simulation::with_lines(&module, lines).map_err(|e| named(&e))?;
    let mut simulation = simulation
        .entry(&kernel.name)
        .checks(options.checks())
        .budget(options.budget)
        .faults(options.faults as usize)
        .progress(progress(&bar));
    if let Some(threads) = options.threads {
        simulation = simulation.threads(threads as usize);
    }
    let grid = Grid::new(description.grid, description.block).shared(description.shared);
    let result = match &launch {
        Some(launch) => simulation.launch(launch, &args),
        None => simulation.run(grid, &args),
    };
    bar.finish_and_clear();

    let mut out = io::stdout().lock();
    match result {
        Ok(report) => options.write(&report, &mut out)?,
        Err(e) => {
            let more = if matches!(e, SimError::TooLarge { .. }) { "; --budget raises it" } else { "" };
            let message = format!("{e}{more}");
            if let SimError::Faults(report) = e
                && options.report
            {
                // the faults are the message
                options.write(&Report { faults: vec![], ..*report }, &mut out)?;
            }
            return Err(failure(message));
        }
    }
    for (index, count) in &options.print {
        writeln!(out, "argument {index}, {}:", kernel.params[*index].name)?;
        Options::memory("--print", *index, &memory)?.print(*count, &mut out)?;
    }
    for (index, path) in &options.output {
        let saved = Options::memory("-o", *index, &memory)?.save(path);
        saved.map_err(|e| failure(format!("-o {index}: {e}")))?;
    }
    Ok(ExitCode::SUCCESS)
}

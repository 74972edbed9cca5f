//! The command line: evaluates expressions about layouts, answers JSON lines, draws, runs PTX.

mod batch;
mod draw;
mod eval;
mod ops;
mod sim;
mod value;

use clap::{Parser, Subcommand};
use std::io::{self, Write};
use std::process::ExitCode;
use value::Failure;

/// Layouts and their algebra, in CuTe notation.
#[derive(Parser)]
#[command(name = "girih", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print the value of an expression: "composition((6,2):(8,2), (4,3):(3,1))", "(6,2):(8,2) o (4,3):(3,1)"
    ///
    /// A claim, "injective((4,8):(8,1))", is answered by "proved", "refuted: ..", "proved if .." or "unknown: ..", and the
    /// exit code is 0 only if it is proved. An error is a line on stderr and nothing on stdout; the exit code is 1.
    Eval {
        /// a layout, swizzle, tiler or tuple, `A o B`, or an operation on such: name(argument, ...)
        #[arg(allow_hyphen_values = true)]
        expression: String,
    },
    /// Answer JSON lines: {"op": "composition", "args": ["20:2", "(5,4):(4,1)"], "table": true}
    Batch,
    /// Draw the value of an expression as SVG (or LaTeX): a coloured grid, mode 0 down, mode 1 to the right
    Draw(draw::Options),
    /// Run a kernel on the CPU, and say what it does wrong: data races, reads of what nothing wrote, accesses out of bounds
    ///
    /// Without a launch on the command line, the one that the file begins with: "// girih sim --grid 4 --block 256 1000
    /// f32[1000]=iota f32[1000]". What is found is on stderr, and the exit code is 0 only if nothing is.
    Sim(Box<sim::Options>),
    /// List the operations of `eval` and `batch`
    Ops,
}

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(code) => code,
        // the reader went away (`girih ops | head -3`)
        Err(Failure::Io(e)) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            // nothing is left to tell if stderr is closed
            _ = writeln!(io::stderr(), "{failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Eval { expression } => {
            let value = eval::evaluate(&expression)?;
            writeln!(io::stdout(), "{value}")?;
            if value.is_unproved() {
                return Ok(ExitCode::FAILURE);
            }
        }
        Command::Batch => batch::run(io::stdin().lock(), io::stdout().lock())?,
        Command::Draw(options) => draw::run(&options)?,
        Command::Sim(options) => return sim::run(&options),
        Command::Ops => ops::OPS.iter().try_for_each(|op| writeln!(io::stdout(), "{op}"))?,
    }
    Ok(ExitCode::SUCCESS)
}

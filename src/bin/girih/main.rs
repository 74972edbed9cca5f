//! The command line: evaluates expressions about layouts, answers JSON lines, draws.

mod batch;
mod draw;
mod eval;
mod ops;
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
    Eval {
        /// a layout, swizzle, tiler or tuple, `A o B`, or an operation on such: name(argument, ...)
        #[arg(allow_hyphen_values = true)]
        expression: String,
    },
    /// Answer JSON lines: {"op": "composition", "args": ["20:2", "(5,4):(4,1)"], "table": true}
    Batch,
    /// Draw the value of an expression as SVG (or LaTeX): a coloured grid, mode 0 down, mode 1 to the right
    Draw(draw::Options),
    /// List the operations of `eval` and `batch`
    Ops,
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Eval { expression } => eval::evaluate(&expression).and_then(|v| Ok(writeln!(io::stdout(), "{v}")?)),
        Command::Batch => batch::run(io::stdin().lock(), io::stdout().lock()).map_err(Failure::from),
        Command::Draw(options) => draw::run(&options),
        Command::Ops => ops::OPS.iter().try_for_each(|op| Ok(writeln!(io::stdout(), "{op}")?)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // the reader went away (`girih ops | head -3`)
        Err(Failure::Io(e)) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            // nothing is left to tell if stderr is closed
            _ = writeln!(io::stderr(), "{failure}");
            ExitCode::FAILURE
        }
    }
}

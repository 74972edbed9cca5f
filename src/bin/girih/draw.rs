//! Drawings of expressions.

use crate::eval;
use crate::value::{Failure, Value};
use clap::{Args, ValueEnum};
use girih::layout::draw::{Background, Color};
use girih::layout::{Drawable, Drawing, IntTuple, LayoutError};
use std::io::{self, Write};
use std::path::PathBuf;

#[derive(Args)]
pub struct Options {
    /// what to draw: a layout, or an operation that gives one
    #[arg(allow_hyphen_values = true)]
    expression: String,
    /// the picture: .svg, or .tex for LaTeX; without it SVG goes to the standard output
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// a thread-value layout: the tile with the owner of each element, and the elements of each thread
    #[arg(long, conflicts_with = "banks")]
    tv: bool,
    /// the tile of a thread-value layout, such as (16,8); else one dimension up to the largest value
    #[arg(long, requires = "tv")]
    tile: Option<String>,
    /// bank conflicts of shared memory: mode 0 the threads, mode 1 the values of each
    #[arg(long)]
    banks: bool,
    /// bytes of one element, for --banks
    #[arg(long, default_value_t = 4, requires = "banks")]
    unit: usize,
    /// bytes of one access of a thread, for --banks; else one element
    #[arg(long, requires = "banks")]
    access: Option<usize>,
    /// in place of the expression's text
    #[arg(long)]
    title: Option<String>,
    /// what the colours tell apart
    #[arg(long)]
    color: Option<By>,
    #[arg(long, default_value = "auto")]
    background: On,
}

#[derive(Clone, Copy, ValueEnum)]
enum By {
    Value,
    Thread,
    Tile,
}

#[derive(Clone, Copy, ValueEnum)]
enum On {
    Auto,
    Light,
    Dark,
    Transparent,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let mut drawing = match eval::evaluate(&options.expression)?.unguarded() {
        Value::Layout(l) if l.has_basis() => draw(options, &l, l.coshape())?,
        Value::Layout(l) => draw(options, &l, l.cosize().map(IntTuple::int))?,
        Value::Composed(c) => draw(options, &c, c.cosize().map(IntTuple::int))?,
        other => return Err(Failure::own("args", format!("{other} is no layout: there is nothing to draw"))),
    };
    if let Some(title) = &options.title {
        drawing = drawing.title(title);
    }
    if let Some(color) = options.color {
        drawing = drawing.color(match color {
            By::Value => Color::Value,
            By::Thread => Color::Thread,
            By::Tile => Color::Tile,
        });
    }
    drawing = drawing.background(match options.background {
        On::Auto => Background::Auto,
        On::Light => Background::Light,
        On::Dark => Background::Dark,
        On::Transparent => Background::Transparent,
    });
    match &options.output {
        Some(path) => {
            let latex = path.extension().is_some_and(|e| e == "tex");
            let text = if latex { drawing.latex() } else { drawing.svg() };
            std::fs::write(path, text).map_err(|e| Failure::own("io", format!("{}: {e}", path.display())))
        }
        None => Ok(io::stdout().write_all(drawing.svg().as_bytes())?),
    }
}

fn draw(options: &Options, what: &impl Drawable, codomain: Result<IntTuple, LayoutError>) -> Result<Drawing, Failure> {
    Ok(if options.tv {
        let tile = match &options.tile {
            Some(text) => text.parse()?,
            None => codomain?,
        };
        Drawing::tv(what, &tile)?
    } else if options.banks {
        Drawing::banks(what, options.unit, options.access.unwrap_or(options.unit))?
    } else {
        Drawing::of(what)?
    })
}

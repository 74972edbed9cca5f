//! Tiles as text, matrices of aligned columns, and the names of operations.

use super::element::{Element, Rounding};
use super::op::{Binary, Fold, Mode, Nan, Op, Precision, Unary};
use super::value::{AnyTile, any};
use core::fmt::{self, Debug};

/// Tiles of more elements are shortened.
const WHOLE: usize = 1024;
/// So many elements are shown then of each end of a dimension.
const EDGE: usize = 4;

/// Rows in parentheses, one a line; blocks of higher dimensions are separated by an empty line. A scalar is its number. Of more
/// than 1024 elements the first and the last four of each dimension are shown, unless the format is `{:#}`; width and precision
/// are those of each number.
/// ```
/// use girih::tile::{AnyTile, Shape};
/// let tile = AnyTile::new(Shape::new(&[2048])?, (0..2048).collect::<Vec<i32>>())?;
/// assert_eq!(tile.to_string(), "(   0    1    2    3 ... 2044 2045 2046 2047)");
/// # Ok::<(), girih::tile::TileError>(())
/// ```
impl fmt::Display for AnyTile {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let extents: Vec<usize> = self.shape().extents().map(|n| n as usize).collect();
        let edge = if f.alternate() || self.shape().size() <= WHOLE { usize::MAX / 2 } else { EDGE };
        // the last dimension is the fastest of a tile, the first of a layout
        let order = self.layout().reverse().map_err(|_| fmt::Error)?;
        any!(self.element(), E => {
            let memory = self.memory::<E>().unwrap_or_default();
            let cell = |i: usize| order.at(i as i64).map_or_else(|e| e.to_string(), |at| number(memory[at as usize], f.precision()));
            let mut width = f.width().unwrap_or(0);
            text(&extents, edge, 0, &mut |i| {
                width = width.max(cell(i).len());
                String::new()
            });
            f.write_str(&text(&extents, edge, 0, &mut |i| format!("{:>width$}", cell(i))))
        })
    }
}

/// With so many digits behind the point, or else all of them, with an exponent where that is shorter.
fn number<E: Element>(x: E, digits: Option<usize>) -> String {
    let (plain, short) = match digits {
        Some(digits) => return format!("{x:.digits$}"),
        None => (x.to_string(), format!("{x:?}")),
    };
    if short.len() < plain.len() { short } else { plain }
}

/// The part of a tile from element `at` on, without its outer dimensions.
fn text(extents: &[usize], edge: usize, at: usize, cell: &mut dyn FnMut(usize) -> String) -> String {
    let Some((&extent, inner)) = extents.split_first() else { return cell(at) };
    let mut part = |i| text(inner, edge, at * extent + i, cell);
    let parts: Vec<String> = match extent <= 2 * edge {
        true => (0..extent).map(part).collect(),
        false => {
            let first: Vec<_> = (0..edge).map(&mut part).collect();
            first.into_iter().chain(["...".into()]).chain((extent - edge..extent).map(part)).collect()
        }
    };
    match inner.len() {
        0 => format!("({})", parts.join(" ")),
        1 => parts.join("\n"),
        _ => parts.join("\n\n"),
    }
}

impl fmt::Debug for AnyTile {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}\n{self}", self.ty())
    }
}

/// Its name, with the modes that are not the default ones as PTX writes them: `add.rz`, `reduce sum`, `is_nan`.
impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (mode, nan) = modes(*self);
        let precision = if mode.precision == Mode::default().precision { "" } else { precision(mode) };
        write!(f, "{}{precision}{}{}", what(*self), flush(mode), if nan == Nan::Propagate { ".nan" } else { "" })
    }
}

/// The name of an operation that has a mode with it, also the default one.
pub(super) fn in_mode(op: Op) -> String {
    let (mode, _) = modes(op);
    format!("{}{}{}", what(op), precision(mode), flush(mode))
}

fn what(op: Op) -> String {
    match op {
        Op::Unary(unary) => name(unary),
        Op::Binary(binary) => name(binary),
        Op::Compare(compare) => name(compare),
        Op::Reduce(fold, _) => format!("reduce {}", name(fold)),
        Op::Arg(extreme, _) => format!("arg {}", name(extreme)),
        Op::Scan(fold, ..) => format!("scan {}", name(fold)),
        op => name(op),
    }
}

/// A variant as text: `IsNan` is `is_nan`.
fn name(variant: impl Debug) -> String {
    let text = format!("{variant:?}");
    let head = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let mut name = String::new();
    for (i, c) in head.char_indices() {
        if c.is_uppercase() && i > 0 {
            name.push('_');
        }
        name.extend(c.to_lowercase());
    }
    name
}

/// The modes of an operation.
fn modes(op: Op) -> (Mode, Nan) {
    match op {
        Op::Unary(Unary::Sqrt(m) | Unary::Rsqrt(m) | Unary::Exp(m) | Unary::Exp2(m) | Unary::Tanh(m))
        | Op::Binary(Binary::Add(m) | Binary::Sub(m) | Binary::Mul(m) | Binary::Div(m))
        | Op::Reduce(Fold::Sum(m) | Fold::Prod(m), _)
        | Op::Scan(Fold::Sum(m) | Fold::Prod(m), ..)
        | Op::Fma(m) => (m, Nan::Suppress),
        Op::Binary(Binary::Min(m) | Binary::Max(m)) => (Mode { flush: m.flush, ..Mode::default() }, m.nan),
        Op::Reduce(Fold::Min(nan) | Fold::Max(nan), _) | Op::Scan(Fold::Min(nan) | Fold::Max(nan), ..) => {
            (Mode::default(), nan)
        }
        _ => (Mode::default(), Nan::Suppress),
    }
}

/// As PTX writes it.
fn precision(mode: Mode) -> &'static str {
    match mode.precision {
        Precision::Rounded(Rounding::TiesToEven) => ".rn",
        Precision::Rounded(Rounding::TowardZero) => ".rz",
        Precision::Rounded(Rounding::TowardNegative) => ".rm",
        Precision::Rounded(Rounding::TowardPositive) => ".rp",
        Precision::Rounded(Rounding::TiesAway) => ".rna",
        Precision::Full => ".full",
        Precision::Approximate => ".approx",
    }
}

fn flush(mode: Mode) -> &'static str {
    if mode.flush { ".ftz" } else { "" }
}

//! Tiles as text, matrices of aligned columns, and the names of operations.

use super::element::Rounding;
use super::op::{Binary, Fold, Mode, Nan, Op, Precision, Unary};
use super::value::{AnyTile, any};
use core::fmt::{self, Debug};

/// Rows in parentheses, one a line; blocks of higher dimensions are separated by an empty line. A scalar is its number.
impl fmt::Display for AnyTile {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let cells: Vec<String> = any!(self.element(), E => {
            self.to_vec::<E>().unwrap_or_default().iter().map(E::to_string).collect()
        });
        let shape = self.shape();
        let (rank, width) = (shape.rank(), cells.iter().map(String::len).max().unwrap_or(0));
        let Some(last) = rank.checked_sub(1) else { return f.write_str(&cells.concat()) };
        let (columns, rows) = (shape.extent(last) as usize, if rank > 1 { shape.extent(rank - 2) as usize } else { 1 });
        for (i, row) in cells.chunks(columns).enumerate() {
            let between = if i == 0 {
                ""
            } else if i % rows == 0 {
                "\n\n"
            } else {
                "\n"
            };
            let row: Vec<String> = row.iter().map(|cell| format!("{cell:>width$}")).collect();
            write!(f, "{between}({})", row.join(" "))?;
        }
        Ok(())
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
        let name = match *self {
            Op::Unary(unary) => name(unary),
            Op::Binary(binary) => name(binary),
            Op::Compare(compare) => name(compare),
            Op::Reduce(fold, _) => format!("reduce {}", name(fold)),
            Op::Arg(extreme, _) => format!("arg {}", name(extreme)),
            Op::Scan(fold, ..) => format!("scan {}", name(fold)),
            op => name(op),
        };
        write!(f, "{name}{}", how(*self))
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

/// The modes that are not the default ones, as PTX writes them.
fn how(op: Op) -> String {
    let (mode, nan) = match op {
        Op::Unary(Unary::Sqrt(m) | Unary::Rsqrt(m) | Unary::Exp(m) | Unary::Exp2(m) | Unary::Tanh(m)) => {
            (m, Nan::Suppress)
        }
        Op::Binary(Binary::Add(m) | Binary::Sub(m) | Binary::Mul(m) | Binary::Div(m)) => (m, Nan::Suppress),
        Op::Reduce(Fold::Sum(m) | Fold::Prod(m), _) | Op::Scan(Fold::Sum(m) | Fold::Prod(m), ..) => (m, Nan::Suppress),
        Op::Fma(m) => (m, Nan::Suppress),
        Op::Binary(Binary::Min(nan) | Binary::Max(nan)) => (Mode::default(), nan),
        Op::Reduce(Fold::Min(nan) | Fold::Max(nan), _) | Op::Scan(Fold::Min(nan) | Fold::Max(nan), ..) => {
            (Mode::default(), nan)
        }
        _ => (Mode::default(), Nan::Suppress),
    };
    let precision = match mode.precision {
        Precision::Rounded(Rounding::TiesToEven) => "",
        Precision::Rounded(Rounding::TowardZero) => ".rz",
        Precision::Rounded(Rounding::TowardNegative) => ".rm",
        Precision::Rounded(Rounding::TowardPositive) => ".rp",
        Precision::Rounded(Rounding::TiesAway) => ".rna",
        Precision::Full => ".full",
        Precision::Approximate => ".approx",
    };
    let flush = if mode.flush { ".ftz" } else { "" };
    let nan = if nan == Nan::Propagate { ".nan" } else { "" };
    format!("{precision}{flush}{nan}")
}

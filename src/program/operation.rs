//! Operations as text.

use super::display::tuple;
use crate::tile::{
    Binary, Direction, Fold, Mode, Nan, Op, Precision, Rounding, Saturation, TileType, Unary, default_rounding,
};
use core::fmt::Debug;

/// An operation on operands, as a listing has it.
pub(super) fn operation(op: Op, operands: &[String]) -> String {
    let all = operands.join(", ");
    let first = operands.first().map_or("", String::as_str);
    let along = |verb: &str, dim: u8| format!("{verb} {all} along {dim}");
    match op {
        Op::Full(ty, bits) => {
            let element =
                Op::Full(TileType::scalar(ty.element), bits).eval(&[]).map_or(String::new(), |x| x.to_string());
            if ty.shape.rank() == 0 { element } else { format!("full {element}") }
        }
        Op::Cast(how) => {
            let mut text = format!("cast {first} to {}", how.to());
            if how.rounding() != default_rounding(how.to()) {
                text += &format!(" {}", how.rounding());
            }
            if how.saturation() != Saturation::None {
                text += " saturating";
            }
            text
        }
        Op::Bitcast(to) => format!("bitcast {first} to {to}"),
        Op::Reshape(to) => format!("reshape {first} to {to}"),
        Op::Broadcast(to) => format!("broadcast {first} to {to}"),
        Op::Permute(map) => format!("permute {first} by {}", tuple(map.dims())),
        Op::Cat(dim) => along("cat", dim),
        Op::Extract(part) => format!("extract {part} of {first} at [{}]", operands[1..].join(", ")),
        Op::Insert => format!("insert {} into {first} at [{}]", operands[1], operands[2..].join(", ")),
        Op::Repack(to, dim) => format!("repack {first} to {to} along {dim}"),
        Op::Reduce(fold, dim) => along(&format!("reduce {}{}", name(fold), how(op)), dim),
        Op::Arg(extreme, dim) => along(&format!("arg {}", name(extreme)), dim),
        Op::Scan(fold, dim, direction) => {
            let backward = if direction == Direction::Backward { " backward" } else { "" };
            along(&format!("scan {}{}", name(fold), how(op)), dim) + backward
        }
        Op::Unary(unary) => format!("{}{} {all}", name(unary), how(op)),
        Op::Binary(binary) => format!("{}{} {all}", name(binary), how(op)),
        Op::Compare(compare) => format!("{} {all}", name(compare)),
        Op::Iota(_) => "iota".into(),
        Op::Fma(_) | Op::Select | Op::Mma | Op::ScaledMma => format!("{}{} {all}", name(op), how(op)),
    }
}

/// The variant, as a listing has it: `IsNan` is `is_nan`.
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

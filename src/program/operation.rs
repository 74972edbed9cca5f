//! Operations as text.

use super::display::tuple;
use crate::tile::{Direction, Op, Saturation, TileType, default_rounding};

/// An operation on operands, as a listing has it.
pub(super) fn operation(op: Op, operands: &[String]) -> String {
    let all = operands.join(", ");
    let first = operands.first().map_or("", String::as_str);
    let along = |dim: u8| format!("{op} {all} along {dim}");
    match op {
        Op::Full(ty, bits) => {
            let mut element =
                Op::Full(TileType::scalar(ty.element), bits).eval(&[]).map_or(String::new(), |x| x.to_string());
            if element == "NaN" {
                element += &format!("({bits:#x})");
            }
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
        Op::Extract(part) => format!("extract {part} of {first} at [{}]", operands[1..].join(", ")),
        Op::Insert => format!("insert {} into {first} at [{}]", operands[1], operands[2..].join(", ")),
        Op::Repack(to, dim) => format!("repack {first} to {to} along {dim}"),
        Op::Cat(dim) | Op::Reduce(_, dim) | Op::Arg(_, dim) | Op::Scan(_, dim, Direction::Forward) => along(dim),
        Op::Scan(_, dim, Direction::Backward) => along(dim) + " backward",
        Op::Iota(_) => op.to_string(),
        Op::Unary(_)
        | Op::Binary(_)
        | Op::Compare(_)
        | Op::Fma(_)
        | Op::Powi
        | Op::Select
        | Op::Mma
        | Op::ScaledMma => {
            format!("{op} {all}")
        }
    }
}

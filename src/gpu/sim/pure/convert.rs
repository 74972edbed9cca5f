//! Conversions, PTX ISA 9.7.9 cvt.

use super::Pure;
use super::narrow::format;
use super::small_float;
use crate::gpu::ptx::{Instruction, Opcode, Operand, Type};
use crate::tile::element::format::{F32, Format};
use crate::tile::element::round::{Mode, Number};

pub(super) fn pure(i: &Instruction) -> Option<Pure> {
    let op = i.opcode();
    if op.mnemonic() != "cvt" || op.has("pack") {
        return None;
    }
    let types: Vec<Type> = op.qualifiers().filter_map(|q| q.parse().ok()).collect();
    let [to, from] = types[..] else { return None };
    let Some(Operand::Reg(register)) = i.operands().first() else { return None };
    let width = register.ty.bits();
    match (to.is_integer(), from.is_integer()) {
        (true, true) => Some(between_integers(to, from, op.has("sat"), width)),
        (true, false) => to_integer(op, to, from, width),
        (false, true) => {
            let ending = Ending::of(op, to)?;
            let mode = floating(op).unwrap_or(Mode::Even);
            Some(Pure::one(move |x| {
                let x = extended(x, from);
                if mode == Mode::Even && ending.to == F32 {
                    let single = if x < 0 { x as i64 as f32 } else { x as u64 as f32 };
                    return ending.limit(single.to_bits().into());
                }
                let x = Number { negative: x < 0, significand: x.unsigned_abs() as u64, exponent: 0 };
                ending.limit(ending.to.round(mode, x))
            }))
        }
        _ if format(to).is_some_and(|(_, count, _)| count == 1) => between_floats(op, to, from),
        _ => small_float::pure(op, to, from),
    }
}

/// The value of an integer; bits above its type are ignored.
fn extended(x: u64, ty: Type) -> i128 {
    let above = 64 - ty.bits();
    if ty.is_signed() { i128::from((x << above) as i64 >> above) } else { i128::from(x << above >> above) }
}

/// The least and the largest value of an integer type.
fn range(ty: Type) -> (i128, i128) {
    let values = 1 << ty.bits();
    if ty.is_signed() { (-values / 2, values / 2 - 1) } else { (0, values - 1) }
}

/// An integer's bits in a register of this width: those of its type, extended as the type says.
fn extend(x: i128, ty: Type, width: u32) -> u64 {
    extended(x as u64, ty) as u64 & (u64::MAX >> (64 - width))
}

fn between_integers(to: Type, from: Type, saturate: bool, width: u32) -> Pure {
    let (least, largest) = range(to);
    match saturate {
        false => Pure::one(move |x| extend(extended(x, from), to, width)),
        true => Pure::one(move |x| extend(extended(x, from).clamp(least, largest), to, width)),
    }
}

/// Out of range is the nearest in range, with and without `.sat`.
fn to_integer(op: Opcode, to: Type, from: Type, width: u32) -> Option<Pure> {
    let format = format(from)?.0;
    let (integral, flush) = (integral(op)?, op.has("ftz"));
    let (least, largest) = range(to);
    let nan = if from == Type::F64 || to.bits() == 64 { 1 << (to.bits() - 1) } else { 0 };
    Some(Pure::one(move |x| {
        let x = format.value(if flush { format.flush(x) } else { x });
        // a cast saturates
        let whole = integral(x);
        let whole = if to == Type::U64 { i128::from(whole as u64) } else { i128::from(whole as i64) };
        extend(if x.is_nan() { nan } else { whole.clamp(least, largest) }, to, width)
    }))
}

fn between_floats(op: Opcode, to: Type, from: Type) -> Option<Pure> {
    let format = format(from)?.0;
    let ending = Ending::of(op, to)?;
    // on an H200 `.ftz` is without effect on what becomes a half
    let flush = op.has("ftz") && from == Type::F32 && to != Type::F16;
    let nan = Nan::of(op, to, from);
    let computed = flush || ending.flush || ending.saturate || integral(op).is_some();
    // all bits stay, those of a NaN too
    if let (Type::F32, Type::F32 | Type::Bf16) | (Type::F64, Type::F64) = (to, from)
        && !computed
    {
        let (wide, narrow) = (to.bits(), from.bits());
        return Some(Pure::one(move |x| x << (64 - narrow) >> (64 - wide)));
    }
    let integral = integral(op).unwrap_or(|x| x);
    let mode = floating(op).unwrap_or(Mode::Even);
    let aside = if to == Type::Tf32 { TF32_ASIDE } else { 0 };
    Some(Pure::one(move |x| {
        let value = format.value(if flush { format.flush(x) } else { x });
        if value.is_nan() && !ending.saturate {
            return nan.result(x, &format, &ending.to) << aside;
        }
        ending.float(integral(value), mode) << aside
    }))
}

/// A tf32 is the upper bits of a single.
const TF32_ASIDE: u32 = 13;

/// What becomes of a NaN. The ISA leaves that open; these are the results of an H200.
#[derive(Clone, Copy)]
enum Nan {
    /// the one NaN of the format
    Canonical,
    /// the one of a single, in a double
    Widened,
    /// sign and payload stay, as a quiet NaN: where a double takes part
    Quiet,
    /// `.rna.tf32` is done on integers, and `.satfinite` takes one off all that is above the largest number
    Integer { less: u64 },
}

impl Nan {
    fn of(op: Opcode, to: Type, from: Type) -> Nan {
        match (to, from) {
            (Type::F64, Type::F32) if op.has("ftz") => Nan::Widened,
            (Type::F64, _) | (_, Type::F64) => Nan::Quiet,
            (Type::Tf32, _) if op.has("rna") => Nan::Integer { less: op.has("satfinite").into() },
            _ => Nan::Canonical,
        }
    }

    fn result(self, x: u64, from: &Format, to: &Format) -> u64 {
        match self {
            Nan::Canonical => to.nan,
            Nan::Widened => to.carried(from.nan, from) | to.quiet(),
            Nan::Quiet => to.carried(x, from) | to.quiet(),
            Nan::Integer { less } => to.carried(x, from) - less,
        }
    }
}

/// To an integral value, of the modifiers `.rni`, `.rzi`, `.rmi`, `.rpi`.
fn integral(op: Opcode) -> Option<fn(f64) -> f64> {
    Some(match op.get("rnd")? {
        "rni" => f64::round_ties_even,
        "rzi" => f64::trunc,
        "rmi" => f64::floor,
        "rpi" => f64::ceil,
        _ => return None,
    })
}

/// The rounding of a floating-point result, but for `.rs`, whose bits are an operand.
pub(super) fn floating(op: Opcode) -> Option<Mode> {
    op.qualifiers().find_map(|q| {
        Some(match q {
            "rn" => Mode::Even,
            "rna" => Mode::Away,
            "rz" => Mode::Zero,
            "rm" => Mode::Down,
            "rp" => Mode::Up,
            _ => return None,
        })
    })
}

/// What is done to a floating-point result after it was rounded.
#[derive(Clone, Copy)]
pub(super) struct Ending {
    to: Format,
    /// `.ftz`: no subnormal singles
    flush: bool,
    /// `.sat`: to [0, 1], a NaN to 0
    saturate: bool,
    /// `.relu`: nothing negative
    relu: bool,
    /// `.satfinite`: no infinities
    finite: bool,
}

impl Ending {
    pub fn of(op: Opcode, to: Type) -> Option<Ending> {
        let to = format(to)?.0;
        let finite = op.has("satfinite");
        Some(Ending {
            to: if finite { to } else { to.overflowing() },
            flush: op.has("ftz") && to == F32,
            saturate: op.has("sat"),
            relu: op.has("relu"),
            finite,
        })
    }

    /// The result for a value.
    pub fn float(&self, x: f64, mode: Mode) -> u64 {
        match x.is_nan() {
            true if self.saturate => 0,
            true => self.to.nan,
            false => self.limit(self.to.encode(x, mode)),
        }
    }

    /// The result for a number that was rounded.
    fn limit(&self, bits: u64) -> u64 {
        let bits = if self.flush { self.to.flush(bits) } else { bits };
        let sign = bits & self.to.sign;
        match bits - sign {
            _ if sign != 0 && (self.saturate || self.relu) => 0,
            magnitude if self.saturate => magnitude.min(self.to.one()),
            magnitude if self.finite => sign | magnitude.min(self.to.max),
            _ => bits,
        }
    }
}

#[cfg(test)]
pub(super) mod tests;

//! Arithmetic of integers.

use super::Pure;
use super::word::Word;
use super::{carry, field, logic};
use crate::gpu::ptx::{Instruction, Opcode, Type};

#[cfg(test)]
mod tests;

/// Of all instructions that treat words of any width alike; their type is the last qualifier.
pub(super) fn pure(i: &Instruction) -> Option<Pure> {
    let op = i.opcode();
    match op.qualifiers().last()?.parse().ok()? {
        Type::U16 | Type::B16 => of::<u16>(op),
        Type::U32 | Type::B32 => of::<u32>(op),
        Type::U64 | Type::B64 => of::<u64>(op),
        Type::S16 => of::<i16>(op),
        Type::S32 => of::<i32>(op),
        Type::S64 => of::<i64>(op),
        _ => None,
    }
}

fn of<T: Word>(op: Opcode) -> Option<Pure> {
    carry::of::<T>(op)
        .or_else(|| variant(op))
        .or_else(|| arithmetic::<T>(op))
        .or_else(|| field::of::<T>(op))
        .or_else(|| logic::shift::<T>(op))
}

pub(super) fn two<T: Word>(f: impl Fn(T, T) -> T + Send + Sync + 'static) -> Pure {
    Pure::two(move |a, b| f(T::of(a), T::of(b)).lane())
}

fn three<T: Word>(f: impl Fn(T, T, T) -> T + Send + Sync + 'static) -> Pure {
    Pure::three(move |a, b, c| f(T::of(a), T::of(b), T::of(c)).lane())
}

fn arithmetic<T: Word>(op: Opcode) -> Option<Pure> {
    let zero = T::of(0);
    Some(match (op.mnemonic(), op.get("half")) {
        ("add", _) => two(T::add),
        ("sub", _) => two(T::sub),
        ("mul", Some("lo")) => two(T::mul),
        ("mul", Some("hi")) => two(T::mul_hi),
        ("mul", _) => Pure::two(|a, b| wide::<T>(product::<T>(a, b))),
        ("mad", Some("lo")) => three(|a: T, b, c| a.mul(b).add(c)),
        ("mad", Some("hi")) => three(|a: T, b, c| a.mul_hi(b).add(c)),
        ("mad", _) => Pure::three(|a, b, c| wide::<T>(product::<T>(a, b).wrapping_add(c))),
        ("mul24", Some("lo")) => two(mul24_lo::<T>),
        ("mul24", _) => two(mul24_hi::<T>),
        ("mad24", Some("lo")) => three(|a: T, b, c| mul24_lo(a, b).add(c)),
        ("mad24", _) => three(|a: T, b, c| mul24_hi(a, b).add(c)),
        ("sad", _) => three(|a: T, b, c| a.max(b).sub(a.min(b)).add(c)),
        ("div", _) => two(T::div),
        ("rem", _) => two(T::rem),
        ("abs", _) => Pure::one(move |a| T::of(a).max(zero.sub(T::of(a))).lane()),
        ("neg", _) => Pure::one(move |a| zero.sub(T::of(a)).lane()),
        ("min", _) => two(T::min),
        ("max", _) => two(T::max),
        _ => return None,
    })
}

/// `.sat` and `.relu`, which only `.s32` has.
fn variant(op: Opcode) -> Option<Pure> {
    Some(match (op.mnemonic(), op.has("sat"), op.has("relu")) {
        ("add", true, _) => two(i32::saturating_add),
        ("sub", true, _) => two(i32::saturating_sub),
        ("mad", true, _) => three(|a: i32, b, c| a.mul_hi(b).saturating_add(c)),
        ("mad24", true, _) => three(|a: i32, b, c| mul24_hi(a, b).saturating_add(c)),
        ("min", _, true) => two(|a: i32, b| a.min(b).max(0)),
        ("max", _, true) => two(|a: i32, b| a.max(b).max(0)),
        _ => return None,
    })
}

/// Of two words, modulo 2^64.
fn product<T: Word>(a: u64, b: u64) -> u64 {
    T::of(a).extended().wrapping_mul(T::of(b).extended())
}

/// The bits of a word twice as wide.
fn wide<T: Word>(x: u64) -> u64 {
    if T::BITS == 16 { u64::from(x as u32) } else { x }
}

/// The product of the low 24 bits.
fn product24<T: Word>(a: T, b: T) -> u64 {
    let low = |x: T| x.shl(8).shr(8).lane();
    product::<T>(low(a), low(b))
}

fn mul24_lo<T: Word>(a: T, b: T) -> T {
    T::of(product24(a, b))
}

/// Bits 16 to 47.
fn mul24_hi<T: Word>(a: T, b: T) -> T {
    T::of(product24(a, b) >> 16)
}

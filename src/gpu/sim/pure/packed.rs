//! Words of several integers: halves, dot products, `cvt.pack`.

use super::Pure;
use super::integer::two;
use super::word::Word;
use crate::gpu::ptx::{Instruction, Opcode, Type};

pub(super) fn pure(i: &Instruction) -> Option<Pure> {
    let op = i.opcode();
    match (op.mnemonic(), op.type_of("type")) {
        ("dp4a", _) => Some(dot(op, 8, 0)),
        ("dp2a", _) => Some(dot(op, 16, if op.get("mode") == Some("hi") { 2 } else { 0 })),
        ("cvt", _) if op.has("pack") => pack(op.get("dtype")?),
        (_, Some(Type::U16x2)) => halves::<u16>(op),
        (_, Some(Type::S16x2)) => halves::<i16>(op),
        // the row has this type alone
        _ if op.has("s16x2") => halves::<i16>(op),
        _ => None,
    }
}

fn halves<T: Word>(op: Opcode) -> Option<Pure> {
    let zero = T::of(0);
    Some(match (op.mnemonic(), op.has("relu")) {
        ("add", _) => each(T::add),
        ("min", false) => each(T::min),
        ("max", false) => each(T::max),
        ("min", true) => each(move |a: T, b| a.min(b).max(zero)),
        ("max", true) => each(move |a: T, b| a.max(b).max(zero)),
        _ => return None,
    })
}

fn each<T: Word>(f: impl Fn(T, T) -> T + Send + Sync + 'static) -> Pure {
    two(move |a: u32, b: u32| {
        let half = |at: u32| f(T::of((a >> at).into()), T::of((b >> at).into())).lane() as u32;
        half(0) | half(16) << 16
    })
}

/// Products of the parts of `a`, so many bits wide, and the bytes of `b` from the `first` on, added to `c`.
fn dot(op: Opcode, bits: u32, first: u32) -> Pure {
    let signed = |slot| op.type_of(slot) == Some(Type::S32);
    let (a_signed, b_signed) = (signed("atype"), signed("btype"));
    Pure::three(move |a, b, c| {
        let products = (0..32 / bits).map(|k| part(a, k, bits, a_signed).wrapping_mul(part(b, first + k, 8, b_signed)));
        u64::from(products.fold(c as u32, u32::wrapping_add))
    })
}

/// The `k`th of the parts of so many bits.
fn part(x: u64, k: u32, bits: u32, signed: bool) -> u32 {
    let top = ((x >> (k * bits)) as u32) << (32 - bits);
    if signed { (top as i32 >> (32 - bits)) as u32 } else { top >> (32 - bits) }
}

/// Two words cut to a type's range, the first above the second, and above both, if they leave room, the low bits of a third.
fn pack(ty: &str) -> Option<Pure> {
    let bits: u32 = ty.get(1..)?.parse().ok()?;
    let below = if ty.starts_with('s') { 1i64 << (bits - 1) } else { 0 };
    let mask = (1u64 << bits) - 1;
    let cut = move |x: u64| i64::from(x as i32).clamp(-below, mask as i64 - below) as u64 & mask;
    let pair = move |a, b| cut(a) << bits | cut(b);
    Some(match bits {
        16 => Pure::two(pair),
        _ => Pure::three(move |a, b, c| u64::from((c << (2 * bits) | pair(a, b)) as u32)),
    })
}

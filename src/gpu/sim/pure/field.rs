//! Bits counted and found, bit fields.

use super::Pure;
use super::word::Word;
use crate::gpu::ptx::Opcode;

pub(super) fn of<T: Word>(op: Opcode) -> Option<Pure> {
    let wrap = op.get("mode") == Some("wrap");
    // a position or width of `bmsk` and `szext`
    let amount = move |x: u64| if wrap { x as u32 % 32 } else { x as u32 };
    Some(match op.mnemonic() {
        "popc" => Pure::one(|a| a.count_ones().into()),
        "clz" => Pure::one(|a| leading_zeros::<T>(a).into()),
        "brev" => Pure::one(|a| a.reverse_bits() >> (64 - T::BITS)),
        "bfind" if op.has("shiftamt") => Pure::one(|a| find::<T>(a, leading_zeros::<T>)),
        "bfind" => Pure::one(|a| find::<T>(a, |x| T::BITS - 1 - leading_zeros::<T>(x))),
        "fns" => Pure::three(|mask, base, offset| u64::from(find_nth(mask as u32, base as u32, offset as i32))),
        "bfe" => Pure::three(|a, at, len| low(T::of(a).shr(extent::<T>(at)), extent::<T>(len)).lane()),
        "bfi" => Pure::many(1, |s, d| {
            let mask = T::shl(!ones::<T>().shl(extent::<T>(s[3])), extent::<T>(s[2])).lane();
            d[0] = T::of(s[0]).shl(extent::<T>(s[2])).lane() & mask | s[1] & !mask;
        }),
        "bmsk" => Pure::two(move |at, width| T::shl(!ones::<T>().shl(amount(width)), amount(at)).lane()),
        "szext" => Pure::two(move |a, width| low(T::of(a), amount(width)).lane()),
        _ => return None,
    })
}

fn ones<T: Word>() -> T {
    !T::of(0)
}

/// Positions and lengths of bit fields are their low 8 bits; those of fields in 64 bits, which `ptxas` makes of shifts, all.
fn extent<T: Word>(x: u64) -> u32 {
    if T::BITS == 64 { x as u32 } else { x as u32 & 0xff }
}

/// The low bits, extended by their sign if the type has one.
fn low<T: Word>(x: T, bits: u32) -> T {
    let above = T::BITS - bits.min(T::BITS);
    x.shl(above).shr(above)
}

fn leading_zeros<T: Word>(x: u64) -> u32 {
    x.leading_zeros() - (64 - T::BITS)
}

/// Of the highest bit that differs from the sign; all ones if there is none.
fn find<T: Word>(a: u64, place: impl Fn(u64) -> u32) -> u64 {
    // a type without sign shifts zeros in
    match a ^ T::of(a).shr(T::BITS).lane() {
        0 => u32::MAX.into(),
        x => place(x).into(),
    }
}

/// The place of the `offset`th set bit from the base upwards, downwards if negative; 0: the base itself.
fn find_nth(mask: u32, base: u32, offset: i32) -> u32 {
    let set = |at: &u32| mask.checked_shr(*at).unwrap_or(0) & 1 == 1;
    let found = match offset {
        // `ptxas` negates the offset, which this one does not survive
        i32::MIN => Some(0),
        0 => Some(base).filter(set),
        1.. => (base..32).filter(set).nth(offset as usize - 1),
        _ if base > 31 => None,
        _ => (0..=base).rev().filter(set).nth(offset.unsigned_abs() as usize - 1),
    };
    found.unwrap_or(u32::MAX)
}

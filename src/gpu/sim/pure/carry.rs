//! Extended precision: sums with the carry flag, PTX ISA 9.7.2.

use super::Pure;
use super::word::Word;
use crate::gpu::ptx::Opcode;

/// Two terms and a carry.
type Terms<T> = (T, T, u64);

/// A difference is a sum with the complement, as on the hardware: the flag of `sub.cc` and `subc.cc` is 1 if nothing was borrowed.
/// The PTX ISA has the borrow itself there, which differs if a carry of one kind is read by the other.
pub(super) fn of<T: Word>(op: Opcode) -> Option<Pure> {
    // the multiplications choose their half once
    let half: fn(T, T) -> T = match op.get("half") {
        Some("lo") => T::mul,
        _ if T::BITS == 16 => mul_hi_16,
        _ => T::mul_hi,
    };
    let (a, b, c) = (|s: &[u64]| T::of(s[0]), |s: &[u64]| T::of(s[1]), |s: &[u64]| T::of(s[2]));
    Some(match (op.mnemonic(), op.has("cc")) {
        ("add", true) => sum(op, move |s| (a(s), b(s), 0)),
        ("sub", true) => sum(op, move |s| (a(s), !b(s), 1)),
        ("mad", true) => sum(op, move |s| (half(a(s), b(s)), c(s), 0)),
        ("addc", _) => sum(op, move |s| (a(s), b(s), s[2])),
        ("subc", _) => sum(op, move |s| (a(s), !b(s), s[2])),
        ("madc", _) => sum(op, move |s| (half(a(s), b(s)), c(s), s[3])),
        _ => return None,
    })
}

/// What `ptxas` makes of the undocumented `madc.hi` of 16 bits: the upper half of a product of 32-bit words.
fn mul_hi_16<T: Word>(a: T, b: T) -> T {
    T::of(a.extended().wrapping_mul(b.extended()) >> 32)
}

fn sum<T: Word>(op: Opcode, terms: impl Fn(&[u64]) -> Terms<T> + Send + Sync + 'static) -> Pure {
    // nor does `ptxas` saturate `madc.hi.sat`
    if op.has("sat") && op.mnemonic() != "madc" {
        return Pure::many(1, move |s, d| {
            let (a, b, carry) = terms(s);
            let sum = a.extended().wrapping_add(b.extended()).wrapping_add(carry) as i64;
            d[0] = u64::from(sum.clamp(i32::MIN.into(), i32::MAX.into()) as u32);
        });
    }
    Pure::many(if op.has("cc") { 2 } else { 1 }, move |s, d| {
        let (a, b, carry) = terms(s);
        let sum = u128::from(a.lane()) + u128::from(b.lane()) + u128::from(carry);
        d[0] = T::of(sum as u64).lane();
        if let Some(flag) = d.get_mut(1) {
            *flag = (sum >> T::BITS) as u64;
        }
    })
}

use super::*;
use proptest::prelude::*;

fn run(spelling: &str, shared: bool, old: u128, b: u128, c: u128) -> u128 {
    combine(Opcode::parse(spelling).unwrap()).unwrap().run(shared, old, b, c)
}

#[test]
fn every_atomic_has_a_meaning_and_nothing_else_has() {
    for op in Opcode::all() {
        let found = combine(op).map(|c| (c.bits, c.operands()));
        let bits = match op.qualifiers().last() {
            Some("b16" | "f16" | "bf16") => 16,
            Some("b64" | "u64" | "s64" | "f64") => 64,
            Some("b128") => 128,
            _ => 32,
        };
        let atomic = matches!(op.mnemonic(), "atom" | "red");
        let cas = op.qualifiers().any(|q| q == "cas");
        assert_eq!(found, atomic.then_some((bits, if cas { 2 } else { 1 })), "{op}");
    }
}

/// Opcode, what memory held, operand, what it held then; the state space is in the opcode.
#[test]
fn sums_and_extremes_of_floats_are_those_of_an_h200() {
    let mut samples = 0;
    for line in include_str!("h200.txt").lines() {
        let words: Vec<_> = line.split(' ').collect();
        let bits = |i: usize| u128::from_str_radix(words[i], 16).unwrap();
        let got = run(words[0], words[0].contains(".shared"), bits(1), bits(2), 0);
        assert_eq!(got, bits(3), "{line}: {got:x}");
        samples += 1;
    }
    assert!(samples >= 2400);
}

#[test]
fn a_scalar_a_pair_and_a_vector_of_halves_make_the_same() {
    for line in include_str!("h200.txt").lines().filter(|l| l.contains(".noftz") && l.contains(".add")) {
        let words: Vec<_> = line.split(' ').collect();
        let bits = |i: usize| u128::from_str_radix(words[i], 16).unwrap();
        let (pair, shared) = (format!("{}x2", words[0]), words[0].contains(".shared"));
        // the other half holds 1.5 + -0
        let one = if pair.contains("bf16") { 0x3fc0 } else { 0x3e00 };
        for (up, down) in [(16, 0), (0, 16)] {
            let got = run(&pair, shared, bits(1) << up | one << down, bits(2) << up | 0x8000 << down, 0);
            assert_eq!(got, bits(3) << up | one << down, "{line}");
        }
        let vector = words[0].replace("noftz", "noftz.v4").replace("shared", "global");
        assert_eq!(run(&vector, false, bits(1), bits(2), 0), bits(3), "{line}");
    }
}

/// A finite value of 5 or 8 bits of exponent, in units of its least subnormal.
fn units(x: u16, mantissa: u32) -> i128 {
    let (exponent, fraction) = ((x & 0x7fff) >> mantissa, i128::from(x & ((1 << mantissa) - 1)));
    let size = if exponent == 0 { fraction } else { (fraction | 1 << mantissa) << (exponent - 1) };
    if x >> 15 == 1 { -size } else { size }
}

/// The sum in units is exact; the result is no farther from it than its neighbours, and even if one is as near.
fn nearest(x: u16, y: u16, sum: u16, mantissa: u32) -> Result<(), TestCaseError> {
    let exact = units(x, mantissa) + units(y, mantissa);
    if sum & 0x7fff == 0 {
        prop_assert_eq!(exact, 0);
        return Ok(());
    }
    let far = |z: u16| (units(z, mantissa) - exact).abs();
    for neighbour in [sum.wrapping_sub(1), sum.wrapping_add(1)] {
        let closer = far(sum) < far(neighbour) || far(sum) == far(neighbour) && sum & 1 == 0;
        prop_assert!(closer, "{x:x} + {y:x} = {sum:x}, not {neighbour:x}");
    }
    Ok(())
}

proptest! {
    #[test]
    fn sums_of_halves_are_rounded_once(x in 0u16..0x7000, y in 0u16..0x7000, sx: bool, sy: bool) {
        let (x, y) = (x | u16::from(sx) << 15, y | u16::from(sy) << 15);
        nearest(x, y, run("atom.global.add.noftz.f16", false, x.into(), y.into(), 0) as u16, 10)?;
    }

    #[test]
    fn sums_of_bfloats_are_rounded_once(x in 0u16..0x3000, y in 0u16..0x3000, sx: bool, sy: bool) {
        // exponents below 96: 2^96 * 2^8 units fit
        let (x, y) = (x | u16::from(sx) << 15, y | u16::from(sy) << 15);
        nearest(x, y, run("atom.global.add.noftz.bf16", false, x.into(), y.into(), 0) as u16, 7)?;
    }

    #[test]
    fn integers_are_combined_as_the_isa_says(a: u64, b: u64, c: u64, near in 0u64..3, equal: bool) {
        // pairs that are equal or differ by 1, and others
        let b = if equal { a.wrapping_add(near).wrapping_sub(1) } else { b };
        let (a32, b32, c32) = (a as u32, b as u32, c as u32);
        let inc = if a32 >= b32 { 0 } else { a32 + 1 };
        let dec = if a32 == 0 || a32 > b32 { b32 } else { a32 - 1 };
        let narrow = [
            ("add.u32", a32.wrapping_add(b32)),
            ("add.s32", (a32 as i32).wrapping_add(b32 as i32) as u32),
            ("min.u32", a32.min(b32)),
            ("max.u32", a32.max(b32)),
            ("min.s32", (a32 as i32).min(b32 as i32) as u32),
            ("max.s32", (a32 as i32).max(b32 as i32) as u32),
            ("and.b32", a32 & b32),
            ("or.b32", a32 | b32),
            ("xor.b32", a32 ^ b32),
            ("inc.u32", inc),
            ("dec.u32", dec),
            ("exch.b32", b32),
            ("cas.b32", if a32 == b32 { c32 } else { a32 }),
        ];
        let wide = [
            ("add.u64", a.wrapping_add(b)),
            ("min.u64", a.min(b)),
            ("max.u64", a.max(b)),
            ("min.s64", (a as i64).min(b as i64) as u64),
            ("max.s64", (a as i64).max(b as i64) as u64),
            ("and.b64", a & b),
            ("or.b64", a | b),
            ("xor.b64", a ^ b),
            ("exch.b64", b),
            ("cas.b64", if a == b { c } else { a }),
            ("cas.b16", if a as u16 == b as u16 { (c as u16).into() } else { (a as u16).into() }),
        ];
        for (op, want) in narrow.map(|(op, want)| (op, want.into())).into_iter().chain(wide) {
            for shared in [false, true] {
                let space = if shared { "shared" } else { "global" };
                // what lies above the width does not matter
                prop_assert_eq!(run(&format!("atom.{space}.{op}"), shared, a.into(), b.into(), c.into()), want.into(), "{}", op);
            }
        }
        let double = |x: u64| u128::from(x) << 64 | u128::from(x.rotate_left(7));
        let (a, b, c) = (double(a), double(b), double(c));
        prop_assert_eq!(run("atom.relaxed.gpu.global.exch.b128", false, a, b, c), b);
        prop_assert_eq!(run("atom.relaxed.gpu.global.cas.b128", false, a, b, c), if a == b { c } else { a });
    }
}

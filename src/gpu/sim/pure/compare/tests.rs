//! Every comparison against the order of exact values.

use crate::gpu::ptx::Opcode;
use crate::gpu::sim::pure::pure;
use crate::gpu::sim::pure::tests::{Random, compute, cut, instructions};
use core::cmp::Ordering;

/// Sign, and magnitude in an order that is the numbers'; none for a NaN. Floats are ordered by their bits below the sign.
fn value(x: u64, ty: &str, ftz: bool) -> Option<i128> {
    let float = |bits: u32, mantissa: u32| {
        let magnitude = cut(x, bits - 1);
        let exponent = magnitude >> mantissa;
        let magnitude = if ftz && exponent == 0 { 0 } else { magnitude };
        let sign = if x >> (bits - 1) & 1 == 1 { -1 } else { 1 };
        let greatest = (1u64 << (bits - 1 - mantissa)) - 1;
        (exponent < greatest || cut(magnitude, mantissa) == 0).then_some(sign * i128::from(magnitude))
    };
    match ty {
        "f64" => float(64, 52),
        "f32" => float(32, 23),
        "f16" | "f16x2" => float(16, 10),
        "bf16" | "bf16x2" => float(16, 7),
        _ => {
            let bits: u32 = ty[1..].parse().unwrap();
            let x = i128::from(cut(x, bits));
            Some(if ty.starts_with('s') && x >> (bits - 1) == 1 { x - (1 << bits) } else { x })
        }
    }
}

fn holds(cmp: &str, order: Option<Ordering>) -> bool {
    use Ordering::*;
    let Some(order) = order else { return cmp == "nan" || cmp.len() == 3 && cmp.ends_with('u') };
    match cmp {
        "eq" | "equ" => order == Equal,
        "ne" | "neu" => order != Equal,
        "lt" | "ltu" | "lo" => order == Less,
        "le" | "leu" | "ls" => order != Greater,
        "gt" | "gtu" | "hi" => order == Greater,
        "ge" | "geu" | "hs" => order != Less,
        "num" => true,
        "nan" => false,
        _ => panic!("{cmp}"),
    }
}

fn joined(bool: Option<&str>, t: bool, p: u64) -> bool {
    match bool {
        None => t,
        Some("and") => t && p == 1,
        Some("or") => t || p == 1,
        Some("xor") => t != (p == 1),
        _ => panic!(),
    }
}

/// A float or integer close to another, as often as not.
fn near(random: &mut Random, x: u64, bits: u32) -> u64 {
    match random.next() % 4 {
        0 => x,
        1 => cut(x.wrapping_add(random.next() % 3).wrapping_sub(1), bits),
        2 => x ^ 1 << (bits - 1),
        _ => random.value(bits),
    }
}

#[test]
fn every_setp_and_set_compares_values() {
    let mut random = Random(1);
    let mut seen = 0;
    for op in Opcode::all().filter(|op| ["setp", "set"].contains(&op.mnemonic())) {
        let qualifiers: Vec<_> = op.qualifiers().collect();
        let (ty, cmp, bool, ftz) = (*qualifiers.last().unwrap(), op.get("cmp").unwrap(), op.get("bool"), op.has("ftz"));
        let packed = ty.ends_with("x2");
        // what a true half or whole is
        let (truth, width) = match qualifiers[qualifiers.len() - 2] {
            "f32" => (u64::from(1f32.to_bits()), 32),
            "f16" | "f16x2" => (0x3c00, 16),
            "bf16" | "bf16x2" => (0x3f80, 16),
            "u32" | "s32" if !packed => (0xffff_ffff, 32),
            _ => (0xffff, 16),
        };
        for (i, sources, results) in instructions(op) {
            seen += 1;
            let compare = pure(&i).unwrap();
            for _ in 0..60 {
                let a = random.value(sources[0]);
                let b = near(&mut random, a, sources[0]);
                let p = random.next() & 1;
                let test = |at: u32| {
                    let order = value(a >> at, ty, ftz).and_then(|a| Some(a.cmp(&value(b >> at, ty, ftz)?)));
                    holds(cmp, order)
                };
                let expected = if op.mnemonic() == "setp" {
                    let first = u64::from(joined(bool, test(0), p));
                    let second = if packed { test(16) } else { !test(0) };
                    [first, u64::from(joined(bool, second, p))][..results.len()].to_vec()
                } else {
                    let half = |at| if joined(bool, test(at), p) { truth << at } else { 0 };
                    vec![if packed { half(0) + half(width) } else { half(0) }]
                };
                let values = if bool.is_some() { vec![a, b, p] } else { vec![a, b] };
                assert_eq!(compare.thread(&values), expected, "{i} {a:x} {b:x} {p}");
            }
        }
    }
    println!("{seen} instructions");
    assert!(seen > 1000, "{seen}");
}

#[test]
fn all_pairs_of_half_classes_are_ordered() {
    // every exponent and sign, the ends of its mantissas
    let halves: Vec<u64> = (0..1 << 16).filter(|x| [0, 1, 0x3ff].contains(&(x & 0x3ff))).collect();
    for (op, ftz) in [("setp.lt.f16", false), ("setp.geu.ftz.f16", true)] {
        let compare = crate::gpu::sim::pure::tests::nth(op, 0);
        for a in &halves {
            for b in &halves {
                let order = value(*a, "f16", ftz).and_then(|a| Some(a.cmp(&value(*b, "f16", ftz)?)));
                let expected = holds(if ftz { "geu" } else { "lt" }, order);
                assert_eq!(compare.thread(&[*a, *b]), [u64::from(expected)], "{op} {a:x} {b:x}");
            }
        }
    }
}

#[test]
fn selp_selects_by_the_predicate() {
    for ty in ["b16", "u32", "s64", "f32", "f64"] {
        let spelling = format!("selp.{ty}");
        assert_eq!([compute(&spelling, &[5, 7, 1]), compute(&spelling, &[5, 7, 0])], [[5], [7]]);
    }
}

#[test]
fn slct_selects_by_the_sign() {
    let by = |spelling: &str, c: u64| compute(spelling, &[5, 7, c])[0];
    let f32 = |spelling: &str, c: f32| by(spelling, c.to_bits().into());
    assert_eq!([0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff].map(|c| by("slct.b32.s32", c)), [5, 5, 5, 7, 7]);
    let values = [0.0, -0.0, 1.5, -1.5, f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e-40, -1e-40];
    assert_eq!(values.map(|c| f32("slct.u64.f32", c)), [5, 5, 5, 7, 7, 7, 5, 7, 5, 7]);
    assert_eq!(values.map(|c| f32("slct.ftz.f32.f32", c)), [5, 5, 5, 7, 7, 7, 5, 7, 5, 5]);
}

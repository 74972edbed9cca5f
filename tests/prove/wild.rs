//! Claims about any layouts at all: up to 24 leaves, numbers up to 64 bits, symbols and coordinates. No panic, every certificate
//! and counterexample checks, and the budget is kept.

use crate::brute::{Rng, cases};
use girih::algebra::prove::{Claim, Image, Verdict};
use girih::prelude::*;

fn number(r: &mut Rng) -> i64 {
    let v = match r.below(6) {
        0 => r.below(3),
        1 => r.below(20),
        2 => 1 << r.below(62),
        3 => (1 << r.below(62)) + r.below(5) - 2,
        4 => r.below(i64::MAX),
        _ => {
            let bits = 1 + r.below(40);
            r.below(1 << bits)
        }
    };
    if r.below(5) == 0 { -v } else { v }
}

fn wild(r: &mut Rng) -> Layout {
    loop {
        let most = r.of(&[3, 8, 24]);
        let leaves = 1 + r.below(most);
        let mut shape = Vec::new();
        let mut stride = Vec::new();
        for _ in 0..leaves {
            shape.push(match r.below(4) {
                0 => 1 + r.below(4),
                1 => 1 << r.below(8),
                2 => {
                    let bits = 1 + r.below(20);
                    1 + r.below(1 << bits)
                }
                _ => 2,
            });
            stride.push(number(r) >> (r.below(4) * r.below(16)));
        }
        if let Ok(l) = Layout::flat(&shape, &stride) {
            return l;
        }
    }
}

fn odd(r: &mut Rng) -> Layout {
    let texts =
        ["(?M,4):(1,?lda)", "(4,8):(1@0,1@1)", "(?M{8},?N):(0,?M{8})", "(?M,?M):(?N,?lda)", "1:0", "(1,1):(5,7)"];
    r.of(&texts).parse().unwrap()
}

fn image(r: &mut Rng) -> Image {
    let l = if r.below(8) == 0 { odd(r) } else { wild(r) };
    Image::new(&l, if r.below(2) == 0 { 0 } else { number(r) })
}

#[test]
fn no_claim_panics_and_every_answer_checks() {
    let (mut proved, mut conditional, mut refuted, mut unknown) = (0, 0, 0, 0);
    for case in 0..cases(20_000) {
        let mut r = Rng::new(case + 77);
        let a = image(&mut r);
        let claim = match r.below(12) {
            0 => Claim::Injective(a.layout),
            1 => Claim::Bijective { image: a, lo: number(&mut r), size: number(&mut r).into() },
            2 => Claim::Onto { image: a, lo: number(&mut r), hi: number(&mut r) },
            3 => Claim::Contiguous(a.layout),
            4 => Claim::Disjoint((0..r.below(4)).map(|_| image(&mut r)).collect()),
            5 => Claim::Covers { whole: a, family: (0..r.below(4)).map(|_| image(&mut r)).collect() },
            6 => Claim::Inside(a, image(&mut r)),
            7 => Claim::Equal(a.layout, if r.below(2) == 0 { a.layout.coalesce() } else { wild(&mut r) }),
            8 => Claim::Monotone { layout: a.layout, strict: r.below(2) == 0 },
            9 => Claim::Aligned { image: a, to: number(&mut r) },
            10 => Claim::Fits { image: a, bits: r.below(70) as u32, signed: r.below(2) == 0 },
            _ => {
                let b = if r.below(2) == 0 { Image::new(&a.layout.coalesce(), 0) } else { image(&mut r) };
                Claim::Vectors { a, b, width: number(&mut r) }
            }
        };
        let verdict = claim.decide(2_000);
        let _ = verdict.to_string();
        match verdict {
            Verdict::Proved(c) => {
                assert_eq!(c.check(), Ok(()), "{claim}");
                proved += 1;
            }
            Verdict::Conditional(c) => {
                assert_eq!(c.check(), Ok(()), "{claim}");
                conditional += 1;
            }
            Verdict::Refuted(c) => {
                assert_eq!(c.check(), Ok(()), "{claim}");
                refuted += 1;
            }
            Verdict::Unknown(_) => unknown += 1,
        }
    }
    println!("{proved} proved, {conditional} with conditions, {refuted} refuted, {unknown} unknown");
    assert!(proved > 1000 && refuted > 1000);
}

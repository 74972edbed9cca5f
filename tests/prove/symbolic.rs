//! Claims about layouts with symbols: what is proved holds for every binding that keeps promises and conditions.

use crate::brute::{Rng, cases};
use crate::kinds::truth;
use girih::algebra::prove::{self, BUDGET, Claim, Condition, Verdict};
use girih::prelude::*;

fn layout(text: &str) -> Layout {
    text.parse().unwrap()
}

#[test]
fn a_padded_matrix_is_injective_if_its_rows_do_not_overlap() {
    let verdict = |l: &str| prove::injective(&layout(l)).to_string();
    assert_eq!(verdict("(?M,?N):(1,?M)"), "proved");
    assert_eq!(verdict("(?M,?N):(?N,1)"), "proved");
    assert_eq!(verdict("(?M,?N):(1,?lda)"), "proved if ?M <= ?lda");
    assert_eq!(verdict("(?M{8},8):(1,?lda{8})"), "proved if ?M{8} <= ?lda{8}");
    assert_eq!(verdict("(64,?N):(1,?lda{128})"), "proved");
    assert_eq!(verdict("(64,?N):(1,32)"), "refuted: (32,0) and (0,1) both have the value 32 for ?N = 2");
}

#[test]
fn every_element_is_covered_once_for_all_sizes_that_are_multiples_of_the_tile() {
    let a = layout("(?M{8},?N{4}):(1,?M{8})");
    let size = a.size_int().unwrap();
    let tiles = a.zipped_divide(&tiler![8, 4]).unwrap();
    assert_eq!(prove::bijective(&tiles, size).to_string(), "proved");
    let ragged = a.zipped_divide_ceil(&tiler![128, 64]).unwrap().layout;
    let verdict = prove::bijective(&ragged, size);
    assert_eq!(verdict.to_string(), "proved if ?M{8} % 128 == 0 and ?N{4} % 64 == 0");
    let Verdict::Conditional(c) = verdict else { panic!() };
    assert_eq!(c.check(), Ok(()));
    assert!(c.assuming.iter().all(|c| c.holds(&[("M", 256), ("N", 64)]).unwrap()));
    assert!(!c.assuming.iter().all(|c| c.holds(&[("M", 256), ("N", 68)]).unwrap()));
}

#[test]
fn a_certificate_without_its_assumption_is_rejected() {
    let Verdict::Conditional(mut c) = prove::injective(&layout("(?M,?N):(1,?lda)")) else { panic!() };
    c.assuming.clear();
    assert!(c.check().is_err());
    c.assuming.push(Condition::AtMost { left: "?N".parse().unwrap(), right: "?lda".parse().unwrap() });
    assert!(c.check().is_err());
}

#[test]
fn what_is_proved_holds_for_every_binding() {
    let extents = ["2", "3", "4", "?M", "?N", "?M{4}", "⌈?M/4⌉", "⌈?N/2⌉"];
    let strides =
        ["0", "1", "2", "4", "?M", "?M{4}", "?N", "?lda", "?lda{4}", "4*?M", "2*?lda", "?M*?N", "4*?lda", "⌈?M/4⌉"];
    let (mut proved, mut conditional, mut refuted, mut bindings) = (0, 0, 0, 0);
    for case in 0..cases(3_000) {
        let mut r = Rng::new(case + 1);
        let leaves = 1 + r.below(3) as usize;
        let pick = |r: &mut Rng, from: &[&str]| (0..leaves).map(|_| r.of(from)).collect::<Vec<_>>().join(",");
        let text = format!("({}):({})", pick(&mut r, &extents), pick(&mut r, &strides));
        let Ok(a) = text.parse::<Layout>() else { continue };
        let Ok(size) = a.size_int() else { continue };
        let claim = match r.below(7) {
            0 | 1 => Claim::Injective(a),
            2 | 3 => Claim::Bijective { image: a.into(), lo: 0, size },
            4 => Claim::Monotone { layout: a, strict: r.below(2) == 0 },
            5 => Claim::Aligned { image: a.into(), to: 1 + r.below(4) },
            _ => Claim::Fits { image: a.into(), bits: 4 + r.below(4) as u32, signed: r.below(2) == 0 },
        };
        let (certificate, assuming) = match claim.decide(BUDGET) {
            Verdict::Proved(c) => {
                proved += 1;
                (c, vec![])
            }
            Verdict::Conditional(c) => {
                conditional += 1;
                let assuming = c.assuming.clone();
                (c, assuming)
            }
            Verdict::Refuted(c) => {
                refuted += 1;
                assert_eq!(
                    truth(&c.claim.bind(&c.values.iter().map(|v| (v.0.as_str(), v.1)).collect::<Vec<_>>()).unwrap()),
                    Some(c.counterexample),
                    "{claim}"
                );
                continue;
            }
            Verdict::Unknown(_) => continue,
        };
        assert_eq!(certificate.check(), Ok(()), "{claim}");
        for (m, n, lda) in (1..9).flat_map(|m| (1..5).flat_map(move |n| [1, 2, 3, 4, 5, 8, 12, 16].map(|l| (m, n, l))))
        {
            let values = [("M", m), ("N", n), ("lda", lda)];
            let Ok(bound) = claim.bind(&values) else { continue };
            if assuming.iter().all(|c| c.holds(&values).unwrap()) {
                bindings += 1;
                assert_eq!(truth(&bound), None, "{claim} at {values:?}");
            }
        }
    }
    println!("{proved} proved, {conditional} with conditions, {refuted} refuted; {bindings} bindings");
    assert!(proved > 50 && conditional > 50 && refuted > 50 && bindings > 1000);
}

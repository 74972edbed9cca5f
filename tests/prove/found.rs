//! What was wrong once: forged certificates and refutations that were accepted, and questions that panicked.

use girih::algebra::prove::{
    BUDGET, Certificate, Claim, Condition, Counterexample, Image, Proof, Refutation, Unknown, Verdict,
};
use girih::prelude::*;

fn layout(text: &str) -> Layout {
    text.parse().unwrap()
}

fn int(text: &str) -> Int {
    text.parse().unwrap()
}

fn forged(claim: &Claim, counterexample: Counterexample) -> bool {
    Refutation { claim: claim.clone(), values: vec![], counterexample }.check().is_ok()
}

#[test]
fn a_product_or_a_quotient_that_divides_is_no_promise_of_a_symbol() {
    let claim = |l: &str, to| Claim::Aligned { image: layout(l).into(), to };
    for (l, to, symbol, by) in
        [("(2,2):(?M,?N)", 8, "?M*?N", 8), ("2:?M", 8, "4*?M", 8), ("2:?M", 64, "⌈?M/8⌉", 64), ("2:?M", 8, "?M", 0)]
    {
        let assuming = vec![Condition::Divides { symbol: int(symbol), by }];
        let c = Certificate { claim: claim(l, to), assuming, proof: Proof::Arithmetic };
        assert!(c.check().is_err(), "{symbol} % {by}");
    }
    let assuming = vec![Condition::Divides { symbol: int("?M"), by: 8 }];
    let c = Certificate { claim: claim("2:?M", 8), assuming, proof: Proof::Arithmetic };
    assert_eq!(c.check(), Ok(()));
}

#[test]
fn refutations_of_true_claims_are_not_accepted() {
    let vectors = Claim::Vectors { a: layout!(8:1).into(), b: layout!(8:1).into(), width: 4 };
    assert!(!forged(&vectors, Counterexample::NoVector { i: 0, a: 0, b: 0 }));
    let fits = Claim::Fits { image: layout!(4:1).into(), bits: 8, signed: false };
    assert!(!forged(&fits, Counterexample::TooLarge { i: -1, sum: -1 }));
    let equal = Claim::Equal(layout("(4,1):(1,?d)"), layout!(4:1));
    assert!(!forged(&equal, Counterexample::Differ { i: 2, a: None, b: Some(2) }));
}

#[test]
fn questions_that_make_no_sense_have_no_certificate() {
    let check = |claim: Claim| Certificate { claim, assuming: vec![], proof: Proof::Arithmetic }.check();
    assert!(check(Claim::Aligned { image: layout!(8:8).into(), to: -8 }).is_err());
    assert!(check(Claim::Aligned { image: layout!(1:0).into(), to: 0 }).is_err());
    assert!(check(Claim::Aligned { image: layout("4:8@0").into(), to: 8 }).is_err());
    assert!(check(Claim::Fits { image: layout("?M:1").into(), bits: 65, signed: true }).is_err());
    let verdict = Claim::Aligned { image: layout("(4,?M):(1,1)").into(), to: 0 }.decide(BUDGET);
    assert!(matches!(verdict, Verdict::Unknown(Unknown::Question(_))));
    let verdict = prove::injective(&layout("(4,8):(1@0,1@1)"));
    assert_eq!(verdict, Verdict::Unknown(Unknown::Invalid(LayoutError::Codomain)));
}

#[test]
fn a_proof_of_another_kind_proves_nothing() {
    let monotone = Claim::Monotone { layout: layout!(4:1), strict: false };
    assert!(Certificate { claim: monotone, assuming: vec![], proof: Proof::Descent }.check().is_err());
}

#[test]
fn multiples_of_symbols_that_overflow_are_no_panic() {
    assert!(matches!(prove::aligned(layout("4:?lda{3}"), 1 << 62), Verdict::Unknown(_) | Verdict::Refuted(_)));
    assert!(matches!(prove::equal(&layout("?M{4294967291}:1"), &layout("?M{4294967279}:1")), Verdict::Unknown(_)));
    assert!(Int::symbol("M", 3).unwrap().promise("M", 1 << 62).is_err());
    assert!(Condition::Divides { symbol: int("?M"), by: 0 }.holds(&[("M", 1)]).is_err());
}

#[test]
fn no_condition_is_asked_for_that_no_symbol_meets() {
    assert!(matches!(prove::bijective(&layout("?M:1"), 0), Verdict::Refuted(_)));
    assert!(matches!(prove::bijective(&layout("?M:1"), -5), Verdict::Refuted(_)));
}

#[test]
fn a_known_layout_may_have_to_fill_a_size_with_symbols() {
    assert_eq!(prove::bijective(&layout!(64:1), int("?M")).to_string(), "proved if 64 == ?M");
}

#[test]
fn the_sign_of_a_stride_with_symbols_does_not_matter_for_injectivity() {
    assert_eq!(prove::injective(&layout("(?M,?N):(-1,?M)")).to_string(), "proved");
    assert_eq!(prove::injective(&layout("(?M,?N):(1,-1*?M)")).to_string(), "proved");
}

#[test]
fn an_exact_cut_of_leaves_without_order_covers() {
    let a = layout!((18,9,13,10,13):(18,14,9,29,31));
    let (lower, upper) = (layout!((12,9,13,10,13):(18,14,9,29,31)), layout!((6,9,13,10,13):(18,14,9,29,31)));
    assert_eq!(prove::covers(a, &[lower.into(), Image::new(&upper, 216)]).to_string(), "proved");
}

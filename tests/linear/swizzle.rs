//! Swizzles as matrices.

use crate::brute::*;
use girih::prelude::*;

fn all(width: i64) -> Vec<Swizzle> {
    let mut all = vec![];
    for bits in 0..=width {
        for base in 0..=width {
            for shift in -width..=width {
                if bits + base + shift.abs() <= width
                    && let Ok(s) = Swizzle::new(bits, base, shift)
                {
                    all.push(s);
                }
            }
        }
    }
    all
}

#[test]
fn a_swizzle_and_its_matrix_are_the_same_function() {
    for s in all(8) {
        for bits in 0..=9 {
            let l = LinearLayout::from_swizzle(&s, bits).unwrap();
            let values: Vec<i64> = (0..1 << bits).map(|x| s.at(x).unwrap()).collect();
            assert_eq!(table(&l), values, "{s} on {bits} bits");
        }
    }
}

#[test]
fn every_swizzle_is_recognised() {
    for s in all(9) {
        let back = LinearLayout::from_swizzle(&s, 10).unwrap().to_swizzle().unwrap();
        assert_eq!(back, if s.is_identity() { Swizzle::IDENTITY } else { s });
    }
}

#[test]
fn on_fewer_bits_the_swizzle_that_is_left_is_found() {
    for s in all(8) {
        for bits in 0..8 {
            let l = LinearLayout::from_swizzle(&s, bits).unwrap();
            let t = l.to_swizzle().unwrap();
            assert!((0..1 << bits).all(|x| t.at(x) == s.at(x)), "{s} on {bits} bits: {t}");
        }
    }
}

/// All matrices of 3 bits: recognised if and only if some swizzle has its values.
#[test]
fn recognition_is_exact_on_all_small_matrices() {
    let swizzles: Vec<Vec<i64>> = all(3).iter().map(|s| (0..8).map(|x| s.at(x).unwrap()).collect()).collect();
    let axes = Axes::one(Axis::OFFSET, 8).unwrap();
    let mut found = 0;
    for code in 0..1 << 12 {
        let bases = [code & 7, code >> 3 & 7, code >> 6 & 7];
        let l = LinearLayout::new(&axes, &axes, &bases).unwrap().with_offset(code >> 9).unwrap();
        let t = table(&l);
        match l.to_swizzle() {
            Ok(s) => {
                found += 1;
                assert!((0..8).all(|x| s.at(x) == Ok(t[x as usize])), "{l}: {s}");
            }
            Err(_) => assert!(!swizzles.contains(&t), "{l}"),
        }
    }
    let mut distinct = swizzles.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(found, distinct.len());
}

#[test]
fn products_of_swizzles_are_exact_and_agree_with_compose_where_that_exists() {
    let mut r = Rng::new(40);
    let swizzles: Vec<Swizzle> = all(8).into_iter().filter(|s| !s.is_identity()).collect();
    let (mut single, mut many) = (0, 0);
    for _ in 0..cases(3000) {
        let (a, b) = (r.of(&swizzles), r.of(&swizzles));
        let m = |s: &Swizzle| LinearLayout::from_swizzle(s, 8).unwrap();
        let ab = m(&a).compose(&m(&b)).unwrap();
        assert!((0..256).all(|x| ab.at(x) == a.at(b.at(x).unwrap())), "{a} o {b}");
        match a.compose(&b) {
            Ok(s) => {
                single += 1;
                assert_eq!(table(&ab), table(&m(&s)));
                assert!(ab.to_swizzle().is_ok());
            }
            Err(_) => {
                many += 1;
                assert!(ab.to_swizzle().is_err(), "{a} o {b}");
            }
        }
        assert_eq!(ab.inverse().unwrap(), m(&b).compose(&m(&a)).unwrap());
    }
    assert!(single > 50 && many > 1000, "{single} {many}");
}

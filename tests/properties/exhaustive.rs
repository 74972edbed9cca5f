//! All pairs of flat layouts with at most 3 leaves, extents at most 4 and strides at most 6: composition, complement, divide
//! and product against brute force. A seeded 1/256 of the pairs by default; `GIRIH_EXHAUSTIVE=full` takes all 518 million.

use crate::brute::*;
use girih::algebra::laws;
use girih::prelude::*;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

fn family() -> Vec<Layout> {
    let mut all = vec![];
    for n in 1..=3usize {
        for code in 0..28usize.pow(n as u32) {
            let leaf = |k: usize| code / 28usize.pow(k as u32) % 28;
            let shape: Vec<i64> = (0..n).map(|k| (leaf(k) % 4) as i64 + 1).collect();
            let stride: Vec<i64> = (0..n).map(|k| (leaf(k) / 4) as i64).collect();
            all.push(Layout::flat(&shape, &stride).unwrap());
        }
    }
    all
}

fn full() -> bool {
    std::env::var("GIRIH_EXHAUSTIVE").is_ok_and(|v| v == "full")
}

#[test]
fn all_small_pairs_obey_the_laws() {
    let family = family();
    let full = full();
    let counts: [AtomicU64; 8] = Default::default();
    family.par_iter().enumerate().for_each(|(i, a)| {
        for (j, b) in family.iter().enumerate() {
            let hash = ((i * 22764 + j) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56;
            if !full && hash != 7 {
                continue;
            }
            // most right sides leave the domain of a small left side: seen from the bounds, in the library and here
            let (s, d) = b.known_leaves().unwrap();
            let reach: i64 = s.iter().zip(d).map(|(s, d)| (s - 1) * d).sum();
            if reach >= a.size().unwrap() {
                assert_eq!(a.compose(b).unwrap_err().kind(), "domain");
                counts[0].fetch_add(1, Relaxed);
            } else {
                let ok = check_composition(a, b).unwrap_or_else(|e| panic!("{e}"));
                counts[1 + ok as usize].fetch_add(1, Relaxed);
            }
            match a.logical_divide(b) {
                Ok(r) => {
                    laws::logical_divide(a, b, &r).unwrap_or_else(|v| panic!("{a} / {b} = {r}: {v}"));
                    counts[3].fetch_add(1, Relaxed);
                }
                Err(e) => refused_divide(a, b, &e),
            }
            match a.logical_product(b) {
                Ok(r) => {
                    laws::logical_product(a, b, &r).unwrap_or_else(|v| panic!("{a} x {b} = {r}: {v}"));
                    counts[4].fetch_add(1, Relaxed);
                }
                Err(e) => assert!(matches!(e.kind(), "interleaved" | "no_layout"), "{e}"),
            }
        }
    });
    println!("out of domain, refused, composed, divided, multiplied: {counts:?}");
    assert!(counts[1..5].iter().all(|c| c.load(Relaxed) > 1000));
}

/// A refused divide has a reason: no exact complement, or no layout with these values.
fn refused_divide(a: &Layout, t: &Layout, e: &Error) {
    let size = a.size().unwrap();
    match e.reason {
        LayoutError::Interleaved { .. } | LayoutError::NotDivisible { .. } => {
            assert!(!tiles_exactly(t, size), "{e}: it tiles");
        }
        LayoutError::NoLayout { .. } => {
            let whole = Layout::tuple(&[*t, t.complement_exact(size).unwrap()]).unwrap();
            assert!(check_composition(a, &whole).is_ok_and(|ok| !ok), "{e}");
        }
        _ => panic!("{e}"),
    }
}

/// Do copies of the values of `t`, each value once, fill `[0, n)`? Greedy: the least free place must begin the next copy.
fn tiles_exactly(t: &Layout, n: i64) -> bool {
    let v = values(t);
    let mut taken = vec![false; n as usize];
    for at in 0..n {
        if taken[at as usize] {
            continue;
        }
        for &x in &v {
            match taken.get_mut((at + x) as usize) {
                Some(place) if !*place => *place = true,
                _ => return false,
            }
        }
    }
    true
}

#[test]
fn all_small_complements_obey_their_laws() {
    let (mut padded, mut exact) = (0, 0);
    for a in family() {
        for m in (1..=40).filter(|m| full() || m % 4 == 0) {
            match a.complement(m) {
                Ok(r) => {
                    laws::complement(&a, m, &r).unwrap_or_else(|v| panic!("{a} in {m}: {r}: {v}"));
                    padded += 1;
                }
                Err(e) => assert_eq!(e.kind(), "interleaved", "{e}"),
            }
            match a.complement_exact(m) {
                Ok(r) => {
                    laws::complement_exact(&a, m, &r).unwrap_or_else(|v| panic!("{a} in {m}: {r}: {v}"));
                    exact += 1;
                }
                Err(_) => assert!(!tiles_exactly(&a, m), "complement_exact({a}, {m}) is refused and it tiles"),
            }
        }
    }
    println!("{padded} complements, {exact} exact ones");
}

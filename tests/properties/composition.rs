//! Composition against brute force: no wrong accept, no wrong refusal, least witnesses.

use crate::brute::*;
use girih::algebra::laws;
use girih::prelude::*;
use rayon::prelude::*;

fn p(s: &str) -> Layout {
    s.parse().unwrap()
}

#[test]
fn random_pairs_agree_with_brute_force() {
    let n = cases(40_000);
    let chunks = 64;
    let counts: Vec<(u64, u64)> = (0..chunks)
        .into_par_iter()
        .map(|c| {
            let mut r = Rng::new(c + 1);
            let (mut accepts, mut refusals) = (0, 0);
            for _ in 0..n / chunks {
                let cap = r.of(&[24, 256, 4096]);
                let a = any_left(&mut r, cap);
                let b = any_right(&mut r, &a);
                match check_composition(&a, &b) {
                    Ok(true) => accepts += 1,
                    Ok(false) => refusals += 1,
                    Err(e) => panic!("{e}"),
                }
            }
            (accepts, refusals)
        })
        .collect();
    let (accepts, refusals) = counts.iter().fold((0, 0), |s, c| (s.0 + c.0, s.1 + c.1));
    println!("composition: {accepts} accepts and {refusals} refusals agree with brute force");
    assert!(accepts > n / 10 && refusals > n / 10, "both outcomes occur");
}

#[test]
fn carries_that_cancel_are_found() {
    // sizes where strides are near multiples: deltas of both signs
    let n = cases(20_000);
    let mut r = Rng::new(99);
    for _ in 0..n {
        let m = 2 + r.below(4);
        let shape: Vec<i64> = (0..m).map(|_| 2 + r.below(4)).collect();
        let mut stride = vec![r.below(5) - 2];
        for k in 1..m as usize {
            stride.push(shape[k - 1] * stride[k - 1] + r.of(&[-1, 1, 1, -2, 2]));
        }
        let a = Layout::flat(&shape, &stride).unwrap();
        let b = any_right(&mut r, &a);
        check_composition(&a, &b).unwrap();
    }
}

#[test]
fn large_domains_are_never_wrongly_accepted() {
    let mut r = Rng::new(5);
    let mut accepted = 0;
    for _ in 0..cases(20_000) {
        let mut left = 1i64 << 50;
        let (mut shape, mut stride) = (vec![], vec![]);
        let mut run = 1i64;
        while left > 1 && shape.len() < 8 {
            let s = r.of(&[2, 3, 4, 8, 10, 16, 64, 100, 1 << 10, 1 << 20]).min(left);
            left /= s;
            shape.push(s);
            stride.push(match r.below(4) {
                0 => run,
                1 => 0,
                2 => -run,
                _ => run + r.below(3),
            });
            run *= s;
        }
        let a = Layout::flat(&shape, &stride).unwrap();
        let (mut s, mut d, mut room) = (vec![], vec![], a.size().unwrap() - 1);
        for _ in 0..1 + r.below(5) {
            let k = r.below(shape.len() as i64) as usize;
            let e = shape[..k].iter().product::<i64>() * (1 + r.below(2));
            let t = r.of(&[2, 4, 8, 3, 5, 64]);
            if e * (t - 1) <= room {
                room -= e * (t - 1);
                s.push(t);
                d.push(e);
            }
        }
        if s.is_empty() {
            continue;
        }
        let b = Layout::flat(&s, &d).unwrap();
        match a.compose(&b) {
            Ok(x) => {
                laws::composition(&a, &b, &x).unwrap_or_else(|v| panic!("{a} o {b} = {x}: {v}"));
                accepted += 1;
            }
            Err(e) => {
                if let LayoutError::NoLayout { index, got, .. } = e.reason {
                    assert_eq!(a.at(b.at(index).unwrap()).unwrap(), got, "{e}");
                } else {
                    panic!("{e}");
                }
            }
        }
    }
    println!("{accepted} accepted");
}

#[test]
fn extended_composition_continues_the_last_mode() {
    let mut r = Rng::new(12);
    let mut accepts = 0;
    for _ in 0..cases(20_000) {
        let a = any_left(&mut r, 64);
        let (s, d) = a.known_leaves().unwrap();
        // a longer last mode is the same function further on
        let mut longer = s.to_vec();
        *longer.last_mut().unwrap() *= 40;
        let long = Layout::flat(&longer, d).unwrap();
        let b = any_right(&mut r, &long);
        let truth =
            least_witness(&values(&b).iter().map(|&v| value(s, d, v)).collect::<Vec<_>>(), b.known_leaves().unwrap().0);
        match a.compose_extended(&b) {
            Ok(x) => {
                assert_eq!(truth, None, "{a} o {b}");
                laws::composition_extended(&a, &b, &x).unwrap();
                accepts += 1;
            }
            Err(e) => match e.reason {
                LayoutError::NoLayout { index, .. } => assert_eq!(truth, Some(index), "{e}"),
                _ => panic!("{e}"),
            },
        }
    }
    assert!(accepts > 100);
}

#[test]
fn table() {
    for (a, b, r) in [
        ("(6,2):(8,2)", "(4,3):(3,1)", "((2,2),3):((24,2),8)"),
        ("20:2", "(5,4):(4,1)", "(5,4):(8,2)"),
        ("(10,2):(16,4)", "(5,4):(1,5)", "(5,(2,2)):(16,(80,4))"),
        ("(6,2):(1,7)", "4:3", "(2,2):(3,7)"),
        ("(6,2):(1,7)", "((4),1):((3),9)", "(((2,2)),1):(((3,7)),0)"),
        ("(2,2,2):(0,1,1)", "(2,2):(1,3)", "(2,2):(0,1)"),
        ("(2,2,2):(0,1,1)", "3:3", "3:1"),
        ("(2,2,2,3):(1,12,6,2)", "(3,2):(5,5)", "(3,2):(7,7)"),
        ("(4,8):(-1,7)", "(2,2):(5,2)", "(2,2):(6,-2)"),
        ("(10,5):(1,100)", "(2,2,2):(3,3,3)", "(2,2,2):(3,3,3)"),
        ("(12,4):(1,50)", "(3,2):(4,3)", "(3,2):(4,3)"),
        ("(8,3):(1,100)", "(2,2):(3,4)", "(2,2):(3,4)"),
    ] {
        assert_eq!(p(a).compose(&p(b)).unwrap(), p(r), "{a} o {b}");
    }
    for (a, b, index) in [
        ("(6,4):(1,100)", "4:4", 3),
        ("(6,8):(1,100)", "6:5", 3),
        ("(4,2):(1,100)", "(3,2):(1,2)", 5),
        ("(10,5):(1,100)", "(2,2,2):(4,4,4)", 7),
        ("(8,8):(8,1)", "(4,4):(2,3)", 7),
        ("(12,4):(1,50)", "(3,2):(4,6)", 5),
    ] {
        match p(a).compose(&p(b)).unwrap_err().reason {
            LayoutError::NoLayout { index: i, .. } => assert_eq!(i, index, "{a} o {b}"),
            e => panic!("{a} o {b}: {e}"),
        }
    }
}

#[test]
fn values_near_the_ends_of_64_bits_compose_or_refuse() {
    let big = i64::MAX / 4;
    for a in [
        Layout::flat(&[2, 2, 2], &[big, -big, big]).unwrap(),
        Layout::flat(&[2, 3], &[-big, big]).unwrap(),
        Layout::flat(&[3, 2, 2], &[big, 1, -big]).unwrap(),
    ] {
        let size = a.size().unwrap();
        for t in 1..=size {
            for e in 0..=(size - 1) / (t - 1).max(1) {
                check_composition(&a, &Layout::flat(&[t], &[e]).unwrap()).unwrap();
            }
        }
    }
}

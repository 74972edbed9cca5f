//! Larger claims and their verdicts as JSON lines, for another decision procedure: `scripts/prove_isl.py` says how to run it.

use crate::brute::{Rng, cases};
use girih::algebra::prove::{BUDGET, Claim, Counterexample, Image, Verdict};
use girih::prelude::*;
use serde_json::{Value, json};

fn layout(r: &mut Rng) -> Layout {
    loop {
        let n = 2 + r.below(4) as usize;
        let top = r.of(&[20, 1000, 1000, 100_000, 1_000_000]);
        let mut shape: Vec<i64> = (0..n).map(|_| 2 + r.below(top)).collect();
        if n > 3 {
            shape.iter_mut().skip(3).for_each(|e| *e = 2 + *e % 50);
        }
        let mut stride = vec![0; n];
        match r.below(3) {
            // small strides: many values, each often
            0 => stride.iter_mut().for_each(|d| *d = 1 + r.below(40)),
            // a chain, disturbed
            1 => {
                let mut order: Vec<usize> = (0..n).collect();
                (1..n).rev().for_each(|i| order.swap(i, r.below(i as i64 + 1) as usize));
                let mut p = 1;
                for k in order {
                    stride[k] = p;
                    p = p.saturating_mul(shape[k]).saturating_add(r.of(&[0, 0, 1, 7]));
                }
                let k = r.below(n as i64) as usize;
                stride[k] = stride[k].saturating_add(r.below(7) - 3);
            }
            _ => stride.iter_mut().for_each(|d| *d = 1 + r.below(1_000_000)),
        }
        if r.below(4) == 0 {
            stride[0] = stride[0].saturating_neg();
        }
        if let Ok(a) = Layout::flat(&shape, &stride)
            && a.image_range().is_ok_and(|(min, max)| min > -(1 << 60) && max < 1 << 60)
        {
            return a;
        }
    }
}

/// The layout with one leaf cut, and what is beyond the cut.
fn cut(r: &mut Rng, a: &Layout) -> (Image, Image) {
    let (s, d) = a.known_leaves().unwrap();
    let k = r.below(s.len() as i64) as usize;
    let at = 1 + r.below(s[k] - 1);
    let with = |n| {
        let mut s = s.to_vec();
        s[k] = n;
        Layout::flat(&s, d).unwrap()
    };
    (Image::new(&with(at), 0), Image::new(&with(s[k] - at), at * d[k]))
}

fn claim(r: &mut Rng) -> Claim {
    let a = layout(r);
    let (min, max) = a.image_range().unwrap();
    let off = r.below(4) / 3;
    match r.below(6) {
        0 => Claim::Injective(a),
        1 => {
            let (lower, upper) = cut(r, &a);
            let b = layout(r);
            Claim::Disjoint(match r.below(3) {
                0 => vec![lower, Image::new(&upper.layout, upper.offset + off)],
                1 => vec![a.into(), Image::new(&b, r.below(max - min + 1))],
                _ => vec![a.into(), Image::new(&a, 1 + r.below(50))],
            })
        }
        2 => {
            let (lower, upper) = cut(r, &a);
            let other = Image::new(&layout(r), r.below(100));
            match r.below(3) {
                0 => Claim::Inside(Image::new(&lower.layout, off), a.into()),
                1 => Claim::Inside(Image::new(&upper.layout, upper.offset + off), a.into()),
                _ => Claim::Inside(other, a.into()),
            }
        }
        3 => {
            let edge = (max - min) / r.of(&[2, 4, 16, 1 << 40]);
            Claim::Onto { image: a.into(), lo: min + edge / 2, hi: (max - edge / 2).max(min + edge / 2 + 1) }
        }
        4 => {
            let (lower, upper) = cut(r, &a);
            Claim::Covers { whole: a.into(), family: vec![lower, Image::new(&upper.layout, upper.offset + off)] }
        }
        _ => {
            let (s, d) = a.known_leaves().unwrap();
            let (mut s, mut d) = (s.to_vec(), d.to_vec());
            let k = r.below(s.len() as i64) as usize;
            if let Some(f) = (2..100).find(|f| s[k] % f == 0) {
                let (rest, step) = (s[k] / f, d[k] * f + off);
                s[k] = f;
                s.insert(k + 1, rest);
                d.insert(k + 1, step);
            }
            Claim::Equal(a, Layout::flat(&s, &d).unwrap())
        }
    }
}

fn image(m: &Image) -> Value {
    let (shape, stride) = m.layout.known_leaves().unwrap();
    json!({"shape": shape, "stride": stride, "offset": m.offset})
}

fn line(c: &Claim) -> Value {
    let (kind, images) = match c {
        Claim::Injective(a) => ("injective", vec![a.into()]),
        Claim::Onto { image, lo, hi } => ("inside", vec![Image::range(*lo, *hi).unwrap(), *image]),
        Claim::Disjoint(family) => ("disjoint", family.clone()),
        Claim::Covers { whole, family } => ("inside", [&[*whole], &family[..]].concat()),
        Claim::Inside(a, b) => ("inside", vec![*a, *b]),
        Claim::Equal(a, b) => ("equal", vec![a.into(), b.into()]),
        _ => unreachable!(),
    };
    json!({"claim": c.to_string(), "kind": kind, "images": images.iter().map(image).collect::<Vec<_>>()})
}

#[test]
#[ignore = "prints claims for scripts/prove_isl.py"]
fn claims_for_isl() {
    for case in 0..cases(2000) {
        let c = claim(&mut Rng::new(case + 1));
        let mut line = line(&c);
        let start = std::time::Instant::now();
        match c.decide(BUDGET) {
            Verdict::Proved(_) => line["verdict"] = json!("true"),
            Verdict::Refuted(r) => {
                line["verdict"] = json!("false");
                line["at"] = match r.counterexample {
                    Counterexample::Twice { i, .. }
                    | Counterexample::Outside { i, .. }
                    | Counterexample::Differ { i, .. } => json!(i),
                    Counterexample::Meet { second, .. } => json!(second.1),
                    Counterexample::Missing { value } => match &c {
                        Claim::Onto { lo, .. } => json!(value - lo),
                        _ => json!(null),
                    },
                    _ => json!(null),
                };
            }
            _ => line["verdict"] = json!("unknown"),
        }
        line["ms"] = json!(start.elapsed().as_millis() as u64);
        println!("{line}");
    }
}

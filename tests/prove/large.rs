//! Layouts with arbitrary strides and up to a million elements: the answers against all values.

use crate::brute::{Rng, cases, values};
use girih::algebra::prove::{BUDGET, Claim, Counterexample, Image, Verdict};
use girih::prelude::*;
use std::time::{Duration, Instant};

/// 5 to 8 leaves, `2^12..2^bits` elements, each taken about `1 / holes` times.
fn layout(r: &mut Rng, bits: i64, holes: i64) -> Layout {
    loop {
        let n = 5 + r.below(4);
        let top = r.of(&[3, 6, 12, 24]);
        let shape: Vec<i64> = (0..n).map(|_| 2 + r.below(top)).collect();
        let size: i64 = shape.iter().product();
        if !(1 << 12..=1 << bits).contains(&size) {
            continue;
        }
        let room = size * holes / 4;
        let mut stride: Vec<i64> = shape.iter().map(|e| 1 + r.below((2 * room / (e * n)).max(6))).collect();
        if r.below(3) == 0 {
            let k = r.below(n) as usize;
            stride[k] = 1 + r.below(9);
        }
        stride.iter_mut().for_each(|d| *d *= r.of(&[1, 1, 1, 1, -1]));
        return Layout::flat(&shape, &stride).unwrap();
    }
}

/// Per value of a layout, from its least one on, the least coordinate that has it.
struct Table {
    min: i64,
    first: Vec<i32>,
    all: Vec<i64>,
}

impl Table {
    fn of(m: &Image) -> Table {
        let (min, max) = m.image_range().unwrap();
        let mut first = vec![-1; (max - min + 1) as usize];
        let all: Vec<i64> = values(&m.layout).into_iter().map(|v| v + m.offset).collect();
        for (i, v) in all.iter().enumerate().rev() {
            first[(v - min) as usize] = i as i32;
        }
        Table { min, first, all }
    }

    fn at(&self, v: i64) -> Option<i64> {
        let k = usize::try_from(v - self.min).ok()?;
        self.first.get(k).map(|i| *i as i64).filter(|i| *i >= 0)
    }

    fn missing(&self, lo: i64, hi: i64) -> Option<Counterexample> {
        (lo..hi).find(|v| self.at(*v).is_none()).map(|value| Counterexample::Missing { value })
    }
}

fn truth(claim: &Claim) -> Option<Counterexample> {
    match claim {
        Claim::Injective(a) => {
            let t = Table::of(&a.into());
            let i = (0..t.all.len()).find(|&i| t.at(t.all[i]) != Some(i as i64))?;
            Some(Counterexample::Twice { j: t.at(t.all[i])?, i: i as i64, value: t.all[i] })
        }
        Claim::Onto { image, lo, hi } => Table::of(image).missing(*lo, *hi),
        Claim::Contiguous(a) => {
            let (min, max) = a.image_range().unwrap();
            Table::of(&a.into()).missing(min, max + 1)
        }
        Claim::Disjoint(family) => {
            let t = family.iter().map(Table::of).collect::<Vec<_>>();
            (1..t.len()).find_map(|q| {
                t[q].all.iter().enumerate().find_map(|(i, &value)| {
                    let (p, j) = (0..q).find_map(|p| Some((p, t[p].at(value)?)))?;
                    Some(Counterexample::Meet { first: (p, j), second: (q, i as i64), value })
                })
            })
        }
        Claim::Inside(a, b) => {
            let (a, b) = (Table::of(a), Table::of(b));
            let i = (0..a.all.len()).find(|&i| b.at(a.all[i]).is_none())?;
            Some(Counterexample::Outside { i: i as i64, value: a.all[i] })
        }
        _ => unreachable!(),
    }
}

const KINDS: [&str; 6] = ["injective", "onto", "onto a window", "contiguous", "disjoint", "inside"];

fn claim(r: &mut Rng, kind: usize, bits: i64) -> Claim {
    let holes = match kind {
        0 => r.of(&[1, 4, 16, 64, 256, 1024]),
        4 => r.of(&[4, 64, 512, 4096]),
        _ => r.of(&[0, 0, 1, 2]),
    };
    let a = layout(r, bits, holes);
    let (min, max) = a.image_range().unwrap();
    match kind {
        0 => Claim::Injective(a),
        1 => Claim::Onto { image: a.into(), lo: min, hi: max + 1 - r.below(3) },
        2 => {
            let (lo, hi) = (min + r.below((max - min) / 2 + 1), max - r.below((max - min) / 2 + 1));
            let m = Image::new(&a, r.below(100));
            Claim::Onto { image: m, lo: lo + m.offset, hi: hi.max(lo + 1) + m.offset }
        }
        3 => Claim::Contiguous(a),
        4 => {
            let n = 1 + r.below(2);
            let mut family = vec![Image::new(&a, 0)];
            for _ in 0..n {
                // the same strides and fewer elements, from elsewhere; or another layout
                let (s, d) = a.known_leaves().unwrap();
                let s: Vec<i64> = s.iter().map(|n| 1 + r.below(*n)).collect();
                let b =
                    if r.below(2) == 0 { Layout::flat(&s, d).unwrap() } else { layout(r, 12.max(bits - 4) + 1, holes) };
                family.push(Image::new(&b, r.below(max - min + 1) + min));
            }
            Claim::Disjoint(family)
        }
        _ => {
            let (s, d) = a.known_leaves().unwrap();
            let (mut s, mut d) = (s.to_vec(), d.to_vec());
            for k in 0..s.len() {
                let step = 1 + r.below(3);
                (s[k], d[k]) = (1 + (s[k] - 1) / step, d[k] * step);
            }
            let part = Layout::flat(&s, &d).unwrap().reverse().unwrap();
            let more = r.below(3) * r.below(2);
            Claim::Inside(Image::new(&part, more), a.into())
        }
    }
}

fn run(cases: u64, bits: i64, budget: u64) {
    for (kind, name) in KINDS.iter().enumerate() {
        let (mut proved, mut refuted, mut unknown, mut slowest) = (0, 0, 0, Duration::ZERO);
        for case in 0..cases {
            let mut r = Rng::new(case * 8 + kind as u64 + 1);
            let claim = claim(&mut r, kind, bits);
            let start = Instant::now();
            let verdict = claim.decide(budget);
            let took = start.elapsed();
            slowest = slowest.max(took);
            if took > Duration::from_secs(1) {
                println!("{took:?} for {claim:?}");
            }
            match verdict {
                Verdict::Proved(c) => {
                    assert_eq!(truth(&claim), None, "{claim:?}: proved");
                    assert_eq!(c.check(), Ok(()), "{claim:?}: {:?}", c.proof);
                    proved += 1;
                }
                Verdict::Refuted(c) => {
                    assert_eq!(truth(&claim), Some(c.counterexample), "{claim:?}");
                    assert_eq!(c.check(), Ok(()), "{claim:?}");
                    refuted += 1;
                }
                other => {
                    println!("{claim}: {other:?}, in truth {:?}", truth(&claim));
                    unknown += 1;
                }
            }
        }
        println!("{name}: {proved} proved, {refuted} refuted, {unknown} unknown, slowest {slowest:?}");
        assert!(proved > 0 && refuted > 0, "{name}: {proved} proved, {refuted} refuted");
    }
}

#[test]
fn layouts_of_thousands_of_elements_agree_with_all_values() {
    // of up to 2^20 in longer runs
    run(cases(60), if cases(0) == 0 { 16 } else { 20 }, BUDGET);
}

//! Every kind of claim on random small layouts: verdict, least counterexample and certificate.

use crate::brute::{Rng, cases, values};
use girih::algebra::prove::{BUDGET, Claim, Counterexample, Image, Verdict};
use girih::prelude::*;
use std::collections::{HashMap, HashSet};

/// A layout of at most `points` elements: chains in any order, some strides disturbed, or arbitrary strides.
pub fn layout(r: &mut Rng, points: i64) -> Layout {
    let leaves = 1 + r.below(6);
    let (mut shape, mut room) = (Vec::new(), points);
    for _ in 0..leaves {
        let n = 1 + r.below(room.min(9));
        shape.push(n);
        room /= n;
    }
    let mut stride = vec![0; shape.len()];
    if r.below(4) == 0 {
        let reach = r.of(&[3, 10, 40]);
        stride.iter_mut().for_each(|d| *d = r.below(reach));
    } else {
        let mut order: Vec<usize> = (0..shape.len()).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, r.below(i as i64 + 1) as usize);
        }
        let mut p = 1 + r.below(3) * r.below(2);
        for k in order {
            stride[k] = p;
            p *= shape[k];
            p += [0, 0, 0, 1, 2, p][r.below(6) as usize];
        }
        if r.below(3) == 0 {
            let k = r.below(stride.len() as i64) as usize;
            stride[k] += r.below(5) - 2;
        }
    }
    if r.below(4) == 0 {
        let k = r.below(stride.len() as i64) as usize;
        stride[k] = -stride[k];
    }
    Layout::flat(&shape, &stride).unwrap()
}

fn image(r: &mut Rng, l: Layout) -> Image {
    let offset = r.of(&[0, 0, 1, 5, -3]);
    Image::new(&l, if offset == 5 { r.below(60) } else { offset })
}

fn all(m: &Image) -> Vec<i64> {
    values(&m.layout).into_iter().map(|v| v + m.offset).collect()
}

fn set(m: &Image) -> HashSet<i64> {
    all(m).into_iter().collect()
}

fn twice(v: &[i64]) -> Option<Counterexample> {
    let mut seen = HashMap::new();
    (0..v.len() as i64).find_map(|i| {
        let value = v[i as usize];
        let j = *seen.entry(value).or_insert(i);
        (j < i).then_some(Counterexample::Twice { j, i, value })
    })
}

fn missing(taken: &HashSet<i64>, lo: i64, hi: i64) -> Option<Counterexample> {
    (lo..hi).find(|v| !taken.contains(v)).map(|value| Counterexample::Missing { value })
}

fn outside(v: &[i64], allowed: impl Fn(i64) -> bool) -> Option<Counterexample> {
    (0..v.len()).find(|&i| !allowed(v[i])).map(|i| Counterexample::Outside { i: i as i64, value: v[i] })
}

/// The least counterexample, by looking at everything.
pub fn truth(claim: &Claim) -> Option<Counterexample> {
    match claim {
        Claim::Injective(a) => twice(&values(a)),
        Claim::Bijective { image, lo, size } => {
            let (v, hi) = (all(image), lo + size.value().unwrap());
            let at = |c: &Counterexample| match *c {
                Counterexample::Twice { i, .. } | Counterexample::Outside { i, .. } => i,
                _ => i64::MAX,
            };
            let first = outside(&v, |v| (*lo..hi).contains(&v)).into_iter().chain(twice(&v)).min_by_key(at);
            first.or_else(|| missing(&set(image), *lo, hi))
        }
        Claim::Onto { image, lo, hi } => missing(&set(image), *lo, *hi),
        Claim::Contiguous(a) => {
            let taken = set(&a.into());
            missing(&taken, *taken.iter().min().unwrap(), *taken.iter().max().unwrap() + 1)
        }
        Claim::Disjoint(family) => {
            let mut owner: HashMap<i64, (usize, i64)> = HashMap::new();
            for (q, m) in family.iter().enumerate() {
                let v = all(m);
                for (i, value) in v.iter().enumerate() {
                    if let Some(&first) = owner.get(value) {
                        return Some(Counterexample::Meet { first, second: (q, i as i64), value: *value });
                    }
                }
                for (i, value) in v.into_iter().enumerate() {
                    owner.entry(value).or_insert((q, i as i64));
                }
            }
            None
        }
        Claim::Covers { whole, family } => {
            let taken: HashSet<i64> = family.iter().flat_map(all).collect();
            outside(&all(whole), |v| taken.contains(&v))
        }
        Claim::Inside(a, b) => {
            let taken = set(b);
            outside(&all(a), |v| taken.contains(&v))
        }
        Claim::Equal(a, b) => {
            let (x, y) = (values(a), values(b));
            let i = (0..x.len().max(y.len())).find(|&i| x.get(i) != y.get(i))?;
            Some(Counterexample::Differ { i: i as i64, a: x.get(i).copied(), b: y.get(i).copied() })
        }
        Claim::Monotone { layout, strict } => {
            let v = values(layout);
            let falls = |&i: &usize| if *strict { v[i + 1] <= v[i] } else { v[i + 1] < v[i] };
            let i = (0..v.len() - 1).find(falls)?;
            Some(Counterexample::Falls { i: i as i64, value: v[i], next: v[i + 1] })
        }
        Claim::Aligned { image, to } => {
            let v = all(image);
            let i = (0..v.len()).find(|&i| v[i] % to != 0)?;
            Some(Counterexample::Unaligned { i: i as i64, value: v[i] })
        }
        Claim::Fits { image, bits, signed } => {
            let (shape, stride) = image.layout.known_leaves().unwrap();
            let top = 1i128 << (bits - *signed as u32);
            let bottom = if *signed { -top } else { 0 };
            for i in 0..shape.iter().product::<i64>() {
                // every subset of the terms is a partial sum in some order
                let mut rest = i;
                let mut terms = vec![image.offset as i128];
                for (&n, &d) in shape.iter().zip(stride) {
                    terms.push((rest % n) as i128 * d as i128);
                    rest /= n;
                }
                let sums = (0..1 << terms.len())
                    .map(|s: u32| terms.iter().enumerate().filter(|t| s >> t.0 & 1 == 1).map(|t| t.1).sum::<i128>());
                let (least, most) = sums.fold((0, 0), |(l, m), s| (l.min(s), m.max(s)));
                if most >= top {
                    return Some(Counterexample::TooLarge { i, sum: most });
                }
                if least < bottom {
                    return Some(Counterexample::TooLarge { i, sum: least });
                }
            }
            None
        }
        Claim::Vectors { a, b, width } => {
            let pairs: Vec<_> = all(a).into_iter().zip(all(b)).collect();
            let count = |p: (i64, i64)| pairs.iter().filter(|q| **q == p).count();
            let i = (0..pairs.len()).find(|&i| {
                let ((x, y), r) = (pairs[i], pairs[i].0.rem_euclid(*width));
                y.rem_euclid(*width) != r || (0..*width).any(|s| count((x - r + s, y - r + s)) != count((x, y)))
            })?;
            Some(Counterexample::NoVector { i: i as i64, a: pairs[i].0, b: pairs[i].1 })
        }
        _ => unreachable!(),
    }
}

/// A claim of the given kind, true about as often as false.
pub fn claim(r: &mut Rng, kind: usize, points: i64) -> Claim {
    let a = layout(r, points);
    let (min, max) = a.image_range().unwrap();
    match kind {
        0 => Claim::Injective(a),
        1 => {
            let image = image(r, a);
            let size = if r.below(2) == 0 { a.size().unwrap() } else { max - min + 1 };
            let lo = min + image.offset + r.of(&[0, 0, 0, 1, -1]);
            Claim::Bijective { image, lo, size: size.into() }
        }
        2 => {
            let lo = min + r.below((max - min + 1).min(20)) * r.below(2);
            let more = r.below(2);
            let hi = lo + 1 + r.below(max - lo + 1 + more);
            let image = image(r, a);
            Claim::Onto { image, lo: lo + image.offset, hi: hi + image.offset }
        }
        3 => Claim::Contiguous(a),
        4 => {
            let n = 2 + r.below(3);
            let family = (0..n).map(|_| {
                let l = if r.below(2) == 0 { a } else { layout(r, points / 4 + 1) };
                Image::new(&l, r.below(2 * (max - min) + 2) - (max - min) / 2)
            });
            Claim::Disjoint(family.collect())
        }
        5 => {
            // tiles of a layout, one perhaps moved or left out
            let (shape, stride) = a.known_leaves().unwrap();
            let k = r.below(shape.len() as i64) as usize;
            let mut tile = shape.to_vec();
            let at = 1 + r.below(tile[k]);
            tile[k] = at;
            let lower = Layout::flat(&tile, stride).unwrap();
            let mut family = vec![Image::new(&lower, 0)];
            if at < shape[k] {
                tile[k] = shape[k] - at;
                let offset = at * stride[k] + (r.below(6) == 0) as i64;
                family.push(Image::new(&Layout::flat(&tile, stride).unwrap(), offset));
            }
            let whole = if r.below(3) == 0 { Image::new(&layout(r, points / 8 + 1), r.below(5)) } else { a.into() };
            Claim::Covers { whole, family }
        }
        6 => {
            let b = image(r, a);
            let (shape, stride) = a.known_leaves().unwrap();
            let a = match r.below(3) {
                0 => {
                    // a part of it: fewer and longer steps
                    let (mut s, mut d) = (shape.to_vec(), stride.to_vec());
                    for k in 0..s.len() {
                        let step = 1 + r.below(3);
                        (s[k], d[k]) = (1 + (s[k] - 1) / step, d[k] * step);
                    }
                    Layout::flat(&s, &d).unwrap().reverse().unwrap()
                }
                1 => a.coalesce(),
                _ => layout(r, points / 8 + 1),
            };
            Claim::Inside(Image::new(&a, b.offset + (r.below(4) == 0) as i64), b)
        }
        7 => {
            let b = match r.below(3) {
                0 => a.coalesce(),
                1 => layout(r, points),
                _ => {
                    let (s, d) = a.known_leaves().map(|(s, d)| (s.to_vec(), d.to_vec())).unwrap();
                    let k = r.below(s.len() as i64) as usize;
                    let f = (2..=s[k]).find(|f| s[k] % f == 0).unwrap_or(1);
                    let (mut s2, mut d2) = (s.clone(), d.clone());
                    s2[k] = f;
                    s2.insert(k + 1, s[k] / f);
                    d2.insert(k + 1, d[k] * f);
                    Layout::flat(&s2, &d2).unwrap()
                }
            };
            Claim::Equal(a, b)
        }
        8 => Claim::Monotone { layout: a, strict: r.below(2) == 0 },
        9 => {
            let to = r.of(&[1, 2, 3, 4, 8]);
            let (s, d) = a.known_leaves().unwrap();
            let times = if r.below(2) == 0 { to } else { 1 };
            let d: Vec<i64> = d.iter().map(|d| d * times).collect();
            Claim::Aligned { image: Image::new(&Layout::flat(s, &d).unwrap(), r.of(&[0, 0, to, 2 * to, 1])), to }
        }
        10 => Claim::Fits { image: image(r, a), bits: 1 + r.below(12) as u32, signed: r.below(2) == 0 },
        _ => {
            let width = r.of(&[1, 2, 3, 4, 6, 8]);
            let small = layout(r, 60);
            let b = match r.below(3) {
                0 => small,
                1 => Layout::column_major(&small.shape()).unwrap(),
                _ => {
                    let (s, d) = small.known_leaves().unwrap();
                    let d: Vec<i64> = d.iter().map(|&d| if d.abs() >= width { d + width } else { d }).collect();
                    Layout::flat(s, &d).unwrap()
                }
            };
            let base = |r: &mut Rng| r.of(&[0, 0, 0, width, 1]);
            Claim::Vectors { a: Image::new(&small, base(r)), b: Image::new(&b, base(r)), width }
        }
    }
}

pub const KINDS: usize = 12;

#[test]
fn every_kind_agrees_with_brute_force() {
    for kind in 0..KINDS {
        let (mut proved, mut refuted) = (0, 0);
        for case in 0..cases(20_000) {
            let mut r = Rng::new(case * 12 + kind as u64 + 1);
            let points = r.of(&[12, 60, 300]);
            let claim = claim(&mut r, kind, points);
            let truth = truth(&claim);
            match claim.decide(BUDGET) {
                Verdict::Proved(c) => {
                    assert_eq!(truth, None, "{claim}: proved");
                    assert_eq!(c.check(), Ok(()), "{claim}: {:?}", c.proof);
                    proved += 1;
                }
                Verdict::Refuted(c) => {
                    assert_eq!(truth, Some(c.counterexample), "{claim}");
                    assert_eq!(c.check(), Ok(()), "{claim}");
                    refuted += 1;
                }
                other => panic!("{claim}: {other:?}, in truth {truth:?}"),
            }
        }
        println!("kind {kind}: {proved} proved, {refuted} refuted");
        assert!(proved * 20 > refuted && refuted * 20 > proved, "kind {kind}: {proved} proved, {refuted} refuted");
    }
}

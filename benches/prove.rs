//! Time of decisions about large layouts: 8 leaves, about 2^50 elements, 10^4 of every family (500 where many searches end the
//! budget). Median, 99.9 %, worst, and how many stay undecided.
//!
//! `cargo bench --bench prove`

use girih::algebra::prove::{BUDGET, Claim, Image, Verdict};
use girih::prelude::*;
use std::time::{Duration, Instant};

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: i64) -> i64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % n as u64) as i64
    }
    fn shuffle<T>(&mut self, v: &mut [T]) {
        for i in (1..v.len()).rev() {
            v.swap(i, self.below(i as i64 + 1) as usize);
        }
    }
}

const LEAVES: usize = 8;

/// Extents whose product is near 2^50.
fn extents(r: &mut Rng) -> Vec<i64> {
    let mut bits = [0f64; LEAVES];
    bits.iter_mut().for_each(|b| *b = 1. + r.below(100) as f64 / 10.);
    let total: f64 = bits.iter().sum();
    let power = r.below(2) == 0;
    let extent = |b: &f64| {
        let b = b * 50. / total;
        if power { 1 << b.round().max(1.) as i64 } else { b.exp2().round().max(2.) as i64 }
    };
    bits.iter().map(extent).collect()
}

/// A chain in a random order of the leaves; between two leaves a gap now and then.
fn chain(r: &mut Rng, gaps: bool) -> Layout {
    let shape = extents(r);
    let mut order: Vec<usize> = (0..LEAVES).collect();
    r.shuffle(&mut order);
    let (mut stride, mut p) = (vec![0; LEAVES], 1);
    for k in order {
        stride[k] = p;
        p *= shape[k];
        p += if gaps { r.below(3) * (r.below(p.min(1000)) + 1) } else { 0 };
    }
    Layout::flat(&shape, &stride).unwrap()
}

/// A chain of which one stride is a little off.
fn disturbed(r: &mut Rng) -> Layout {
    let l = chain(r, false);
    let (shape, stride) = l.known_leaves().unwrap();
    let (mut stride, k) = (stride.to_vec(), r.below(LEAVES as i64) as usize);
    stride[k] += r.below(7) - 3;
    Layout::flat(shape, &stride).unwrap()
}

/// Strides without any order, up to `2^bits`.
fn arbitrary(r: &mut Rng, bits: u32) -> Layout {
    loop {
        let shape = extents(r);
        let stride: Vec<i64> = shape.iter().map(|_| 1 + r.below(1 << bits)).collect();
        if let Ok(l) = Layout::flat(&shape, &stride) {
            return l;
        }
    }
}

const FAMILIES: [&str; 6] =
    ["compact", "with gaps", "one stride off", "strides < 2^38", "strides < 2^46", "strides < 2^54"];

fn layout(r: &mut Rng, family: usize) -> Layout {
    match family {
        0 => chain(r, false),
        1 => chain(r, true),
        2 => disturbed(r),
        3 => arbitrary(r, 38),
        4 => arbitrary(r, 46),
        _ => arbitrary(r, 54),
    }
}

fn claim(r: &mut Rng, kind: &str, family: usize) -> Claim {
    let a = layout(r, family);
    let (min, max) = a.image_range().unwrap();
    match kind {
        "injective" => Claim::Injective(a),
        "disjoint" => {
            let b = if r.below(2) == 0 { a } else { layout(r, family) };
            Claim::Disjoint(vec![a.into(), Image::new(&b, r.below(max - min + 2))])
        }
        "equal" => {
            let b = if r.below(2) == 0 { a.coalesce() } else { layout(r, family) };
            Claim::Equal(a, b)
        }
        "bijective" => Claim::Bijective { image: a.into(), lo: 0, size: a.size().unwrap().into() },
        "onto" => Claim::Onto { image: a.into(), lo: r.below(2) * r.below(max), hi: max },
        "contiguous" => Claim::Contiguous(a),
        "inside" => {
            let (shape, stride) = a.known_leaves().unwrap();
            let part: Vec<i64> = shape.iter().map(|&n| 1 + r.below(n)).collect();
            let b = if r.below(2) == 0 {
                Layout::flat(&part, stride).unwrap().reverse().unwrap()
            } else {
                layout(r, family)
            };
            Claim::Inside(b.into(), a.into())
        }
        "covers" => {
            let (shape, stride) = a.known_leaves().unwrap();
            let (k, mut lower) = (r.below(LEAVES as i64) as usize, shape.to_vec());
            lower[k] = 1 + r.below(shape[k]);
            let mut family = vec![Image::new(&Layout::flat(&lower, stride).unwrap(), 0)];
            if lower[k] < shape[k] {
                let offset = lower[k] * stride[k] + (r.below(4) == 0) as i64;
                lower[k] = shape[k] - lower[k];
                family.push(Image::new(&Layout::flat(&lower, stride).unwrap(), offset));
            }
            Claim::Covers { whole: a.into(), family }
        }
        "monotone" => Claim::Monotone { layout: a, strict: false },
        "aligned" => Claim::Aligned { image: a.into(), to: 1 + r.below(8) },
        "fits" => Claim::Fits { image: a.into(), bits: 30 + r.below(34) as u32, signed: true },
        _ => Claim::Vectors { a: a.into(), b: a.coalesce().into(), width: 1 << r.below(4) },
    }
}

fn main() {
    let cases: usize = std::env::var("CASES").ok().and_then(|s| s.parse().ok()).unwrap_or(10_000);
    let only = std::env::args().skip(1).find(|a| !a.starts_with('-'));
    println!(
        "{:10} {:16} {:>8} {:>8} {:>9} {:>9} {:>9} {:>9}",
        "claim", "layouts", "proved", "refuted", "unknown", "median", "99.9 %", "worst"
    );
    let kinds = [
        "injective",
        "disjoint",
        "equal",
        "bijective",
        "onto",
        "contiguous",
        "inside",
        "covers",
        "monotone",
        "aligned",
        "fits",
        "vectors",
    ];
    for kind in kinds.into_iter().filter(|k| only.as_ref().is_none_or(|o| k.contains(o.as_str()))) {
        for (family, name) in FAMILIES.iter().enumerate() {
            let mut r = Rng(0x9E37_79B9_7F4A_7C15 ^ (family as u64 + 1) << 32 | 1);
            // where many searches end the budget, fewer
            let open = match kind {
                "disjoint" => family > 2,
                "onto" | "contiguous" | "inside" | "covers" => family > 0,
                _ => false,
            };
            let cases = if open { cases / 20 } else { cases };
            let (mut proved, mut refuted, mut unknown, mut times) = (0, 0, 0, Vec::new());
            for _ in 0..cases {
                let claim = claim(&mut r, kind, family);
                let start = Instant::now();
                let verdict = claim.decide(BUDGET);
                let time = start.elapsed();
                times.push(time);
                if std::env::var("SLOW").is_ok() && time > Duration::from_millis(10) {
                    println!("    {time:?} {claim}");
                }
                match verdict {
                    Verdict::Proved(_) => proved += 1,
                    Verdict::Refuted(_) => refuted += 1,
                    _ => {
                        if std::env::var("SLOW").is_ok() {
                            println!("    unknown after {time:?}: {claim}");
                        }
                        unknown += 1
                    }
                }
            }
            times.sort();
            let at = |q: f64| format!("{:.1} us", times[((cases - 1) as f64 * q) as usize].as_nanos() as f64 / 1e3);
            println!(
                "{kind:10} {name:16} {proved:8} {refuted:8} {unknown:9} {:>9} {:>9} {:>9}",
                at(0.5),
                at(0.999),
                at(1.)
            );
        }
    }
}

//! Slow definitions that share no logic with the library: what composition, complement and friends *mean*.

use girih::prelude::*;

#[path = "../common/random.rs"]
mod random;

pub use random::{Rng, cases};

/// All values in order, from the definition: mixed radix digits times strides.
pub fn values(l: &Layout) -> Vec<i64> {
    let (shape, stride) = l.known_leaves().unwrap();
    let size: i64 = shape.iter().product();
    (0..size).map(|i| value(shape, stride, i)).collect()
}

pub fn value(shape: &[i64], stride: &[i64], mut i: i64) -> i64 {
    let mut v = 0;
    for (k, (&s, &d)) in shape.iter().zip(stride).enumerate() {
        let last = k + 1 == shape.len();
        v += if last { i } else { i % s } * d;
        i /= s;
    }
    v
}

fn factorisations(t: i64) -> Vec<Vec<i64>> {
    if t == 1 {
        return vec![vec![]];
    }
    let first = (2..=t).filter(|n| t % n == 0);
    first
        .flat_map(|n| {
            factorisations(t / n).into_iter().map(move |mut f| {
                f.insert(0, n);
                f
            })
        })
        .collect()
}

/// The least index such that no layout whose leaves refine those of `shape` agrees with `f` on `0..=index`; None if some
/// layout is `f`. Tries every ordered factorisation of every extent: the values at the unit coordinates force the strides, the
/// first other coordinate that disagrees is this candidate's end.
pub fn least_witness(f: &[i64], shape: &[i64]) -> Option<i64> {
    let lists: Vec<_> = shape.iter().map(|&t| factorisations(t)).collect();
    let mut pick = vec![0; lists.len()];
    let mut worst = 0;
    let mut fine = Vec::new();
    loop {
        fine.clear();
        fine.extend(lists.iter().zip(&pick).flat_map(|(l, &p)| l[p].iter().copied()));
        let bad = (0..f.len() as i64).find(|&i| {
            let (mut x, mut w, mut v) = (i, 1, 0);
            for &n in &fine {
                let digit = x % n;
                if digit != 0 {
                    v += digit * f[w as usize];
                }
                x /= n;
                w *= n;
            }
            v != f[i as usize]
        });
        match bad {
            None => return None,
            Some(i) => worst = worst.max(i),
        }
        let mut j = 0;
        while j < pick.len() {
            pick[j] += 1;
            if pick[j] < lists[j].len() {
                break;
            }
            pick[j] = 0;
            j += 1;
        }
        if j == pick.len() {
            return Some(worst);
        }
    }
}

/// Checks one composition in both directions against [`least_witness`]: 1 for an accept, 0 for a refusal.
pub fn check_composition(a: &Layout, b: &Layout) -> Result<bool, String> {
    let (ashape, astride) = a.known_leaves().unwrap();
    let bv = values(b);
    let size: i64 = ashape.iter().product();
    let outside = bv.iter().any(|&v| v < 0 || v >= size);
    let r = a.compose(b);
    if outside {
        return match r {
            Ok(r) => Err(format!("{a} o {b} = {r} although b leaves the domain")),
            Err(e) if matches!(e.kind(), "domain") => Ok(false),
            Err(e) => Err(format!("{e}: the reason is that b leaves the domain")),
        };
    }
    let f: Vec<i64> = bv.iter().map(|&v| value(ashape, astride, v)).collect();
    let truth = least_witness(&f, b.known_leaves().unwrap().0);
    match r {
        Ok(r) => {
            if truth.is_some() {
                return Err(format!("wrong accept: {a} o {b} = {r}, there is none from {truth:?} on"));
            }
            if values(&r) != f || !b.compatible(&r) {
                return Err(format!("wrong result: {a} o {b} = {r}"));
            }
            Ok(true)
        }
        Err(Error { reason: LayoutError::NoLayout { index, got, forced }, .. }) => {
            if truth != Some(index) || got != f[index as usize] || forced == got as i128 {
                return Err(format!("{a} o {b}: witness {index} (got {got}, forced {forced}), it is {truth:?}"));
            }
            Ok(false)
        }
        Err(e) => Err(format!("{e}: brute force says {truth:?}")),
    }
}

/// A left side: any extents, strides of every kind.
pub fn any_left(r: &mut Rng, cap: i64) -> Layout {
    loop {
        let n = 1 + r.below(5);
        let shape: Vec<i64> = (0..n).map(|_| r.of(&[1, 2, 2, 3, 4, 4, 5, 6, 7, 8, 9])).collect();
        if shape.iter().product::<i64>() > cap {
            continue;
        }
        let mut run = 1;
        let mut prior = 1;
        let stride: Vec<i64> = shape
            .iter()
            .map(|&s| {
                let d = match r.below(8) {
                    0 => 0,
                    1 => r.below(13) - 6,
                    2 => run,
                    3 => 1 << r.below(7),
                    4 => run + 1,
                    5 => prior,
                    6 => -run,
                    _ => r.below(40),
                };
                run *= s;
                prior = d * s;
                d
            })
            .collect();
        return nest(r, Layout::flat(&shape, &stride).unwrap());
    }
}

/// A right side with values in `0..size(a)`, biased to the products of extents of `a`.
pub fn any_right(r: &mut Rng, a: &Layout) -> Layout {
    let size = a.size().unwrap();
    let (shape, _) = a.known_leaves().unwrap();
    let n = 1 + r.below(4);
    let (mut s, mut d, mut room) = (vec![], vec![], size - 1);
    let mut run = 1;
    for _ in 0..n {
        let t = 1 + r.below(8);
        let mut e = match r.below(5) {
            0 => run,
            1 => 1 + r.below(6),
            2 => 0,
            3 => {
                let k = r.below(shape.len() as i64 + 1) as usize;
                shape[..k].iter().product::<i64>() * (1 + r.below(3))
            }
            _ => 1 + r.below(size),
        };
        if t > 1 && e * (t - 1) > room {
            e = room / (t - 1);
        }
        room -= e * (t - 1);
        run = e.max(1) * t;
        s.push(t);
        d.push(e);
    }
    nest(r, Layout::flat(&s, &d).unwrap())
}

/// The same leaves, some modes grouped.
pub fn nest(r: &mut Rng, l: Layout) -> Layout {
    let mut l = l;
    for _ in 0..r.below(3) {
        let from = r.below(l.rank() as i64) as usize;
        let to = from + 1 + r.below((l.rank() - from) as i64) as usize;
        l = l.group(from, to).unwrap();
    }
    l
}

//! Slow definitions that share no logic with the library.

use girih::prelude::*;

#[path = "../common/random.rs"]
#[allow(dead_code)]
mod random;

pub use random::Rng;

impl Rng {
    /// A swizzle of bits below 8.
    pub fn swizzle(&mut self) -> Swizzle {
        loop {
            if let Ok(s) = Swizzle::new(self.below(4), self.below(5), self.below(9) - 4)
                && (s.source_mask() | s.target_mask()) < 256
            {
                return s;
            }
        }
    }
    /// A flat layout of at most `size` elements.
    pub fn layout(&mut self, extents: &[i64], strides: &[i64], size: i64) -> Layout {
        let (mut shape, mut stride) = (vec![], vec![]);
        for _ in 0..1 + self.below(4) {
            let s = self.of(extents);
            if shape.iter().product::<i64>() * s <= size {
                shape.push(s);
                stride.push(self.of(strides));
            }
        }
        Layout::flat(&shape, &stride).unwrap()
    }
    /// `l` below a swizzle, or two, moved so that no value is negative.
    pub fn composed(&mut self, l: &Layout) -> Composed {
        let offset = -l.image_range().unwrap().0 + self.of(&[0, 0, 0, 1, 8, 37, 64, 200]);
        let c = Composed::new(&self.swizzle(), offset, l).unwrap();
        if self.below(4) == 0 { c.swizzled(&self.swizzle()).unwrap() } else { c }
    }
}

/// Bit by bit.
pub fn swizzled(s: &Swizzle, x: i64) -> i64 {
    let (base, shift) = (s.base() as i64, s.shift() as i64);
    (0..s.bits() as i64).fold(x, |v, b| {
        let (from, to) = (base + b + shift.max(0), base + b - shift.min(0));
        v ^ ((x >> from & 1) << to)
    })
}

/// All values of a plain layout in order: mixed radix digits times strides.
pub fn values(l: &Layout) -> Vec<i64> {
    let (shape, stride) = l.known_leaves().unwrap();
    let size: i64 = shape.iter().product();
    (0..size)
        .map(|mut i| {
            let mut v = 0;
            for (&s, &d) in shape.iter().zip(stride) {
                v += i % s * d;
                i /= s;
            }
            v
        })
        .collect()
}

/// All values of a composed layout in order.
pub fn table(c: &Composed) -> Vec<i64> {
    values(c.inner())
        .into_iter()
        .map(|v| c.swizzles().iter().rev().fold(v + c.offset(), |x, s| swizzled(s, x)))
        .collect()
}

/// What the library says that the values are.
pub fn evaluated(c: &Composed) -> Vec<i64> {
    (0..c.size().unwrap()).map(|i| c.at(i).unwrap()).collect()
}

fn factorisations(t: i64) -> Vec<Vec<i64>> {
    if t == 1 {
        return vec![vec![]];
    }
    (2..=t)
        .filter(|n| t % n == 0)
        .flat_map(|n| {
            factorisations(t / n).into_iter().map(move |mut f| {
                f.insert(0, n);
                f
            })
        })
        .collect()
}

/// Is `f - f[0]` a layout whose leaves refine those of `shape`? Tries every ordered factorisation of every extent; the
/// values at the unit coordinates force the strides.
pub fn is_layout(f: &[i64], shape: &[i64]) -> bool {
    let lists: Vec<_> = shape.iter().map(|&t| factorisations(t)).collect();
    let mut pick = vec![0; lists.len()];
    loop {
        let fine: Vec<i64> = lists.iter().zip(&pick).flat_map(|(l, &p)| l[p].iter().copied()).collect();
        let fits = (0..f.len() as i64).all(|i| {
            let (mut x, mut w, mut v) = (i, 1, f[0]);
            for &n in &fine {
                if x % n != 0 {
                    v += x % n * (f[w as usize] - f[0]);
                }
                x /= n;
                w *= n;
            }
            v == f[i as usize]
        });
        if fits {
            return true;
        }
        let Some(k) = (0..pick.len()).find(|&k| pick[k] + 1 < lists[k].len()) else { return false };
        pick[k] += 1;
        pick[..k].fill(0);
    }
}

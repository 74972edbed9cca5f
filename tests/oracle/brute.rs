//! Decisions by trying, independent of the library's algorithms: only evaluation of layouts is used.

use girih::layout::Layout;

/// Elements up to which these look.
pub const LIMIT: i64 = 1 << 18;

/// Does some layout of `f.len()` elements have the values `f`? Tries every order of prime factors as the extents.
pub fn is_layout(f: &[i64]) -> bool {
    let n = f.len();
    if f[0] != 0 {
        return false;
    }
    // a first mode p:f(1), the rest a layout on the multiples of p
    n == 1
        || primes(n).any(|p| {
            let linear = (0..n).all(|i| f[i] == f[i - i % p] + (i % p) as i64 * f[1]);
            linear && is_layout(&f.iter().step_by(p).copied().collect::<Vec<_>>())
        })
}

fn primes(n: usize) -> impl Iterator<Item = usize> {
    (2..=n).filter(move |&p| n.is_multiple_of(p) && (2..p).all(|q| !p.is_multiple_of(q)))
}

/// Does some layout compatible with `b` have the values `a(b(c))`, `a` continued past its end? None: too large to look.
pub fn composes(a: &Layout, b: &Layout) -> Option<bool> {
    let size = b.size().ok().filter(|&n| n <= LIMIT)?;
    let value = |x: i64| b.at(x).and_then(|y| a.at_extended(y)).ok();
    let Some(all) = (0..size).map(value).collect::<Option<Vec<_>>>() else { return Some(false) };
    let (extents, _) = b.known_leaves()?;
    // along each leaf of b a layout, and the whole the sum of these
    let mut step = 1;
    let mut sum = vec![0; all.len()];
    for &s in extents {
        let along: Vec<i64> = (0..s).map(|k| all[(k * step) as usize] - all[0]).collect();
        if !is_layout(&along) {
            return Some(false);
        }
        for (i, v) in sum.iter_mut().enumerate() {
            *v += along[(i as i64 / step % s) as usize];
        }
        step *= s;
    }
    Some(all[0] == 0 && sum == all)
}

/// Do copies of `t` cover `0..n`, each number once? The least number left out starts the next copy: no choice to make.
pub fn tiles(t: &Layout, n: i64) -> Option<bool> {
    if n > LIMIT || t.size().ok()? > LIMIT {
        return None;
    }
    let values: Vec<i64> = (0..t.size().ok()?).map(|i| t.at(i).unwrap()).collect();
    let mut taken = vec![false; n as usize];
    for start in 0..n {
        if !taken[start as usize] {
            for v in &values {
                match taken.get_mut((start + v) as usize) {
                    Some(place) if !*place => *place = true,
                    _ => return Some(false),
                }
            }
        }
    }
    Some(true)
}

/// Do two coordinates of `l` have the same value?
pub fn repeats(l: &Layout) -> bool {
    let mut values: Vec<i64> = (0..l.size().unwrap().min(LIMIT)).map(|i| l.at(i).unwrap()).collect();
    values.sort_unstable();
    values.windows(2).any(|w| w[0] == w[1])
}

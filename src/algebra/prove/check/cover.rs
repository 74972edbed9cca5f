//! That every value of a box of coordinates is one of some image.

use super::Grid;
use super::equation::{dot, grouped, inverse, spend};
use crate::algebra::prove::certificate::{Core, Piece};
use num_integer::{div_ceil, div_floor};

/// The multiples of the first number from the second to the third that a core promises, checked.
pub(super) fn core(c: &Core, image: &Grid) -> Option<(i128, i128, i128)> {
    let terms = image.leaf.iter().map(|&(n, d)| (d.abs(), n - 1)).collect::<Vec<_>>();
    let [groups, _] = grouped(&c.basis.groups, &terms)?;
    let g = inverse(&c.basis, &groups.iter().map(|g| g.0).collect::<Vec<_>>())?;
    // twice how far rounding moves a coordinate
    let far = |k: usize| c.basis.columns.iter().try_fold(0i128, |s, v| s.checked_add(v[k].checked_abs()?));
    let far = (0..groups.len()).map(far).collect::<Option<Vec<_>>>()?;
    let all = groups.iter().map(|&(a, w)| 2 * a * w).sum::<i128>();
    let edge = dot(groups.iter().map(|g| g.0), far.iter().copied())?;
    let min = image.range().0;
    let room = far.iter().zip(&groups).all(|(f, g)| *f <= g.1);
    room.then(|| (g, min + div_ceil(edge, 2 * g) * g, min + div_floor(all - edge, 2 * g) * g))
}

/// Whether every value of the box is one of an image.
pub(super) fn covered(
    mut x: Grid,
    family: &[Grid],
    cores: &[(&Core, (i128, i128, i128))],
    piece: &Piece,
    depth: u32,
    steps: &mut u64,
) -> Option<bool> {
    spend(steps, 1)?;
    let depth = depth.checked_sub(1)?;
    Some(match piece {
        Piece::Core { core, base } => {
            let (core, (g, lo, hi)) = cores.get(*core)?;
            let leaf = &family.get(core.member)?.leaf;
            let mut fits = base.len() == leaf.len();
            let mut moved = 0;
            for (k, (c, &(n, d))) in base.iter().map(|c| *c as i128).zip(leaf).enumerate() {
                if !core.basis.groups.iter().flatten().any(|g| *g == k) {
                    moved += d * c - (d * (n - 1)).min(0);
                    fits &= 0 <= c && c < n;
                }
            }
            let (min, max) = x.range();
            let (min, max, first) = (min - moved, max - moved, x.first - moved);
            fits && min >= *lo
                && max <= *hi
                && (first - lo) % g == 0
                && x.leaf.iter().all(|&(n, d)| n == 1 || d % g == 0)
        }
        Piece::Affine { member, base, moves } => {
            let to = family.get(*member)?;
            let value = |c: &[i64]| {
                (c.len() == to.leaf.len()).then(|| dot(c.iter().map(|&c| c as i128), to.leaf.iter().map(|l| l.1)))?
            };
            let (mut low, mut high) = (
                base.iter().map(|&c| c as i128).collect::<Vec<_>>(),
                base.iter().map(|&c| c as i128).collect::<Vec<_>>(),
            );
            let mut same = to.first.checked_add(value(base)?)? == x.first && moves.len() == x.leaf.len();
            for (step, &(n, d)) in moves.iter().zip(&x.leaf) {
                same &= value(step)? == d || n == 1;
                for (l, &c) in step.iter().enumerate() {
                    let end = (n - 1).checked_mul(c as i128)?;
                    low[l] = low[l].checked_add(end.min(0))?;
                    high[l] = high[l].checked_add(end.max(0))?;
                }
            }
            same && low.iter().all(|&c| c >= 0) && high.iter().zip(&to.leaf).all(|(&c, l)| c < l.0)
        }
        Piece::Refine { leaf, by, rest } => {
            let (by, (n, d)) = (*by as i128, *x.leaf.get(*leaf)?);
            if by < 1 || n % by != 0 {
                return Some(false);
            }
            x.leaf[*leaf] = (by, d);
            x.leaf.insert(leaf + 1, (n / by, d * by));
            covered(x, family, cores, rest, depth, steps)?
        }
        Piece::Split { leaf, at, parts } => {
            let (at, &(n, d)) = (*at as i128, x.leaf.get(*leaf)?);
            if at < 1 || at >= n {
                return Some(false);
            }
            let mut upper = Grid { leaf: x.leaf.clone(), first: x.first + at * d };
            upper.leaf[*leaf].0 = n - at;
            x.leaf[*leaf].0 = at;
            covered(x, family, cores, &parts.0, depth, steps)? && covered(upper, family, cores, &parts.1, depth, steps)?
        }
    })
}

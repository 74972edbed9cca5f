//! Is every value of one image a value of some image of a family?
//!
//! The domain of the one is cut into boxes until for each box one of these holds:
//!
//! * it lies in a *core* of an image, an interval of multiples of `g` that the image takes without a hole;
//! * coordinates of an image are an affine function of those of the box;
//! * it is one coordinate, and its value is one of an image's or of none: one linear equation for each.
//!
//! So the answer is exact. The least coordinate without an image follows by halving. What is not cut into few boxes ends the
//! budget.

use super::certificate::{Core, Piece, Proof};
use super::claim::{Counterexample, Image};
use super::decide::{Failure, Found, live};
use super::equation::{Solver, TooHard};
use super::lattice::Lattice;
use crate::layout::LayoutError;

/// An image of the family.
struct Member {
    /// extents and strides of the leaves above extent 1
    extent: Vec<i64>,
    stride: Vec<i64>,
    offset: i64,
    range: (i64, i64),
}

/// A part of the domain: leaves, the value and the index of its first coordinate.
#[derive(Clone)]
struct Cell {
    /// extent, stride, step of the index
    leaf: Vec<(i64, i64, i64)>,
    first: i64,
    index: i64,
}

impl Cell {
    fn range(&self) -> (i64, i64) {
        let part = |pick: fn(i64, i64) -> i64| self.leaf.iter().map(|l| pick((l.0 - 1) * l.1, 0)).sum::<i64>();
        (self.first + part(i64::min), self.first + part(i64::max))
    }

    /// The halves along a leaf.
    fn cut(&self, leaf: usize, at: i64) -> (Cell, Cell) {
        let (mut lower, mut upper) = (self.clone(), self.clone());
        let (n, d, p) = self.leaf[leaf];
        lower.leaf[leaf].0 = at;
        upper.leaf[leaf].0 = n - at;
        upper.first += at * d;
        upper.index += at * p;
        (lower, upper)
    }
}

/// The multiples of `g` between, which a member takes without a hole.
struct Interval {
    g: i64,
    lo: i64,
    hi: i64,
}

struct Prover<'a> {
    family: Vec<Member>,
    cores: Vec<(Core, Interval)>,
    steps: &'a mut u64,
    /// cells around the one that is looked at
    depth: usize,
}

/// How deep cells are cut; halving a domain of 64 bits takes 62 cuts.
const DEPTH: usize = 500;

/// Whether the values of `whole` are among those of the family.
pub(super) fn covers(whole: &Image, images: &[Image], steps: &mut u64) -> Found {
    let member = |m: &Image| {
        let leaf = live(&m.layout)?;
        let (extent, stride) = leaf.iter().map(|l| (l.0, l.1)).unzip();
        Ok(Member { extent, stride, offset: m.offset, range: m.image_range()? })
    };
    let family = images.iter().map(member).collect::<Result<Vec<_>, LayoutError>>()?;
    whole.image_range()?;
    if let [m] = &family[..]
        && let Some(value) = first_hole(whole, m)?
    {
        return Ok(Err(Counterexample::Outside { i: value - whole.offset, value }));
    }
    let cell = Cell { leaf: live(&whole.layout)?, first: whole.offset, index: 0 };
    let mut prover = Prover { cores: Vec::new(), family, steps, depth: 0 };
    for m in 0..prover.family.len() {
        prover.cores_of(m);
    }
    let least = match prover.prove(&cell) {
        Ok(Some(piece)) => {
            return Ok(Ok(Proof::Cover { cores: prover.cores.into_iter().map(|c| c.0).collect(), piece }));
        }
        Ok(None) => prover.least(cell),
        Err(e) => Err(e),
    };
    let i = match least {
        Err(Failure::Hard) => first_absent(whole, images)?.ok_or(Failure::Hard)?,
        i => i?,
    };
    Ok(Err(Counterexample::Outside { i, value: whole.at(i)? }))
}

/// Elements of small images, which are looked at one by one when nothing else decides.
const POINTS: i64 = 1 << 18;

/// The first coordinate whose value no image takes, if they are small.
fn first_absent(whole: &Image, images: &[Image]) -> Result<Option<i64>, LayoutError> {
    let sizes = images.iter().chain([whole]).map(|m| m.layout.size()).collect::<Result<Vec<_>, _>>()?;
    if sizes.iter().fold(0i64, |sum, n| sum.saturating_add(*n)) > POINTS {
        return Ok(None);
    }
    let mut taken = std::collections::HashSet::new();
    for m in images {
        for i in 0..m.layout.size()? {
            taken.insert(m.at(i)?);
        }
    }
    for i in 0..whole.layout.size()? {
        if !taken.contains(&whole.at(i)?) {
            return Ok(Some(i));
        }
    }
    Ok(None)
}

/// The first value of a range `whole` that a member does not take, where its leaves decide it one after another.
fn first_hole(whole: &Image, m: &Member) -> Result<Option<i64>, LayoutError> {
    let leaf = live(&whole.layout)?;
    let (lo, min) = (whole.offset as i128, m.range.0 as i128);
    let hi = match leaf[..] {
        [] => lo + 1,
        [(n, 1, _)] => lo + n as i128,
        _ => return Ok(None),
    };
    let mut order: Vec<(i128, i128)> =
        m.stride.iter().zip(&m.extent).map(|(d, n)| (d.abs() as i128, *n as i128 - 1)).collect();
    order.sort_unstable();
    let hole = if lo < min { Some(lo) } else { hole(&order, lo - min).map(|v| min + v) };
    Ok(hole.filter(|v| *v < hi).map(|v| v as i64))
}

/// The first value from `p` on that is no sum of multiples `x d`, `0 <= x <= last`, of ascending strides `d`. None if a stride
/// steps back into holes that the smaller ones leave.
fn hole(order: &[(i128, i128)], p: i128) -> Option<i128> {
    let Some((&(d, last), lower)) = order.split_last() else { return Some(p.max(1)) };
    let reach: i128 = lower.iter().map(|l| l.0 * l.1).sum();
    if p > reach + d * last || d == 0 {
        return if d == 0 { hole(lower, p) } else { Some(p) };
    }
    let first = hole(lower, 0)?;
    if first > reach && d <= reach + 1 {
        return Some(reach + d * last + 1);
    }
    if d <= reach {
        return None;
    }
    let x = (p / d).min(last);
    let v = hole(lower, p - d * x)?;
    // the lower strides end before the next multiple, or go on in it
    Some(if v == reach + 1 && v == d && x < last { d * (x + 1) + first } else { d * x + v })
}

impl Prover<'_> {
    /// The cores of a member: of its longest group of leaves, and of all groups together where rounding has the room.
    fn cores_of(&mut self, member: usize) {
        let m = &self.family[member];
        let mut order: Vec<usize> = (0..m.stride.len()).filter(|&k| m.stride[k] != 0).collect();
        order.sort_unstable_by_key(|&k| m.stride[k].unsigned_abs());
        let mut groups: Vec<(i64, i64, Vec<usize>)> = Vec::new(); // unit, width, leaves
        for k in order {
            let (d, last) = (m.stride[k].abs(), m.extent[k] - 1);
            match groups.iter_mut().rev().find(|g| d % g.0 == 0 && d / g.0 <= g.1 + 1) {
                Some(g) => {
                    g.1 += d / g.0 * last;
                    g.2.push(k);
                }
                None => groups.push((d, last, vec![k])),
            }
        }
        let longest = (0..groups.len()).max_by_key(|&g| groups[g].1);
        let alone = longest.map(|g| vec![groups[g].clone()]).unwrap_or_default();
        while !groups.is_empty() {
            match self.core(member, &groups) {
                Ok(()) => break,
                // without the group that has not the room
                Err(g) => drop(groups.remove(g)),
            }
        }
        if groups.len() != 1 && !alone.is_empty() {
            let _ = self.core(member, &alone);
        }
    }

    /// Enters the core of these groups, or tells which one has not the room.
    fn core(&mut self, member: usize, groups: &[(i64, i64, Vec<usize>)]) -> Result<(), usize> {
        let (a, width): (Vec<i128>, Vec<i128>) = groups.iter().map(|g| (g.0 as i128, g.1 as i128)).unzip();
        let b = Lattice::new(&a, &width, groups.iter().map(|g| g.2.clone()).collect()).ok_or(0usize)?.basis;
        let far: Vec<i128> = (0..a.len())
            .map(|k| b.columns.iter().map(|c| c[k].saturating_abs()).fold(0, i128::saturating_add))
            .collect();
        let lacking = |k: &usize| far[*k] > width[*k];
        if let Some(k) = (0..a.len()).filter(lacking).min_by_key(|&k| width[k]) {
            return Err(k);
        }
        let g = a.iter().fold(0, |g, &a| num_integer::gcd(g, a));
        let sum = |v: &[i128]| a.iter().zip(v).map(|(a, v)| a * v).sum::<i128>();
        let (edge, all) = (sum(&far), 2 * sum(&width));
        let (min, edge) = (self.family[member].range.0 as i128, num_integer::div_ceil(edge, 2 * g) * g);
        let (lo, hi) = (min + edge, min + all / (2 * g) * g - edge);
        if lo <= hi {
            let core = Core { member, basis: b };
            self.cores.push((core, Interval { g: g as i64, lo: lo as i64, hi: hi as i64 }));
        }
        Ok(())
    }

    /// A proof for the cell; None if a value in it has no image.
    fn prove(&mut self, cell: &Cell) -> Result<Option<Piece>, Failure> {
        *self.steps = self.steps.checked_sub(16).ok_or(TooHard)?;
        self.depth += 1;
        let piece = if self.depth < DEPTH { self.piece(cell) } else { Err(Failure::Hard) };
        self.depth -= 1;
        piece
    }

    fn piece(&mut self, cell: &Cell) -> Result<Option<Piece>, Failure> {
        let (min, max) = cell.range();
        for core in 0..self.cores.len() {
            if let Some(base) = self.in_core(core, cell, min, max) {
                return Ok(Some(Piece::Core { core, base }));
            }
        }
        for m in 0..self.family.len() {
            let (lo, hi) = self.family[m].range;
            if lo <= min
                && max <= hi
                && let Some(piece) = self.affine(m, cell)?
            {
                return Ok(Some(piece));
            }
        }
        if let Some((leaf, by)) = self.factor(cell) {
            let mut finer = cell.clone();
            let (n, d, p) = finer.leaf[leaf];
            finer.leaf[leaf] = (by, d, p);
            finer.leaf.insert(leaf + 1, (n / by, d * by, p * by));
            let rest = self.prove(&finer)?;
            return Ok(rest.map(|rest| Piece::Refine { leaf, by, rest: Box::new(rest) }));
        }
        let Some((leaf, at)) = self.place(cell) else { return Ok(None) };
        let (lower, upper) = cell.cut(leaf, at);
        let Some(lower) = self.prove(&lower)? else { return Ok(None) };
        let upper = self.prove(&upper)?;
        Ok(upper.map(|upper| Piece::Split { leaf, at, parts: Box::new((lower, upper)) }))
    }

    /// The least index without an image, in a cell that has one: the highest leaf decides first.
    fn least(&mut self, mut cell: Cell) -> Result<i64, Failure> {
        while let Some(leaf) = (0..cell.leaf.len()).rev().find(|&k| cell.leaf[k].0 > 1) {
            let (lower, upper) = cell.cut(leaf, cell.leaf[leaf].0 / 2);
            cell = if self.prove(&lower)?.is_some() { upper } else { lower };
        }
        Ok(cell.index)
    }

    /// Where to cut a cell: where a leaf of a member with the same stride ends or a member starts, else the highest leaf in
    /// two; None if it is one coordinate.
    fn place(&self, cell: &Cell) -> Option<(usize, i64)> {
        let inside = |k: usize, at: i64| (0 < at && at < cell.leaf[k].0).then_some((k, at));
        let live = || (0..cell.leaf.len()).rev().filter(|&k| cell.leaf[k].1 != 0);
        let starts = live().find_map(|k| {
            let (n, d) = (cell.leaf[k].0, cell.leaf[k].1 as i128);
            let apart = self.family.iter().map(|m| m.offset as i128 - cell.first as i128).filter(|t| t % d == 0);
            let places = apart.filter_map(|t| inside(k, (t / d).try_into().ok()?));
            places.min_by_key(|(_, at)| (at - n / 2).abs())
        });
        let ends = || {
            live().find_map(|k| {
                let alike = self.family.iter().flat_map(|m| m.stride.iter().zip(&m.extent));
                let alike = alike.filter(|l| l.0.abs() == cell.leaf[k].1.abs());
                // about in the middle, but where a leaf ends
                { alike }.find_map(|(_, e)| inside(k, *e.max(&(cell.leaf[k].0 / 2 / e * e))))
            })
        };
        starts.or_else(ends).or_else(|| (0..cell.leaf.len()).rev().find_map(|k| inside(k, cell.leaf[k].0 / 2)))
    }

    /// Coordinates of the leaves outside a core's groups that move the core over the cell, if there are any.
    fn in_core(&mut self, core: usize, cell: &Cell, min: i64, max: i64) -> Option<Vec<i64>> {
        let (c, interval) = &self.cores[core];
        let m = &self.family[c.member];
        if max - min > interval.hi - interval.lo || cell.leaf.iter().any(|l| l.0 > 1 && l.1 % interval.g != 0) {
            return None;
        }
        let free = |k: &usize| !c.basis.groups.iter().flatten().any(|g| g == k);
        let leaves: Vec<usize> = (0..m.stride.len()).filter(free).collect();
        // moved by the free leaves, then by multiples of g inside the core
        let a: Vec<i64> = leaves.iter().map(|&k| m.stride[k].abs()).chain([interval.g]).collect();
        let slack = (interval.hi - interval.lo - (max - min)) / interval.g;
        let hi: Vec<i64> = leaves.iter().map(|&k| m.extent[k] - 1).chain([slack]).collect();
        let t = min as i128 - interval.lo as i128;
        let x = Solver::new(&a, self.steps).descend(&vec![0; a.len()], &hi, t)??;
        let mut base = vec![0; m.stride.len()];
        for (&k, x) in leaves.iter().zip(x) {
            base[k] = if m.stride[k] < 0 { m.extent[k] - 1 - x } else { x };
        }
        Some(base)
    }

    /// A leaf of the cell and a proper factor of its extent at which some member goes on with another leaf.
    fn factor(&self, cell: &Cell) -> Option<(usize, i64)> {
        // an interval goes into cores
        if let [(_, d, _)] = cell.leaf[..]
            && self.cores.iter().any(|c| c.1.g == d.abs())
        {
            return None;
        }
        let strides = || self.family.iter().flat_map(|m| m.stride.iter().zip(&m.extent));
        (0..cell.leaf.len()).find_map(|k| {
            let (n, d, _) = cell.leaf[k];
            if d == 0 || n == 1 {
                return None;
            }
            let whole = |b: i64| (b.checked_rem(d)? == 0).then(|| b.checked_div(d)?.checked_abs())?;
            let by = |b: i64| whole(b).filter(|&f| f > 1 && f < n && n % f == 0);
            // the next stride that it meets, or the end of the leaf that it is in
            let starts = strides().filter_map(|(&b, _)| by(b));
            let ends = strides().filter_map(|(&b, &e)| b.checked_mul(e).and_then(by));
            starts.chain(ends).min().map(|by| (k, by))
        })
    }

    /// An affine map of the cell into a member, if the greedy choice of moves finds one; for one coordinate it is exact.
    fn affine(&mut self, member: usize, cell: &Cell) -> Result<Option<Piece>, Failure> {
        let m = &self.family[member];
        let mut order: Vec<usize> =
            (0..cell.leaf.len()).filter(|&k| cell.leaf[k].0 > 1 && cell.leaf[k].1 != 0).collect();
        order.sort_by_key(|&k| core::cmp::Reverse((cell.leaf[k].0 - 1) * cell.leaf[k].1.abs()));
        let mut moves = vec![vec![0; m.stride.len()]; cell.leaf.len()];
        // coordinates that the moves so far leave for the base
        let (mut lo, mut hi): (Vec<i64>, Vec<i64>) = m.extent.iter().map(|&e| (0, e - 1)).unzip();
        for k in order {
            let (n, d, _) = cell.leaf[k];
            let room: Vec<i64> = lo.iter().zip(&hi).map(|(&l, &h)| (h - l) / (n - 1)).collect();
            let straight = (0..m.stride.len())
                .filter(|&l| m.stride[l] != 0 && d % m.stride[l] == 0 && (d / m.stride[l]).abs() <= room[l]);
            let step = match straight.max_by_key(|&l| m.stride[l].abs()) {
                Some(l) => (0..m.stride.len()).map(|i| if i == l { d / m.stride[l] } else { 0 }).collect(),
                None => {
                    let back: Vec<i64> = room.iter().map(|r| -r).collect();
                    let mut solver = Solver::new(&m.stride, self.steps);
                    match solver.descend(&back, &room, d as i128) {
                        Some(Some(step)) => step,
                        _ => return Ok(None),
                    }
                }
            };
            for (l, &c) in step.iter().enumerate() {
                let end = c * (n - 1);
                lo[l] += (-end).max(0);
                hi[l] -= end.max(0);
            }
            moves[k] = step;
        }
        let t = cell.first as i128 - m.offset as i128;
        let mut solver = Solver::new(&m.stride, self.steps);
        // a larger cell is cut when this is hard, one coordinate is decided
        let along = |&l: &usize| m.stride[l] != 0 && t % m.stride[l] as i128 == 0;
        let base = |l: usize| {
            let mut base = lo.clone();
            base[l] = i64::try_from(t / m.stride[l] as i128).ok()?;
            (lo.iter().all(|c| *c == 0) && (0..=hi[l]).contains(&base[l])).then_some(base)
        };
        let straight = (0..m.stride.len()).filter(along).find_map(base);
        let base = match straight.map(Some).or_else(|| solver.descend(&lo, &hi, t)) {
            Some(base) => base,
            None if cell.leaf.iter().all(|l| l.0 == 1) => solver.solve(&lo, &hi, t)?,
            None => None,
        };
        Ok(base.map(|base| Piece::Affine { member, base, moves }))
    }
}

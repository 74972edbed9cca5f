//! The integer solutions of one equation as a lattice, and the search for one in a box.
//!
//! The solutions of `sum a_k v_k = t` are `v = z t/g + sum y_i b_i` with integers `y`: `g` is the gcd of the `a_k`, `z` a
//! solution for `t = g`, and the `b_i` a basis of the solutions for 0. The basis is built term by term with the extended gcd and
//! kept reduced (LLL) in the measure where the box is a cube, so its Gram-Schmidt vectors `b*_i` are about equally long and as
//! orthogonal as the lattice allows. Then the box bounds the last `y` to a short interval, the one before it, given the last,
//! likewise, and so on: the number of points tried is bounded in terms of the dimension alone (Lenstra, Kannan).
//!
//! Floating point only chooses: the basis and its inverse are transformed exactly, and each interval follows from the exact range
//! over the box of an integer vector that is orthogonal to the earlier part of the basis. Rounding makes an interval wider, never
//! wrong.

use super::certificate::Basis;
use super::equation::TooHard;
use num_integer::{ExtendedGcd, div_ceil, div_floor};

pub(super) struct Lattice {
    pub basis: Basis,
    a: Vec<i128>,
    g: i128,
    /// the products of the bounding vectors with the columns and with z
    on: Vec<Vec<i128>>,
}

/// A matrix of columns `b_0 .. b_(m-1), z` and the rows of its inverse, over the terms inserted so far.
struct Reduction {
    columns: Vec<Vec<i128>>,
    rows: Vec<Vec<i128>>,
    scale: Vec<f64>,
    /// the column last projected, in the measure of the box
    scaled: Vec<f64>,
    /// Gram-Schmidt vectors of the columns, their squared lengths, and the coefficients on earlier ones
    star: Vec<Vec<f64>>,
    norm: Vec<f64>,
    mu: Vec<Vec<f64>>,
}

/// Rounds of a reduction: far more than any that converges takes.
const ROUNDS: usize = 2_000;

impl Reduction {
    fn new(scale: Vec<f64>) -> Reduction {
        let n = scale.len();
        let (star, mu) = (vec![vec![0.; n]; n], vec![vec![0.; n]; n]);
        Reduction { columns: Vec::new(), rows: Vec::new(), scaled: vec![0.; n], scale, star, norm: vec![0.; n], mu }
    }

    /// `column[i] -= q column[j]`, and the inverse along.
    fn subtract(&mut self, i: usize, j: usize, q: i128) -> Option<()> {
        for k in 0..self.scale.len() {
            let c = q.checked_mul(self.columns[j][k])?;
            self.columns[i][k] = self.columns[i][k].checked_sub(c)?;
            if !self.rows.is_empty() {
                let c = q.checked_mul(self.rows[i][k])?;
                self.rows[j][k] = self.rows[j][k].checked_add(c)?;
            }
        }
        Some(())
    }

    /// Orthogonalises column `i` against those before it.
    fn project(&mut self, i: usize) {
        for ((x, &c), s) in self.scaled.iter_mut().zip(&self.columns[i]).zip(&self.scale) {
            // the conversion of 64 bits is an instruction, that of 128 a call
            let c = if c as i64 as i128 == c { c as i64 as f64 } else { c as f64 };
            *x = c * s;
        }
        for j in 0..i {
            let m = if self.norm[j] > 0. { dot(&self.scaled, &self.star[j]) / self.norm[j] } else { 0. };
            for (x, y) in self.scaled.iter_mut().zip(&self.star[j]) {
                *x -= m * y;
            }
            self.mu[i][j] = m;
        }
        self.norm[i] = dot(&self.scaled, &self.scaled);
        self.star[i].copy_from_slice(&self.scaled);
    }

    /// Subtracts earlier columns from column `i` until all its coefficients on them are at most a half.
    fn shorten(&mut self, i: usize) -> Option<()> {
        for _ in 0..ROUNDS {
            self.project(i);
            let mut largest = 0f64;
            for j in (0..i).rev() {
                let q = self.mu[i][j].round();
                if self.mu[i][j].abs() > 0.501 && q.abs() < 1e37 {
                    self.subtract(i, j, q as i128)?;
                    largest = largest.max(q.abs());
                    for l in 0..j {
                        self.mu[i][l] -= q * self.mu[j][l];
                    }
                    self.mu[i][j] -= q;
                }
            }
            // what large multiples cancelled was not precise
            if largest < 1e6 {
                return Some(());
            }
        }
        None
    }

    /// LLL on columns `0..m`, of which all but the last are reduced.
    fn reduce(&mut self, m: usize) -> Option<()> {
        let mut i = m.saturating_sub(1);
        for _ in 0..ROUNDS {
            if i >= m {
                return Some(());
            }
            self.shorten(i)?;
            // the first place where the column is shorter, without its parts on those before, than what is there
            let mut length = (0..i).map(|j| self.mu[i][j] * self.mu[i][j] * self.norm[j]).sum::<f64>() + self.norm[i];
            let shorter = (0..i).find(|&j| {
                let here = length < 0.99 * self.norm[j];
                length -= self.mu[i][j] * self.mu[i][j] * self.norm[j];
                here
            });
            match shorter {
                Some(j) => {
                    self.columns[j..=i].rotate_right(1);
                    if !self.rows.is_empty() {
                        self.rows[j..=i].rotate_right(1);
                    }
                    i = j;
                }
                None => i += 1,
            }
        }
        None
    }

    /// A lattice vector near the target, given in the measure of the lattice.
    fn near(&self, target: &[f64]) -> Option<Vec<i128>> {
        let mut u = vec![0i128; target.len()];
        for _ in 0..2 {
            let mut left: Vec<f64> = (0..u.len()).map(|k| target[k] - u[k] as f64 * self.scale[k]).collect();
            for (column, (star, norm)) in self.columns.iter().zip(self.star.iter().zip(&self.norm)).rev() {
                let c = (dot(&left, star) / norm).round();
                for k in 0..u.len() {
                    left[k] -= c * column[k] as f64 * self.scale[k];
                    u[k] = (c as i128).checked_mul(column[k])?.checked_add(u[k])?;
                }
            }
        }
        Some(u)
    }

    /// For every column but the last, what bounds its coefficient `y_i` of a vector in the box, given those after it: an
    /// integer vector orthogonal to all columns before, nearly a multiple of `b*_i`. These vectors are a lattice, spanned by the
    /// rows of the inverse from i on; in a reduced basis of it a multiple of moderate size is near to one.
    fn bounds(&self) -> Option<Vec<Vec<i128>>> {
        let n = self.scale.len();
        let mut dual = Reduction::new(self.scale.iter().map(|s| 1. / s).collect());
        dual.columns.push(self.rows[n - 1].clone());
        dual.project(0);
        let mut bounds = vec![Vec::new(); n - 1];
        for i in (0..n - 1).rev() {
            dual.columns.push(self.rows[i].clone());
            let m = dual.columns.len();
            dual.reduce(m)?;
            let longest = dual.norm[..m].iter().fold(1., |l: f64, &x| l.max(x)).sqrt();
            let times = 64. * n as f64 * longest * self.norm[i].sqrt();
            let direction: Vec<f64> = self.star[i].iter().map(|x| times * x / self.norm[i]).collect();
            bounds[i] = dual.near(&direction)?;
        }
        Some(bounds)
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

impl Lattice {
    /// The lattice of `sum a_k x_k` for groups of terms, reduced for a box of these widths; None when numbers overflow.
    pub fn new(a: &[i128], width: &[i128], groups: Vec<Vec<usize>>) -> Option<Lattice> {
        let n = a.len();
        let scale = width.iter().map(|&w| 1. / w.max(1) as f64).collect::<Vec<_>>();
        let unit = |k: usize| (0..n).map(|i| (i == k) as i128).collect::<Vec<_>>();
        let mut r = Reduction::new(scale);
        (r.columns, r.rows) = ((0..n).map(unit).collect(), (0..n).map(unit).collect());
        let mut g = *a.first()?;
        for (i, &c) in a.iter().enumerate().skip(1) {
            // columns i - 1 = z with a.z = g, and i = the new unit vector
            let ExtendedGcd { gcd, x, y } = num_integer::Integer::extended_gcd(&g, &c);
            let (p, q) = (c / gcd, g / gcd);
            for k in 0..n {
                let (z, e) = (r.columns[i - 1][k], r.columns[i][k]);
                r.columns[i - 1][k] = q.checked_mul(e)?.checked_sub(p.checked_mul(z)?)?;
                r.columns[i][k] = x.checked_mul(z)?.checked_add(y.checked_mul(e)?)?;
                let (wz, we) = (r.rows[i - 1][k], r.rows[i][k]);
                r.rows[i - 1][k] = x.checked_mul(we)?.checked_sub(y.checked_mul(wz)?)?;
                r.rows[i][k] = q.checked_mul(wz)?.checked_add(p.checked_mul(we)?)?;
            }
            g = gcd;
            // the new column is long: what was taken from it is in the rows, and leaves them again by multiples of a / g
            r.shorten(i - 1)?;
            for j in 0..i {
                let k = (0..n).max_by_key(|&k| r.rows[i][k].abs())?;
                let m = r.rows[j][k] / r.rows[i][k];
                r.subtract(i, j, -m)?;
            }
            r.reduce(i)?;
            r.shorten(i)?;
        }
        for i in 0..n {
            r.project(i);
        }
        let bounds = r.bounds()?;
        let z = r.columns.pop()?;
        r.rows.pop();
        let product =
            |x: &[i128], y: &[i128]| x.iter().zip(y).try_fold(0i128, |s, (x, y)| s.checked_add(x.checked_mul(*y)?));
        let on = bounds.iter().map(|u| r.columns.iter().chain([&z]).map(|c| product(u, c)).collect::<Option<_>>());
        let on = on.collect::<Option<_>>()?;
        Some(Lattice { basis: Basis { groups, z, columns: r.columns, rows: r.rows, bounds }, a: a.to_vec(), g, on })
    }

    /// Some solution with `0 <= x_k <= width_k`, other than one if asked for.
    pub fn find(
        &self,
        width: &[i128],
        t: i128,
        but: Option<&[i128]>,
        steps: &mut u64,
    ) -> Result<Option<Vec<i128>>, TooHard> {
        if t % self.g != 0 {
            return Ok(None);
        }
        let mut search = Search::new(self, width, t / self.g, but).ok_or(TooHard)?;
        let found = search.run(self.basis.columns.len(), steps)?;
        Ok(found.then(|| search.at.swap_remove(0)))
    }
}

/// One enumeration.
struct Search<'a> {
    lattice: &'a Lattice,
    width: &'a [i128],
    but: Option<&'a [i128]>,
    /// per level, the range of its bounding vector over the box, and one over its squared length in the measure of the box
    range: Vec<(i128, i128)>,
    weight: Vec<f64>,
    /// what the solution for `t` adds to the products with the bounding vectors
    shift: Vec<i128>,
    /// per level, and for the equation itself, how far the product with its bounding vector is from the middle of the range
    off: Vec<f64>,
    value: Vec<i128>,
    y: Vec<i128>,
    /// the partial solution once the levels from this one on are chosen
    at: Vec<Vec<i128>>,
}

impl<'a> Search<'a> {
    fn new(l: &'a Lattice, width: &'a [i128], t: i128, but: Option<&'a [i128]>) -> Option<Search<'a>> {
        let (b, m) = (&l.basis, l.basis.columns.len());
        let range = |u: &Vec<i128>| {
            u.iter().zip(width).try_fold((0i128, 0i128), |(min, max), (&c, &w)| {
                let p = c.checked_mul(w)?;
                Some((min.checked_add(p.min(0))?, max.checked_add(p.max(0))?))
            })
        };
        let length = |u: &Vec<i128>| u.iter().zip(width).map(|(&c, &w)| (c as f64 * w as f64).powi(2)).sum::<f64>();
        let z = b.z.iter().map(|z| z.checked_mul(t)).collect::<Option<_>>()?;
        let all = || b.bounds.iter().chain([&l.a]);
        let range = all().map(range).collect::<Option<Vec<_>>>()?;
        let mut off = vec![0.; m];
        off.push((l.g * t - range[m].0) as f64 - (range[m].1 - range[m].0) as f64 / 2.);
        let mut value = vec![0; m];
        value.push(l.g * t);
        Some(Search {
            lattice: l,
            width,
            but,
            range,
            weight: all().map(|u| 1. / length(u).max(1.)).collect(),
            shift: l.on.iter().map(|on| on[m].checked_mul(t)).collect::<Option<_>>()?,
            off,
            value,
            y: vec![0; m],
            at: vec![z; m + 1],
        })
    }

    /// Whether the first `i` levels can be chosen, given the others. The values nearest to the middle come first.
    fn run(&mut self, i: usize, steps: &mut u64) -> Result<bool, TooHard> {
        let Some(i) = i.checked_sub(1) else {
            let inside = self.at[0].iter().zip(self.width).all(|(v, w)| 0 <= *v && v <= w);
            return Ok(inside && self.but != Some(&self.at[0]));
        };
        let on = &self.lattice.on[i];
        let mut given = self.shift[i];
        for (r, y) in on[i + 1..].iter().zip(&self.y[i + 1..]) {
            given = r.checked_mul(*y).and_then(|c| given.checked_add(c)).ok_or(TooHard)?;
        }
        let (min, max) = self.range[i];
        let low = div_ceil(min.checked_sub(given).ok_or(TooHard)?, on[i]);
        let high = div_floor(max.checked_sub(given).ok_or(TooHard)?, on[i]);
        let middle = low + (high - low) / 2;
        for n in 0..=high - low {
            *steps = steps.checked_sub(1).ok_or(TooHard)?;
            let y = if n % 2 == 0 { middle - n / 2 } else { middle + 1 + n / 2 };
            self.y[i] = y;
            self.value[i] = given + on[i] * y;
            self.off[i] = (self.value[i] - min) as f64 - (max - min) as f64 / 2.;
            if self.beyond(i) {
                continue;
            }
            for k in 0..self.width.len() {
                let c = self.lattice.basis.columns[i][k].checked_mul(y).and_then(|c| c.checked_add(self.at[i + 1][k]));
                self.at[i][k] = c.ok_or(TooHard)?;
            }
            if self.run(i, steps)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the levels chosen so far, from i on, are apart from the box: a combination of their bounding vectors, in the
    /// direction from its middle, is beyond its range.
    fn beyond(&self, i: usize) -> bool {
        let m = self.value.len();
        let part = |j: usize| self.off[j] * self.weight[j];
        let largest = (i..m).map(|j| part(j).abs()).fold(0., f64::max);
        let factor: Vec<i128> = (i..m).map(|j| (part(j) / largest * 65536.).round() as i128).collect();
        let mut value = 0i128;
        for (c, v) in factor.iter().zip(&self.value[i..]) {
            let Some(sum) = c.checked_mul(*v).and_then(|p| value.checked_add(p)) else { return false };
            value = sum;
        }
        let (mut min, mut max) = (0i128, 0i128);
        for (k, &w) in self.width.iter().enumerate() {
            let u = factor
                .iter()
                .zip(self.lattice.basis.bounds[i..].iter().chain([&self.lattice.a]))
                .try_fold(0i128, |u, (c, b)| u.checked_add(c.checked_mul(b[k])?));
            let Some(p) = u.and_then(|u| u.checked_mul(w)) else { return false };
            let (Some(least), Some(most)) = (min.checked_add(p.min(0)), max.checked_add(p.max(0))) else {
                return false;
            };
            (min, max) = (least, most);
        }
        value < min || value > max
    }
}

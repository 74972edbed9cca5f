//! Certificates that nobody's prover made: what the checker accepts must be true, whatever the proof looks like.

use crate::brute::{Rng, cases};
use crate::kinds::{self, KINDS, truth};
use girih::algebra::prove::{BUDGET, Basis, Certificate, Claim, Core, Image, NoSolution, Piece, Proof, Verdict};
use girih::prelude::*;
use std::time::{Duration, Instant};

/// Domains up to this size are judged by brute force.
const POINTS: i64 = 4096;

/// A number near `x`, or one that overflows what it is added to or multiplied with.
fn near(r: &mut Rng, x: i128, top: i128) -> i128 {
    match r.below(16) {
        0 => top,
        1 => -top,
        2 => top / (1 + r.below(5) as i128),
        3 => -x,
        4 => 0,
        5 => 2 * (x % (top / 4)),
        6 => x % (top / 4) + r.below(41) as i128 - 20,
        n => x % (top / 4) + [1, -1][n as usize % 2],
    }
}

fn small(r: &mut Rng, x: i64) -> i64 {
    match r.below(64) {
        0 => near(r, x as i128, i64::MAX as i128) as i64,
        1 => -x,
        2 => 2 * (x % (1 << 40)),
        3 => 0,
        n => x % (1 << 40) + [1, -1, 1, -1, 2, -2, 3, 5][n as usize % 8],
    }
}

fn index(r: &mut Rng, len: usize) -> usize {
    r.below(len.max(1) as i64) as usize
}

/// Swaps, copies, drops or doubles an element, or changes one.
fn list<T: Clone>(r: &mut Rng, v: &mut Vec<T>, change: impl FnOnce(&mut Rng, &mut T)) {
    if v.is_empty() {
        return;
    }
    let (k, l) = (index(r, v.len()), index(r, v.len()));
    match r.below(10) {
        0 => v.swap(k, l),
        1 => v[k] = v[l].clone(),
        2 => drop(v.remove(k)),
        3 => v.insert(k, v[l].clone()),
        4 => {
            let mut last = v[l].clone();
            change(r, &mut last);
            v.push(last);
        }
        _ => change(r, &mut v[k]),
    }
}

fn vectors(r: &mut Rng, v: &mut Vec<Vec<i128>>) {
    let top = if r.below(8) == 0 { i128::MAX } else { 1 << 40 };
    list(r, v, |r, row| list(r, row, |r, x| *x = near(r, *x, top)));
}

/// Changes of the basis with the inverse along, so that it stays one, and changes of everything else.
fn basis(r: &mut Rng, b: &mut Basis) {
    let m = b.columns.len();
    match r.below(12) {
        0 => list(r, &mut b.groups, |r, g| {
            list(r, g, |r, k| *k = r.below(6) as usize);
            if r.below(4) == 0 {
                g.clear();
            }
        }),
        1 => list(r, &mut b.z, |r, x| *x = near(r, *x, 1 << 40)),
        2 => vectors(r, &mut b.columns),
        3 => vectors(r, &mut b.rows),
        4 | 5 => vectors(r, &mut b.bounds),
        6 => {
            let extra = (0..b.z.len()).map(|_| r.below(41) as i128 - 20).collect();
            b.bounds.push(extra);
        }
        7 if r.below(50) == 0 => b.bounds = b.rows.clone(),
        8 if m > 0 => {
            // a bound of another direction, orthogonal to the same columns
            let (i, j) = (index(r, m), index(r, b.rows.len()));
            let (u, v) = (b.bounds.get(i).cloned(), b.rows.get(j.max(i)).cloned());
            if let (Some(u), Some(v)) = (u, v) {
                let c = r.below(7) as i128 - 3;
                b.bounds[i] = u.iter().zip(&v).map(|(u, v)| u.saturating_add(v.saturating_mul(c))).collect();
            }
        }
        _ if m > 1 && b.rows.len() == m => {
            let (i, q) = (1 + index(r, m - 1), r.below(5) as i128 - 2);
            let j = index(r, i);
            if [&b.columns, &b.rows].iter().all(|m| m[i].len() == m[j].len()) {
                for k in 0..b.columns[i].len() {
                    b.columns[i][k] = b.columns[i][k].saturating_sub(b.columns[j][k].saturating_mul(q));
                }
                for k in 0..b.rows[i].len() {
                    b.rows[j][k] = b.rows[j][k].saturating_add(b.rows[i][k].saturating_mul(q));
                }
            }
        }
        _ => {}
    }
}

fn core(r: &mut Rng, c: &mut Core) {
    if r.below(4) == 0 { c.member = r.below(3) as usize } else { basis(r, &mut c.basis) }
}

fn piece(r: &mut Rng, p: &mut Piece) {
    if r.below(6) == 0 {
        let (leaf, n, inner) = (r.below(3) as usize, 1 + r.below(6), p.clone());
        *p = match r.below(2) {
            0 => Piece::Refine { leaf, by: n, rest: Box::new(inner) },
            _ => Piece::Split { leaf, at: n, parts: Box::new((inner.clone(), inner)) },
        };
        return;
    }
    match p {
        Piece::Core { core, base } => match r.below(3) {
            0 => *core = r.below(4) as usize,
            _ => list(r, base, |r, c| *c = small(r, *c)),
        },
        Piece::Affine { member, base, moves } => match r.below(5) {
            0 => *member = r.below(3) as usize,
            1 => *p = Piece::Core { core: r.below(2) as usize, base: base.clone() },
            2 => list(r, base, |r, c| *c = small(r, *c)),
            _ => list(r, moves, |r, step| list(r, step, |r, c| *c = small(r, *c))),
        },
        Piece::Refine { leaf, by, rest } => match r.below(5) {
            0 => *leaf = r.below(5) as usize,
            1 => *by = small(r, *by),
            2 => *p = (**rest).clone(),
            _ => piece(r, rest),
        },
        Piece::Split { leaf, at, parts } => match r.below(8) {
            0 => *leaf = r.below(5) as usize,
            1 => *at = small(r, *at),
            2 => parts.0 = parts.1.clone(),
            3 => core::mem::swap(&mut parts.0, &mut parts.1),
            4 => *p = parts.0.clone(),
            5 => *p = parts.1.clone(),
            6 => piece(r, &mut parts.0),
            _ => piece(r, &mut parts.1),
        },
    }
}

fn proof(r: &mut Rng, p: &mut Proof) {
    match p {
        Proof::Chain(order) => list(r, order, |r, k| *k = r.below(8) as usize),
        Proof::Lattice(b) => basis(r, b),
        Proof::NoSolution(parts) => list(r, parts, |r, part| match part {
            NoSolution::Lattice(b) if r.below(8) > 0 => basis(r, b),
            _ => *part = NoSolution::Descent,
        }),
        Proof::Cover { cores, piece: p } => {
            if r.below(3) == 0 {
                list(r, cores, core);
            } else {
                piece(r, p);
            }
        }
        Proof::Digits(digits) => list(r, digits, |r, d| match r.below(3) {
            0 => d.weight = small(r, d.weight),
            1 => d.extent = small(r, d.extent),
            _ => d.backwards = !d.backwards,
        }),
        _ => {}
    }
}

fn layout(r: &mut Rng, a: &Layout) -> Layout {
    for _ in 0..20 {
        let (s, d) = a.known_leaves().unwrap();
        let (mut s, mut d) = (s.to_vec(), d.to_vec());
        let (k, l) = (index(r, s.len()), index(r, s.len()));
        match r.below(12) {
            0..3 => s[k] = s[k].saturating_add(1 + r.below(2)),
            3 => s[k] = small(r, s[k]),
            4..8 => d[k] = small(r, d[k]),
            8 => d.swap(k, l),
            9 => d[k] = d[l],
            10 => {
                s.insert(k, 1 + r.below(3));
                d.insert(k, d[l].saturating_add(r.below(3) - 1));
            }
            _ if s.len() > 1 => drop((s.remove(k), d.remove(k))),
            _ => {}
        }
        if let Ok(a) = Layout::flat(&s, &d) {
            return a;
        }
    }
    *a
}

fn image(r: &mut Rng, m: &Image) -> Image {
    match r.below(3) {
        0 => Image::new(&m.layout, small(r, m.offset)),
        _ => Image::new(&layout(r, &m.layout), m.offset),
    }
}

fn claim(r: &mut Rng, c: &mut Claim) {
    match c {
        Claim::Injective(a) | Claim::Contiguous(a) => *a = layout(r, a),
        Claim::Bijective { image: m, lo, size } => match r.below(4) {
            0 => *lo = small(r, *lo),
            1 => *size = small(r, size.value().unwrap()).max(0).into(),
            _ => *m = image(r, m),
        },
        Claim::Onto { image: m, lo, hi } => match r.below(4) {
            0 => *lo = small(r, *lo),
            1 => *hi = small(r, *hi),
            _ => *m = image(r, m),
        },
        Claim::Disjoint(family) => list(r, family, |r, m| *m = image(r, m)),
        Claim::Covers { whole, family } => match r.below(3) {
            0 => *whole = image(r, whole),
            _ => list(r, family, |r, m| *m = image(r, m)),
        },
        Claim::Inside(a, b) | Claim::Vectors { a, b, .. } if r.below(4) > 0 => match r.below(2) {
            0 => *a = image(r, a),
            _ => *b = image(r, b),
        },
        Claim::Inside(a, b) => core::mem::swap(a, b),
        Claim::Equal(a, b) => match r.below(2) {
            0 => *a = layout(r, a),
            _ => *b = layout(r, b),
        },
        Claim::Monotone { layout: a, strict } => match r.below(4) {
            0 => *strict = !*strict,
            _ => *a = layout(r, a),
        },
        Claim::Aligned { image: m, to } => match r.below(4) {
            0 => *to = small(r, *to),
            _ => *m = image(r, m),
        },
        Claim::Fits { image: m, bits, signed } => match r.below(4) {
            0 => *bits = r.of(&[0, 1, bits.wrapping_sub(1), bits.wrapping_add(1), 63, 64, 65, 127, 128, 200, u32::MAX]),
            1 => *signed = !*signed,
            _ => *m = image(r, m),
        },
        Claim::Vectors { width, .. } => *width = small(r, *width),
        _ => unreachable!(),
    }
}

/// Other strides for which a basis with its inverse is known too: `a + g sum q_i rows_i` with columns `c_i - q_i z`; here for the last i, so that all bounds
/// remain what they are.
fn other_strides(r: &mut Rng, c: &mut Certificate) -> Option<()> {
    let (Claim::Injective(a), Proof::Lattice(b)) = (&mut c.claim, &mut c.proof) else { return None };
    let (s, d) = a.known_leaves()?;
    let (s, mut d) = (s.to_vec(), d.to_vec());
    if s.iter().any(|n| *n < 2) || b.columns.len() + 1 != d.len() {
        return None;
    }
    let order: Vec<usize> = b.groups.iter().map(|g| g[0]).collect();
    let i = b.rows.len().checked_sub(1)?;
    let q = r.of(&[1i128, -1, 2, -2]);
    let g = d.iter().fold(0, |g: i64, d| num_integer::gcd(g, *d));
    for (k, &leaf) in order.iter().enumerate() {
        let x = d[leaf].abs() as i128 + g as i128 * q * b.rows[i][k];
        if !(1..=1 << 40).contains(&x) {
            return None;
        }
        d[leaf] = x as i64;
        b.columns[i][k] -= q * b.z[k];
    }
    if b.bounds[i].iter().zip(&b.columns[i]).map(|(u, c)| u * c).sum::<i128>() < 0 {
        b.bounds[i].iter_mut().for_each(|u| *u = -*u);
    }
    *a = Layout::flat(&s, &d).ok()?;
    Some(())
}

/// Whether brute force can judge it: a small domain, and the numbers of the question are in range.
fn judged(c: &Claim) -> bool {
    let fine = |m: &Image| {
        let Ok((min, max)) = m.image_range() else { return false };
        m.layout.size().is_ok_and(|n| n <= POINTS) && min > -(1 << 60) && max < 1 << 60
    };
    let range = |lo: i64, n: i64| lo.abs() < 1 << 60 && (0..=4 * POINTS).contains(&n);
    match c {
        Claim::Injective(a) | Claim::Contiguous(a) | Claim::Monotone { layout: a, .. } => {
            let short = a.image_range().is_ok_and(|(min, max)| range(min, max - min));
            fine(&a.into()) && (short || !matches!(c, Claim::Contiguous(_)))
        }
        Claim::Bijective { image, lo, size } => fine(image) && range(*lo, size.value().unwrap()),
        Claim::Onto { image, lo, hi } => fine(image) && hi.checked_sub(*lo).is_some_and(|n| range(*lo, n)),
        Claim::Disjoint(family) => family.iter().all(fine),
        Claim::Covers { whole, family } => family.iter().chain([whole]).all(fine),
        Claim::Inside(a, b) => fine(a) && fine(b),
        Claim::Equal(a, b) => fine(&a.into()) && fine(&b.into()),
        Claim::Aligned { image, to } => fine(image) && *to >= 1,
        Claim::Fits { image, bits, signed } => fine(image) && *bits > *signed as u32 && *bits <= 64,
        Claim::Vectors { a, b, width } => {
            fine(a) && fine(b) && (1..POINTS).contains(width) && a.layout.size().unwrap() <= 600
        }
        _ => unreachable!(),
    }
}

fn holds(c: &Claim) -> bool {
    let same_size = match c {
        Claim::Vectors { a, b, .. } => a.layout.size() == b.layout.size(),
        _ => true,
    };
    same_size && truth(c).is_none()
}

/// Claims whose proofs are lattices: arbitrary strides in which the descent branches.
fn hard(r: &mut Rng) -> Claim {
    let mut random = |leaves: i64, extent: i64, reach: i64| {
        let shape: Vec<i64> = (0..leaves).map(|_| 2 + r.below(extent - 1)).collect();
        let stride: Vec<i64> = (0..leaves).map(|_| (1 + r.below(reach)) * r.of(&[1, 1, 1, -1])).collect();
        Layout::flat(&shape, &stride).unwrap()
    };
    match random(1, 5, 2).size().unwrap() {
        2 => Claim::Injective(random(6, 4, 3000)),
        3 => Claim::Injective(random(5, 5, 20_000)),
        4 => {
            let (a, b) = (random(3, 7, 600), random(4, 4, 600));
            Claim::Disjoint(vec![a.into(), Image::new(&b, 200)])
        }
        _ => {
            let a = random(3, 14, 16);
            let (min, max) = a.image_range().unwrap();
            let edge = (max - min) / 4;
            Claim::Onto { image: a.into(), lo: min + edge, hi: max - edge }
        }
    }
}

#[derive(Default)]
struct Tally {
    genuine: u64,
    lattices: u64,
    forged: u64,
    untrue: u64,
    accepted: u64,
    unjudged: u64,
    slowest: Duration,
    failures: Vec<String>,
}

impl Tally {
    /// Checks a certificate that may be forged.
    fn check(&mut self, c: &Certificate, is_true: impl FnOnce() -> Option<bool>) -> bool {
        let start = Instant::now();
        let Ok(checked) = std::panic::catch_unwind(|| c.check()) else {
            self.failures.push(format!("{}: the checker panics on {:?}", c.claim, c.proof));
            return false;
        };
        let took = start.elapsed();
        if took > self.slowest {
            self.slowest = took;
            if took > Duration::from_secs(1) {
                println!("{took:?} for {c:?}: {checked:?}");
            }
        }
        if checked.is_ok() {
            match is_true() {
                Some(true) => self.accepted += 1,
                Some(false) => self.failures.push(format!("{}: accepted and false, with {:?}", c.claim, c.proof)),
                None => self.unjudged += 1,
            }
        }
        checked.is_ok()
    }

    fn attack(&mut self, r: &mut Rng, genuine: &Certificate, other: &Proof) {
        if !self.check(genuine, || judged(&genuine.claim).then(|| holds(&genuine.claim))) {
            self.failures.push(format!("{}: genuine, and rejected: {:?}", genuine.claim, genuine.proof));
        }
        self.genuine += 1;
        for _ in 0..4 {
            let mut c = genuine.clone();
            let changes = r.of(&[0, 1, 1, 1, 2, 2]);
            if r.below(3) > 0 || other_strides(r, &mut c).is_none() {
                (0..changes).for_each(|_| claim(r, &mut c.claim));
            }
            let known = judged(&c.claim).then(|| holds(&c.claim));
            let pairs = match &c.claim {
                Claim::Disjoint(family) => family.len() * family.len().saturating_sub(1) / 2,
                _ => 0,
            };
            let kinds =
                [other.clone(), Proof::Arithmetic, Proof::Descent, Proof::NoSolution(vec![NoSolution::Descent; pairs])];
            let mut proofs = vec![c.proof.clone()];
            for _ in 0..6 {
                let mut p = c.proof.clone();
                (0..=r.below(3)).for_each(|_| proof(r, &mut p));
                proofs.push(p);
            }
            proofs.push(kinds[index(r, kinds.len())].clone());
            for p in proofs {
                c.proof = p;
                self.forged += 1;
                self.untrue += (known == Some(false)) as u64;
                self.check(&c, || known);
            }
        }
    }
}

fn run(cases: u64, seed: u64, claims: impl Fn(&mut Rng) -> Claim) -> Tally {
    let (mut t, mut other) = (Tally::default(), Proof::Arithmetic);
    for case in 0..cases {
        let mut r = Rng::new(case * 16 + seed + 1);
        let claim = claims(&mut r);
        if let Verdict::Proved(c) = claim.decide(BUDGET) {
            t.lattices += matches!(&c.proof, Proof::Lattice(_)) as u64;
            if let Proof::NoSolution(list) = &c.proof {
                t.lattices += list.iter().any(|l| matches!(l, NoSolution::Lattice(_))) as u64;
            }
            if let Proof::Cover { cores, .. } = &c.proof {
                t.lattices += cores.iter().any(|c| c.basis.columns.len() > 1) as u64;
            }
            t.attack(&mut r, &c, &other);
            other = c.proof;
        }
    }
    let Tally { genuine, lattices, forged, untrue, accepted, unjudged, slowest, ref failures } = t;
    println!(
        "{seed}: {genuine} genuine, {lattices} with lattices, {forged} forged of which {untrue} of false claims, {accepted} accepted, \
         {unjudged} accepted but not judged, slowest {slowest:?}"
    );
    failures.iter().take(20).for_each(|f| println!("{f}"));
    assert!(failures.is_empty(), "{} failures", failures.len());
    t
}

#[test]
fn no_forged_certificate_of_a_false_claim_is_accepted() {
    for kind in 0..KINDS {
        let t = run(cases(2_000), kind as u64, |r| {
            let points = r.of(&[12, 60, 300]);
            kinds::claim(r, kind, points)
        });
        assert!(t.untrue * 20 > t.forged, "kind {kind}: {} of {} false", t.untrue, t.forged);
    }
}

#[test]
fn no_forged_lattice_of_a_false_claim_is_accepted() {
    let t = run(cases(500), 13, hard);
    assert!(
        t.lattices * 10 > t.genuine && t.untrue * 10 > t.forged,
        "{} lattices of {}, {} false",
        t.lattices,
        t.genuine,
        t.untrue
    );
}

#[test]
fn a_proof_too_deep_for_the_stack_is_refused() {
    let mut piece = Piece::Affine { member: 0, base: vec![], moves: vec![] };
    for _ in 0..20_000 {
        piece = Piece::Refine { leaf: 0, by: 1, rest: Box::new(piece) };
    }
    let a = Image::from(layout!(8:1));
    let c = Certificate { claim: Claim::Inside(a, a), assuming: vec![], proof: Proof::Cover { cores: vec![], piece } };
    assert!(c.check().is_err());
}

#[test]
fn a_cover_by_thousands_of_tiles_is_not_too_deep() {
    for n in [1, 100, 3000] {
        let tiles: Vec<Image> = (0..n).map(|i| Image::new(&layout!(7:1), 7 * i)).collect();
        let c =
            Claim::Covers { whole: Image::range(0, 7 * n).unwrap(), family: tiles }.decide(1 << 24).proved().unwrap();
        assert_eq!(c.check(), Ok(()), "{n} tiles");
    }
}

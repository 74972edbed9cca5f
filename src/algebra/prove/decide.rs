//! The prover's front: verdicts, and which claim is decided where.

use super::certificate::{Certificate, Flaw, Proof};
use super::claim::{Claim, Counterexample, Image};
use super::equation::{NoSolution, Solver, TooHard};
use super::{condition, cover, order};
use crate::layout::{Int, Layout, LayoutError};
use core::fmt;

/// Steps of the search unless the caller says otherwise: a step is a point or branch looked at, about a microsecond.
/// ```
/// use girih::algebra::prove::{BUDGET, Claim};
/// use girih::prelude::*;
/// let claim = Claim::Contiguous(layout!((4,8):(1,4)));
/// assert_eq!(claim.decide(BUDGET).to_string(), "proved");
/// ```
pub const BUDGET: u64 = 1 << 20;

/// The answer to a claim.
/// ```
/// use girih::algebra::prove;
/// use girih::prelude::*;
/// assert_eq!(prove::injective(&layout!((4,8):(8,1))).to_string(), "proved");
/// let verdict = prove::injective(&layout!((4,8):(8,2)));
/// assert_eq!(verdict.to_string(), "refuted: (1,0) and (0,4) both have the value 8");
/// let verdict = prove::injective(&"(?M,?N):(1,?lda)".parse()?);
/// assert_eq!(verdict.to_string(), "proved if ?M <= ?lda");
/// # Ok::<(), girih::LayoutError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// It is true; this proves it.
    Proved(Certificate),
    /// It is true for all values of the symbols that satisfy what the certificate assumes.
    Conditional(Certificate),
    /// It is false: the least counterexample.
    Refuted(Refutation),
    /// Undecided.
    Unknown(Unknown),
}

/// Why there is no answer.
/// ```
/// use girih::algebra::prove::{Claim, Unknown, Verdict};
/// use girih::prelude::*;
/// // 0 steps are too few for strides without order
/// let claim = Claim::Injective(layout!((3,3,3):(5,6,7)));
/// assert_eq!(claim.decide(0), Verdict::Unknown(Unknown::Budget { steps: 0 }));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Unknown {
    /// The search took all its steps.
    Budget {
        /// how many it had
        steps: u64,
    },
    /// A counterexample was found, but that it is one could not be confirmed within the steps.
    Unconfirmed,
    /// It depends on symbols in a way for which there is no rule.
    Symbols,
    /// The question makes no sense: an alignment of 0, more than 64 bits, layouts of different sizes.
    Question(&'static str),
    /// Values are coordinates, or a number of the question overflows.
    Invalid(LayoutError),
}

/// A false claim and where it fails.
/// ```
/// use girih::algebra::prove;
/// use girih::prelude::*;
/// let r = prove::contiguous(&layout!((4,8):(1,5))).refuted().unwrap();
/// assert_eq!(r.to_string(), "no coordinate has the value 4");
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Refutation {
    /// The claim, with values for its symbols.
    pub claim: Claim,
    /// Values of the symbols for which it fails; none for layouts of known numbers.
    pub values: Vec<(String, i64)>,
    /// The least counterexample.
    pub counterexample: Counterexample,
}

/// What a decision found: a proof or a counterexample.
pub(super) type Found = Result<Result<Proof, Counterexample>, Failure>;

/// Why a decision found nothing.
pub(super) enum Failure {
    Hard,
    Question(&'static str),
    Invalid(LayoutError),
}

impl From<TooHard> for Failure {
    fn from(_: TooHard) -> Failure {
        Failure::Hard
    }
}

impl From<LayoutError> for Failure {
    fn from(e: LayoutError) -> Failure {
        Failure::Invalid(e)
    }
}

impl Claim {
    /// The answer, within so many steps. [`BUDGET`] is about a second.
    /// ```
    /// use girih::algebra::prove::{BUDGET, Claim};
    /// use girih::prelude::*;
    /// let claim = Claim::Injective(layout!((4,8):(8,1)));
    /// assert!(claim.decide(BUDGET).proved().is_some());
    /// ```
    pub fn decide(&self, budget: u64) -> Verdict {
        if let Err(u) = self.sensible() {
            return Verdict::Unknown(u);
        }
        if self.is_symbolic() {
            return condition::decide(self, budget);
        }
        let mut steps = budget;
        match self.search(&mut steps) {
            Ok(Ok(proof)) => Verdict::Proved(Certificate { claim: self.clone(), assuming: vec![], proof }),
            Ok(Err(counterexample)) => {
                let refutation = Refutation { claim: self.clone(), values: vec![], counterexample };
                match refutation.check() {
                    Ok(()) => Verdict::Refuted(refutation),
                    Err(_) => Verdict::Unknown(Unknown::Unconfirmed),
                }
            }
            Err(Failure::Hard) => Verdict::Unknown(Unknown::Budget { steps: budget }),
            Err(Failure::Question(why)) => Verdict::Unknown(Unknown::Question(why)),
            Err(Failure::Invalid(e)) => Verdict::Unknown(Unknown::Invalid(e)),
        }
    }

    /// Whether a symbol appears in it.
    /// ```
    /// use girih::algebra::prove::Claim;
    /// use girih::prelude::*;
    /// assert!(Claim::Injective("(?M,4):(1,?lda)".parse()?).is_symbolic());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn is_symbolic(&self) -> bool {
        self.ints().iter().any(|v| v.symbols() > 0)
    }

    /// Whether it is a question at all.
    pub(super) fn sensible(&self) -> Result<(), Unknown> {
        if self.layouts().iter().any(Layout::has_basis) {
            return Err(Unknown::Invalid(LayoutError::Codomain));
        }
        match self {
            Claim::Aligned { to, .. } if *to < 1 => Err(Unknown::Question("an alignment is at least 1")),
            Claim::Fits { bits, .. } if !(1..=64).contains(bits) => {
                Err(Unknown::Question("an integer has 1 to 64 bits"))
            }
            Claim::Vectors { width, .. } if *width < 1 => Err(Unknown::Question("a vector has at least 1 element")),
            Claim::Onto { lo, hi, .. } if lo > hi => Err(Unknown::Question("the range ends before it starts")),
            _ => Ok(()),
        }
    }

    /// The layouts that it is about.
    pub(super) fn layouts(&self) -> Vec<Layout> {
        match self {
            Claim::Injective(a) | Claim::Contiguous(a) | Claim::Monotone { layout: a, .. } => vec![*a],
            Claim::Bijective { image, .. }
            | Claim::Onto { image, .. }
            | Claim::Aligned { image, .. }
            | Claim::Fits { image, .. } => vec![image.layout],
            Claim::Disjoint(family) => family.iter().map(|i| i.layout).collect(),
            Claim::Covers { whole, family } => family.iter().chain([whole]).map(|i| i.layout).collect(),
            Claim::Inside(a, b) | Claim::Vectors { a, b, .. } => vec![a.layout, b.layout],
            Claim::Equal(a, b) => vec![*a, *b],
        }
    }

    fn search(&self, steps: &mut u64) -> Found {
        for l in self.layouts() {
            // extents and strides are numbers, and so are the values
            l.image_range()?;
        }
        match self {
            Claim::Injective(a) => injective(a, steps),
            Claim::Bijective { image, lo, size } => {
                let size = size.value().ok_or(LayoutError::Undecided)?;
                bijective(image, *lo, lo.checked_add(size).ok_or(LayoutError::Overflow)?, steps)
            }
            // no value is missing in an empty range
            Claim::Onto { lo, hi, .. } if lo == hi => Ok(Ok(Proof::Arithmetic)),
            Claim::Onto { image, lo, hi } => {
                cover::covers(&Image::range(*lo, *hi)?, &[*image], steps).map(|f| f.map_err(missing))
            }
            Claim::Contiguous(a) => {
                let (min, max) = a.image_range()?;
                let whole = Image::range(min, max.checked_add(1).ok_or(LayoutError::Overflow)?)?;
                cover::covers(&whole, &[a.into()], steps).map(|f| f.map_err(missing))
            }
            Claim::Covers { whole, family } => cover::covers(whole, family, steps),
            Claim::Inside(a, b) => cover::covers(a, &[*b], steps),
            Claim::Disjoint(family) => disjoint(family, steps),
            Claim::Equal(a, b) => order::equal(a, b),
            Claim::Monotone { layout, strict } => order::monotone(layout, *strict),
            Claim::Aligned { image, to } => order::aligned(image, *to),
            Claim::Fits { image, bits, signed } => order::fits(image, *bits, *signed),
            Claim::Vectors { a, b, width } => order::vectors(a, b, *width, steps),
        }
    }
}

/// A coordinate of the range itself counts from `lo`: the value says it better.
fn missing(c: Counterexample) -> Counterexample {
    match c {
        Counterexample::Outside { value, .. } => Counterexample::Missing { value },
        c => c,
    }
}

/// Extent, stride, what one step adds to the index.
pub(super) type Leaf = (i64, i64, i64);

/// Leaves with more than one coordinate.
pub(super) fn live(a: &Layout) -> Result<Vec<Leaf>, LayoutError> {
    let (shape, stride) = a.known_leaves().ok_or(LayoutError::Undecided)?;
    let mut p = 1;
    let mut leaf = Vec::with_capacity(shape.len());
    for (&n, &d) in shape.iter().zip(stride).filter(|l| *l.0 > 1) {
        leaf.push((n, d, p));
        p *= n;
    }
    Ok(leaf)
}

fn injective(a: &Layout, steps: &mut u64) -> Found {
    let leaf = live(a)?;
    if let Some(order) = chain(&leaf) {
        let listed = a.known_leaves().map_or(vec![], |l| (0..l.0.len()).filter(|&k| l.0[k] > 1).collect());
        return Ok(Ok(Proof::Chain(order.into_iter().map(|k| listed[k]).collect())));
    }
    let n = leaf.len();
    let stride: Vec<i64> = leaf.iter().map(|l| l.1).collect();
    let mut solver = Solver::new(&stride, steps);
    let mut repeats = false;
    // two coordinates with one value differ by v with sum d_k v_k = 0, positive at the highest leaf where they differ; the
    // higher of the least pair is the positive part of v, so v is sought by its highest leaf, then its least positive part
    for (k, &d) in stride.iter().enumerate() {
        let lo: Vec<i64> = (0..n).map(|l| if l < k { 1 - leaf[l].0 } else { (l == k) as i64 }).collect();
        let hi: Vec<i64> = (0..n).map(|l| if l <= k { leaf[l].0 - 1 } else { 0 }).collect();
        let found = match solver.descend(&lo, &hi, 0) {
            Some(None) => continue,
            _ if d == 0 => Some((0..n).map(|l| (l == k) as i64).collect()),
            Some(Some(_)) => solver.least(lo, hi, 0, (0..=k).rev(), true)?,
            None => {
                if !repeats && let Some(basis) = solver.only_zero(&leaf.iter().map(|l| l.0 - 1).collect::<Vec<_>>())? {
                    return Ok(Ok(Proof::Lattice(basis)));
                }
                repeats = true;
                solver.least(lo, hi, 0, (0..=k).rev(), true)?
            }
        };
        if let Some(v) = found {
            let index = |part: fn(i64) -> i64| v.iter().zip(&leaf).map(|(&v, l)| part(v) * l.2).sum();
            let (i, j): (i64, i64) = (index(|v| v.max(0)), index(|v| (-v).max(0)));
            return Ok(Err(Counterexample::Twice { j, i, value: a.at(i)? }));
        }
    }
    Ok(Ok(Proof::Descent))
}

/// The leaves with each stride larger than all before it reach, if there is such an order.
fn chain(leaf: &[Leaf]) -> Option<Vec<usize>> {
    let mut order: Vec<usize> = (0..leaf.len()).collect();
    order.sort_unstable_by_key(|&k| leaf[k].1.unsigned_abs());
    let mut reach = 0u64;
    let holds = order.iter().all(|&k| {
        let d = leaf[k].1.unsigned_abs();
        let longer = d > reach;
        reach += d * (leaf[k].0 - 1) as u64; // a part of max - min, which fits
        longer
    });
    holds.then_some(order)
}

/// The least coordinate at which the terms of one sign add up to more than `room`, at least 0.
pub(super) fn first_beyond(leaf: &[Leaf], sign: i64, room: i128) -> Option<i64> {
    let (mut need, mut index) = (room, 0);
    let mut below: i128 = leaf.iter().map(|l| (l.1 * sign).max(0) as i128 * (l.0 - 1) as i128).sum();
    if below <= need {
        return None;
    }
    // from the highest leaf down, as little as the lower leaves leave over
    for &(n, d, p) in leaf.iter().rev() {
        let d = (d * sign).max(0) as i128;
        below -= d * (n - 1) as i128;
        if need >= below && d > 0 {
            let c = (need - below) / d + 1;
            need -= c * d;
            index += c as i64 * p;
        }
    }
    Some(index)
}

/// The least coordinate whose value is not in `lo..hi`.
fn first_outside(image: &Image, lo: i64, hi: i64) -> Result<Option<i64>, LayoutError> {
    let (room_above, room_below) = (hi as i128 - 1 - image.offset as i128, image.offset as i128 - lo as i128);
    if room_above < 0 || room_below < 0 {
        return Ok(Some(0));
    }
    let leaf = live(&image.layout)?;
    Ok(first_beyond(&leaf, 1, room_above).into_iter().chain(first_beyond(&leaf, -1, room_below)).min())
}

fn bijective(image: &Image, lo: i64, hi: i64, steps: &mut u64) -> Found {
    let outside = first_outside(image, lo, hi)?;
    let injective = injective(&image.layout, steps)?;
    match (injective, outside) {
        (Err(Counterexample::Twice { i, j, value }), outside) if outside.is_none_or(|o| i < o) => {
            Ok(Err(Counterexample::Twice { i, j, value: value + image.offset }))
        }
        (_, Some(i)) => Ok(Err(Counterexample::Outside { i, value: image.at(i)? })),
        (Ok(proof), None) if image.layout.size()? == hi - lo => Ok(Ok(proof)),
        // fewer elements than values: some value is missing
        (Ok(_), None) => {
            let cover = cover::covers(&Image::range(lo, hi)?, &[*image], steps)?;
            Ok(cover.map_err(missing))
        }
        (Err(c), None) => Ok(Err(c)),
    }
}

fn disjoint(family: &[Image], steps: &mut u64) -> Found {
    let mut proofs: Vec<NoSolution> = Vec::new();
    let leaves = family.iter().map(|m| live(&m.layout)).collect::<Result<Vec<_>, _>>()?;
    for q in 0..family.len() {
        let mut least: Option<(i64, usize, i64)> = None;
        for p in 0..q {
            match meeting((&family[p], &leaves[p]), (&family[q], &leaves[q]), steps)? {
                Err(why) => proofs.push(why),
                Ok((i, j)) if least.is_none_or(|l| j < l.0) => least = Some((j, p, i)),
                Ok(_) => {}
            }
        }
        if let Some((j, p, i)) = least {
            return Ok(Err(Counterexample::Meet { first: (p, i), second: (q, j), value: family[q].at(j)? }));
        }
    }
    Ok(Ok(Proof::NoSolution(proofs)))
}

/// Elements of the later image that are looked for in the earlier one, one after another.
const FEW: i64 = 4;
const MANY: i64 = 1 << 9;

fn index_of(v: &[i64], leaf: &[Leaf]) -> i64 {
    v.iter().zip(leaf).map(|(&v, l)| v * l.2).sum()
}

/// The least coordinate of the second image with a value of the first, and the least of that there; or why there is none.
fn meeting(
    (a, x): (&Image, &[Leaf]),
    (b, y): (&Image, &[Leaf]),
    steps: &mut u64,
) -> Result<Result<(i64, i64), NoSolution>, Failure> {
    let size = b.layout.size()?;
    if let Some(found) = among((a, x), b, 0..size.min(FEW), steps)? {
        return Ok(Ok(found));
    }
    let strides: Vec<i64> = x.iter().map(|l| l.1).chain(y.iter().map(|l| -l.1)).collect();
    let hi: Vec<i64> = x.iter().chain(y).map(|l| l.0 - 1).collect();
    let lo = vec![0; hi.len()];
    let t = b.offset as i128 - a.offset as i128;
    let quick = Solver::new(&strides, steps).descend(&lo, &hi, t);
    if quick == Some(None) {
        return Ok(Err(NoSolution::Descent));
    }
    if quick.is_none()
        && let Some(found) = among((a, x), b, FEW..size.min(MANY), steps)?
    {
        return Ok(Ok(found));
    }
    // the coordinate in the second image decides first, then that in the first
    let mut solver = Solver::new(&strides, steps);
    let priority = (x.len()..hi.len()).rev().chain((0..again(x)).rev());
    Ok(match solver.least(lo, hi, t, priority, false)? {
        Some(v) => Ok((index_of(&v[..x.len()], x), index_of(&v[x.len()..], y))),
        None => Err(solver.why),
    })
}

/// Leaves along which a value may occur again: none in a chain, where any coordinate of a value is its least.
fn again(x: &[Leaf]) -> usize {
    if chain(x).is_some() { 0 } else { x.len() }
}

/// The first of these coordinates of the second image whose value is one of the first, after its least coordinate there.
fn among(
    (a, x): (&Image, &[Leaf]),
    b: &Image,
    range: core::ops::Range<i64>,
    steps: &mut u64,
) -> Result<Option<(i64, i64)>, Failure> {
    let (stride, hi): (Vec<i64>, Vec<i64>) = x.iter().map(|l| (l.1, l.0 - 1)).unzip();
    let mut solver = Solver::new(&stride, steps);
    let (min, max) = a.image_range()?;
    for j in range {
        let value = b.at(j)?;
        if value < min || value > max {
            continue;
        }
        let t = value as i128 - a.offset as i128;
        if let Some(v) = solver.least(vec![0; x.len()], hi.clone(), t, (0..again(x)).rev(), false)? {
            return Ok(Some((index_of(&v, x), j)));
        }
    }
    Ok(None)
}

impl Verdict {
    /// The certificate, if the claim was proved without conditions.
    /// ```
    /// use girih::algebra::prove;
    /// use girih::prelude::*;
    /// assert!(prove::injective(&layout!((4,8):(8,1))).proved().is_some());
    /// assert!(prove::injective(&layout!((4,8):(1,1))).proved().is_none());
    /// ```
    pub fn proved(self) -> Option<Certificate> {
        match self {
            Verdict::Proved(c) => Some(c),
            _ => None,
        }
    }

    /// The refutation, if the claim is false.
    /// ```
    /// use girih::algebra::prove::{self, Counterexample};
    /// use girih::prelude::*;
    /// let r = prove::injective(&layout!((4,8):(8,2))).refuted().unwrap();
    /// assert_eq!(r.counterexample, Counterexample::Twice { j: 1, i: 16, value: 8 });
    /// ```
    pub fn refuted(self) -> Option<Refutation> {
        match self {
            Verdict::Refuted(r) => Some(r),
            _ => None,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Proved(_) => write!(f, "proved"),
            Verdict::Conditional(c) => {
                write!(f, "proved if ")?;
                c.assuming.iter().enumerate().try_for_each(|(k, c)| {
                    let and = if k > 0 { " and " } else { "" };
                    write!(f, "{and}{c}")
                })
            }
            Verdict::Refuted(r) => write!(f, "refuted: {r}"),
            Verdict::Unknown(u) => write!(f, "unknown: {u}"),
        }
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::Budget { steps } => write!(f, "too hard within {steps} steps"),
            Unknown::Unconfirmed => write!(f, "a counterexample was found but not confirmed"),
            Unknown::Symbols => write!(f, "it depends on symbols in a way for which there is no rule"),
            Unknown::Question(why) => write!(f, "{why}"),
            Unknown::Invalid(e) => write!(f, "{e}"),
        }
    }
}

/// The counterexample in coordinates of the layouts.
impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layouts = self.claim.layouts();
        let at = |k: usize, i: i64| match layouts.get(k).map(|l| l.shape().idx2crd(i)) {
            Some(Ok(c)) => c.to_string(),
            _ => i.to_string(),
        };
        // `whole` is the last of the layouts of a cover
        let whole = if matches!(self.claim, Claim::Covers { .. }) { layouts.len() - 1 } else { 0 };
        match self.counterexample {
            Counterexample::Twice { j, i, value } => {
                write!(f, "{} and {} both have the value {value}", at(0, j), at(0, i))
            }
            Counterexample::Missing { value } => write!(f, "no coordinate has the value {value}"),
            Counterexample::Outside { i, value } => {
                write!(f, "{} has the value {value}, which is none of those", at(whole, i))
            }
            Counterexample::Meet { first: (p, i), second: (q, j), value } => {
                write!(f, "{} of image {p} and {} of image {q} both have the value {value}", at(p, i), at(q, j))
            }
            Counterexample::Differ { i, a, b } => {
                let value = |v: Option<i64>| v.map_or("outside its domain".into(), |v| v.to_string());
                write!(f, "at {i} the one is {}, the other {}", value(a), value(b))
            }
            Counterexample::Falls { i, value, next } => {
                write!(f, "{} has the value {value}, {} after it {next}", at(0, i), at(0, i + 1))
            }
            Counterexample::Unaligned { i, value } => write!(f, "{} has the value {value}", at(0, i)),
            Counterexample::TooLarge { i, sum } => write!(f, "{} has the partial sum {sum}", at(0, i)),
            Counterexample::NoVector { i, a, b } => {
                write!(f, "{} has the values {a} and {b}, which are in no common vector", at(0, i))
            }
        }?;
        self.values
            .iter()
            .enumerate()
            .try_for_each(|(k, (name, value))| write!(f, "{}?{name} = {value}", if k == 0 { " for " } else { ", " }))
    }
}

impl Refutation {
    /// Evaluates the counterexample. That a value is missing is decided anew, one equation for each image.
    ///
    /// # Errors
    /// It does not refute the claim.
    /// ```
    /// use girih::algebra::prove::{self, Counterexample, Verdict};
    /// use girih::prelude::*;
    /// let Verdict::Refuted(mut r) = prove::injective(&layout!((4,8):(8,2))) else { panic!() };
    /// assert_eq!(r.counterexample, Counterexample::Twice { j: 1, i: 16, value: 8 });
    /// assert_eq!(r.check(), Ok(()));
    /// r.counterexample = Counterexample::Twice { j: 1, i: 15, value: 8 };
    /// assert!(r.check().is_err());
    /// ```
    pub fn check(&self) -> Result<(), Flaw> {
        match self.holds() {
            Ok(true) => Ok(()),
            _ => Err(Flaw("the counterexample does not refute the claim")),
        }
    }

    fn holds(&self) -> Result<bool, Failure> {
        if self.claim.is_symbolic() || self.claim.sensible().is_err() {
            return Ok(false);
        }
        let steps = &mut BUDGET.clone();
        let within = |v: i64, lo: i64, hi: i64| lo <= v && v < hi;
        let end = |lo: i64, size: &Int| {
            let size = size.value().ok_or(LayoutError::Undecided)?;
            lo.checked_add(size).ok_or(LayoutError::Overflow)
        };
        let image = |claim: &Claim| match claim {
            Claim::Injective(a) | Claim::Contiguous(a) | Claim::Monotone { layout: a, .. } => Some(a.into()),
            Claim::Bijective { image, .. } | Claim::Onto { image, .. } => Some(*image),
            Claim::Aligned { image, .. } | Claim::Fits { image, .. } | Claim::Inside(image, _) => Some(*image),
            Claim::Covers { whole, .. } => Some(*whole),
            _ => None,
        };
        let at = |i: i64| image(&self.claim).ok_or(LayoutError::Undecided)?.at(i);
        Ok(match (&self.claim, self.counterexample) {
            (Claim::Injective(_) | Claim::Bijective { .. }, Counterexample::Twice { j, i, value }) => {
                j < i && at(j)? == value && at(i)? == value
            }
            (Claim::Bijective { lo, size, .. }, Counterexample::Outside { i, value }) => {
                at(i)? == value && !within(value, *lo, end(*lo, size)?)
            }
            (Claim::Bijective { image, lo, size }, Counterexample::Missing { value }) => {
                within(value, *lo, end(*lo, size)?) && absent(&[*image], value, steps)?
            }
            (Claim::Onto { image, lo, hi }, Counterexample::Missing { value }) => {
                within(value, *lo, *hi) && absent(&[*image], value, steps)?
            }
            (Claim::Contiguous(a), Counterexample::Missing { value }) => {
                let (min, max) = a.image_range()?;
                min <= value && value <= max && absent(&[a.into()], value, steps)?
            }
            (Claim::Covers { family, .. }, Counterexample::Outside { i, value }) => {
                at(i)? == value && absent(family, value, steps)?
            }
            (Claim::Inside(_, b), Counterexample::Outside { i, value }) => {
                at(i)? == value && absent(&[*b], value, steps)?
            }
            (Claim::Disjoint(family), Counterexample::Meet { first, second, value }) => {
                let at = |(p, i): (usize, i64)| family.get(p).ok_or(LayoutError::Undecided)?.at(i);
                first.0 < second.0 && at(first)? == value && at(second)? == value
            }
            (Claim::Equal(a, b), Counterexample::Differ { i, a: x, b: y }) => {
                let value = |l: &Layout| match l.at(i) {
                    Ok(v) => Ok(Some(v)),
                    Err(LayoutError::OutOfRange { .. }) => Ok(None),
                    Err(e) => Err(e),
                };
                value(a)? == x && value(b)? == y && x != y
            }
            (Claim::Monotone { strict, .. }, Counterexample::Falls { i, value, next }) => {
                let falls = if *strict { next <= value } else { next < value };
                falls && at(i)? == value && at(i.checked_add(1).ok_or(LayoutError::Overflow)?)? == next
            }
            (Claim::Aligned { to, .. }, Counterexample::Unaligned { i, value }) => at(i)? == value && value % to != 0,
            (Claim::Fits { image, bits, signed }, Counterexample::TooLarge { i, sum }) => {
                let top = 1i128 << (bits - *signed as u32);
                let outside = sum >= top || sum < if *signed { -top } else { 0 };
                outside && image.at(i).is_ok() && sum == order::partial(image, i, sum.signum())?
            }
            (Claim::Vectors { a, b, width }, Counterexample::NoVector { i, a: x, b: y }) => {
                a.at(i)? == x && b.at(i)? == y && order::no_vector(a, b, *width, i, steps)?
            }
            _ => false,
        })
    }
}

/// Whether no image takes the value.
pub(super) fn absent(family: &[Image], value: i64, steps: &mut u64) -> Result<bool, Failure> {
    for m in family {
        let leaf = live(&m.layout)?;
        let (hi, stride): (Vec<i64>, Vec<i64>) = leaf.iter().map(|l| (l.0 - 1, l.1)).unzip();
        let t = value as i128 - m.offset as i128;
        if Solver::new(&stride, steps).solve(&vec![0; hi.len()], &hi, t)?.is_some() {
            return Ok(false);
        }
    }
    Ok(true)
}

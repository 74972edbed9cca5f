//! The prover's front: verdicts, and which claim is decided where.

use super::certificate::{Certificate, Proof};
use super::claim::{Claim, Counterexample, Image};
use super::equation::TooHard;
use super::refute::Refutation;
use super::{condition, cover, order, repeat};
use crate::layout::{Layout, LayoutError};
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
    /// The answer, within so many steps of search; [`BUDGET`] is about a second. To confirm a counterexample takes steps of its
    /// own, and images of at most 2^18 elements together are looked at one by one where the search ends.
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
        let of_size = matches!(self, Claim::Bijective { size, .. } if size.symbols() > 0);
        // mostly numbers, which is quick to see
        of_size || self.layouts().iter().any(|l| !l.is_known()) && self.ints().iter().any(|v| v.symbols() > 0)
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
            Claim::Injective(a) => repeat::injective(a, steps),
            Claim::Bijective { image, lo, size } => {
                let size = size.value().ok_or(LayoutError::Undecided)?;
                repeat::bijective(image, *lo, lo.checked_add(size).ok_or(LayoutError::Overflow)?, steps)
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
            Claim::Disjoint(family) => repeat::disjoint(family, steps),
            Claim::Equal(a, b) => order::equal(a, b),
            Claim::Monotone { layout, strict } => order::monotone(layout, *strict),
            Claim::Aligned { image, to } => order::aligned(image, *to),
            Claim::Fits { image, bits, signed } => order::fits(image, *bits, *signed),
            Claim::Vectors { a, b, width } => order::vectors(a, b, *width, steps),
        }
    }
}

/// A coordinate of the range itself counts from `lo`: the value says it better.
pub(super) fn missing(c: Counterexample) -> Counterexample {
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

//! Refutations: shown in coordinates, and evaluated.

use super::certificate::Flaw;
use super::claim::{Claim, Counterexample, Image};
use super::decide::{BUDGET, Failure, live};
use super::equation::Solver;
use super::order;
use crate::layout::{Int, Layout, LayoutError};
use core::fmt;

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

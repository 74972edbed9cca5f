//! Numbers that a launch will know, and conditions on them.

use super::{Builder, Fault};
use crate::layout::{Bound, Int};
use core::fmt;
use core::ops::{Add, Mul, Sub};

/// A number that every launch knows: a symbol such as `?rows`, or products, quotients and sums of symbols.
///
/// It sizes spans, grids and loops, and [`Builder::require`] compares it. As every symbol, it is at least 1 until something is
/// subtracted.
/// ```
/// # use girih::program::*;
/// let p = program("sizes", |p| {
///     let n = p.symbol("n");
///     p.require((n * 2 + 1).le(4096));
///     p.grid([n.ceil_div(128)]);
/// })?;
/// assert_eq!(format!("{p:#}"), "program sizes()\n  require 2*?n+1 <= 4096\n  grid (⌈?n/128⌉)\n    %0: i32 = block_id 0\n");
/// # Ok::<(), ProgramError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Extent<'t> {
    builder: &'t Builder,
    value: Bound,
}

impl<'t> Extent<'t> {
    pub(super) fn new(builder: &'t Builder, value: Bound) -> Extent<'t> {
        Extent { builder, value }
    }

    /// The sum of monomials that it is.
    pub fn value(&self) -> Bound {
        self.value
    }

    /// The result of arithmetic; of one that fails, nothing that counts: the program has an error then.
    #[track_caller]
    fn with(self, value: Result<Bound, impl Into<Fault>>) -> Extent<'t> {
        let value = match value {
            Ok(value) => value,
            Err(e) => self.builder.fail(e.into(), Bound::of(&Int::known(1))),
        };
        Extent { value, ..self }
    }

    /// This divided by a known number and rounded up: how many tiles of that length cover it.
    #[track_caller]
    pub fn ceil_div(self, by: i64) -> Extent<'t> {
        let value = match self.value.terms() {
            [] => Ok(Bound::ZERO),
            [one] => one.ceil_div(by).map(|v| Bound::of(&v)).map_err(Fault::from),
            _ => Err(Fault::SumDivided { sum: Box::new(self.value), by }),
        };
        self.with(value)
    }

    /// The condition that it is less.
    pub fn lt(&self, other: impl Known) -> Condition {
        self.compare(Relation::Less, other)
    }

    /// The condition that it is not greater.
    pub fn le(&self, other: impl Known) -> Condition {
        self.compare(Relation::LessOrEqual, other)
    }

    /// The condition that it is greater.
    pub fn gt(&self, other: impl Known) -> Condition {
        self.compare(Relation::Greater, other)
    }

    /// The condition that it is not less.
    pub fn ge(&self, other: impl Known) -> Condition {
        self.compare(Relation::GreaterOrEqual, other)
    }

    /// The condition that it is equal.
    pub fn eq(&self, other: impl Known) -> Condition {
        self.compare(Relation::Equal, other)
    }

    /// The condition that it is a multiple.
    pub fn multiple_of(&self, other: impl Known) -> Condition {
        self.compare(Relation::MultipleOf, other)
    }

    fn compare(&self, relation: Relation, other: impl Known) -> Condition {
        Condition { left: self.value, relation, right: other.bound() }
    }
}

/// A number, or an [`Extent`].
pub trait Known: Copy {
    /// As a sum of monomials.
    fn bound(self) -> Bound;
}
impl Known for Extent<'_> {
    fn bound(self) -> Bound {
        self.value
    }
}
impl Known for i64 {
    fn bound(self) -> Bound {
        Bound::of(&Int::known(self))
    }
}

impl<'t, K: Known> Mul<K> for Extent<'t> {
    type Output = Extent<'t>;
    #[track_caller]
    fn mul(self, other: K) -> Extent<'t> {
        let other = other.bound();
        let products = self.value.terms().iter().flat_map(|a| other.terms().iter().map(move |b| a.mul(b)));
        self.with(products.into_iter().try_fold(Bound::ZERO, |sum, product| sum.plus(&product?)))
    }
}

impl<'t, K: Known> Add<K> for Extent<'t> {
    type Output = Extent<'t>;
    #[track_caller]
    fn add(self, other: K) -> Extent<'t> {
        self.with(self.value.add(&other.bound()))
    }
}

impl<'t, K: Known> Sub<K> for Extent<'t> {
    type Output = Extent<'t>;
    #[track_caller]
    fn sub(self, other: K) -> Extent<'t> {
        let negative =
            other.bound().terms().iter().try_fold(self.value, |sum, term| sum.plus(&term.mul(&Int::known(-1))?));
        self.with(negative)
    }
}

/// A condition on symbols, checked at every launch.
#[derive(Clone, Copy, PartialEq)]
pub struct Condition {
    /// its left side
    pub left: Bound,
    /// what must hold between them
    pub relation: Relation,
    /// its right side
    pub right: Bound,
}

/// What a [`Condition`] says of its two sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Relation {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    MultipleOf,
}

impl Relation {
    /// Does it hold between two numbers?
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Relation::Less => left < right,
            Relation::LessOrEqual => left <= right,
            Relation::Greater => left > right,
            Relation::GreaterOrEqual => left >= right,
            Relation::Equal => left == right,
            Relation::MultipleOf => left.checked_rem(right).unwrap_or(left) == 0,
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let relation = match self.relation {
            Relation::Less => "<",
            Relation::LessOrEqual => "<=",
            Relation::Greater => ">",
            Relation::GreaterOrEqual => ">=",
            Relation::Equal => "=",
            Relation::MultipleOf => "is a multiple of",
        };
        write!(f, "{} {relation} {}", self.left, self.right)
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{self}")
    }
}

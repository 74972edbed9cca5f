//! Numbers that a launch will know, and conditions on them.

use super::{Builder, Fault};
use crate::layout::{Bound, Int, LayoutError};
use core::fmt;
use core::ops::{Add, Mul, Sub};

/// A number that every launch knows: a symbol such as `?rows`, or products, quotients and sums of symbols.
///
/// It sizes spans, grids and loops, and [`Builder::require`] compares it. As every symbol, it is at least 1 until something is
/// subtracted. It is one of its program: another program refuses it.
/// ```
/// # use girih::program::*;
/// let p = program("sizes", |p| {
///     let n = p.symbol("n");
///     p.require((n * 2 + 1).le(4096));
///     p.grid([n.ceil_div(128)]);
/// })?;
/// assert_eq!(
///     format!("{p:#}"),
///     "program sizes()\n  symbols ?n\n  require 2*?n+1 <= 4096\n  grid (⌈?n/128⌉)\n    %0: i32 = block_id 0\n"
/// );
/// # Ok::<(), ProgramError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Extent<'t> {
    builder: &'t Builder,
    value: Quotient,
}

impl<'t> Extent<'t> {
    pub(super) fn new(builder: &'t Builder, value: Bound) -> Extent<'t> {
        Extent { builder, value: Quotient { sum: value, by: 1 } }
    }

    pub(super) fn builder(&self) -> &'t Builder {
        self.builder
    }

    /// The number that it is.
    pub fn value(&self) -> Quotient {
        self.value
    }

    /// The sum of monomials that it is, for arithmetic.
    #[track_caller]
    fn sum(&self) -> Bound {
        match self.value {
            Quotient { sum, by: 1 } => sum,
            quotient => self.builder.fail(Fault::Quotient { quotient: Box::new(quotient) }, sum_of(1)),
        }
    }

    /// The result of arithmetic; of one that fails, nothing that counts: the program has an error then.
    #[track_caller]
    fn with(self, sum: Result<Bound, LayoutError>) -> Extent<'t> {
        match sum {
            Ok(sum) => Extent::new(self.builder, sum),
            Err(e) => Extent::new(self.builder, self.builder.fail(e.into(), sum_of(1))),
        }
    }

    /// This divided by a known number and rounded up: how many tiles of that length cover it. The number is at least 1.
    ///
    /// Of a sum, and of most products, it is a number for grids, loops and conditions, and no extent of a span.
    /// ```
    /// # use girih::program::*;
    /// let p = program("p", |p| {
    ///     let (rows, cols) = (p.symbol("rows"), p.symbol("cols"));
    ///     p.grid([(rows * cols).ceil_div(1024)]);
    /// })?;
    /// let report = p.host().bind("rows", 33).bind("cols", 32).run()?;
    /// assert_eq!(report.grid, [2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn ceil_div(self, by: i64) -> Extent<'t> {
        if by < 1 {
            return self.builder.fail(Fault::Divisor { by }, self);
        }
        if let Quotient { sum, by: 1 } = self.value
            && let [one] = sum.terms()
            && let Ok(closed) = one.ceil_div(by)
        {
            return Extent::new(self.builder, Bound::of(&closed));
        }
        // ⌈⌈a/b⌉/c⌉ is ⌈a/bc⌉
        match self.value.by.checked_mul(by) {
            Some(by) => Extent { value: Quotient { by, ..self.value }, ..self },
            None => self.builder.fail(LayoutError::Overflow.into(), self),
        }
    }

    /// The condition that it is less.
    #[track_caller]
    pub fn lt(&self, other: impl Known<'t>) -> Comparison<'t> {
        self.compare(Relation::Less, other)
    }

    /// The condition that it is not greater.
    #[track_caller]
    pub fn le(&self, other: impl Known<'t>) -> Comparison<'t> {
        self.compare(Relation::LessOrEqual, other)
    }

    /// The condition that it is greater.
    #[track_caller]
    pub fn gt(&self, other: impl Known<'t>) -> Comparison<'t> {
        self.compare(Relation::Greater, other)
    }

    /// The condition that it is not less.
    #[track_caller]
    pub fn ge(&self, other: impl Known<'t>) -> Comparison<'t> {
        self.compare(Relation::GreaterOrEqual, other)
    }

    /// The condition that it is equal.
    #[track_caller]
    pub fn eq(&self, other: impl Known<'t>) -> Comparison<'t> {
        self.compare(Relation::Equal, other)
    }

    /// The condition that it is a multiple.
    #[track_caller]
    pub fn multiple_of(&self, other: impl Known<'t>) -> Comparison<'t> {
        self.compare(Relation::MultipleOf, other)
    }

    #[track_caller]
    fn compare(&self, relation: Relation, other: impl Known<'t>) -> Comparison<'t> {
        let right = self.builder.own(other).value;
        Comparison { builder: self.builder, condition: Condition { left: self.value, relation, right } }
    }
}

fn sum_of(number: i64) -> Bound {
    Bound::of(&Int::known(number))
}

/// A number, or an [`Extent`].
pub trait Known<'t>: Copy {
    /// As an extent: a number is one of any program.
    fn extent(self, builder: &'t Builder) -> Extent<'t>;
}
impl<'t> Known<'t> for Extent<'t> {
    fn extent(self, _: &'t Builder) -> Extent<'t> {
        self
    }
}
impl<'t> Known<'t> for i64 {
    fn extent(self, builder: &'t Builder) -> Extent<'t> {
        Extent::new(builder, sum_of(self))
    }
}

impl<'t, K: Known<'t>> Mul<K> for Extent<'t> {
    type Output = Extent<'t>;
    #[track_caller]
    fn mul(self, other: K) -> Extent<'t> {
        let (left, right) = (self.sum(), self.builder.own(other).sum());
        let mut products = left.terms().iter().flat_map(|a| right.terms().iter().map(move |b| a.mul(b)));
        self.with(products.try_fold(Bound::ZERO, |sum, product| sum.plus(&product?)))
    }
}

impl<'t, K: Known<'t>> Add<K> for Extent<'t> {
    type Output = Extent<'t>;
    #[track_caller]
    fn add(self, other: K) -> Extent<'t> {
        self.with(self.sum().add(&self.builder.own(other).sum()))
    }
}

impl<'t, K: Known<'t>> Sub<K> for Extent<'t> {
    type Output = Extent<'t>;
    #[track_caller]
    fn sub(self, other: K) -> Extent<'t> {
        let (left, right) = (self.sum(), self.builder.own(other).sum());
        self.with(right.terms().iter().try_fold(left, |sum, term| sum.plus(&term.mul(&Int::known(-1))?)))
    }
}

/// What an [`Extent`] is, as data: a sum of monomials, divided by a number of at least 1 and rounded up.
#[derive(Clone, Copy, PartialEq)]
pub struct Quotient {
    /// what is divided
    pub sum: Bound,
    /// by what
    pub by: i64,
}

impl Quotient {
    /// The symbols in `values` replaced by their values; others stay.
    ///
    /// # Errors
    /// As [`Bound::bind`].
    pub fn bind(&self, values: &[(&str, i64)]) -> Result<Quotient, LayoutError> {
        Ok(Quotient { sum: self.sum.bind(values)?, by: self.by })
    }

    /// The number, if no symbol is left.
    pub fn value(&self) -> Option<i64> {
        let (sum, by) = (self.sum.value()?, self.by);
        Some(sum.checked_div_euclid(by)? + i64::from(sum.checked_rem_euclid(by)? != 0))
    }
}

impl fmt::Display for Quotient {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match (self.sum, self.by) {
            (sum, 1) => sum.fmt(f),
            (sum, by) if sum.terms().len() == 1 => write!(f, "⌈{sum}/{by}⌉"),
            (sum, by) => write!(f, "⌈({sum})/{by}⌉"),
        }
    }
}

impl fmt::Debug for Quotient {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Two extents compared, for [`Builder::require`].
#[derive(Clone, Copy)]
pub struct Comparison<'t> {
    pub(super) builder: &'t Builder,
    pub(super) condition: Condition,
}

/// A condition on symbols, checked at every launch.
#[derive(Clone, Copy, PartialEq)]
pub struct Condition {
    /// its left side
    pub left: Quotient,
    /// what must hold between them
    pub relation: Relation,
    /// its right side
    pub right: Quotient,
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
            Relation::MultipleOf => left == 0 || right != 0 && left.wrapping_rem(right) == 0,
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

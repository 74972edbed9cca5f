//! Integers that a kernel computes: sums of registers with known coefficients, and a known part.

use crate::gpu::ptx::Reg;
use core::ops::{Add, Mul, Neg, Sub};

/// An integer of a kernel: `known + c0 * r0 + c1 * r1 + ...`. Sums and multiples cost nothing until the value is wanted in a
/// register or address; the known part then goes into the instruction's immediate offset.
///
/// It holds registers, not their values: an index over a [variable](super::Kernel::variable) is worth what the variable holds where
/// the index is used. What the [kernel](super::Kernel) computed from it, as by [`offset`](super::Kernel::offset), keeps the value that
/// it had then.
/// ```
/// use girih::gpu::kernel::Index;
/// use girih::prelude::*;
/// let i = (Index::from(3) + 4) * 2;
/// assert_eq!(i.known(), Some(14));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Index {
    /// sorted by register, no coefficient 0
    pub(super) terms: Vec<(Reg, i128)>,
    pub(super) offset: i128,
}

impl Index {
    /// The value, if it has no register.
    /// ```
    /// # use girih::gpu::kernel::Index;
    /// assert_eq!(Index::from(5).known(), Some(5));
    /// ```
    pub fn known(&self) -> Option<i64> {
        if self.terms.is_empty() { i64::try_from(self.offset).ok() } else { None }
    }

    /// One register.
    pub(super) fn register(r: Reg) -> Index {
        Index { terms: vec![(r, 1)], offset: 0 }
    }

    /// What is not known, and what is.
    pub(super) fn split(&self) -> (Index, i128) {
        (Index { terms: self.terms.clone(), offset: 0 }, self.offset)
    }

    /// Those terms that `keep`, without the known part.
    pub(super) fn filter(&self, keep: impl Fn(&(Reg, i128)) -> bool) -> Index {
        Index { terms: self.terms.iter().filter(|t| keep(t)).copied().collect(), offset: 0 }
    }

    /// Times a number.
    pub(super) fn scaled(&self, by: i128) -> Index {
        Index::default().combine(self, by)
    }

    fn combine(&self, other: &Index, sign: i128) -> Index {
        let mut terms = self.terms.clone();
        for &(r, c) in other.terms.iter().filter(|_| sign != 0) {
            let c = c.saturating_mul(sign);
            match terms.binary_search_by_key(&r.id, |(r, _)| r.id) {
                Ok(at) => {
                    terms[at].1 = terms[at].1.saturating_add(c);
                    if terms[at].1 == 0 {
                        terms.remove(at);
                    }
                }
                Err(at) => terms.insert(at, (r, c)),
            }
        }
        // far beyond 64 bits, where every use refuses it
        Index { terms, offset: self.offset.saturating_add(other.offset.saturating_mul(sign)) }
    }
}

impl From<i64> for Index {
    fn from(known: i64) -> Index {
        Index { terms: Vec::new(), offset: known.into() }
    }
}

impl From<&Index> for Index {
    fn from(i: &Index) -> Index {
        i.clone()
    }
}

impl<T: Into<Index>> Add<T> for Index {
    type Output = Index;
    fn add(self, other: T) -> Index {
        self.combine(&other.into(), 1)
    }
}

impl<T: Into<Index>> Add<T> for &Index {
    type Output = Index;
    fn add(self, other: T) -> Index {
        self.combine(&other.into(), 1)
    }
}

impl<T: Into<Index>> Sub<T> for Index {
    type Output = Index;
    fn sub(self, other: T) -> Index {
        self.combine(&other.into(), -1)
    }
}

impl<T: Into<Index>> Sub<T> for &Index {
    type Output = Index;
    fn sub(self, other: T) -> Index {
        self.combine(&other.into(), -1)
    }
}

impl Mul<i64> for Index {
    type Output = Index;
    fn mul(self, by: i64) -> Index {
        self.scaled(by.into())
    }
}

impl Mul<i64> for &Index {
    type Output = Index;
    fn mul(self, by: i64) -> Index {
        self.scaled(by.into())
    }
}

impl Neg for Index {
    type Output = Index;
    fn neg(self) -> Index {
        self * -1
    }
}

//! What operations make of two elements, as functions that loops take: the same for elementwise operations, reductions and scans.

use crate::tile::TileError;
use crate::tile::element::Element;
use crate::tile::op::{Binary, Fold, Unary};
use crate::tile::value::AnyTile;

pub(super) type Outcome = Result<AnyTile, TileError>;

/// What is done with a function of two elements.
pub(super) trait Loop<E>: Sized {
    fn with(self, f: impl Fn(E, E) -> E + Copy) -> Outcome;
    /// The same with a function that is associative and commutative.
    fn in_any_order(self, f: impl Fn(E, E) -> E + Copy) -> Outcome {
        self.with(f)
    }
}

/// An arithmetic type: the functions of its elements; none for those that it does not have.
pub(super) trait Arithmetic: Element + PartialOrd {
    fn unary(f: Unary, x: &AnyTile) -> Option<Outcome>;
    /// What is no [`Self::fold`].
    fn binary(f: Binary, body: impl Loop<Self>) -> Option<Outcome>;
    fn fold(f: Fold, body: impl Loop<Self>) -> Option<Outcome>;
    /// The order of minima and maxima, in which -0 is below +0.
    #[inline(always)]
    fn is_below(self, other: Self) -> bool {
        self < other
    }
}

impl Binary {
    /// The same as what a reduction does at each step, if it is that.
    pub(super) fn fold(self) -> Option<Fold> {
        Some(match self {
            Binary::Add(m) => Fold::Sum(m),
            Binary::Mul(m) => Fold::Prod(m),
            Binary::Min(m) if !m.flush => Fold::Min(m.nan),
            Binary::Max(m) if !m.flush => Fold::Max(m.nan),
            Binary::And => Fold::And,
            Binary::Or => Fold::Or,
            Binary::Xor => Fold::Xor,
            _ => return None,
        })
    }
}

//! Claims about layouts with symbols: proofs for all values, and the side conditions that are missing.

use super::certificate::{Certificate, Flaw, Proof};
use super::claim::Claim;
use super::decide::{Unknown, Verdict};
use crate::layout::Int;

/// What a launch has to check.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Condition {
    /// `left <= right`
    AtMost {
        /// a
        left: Int,
        /// b
        right: Int,
    },
}

pub(super) fn decide(claim: &Claim, budget: u64) -> Verdict {
    Verdict::Unknown(Unknown::Symbols)
}

pub(super) fn check(c: &Certificate) -> Result<(), Flaw> {
    Err(Flaw("not yet"))
}

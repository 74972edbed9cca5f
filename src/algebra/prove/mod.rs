//! Exact decisions about layouts, with certificates.
//!
//! A [`Claim`] is decided for the whole domain without walking through it: [`Verdict::Proved`] carries a [`Certificate`] that a
//! small independent checker accepts, [`Verdict::Refuted`] the least counterexample, evaluated again before it is returned.
//! For layouts with symbols, [`Verdict::Conditional`] is a proof for all values under conditions that a launch can check.
//!
//! | question | function |
//! |---|---|
//! | is no element stored twice? | [`injective`] |
//! | does a partition touch every element exactly once? | [`bijective`] |
//! | is every element of a range touched? is the image without holes? | [`onto`], [`contiguous`] |
//! | do tiles overlap? do they cover everything? | [`disjoint`], [`covers`] |
//! | does a view stay inside another one? | [`inside`] |
//! | are two spellings one function? | [`equal`] |
//! | do addresses rise along the coordinates? | [`monotone`] |
//! | are all addresses aligned? do 32-bit indices suffice? | [`aligned`], [`fits`], [`index_bits`] |
//! | how long are the vectors that two layouts share? | [`vector_width`] |
//!
//! ```
//! use girih::algebra::prove;
//! use girih::prelude::*;
//! // 32 threads with 4 elements each of a padded 8 x 16 tile: nothing is stored twice
//! let tv = layout!(((4,8),(2,2)):((32,1),(16,8)));
//! let certificate = prove::injective(&tv).proved().expect("it is injective");
//! assert!(certificate.check().is_ok());
//! // with one stride wrong, the first two elements that collide are shown
//! let wrong = prove::injective(&layout!(((4,8),(2,2)):((32,1),(16,4))));
//! assert_eq!(wrong.to_string(), "refuted: (0,0,1,0) ...");
//! ```
//!
//! # How
//! Repeats and overlaps are solutions of one linear equation in a box. Strides that form a chain are decided by sorting; else
//! the equation is solved exactly by descent over intervals and residue classes or, where that branches, in a reduced basis of the
//! lattice of its solutions. Deciding injectivity is NP-hard in the number of leaves (equal subset sums), so there is a budget, and
//! past it the verdict is [`Verdict::Unknown`]. Coverage is decided by cutting the domain into boxes that an affine map takes
//! into an image, or that lie in an interval which the image takes without a hole.

mod certificate;
mod check;
mod claim;
mod condition;
mod cover;
mod decide;
mod equation;
mod lattice;
mod order;

pub use certificate::{Basis, Certificate, Core, Flaw, Piece, Proof};
pub use claim::{Claim, Counterexample, Image};
pub use condition::Condition;
pub use decide::{BUDGET, Refutation, Unknown, Verdict};
pub use equation::NoSolution;

use crate::layout::Layout;

/// Does `a` take no value twice?
pub fn injective(a: &Layout) -> Verdict {
    Claim::Injective(*a).decide(BUDGET)
}

//! Certificates: what a proof consists of.
//!
//! Whether one proves its claim is decided by code that shares nothing with the prover but the layouts' own evaluation (`check`).
//! For claims with symbols the rules that compare monomials are written once, for both (`condition`).

use super::claim::Claim;
use super::condition::Condition;
use super::equation::NoSolution;

/// A claim and what proves it. Anyone can make one; [`Certificate::check`] says whether it proves.
/// ```
/// use girih::algebra::prove::{self, Claim};
/// use girih::prelude::*;
/// let mut certificate = prove::injective(&layout!((4,8):(8,1))).proved().unwrap();
/// assert_eq!(certificate.check(), Ok(()));
/// certificate.claim = Claim::Injective(layout!((4,8):(7,1)));
/// assert!(certificate.check().is_err());
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Certificate {
    /// What it proves,
    pub claim: Claim,
    /// if all of these hold (for layouts of known numbers: nothing),
    pub assuming: Vec<Condition>,
    /// and how.
    pub proof: Proof,
}

/// The ways to prove a claim.
/// ```
/// use girih::algebra::prove::{self, Proof};
/// use girih::prelude::*;
/// let c = prove::injective(&layout!((4,8):(8,1))).proved().unwrap();
/// assert_eq!(c.proof, Proof::Chain(vec![1, 0])); // stride 1, then stride 8
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Proof {
    /// The claim compares a few sums of extents and strides; whoever checks forms them.
    Arithmetic,
    /// Every stride, in this order of the leaves, is larger than all leaves before it reach together (with symbols: at least
    /// extent times stride of the leaf before it). Leaves of extent 1 need not be listed.
    Chain(Vec<usize>),
    /// Two coordinates of one value would differ by a solution of an equation, and for every leaf as the highest where they
    /// differ a descent over intervals and residue classes finds none.
    Descent,
    /// The same for all leaves at once: the enumeration of the lattice of solutions finds 0 alone.
    Lattice(Basis),
    /// The equation of a common value has no solution, for each pair of images.
    NoSolution(Vec<NoSolution>),
    /// The domain in pieces, each with the reason why its values are among those of an image.
    Cover {
        /// intervals that images take without a hole
        cores: Vec<Core>,
        /// the whole domain
        piece: Piece,
    },
    /// The digits of a coordinate, in order, that run through whole vectors.
    Digits(Vec<Digit>),
}

/// A digit of a one-dimensional coordinate: `coordinate / weight % extent`.
/// ```
/// use girih::algebra::prove::{Digit, Proof};
/// use girih::prelude::*;
/// let (_, c) = prove::vector_width(layout!((4,8):(16,1)), layout!((4,8):(8,1)))?;
/// assert_eq!(c.proof, Proof::Digits(vec![Digit { weight: 4, extent: 8, backwards: false }]));
/// # Ok::<(), girih::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digit {
    /// its weight in the coordinate
    pub weight: i64,
    /// how many values it has
    pub extent: i64,
    /// the layouts' values fall along it
    pub backwards: bool,
}

/// All integer solutions of `sum a_k v_k = t`: `v = z t/g + sum y_i columns_i`, `y_i = rows_i . v`. The claim that columns with
/// z, and rows with `a/g`, are inverse matrices is checked.
/// ```
/// use girih::algebra::prove::{self, Proof};
/// use girih::prelude::*;
/// // strides without any order: 0 is the only combination of them that is 0
/// let a = layout!((30,30,30,30,30):(8912345123,7123456745,9345678167,6456789189,9567891301));
/// let c = prove::injective(&a).proved().unwrap();
/// let Proof::Lattice(basis) = &c.proof else { panic!() };
/// assert_eq!((basis.columns.len(), c.check()), (4, Ok(())));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Basis {
    /// the terms of the equation, those together whose sum is a multiple of the first, of any size up to a width; each counts
    /// from the end of its side of the box where it is least
    pub groups: Vec<Vec<usize>>,
    /// a solution for `t = g`, the gcd of the coefficients
    pub z: Vec<i128>,
    /// a basis of the solutions for 0
    pub columns: Vec<Vec<i128>>,
    /// the coordinates of a solution in it
    pub rows: Vec<Vec<i128>>,
    /// per column, an integer vector that is orthogonal to the columns before: its range over a box bounds `y_i`, given the
    /// later ones
    pub bounds: Vec<Vec<i128>>,
}

/// An interval of multiples of one number that an image takes without a hole: groups of leaves reach all multiples of their
/// smallest stride, and real coordinates on the sum of the groups are rounded to integer ones in the basis, inside the box.
/// ```
/// use girih::algebra::prove::{self, Proof};
/// use girih::prelude::*;
/// // 5 and 7 reach all numbers from some point on
/// let c = prove::onto(layout!((100,100):(5,7)), 100, 1000).proved().unwrap();
/// let Proof::Cover { cores, .. } = &c.proof else { panic!() };
/// assert_eq!(cores[0].basis.groups, [[0], [1]]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Core {
    /// the image
    pub member: usize,
    /// of the equation over its leaves
    pub basis: Basis,
}

/// Why every value of a box of coordinates is one of some image.
/// ```
/// use girih::algebra::prove::{self, Piece, Proof};
/// use girih::prelude::*;
/// let c = prove::inside(layout!((2,3):(16,2)), layout!((4,8):(8,1))).proved().unwrap();
/// let Proof::Cover { piece: Piece::Core { .. }, .. } = c.proof else { panic!() };
/// let c = prove::inside(layout!((2,3):(18,2)), layout!((4,8):(9,1))).proved().unwrap();
/// let Proof::Cover { piece: Piece::Affine { moves, .. }, .. } = c.proof else { panic!() };
/// assert_eq!(moves, [[2, 0], [0, 2]]); // two rows a step, two columns a step
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// All lie in a core, moved by these coordinates of the image's leaves that are not in its groups.
    Core {
        /// which
        core: usize,
        /// coordinates of all leaves of the image; those in the groups do not count
        base: Vec<i64>,
    },
    /// A coordinate of the image is an affine function of the coordinate.
    Affine {
        /// the image
        member: usize,
        /// its coordinate for the first of the box
        base: Vec<i64>,
        /// per leaf of the box, what one step adds
        moves: Vec<Vec<i64>>,
    },
    /// A leaf is split in two of which the lower has extent `by`.
    Refine {
        /// the leaf
        leaf: usize,
        /// extent of the lower part
        by: i64,
        /// the same box
        rest: Box<Piece>,
    },
    /// The box is cut in two.
    Split {
        /// the leaf
        leaf: usize,
        /// its extent in the first part
        at: i64,
        /// both parts
        parts: Box<(Piece, Piece)>,
    },
}

/// Why a certificate proves nothing.
/// ```
/// use girih::algebra::prove::{self, Proof};
/// use girih::prelude::*;
/// let mut c = prove::injective(&layout!((4,8):(8,1))).proved().unwrap();
/// c.proof = Proof::Chain(vec![0, 1]);
/// let flaw = c.check().unwrap_err();
/// assert_eq!(flaw.to_string(), "the certificate proves nothing: a condition of the proof does not hold");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flaw(pub(super) &'static str);

impl core::fmt::Display for Flaw {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "the certificate proves nothing: {}", self.0)
    }
}

impl core::error::Error for Flaw {}

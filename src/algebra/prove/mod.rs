//! Exact decisions about layouts, with certificates.
//!
//! A [`Claim`] is decided for the whole domain: [`Verdict::Proved`] carries a [`Certificate`] that a small independent checker
//! accepts, [`Verdict::Refuted`] the least counterexample, evaluated again before it is returned (of vectors in domains above
//! 2^16 elements some counterexample). The domain is not walked through, unless it is small and nothing else decides.
//! For layouts with symbols, [`Verdict::Conditional`] is a proof for all values under conditions that a launch can check: they
//! suffice, and where one fails the claim may still be true. Which claims take symbols: [`Claim`].
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
//! // 32 threads with 4 elements each of a 16 x 8 tile: nothing is stored twice
//! let tv = layout!(((4,8),(2,2)):((32,1),(16,8)));
//! let certificate = prove::injective(&tv).proved().expect("it is injective");
//! assert!(certificate.check().is_ok());
//! // with one stride wrong, the first two elements that collide are shown
//! let wrong = prove::injective(&layout!(((4,8),(2,2)):((32,1),(16,4))));
//! assert_eq!(wrong.to_string(), "refuted: ((0,4),(0,0)) and ((0,0),(0,1)) both have the value 4");
//! ```
//!
//! # Swizzled layouts and coordinates
//! A swizzle is a bijection: a [`Composed`](crate::layout::Composed) takes a value twice, meets another one or lies inside it
//! below the same swizzle exactly where the layouts below do. So injective, disjoint and inside are claimed of its
//! [`inner`](crate::layout::Composed::inner) layout with its offset; values themselves, their order, alignment and range, are not
//! kept. Two composed layouts of powers of two are compared as [linear layouts](super::linear). A layout whose values are
//! coordinates is composed with the layout of the tensor first, or with a compact one.
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
mod refute;
mod repeat;

pub use certificate::{Basis, Certificate, Core, Digit, Flaw, Piece, Proof};
pub use claim::{Claim, Counterexample, Image};
pub use condition::Condition;
pub use decide::{BUDGET, Unknown, Verdict};
pub use equation::NoSolution;
pub use refute::Refutation;

use crate::layout::{Int, Layout, LayoutError};

/// Does `a` take no value twice? Tiles and thread-value layouts must not, or elements are stored twice.
///
/// Decides [`Claim::Injective`].
/// ```
/// # use girih::{algebra::prove, prelude::*};
/// assert_eq!(prove::injective(&layout!((8,4):(1,9))).to_string(), "proved");
/// let verdict = prove::injective(&layout!((8,4):(1,7)));
/// assert_eq!(verdict.to_string(), "refuted: (7,0) and (0,1) both have the value 7");
/// ```
pub fn injective(a: &Layout) -> Verdict {
    Claim::Injective(*a).decide(BUDGET)
}

/// Does `a` take every value of `0..size` exactly once and no other? What a partition of `size` elements must do.
///
/// Decides [`Claim::Bijective`]. Symbols: `size` may have them too.
/// ```
/// # use girih::{algebra::prove, prelude::*};
/// // a column-major matrix cut in tiles, for every M that is a multiple of 8 and every N
/// let a: Layout = "(?M{8},?N):(1,?M{8})".parse()?;
/// let size = a.size_int()?;
/// let copy = a.zipped_divide(&tiler![8, 1])?;
/// assert_eq!(prove::bijective(&copy, size).to_string(), "proved");
/// // in tiles of 64 rows, where a tile may stick out
/// let copy = a.zipped_divide_ceil(&tiler![64, 1])?.layout;
/// assert_eq!(prove::bijective(&copy, size).to_string(), "proved if ?M{8} % 64 == 0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bijective(a: &Layout, size: impl Into<Int>) -> Verdict {
    Claim::Bijective { image: a.into(), lo: 0, size: size.into() }.decide(BUDGET)
}

/// Does `a` take every value of `lo..hi`? Others may be among its values, and some several times.
///
/// Decides [`Claim::Onto`].
/// ```
/// # use girih::{algebra::prove, prelude::*};
/// assert_eq!(prove::onto(layout!((4,4):(1,2)), 0, 10).to_string(), "proved");
/// assert_eq!(prove::onto(layout!((4,4):(1,5)), 0, 10).to_string(), "refuted: no coordinate has the value 4");
/// ```
pub fn onto(a: impl Into<Image>, lo: i64, hi: i64) -> Verdict {
    Claim::Onto { image: a.into(), lo, hi }.decide(BUDGET)
}

/// Does `a` take every value between its least and its largest?
///
/// Decides [`Claim::Contiguous`].
/// ```
/// # use girih::{algebra::prove, prelude::*};
/// assert_eq!(prove::contiguous(&layout!((4,8):(-1,4))).to_string(), "proved");
/// assert_eq!(prove::contiguous(&layout!((4,8):(1,5))).to_string(), "refuted: no coordinate has the value 4");
/// ```
pub fn contiguous(a: &Layout) -> Verdict {
    Claim::Contiguous(*a).decide(BUDGET)
}

/// Have no two of these images a value in common? Tiles of a partition must not.
///
/// Decides [`Claim::Disjoint`].
/// ```
/// # use girih::algebra::prove::{self, Image};
/// # use girih::prelude::*;
/// let row = layout!(8:1);
/// let rows: Vec<Image> = (0..4).map(|i| Image::new(&row, 8 * i)).collect();
/// assert_eq!(prove::disjoint(&rows).to_string(), "proved");
/// let verdict = prove::disjoint(&[Image::new(&row, 0), Image::new(&row, 6)]);
/// assert_eq!(verdict.to_string(), "refuted: 6 of image 0 and 0 of image 1 both have the value 6");
/// ```
pub fn disjoint(family: &[Image]) -> Verdict {
    Claim::Disjoint(family.to_vec()).decide(BUDGET)
}

/// Is every value of `whole` one of some image of the family?
///
/// Decides [`Claim::Covers`].
/// ```
/// # use girih::algebra::prove::{self, Image};
/// # use girih::prelude::*;
/// let tensor = layout!((8,8):(8,1));
/// let half = layout!((8,4):(8,1));
/// let halves = [Image::new(&half, 0), Image::new(&half, 4)];
/// assert_eq!(prove::covers(&tensor, &halves).to_string(), "proved");
/// let verdict = prove::covers(&tensor, &[Image::new(&half, 0), Image::new(&half, 3)]);
/// assert_eq!(verdict.to_string(), "refuted: (0,7) has the value 7, which is none of those");
/// ```
pub fn covers(whole: impl Into<Image>, family: &[Image]) -> Verdict {
    Claim::Covers { whole: whole.into(), family: family.to_vec() }.decide(BUDGET)
}

/// Is every value of `a` one of `b`?
///
/// Decides [`Claim::Inside`].
/// ```
/// # use girih::{algebra::prove, prelude::*};
/// assert_eq!(prove::inside(layout!((2,3):(16,2)), layout!((4,8):(8,1))).to_string(), "proved");
/// let verdict = prove::inside(layout!((2,3):(16,2)), layout!((4,4):(8,1)));
/// assert_eq!(verdict.to_string(), "refuted: (0,2) has the value 4, which is none of those");
/// ```
pub fn inside(a: impl Into<Image>, b: impl Into<Image>) -> Verdict {
    Claim::Inside(a.into(), b.into()).decide(BUDGET)
}

/// Are `a` and `b` the same function, whatever their spelling?
///
/// Decides [`Claim::Equal`].
/// ```
/// # use girih::{algebra::prove, prelude::*};
/// assert_eq!(prove::equal(&layout!(24:1), &layout!((4,6):(1,4))).to_string(), "proved");
/// let verdict = prove::equal(&layout!((4,6):(6,1)), &layout!((4,6):(1,4)));
/// assert_eq!(verdict.to_string(), "refuted: at 1 the one is 6, the other 1");
/// ```
pub fn equal(a: &Layout, b: &Layout) -> Verdict {
    Claim::Equal(*a, *b).decide(BUDGET)
}

/// Do the values never fall from one coordinate to the next?
///
/// Decides [`Claim::Monotone`] without `strict`.
/// ```
/// # use girih::{algebra::prove, prelude::*};
/// assert_eq!(prove::monotone(&layout!((4,8):(1,4))).to_string(), "proved");
/// let verdict = prove::monotone(&layout!((4,8):(8,1)));
/// assert_eq!(verdict.to_string(), "refuted: (3,0) has the value 24, (0,1) after it 1");
/// ```
pub fn monotone(a: &Layout) -> Verdict {
    Claim::Monotone { layout: *a, strict: false }.decide(BUDGET)
}

/// Is every value a multiple of `to`?
///
/// Decides [`Claim::Aligned`].
/// ```
/// # use girih::{algebra::prove, prelude::*};
/// assert_eq!(prove::aligned(layout!((4,8):(64,8)), 8).to_string(), "proved");
/// assert_eq!(prove::aligned(layout!((4,8):(64,4)), 8).to_string(), "refuted: (0,1) has the value 4");
/// let padded: Layout = "(?M,8):(?lda,8)".parse()?;
/// assert_eq!(prove::aligned(padded, 8).to_string(), "proved if ?lda % 8 == 0");
/// # Ok::<(), girih::LayoutError>(())
/// ```
pub fn aligned(a: impl Into<Image>, to: i64) -> Verdict {
    Claim::Aligned { image: a.into(), to }.decide(BUDGET)
}

/// Does an integer of `bits` bits hold every value, and every product and partial sum on the way to it?
///
/// Decides [`Claim::Fits`].
/// ```
/// # use girih::{algebra::prove, prelude::*};
/// let a = layout!((65536,65536):(1,65536));
/// assert_eq!(prove::fits(a, 32, false).to_string(), "proved");
/// assert_eq!(prove::fits(a, 32, true).to_string(), "refuted: (0,32768) has the partial sum 2147483648");
/// let a: Layout = "(?M,?N):(1,?lda)".parse()?;
/// assert_eq!(prove::fits(a, 32, true).to_string(), "proved if ?M+?N*?lda-?lda-1 < 2^31");
/// # Ok::<(), girih::LayoutError>(())
/// ```
pub fn fits(a: impl Into<Image>, bits: u32, signed: bool) -> Verdict {
    Claim::Fits { image: a.into(), bits, signed }.decide(BUDGET)
}

/// The smallest number of bits of a signed integer that holds every value, product and partial sum; with what proves it.
///
/// # Errors
/// The layout has symbols or coordinates as values, or needs more than 64 bits.
/// ```
/// # use girih::{algebra::prove, prelude::*};
/// let (bits, certificate) = prove::index_bits(layout!((128,64):(64,1)))?;
/// assert_eq!((bits, certificate.check()), (14, Ok(())));
/// assert_eq!(prove::index_bits(layout!(4:-64))?.0, 9);
/// # Ok::<(), girih::LayoutError>(())
/// ```
pub fn index_bits(a: impl Into<Image>) -> Result<(u32, Certificate), LayoutError> {
    let image = a.into();
    image.layout.image_range()?;
    let holds = |bits| Claim::Fits { image, bits, signed: true }.decide(BUDGET).proved().map(|c| (bits, c));
    (1..=64).find_map(holds).ok_or(LayoutError::Overflow)
}

/// The longest vector common to two layouts and its certificate: the elements of both fall into groups of so many, at the
/// same coordinates, that are consecutive and aligned in both. With a base of `offset` elements, which must be aligned too.
///
/// No longer one exists where the digits of coordinates decide it: for injective layouts that are made of common digits, the
/// layouts of copies. Decides [`Claim::Vectors`].
///
/// # Errors
/// Symbols, coordinates as values, or different sizes.
/// ```
/// # use girih::algebra::prove::{self, Image};
/// # use girih::prelude::*;
/// let (gmem, smem) = (layout!((64,32):(1,72)), layout!((64,32):(1,64)));
/// assert_eq!(prove::vector_width(gmem, smem)?.0, 8);
/// assert_eq!(prove::vector_width(Image::new(&gmem, 4), smem)?.0, 4); // the base is aligned to 4 elements only
/// # Ok::<(), girih::LayoutError>(())
/// ```
pub fn vector_width(a: impl Into<Image>, b: impl Into<Image>) -> Result<(i64, Certificate), LayoutError> {
    let (a, b) = (a.into(), b.into());
    let width = order::longest_vector(&a, &b)?;
    let verdict = Claim::Vectors { a, b, width }.decide(BUDGET);
    match verdict {
        Verdict::Proved(c) => Ok((width, c)),
        Verdict::Unknown(Unknown::Invalid(e)) => Err(e),
        _ => Err(LayoutError::Undecided),
    }
}

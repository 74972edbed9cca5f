//! What can be claimed of layouts, and what refutes a claim.

use crate::layout::{Int, IntTuple, Layout, LayoutError};
use core::fmt;

/// The values `offset + layout(c)`: a layout somewhere in memory, such as a tile or what one thread holds.
/// ```
/// use girih::algebra::prove::Image;
/// use girih::prelude::*;
/// let (row, offset) = layout!((4,8):(8,1)).slice(&ints!((2, _)))?;
/// let row = Image::new(&row, offset.value().unwrap_or(0));
/// assert_eq!(row.to_string(), "16 + (8):(1)");
/// assert_eq!(row.at(3)?, 19);
/// # Ok::<(), girih::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Image {
    /// The layout.
    pub layout: Layout,
    /// What is added to its values.
    pub offset: i64,
}

impl Image {
    /// `offset + layout(c)`.
    /// ```
    /// # use girih::{algebra::prove::Image, prelude::*};
    /// assert_eq!(Image::new(&layout!(8:1), 0), layout!(8:1).into());
    /// ```
    pub const fn new(layout: &Layout, offset: i64) -> Image {
        Image { layout: *layout, offset }
    }

    /// The values `lo..hi`.
    ///
    /// # Errors
    /// The range is empty or longer than an `i64` counts.
    /// ```
    /// # use girih::{algebra::prove::Image, prelude::*};
    /// assert_eq!(Image::range(16, 24)?.to_string(), "16 + 8:1");
    /// assert!(Image::range(3, 3).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn range(lo: i64, hi: i64) -> Result<Image, LayoutError> {
        let extent = hi.checked_sub(lo).ok_or(LayoutError::Overflow)?;
        Ok(Image { layout: Layout::new(&IntTuple::int(extent), &IntTuple::int(1))?, offset: lo })
    }

    /// The value at a one-dimensional coordinate.
    ///
    /// # Errors
    /// As [`Layout::at`].
    /// ```
    /// # use girih::{algebra::prove::Image, prelude::*};
    /// assert_eq!(Image::new(&layout!((4,8):(8,1)), 100).at(5)?, 109);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn at(&self, index: i64) -> Result<i64, LayoutError> {
        match self.layout.at(index) {
            Ok(v) => match v.checked_add(self.offset) {
                Some(v) => Ok(v),
                None => Err(LayoutError::Overflow),
            },
            Err(e) => Err(e),
        }
    }

    /// Least and largest value.
    ///
    /// # Errors
    /// As [`Layout::image_range`], or overflow.
    /// ```
    /// # use girih::{algebra::prove::Image, prelude::*};
    /// assert_eq!(Image::new(&layout!((4,8):(-8,1)), 100).image_range()?, (76, 107));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn image_range(&self) -> Result<(i64, i64), LayoutError> {
        let (min, max) = self.layout.image_range()?;
        let shift = |v: i64| v.checked_add(self.offset).ok_or(LayoutError::Overflow);
        Ok((shift(min)?, shift(max)?))
    }
}

impl From<Layout> for Image {
    fn from(layout: Layout) -> Image {
        Image { layout, offset: 0 }
    }
}

impl From<&Layout> for Image {
    fn from(layout: &Layout) -> Image {
        Image { layout: *layout, offset: 0 }
    }
}

impl fmt::Display for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.offset {
            0 => write!(f, "{}", self.layout),
            o => write!(f, "{o} + {}", self.layout),
        }
    }
}

/// A statement about layouts, true or false. Decided by [`Claim::decide`], or by the function of its name.
///
/// Coordinates of counterexamples are one-dimensional; "least" is in their order.
///
/// Symbols may be in the layouts of `Injective`, `Bijective`, `Contiguous`, `Equal`, `Monotone`, `Aligned` and `Fits`; the other
/// claims are only refuted for small values of the symbols, never proved.
/// ```
/// use girih::algebra::prove::{BUDGET, Claim, Verdict};
/// use girih::prelude::*;
/// let claim = Claim::Injective(layout!((4,8):(8,1)));
/// assert_eq!(claim.to_string(), "(4,8):(8,1) takes no value twice");
/// assert!(matches!(claim.decide(BUDGET), Verdict::Proved(_)));
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Claim {
    /// The layout takes no value twice.
    Injective(Layout),
    /// The layout takes every value of `lo..lo+size` exactly once, and no other.
    Bijective {
        /// the layout
        image: Image,
        /// first value
        lo: i64,
        /// number of values
        size: Int,
    },
    /// The layout takes every value of `lo..hi`; it may take others, and some several times.
    Onto {
        /// the layout
        image: Image,
        /// first value
        lo: i64,
        /// end of the values
        hi: i64,
    },
    /// The layout takes every value between its least and its largest.
    Contiguous(Layout),
    /// No two of these images have a value in common (each may repeat its own).
    Disjoint(Vec<Image>),
    /// Every value of `whole` is one of some image of the family.
    Covers {
        /// what is to be covered
        whole: Image,
        /// the tiles
        family: Vec<Image>,
    },
    /// Every value of the first is one of the second.
    Inside(Image, Image),
    /// The same number of elements and the same values, whatever the spelling.
    Equal(Layout, Layout),
    /// The values never fall from one coordinate to the next; if `strict`, they rise.
    Monotone {
        /// the layout
        layout: Layout,
        /// equal values count as a fall
        strict: bool,
    },
    /// Every value is a multiple of `to`.
    Aligned {
        /// the layout
        image: Image,
        /// the alignment, at least 1
        to: i64,
    },
    /// Every value, and every product and partial sum on the way to it in any order, fits an integer of `bits` bits. (A
    /// coordinate along a stride of 0 takes no part in them.)
    Fits {
        /// the layout
        image: Image,
        /// 1 to 64
        bits: u32,
        /// two's complement; else without a sign
        signed: bool,
    },
    /// The elements of both, at the same coordinates, are whole vectors: they fall into groups of `width`, and each group is
    /// `width` consecutive values, from a multiple of `width` on, in the same order in both.
    Vectors {
        /// one layout, and its base
        a: Image,
        /// the other
        b: Image,
        /// elements of a vector, at least 1
        width: i64,
    },
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Injective(a) => write!(f, "{a} takes no value twice"),
            Claim::Bijective { image, lo: 0, size } => {
                write!(f, "{image} takes each value of 0..{size} once and no other")
            }
            Claim::Bijective { image, lo, size } => {
                write!(f, "{image} takes each value of {lo}..{lo}+{size} once and no other")
            }
            Claim::Onto { image, lo, hi } => write!(f, "{image} takes every value of {lo}..{hi}"),
            Claim::Contiguous(a) => write!(f, "{a} takes every value between its least and its largest"),
            Claim::Disjoint(family) => match &family[..] {
                [a, b] => write!(f, "{a} and {b} have no value in common"),
                _ => write!(f, "no two of {} images have a value in common", family.len()),
            },
            Claim::Covers { whole, family } => match &family[..] {
                [a] => write!(f, "{a} covers {whole}"),
                [a, b] => write!(f, "{a} and {b} cover {whole}"),
                _ => write!(f, "{} images cover {whole}", family.len()),
            },
            Claim::Inside(a, b) => write!(f, "every value of {a} is one of {b}"),
            Claim::Equal(a, b) => write!(f, "{a} and {b} are the same function"),
            Claim::Monotone { layout, strict: false } => write!(f, "{layout} never falls"),
            Claim::Monotone { layout, strict: true } => write!(f, "{layout} rises"),
            Claim::Aligned { image, to } => write!(f, "every value of {image} is a multiple of {to}"),
            Claim::Fits { image, bits, signed } => {
                let kind = if *signed { "signed" } else { "unsigned" };
                write!(f, "evaluating {image} fits {bits} bits {kind}")
            }
            Claim::Vectors { a, b, width } => write!(f, "{a} and {b} are common vectors of {width}"),
        }
    }
}

/// What refutes a claim, least first: found by the search, then evaluated again.
/// ```
/// use girih::algebra::prove::{self, Counterexample};
/// use girih::prelude::*;
/// let r = prove::equal(&layout!((4,6):(6,1)), &layout!((4,6):(1,4))).refuted().unwrap();
/// assert_eq!(r.counterexample, Counterexample::Differ { i: 1, a: Some(6), b: Some(1) });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Counterexample {
    /// Two coordinates of one layout with one value: `i` is the least that repeats an earlier value, that of `j`.
    Twice {
        /// the earlier
        j: i64,
        /// the later
        i: i64,
        /// their value
        value: i64,
    },
    /// The least value that is not taken.
    Missing {
        /// the value
        value: i64,
    },
    /// The least coordinate whose value is none of those allowed.
    Outside {
        /// the coordinate
        i: i64,
        /// its value
        value: i64,
    },
    /// A value in two images of a family: the least image that meets an earlier one, the least such coordinate of it.
    Meet {
        /// the earlier image, and its least coordinate
        first: (usize, i64),
        /// the later one, and its coordinate
        second: (usize, i64),
        /// the value
        value: i64,
    },
    /// The least coordinate where two functions differ; None where it is outside a domain.
    Differ {
        /// the coordinate
        i: i64,
        /// value of the one
        a: Option<i64>,
        /// value of the other
        b: Option<i64>,
    },
    /// The least coordinate after which the value falls.
    Falls {
        /// the coordinate
        i: i64,
        /// its value
        value: i64,
        /// the value at `i + 1`
        next: i64,
    },
    /// The least coordinate of a value that is no multiple.
    Unaligned {
        /// the coordinate
        i: i64,
        /// its value
        value: i64,
    },
    /// The least coordinate at which some order of summation leaves the range of the integer.
    TooLarge {
        /// the coordinate
        i: i64,
        /// the partial sum outside: all positive terms, or all negative ones
        sum: i128,
    },
    /// The least coordinate found whose group is no vector of both.
    NoVector {
        /// the coordinate
        i: i64,
        /// value of the one
        a: i64,
        /// value of the other
        b: i64,
    },
}

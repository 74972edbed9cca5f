//! Linear layouts: power-of-two layouts and swizzles as matrices over F2.
//!
//! A [`LinearLayout`] is an affine map on bits, `x -> M x ^ offset`: each bit of the index that is set switches the bits of
//! its *basis* (its column of `M`) in the value. Its index is made of named axes, of registers, lanes, warps and blocks,
//! say, and so is its value. It is closed under composition and inversion, which shape:stride layouts with a swizzle are
//! not. (The name and the idea are Triton's: Zhou et al., *Linear Layouts*, 2025.)
//!
//! | to | use | law |
//! |---|---|---|
//! | build | [`new`](LinearLayout::new), [`identity`](LinearLayout::identity), [`zeros`](LinearLayout::zeros), text | the bases |
//! | take a layout, a swizzle | [`from_layout`](LinearLayout::from_layout), [`from_composed`](LinearLayout::from_composed), [`from_swizzle`](LinearLayout::from_swizzle) | the same values |
//! | give one back | [`to_layout`](LinearLayout::to_layout), [`to_composed`](LinearLayout::to_composed), [`to_swizzle`](LinearLayout::to_swizzle) | the same values |
//! | extents that are no powers of two | [`MixedRadix`] | the same values |
//! | apply one after the other | [`compose`](LinearLayout::compose) | `r(x) = a(b(x))` |
//! | turn around | [`inverse`](LinearLayout::inverse), [`right_inverse`](LinearLayout::right_inverse), [`left_inverse`](LinearLayout::left_inverse), [`pseudo_inverse`](LinearLayout::pseudo_inverse) | `a(r(v)) = v`, `l(a(x)) = x` |
//! | ask | [`rank`](LinearLayout::rank), [`kernel`](LinearLayout::kernel), [`image`](LinearLayout::image), [`index_of`](LinearLayout::index_of) | |
//! | lay out copies, take them off | [`product`](LinearLayout::product), [`divide`](LinearLayout::divide) | `b.product(a.divide(b)) = a`, up to the order of the axes |
//! | move data between threads | `have.`[`conversion`](LinearLayout::conversion)`(&want)`, `want.`[`invert_and_compose`](LinearLayout::invert_and_compose)`(&have)` | `have(c(x)) = want(x)` |
//! | name, order and drop axes | [`with_inputs`](LinearLayout::with_inputs), [`reorder`](LinearLayout::reorder), [`sublayout`](LinearLayout::sublayout), .. | |
//! | find vectors | [`num_consecutive`](LinearLayout::num_consecutive) | `a(x + i) = a(x) + i` |
//!
//! When to use it: for products of swizzles of different shifts, for inverses of swizzled layouts, and to find out what a
//! change of thread-value layouts costs. A [`Layout`](crate::layout::Layout) is the better form where extents are no powers
//! of two or not known, and for address arithmetic.
//!
//! # The exact product of swizzles of different shifts
//! No single swizzle is that product, but a matrix is:
//! ```
//! use girih::{algebra::linear::LinearLayout, prelude::*};
//! let (a, b) = (Swizzle::new(1, 0, 2)?, Swizzle::new(1, 0, 3)?);
//! assert!(a.compose(&b).is_err());
//! let ab = LinearLayout::from_swizzle(&a, 4)?.compose(&LinearLayout::from_swizzle(&b, 4)?)?;
//! assert_eq!(ab.to_string(), "offset:[1,2,5,9] -> offset:16");
//! assert_eq!(ab.at(12)?, a.at(b.at(12)?)?);
//! assert!(ab.to_swizzle().is_err());
//! assert_eq!(ab.compose(&ab.inverse()?)?.to_swizzle()?, Swizzle::IDENTITY);
//! # Ok::<(), girih::LayoutError>(())
//! ```
//!
//! # Where does a fragment go
//! What a tensor core leaves in registers, wanted with each thread holding a row of four:
//! ```
//! use girih::{algebra::linear::{Axes, Axis, LinearLayout, Scope}, prelude::*};
//! let axes = Axes::new(&[(Axis::LANE, 32), (Axis::REGISTER, 4)])?;
//! // (thread,value) to m + 16 * n of a 16 x 8 accumulator
//! let have = LinearLayout::from_layout(&layout!(((4,8),(2,2)):((32,1),(16,8))))?.with_inputs(&axes)?;
//! let want = LinearLayout::from_layout(&layout!(((2,16),4):((64,1),16)))?.with_inputs(&axes)?;
//! let c = have.conversion(&want)?;
//! assert_eq!(c.scope(), Scope::Warp); // shuffles do
//! let [lane, register] = have.inputs().coord(c.source().at_coord([1, 2])?)?;
//! assert_eq!((lane, register), (3, 0)); // who has the third value of lane 1: (0,6)
//! # Ok::<(), girih::LayoutError>(())
//! ```

mod arrange;
mod axis;
mod compose;
mod convert;
mod inverse;
mod mixed;
mod product;
mod rank;
mod swizzle;
mod text;

pub use axis::{Axes, Axis};
pub use compose::{Conversion, Scope};
pub use mixed::MixedRadix;

use crate::layout::LayoutError;

/// Bits of an index, and of a value.
/// ```
/// use girih::algebra::linear::{Axes, Axis, BITS};
/// assert!(Axes::one(Axis::OFFSET, 1 << BITS).is_ok());
/// assert!(Axes::new(&[(Axis::OFFSET, 1 << BITS), (Axis::LANE, 2)]).is_err());
/// ```
pub const BITS: usize = 62;

/// An affine map over F2 from an index to a value, `x -> M x ^ offset`, both made of named axes: see the
/// [module](self). Inline and `Copy`; every operation is a `const fn`.
///
/// Its text has the bases of the bits of each input axis, lowest first, then the output axes with their extents, then the
/// offset if it is not 0; with several output axes values are coordinates.
/// ```
/// use girih::algebra::linear::{Axis, LinearLayout};
/// let a: LinearLayout = "register:[1,2] lane:[8,4,16] -> offset:32".parse()?;
/// assert_eq!(a.at_coord([3, 1])?, 8 + 2 + 1); // register 3 of lane 1
/// assert_eq!(a.inputs().extent(Axis::LANE), 8);
/// let tile: LinearLayout = "lane:[(1,0),(2,1)] -> dim0:4 dim1:2 ^ (0,1)".parse()?;
/// assert_eq!(tile.outputs().coord(tile.at(3)?)?, [3, 0]);
/// # Ok::<(), girih::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct LinearLayout {
    /// of each bit of the index; 0 beyond them
    basis: [i64; BITS],
    offset: i64,
    ins: Axes,
    outs: Axes,
}

impl LinearLayout {
    /// The map with these bases, one for each bit of an index, the lowest first.
    ///
    /// # Errors
    /// [`LayoutError::RankMismatch`]: not one basis for each bit; [`LayoutError::OutOfRange`]: a basis outside `outputs`.
    /// ```
    /// # use girih::algebra::linear::{Axes, Axis, LinearLayout};
    /// let lanes = Axes::one(Axis::LANE, 4)?;
    /// let a = LinearLayout::new(&lanes, &Axes::one(Axis::OFFSET, 8)?, &[5, 2])?;
    /// assert_eq!([a.at(0)?, a.at(1)?, a.at(2)?, a.at(3)?], [0, 5, 2, 7]);
    /// assert!(LinearLayout::new(&lanes, &Axes::one(Axis::OFFSET, 4)?, &[5, 2]).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn new(inputs: &Axes, outputs: &Axes, bases: &[i64]) -> Result<LinearLayout, LayoutError> {
        if bases.len() != inputs.bits() as usize {
            return Err(LayoutError::RankMismatch { rank: bases.len(), other: inputs.bits() as usize });
        }
        let mut r = LinearLayout::constant(inputs, outputs);
        let mut i = 0;
        while i < bases.len() {
            tri!(outputs.check(bases[i]));
            r.basis[i] = bases[i];
            i += 1;
        }
        Ok(r)
    }

    /// 0 everywhere.
    const fn constant(ins: &Axes, outs: &Axes) -> LinearLayout {
        LinearLayout { basis: [0; BITS], offset: 0, ins: *ins, outs: *outs }
    }

    /// `x -> x`, from an axis to an axis of the same `extent`. Larger ones are [products](LinearLayout::product).
    ///
    /// # Errors
    /// [`LayoutError::NotPowerOfTwo`], or more than [`BITS`] bits.
    /// ```
    /// # use girih::algebra::linear::{Axis, LinearLayout};
    /// let vectors = LinearLayout::identity(4, Axis::REGISTER, Axis::OFFSET)?;
    /// let threads = LinearLayout::identity(8, Axis::LANE, Axis::OFFSET)?;
    /// assert_eq!(vectors.product(&threads)?.to_string(), "register:[1,2] lane:[4,8,16] -> offset:32");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn identity(extent: i64, from: Axis, to: Axis) -> Result<LinearLayout, LayoutError> {
        let mut r = LinearLayout::constant(&tri!(Axes::one(from, extent)), &tri!(Axes::one(to, extent)));
        let mut i = 0;
        while i < r.ins.bits() as usize {
            r.basis[i] = 1 << i;
            i += 1;
        }
        Ok(r)
    }

    /// `x -> 0` from an axis of `extent` to one of extent 1: copies in a [product](LinearLayout::product).
    ///
    /// # Errors
    /// As [`LinearLayout::identity`].
    /// ```
    /// # use girih::algebra::linear::{Axis, LinearLayout};
    /// let row = LinearLayout::identity(4, Axis::LANE, Axis::OFFSET)?;
    /// let copies = LinearLayout::zeros(2, Axis::WARP, Axis::OFFSET)?;
    /// assert_eq!(row.product(&copies)?.to_string(), "lane:[1,2] warp:[0] -> offset:4");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn zeros(extent: i64, from: Axis, to: Axis) -> Result<LinearLayout, LayoutError> {
        Ok(LinearLayout::constant(&tri!(Axes::one(from, extent)), &tri!(Axes::one(to, 1))))
    }

    /// The same bases with another offset, the value at 0.
    ///
    /// # Errors
    /// [`LayoutError::OutOfRange`]: the outputs do not hold it.
    /// ```
    /// # use girih::algebra::linear::{Axis, LinearLayout};
    /// let a = LinearLayout::identity(4, Axis::LANE, Axis::OFFSET)?.with_offset(3)?;
    /// assert_eq!([a.at(0)?, a.at(1)?, a.at(2)?, a.at(3)?], [3, 2, 1, 0]);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn with_offset(&self, offset: i64) -> Result<LinearLayout, LayoutError> {
        tri!(self.outs.check(offset));
        Ok(LinearLayout { offset, ..*self })
    }

    /// The axes of the index.
    /// ```
    /// # use girih::algebra::linear::LinearLayout;
    /// let a: LinearLayout = "register:[1,2] lane:[8,4,16] -> offset:32".parse()?;
    /// assert_eq!(a.inputs().to_string(), "register 4, lane 8");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn inputs(&self) -> &Axes {
        &self.ins
    }
    /// The axes of the value.
    /// ```
    /// # use girih::algebra::linear::LinearLayout;
    /// let a: LinearLayout = "register:[1,2] lane:[8,4,16] -> offset:32".parse()?;
    /// assert_eq!(a.outputs().to_string(), "offset 32");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn outputs(&self) -> &Axes {
        &self.outs
    }
    /// What each bit of the index switches, the lowest first.
    /// ```
    /// # use girih::algebra::linear::LinearLayout;
    /// let a: LinearLayout = "register:[1,2] lane:[8,4,16] -> offset:32".parse()?;
    /// assert_eq!(a.bases(), [1, 2, 8, 4, 16]);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn bases(&self) -> &[i64] {
        self.basis.split_at(self.ins.bits() as usize).0
    }
    /// The value at 0.
    /// ```
    /// # use girih::algebra::linear::LinearLayout;
    /// assert_eq!(LinearLayout::parse("lane:[1,2] -> offset:4 ^ 3")?.offset(), 3);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn offset(&self) -> i64 {
        self.offset
    }

    /// The bases of the bits that are set in `x >= 0`.
    #[inline]
    const fn switched(&self, x: i64) -> i64 {
        let (mut v, mut rest) = (0, x);
        while rest != 0 {
            v ^= self.basis[rest.trailing_zeros() as usize];
            rest &= rest - 1;
        }
        v
    }

    /// Value at an index.
    ///
    /// # Errors
    /// [`LayoutError::OutOfRange`].
    /// ```
    /// # use girih::algebra::linear::LinearLayout;
    /// let a: LinearLayout = "register:[1,2] lane:[8,4,16] -> offset:32".parse()?;
    /// assert_eq!(a.at(0b101)?, 1 ^ 8);
    /// assert!(a.at(32).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    #[inline]
    pub const fn at(&self, index: i64) -> Result<i64, LayoutError> {
        tri!(self.ins.check(index));
        Ok(self.switched(index) ^ self.offset)
    }

    /// Value at a coordinate, one number for each input axis. [`Axes::coord`] of [`LinearLayout::outputs`] gives its parts.
    ///
    /// # Errors
    /// As [`Axes::index`].
    /// ```
    /// # use girih::algebra::linear::LinearLayout;
    /// let a: LinearLayout = "register:[1,2] lane:[8,4,16] -> offset:32".parse()?;
    /// assert_eq!(a.at_coord([1, 1])?, 1 ^ 8);
    /// assert!(a.at_coord([4, 0]).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    #[inline]
    pub const fn at_coord<const R: usize>(&self, c: [i64; R]) -> Result<i64, LayoutError> {
        Ok(self.switched(tri!(self.ins.index(c))) ^ self.offset)
    }

    /// Every bit that a basis or the offset has.
    const fn used(&self) -> i64 {
        let (mut used, mut i) = (self.offset, 0);
        while i < BITS {
            used |= self.basis[i];
            i += 1;
        }
        used
    }
}

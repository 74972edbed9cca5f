//! Rank, kernel and image.

use super::{Axes, Axis, LinearLayout};
use crate::layout::{Echelon, LayoutError};

impl LinearLayout {
    /// The bases, by the number of their bit.
    pub(super) const fn echelon(&self) -> Echelon {
        let mut e = Echelon::NEW;
        let mut i = 0;
        while i < self.bases().len() {
            let _ = e.insert(self.basis[i]);
            i += 1;
        }
        e
    }

    /// The rank of the matrix: there are `2^rank` different values.
    /// ```
    /// # use girih::algebra::linear::LinearLayout;
    /// assert_eq!(LinearLayout::parse("lane:[1,2,3,0] -> offset:8")?.rank(), 2);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn rank(&self) -> u32 {
        self.echelon().rank()
    }
    /// No two indices have the same value.
    /// ```
    /// # use girih::algebra::linear::LinearLayout;
    /// assert!(LinearLayout::parse("lane:[1,6] -> offset:8")?.is_injective());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn is_injective(&self) -> bool {
        self.rank() == self.ins.bits()
    }
    /// Every value of the output axes is taken.
    /// ```
    /// # use girih::algebra::linear::LinearLayout;
    /// assert!(LinearLayout::parse("lane:[1,3,0] -> offset:4")?.is_surjective());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn is_surjective(&self) -> bool {
        self.rank() == self.outs.bits()
    }
    /// A bijection between indices and values.
    /// ```
    /// # use girih::algebra::linear::LinearLayout;
    /// assert!(LinearLayout::parse("lane:[1,3] -> offset:4")?.is_invertible());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn is_invertible(&self) -> bool {
        self.is_injective() && self.is_surjective()
    }

    /// The differences of indices that have the same value, from an axis `kernel`.
    ///
    /// Law: an injective map without offset; `self(x ^ y) = self(x)` if and only if `y` is one of its values.
    /// ```
    /// # use girih::algebra::linear::LinearLayout;
    /// let a: LinearLayout = "lane:[1,2,3,0] -> offset:4".parse()?;
    /// assert_eq!(a.kernel().to_string(), "kernel:[7,8] -> lane:16");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn kernel(&self) -> LinearLayout {
        let mut e = Echelon::NEW;
        let mut r = LinearLayout::constant(&Axes::NONE, &self.ins);
        let (mut n, mut i) = (0, 0);
        while i < self.bases().len() {
            if let Some(dependent) = e.insert(self.basis[i]) {
                r.basis[n] = dependent;
                n += 1;
            }
            i += 1;
        }
        r.ins = Axes::of_bits(crate::literal(Axis::named("kernel")), n as u32);
        r
    }

    /// The values, each once and in ascending order, from an axis `image`.
    /// ```
    /// # use girih::algebra::linear::LinearLayout;
    /// let a: LinearLayout = "lane:[12,4,8] -> offset:16 ^ 5".parse()?;
    /// assert_eq!(a.image().to_string(), "image:[4,8] -> offset:16 ^ 1"); // 1 5 9 13
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn image(&self) -> LinearLayout {
        let e = self.echelon();
        let mut r = LinearLayout::constant(&Axes::NONE, &self.outs);
        let (mut n, mut t) = (0, 0);
        while t < super::BITS {
            if let Some(v) = e.pivot(t) {
                r.basis[n] = v;
                n += 1;
            }
            t += 1;
        }
        r.offset = e.reduce(self.offset).0;
        r.ins = Axes::of_bits(crate::literal(Axis::named("image")), n as u32);
        r
    }

    /// Least and largest value.
    /// ```
    /// # use girih::algebra::linear::LinearLayout;
    /// assert_eq!(LinearLayout::parse("lane:[12,4,8] -> offset:16 ^ 5")?.image_range(), (1, 13));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn image_range(&self) -> (i64, i64) {
        self.echelon().range(self.offset)
    }

    /// The least index that has this value.
    ///
    /// # Errors
    /// [`LayoutError::NotAValue`].
    /// ```
    /// # use girih::algebra::linear::LinearLayout;
    /// let a: LinearLayout = "lane:[12,4,8] -> offset:16 ^ 5".parse()?;
    /// assert_eq!(a.index_of(13)?, 3);
    /// assert!(a.index_of(0).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn index_of(&self, value: i64) -> Result<i64, LayoutError> {
        tri!(self.outs.check(value));
        match self.echelon().reduce(value ^ self.offset) {
            (0, x) => Ok(x),
            _ => Err(LayoutError::NotAValue { value }),
        }
    }
}

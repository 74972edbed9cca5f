//! Inverses.

use super::LinearLayout;
use crate::layout::{Echelon, LayoutError};

impl LinearLayout {
    /// A map back that is every inverse there is: the inverse of a bijection, a right inverse of a surjective map, a left
    /// inverse of an injective one.
    ///
    /// Law: `self(p(v)) = v` for every value `v` of `self`, with `p(v)` the least index that has it.
    /// ```
    /// # use girih::algebra::linear::LinearLayout;
    /// let a: LinearLayout = "lane:[4,8,0] -> offset:16".parse()?;
    /// assert_eq!(a.pseudo_inverse().to_string(), "offset:[0,0,1,2] -> lane:8");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn pseudo_inverse(&self) -> LinearLayout {
        self.back(&self.echelon())
    }

    const fn back(&self, e: &Echelon) -> LinearLayout {
        let mut r = LinearLayout::constant(&self.outs, &self.ins);
        let mut t = 0;
        while t < r.bases().len() {
            // a unit vector off the image, the rest, goes to 0
            r.basis[t] = e.reduce(1 << t).1;
            t += 1;
        }
        r.offset = e.reduce(self.offset).1;
        r
    }

    /// The map `r` from values to indices with `self(r(v)) = v` for every `v` of the output axes, `r(v)` being the least
    /// such index.
    ///
    /// # Errors
    /// [`LayoutError::NotAValue`]: not surjective, with the least `v` that is no value.
    /// ```
    /// # use girih::algebra::linear::LinearLayout;
    /// let a: LinearLayout = "lane:[1,3,2] -> offset:4".parse()?;
    /// assert_eq!(a.right_inverse()?.to_string(), "offset:[1,3] -> lane:8");
    /// let e = LinearLayout::parse("lane:[1,4] -> offset:8")?.right_inverse().unwrap_err();
    /// assert_eq!(e.to_string(), "no coordinate has the value 2");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn right_inverse(&self) -> Result<LinearLayout, LayoutError> {
        let e = self.echelon();
        tri!(self.covers(&e));
        Ok(self.back(&e))
    }

    /// Every value is taken.
    const fn covers(&self, e: &Echelon) -> Result<(), LayoutError> {
        if e.reduce(self.offset).0 != 0 {
            return Err(LayoutError::NotAValue { value: 0 });
        }
        let mut t = 0;
        while t < self.outs.bits() {
            if e.reduce(1 << t).0 != 0 {
                return Err(LayoutError::NotAValue { value: 1 << t });
            }
            t += 1;
        }
        Ok(())
    }

    /// The map `l` from values to indices with `l(self(x)) = x` for every index.
    ///
    /// # Errors
    /// [`LayoutError::NotInjective`], with the least index whose value a lesser one has.
    /// ```
    /// # use girih::algebra::linear::LinearLayout;
    /// let a: LinearLayout = "lane:[4,6] -> offset:8".parse()?;
    /// assert_eq!(a.left_inverse()?.to_string(), "offset:[0,3,1] -> lane:4");
    /// let e = LinearLayout::parse("lane:[1,2,3] -> offset:4")?.left_inverse().unwrap_err();
    /// assert_eq!(e.to_string(), "coordinates 3 and 4 have the same value");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn left_inverse(&self) -> Result<LinearLayout, LayoutError> {
        Ok(self.back(&tri!(self.independent())))
    }

    /// The bases, of which none depends on those before it.
    const fn independent(&self) -> Result<Echelon, LayoutError> {
        let mut e = Echelon::NEW;
        let mut i = 0;
        while i < self.bases().len() {
            if let Some(dependent) = e.insert(self.basis[i]) {
                return Err(LayoutError::NotInjective { first: dependent ^ 1 << i, second: 1 << i });
            }
            i += 1;
        }
        Ok(e)
    }

    /// The map back of a bijection: `self(r(v)) = v` and `r(self(x)) = x`.
    ///
    /// # Errors
    /// As [`LinearLayout::left_inverse`] and [`LinearLayout::right_inverse`].
    /// ```
    /// # use girih::{algebra::linear::LinearLayout, prelude::*};
    /// let c: Composed = "S<3,0,3> o 0 o (8,8):(8,1)".parse()?;
    /// let back = LinearLayout::from_composed(&c)?.inverse()?;
    /// assert_eq!(back.at(c.at_coord([3, 5])?)?, 3 + 8 * 5);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn inverse(&self) -> Result<LinearLayout, LayoutError> {
        let e = tri!(self.independent());
        tri!(self.covers(&e));
        Ok(self.back(&e))
    }
}

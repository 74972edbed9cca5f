//! Integer tuples: shapes, strides, coordinates, profiles.

use super::int::dot;
use super::value::Writer;
use super::{Int, Layout, LayoutError, MODES};

/// A nested tuple of integers, such as `(2,(3,?N))`: a shape, a stride, a coordinate (`_` keeps a mode) or a profile.
/// Inline and `Copy`, with the same capacity as a [`Layout`].
///
/// ```
/// use girih::prelude::*;
/// let t: IntTuple = "(2,(3,4))".parse()?;
/// assert_eq!(t, ints!((2, (3, 4))));
/// assert_eq!((t.rank(), t.depth(), t.product()?), (2, 2, Int::known(24)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
// The leaves ride in the shape plane of a layout without strides, so that nesting and symbols have one home.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct IntTuple(pub(crate) Layout);

impl IntTuple {
    /// A single integer (rank 1, depth 0).
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(IntTuple::int(7), ints!(7));
    /// assert_ne!(IntTuple::int(7), ints!((7))); // a tuple of one mode
    /// ```
    pub const fn int(v: i64) -> IntTuple {
        IntTuple(Layout::leaf(v, 0))
    }

    /// A single leaf.
    ///
    /// # Errors
    /// A symbol's coefficient of more than 40 bits.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(IntTuple::leaf(&Int::symbol("M", 8)?)?.to_string(), "?M{8}");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn leaf(v: &Int) -> Result<IntTuple, LayoutError> {
        let mut w = Writer::NEW;
        tri!(w.leaf(v, &Int::known(0)));
        Ok(IntTuple(w.finish()))
    }

    /// `(v0,v1,..)`.
    ///
    /// # Errors
    /// No value, or more than 24.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(IntTuple::flat(&[128, 64])?, ints!((128, 64)));
    /// assert!(IntTuple::flat(&[]).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn flat(v: &[i64]) -> Result<IntTuple, LayoutError> {
        if v.is_empty() {
            return Err(LayoutError::Empty);
        }
        let mut w = Writer::NEW;
        w.open();
        let mut i = 0;
        while i < v.len() {
            tri!(w.known(v[i], 0));
            i += 1;
        }
        tri!(w.close());
        Ok(IntTuple(w.finish()))
    }

    /// The tuple whose modes are `modes`.
    ///
    /// # Errors
    /// No mode, too many leaves, or nesting too deep.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(IntTuple::tuple(&[ints!(8), ints!((16, 4))])?, ints!((8, (16, 4))));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn tuple(modes: &[IntTuple]) -> Result<IntTuple, LayoutError> {
        if modes.is_empty() {
            return Err(LayoutError::Empty);
        }
        let mut w = Writer::NEW;
        w.open();
        let mut i = 0;
        while i < modes.len() {
            tri!(w.mode(&modes[i].0));
            i += 1;
        }
        tri!(w.close());
        Ok(IntTuple(w.finish()))
    }

    /// Number of leaves.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(ints!((8, (16, 4))).leaves(), 3);
    /// ```
    pub const fn leaves(&self) -> usize {
        self.0.leaves()
    }
    /// Number of modes; an integer has one.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(ints!((8, (16, 4))).rank(), 2);
    /// ```
    pub const fn rank(&self) -> usize {
        self.0.rank()
    }
    /// Levels of nesting; an integer has none.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(ints!((8, (16, 4))).depth(), 2);
    /// ```
    pub const fn depth(&self) -> usize {
        self.0.depth()
    }
    /// Mode `i`.
    ///
    /// # Errors
    /// There is no such mode.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(ints!((8, (16, 4))).mode(1)?, ints!((16, 4)));
    /// assert!(ints!((8, (16, 4))).mode(2).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn mode(&self, i: usize) -> Result<IntTuple, LayoutError> {
        match self.0.mode(i) {
            Ok(l) => Ok(IntTuple(l)),
            Err(e) => Err(e),
        }
    }
    /// Leaf `i`, counted from the left.
    ///
    /// # Errors
    /// There is no such leaf.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(ints!((8, (16, 4))).get(2)?, Int::known(4));
    /// assert!(ints!((8, (16, 4))).get(3).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn get(&self, i: usize) -> Result<Int, LayoutError> {
        if i < self.leaves() {
            Ok(self.0.extent_int(i))
        } else {
            Err(LayoutError::NoSuchMode { mode: i, rank: self.leaves() })
        }
    }
    /// The leaves, if all are known numbers.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(ints!((8, (16, 4))).known(), Some(&[8, 16, 4][..]));
    /// assert_eq!(IntTuple::parse("(8,?N)")?.known(), None);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn known(&self) -> Option<&[i64]> {
        if self.0.packed { None } else { Some(self.0.shape.split_at(self.leaves()).0) }
    }
    /// The number, if it is a known integer and no tuple.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(ints!(7).as_int(), Some(7));
    /// assert_eq!(ints!((7)).as_int(), None);
    /// ```
    pub const fn as_int(&self) -> Option<i64> {
        if self.is_int() && !self.0.packed { Some(self.0.shape[0]) } else { None }
    }
    /// Not a tuple: one leaf and no parenthesis.
    /// ```
    /// # use girih::prelude::*;
    /// assert!(ints!(7).is_int() && !ints!((7)).is_int());
    /// ```
    pub const fn is_int(&self) -> bool {
        self.0.len == 1 && self.0.nest.open == 0
    }
    /// Some leaf is `_`.
    /// ```
    /// # use girih::prelude::*;
    /// assert!(ints!((3, (_, 2))).has_underscore());
    /// assert!(!ints!((3, (7, 2))).has_underscore());
    /// ```
    pub const fn has_underscore(&self) -> bool {
        let mut i = 0;
        while i < self.leaves() {
            if self.0.extent_int(i).underscore {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Product of the leaves.
    ///
    /// # Errors
    /// Overflow, or more symbols than a leaf holds.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(ints!((8, (16, 4))).product()?, Int::known(512));
    /// assert_eq!(IntTuple::parse("(?M,64)")?.product()?.to_string(), "64*?M");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn product(&self) -> Result<Int, LayoutError> {
        self.0.size_int()
    }

    /// The product of each mode, a flat tuple.
    ///
    /// # Errors
    /// As [`IntTuple::product`].
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(ints!((2, (3, 4))).product_each()?, ints!((2, 12)));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn product_each(&self) -> Result<IntTuple, LayoutError> {
        let mut w = Writer::NEW;
        w.open();
        let mut i = 0;
        while i < self.rank() {
            tri!(w.leaf(&tri!(tri!(self.0.mode(i)).size_int()), &Int::known(0)));
            i += 1;
        }
        tri!(w.close());
        Ok(IntTuple(w.finish()))
    }

    /// Products at the leaves of `guide`, whose profile is a prefix of this one's.
    ///
    /// # Errors
    /// It is not, or as [`IntTuple::product`].
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(ints!(((2, 3), (4, 5))).product_like(&ints!((0, (0, 0))))?, ints!((6, (4, 5))));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn product_like(&self, guide: &IntTuple) -> Result<IntTuple, LayoutError> {
        let mut owner = [0; MODES];
        if !guide.covers(self, &mut owner) {
            return Err(LayoutError::Incongruent { leaf: 0 });
        }
        let mut products = [Int::known(1); MODES];
        let mut i = 0;
        while i < self.leaves() {
            products[owner[i]] = tri!(products[owner[i]].mul(&self.0.extent_int(i)));
            i += 1;
        }
        let mut r = guide.0.profile();
        i = 0;
        while i < r.leaves() {
            tri!(r.0.set_extent(i, &products[i]));
            i += 1;
        }
        Ok(r)
    }

    /// `sum a_i b_i` over congruent tuples.
    ///
    /// # Errors
    /// They are not congruent, a leaf is no known number, or overflow.
    /// ```
    /// # use girih::prelude::*;
    /// // a coordinate and the strides
    /// assert_eq!(ints!((3, (7, 2))).inner_product(&ints!((64, (4, 1))))?, 222);
    /// assert!(ints!((3, 39)).inner_product(&ints!((64, (4, 1)))).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn inner_product(&self, o: &IntTuple) -> Result<i64, LayoutError> {
        if !self.congruent(o) {
            return Err(LayoutError::Incongruent { leaf: 0 });
        }
        let (Some(a), Some(b)) = (self.known(), o.known()) else { return Err(LayoutError::Undecided) };
        dot(a, b)
    }

    /// The same nesting.
    /// ```
    /// # use girih::prelude::*;
    /// assert!(ints!((8, (16, 4))).congruent(&ints!((0, (0, 0)))));
    /// assert!(!ints!((8, 64)).congruent(&ints!((8, (16, 4)))));
    /// ```
    pub const fn congruent(&self, o: &IntTuple) -> bool {
        self.0.len == o.0.len && self.0.nest.same(&o.0.nest)
    }

    /// The profile of `self` is a prefix of that of `o`: each leaf of `self` meets a leaf or a whole tuple of `o`.
    /// ```
    /// # use girih::prelude::*;
    /// assert!(ints!((2, 3)).weakly_congruent(&ints!((2, (3, 4)))));
    /// assert!(!ints!((2, (3, 4))).weakly_congruent(&ints!((2, 3))));
    /// ```
    pub const fn weakly_congruent(&self, o: &IntTuple) -> bool {
        self.covers(o, &mut [0; MODES])
    }

    /// `o` refines `self`: weakly congruent, and at each leaf of `self` the size is that of the tuple of `o` there. Every
    /// coordinate of `self` is then a coordinate of `o`.
    /// ```
    /// # use girih::prelude::*;
    /// assert!(ints!((6, 12)).compatible(&ints!((6, (3, 4)))));
    /// assert!(!ints!((6, 12)).compatible(&ints!((6, (3, 5)))));
    /// ```
    pub const fn compatible(&self, o: &IntTuple) -> bool {
        match o.product_like(self) {
            Ok(p) => p.0.same(&self.0),
            Err(_) => false,
        }
    }

    /// Is every element `<` that of `o`? Some(false) when they are not congruent, None when it depends on symbols.
    /// ```
    /// # use girih::prelude::*;
    /// // is the coordinate inside the matrix?
    /// assert_eq!(ints!((127, 63)).elem_less(&ints!((128, 64))), Some(true));
    /// assert_eq!(ints!((127, 64)).elem_less(&ints!((128, 64))), Some(false));
    /// assert_eq!(ints!((127, 0)).elem_less(&IntTuple::parse("(?M,64)")?), None);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn elem_less(&self, o: &IntTuple) -> Option<bool> {
        if !self.congruent(o) {
            return Some(false);
        }
        let mut i = 0;
        let mut sure = true;
        while i < self.leaves() {
            match o.0.extent_int(i).le(&self.0.extent_int(i)) {
                Some(true) => return Some(false),
                Some(false) => {}
                None => sure = false,
            }
            i += 1;
        }
        if sure { Some(true) } else { None }
    }

    /// For each leaf of `fine` the leaf of `self` that covers it; false if `self` is no prefix of the profile of `fine`.
    pub(crate) const fn covers(&self, fine: &IntTuple, owner: &mut [usize; MODES]) -> bool {
        let (mut a, mut b) = (self.0.nest, fine.0.nest);
        let (mut i, mut j) = (0, 0);
        while j < self.leaves() {
            let (open, close) = a.next();
            // parentheses of `fine` open inside this leaf of `self`
            let mut inside = 0u32;
            let mut first = true;
            loop {
                if i == fine.leaves() {
                    return false;
                }
                let (o, c) = b.next();
                owner[i] = j;
                i += 1;
                if first && o < open {
                    return false;
                }
                inside += if first { o - open } else { o };
                first = false;
                if c >= inside {
                    if c - inside != close {
                        return false;
                    }
                    break;
                }
                inside -= c;
            }
            j += 1;
        }
        i == fine.leaves()
    }

    /// Gives every leaf of `self` the number and the index of the leaf of `coarse` that covers it.
    pub(crate) const fn spread(
        &self,
        coarse: &IntTuple,
        value: &mut [i64; MODES],
        owner: &mut [usize; MODES],
    ) -> Result<(), LayoutError> {
        if !coarse.covers(self, owner) {
            return Err(LayoutError::Incongruent { leaf: 0 });
        }
        let Some(v) = coarse.known() else { return Err(LayoutError::Undecided) };
        let mut i = 0;
        while i < self.leaves() {
            value[i] = v[owner[i]];
            i += 1;
        }
        Ok(())
    }

    /// All leaves in one flat tuple (an integer stays one).
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(ints!((8, (16, 4))).flatten(), ints!((8, 16, 4)));
    /// ```
    pub const fn flatten(&self) -> IntTuple {
        IntTuple(self.0.flatten())
    }
}

impl From<i64> for IntTuple {
    fn from(v: i64) -> IntTuple {
        IntTuple::int(v)
    }
}

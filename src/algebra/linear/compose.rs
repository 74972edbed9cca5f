//! Composition, and the way from one distributed layout to another.

use super::{Axis, LinearLayout};
use crate::layout::{Echelon, LayoutError};

/// How far data must travel.
/// ```
/// # use girih::algebra::linear::Scope;
/// assert!(Scope::Thread < Scope::Warp && Scope::Block < Scope::Cluster);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scope {
    /// It stays in its thread: registers are renamed.
    Thread,
    /// It stays in its warp: shuffles move it.
    Warp,
    /// It stays in its block: shared memory moves it.
    Block,
    /// It moves between blocks.
    Cluster,
}

impl Scope {
    /// The axes along which nothing moves.
    const fn kept(self) -> &'static [Axis] {
        const AXES: [Axis; 3] = [Axis::BLOCK, Axis::WARP, Axis::LANE];
        AXES.split_at(3 - self as usize).0
    }
}

/// Where each value of a wanted layout is found in one at hand: [`LinearLayout::conversion`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conversion {
    source: LinearLayout,
    scope: Scope,
}

impl Conversion {
    /// From the indices of the wanted layout to those of the one at hand.
    /// ```
    /// # use girih::algebra::linear::LinearLayout;
    /// let have: LinearLayout = "register:[1] lane:[2] -> offset:4".parse()?;
    /// let want: LinearLayout = "register:[2] lane:[1] -> offset:4".parse()?;
    /// assert_eq!(have.conversion(&want)?.source().to_string(), "register:[(0,1)] lane:[(1,0)] -> register:2 lane:2");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn source(&self) -> &LinearLayout {
        &self.source
    }
    /// How far the values travel.
    /// ```
    /// # use girih::algebra::linear::{LinearLayout, Scope};
    /// let have: LinearLayout = "register:[1] lane:[2] -> offset:4".parse()?;
    /// let want: LinearLayout = "register:[2] lane:[1] -> offset:4".parse()?;
    /// assert_eq!(have.conversion(&want)?.scope(), Scope::Warp);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn scope(&self) -> Scope {
        self.scope
    }
}

impl LinearLayout {
    /// `self o rhs`: from the inputs of `rhs` to the outputs of `self`.
    ///
    /// Law: `r(x) = self(rhs(x))` for every index of `rhs`. The value of the one is the index of the other, as a number; the
    /// names of these axes do not matter.
    ///
    /// # Errors
    /// [`LayoutError::OutOfDomain`]: a value of `rhs` is no index of `self`.
    /// ```
    /// # use girih::algebra::linear::LinearLayout;
    /// let a: LinearLayout = "offset:[1,3,5] -> bank:8".parse()?;
    /// let b: LinearLayout = "lane:[4,1] -> offset:8 ^ 2".parse()?;
    /// assert_eq!(a.compose(&b)?.to_string(), "lane:[5,1] -> bank:8 ^ 3");
    /// assert!(b.compose(&a).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn compose(&self, rhs: &LinearLayout) -> Result<LinearLayout, LayoutError> {
        if self.ins.check(rhs.used()).is_err() {
            return Err(LayoutError::OutOfDomain { reach: rhs.image_range().1, size: self.ins.size() });
        }
        let mut r = LinearLayout::constant(&rhs.ins, &self.outs);
        let mut i = 0;
        while i < rhs.bases().len() {
            r.basis[i] = self.switched(rhs.basis[i]);
            i += 1;
        }
        r.offset = self.switched(rhs.offset) ^ self.offset;
        Ok(r)
    }

    /// The map `c` from the indices of `self` to those of `other` with `other(c(x)) = self(x)`: where `other` has what `self`
    /// has at `x`; of several places the least.
    ///
    /// # Errors
    /// [`LayoutError::NotAValue`]: a value of `self` that `other` does not have.
    /// ```
    /// # use girih::algebra::linear::LinearLayout;
    /// let a: LinearLayout = "lane:[1,2] -> offset:4".parse()?;
    /// let b: LinearLayout = "register:[2] lane:[1,0] -> offset:4".parse()?;
    /// assert_eq!(a.invert_and_compose(&b)?.to_string(), "lane:[(0,1),(1,0)] -> register:2 lane:4");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn invert_and_compose(&self, other: &LinearLayout) -> Result<LinearLayout, LayoutError> {
        other.source(self, &[])
    }

    /// How to get from `self`, the layout that data has, to the layout `want`: where each value is found, and how far it
    /// travels, judged by the axes `lane`, `warp` and `block`. Of all maps that find the values (there are several when data
    /// is held more than once) it is one that travels least: if its scope is not [`Scope::Thread`], no map whatever keeps
    /// every value in its thread, and so on.
    ///
    /// Law: `self(source(x)) = want(x)` for every index `x` of `want`, and `source` keeps the axes outside its scope.
    ///
    /// # Errors
    /// [`LayoutError::NotAValue`]: a value of `want` that `self` does not have.
    /// ```
    /// # use girih::algebra::linear::{LinearLayout, Scope};
    /// let have: LinearLayout = "register:[1,2] lane:[4,8] warp:[16] -> offset:32".parse()?;
    /// let scope = |want: &str| Ok::<_, girih::LayoutError>(have.conversion(&want.parse()?)?.scope());
    /// assert_eq!(scope("register:[2,1] lane:[4,8] warp:[16] -> offset:32")?, Scope::Thread);
    /// assert_eq!(scope("register:[1,4] lane:[2,8] warp:[16] -> offset:32")?, Scope::Warp);
    /// assert_eq!(scope("register:[1,2] lane:[4,16] warp:[8] -> offset:32")?, Scope::Block);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn conversion(&self, want: &LinearLayout) -> Result<Conversion, LayoutError> {
        const SCOPES: [Scope; 3] = [Scope::Thread, Scope::Warp, Scope::Block];
        let mut i = 0;
        while i < 3 {
            if let Ok(source) = self.source(want, SCOPES[i].kept()) {
                return Ok(Conversion { source, scope: SCOPES[i] });
            }
            i += 1;
        }
        Ok(Conversion { source: tri!(self.source(want, &[])), scope: Scope::Cluster })
    }

    /// The `c` with `self(c(y)) = want(y)` that keeps some axes: a fixed part of each index, and one that is solved for.
    /// As everything is affine there is a `c` if there is an index for 0 and for each bit.
    const fn source(&self, want: &LinearLayout, kept: &[Axis]) -> Result<LinearLayout, LayoutError> {
        let (mut free, mut i) = (*self, 0);
        while i < kept.len() {
            if let Some(k) = self.ins.find(kept[i]) {
                let (start, bits) = self.ins.place(k);
                let mut j = start;
                while j < start + bits {
                    free.basis[j as usize] = 0;
                    j += 1;
                }
            }
            i += 1;
        }
        let e = free.echelon();
        let mut r = LinearLayout::constant(&want.ins, &self.ins);
        r.offset = tri!(solve(&e, want.offset ^ self.offset, want.offset));
        let mut axis = 0;
        while axis < want.ins.rank() {
            let (start, bits) = want.ins.place(axis);
            let mut j = 0;
            while j < bits {
                let (y, name) = ((start + j) as usize, want.ins.axes()[axis]);
                let value = want.basis[y];
                let mut fixed = 0;
                if name.is_in(kept) {
                    match self.ins.find(name) {
                        Some(k) if j < self.ins.place(k).1 => fixed = 1 << (self.ins.place(k).0 + j),
                        _ => return Err(LayoutError::NoSuchAxis { name: name.0 }),
                    }
                }
                r.basis[y] = fixed | tri!(solve(&e, value ^ self.switched(fixed), value ^ want.offset));
                j += 1;
            }
            axis += 1;
        }
        Ok(r)
    }
}

/// The indices that switch `v`; `value` is what is looked for.
const fn solve(e: &Echelon, v: i64, value: i64) -> Result<i64, LayoutError> {
    match e.reduce(v) {
        (0, x) => Ok(x),
        _ => Err(LayoutError::NotAValue { value }),
    }
}

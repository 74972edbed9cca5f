//! Layouts evaluated at indices.

use super::index::Index;
use super::{Kernel, KernelError};
use crate::layout::{Composed, Int, Layout, LayoutError, Swizzle};

impl Kernel {
    /// What a symbol of layouts is worth: a parameter, or an index computed from some.
    /// ```
    /// use girih::gpu::{kernel::Kernel, ptx::Target};
    /// use girih::prelude::*;
    /// let mut k = Kernel::new("k", Target::SM_80, [256, 1, 1]);
    /// let lda = k.size("lda");
    /// k.bind("lda", &lda);
    /// let tid = k.tid();
    /// let row_major = layout!((16,16):(?lda,1));
    /// assert_eq!(k.offset(&row_major, &[3.into(), tid.clone()]), lda * 3 + tid);
    /// ```
    pub fn bind(&mut self, symbol: &str, value: &Index) {
        self.symbols.insert(symbol.into(), value.clone());
    }

    /// The value of a layout, each of its modes at a one-dimensional coordinate, the last leaf of a mode extended. A coordinate that
    /// is known to be below an extent costs no division.
    ///
    /// The coordinates are in the domain by the caller's word, as guards see to.
    /// ```
    /// use girih::gpu::{kernel::Kernel, ptx::Target};
    /// use girih::prelude::*;
    /// let mut k = Kernel::new("k", Target::SM_80, [128, 1, 1]);
    /// let (warp, lane) = (k.warp(), k.lane());
    /// // thread to the rows of four 8 x 4 pieces
    /// let rows = layout!(((4,8),4):((1,4),32));
    /// assert_eq!(k.offset(&rows, &[lane.clone(), warp.clone()]), lane + warp * 32);
    /// ```
    pub fn offset(&mut self, layout: &Layout, coordinate: &[Index]) -> Index {
        if layout.rank() != coordinate.len() {
            self.fail(KernelError::Rank { layout: layout.rank(), coordinate: coordinate.len() });
            return Index::default();
        }
        let mut sum = Index::default();
        for (i, c) in coordinate.iter().enumerate() {
            match layout.mode(i) {
                Ok(mode) => sum = sum + self.offset_at(&mode, c),
                Err(e) => self.fail(e),
            }
        }
        sum
    }

    /// The value of a layout at a one-dimensional coordinate.
    /// ```
    /// use girih::gpu::{kernel::Kernel, ptx::Target};
    /// use girih::prelude::*;
    /// let mut k = Kernel::new("k", Target::SM_80, [128, 1, 1]);
    /// let tid = k.tid();
    /// assert_eq!(k.offset_at(&layout!((16,8):(2,32)), &tid), tid * 2); // (16,8):(2,32) is 128:2
    /// ```
    pub fn offset_at(&mut self, layout: &Layout, coordinate: &Index) -> Index {
        let layout = layout.coalesce();
        let (mut rest, mut sum) = (coordinate.clone(), Index::default());
        let last = layout.leaves() - 1;
        for i in 0..=last {
            let (extent, stride) = match (layout.leaf_extent(i), layout.leaf_stride(i)) {
                (Ok(extent), Ok(stride)) => (extent, stride),
                (Err(e), _) | (_, Err(e)) => {
                    self.fail(e);
                    return Index::default();
                }
            };
            let own = if i == last {
                rest.clone()
            } else {
                let extent = self.int(&extent);
                // below the extent the coordinate has no further digits
                let (lo, hi) = self.range(&rest);
                match extent.known() {
                    Some(n) if lo >= 0 && hi < n.into() => core::mem::take(&mut rest),
                    _ => {
                        let (q, m) = self.div_rem_by(&rest, &extent);
                        rest = q;
                        m
                    }
                }
            };
            let stride = self.int(&stride);
            let term = self.mul(&own, &stride);
            sum = sum + term;
        }
        sum
    }

    /// The value of a layout under swizzles, as [`Kernel::offset`]. What a swizzle does not touch stays outside of it, so that known
    /// parts of the coordinate still fold into the instruction's offset.
    /// ```
    /// use girih::gpu::{kernel::Kernel, ptx::Target};
    /// use girih::prelude::*;
    /// let mut k = Kernel::new("k", Target::SM_80, [8, 1, 1]);
    /// let tile: Composed = "S<3,3,3> o 0 o (16,64):(64,1)".parse()?;
    /// let tid = k.tid();
    /// let (near, far) = (k.offset_swizzled(&tile, &[tid.clone(), 0.into()]), k.offset_swizzled(&tile, &[tid + 8, 0.into()]));
    /// assert_eq!((far - near).known(), Some(8 * 64));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn offset_swizzled(&mut self, layout: &Composed, coordinate: &[Index]) -> Index {
        let inner = self.offset(layout.inner(), coordinate) + layout.offset();
        layout.swizzles().iter().rev().fold(inner, |i, swizzle| self.swizzled(swizzle, &i))
    }

    /// A swizzle of a value that is never negative.
    /// ```
    /// use girih::gpu::{kernel::Kernel, ptx::Target};
    /// use girih::prelude::*;
    /// let mut k = Kernel::new("k", Target::SM_80, [8, 1, 1]);
    /// let s = Swizzle::new(3, 0, 3)?;
    /// assert_eq!(k.swizzled(&s, &(5 * 8 + 2).into()).known(), Some(5 * 8 + 7));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn swizzled(&mut self, swizzle: &Swizzle, i: &Index) -> Index {
        self.flip(i, swizzle.source_mask(), swizzle.shift())
    }

    /// A leaf: `coef * ceil(sym / div) * ...`.
    fn int(&mut self, int: &Int) -> Index {
        if int.underscore || int.basis.len > 0 {
            self.fail(LayoutError::Underscore);
            return Index::default();
        }
        // a promise that is the coefficient cancels: ?M{8} = 8 * (?M / 8) is ?M
        let (mut coef, mut value) = (int.coef, Index::from(1));
        for factor in int.factors.iter().filter(|f| !f.is_none()) {
            let name = factor.name.to_string();
            let Some(symbol) = self.symbols.get(&name).cloned() else {
                self.fail(KernelError::Unbound { symbol: name });
                return Index::default();
            };
            let div = i64::from(factor.div);
            let part = match factor.exact && coef % div == 0 {
                true => {
                    coef /= div;
                    symbol
                }
                false if div == 1 => symbol,
                false => self.ceil_div(&symbol, div),
            };
            value = self.mul(&value, &part);
        }
        value * coef
    }
}

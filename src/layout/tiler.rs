//! By-mode tilers: `<4:1,8:2>`.

use super::nest::{Nest, Pen};
use super::value::Writer;
use super::{IntTuple, Layout, LayoutError, MODES};

/// A tuple of tilers, applied mode by mode: `<4:1,_,<2,4:2>>`. Its leaves are layouts (an integer `t` is `t:1`) or `_`,
/// which leaves a mode alone; modes of a layout beyond the tiler's rank are left alone too.
///
/// A [`Layout`] used as a tiler is something else, a reshape of the whole domain as one dimension, and a different type.
///
/// ```
/// use girih::prelude::*;
/// let t: Tiler = "<4,_,(2,4):(1,8)>".parse()?;
/// assert_eq!(t.to_string(), "<4:1,_,(2,4):(1,8)>");
/// assert_eq!(t.rank(), 3);
/// assert_eq!(Tiler::shape(&ints!((3, 8)))?.to_string(), "<3:1,8:1>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Tiler {
    /// one mode for each leaf of the tiler, `1:0` for `_`
    pub(crate) entries: Layout,
    pub(crate) nest: Nest,
    /// bit per entry: `_`
    pub(crate) keep: u32,
}

impl Tiler {
    /// `<l0,l1,..>`.
    ///
    /// # Errors
    /// No layout, too many leaves, nesting too deep, or the whole overflows.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Tiler::flat(&[layout!(64:1), layout!((2,4):(1,8))])?, tiler![64, (2,4):(1,8)]);
    /// assert!(Tiler::flat(&[]).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn flat(layouts: &[Layout]) -> Result<Tiler, LayoutError> {
        let entries = tri!(Layout::tuple(layouts));
        Ok(Tiler { entries, nest: Nest::flat(layouts.len()), keep: 0 })
    }

    /// A shape used as a tiler: `(3,8)` is `<3:1,8:1>`, `_` keeps a mode.
    ///
    /// # Errors
    /// Extents below 1.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Tiler::shape(&ints!((64, _)))?, tiler![64, _]);
    /// assert!(Tiler::shape(&ints!((64, 0))).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn shape(shape: &IntTuple) -> Result<Tiler, LayoutError> {
        let mut keep = 0u32;
        let mut w = Writer::NEW;
        w.open();
        let mut i = 0;
        while i < shape.leaves() {
            let s = shape.0.extent_int(i);
            if s.underscore {
                keep |= 1 << i;
                tri!(w.known(1, 0));
            } else {
                tri!(w.leaf(&s, &super::Int::known(1)));
            }
            i += 1;
        }
        tri!(w.close());
        let entries = w.finish();
        tri!(entries.check());
        Ok(Tiler { entries, nest: shape.0.nest, keep })
    }

    /// The tiler whose modes are `modes`.
    ///
    /// # Errors
    /// No mode, too many leaves, or nesting too deep.
    /// ```
    /// # use girih::prelude::*;
    /// let t = Tiler::tuple(&[tiler![64, 8], Tiler::KEEP])?;
    /// assert_eq!(t.to_string(), "<<64:1,8:1>,_>");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn tuple(modes: &[Tiler]) -> Result<Tiler, LayoutError> {
        if modes.is_empty() {
            return Err(LayoutError::Empty);
        }
        let mut w = Writer::NEW;
        let mut pen = Pen::NEW;
        let (mut keep, mut n) = (0u32, 0usize);
        w.open();
        pen.open(1);
        let mut m = 0;
        while m < modes.len() {
            let t = &modes[m];
            let k = t.leaves();
            tri!(t.entries.write_modes(&mut w, 0, k));
            keep |= t.keep << n;
            let mut nest = t.nest;
            let mut i = 0;
            while i < k {
                let (o, c) = nest.next();
                pen.open(o);
                if !pen.leaf() || !pen.close(c) {
                    return Err(LayoutError::TooDeep);
                }
                i += 1;
            }
            n += k;
            m += 1;
        }
        tri!(w.close());
        if !pen.close(1) {
            return Err(LayoutError::TooDeep);
        }
        let entries = w.finish();
        tri!(entries.check());
        Ok(Tiler { entries, nest: pen.nest, keep })
    }

    /// A tiler that is one layout: what a leaf of a by-mode tiler is.
    ///
    /// # Errors
    /// Nesting too deep.
    /// ```
    /// # use girih::prelude::*;
    /// let t = Tiler::leaf(&layout!((2,4):(1,8)))?;
    /// assert_eq!((t.to_string().as_str(), t.rank()), ("(2,4):(1,8)", 1));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn leaf(l: &Layout) -> Result<Tiler, LayoutError> {
        let mut w = Writer::NEW;
        w.open();
        tri!(w.mode(l));
        tri!(w.close());
        Ok(Tiler { entries: w.finish(), nest: Nest::LEAF, keep: 0 })
    }

    /// `_`: the mode is left alone.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Tiler::tuple(&[Tiler::KEEP, Tiler::leaf(&layout!(4:2))?])?, tiler![_, 4:2]);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const KEEP: Tiler = {
        let mut t = Tiler { entries: Layout::UNIT, nest: Nest::LEAF, keep: 1 };
        t.entries.nest = Nest::flat(1);
        t
    };

    /// Number of leaf tilers.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Tiler::parse("<<64,8>,_>")?.leaves(), 3);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn leaves(&self) -> usize {
        self.entries.rank()
    }

    /// The nesting, as a profile.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Tiler::parse("<<64,8>,_>")?.profile(), ints!(((0, 0), 0)));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn profile(&self) -> IntTuple {
        let mut p = Layout::BLANK;
        p.len = self.leaves() as u8;
        p.nest = self.nest;
        IntTuple(p)
    }

    /// Number of modes.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Tiler::parse("<<64,8>,_>")?.rank(), 2);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn rank(&self) -> usize {
        self.profile().rank()
    }

    /// One layout or `_`, not a tuple.
    /// ```
    /// # use girih::prelude::*;
    /// assert!(Tiler::parse("(2,4):(1,8)")?.is_leaf() && Tiler::KEEP.is_leaf());
    /// assert!(!tiler![64, 8].is_leaf());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn is_leaf(&self) -> bool {
        self.nest.open == 0
    }

    /// Leaf `i` as a layout, None for `_`.
    ///
    /// # Errors
    /// There is no such leaf.
    /// ```
    /// # use girih::prelude::*;
    /// let t = tiler![64, _];
    /// assert_eq!((t.get(0)?, t.get(1)?), (Some(layout!(64:1)), None));
    /// assert!(t.get(2).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn get(&self, i: usize) -> Result<Option<Layout>, LayoutError> {
        let l = tri!(self.entries.mode(i));
        Ok(if self.keep >> i & 1 == 1 { None } else { Some(l) })
    }

    /// The tiler at mode `i`.
    ///
    /// # Errors
    /// There is no such mode.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Tiler::parse("<<64,8>,_>")?.mode(0)?, tiler![64, 8]);
    /// assert!(tiler![64, 8].mode(2).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn mode(&self, i: usize) -> Result<Tiler, LayoutError> {
        let mut start = [0; MODES + 1];
        let profile = self.profile();
        let rank = profile.0.mode_starts(&mut start);
        if i >= rank {
            return Err(LayoutError::NoSuchMode { mode: i, rank });
        }
        let (a, b) = (start[i], start[i + 1]);
        Ok(Tiler {
            entries: tri!(self.entries.take(a, b)),
            nest: tri!(profile.0.mode(i)).nest,
            keep: self.keep >> a & ((1u64 << (b - a)) - 1) as u32,
        })
    }
}

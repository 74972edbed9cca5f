//! The algebra of swizzled layouts.
//!
//! A swizzle is a bijection that does not look at coordinates, so every operation that rearranges, restricts or
//! repeats *coordinates* acts on the layout below it and leaves swizzle and offset alone: `(S o f o L) o R = S o f o
//! (L o R)`, and the one side exists exactly when the other does. What remains is when the swizzle itself can go away
//! ([`Composed::decay`]), pass a layout from right to left ([`Layout::compose_swizzle`]) or change its unit
//! ([`Composed::recast`]).

mod decay;
mod slice;
mod smem;
mod transport;
mod width;

pub use decay::DECAY_POINTS;
pub use smem::{Major, SmemSwizzle, smem_atom};

use super::Guard;
use crate::layout::{Composed, Error, IntTuple, Layout, Operand, Tiler};

impl Composed {
    /// The complement of the layout below the swizzle: with `R` beside that layout below the same swizzle, all values
    /// are distinct, as [`Layout::complement`] has it.
    ///
    /// # Errors
    /// As [`Layout::complement`].
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,0,3> o 0 o (8,4):(8,1)".parse()?;
    /// let rest = c.complement(64)?;
    /// assert_eq!(c.append(&rest)?.to_string(), "S<3,0,3> o 0 o (8,4,2):(8,1,4)");
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn complement(&self, cotarget: i64) -> Result<Layout, Error> {
        match self.inner().complement(cotarget) {
            Ok(l) => Ok(l),
            Err(e) => Err(Error::swizzled("complement", self, Operand::Int(cotarget), e.reason)),
        }
    }

    /// The coordinates along which stride 0 keeps the value, as [`Layout::nullspace`].
    ///
    /// # Errors
    /// As [`Layout::nullspace`].
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64,4):(64,1,0)".parse()?; // 4 threads read the same elements
    /// assert_eq!(c.nullspace()?, layout!(4:512));
    /// assert_eq!(c.at(512 + 100)?, c.at(100)?);
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn nullspace(&self) -> Result<Layout, Error> {
        match self.inner().nullspace() {
            Ok(l) => Ok(l),
            Err(e) => Err(Error::swizzled("nullspace", self, Operand::None, e.reason)),
        }
    }
}

/// Operations that act on the layout below the swizzle.
macro_rules! forward {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $type:ty $(as $operand:ident)?),*) -> $result:ident;)*) => {
        impl Composed {$(
            $(#[$doc])*
            pub const fn $name(&self $(, $arg: $type)*) -> forward!(@type $result) {
                let right = forward!(@operand $($(($operand $arg))?)*);
                forward!(@call $result self right stringify!($name), self.inner().$name($($arg),*))
            }
        )*}
    };
    (@operand) => { Operand::None };
    (@operand ($kind:ident $arg:ident) $($more:tt)*) => { Operand::$kind(*$arg) };
    // cannot fail
    (@type Always) => { Composed };
    (@call Always $self:ident $right:ident $op:expr, $value:expr) => {{
        let _ = $right;
        $self.over(&$value)
    }};
    // a layout operation, or a change of modes whose reason is not yet attached to operands
    (@type Layout) => { Result<Composed, Error> };
    (@call Layout $self:ident $right:ident $op:expr, $value:expr) => {
        match $value {
            Ok(l) => $self.result($op, &l, $right),
            Err(e) => Err(Error::swizzled($op, $self, $right, e.reason)),
        }
    };
    (@type Modes) => { Result<Composed, Error> };
    (@call Modes $self:ident $right:ident $op:expr, $value:expr) => {
        match $value {
            Ok(l) => $self.result($op, &l, $right),
            Err(e) => Err(Error::swizzled($op, $self, $right, e)),
        }
    };
    (@type Guarded) => { Result<(Composed, Guard), Error> };
    (@call Guarded $self:ident $right:ident $op:expr, $value:expr) => {
        match $value {
            Ok(g) => match $self.result($op, &g.layout, $right) {
                Ok(c) => Ok((c, g.guard)),
                Err(e) => Err(e),
            },
            Err(e) => Err(Error::swizzled($op, $self, $right, e.reason)),
        }
    };
}

impl Composed {
    const fn result(&self, op: &'static str, inner: &Layout, right: Operand) -> Result<Composed, Error> {
        match self.with(self.offset(), inner) {
            Ok(c) => Ok(c),
            Err(e) => Err(Error::swizzled(op, self, right, e)),
        }
    }

    /// The same swizzle and offset on a layout with the same values in another order, or some of them.
    const fn over(&self, inner: &Layout) -> Composed {
        match self.with(self.offset(), inner) {
            Ok(c) => c,
            // the values were checked when `self` was made
            Err(_) => *self,
        }
    }
}

forward! {
    /// The symbols in `values` replaced by their values, as [`Layout::bind`].
    ///
    /// # Errors
    /// As [`Layout::bind`], or a value below the swizzle overflows.
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64,?stages):(64,1,512)".parse()?;
    /// assert_eq!(c.bind(&[("stages", 4)])?.to_string(), "S<3,3,3> o 0 o (8,64,4):(64,1,512)");
    /// # Ok::<(), Error>(())
    /// ```
    bind(values: &[(&str, i64)]) -> Modes;
    /// Mode `i`, as [`Layout::mode`].
    ///
    /// # Errors
    /// There is no such mode.
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// assert_eq!(c.mode(0)?.to_string(), "S<3,3,3> o 0 o 8:64");
    /// # Ok::<(), Error>(())
    /// ```
    mode(i: usize) -> Modes;
    /// Modes `from..to`, as [`Layout::take`].
    ///
    /// # Errors
    /// There are no such modes, or none is left.
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,(4,16)):(64,(16,1))".parse()?;
    /// assert_eq!(c.take(1, 2)?.to_string(), "S<3,3,3> o 0 o ((4,16)):((16,1))");
    /// assert_eq!(c.flatten().to_string(), "S<3,3,3> o 0 o (8,4,16):(64,16,1)");
    /// # Ok::<(), Error>(())
    /// ```
    take(from: usize, to: usize) -> Modes;
    /// The modes with these numbers, in this order, as [`Layout::select`].
    ///
    /// # Errors
    /// There is no such mode, none is chosen, or the values overflow.
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64,4):(64,1,512)".parse()?;
    /// assert_eq!(c.select(&[1, 0])?.to_string(), "S<3,3,3> o 0 o (64,8):(1,64)");
    /// # Ok::<(), Error>(())
    /// ```
    select(modes: &[usize]) -> Modes;
    /// The modes in reverse order.
    ///
    /// # Errors
    /// Never for a layout that fits.
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64,4):(64,1,512)".parse()?;
    /// assert_eq!(c.reverse()?.to_string(), "S<3,3,3> o 0 o (4,64,8):(512,1,64)");
    /// # Ok::<(), Error>(())
    /// ```
    reverse() -> Modes;
    /// All leaves in one flat tuple, as [`Layout::flatten`].
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o ((8,16),(64,2)):((64,512),(1,8192))".parse()?;
    /// assert_eq!(c.flatten().to_string(), "S<3,3,3> o 0 o (8,16,64,2):(64,512,1,8192)");
    /// # Ok::<(), LayoutError>(())
    /// ```
    flatten() -> Always;
    /// The leaves in the nesting of `profile`, as [`Layout::unflatten`].
    ///
    /// # Errors
    /// The numbers of leaves differ.
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,8,8):(64,1,8)".parse()?;
    /// assert_eq!(c.unflatten(&ints!((0, (0, 0))))?.to_string(), "S<3,3,3> o 0 o (8,(8,8)):(64,(1,8))");
    /// # Ok::<(), Error>(())
    /// ```
    unflatten(profile: &IntTuple as Tuple) -> Modes;
    /// Modes `from..to` become one mode, as [`Layout::group`].
    ///
    /// # Errors
    /// There are no such modes, or nesting too deep.
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64,4):(64,1,512)".parse()?;
    /// assert_eq!(c.group(0, 2)?.to_string(), "S<3,3,3> o 0 o ((8,64),4):((64,1),512)"); // (tile, stage)
    /// # Ok::<(), Error>(())
    /// ```
    group(from: usize, to: usize) -> Modes;
    /// The modes, then `mode`: its values are added below the swizzle.
    ///
    /// # Errors
    /// Too many leaves, or a value below the swizzle is negative or overflows.
    /// ```
    /// # use girih::prelude::*;
    /// let atom: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// assert_eq!(atom.append(&layout!(4:512))?.to_string(), "S<3,3,3> o 0 o (8,64,4):(64,1,512)");
    /// # Ok::<(), Error>(())
    /// ```
    append(mode: &Layout as Layout) -> Modes;
    /// `mode`, then the modes.
    ///
    /// # Errors
    /// As [`Composed::append`].
    /// ```
    /// # use girih::prelude::*;
    /// let atom: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// assert_eq!(atom.prepend(&layout!(4:512))?.to_string(), "S<3,3,3> o 0 o (4,8,64):(512,64,1)");
    /// # Ok::<(), Error>(())
    /// ```
    prepend(mode: &Layout as Layout) -> Modes;
    /// The modes with `mode` before mode `at`.
    ///
    /// # Errors
    /// As [`Composed::append`], or `at` is past the end.
    /// ```
    /// # use girih::prelude::*;
    /// let atom: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// assert_eq!(atom.insert(1, &layout!(4:512))?.to_string(), "S<3,3,3> o 0 o (8,4,64):(64,512,1)");
    /// # Ok::<(), Error>(())
    /// ```
    insert(at: usize, mode: &Layout as Layout) -> Modes;
    /// Mode `i` replaced.
    ///
    /// # Errors
    /// As [`Composed::append`], or there is no such mode.
    /// ```
    /// # use girih::prelude::*;
    /// let atom: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// let vectors = atom.replace(1, &layout!((8,8):(1,8)))?;
    /// assert_eq!(vectors.to_string(), "S<3,3,3> o 0 o (8,(8,8)):(64,(1,8))");
    /// # Ok::<(), Error>(())
    /// ```
    replace(i: usize, mode: &Layout as Layout) -> Modes;
    /// Padded with `1:0` modes at the end up to rank `n`.
    ///
    /// # Errors
    /// The rank is above `n`, or too many leaves.
    /// ```
    /// # use girih::prelude::*;
    /// let atom: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// assert_eq!(atom.pad_rank(3)?.to_string(), "S<3,3,3> o 0 o (8,64,1):(64,1,0)");
    /// # Ok::<(), Error>(())
    /// ```
    pad_rank(n: usize) -> Modes;
    /// Mode i of the result is (mode i of this one, mode i of `o`), values added below the swizzle.
    ///
    /// # Errors
    /// The ranks differ, or as [`Composed::append`].
    /// ```
    /// # use girih::prelude::*;
    /// let atom: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// let tile = atom.zip(&layout!((16,2):(512,8192)))?;
    /// assert_eq!(tile.to_string(), "S<3,3,3> o 0 o ((8,16),(64,2)):((64,512),(1,8192))");
    /// # Ok::<(), Error>(())
    /// ```
    zip(o: &Layout as Layout) -> Modes;
    /// Modes of modes transposed, as [`Layout::transpose`].
    ///
    /// # Errors
    /// The modes differ in rank.
    /// ```
    /// # use girih::prelude::*;
    /// let tile: Composed = "S<3,3,3> o 0 o ((8,16),(64,2)):((64,512),(1,8192))".parse()?;
    /// // ((atom),(copies))
    /// assert_eq!(tile.transpose()?.to_string(), "S<3,3,3> o 0 o ((8,64),(16,2)):((64,1),(512,8192))");
    /// # Ok::<(), Error>(())
    /// ```
    transpose() -> Modes;
    /// The sub-layout of the modes that `_` does *not* mark, as [`Layout::dice`].
    ///
    /// # Errors
    /// The coordinate does not fit the shape.
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64,4):(64,1,512)".parse()?;
    /// assert_eq!(c.dice(&ints!((0, 0, _)))?.to_string(), "S<3,3,3> o 0 o (8,64):(64,1)");
    /// # Ok::<(), Error>(())
    /// ```
    dice(c: &IntTuple as Tuple) -> Modes;

    /// The same function with as few modes as possible below the swizzle, as [`Layout::coalesce`].
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<1,0,2> o 0 o (2,(1,6)):(1,(6,2))".parse()?;
    /// assert_eq!(c.coalesce().to_string(), "S<1,0,2> o 0 o 12:1");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    coalesce() -> Always;
    /// Coalesced at the leaves of `profile`, as [`Layout::coalesce_by_mode`].
    ///
    /// # Errors
    /// The profile does not fit.
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,(8,8)):(64,(1,8))".parse()?;
    /// assert_eq!(c.coalesce_by_mode(&ints!((1, 1)))?.to_string(), "S<3,3,3> o 0 o (8,64):(64,1)");
    /// # Ok::<(), Error>(())
    /// ```
    coalesce_by_mode(profile: &IntTuple as Tuple) -> Layout;
    /// Extent 1 where the stride is 0, as [`Layout::filter_zeros`].
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64,4):(64,1,0)".parse()?;
    /// assert_eq!(c.filter_zeros().to_string(), "S<3,3,3> o 0 o (8,64,1):(64,1,0)");
    /// # Ok::<(), LayoutError>(())
    /// ```
    filter_zeros() -> Always;
    /// Without stride-0 and extent-1 modes, as [`Layout::filter`].
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64,4):(64,1,0)".parse()?;
    /// assert_eq!(c.filter().to_string(), "S<3,3,3> o 0 o (8,64):(64,1)");
    /// # Ok::<(), LayoutError>(())
    /// ```
    filter() -> Always;
    /// Filtered at the leaves of `profile`, as [`Layout::filter_by_mode`].
    ///
    /// # Errors
    /// The profile does not fit.
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,(8,4,8)):(64,(1,0,8))".parse()?;
    /// assert_eq!(c.filter_by_mode(&ints!((1, 1)))?.to_string(), "S<3,3,3> o 0 o (8,64):(64,1)");
    /// # Ok::<(), Error>(())
    /// ```
    filter_by_mode(profile: &IntTuple as Tuple) -> Layout;

    /// `self o b`, the function `c -> self(b(c))`.
    ///
    /// Exact both ways, as [`Layout::compose`]: the swizzle is a bijection, so this exists with the same swizzle if
    /// and only if the composition below it does.
    ///
    /// # Errors
    /// As [`Layout::compose`].
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// assert_eq!(c.compose(&layout!((4,8):(8,64)))?.to_string(), "S<3,3,3> o 0 o (4,8):(1,8)");
    /// # Ok::<(), Error>(())
    /// ```
    compose(b: &Layout as Layout) -> Layout;
    /// [`Composed::compose`] with the last mode extended past the domain.
    ///
    /// # Errors
    /// As [`Layout::compose_extended`], or a value below the swizzle is negative.
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (64,8):(1,64)".parse()?;
    /// assert!(c.compose(&layout!((64,16):(1,64))).is_err());
    /// let taller = c.compose_extended(&layout!((64,16):(1,64)))?; // the swizzle repeats every 8 rows
    /// assert_eq!(taller.to_string(), "S<3,3,3> o 0 o (64,16):(1,64)");
    /// # Ok::<(), Error>(())
    /// ```
    compose_extended(b: &Layout as Layout) -> Layout;
    /// Mode by mode, as [`Layout::compose_by_mode`].
    ///
    /// # Errors
    /// As [`Layout::compose_by_mode`].
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// assert_eq!(c.compose_by_mode(&tiler![4:2, 32])?.to_string(), "S<3,3,3> o 0 o (4,32):(128,1)");
    /// # Ok::<(), Error>(())
    /// ```
    compose_by_mode(t: &Tiler as Tiler) -> Layout;
    /// Mode by mode with every mode continued, as [`Layout::compose_extended_by_mode`].
    ///
    /// # Errors
    /// As [`Layout::compose_extended_by_mode`], or a value below the swizzle is negative.
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// assert_eq!(c.compose_extended_by_mode(&tiler![16])?.to_string(), "S<3,3,3> o 0 o (16,64):(64,1)");
    /// # Ok::<(), Error>(())
    /// ```
    compose_extended_by_mode(t: &Tiler as Tiler) -> Layout;
    /// The same values in another shape, as [`Layout::with_shape`].
    ///
    /// # Errors
    /// As [`Layout::with_shape`].
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (64,8):(1,64)".parse()?;
    /// assert_eq!(c.with_shape(&ints!((8, 8, 8)))?.to_string(), "S<3,3,3> o 0 o (8,8,8):(1,8,64)"); // by vectors of 8
    /// # Ok::<(), Error>(())
    /// ```
    with_shape(shape: &IntTuple as Tuple) -> Layout;

    /// `(tile, rest)`, as [`Layout::logical_divide`].
    ///
    /// # Errors
    /// As [`Layout::logical_divide`].
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (64,8):(1,64)".parse()?;
    /// assert_eq!(c.logical_divide(&layout!(8:1))?.to_string(), "S<3,3,3> o 0 o (8,64):(1,8)"); // vectors of 8
    /// # Ok::<(), Error>(())
    /// ```
    logical_divide(t: &Layout as Layout) -> Layout;
    /// `((TileM,RestM),(TileN,RestN),..)`, as [`Layout::logical_divide_by_mode`].
    ///
    /// # Errors
    /// As [`Layout::logical_divide_by_mode`].
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// let tiles = c.logical_divide_by_mode(&tiler![4, 16])?;
    /// assert_eq!(tiles.to_string(), "S<3,3,3> o 0 o ((4,2),(16,4)):((64,256),(1,16))");
    /// # Ok::<(), Error>(())
    /// ```
    logical_divide_by_mode(t: &Tiler as Tiler) -> Layout;
    /// `((TileM,TileN),(RestM,RestN,..))`, as [`Layout::zipped_divide`].
    ///
    /// # Errors
    /// As [`Layout::zipped_divide`].
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// let tiles = c.zipped_divide(&tiler![4, 16])?;
    /// assert_eq!(tiles.to_string(), "S<3,3,3> o 0 o ((4,16),(2,4)):((64,1),(256,16))");
    /// # Ok::<(), Error>(())
    /// ```
    zipped_divide(t: &Tiler as Tiler) -> Layout;
    /// `((TileM,TileN),RestM,RestN,..)`, as [`Layout::tiled_divide`].
    ///
    /// # Errors
    /// As [`Layout::tiled_divide`].
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// assert_eq!(c.tiled_divide(&tiler![4, 16])?.to_string(), "S<3,3,3> o 0 o ((4,16),2,4):((64,1),256,16)");
    /// # Ok::<(), Error>(())
    /// ```
    tiled_divide(t: &Tiler as Tiler) -> Layout;
    /// `(TileM,TileN,RestM,RestN,..)`, as [`Layout::flat_divide`].
    ///
    /// # Errors
    /// As [`Layout::flat_divide`].
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// assert_eq!(c.flat_divide(&tiler![4, 16])?.to_string(), "S<3,3,3> o 0 o (4,16,2,4):(64,1,256,16)");
    /// # Ok::<(), Error>(())
    /// ```
    flat_divide(t: &Tiler as Tiler) -> Layout;
    /// [`Composed::logical_divide`] with the number of tiles rounded up, and the guard of the real coordinates.
    ///
    /// # Errors
    /// As [`Layout::logical_divide_ceil`], or a value below the swizzle is negative.
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (64,6):(1,64)".parse()?;
    /// let (tiles, guard) = c.logical_divide_ceil(&layout!(256:1))?;
    /// assert_eq!(tiles.to_string(), "S<3,3,3> o 0 o (256,2):(1,256)");
    /// assert!(guard.holds(383)? && !guard.holds(384)?);
    /// # Ok::<(), Error>(())
    /// ```
    logical_divide_ceil(t: &Layout as Layout) -> Guarded;
    /// [`Composed::logical_divide_by_mode`] rounded up.
    ///
    /// # Errors
    /// As [`Layout::logical_divide_by_mode_ceil`], or a value below the swizzle is negative.
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (6,64):(64,1)".parse()?;
    /// let (tiles, guard) = c.logical_divide_by_mode_ceil(&tiler![4, 16])?;
    /// assert_eq!(tiles.to_string(), "S<3,3,3> o 0 o ((4,2),(16,4)):((64,256),(1,16))");
    /// assert_eq!(guard.to_string(), "((4,2),(16,4)):((1@0,4@0),(1@1,16@1)) < (6,64)");
    /// # Ok::<(), Error>(())
    /// ```
    logical_divide_by_mode_ceil(t: &Tiler as Tiler) -> Guarded;
    /// [`Composed::zipped_divide`] rounded up.
    ///
    /// # Errors
    /// As [`Composed::logical_divide_by_mode_ceil`].
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (6,64):(64,1)".parse()?;
    /// let (tiles, guard) = c.zipped_divide_ceil(&tiler![4, 16])?;
    /// assert_eq!(tiles.to_string(), "S<3,3,3> o 0 o ((4,16),(2,4)):((64,1),(256,16))");
    /// assert_eq!(guard.limit, ints!((6, 64)));
    /// # Ok::<(), Error>(())
    /// ```
    zipped_divide_ceil(t: &Tiler as Tiler) -> Guarded;
    /// [`Composed::tiled_divide`] rounded up.
    ///
    /// # Errors
    /// As [`Composed::logical_divide_by_mode_ceil`].
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (6,64):(64,1)".parse()?;
    /// let (tiles, guard) = c.tiled_divide_ceil(&tiler![4, 16])?;
    /// assert_eq!(tiles.to_string(), "S<3,3,3> o 0 o ((4,16),2,4):((64,1),256,16)");
    /// assert!(!guard.always()); // rows 6 and 7 are not there
    /// # Ok::<(), Error>(())
    /// ```
    tiled_divide_ceil(t: &Tiler as Tiler) -> Guarded;
    /// [`Composed::flat_divide`] rounded up.
    ///
    /// # Errors
    /// As [`Composed::logical_divide_by_mode_ceil`].
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (6,64):(64,1)".parse()?;
    /// let (tiles, guard) = c.flat_divide_ceil(&tiler![3, 16])?;
    /// assert_eq!(tiles.to_string(), "S<3,3,3> o 0 o (3,16,2,4):(64,1,192,16)");
    /// assert!(guard.always()); // 3 divides 6
    /// # Ok::<(), Error>(())
    /// ```
    flat_divide_ceil(t: &Tiler as Tiler) -> Guarded;

    /// A copy for each element of `b`, as [`Layout::logical_product`]; the copies are disjoint, for the swizzle is
    /// injective. It goes on over all copies: they look alike only where its bits lie inside one.
    ///
    /// # Errors
    /// As [`Layout::logical_product`].
    /// ```
    /// # use girih::prelude::*;
    /// let atom: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// let stages = atom.logical_product(&layout!(4:1))?;
    /// assert_eq!(stages.to_string(), "S<3,3,3> o 0 o ((8,64),4):((64,1),512)");
    /// # Ok::<(), Error>(())
    /// ```
    logical_product(b: &Layout as Layout) -> Layout;
    /// `((M,TileM),(N,TileN),..)`, as [`Layout::logical_product_by_mode`].
    ///
    /// # Errors
    /// As [`Layout::logical_product_by_mode`].
    /// ```
    /// # use girih::prelude::*;
    /// let atom: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// let tile = atom.logical_product_by_mode(&tiler![2:64, 4:16])?;
    /// assert_eq!(tile.to_string(), "S<3,3,3> o 0 o ((8,2),(64,4)):((64,512),(1,1024))");
    /// # Ok::<(), Error>(())
    /// ```
    logical_product_by_mode(t: &Tiler as Tiler) -> Layout;
    /// `((M,N),(TileM,TileN,..))`, as [`Layout::zipped_product`].
    ///
    /// # Errors
    /// As [`Layout::zipped_product`].
    /// ```
    /// # use girih::prelude::*;
    /// let atom: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// let tile = atom.zipped_product(&tiler![2:64, 4:16])?;
    /// assert_eq!(tile.to_string(), "S<3,3,3> o 0 o ((8,64),(2,4)):((64,1),(512,1024))");
    /// # Ok::<(), Error>(())
    /// ```
    zipped_product(t: &Tiler as Tiler) -> Layout;
    /// `((M,N),TileM,TileN,..)`, as [`Layout::tiled_product`].
    ///
    /// # Errors
    /// As [`Layout::tiled_product`].
    /// ```
    /// # use girih::prelude::*;
    /// let atom: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// let tile = atom.tiled_product(&tiler![2:64, 4:16])?;
    /// assert_eq!(tile.to_string(), "S<3,3,3> o 0 o ((8,64),2,4):((64,1),512,1024)");
    /// # Ok::<(), Error>(())
    /// ```
    tiled_product(t: &Tiler as Tiler) -> Layout;
    /// `(M,N,TileM,TileN,..)`, as [`Layout::flat_product`].
    ///
    /// # Errors
    /// As [`Layout::flat_product`].
    /// ```
    /// # use girih::prelude::*;
    /// let atom: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// let tile = atom.flat_product(&tiler![2:64, 4:16])?;
    /// assert_eq!(tile.to_string(), "S<3,3,3> o 0 o (8,64,2,4):(64,1,512,1024)");
    /// # Ok::<(), Error>(())
    /// ```
    flat_product(t: &Tiler as Tiler) -> Layout;
    /// Block beside block, as [`Layout::blocked_product`].
    ///
    /// # Errors
    /// As [`Layout::blocked_product`].
    /// ```
    /// # use girih::prelude::*;
    /// let atom: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// let tile = atom.blocked_product(&layout!((2,4):(1,2)))?;
    /// assert_eq!(tile.to_string(), "S<3,3,3> o 0 o (16,(64,4)):(64,(1,1024))");
    /// # Ok::<(), Error>(())
    /// ```
    blocked_product(b: &Layout as Layout) -> Layout;
    /// Interleaved, as [`Layout::raked_product`].
    ///
    /// # Errors
    /// As [`Layout::raked_product`].
    /// ```
    /// # use girih::prelude::*;
    /// let atom: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// let tile = atom.raked_product(&layout!((2,4):(1,2)))?;
    /// assert_eq!(tile.to_string(), "S<3,3,3> o 0 o ((2,8),(4,64)):((512,64),(1024,1))");
    /// # Ok::<(), Error>(())
    /// ```
    raked_product(b: &Layout as Layout) -> Layout;
    /// Repeated until it fills `shape`, as [`Layout::tile_to_shape`].
    ///
    /// # Errors
    /// As [`Layout::tile_to_shape`].
    /// ```
    /// # use girih::prelude::*;
    /// let atom: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// let tile = atom.tile_to_shape(&ints!((128, 128)))?;
    /// assert_eq!(tile.to_string(), "S<3,3,3> o 0 o ((8,16),(64,2)):((64,512),(1,8192))");
    /// # Ok::<(), Error>(())
    /// ```
    tile_to_shape(shape: &IntTuple as Tuple) -> Layout;
    /// [`Composed::tile_to_shape`] with copies in the order of `order`.
    ///
    /// # Errors
    /// As [`Layout::tile_to_shape_ordered`].
    /// ```
    /// # use girih::prelude::*;
    /// let atom: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// let tile = atom.tile_to_shape_ordered(&ints!((128, 128)), &ints!((1, 0)))?; // copies along N first
    /// assert_eq!(tile.to_string(), "S<3,3,3> o 0 o ((8,16),(64,2)):((64,1024),(1,512))");
    /// # Ok::<(), Error>(())
    /// ```
    tile_to_shape_ordered(shape: &IntTuple as Tuple, order: &IntTuple as Tuple) -> Layout;
    /// [`Composed::tile_to_shape`] with the copies rounded up.
    ///
    /// # Errors
    /// As [`Layout::tile_to_shape_ceil`].
    /// ```
    /// # use girih::prelude::*;
    /// let atom: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// let (tile, guard) = atom.tile_to_shape_ceil(&ints!((100, 128)))?;
    /// assert_eq!(tile.to_string(), "S<3,3,3> o 0 o ((8,13),(64,2)):((64,512),(1,6656))");
    /// assert!(guard.holds(99)? && !guard.holds(100)?);
    /// # Ok::<(), Error>(())
    /// ```
    tile_to_shape_ceil(shape: &IntTuple as Tuple) -> Guarded;
}

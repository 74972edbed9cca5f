//! A copy laid over threads.

use super::super::{CopyAtom, Source as Operand};
use super::{TiledError, TiledMma, at_thread, extents, fragment, guarded};
use crate::algebra::{Guarded, Part};
use crate::ints;
use crate::layout::{Bound, Error, IntTuple, Layout, LayoutError, Tiler};

/// A copy, repeated over threads and over the values of a thread: who moves what of a tile, and of any larger tensor.
///
/// | made by | when |
/// |---|---|
/// | [`TiledCopy::new`] | threads and values are laid over the tile: global to shared memory |
/// | [`TiledCopy::of_a`], `of_b`, `of_c` | each thread moves what it holds in a [`TiledMma`]: shared memory to fragments and back |
/// | [`TiledCopy::of_tv`] | any thread-value layout |
///
/// Source and destination are partitioned each by its own side of the atom: a lane of `ldmatrix` gives the row whose address it
/// has and gets the registers of another. Both partitions have the shape `(values, rest_m, rest_n, ..)`, the values as
/// (those of one instruction, instructions). A fragment that was made for a matrix instruction is seen in that shape
/// by [`TiledCopy::retile_d`] (loads) or [`TiledCopy::retile_s`] (stores).
///
/// Strict: tiles cover the tensor exactly. The `_ceil` forms round up and return the guard.
/// ```
/// use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledCopy, TiledMma};
/// use girih::prelude::*;
/// // 128 threads, 8 halves each: rows of 64 by cp.async
/// let cp_async = CopyAtom::CpAsync { bits: 128, cached: false, zero_fill: false };
/// let fill = TiledCopy::new(cp_async, 16, &layout!((16,8):(8,1)), &layout!((1,8):(0,1)))?;
/// assert_eq!(fill.tiler_mn(), tiler![16, 64]);
/// let (mine, offset) = fill.partition_s(&layout!((128,128):(128,1)), 9)?;
/// assert_eq!((mine, offset.value()), (layout!(((8,1),8,2):((1,0),2048,64)), Some(128 + 8)));
///
/// // from shared memory to the fragments of A by ldmatrix
/// let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?;
/// let load = TiledCopy::of_a(CopyAtom::Ldmatrix { matrices: 4, transposed: false }, &warps)?;
/// let smem = layout!((128,64):(64,1));
/// let (rows, first) = load.partition_s(&smem, 37)?; // lane 5 of warp 1 gives row 5 of the 16
/// assert_eq!((rows, first.value()), (layout!(((8,1),4,4):((1,0),2048,16)), Some(64 * (16 + 5))));
/// let registers = warps.fragment_a(&warps.partition_a(&smem, 37)?.0)?;
/// assert_eq!(load.retile_d(&registers)?, layout!(((8,1),4,4):((1,0),32,8)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TiledCopy {
    atom: CopyAtom,
    bits: usize,
    tv: Layout,
    tile: IntTuple,
    tiler: Tiler,
    /// (values, rest_m, rest_n, ..) of the fragment that holds a tile
    held: IntTuple,
}

/// One side of the copy.
#[derive(Clone, Copy)]
enum Side {
    Source,
    Destination,
}
use Side::*;

impl TiledCopy {
    /// Threads `thr` over (M,N), values `val` over (M,N) for each: thread by thread the tile of the values is repeated. Both
    /// give the number of the thread, or value, at a place. `bits` is the width of a value.
    ///
    /// # Errors
    /// The numbers of threads, or of values, are not `0..n`; and as [`TiledCopy::of_tv`].
    /// ```
    /// # use girih::gpu::atom::{TiledCopy, TiledError};
    /// # use girih::prelude::*;
    /// let move16 = CopyAtom::Universal { bits: 128 };
    /// let rows = TiledCopy::new(move16, 16, &layout!((8,4):(4,1)), &layout!((1,8):(0,1)))?;
    /// assert_eq!((rows.tiler_mn(), rows.layout_tv()), (tiler![8, 32], layout!(((4,8),8):((64,1),8))));
    /// let e = TiledCopy::new(move16, 16, &layout!((8,4):(4,1)), &layout!((1,4):(0,1))).unwrap_err();
    /// assert_eq!(
    ///     e.to_string(),
    ///     "UniversalCopy<uint128_t> is of 1 threads with 8 values each; 32 threads with 4 values each are no whole number of it"
    /// );
    /// # Ok::<(), TiledError>(())
    /// ```
    pub fn new(atom: CopyAtom, bits: usize, thr: &Layout, val: &Layout) -> Result<TiledCopy, TiledError> {
        let place = thr.raked_product(val)?;
        let tv = place.right_inverse()?.with_shape(&IntTuple::flat(&extents([thr, val])?)?)?;
        TiledCopy::of_tv(atom, bits, &tv, &place.shape().product_each()?)
    }

    /// Any layout from (thread, value) to the one-dimensional coordinate in a tile of this shape.
    ///
    /// # Errors
    /// [`TiledError::Bits`], [`TiledError::Copies`]: the values are none of the atom's, or no whole number of them; or `tv`
    /// leaves the tile.
    /// ```
    /// # use girih::gpu::atom::{TiledCopy, TiledError};
    /// # use girih::prelude::*;
    /// let tv = layout!((32,(2,2)):(2,(1,64)));
    /// let copy = TiledCopy::of_tv(CopyAtom::Universal { bits: 64 }, 32, &tv, &ints!((64, 2)))?;
    /// assert_eq!(copy.layout_s_tv()?, layout!((32,(2,2)):(2,(1,64))));
    /// let e = TiledCopy::of_tv(CopyAtom::Universal { bits: 16 }, 32, &tv, &ints!((64, 2))).unwrap_err();
    /// assert!(matches!(e, TiledError::Bits { bits: 32, .. }));
    /// # Ok::<(), TiledError>(())
    /// ```
    pub fn of_tv(atom: CopyAtom, bits: usize, tv: &Layout, tile: &IntTuple) -> Result<TiledCopy, TiledError> {
        if tv.rank() != 2 {
            return Err(LayoutError::RankMismatch { rank: tv.rank(), other: 2 }.into());
        }
        let [threads, values] = extents([&tv.mode(0)?, &tv.mode(1)?])?;
        let copy =
            TiledCopy { atom, bits, tv: *tv, tile: *tile, tiler: Tiler::shape(tile)?, held: one_of(values, tile)? };
        let [lanes] = extents([&atom.thr()])?;
        for side in [atom.src(), atom.dst()] {
            // no value is in two lanes
            if !copy.in_values(&side).is_ok_and(|l| l.mode(0).is_ok_and(|m| m.size() == Ok(lanes))) {
                return Err(TiledError::Bits { copy: atom, bits });
            }
        }
        let of_atom = copy.in_values(&atom.reference())?.mode(1)?.size()?;
        if threads % lanes != 0 || values % of_atom != 0 {
            return Err(TiledError::Copies { copy: atom, atom: [lanes, of_atom], tile: [threads, values] });
        }
        // tv stays in the tile, or there is no composition
        for side in [Source, Destination] {
            copy.layout_side_tv(side)?;
        }
        Ok(copy)
    }

    /// Each thread moves what it holds of A.
    ///
    /// # Errors
    /// [`TiledError::Bits`], [`TiledError::Copies`]: A's values are none of the atom's; [`TiledError::Shared`]: A is in shared
    /// memory.
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledCopy, TiledError, TiledMma};
    /// # use girih::prelude::*;
    /// let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?;
    /// let load = TiledCopy::of_a(CopyAtom::Ldmatrix { matrices: 4, transposed: false }, &warps)?;
    /// assert_eq!(load.tiler_mn(), tiler![32, 16]);
    /// assert_eq!(load.layout_tv(), warps.layout_a_tv()?);
    /// # Ok::<(), TiledError>(())
    /// ```
    pub fn of_a(atom: CopyAtom, mma: &TiledMma) -> Result<TiledCopy, TiledError> {
        in_registers('A', mma.atom().source_a())?;
        TiledCopy::of_mma(atom, mma.atom().types().a.bits(), &mma.layout_a_tv()?, mma, [0, 2])
    }

    /// Each thread moves what it holds of B.
    ///
    /// # Errors
    /// As [`TiledCopy::of_a`].
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledCopy, TiledError, TiledMma};
    /// # use girih::prelude::*;
    /// let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?;
    /// let x4 = CopyAtom::Ldmatrix { matrices: 4, transposed: false };
    /// // four matrices are 16 columns of B, the tile has 8 for each warp
    /// let e = TiledCopy::of_b(x4, &warps).unwrap_err();
    /// assert!(matches!(e, TiledError::Copies { atom: [32, 8], tile: [128, 4], .. }));
    /// let load = TiledCopy::of_b(x4, &warps.permuted(&tiler![_, 32])?)?;
    /// assert_eq!(load.layout_s_tv()?, layout!(((8,2,2,2,2),(8,1)):((1,256,16,0,8),(32,0))));
    /// # Ok::<(), TiledError>(())
    /// ```
    pub fn of_b(atom: CopyAtom, mma: &TiledMma) -> Result<TiledCopy, TiledError> {
        in_registers('B', mma.atom().source_b())?;
        TiledCopy::of_mma(atom, mma.atom().types().b.bits(), &mma.layout_b_tv()?, mma, [1, 2])
    }

    /// Each thread moves what it holds of C, as values of `bits`: those of the tensor, to which sums may have been converted.
    ///
    /// # Errors
    /// As [`TiledCopy::of_a`].
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledCopy, TiledError, TiledMma};
    /// # use girih::prelude::*;
    /// let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?;
    /// // sums of 32 bits stored as halves, 16 x 8 by two matrices
    /// let store = TiledCopy::of_c(CopyAtom::Stmatrix { matrices: 2, transposed: false }, 16, &warps)?;
    /// assert_eq!(store.layout_d_tv()?.mode(1)?.size()?, 8);
    /// # Ok::<(), TiledError>(())
    /// ```
    pub fn of_c(atom: CopyAtom, bits: usize, mma: &TiledMma) -> Result<TiledCopy, TiledError> {
        TiledCopy::of_mma(atom, bits, &mma.layout_c_tv()?, mma, [0, 1])
    }

    fn of_mma(
        atom: CopyAtom,
        bits: usize,
        tv: &Layout,
        mma: &TiledMma,
        [rows, cols]: [usize; 2],
    ) -> Result<TiledCopy, TiledError> {
        let shape = mma.tile_shape();
        let tile = IntTuple::tuple(&[shape.mode(rows)?, shape.mode(cols)?])?;
        // (values of the atom, (rest_m, rest_n))
        let (values, rest) = (tv.mode(1)?.mode(0)?, tv.mode(1)?.mode(1)?);
        let held = IntTuple::flat(&extents([&values, &rest.mode(0)?, &rest.mode(1)?])?)?;
        Ok(TiledCopy { held, ..TiledCopy::of_tv(atom, bits, tv, &tile)? })
    }

    /// The instruction.
    /// ```
    /// # use girih::gpu::atom::TiledCopy;
    /// # use girih::prelude::*;
    /// let word = CopyAtom::Universal { bits: 32 };
    /// let copy = TiledCopy::new(word, 32, &layout!((32,8):(1,32)), &layout!((1,1):(0,0)))?;
    /// assert_eq!((copy.atom(), copy.bits()), (word, 32));
    /// # Ok::<(), girih::gpu::atom::TiledError>(())
    /// ```
    pub const fn atom(&self) -> CopyAtom {
        self.atom
    }

    /// The width of a value.
    /// ```
    /// # use girih::gpu::atom::TiledCopy;
    /// # use girih::prelude::*;
    /// let copy = TiledCopy::of_tv(CopyAtom::Universal { bits: 32 }, 16, &layout!((4,2):(2,1)), &ints!((8, 1)))?;
    /// assert_eq!(copy.bits(), 16);
    /// # Ok::<(), girih::gpu::atom::TiledError>(())
    /// ```
    pub const fn bits(&self) -> usize {
        self.bits
    }

    /// The tile.
    /// ```
    /// # use girih::gpu::atom::TiledCopy;
    /// # use girih::prelude::*;
    /// let word = CopyAtom::Universal { bits: 32 };
    /// let copy = TiledCopy::new(word, 16, &layout!((8,4):(4,1)), &layout!((2,4):(4,1)))?;
    /// assert_eq!(copy.tiler_mn(), tiler![16, 16]);
    /// # Ok::<(), girih::gpu::atom::TiledError>(())
    /// ```
    pub const fn tiler_mn(&self) -> Tiler {
        self.tiler
    }

    /// (thread, value) to the coordinate in the tile, as it was made; the atom's reference side.
    /// ```
    /// # use girih::gpu::atom::TiledCopy;
    /// # use girih::prelude::*;
    /// let word = CopyAtom::Universal { bits: 32 };
    /// let copy = TiledCopy::new(word, 16, &layout!((8,4):(4,1)), &layout!((2,4):(4,1)))?;
    /// assert_eq!(copy.layout_tv(), layout!(((4,8),(4,2)):((64,2),(16,1))));
    /// # Ok::<(), girih::gpu::atom::TiledError>(())
    /// ```
    pub const fn layout_tv(&self) -> Layout {
        self.tv
    }

    /// (thread, (values of an instruction, instructions)) to the coordinate in the tile, of the source.
    ///
    /// # Errors
    /// None for a copy that was made.
    /// ```
    /// # use girih::gpu::atom::TiledCopy;
    /// # use girih::prelude::*;
    /// let word = CopyAtom::Universal { bits: 32 };
    /// let copy = TiledCopy::new(word, 16, &layout!((8,4):(4,1)), &layout!((2,4):(4,1)))?;
    /// assert_eq!(copy.layout_s_tv()?, layout!(((4,8),(2,(2,2))):((64,2),(16,(32,1)))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn layout_s_tv(&self) -> Result<Layout, Error> {
        self.layout_side_tv(Source)
    }

    /// [`TiledCopy::layout_s_tv`] of the destination.
    ///
    /// # Errors
    /// None for a copy that was made.
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledCopy, TiledMma};
    /// # use girih::prelude::*;
    /// let warp = TiledMma::new(MMA, &layout!(1:0))?;
    /// let load = TiledCopy::of_a(CopyAtom::Ldmatrix { matrices: 4, transposed: false }, &warp)?;
    /// assert_eq!(load.layout_s_tv()?, layout!(((16,2),(8,1)):((1,128),(16,0)))); // a row of 8 to each lane
    /// assert!(load.layout_d_tv()?.same_function(&load.layout_tv()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn layout_d_tv(&self) -> Result<Layout, Error> {
        self.layout_side_tv(Destination)
    }

    /// All of the source as `(threads, (values of an instruction, instructions), (rest_m,rest_n,..))`.
    ///
    /// # Errors
    /// Tiles do not cover it exactly, or the values are no layout in it.
    /// ```
    /// # use girih::gpu::atom::TiledCopy;
    /// # use girih::prelude::*;
    /// let copy = TiledCopy::new(CopyAtom::Universal { bits: 128 }, 16, &layout!((8,4):(4,1)), &layout!((1,8):(0,1)))?;
    /// let all = copy.tidfrg_s(&layout!((128,128):(128,1)))?;
    /// assert_eq!(all, layout!(((4,8),(8,1),(16,4)):((8,128),(1,0),(1024,32))));
    /// let e = copy.tidfrg_s(&layout!((100,128):(128,1))).unwrap_err();
    /// assert_eq!(e.reason, LayoutError::NotDivisible { extent: 100, by: 8 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tidfrg_s(&self, src: &Layout) -> Result<Layout, Error> {
        self.named("tidfrg_s", src, self.tidfrg(Source, src))
    }

    /// [`TiledCopy::tidfrg_s`] with the number of tiles rounded up.
    ///
    /// # Errors
    /// As [`TiledCopy::tidfrg_s`], the overhang excepted.
    /// ```
    /// # use girih::gpu::atom::TiledCopy;
    /// # use girih::prelude::*;
    /// let copy = TiledCopy::new(CopyAtom::Universal { bits: 128 }, 16, &layout!((8,4):(4,1)), &layout!((1,8):(0,1)))?;
    /// let all = copy.tidfrg_s_ceil(&layout!((100,60):(64,1)))?;
    /// assert_eq!(Part::from(all).mask()?.filter(|&real| real).count(), 100 * 60);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tidfrg_s_ceil(&self, src: &Layout) -> Result<Guarded, Error> {
        self.named("tidfrg_s_ceil", src, self.tidfrg_ceil(Source, src))
    }

    /// All of the destination: as [`TiledCopy::tidfrg_s`].
    ///
    /// # Errors
    /// As [`TiledCopy::tidfrg_s`].
    /// ```
    /// # use girih::gpu::atom::TiledCopy;
    /// # use girih::prelude::*;
    /// let copy = TiledCopy::new(CopyAtom::Universal { bits: 32 }, 32, &layout!((32,8):(1,32)), &layout!((1,1):(0,0)))?;
    /// let all = copy.tidfrg_d(&layout!((128,128):(128,1)))?;
    /// assert_eq!(all.mode(0)?, layout!((32,8):(128,1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tidfrg_d(&self, dst: &Layout) -> Result<Layout, Error> {
        self.named("tidfrg_d", dst, self.tidfrg(Destination, dst))
    }

    /// [`TiledCopy::tidfrg_d`] with the number of tiles rounded up.
    ///
    /// # Errors
    /// As [`TiledCopy::tidfrg_s_ceil`].
    /// ```
    /// # use girih::gpu::atom::TiledCopy;
    /// # use girih::prelude::*;
    /// let copy = TiledCopy::new(CopyAtom::Universal { bits: 32 }, 32, &layout!((32,8):(1,32)), &layout!((1,1):(0,0)))?;
    /// let all = copy.tidfrg_d_ceil(&layout!((33,9):(9,1)))?;
    /// assert_eq!(all.layout.shape(), ints!(((32, 8), (1, 1), (2, 2))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tidfrg_d_ceil(&self, dst: &Layout) -> Result<Guarded, Error> {
        self.named("tidfrg_d_ceil", dst, self.tidfrg_ceil(Destination, dst))
    }

    /// `(values, rest_m, rest_n, ..)` of one thread in the source, and the offset of its first value.
    ///
    /// # Errors
    /// As [`TiledCopy::tidfrg_s`]; [`LayoutError::OutOfRange`]: there is no such thread.
    /// ```
    /// # use girih::gpu::atom::TiledCopy;
    /// # use girih::prelude::*;
    /// let copy = TiledCopy::new(CopyAtom::Universal { bits: 128 }, 16, &layout!((8,4):(4,1)), &layout!((1,8):(0,1)))?;
    /// let src = layout!((128,128):(128,1));
    /// let (mine, offset) = copy.partition_s(&src, 31)?;
    /// assert_eq!((mine, offset.value()), (layout!(((8,1),16,4):((1,0),1024,32)), Some(7 * 128 + 24)));
    /// assert_eq!(copy.partition_s(&src, 32).unwrap_err().reason, LayoutError::OutOfRange { index: 32, extent: 32 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn partition_s(&self, src: &Layout, thread: i64) -> Result<(Layout, Bound), Error> {
        self.named("partition_s", src, self.partition(Source, src, thread))
    }

    /// [`TiledCopy::partition_s`] with the number of tiles rounded up.
    ///
    /// # Errors
    /// As [`TiledCopy::partition_s`], the overhang excepted.
    /// ```
    /// # use girih::gpu::atom::TiledCopy;
    /// # use girih::prelude::*;
    /// let copy = TiledCopy::new(CopyAtom::Universal { bits: 128 }, 16, &layout!((8,4):(4,1)), &layout!((1,8):(0,1)))?;
    /// let mine = copy.partition_s_ceil(&layout!((100,64):(64,1)), 31)?; // rows 7, 15, .., 95, and not 103
    /// assert_eq!(mine.mask()?.filter(|&real| real).count(), 12 * 16);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn partition_s_ceil(&self, src: &Layout, thread: i64) -> Result<Part, Error> {
        self.named("partition_s_ceil", src, self.partition_ceil(Source, src, thread))
    }

    /// `(values, rest_m, rest_n, ..)` of one thread in the destination, and the offset of its first value.
    ///
    /// # Errors
    /// As [`TiledCopy::partition_s`].
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledCopy, TiledMma};
    /// # use girih::prelude::*;
    /// let warp = TiledMma::new(MMA, &layout!(1:0))?;
    /// let store = TiledCopy::of_c(CopyAtom::Stmatrix { matrices: 2, transposed: false }, 16, &warp)?;
    /// let (row, offset) = store.partition_d(&layout!((16,8):(8,1)), 9)?; // lane 9 has the address of row 9
    /// assert_eq!((row, offset.value()), (layout!(((8,1),1,1):((1,0),0,0)), Some(72)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn partition_d(&self, dst: &Layout, thread: i64) -> Result<(Layout, Bound), Error> {
        self.named("partition_d", dst, self.partition(Destination, dst, thread))
    }

    /// [`TiledCopy::partition_d`] with the number of tiles rounded up.
    ///
    /// # Errors
    /// As [`TiledCopy::partition_d`], the overhang excepted.
    /// ```
    /// # use girih::gpu::atom::TiledCopy;
    /// # use girih::prelude::*;
    /// let copy = TiledCopy::new(CopyAtom::Universal { bits: 32 }, 32, &layout!((32,8):(1,32)), &layout!((1,1):(0,0)))?;
    /// let mine = copy.partition_d_ceil(&layout!((33,9):(9,1)), 0)?;
    /// assert_eq!(mine.mask()?.collect::<Vec<_>>(), [true; 4]); // (0,0), (32,0), (0,8), (32,8)
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn partition_d_ceil(&self, dst: &Layout, thread: i64) -> Result<Part, Error> {
        self.named("partition_d_ceil", dst, self.partition_ceil(Destination, dst, thread))
    }

    /// Registers for a partition: the values of each instruction compact, then the rest in the order of its strides.
    ///
    /// # Errors
    /// The order of the strides depends on symbols, or the values are coordinates.
    /// ```
    /// # use girih::gpu::atom::TiledCopy;
    /// # use girih::prelude::*;
    /// let copy = TiledCopy::new(CopyAtom::Universal { bits: 128 }, 16, &layout!((8,4):(4,1)), &layout!((1,8):(0,1)))?;
    /// let (mine, _) = copy.partition_s(&layout!((128,128):(128,1)), 31)?;
    /// assert_eq!(copy.fragment(&mine)?, layout!(((8,1),16,4):((1,0),32,8)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fragment(&self, partition: &Layout) -> Result<Layout, Error> {
        fragment("fragment", partition)
    }

    /// A register fragment `(values, rest_m, rest_n, ..)`, of the matrix instruction that the copy was made from, as the source of
    /// this copy: `((values of an instruction, instructions), rest_m, rest_n, ..)`, the shape of the partitions.
    ///
    /// Law: the same registers, and at each coordinate the register of the element that the source's partition has there.
    ///
    /// # Errors
    /// [`LayoutError::SizeMismatch`]: the fragment has not the values of an atom in mode 0; its rest is no whole number of tiles;
    /// [`LayoutError::Swizzled`]: the source is no fragment in registers.
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledCopy, TiledMma};
    /// # use girih::prelude::*;
    /// let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?.permuted(&tiler![_, 32])?;
    /// let store = TiledCopy::of_c(CopyAtom::Stmatrix { matrices: 4, transposed: false }, 16, &warps)?;
    /// let sums = warps.fragment_c(&warps.partition_c(&layout!((64,64):(64,1)), 0)?.0)?;
    /// assert_eq!(sums, layout!(((2,2),2,4):((1,2),4,8)));
    /// // two atoms, neighbours along N, are stored at once
    /// assert_eq!(store.retile_s(&sums)?, layout!((((4,2),1),2,2):(((1,8),0),4,16)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn retile_s(&self, fragment: &Layout) -> Result<Layout, Error> {
        self.retile("retile_s", &self.atom.src(), fragment)
    }

    /// As [`TiledCopy::retile_s`], as the destination.
    ///
    /// # Errors
    /// As [`TiledCopy::retile_s`].
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledCopy, TiledMma};
    /// # use girih::prelude::*;
    /// let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?.permuted(&tiler![_, 32])?;
    /// let load = TiledCopy::of_b(CopyAtom::Ldmatrix { matrices: 4, transposed: false }, &warps)?;
    /// let b = warps.fragment_b(&warps.partition_b(&layout!((64,32):(32,1)), 0)?.0)?;
    /// assert_eq!(b, layout!(((2,2),4,2):((1,2),8,4)));
    /// assert_eq!(load.retile_d(&b)?, layout!((((4,2),1),2,2):(((1,8),0),16,4)));
    /// assert!(load.retile_s(&b).is_err()); // its source is shared memory
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn retile_d(&self, fragment: &Layout) -> Result<Layout, Error> {
        self.retile("retile_d", &self.atom.dst(), fragment)
    }

    fn retile(&self, op: &'static str, side: &Layout, fragment: &Layout) -> Result<Layout, Error> {
        let view = || {
            if *side != self.atom.reference() {
                let why = "this side of the copy is no fragment in registers: retile the other one";
                return Err(LayoutError::Swizzled { why });
            }
            let given = fragment.mode(0)?.size()?;
            let all = self.tv.mode(1)?.size()?;
            let right = self.held.get(0)?.value().ok_or(LayoutError::Undecided)?;
            let held = match given {
                _ if given == right => self.held,
                // of the copy itself
                _ if given == all => one_of(all, &self.tile)?,
                left => return Err(LayoutError::SizeMismatch { left, right }),
            };
            let tiles = fragment.zipped_divide(&Tiler::shape(&held)?).map_err(|e| e.reason)?;
            let of_atom = self.in_values(side).map_err(|e| e.reason)?.mode(1)?.size()?;
            let shape = IntTuple::flat(&[of_atom, all / of_atom])?;
            let values = tiles.mode(0)?.with_shape(&shape).map_err(|e| e.reason)?;
            tiles.mode(1)?.replace(0, &values)
        };
        view().map_err(|e| Error::with_tiler(op, fragment, &self.tiler, e))
    }

    /// A layout of the atom in values.
    fn in_values(&self, bits: &Layout) -> Result<Layout, Error> {
        bits.recast(1, self.bits as i64)
    }

    fn layout_side_tv(&self, side: Side) -> Result<Layout, Error> {
        let tile = Layout::column_major(&self.tile)?;
        Ok(self.tidfrg(side, &tile)?.take(0, 2)?)
    }

    fn tidfrg(&self, side: Side, l: &Layout) -> Result<Layout, Error> {
        self.share(side, &l.zipped_divide(&self.tiler)?)
    }

    fn tidfrg_ceil(&self, side: Side, l: &Layout) -> Result<Guarded, Error> {
        guarded(l.zipped_divide_ceil(&self.tiler)?, |tiles| self.share(side, tiles))
    }

    /// `(tile, rest)` to `(threads, values, rest)`.
    fn share(&self, side: Side, tiles: &Layout) -> Result<Layout, Error> {
        let reference = self.in_values(&self.atom.reference())?;
        let side = self.in_values(&match side {
            Source => self.atom.src(),
            Destination => self.atom.dst(),
        })?;
        let atom = extents([&reference.mode(0)?, &reference.mode(1)?])?;
        let atoms = self.tv.zipped_divide(&Tiler::shape(&IntTuple::flat(&atom)?)?)?;
        let moved = atoms.mode(0)?.compose(&reference.right_inverse()?.compose(&side)?)?;
        // (threads, values) of (atom, atoms)
        let tv = moved.zip(&atoms.mode(1)?)?.coalesce_by_mode(&ints!((1, (1, 1))))?;
        let shared = tiles.mode(0)?.compose(&tv)?;
        Ok(Layout::tuple(&[shared.mode(0)?, shared.mode(1)?, tiles.mode(1)?])?)
    }

    fn partition(&self, side: Side, l: &Layout, thread: i64) -> Result<(Layout, Bound), Error> {
        Ok(at_thread(&thread.into(), &self.tidfrg(side, l)?)?)
    }

    fn partition_ceil(&self, side: Side, l: &Layout, thread: i64) -> Result<Part, Error> {
        Part::from(self.tidfrg_ceil(side, l)?).narrow(|all| Ok(at_thread(&thread.into(), all)?))
    }

    /// The error with the operands.
    fn named<T>(&self, op: &'static str, l: &Layout, r: Result<T, Error>) -> Result<T, Error> {
        r.map_err(|e| Error::with_tiler(op, l, &self.tiler, e.reason))
    }
}

/// `(values, 1, 1, ..)`: the fragment of a tile that is not divided by modes.
fn one_of(values: i64, tile: &IntTuple) -> Result<IntTuple, LayoutError> {
    let mut held = vec![1; 1 + tile.rank()];
    held[0] = values;
    IntTuple::flat(&held)
}

fn in_registers(operand: char, source: Operand) -> Result<(), TiledError> {
    match source {
        Operand::Registers => Ok(()),
        Operand::Shared(_) => Err(TiledError::Shared { operand }),
    }
}

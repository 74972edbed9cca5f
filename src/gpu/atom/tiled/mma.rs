//! A matrix instruction laid over threads.

use super::super::{MmaAtom, Source};
use super::{TiledError, at_thread, fragment, guarded};
use crate::algebra::{Guarded, Part, prove, thread};
use crate::layout;
use crate::layout::{Bound, Error, IntTuple, Layout, LayoutError, Tiler};

/// A matrix instruction, repeated over threads and over the values of a thread: how the operands of a tile M x N x K, and of any
/// larger tensors, are shared out.
///
/// Threads are numbered through [`thr_layout_vmnk`](TiledMma::thr_layout_vmnk): place V in the atom, atom at (M,N,K). A tile
/// holds one atom of each thread, or several by a [permutation](TiledMma::permuted). Operands are layouts A `(M,K,..)`,
/// B `(N,K,..)` and C `(M,N,..)`; modes beyond the second are kept.
///
/// | to | use | result |
/// |---|---|---|
/// | see who holds what in a tile | `layout_a_tv` | `(thread, value)` to the coordinate in the tile |
/// | share out a tensor among all threads | `thrfrg_a` | `((V,(M,K)), (values,(rest_m,rest_k)))` |
/// | take one thread's part | `partition_a` | `(values, rest_m, rest_k)` and its offset |
/// | keep it in registers | `fragment_a` | the same shape, compact |
///
/// Strict: tiles cover the tensor exactly. The `_ceil` forms round up and return the guard.
/// ```
/// use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledMma};
/// use girih::prelude::*;
/// let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?.permuted(&tiler![32, 32, 16])?;
/// assert_eq!((warps.threads(), warps.tile_shape()), (128, ints!((32, 32, 16))));
/// // each thread has the four values of an atom, twice along N
/// let tv = warps.layout_c_tv()?;
/// assert_eq!(tv, layout!(((4,8,2,2),((2,2),(1,2))):((64,1,16,256),((32,8),(0,512)))));
/// assert!(prove::bijective(&tv, 32 * 32).proved().is_some());
///
/// let c = layout!((128,128):(128,1));
/// let (mine, offset) = warps.partition_c(&c, 37)?; // in warp 1, which is the second along M
/// assert_eq!((mine, offset.value()), (layout!(((2,2),4,8):((1,1024),4096,16)), Some(17 * 128 + 2)));
/// assert_eq!(warps.fragment_c(&mine)?, layout!(((2,2),4,8):((1,2),4,16)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
/// Swizzled layouts, tensors in memory and parts of them are partitioned through their `narrow`:
/// ```
/// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledMma};
/// # use girih::prelude::*;
/// # let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?;
/// let smem = layout!((128,64):(64,1)).swizzled(&Swizzle::new(3, 3, 3)?)?;
/// let (mine, _) = smem.narrow(|l| warps.partition_a(l, 37))?;
/// assert_eq!(mine.at_crd(&ints!((1, 2, 3)))?, smem.at_coord([17 + 64, 3 + 48])?);
///
/// let mut c = Tensor::filled(layout!((64,32):(32,1)), 0)?;
/// c.view_mut().narrow(|l| warps.partition_c(l, 37))?.fill(1);
/// assert_eq!(c.iter().sum::<i32>(), 64 * 32 / 128);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
/// [`Drawing::tv`](crate::layout::Drawing::tv) shows a thread-value layout over its tile:
/// ```
/// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledMma};
/// # use girih::prelude::*;
/// # let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?;
/// let picture = Drawing::tv(&warps.layout_c_tv()?, &ints!((32, 16)))?.title("C of four warps").svg();
/// assert!(picture.contains("T127"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TiledMma {
    atom: MmaAtom,
    /// (V,M,N,K) to the thread
    vmnk: Layout,
    threads: i64,
    /// of M, N and K; each a bijection onto a multiple of the threads' atoms
    permutation: [Layout; 3],
    /// the sizes of these
    tile: [i64; 3],
}

/// An operand: the modes of (M,N,K) that it has, and the names of its operations.
#[derive(Clone, Copy)]
struct Operand {
    axes: [usize; 2],
    tv: fn(&MmaAtom) -> Layout,
    partition: &'static str,
    thrfrg: &'static str,
}

const A: Operand = Operand { axes: [0, 2], tv: MmaAtom::a, partition: "partition_a", thrfrg: "thrfrg_a" };
const B: Operand = Operand { axes: [1, 2], tv: MmaAtom::b, partition: "partition_b", thrfrg: "thrfrg_b" };
const C: Operand = Operand { axes: [0, 1], tv: MmaAtom::c, partition: "partition_c", thrfrg: "thrfrg_c" };

impl TiledMma {
    /// `atom` laid over threads: `threads` is the layout of the atoms by (M,N,K), trailing modes may be left out. With `1:0` the
    /// tile is the atom.
    ///
    /// # Errors
    /// [`TiledError::Threads`]: more than three modes, or two places with the same thread.
    /// ```
    /// # use girih::gpu::atom::{NumericType, SM80_16x8x16_F32F16F16F32_TN as MMA, TiledMma};
    /// # use girih::prelude::*;
    /// assert_eq!(TiledMma::new(MMA, &layout!((4,2):(1,4)))?.tile_shape(), ints!((64, 16, 16)));
    /// // without matrix instructions: 256 threads with one product each
    /// let fma = MmaAtom::fma(NumericType::F32).ok_or("no such atom")?;
    /// let simt = TiledMma::new(fma, &layout!((16,16):(16,1)))?;
    /// assert_eq!((simt.threads(), simt.tile_shape()), (256, ints!((16, 16, 1))));
    /// assert_eq!(
    ///     TiledMma::new(MMA, &layout!((2,2):(1,1))).unwrap_err().to_string(),
    ///     "atoms are laid over threads by (M,N,K), each place to its own thread; (2,2):(1,1): \
    ///      coordinates 1 and 2 have the same value"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(atom: MmaAtom, threads: &Layout) -> Result<TiledMma, TiledError> {
        let refused = |reason| TiledError::Threads { layout: *threads, reason };
        let atoms = threads.pad_rank(3).map_err(refused)?;
        if let Some(prove::Counterexample::Twice { j, i, .. }) =
            prove::injective(&atoms).refuted().map(|r| r.counterexample)
        {
            return Err(refused(LayoutError::NotInjective { first: j, second: i }));
        }
        let placed = atom.thr().logical_product(&atoms).map_err(|e| refused(e.reason))?;
        let modes = placed.mode(1)?;
        let vmnk = Layout::tuple(&[placed.mode(0)?, modes.mode(0)?, modes.mode(1)?, modes.mode(2)?])?;
        thread(&vmnk, 0).map_err(refused)?;
        let mut mma = TiledMma { atom, vmnk, threads: vmnk.size()?, permutation: [layout!(1:0); 3], tile: [1; 3] };
        for axis in 0..3 {
            mma.tile[axis] = mma.covered(axis)?;
            mma.permutation[axis] = Layout::new(&mma.tile[axis].into(), &1.into())?;
        }
        Ok(mma)
    }

    /// The same with larger or permuted tiles: each mode of the by-mode tiler is the size of the tile (a multiple of what one
    /// atom of each thread covers) or a layout that permutes `0..size`: where place `i` of the threads' atoms lies in the tile.
    /// `_` and modes left out stay as they are.
    ///
    /// With `(8,2,2):(1,16,8)` along N two warps take 8 columns each, not in turn but the second 16 columns on, so that the 16
    /// columns of one warp are neighbours.
    ///
    /// # Errors
    /// [`TiledError::Permutation`]: no permutation of a multiple of the threads' atoms; the tiler is nested, or of more than
    /// three modes.
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledMma};
    /// # use girih::prelude::*;
    /// let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?;
    /// let neighbours = warps.permuted(&tiler![_, (8,2,2):(1,16,8)])?;
    /// assert_eq!(neighbours.tile_shape(), ints!((32, 32, 16)));
    /// // the first value of warp 2, then of the next atom of warp 0: columns 16 and 8
    /// let tv = neighbours.layout_c_tv()?;
    /// assert_eq!((tv.at_crd(&ints!((64, 0)))?, tv.at_crd(&ints!((0, 4)))?), (16 * 32, 8 * 32));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn permuted(mut self, tiler: &Tiler) -> Result<TiledMma, TiledError> {
        if tiler.rank() > 3 {
            return Err(LayoutError::RankTooHigh { rank: tiler.rank(), of: 3 }.into());
        }
        for axis in 0..tiler.rank() {
            let mode = tiler.mode(axis)?;
            if !mode.is_leaf() {
                return Err(LayoutError::Incongruent { leaf: axis }.into());
            }
            let Some(permutation) = mode.get(0)? else { continue };
            let of = self.covered(axis)?;
            let size = permutation.size()?;
            if size % of != 0 || prove::bijective(&permutation, size).proved().is_none() {
                return Err(TiledError::Permutation { mode: ['M', 'N', 'K'][axis], tiler: permutation, of });
            }
            (self.permutation[axis], self.tile[axis]) = (permutation, size);
        }
        Ok(self)
    }

    /// What one atom of each thread covers.
    fn covered(&self, axis: usize) -> Result<i64, LayoutError> {
        let (atom, atoms) = (self.extent(axis)?, self.vmnk.mode(1 + axis)?.size()?);
        atom.checked_mul(atoms).ok_or(LayoutError::Overflow)
    }

    /// M, N or K of the atom.
    fn extent(&self, axis: usize) -> Result<i64, LayoutError> {
        self.atom.shape().get(axis)?.value().ok_or(LayoutError::Undecided)
    }

    /// The instruction.
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledMma};
    /// # use girih::prelude::*;
    /// assert_eq!(TiledMma::new(MMA, &layout!(1:0))?.atom(), MMA);
    /// # Ok::<(), girih::gpu::atom::TiledError>(())
    /// ```
    pub const fn atom(&self) -> MmaAtom {
        self.atom
    }

    /// (V,M,N,K) to the thread: V is the place in the atom, the others are those of the atoms.
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledMma};
    /// # use girih::prelude::*;
    /// let warps = TiledMma::new(MMA, &layout!((2,2):(2,1)))?; // warp 1 is the second along N
    /// assert_eq!(warps.thr_layout_vmnk(), layout!((32,2,2,1):(1,64,32,0)));
    /// # Ok::<(), girih::gpu::atom::TiledError>(())
    /// ```
    pub const fn thr_layout_vmnk(&self) -> Layout {
        self.vmnk
    }

    /// How many threads there are.
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledMma};
    /// # use girih::prelude::*;
    /// assert_eq!(TiledMma::new(MMA, &layout!((2,2):(1,2)))?.threads(), 128);
    /// # Ok::<(), girih::gpu::atom::TiledError>(())
    /// ```
    pub const fn threads(&self) -> i64 {
        self.threads
    }

    /// M, N and K of a tile.
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledMma};
    /// # use girih::prelude::*;
    /// assert_eq!(TiledMma::new(MMA, &layout!((2,4):(1,2)))?.tile_shape(), ints!((32, 32, 16)));
    /// # Ok::<(), girih::gpu::atom::TiledError>(())
    /// ```
    pub const fn tile_shape(&self) -> IntTuple {
        crate::literal(IntTuple::flat(&self.tile))
    }

    /// (thread, value) to the coordinate in the tile of A, M x K; warps along N hold the same.
    ///
    /// # Errors
    /// Threads are not numbered `0..n`: then there is no layout from their numbers.
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledMma};
    /// # use girih::prelude::*;
    /// let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?;
    /// let tv = warps.layout_a_tv()?; // warps 2 and 3 hold what 0 and 1 do
    /// assert_eq!(tv, layout!(((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn layout_a_tv(&self) -> Result<Layout, Error> {
        self.layout_tv(A)
    }

    /// All of a layout `(M,K,..)` as `((V,(M,K)), (values,(rest_m,rest_k,..)))`: places in the atom and atoms of threads, then the values of
    /// an atom and what each thread repeats.
    ///
    /// # Errors
    /// Tiles do not cover it exactly, or the values of an atom in it are no layout.
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledMma};
    /// # use girih::prelude::*;
    /// let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?;
    /// let all = warps.thrfrg_a(&layout!((128,64):(64,1)))?;
    /// assert_eq!(all, layout!((((4,8),(2,1)),((2,2,2),(4,4))):(((2,64),(1024,0)),((1,512,8),(2048,16)))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn thrfrg_a(&self, a: &Layout) -> Result<Layout, Error> {
        self.named(A, A.thrfrg, a, self.thrfrg(A, a))
    }

    /// [`TiledMma::thrfrg_a`] with the number of tiles rounded up.
    ///
    /// # Errors
    /// As [`TiledMma::thrfrg_a`], the overhang excepted.
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledMma};
    /// # use girih::prelude::*;
    /// let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?;
    /// let all = warps.thrfrg_a_ceil(&layout!((100,60):(60,1)))?;
    /// assert_eq!(all.layout.size()?, 128 * 64);
    /// assert_eq!(Part::from(all).mask()?.filter(|&real| real).count(), 100 * 60);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn thrfrg_a_ceil(&self, a: &Layout) -> Result<Guarded, Error> {
        self.named(A, "thrfrg_a_ceil", a, self.thrfrg_ceil(A, a))
    }

    /// `(values, rest_m, rest_k, ..)` of one thread, and the offset of its first value.
    ///
    /// # Errors
    /// As [`TiledMma::thrfrg_a`]; [`LayoutError::NotAValue`]: there is no such thread.
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledMma};
    /// # use girih::prelude::*;
    /// let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?;
    /// let (mine, offset) = warps.partition_a(&layout!((128,64):(64,1)), 37)?;
    /// assert_eq!((mine, offset.value()), (layout!(((2,2,2),4,4):((1,512,8),2048,16)), Some(17 * 64 + 2)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn partition_a(&self, a: &Layout, thread: i64) -> Result<(Layout, Bound), Error> {
        let mine = self.thrfrg(A, a).and_then(|all| Ok(self.mine(A, &all, thread)?));
        self.named(A, A.partition, a, mine)
    }

    /// [`TiledMma::partition_a`] with the number of tiles rounded up.
    ///
    /// # Errors
    /// As [`TiledMma::partition_a`], the overhang excepted.
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledMma};
    /// # use girih::prelude::*;
    /// let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?;
    /// let mine = warps.partition_a_ceil(&layout!((100,60):(60,1)), 37)?; // rows 17, 25, 49, 57, 81, 89
    /// assert_eq!(mine.mask()?.filter(|&real| real).count(), 6 * 16);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn partition_a_ceil(&self, a: &Layout, thread: i64) -> Result<Part, Error> {
        let all = self.thrfrg_ceil(A, a);
        let mine = all.and_then(|all| Part::from(all).narrow(|l| Ok(self.mine(A, l, thread)?)));
        self.named(A, "partition_a_ceil", a, mine)
    }

    /// Registers for a partition of A: the values of an atom, then the rest in the order of its strides. For an operand in shared
    /// memory one descriptor stands for all values of an atom.
    ///
    /// # Errors
    /// The order of the strides depends on symbols, or the values are coordinates.
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledMma};
    /// # use girih::prelude::*;
    /// let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?;
    /// let (mine, _) = warps.partition_a(&layout!((128,64):(64,1)), 37)?;
    /// assert_eq!(warps.fragment_a(&mine)?, layout!(((2,2,2),4,4):((1,2,4),32,8))); // along K first, as in memory
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fragment_a(&self, partition: &Layout) -> Result<Layout, Error> {
        factor("fragment_a", self.atom.source_a(), partition)
    }

    /// (thread, value) to the coordinate in the tile of B, N x K; warps along M hold the same.
    ///
    /// # Errors
    /// Threads are not numbered `0..n`: then there is no layout from their numbers.
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledMma};
    /// # use girih::prelude::*;
    /// let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?;
    /// assert_eq!(warps.layout_b_tv()?, layout!(((4,8,2,2),((2,2),(1,1))):((32,1,0,8),((16,128),(0,0)))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn layout_b_tv(&self) -> Result<Layout, Error> {
        self.layout_tv(B)
    }

    /// All of a layout `(N,K,..)` as `((V,(N,K)), (values,(rest_n,rest_k,..)))`: places in the atom and atoms of threads, then the values of
    /// an atom and what each thread repeats.
    ///
    /// # Errors
    /// Tiles do not cover it exactly, or the values of an atom in it are no layout.
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledMma};
    /// # use girih::prelude::*;
    /// let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?;
    /// let all = warps.thrfrg_b(&layout!((128,64):(64,1)))?;
    /// assert_eq!(all, layout!((((4,8),(2,1)),((2,2),(8,4))):(((2,64),(512,0)),((1,8),(1024,16)))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn thrfrg_b(&self, b: &Layout) -> Result<Layout, Error> {
        self.named(B, B.thrfrg, b, self.thrfrg(B, b))
    }

    /// [`TiledMma::thrfrg_b`] with the number of tiles rounded up.
    ///
    /// # Errors
    /// As [`TiledMma::thrfrg_b`], the overhang excepted.
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledMma};
    /// # use girih::prelude::*;
    /// let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?;
    /// let all = warps.thrfrg_b_ceil(&layout!((100,60):(60,1)))?;
    /// assert_eq!(Part::from(all).mask()?.filter(|&real| real).count(), 100 * 60);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn thrfrg_b_ceil(&self, b: &Layout) -> Result<Guarded, Error> {
        self.named(B, "thrfrg_b_ceil", b, self.thrfrg_ceil(B, b))
    }

    /// `(values, rest_n, rest_k, ..)` of one thread, and the offset of its first value.
    ///
    /// # Errors
    /// As [`TiledMma::thrfrg_b`]; [`LayoutError::NotAValue`]: there is no such thread.
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledMma};
    /// # use girih::prelude::*;
    /// let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?;
    /// let (mine, offset) = warps.partition_b(&layout!((128,64):(64,1)), 69)?; // in warp 2, the second along N
    /// assert_eq!((mine, offset.value()), (layout!(((2,2),8,4):((1,8),1024,16)), Some(9 * 64 + 2)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn partition_b(&self, b: &Layout, thread: i64) -> Result<(Layout, Bound), Error> {
        let mine = self.thrfrg(B, b).and_then(|all| Ok(self.mine(B, &all, thread)?));
        self.named(B, B.partition, b, mine)
    }

    /// [`TiledMma::partition_b`] with the number of tiles rounded up.
    ///
    /// # Errors
    /// As [`TiledMma::partition_b`], the overhang excepted.
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledMma};
    /// # use girih::prelude::*;
    /// let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?;
    /// let mine = warps.partition_b_ceil(&layout!((100,60):(60,1)), 69)?; // rows 9, 25, .., 89
    /// assert_eq!(mine.mask()?.filter(|&real| real).count(), 6 * 16);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn partition_b_ceil(&self, b: &Layout, thread: i64) -> Result<Part, Error> {
        let all = self.thrfrg_ceil(B, b);
        let mine = all.and_then(|all| Part::from(all).narrow(|l| Ok(self.mine(B, l, thread)?)));
        self.named(B, "partition_b_ceil", b, mine)
    }

    /// Registers for a partition of B: as [`TiledMma::fragment_a`].
    ///
    /// # Errors
    /// As [`TiledMma::fragment_a`].
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledMma};
    /// # use girih::prelude::*;
    /// let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?;
    /// let (mine, _) = warps.partition_b(&layout!((128,64):(64,1)), 0)?;
    /// assert_eq!(warps.fragment_b(&mine)?, layout!(((2,2),8,4):((1,2),16,4)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fragment_b(&self, partition: &Layout) -> Result<Layout, Error> {
        factor("fragment_b", self.atom.source_b(), partition)
    }

    /// (thread, value) to the coordinate in the tile of C, M x N.
    ///
    /// # Errors
    /// Threads are not numbered `0..n`: then there is no layout from their numbers.
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledMma};
    /// # use girih::prelude::*;
    /// let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?;
    /// assert_eq!(warps.layout_c_tv()?, layout!(((4,8,2,2),((2,2),(1,1))):((64,1,16,256),((32,8),(0,0)))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn layout_c_tv(&self) -> Result<Layout, Error> {
        self.layout_tv(C)
    }

    /// All of a layout `(M,N,..)` as `((V,(M,N)), (values,(rest_m,rest_n,..)))`: places in the atom and atoms of threads, then the values of
    /// an atom and what each thread repeats.
    ///
    /// # Errors
    /// Tiles do not cover it exactly, or the values of an atom in it are no layout.
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledMma};
    /// # use girih::prelude::*;
    /// let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?;
    /// let all = warps.thrfrg_c(&layout!((128,128):(128,1)))?;
    /// assert_eq!(all, layout!((((4,8),(2,2)),((2,2),(4,8))):(((2,128),(2048,8)),((1,1024),(4096,16)))));
    /// let e = warps.thrfrg_c(&layout!((100,128):(128,1))).unwrap_err();
    /// assert_eq!(e.reason, LayoutError::NotDivisible { extent: 100, by: 32 });
    /// assert!(e.to_string().ends_with("32 does not divide 100; the _ceil form rounds up and returns the guard"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn thrfrg_c(&self, c: &Layout) -> Result<Layout, Error> {
        self.named(C, C.thrfrg, c, self.thrfrg(C, c))
    }

    /// [`TiledMma::thrfrg_c`] with the number of tiles rounded up.
    ///
    /// # Errors
    /// As [`TiledMma::thrfrg_c`], the overhang excepted.
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledMma};
    /// # use girih::prelude::*;
    /// let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?;
    /// let all = warps.thrfrg_c_ceil(&layout!((100,60):(60,1)))?;
    /// assert_eq!(Part::from(all).mask()?.filter(|&real| real).count(), 100 * 60);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn thrfrg_c_ceil(&self, c: &Layout) -> Result<Guarded, Error> {
        self.named(C, "thrfrg_c_ceil", c, self.thrfrg_ceil(C, c))
    }

    /// `(values, rest_m, rest_n, ..)` of one thread, and the offset of its first value.
    ///
    /// # Errors
    /// As [`TiledMma::thrfrg_c`]; [`LayoutError::NotAValue`]: there is no such thread.
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledMma};
    /// # use girih::prelude::*;
    /// let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?;
    /// let c = layout!((128,128):(128,1));
    /// let (mine, offset) = warps.partition_c(&c, 37)?;
    /// assert_eq!((mine, offset.value()), (layout!(((2,2),4,8):((1,1024),4096,16)), Some(17 * 128 + 2)));
    /// assert_eq!(warps.partition_c(&c, 128).unwrap_err().reason, LayoutError::NotAValue { value: 128 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn partition_c(&self, c: &Layout, thread: i64) -> Result<(Layout, Bound), Error> {
        let mine = self.thrfrg(C, c).and_then(|all| Ok(self.mine(C, &all, thread)?));
        self.named(C, C.partition, c, mine)
    }

    /// [`TiledMma::partition_c`] with the number of tiles rounded up.
    ///
    /// # Errors
    /// As [`TiledMma::partition_c`], the overhang excepted.
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledMma};
    /// # use girih::prelude::*;
    /// let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?;
    /// let mine = warps.partition_c_ceil(&layout!((100,60):(60,1)), 37)?;
    /// assert_eq!(mine.coord_at(0)?, ints!((17, 2)));
    /// assert_eq!(mine.mask()?.filter(|&real| real).count(), 6 * 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn partition_c_ceil(&self, c: &Layout, thread: i64) -> Result<Part, Error> {
        let all = self.thrfrg_ceil(C, c);
        let mine = all.and_then(|all| Part::from(all).narrow(|l| Ok(self.mine(C, l, thread)?)));
        self.named(C, "partition_c_ceil", c, mine)
    }

    /// Registers for a partition of C: compact, leftmost mode fastest. Its layout need not be known, only its shape.
    ///
    /// # Errors
    /// Overflow.
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledMma};
    /// # use girih::prelude::*;
    /// let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?;
    /// let (mine, _) = warps.partition_c(&Layout::parse("(128,128):(?ldc,1)")?, 37)?;
    /// assert_eq!(warps.fragment_c(&mine)?, layout!(((2,2),4,8):((1,2),4,16)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fragment_c(&self, partition: &Layout) -> Result<Layout, Error> {
        Layout::column_major(&partition.shape()).map_err(|e| Error::unary("fragment_c", partition, e))
    }

    fn layout_tv(&self, of: Operand) -> Result<Layout, Error> {
        let [rows, cols] = of.axes;
        let tile = Layout::column_major(&IntTuple::flat(&[self.tile[rows], self.tile[cols]])?)?;
        let all = self.thrfrg(of, &tile)?;
        let held = all.mode(0)?;
        // along the mode that the operand lacks, threads hold the same
        let mut vmnk = [held.mode(0)?, layout!(1:0), layout!(1:0), layout!(1:0)];
        for axis in 0..3 {
            vmnk[1 + axis] = match of.axes.iter().position(|&a| a == axis) {
                Some(mode) => held.mode(1)?.mode(mode)?,
                None => Layout::new(&self.vmnk.mode(1 + axis)?.size()?.into(), &0.into())?,
            };
        }
        let place = self.vmnk.right_inverse()?;
        if place.size()? < self.threads {
            let missing = LayoutError::NotAValue { value: place.size()? };
            return Err(Error::unary("layout_tv", &self.vmnk, missing));
        }
        Ok(Layout::tuple(&[Layout::tuple(&vmnk)?.compose(&place)?, all.mode(1)?])?)
    }

    fn thrfrg(&self, of: Operand, l: &Layout) -> Result<Layout, Error> {
        let [rows, cols] = of.axes;
        let tile = Tiler::flat(&[self.permutation[rows], self.permutation[cols]])?;
        let atom = Tiler::shape(&IntTuple::flat(&[self.extent(rows)?, self.extent(cols)?])?)?;
        let threads = [self.vmnk.mode(1 + rows)?.size()?, self.vmnk.mode(1 + cols)?.size()?];
        let atoms = l.logical_divide_by_mode(&tile)?.zipped_divide(&atom)?;
        let inside = atoms.mode(0)?.compose(&(of.tv)(&self.atom))?;
        let across = atoms.mode(1)?.zipped_divide(&Tiler::shape(&IntTuple::flat(&threads)?)?)?;
        Ok(inside.zip(&across)?)
    }

    fn thrfrg_ceil(&self, of: Operand, l: &Layout) -> Result<Guarded, Error> {
        guarded(l.logical_divide_by_mode_ceil(&self.tiler(of)?)?, |l| self.thrfrg(of, l))
    }

    /// The part of one thread in what `thrfrg` gives.
    fn mine(&self, of: Operand, all: &Layout, index: i64) -> Result<(Layout, Bound), LayoutError> {
        let (_, vmnk) = thread(&self.vmnk, index)?;
        let [rows, cols] = of.axes;
        let atom = IntTuple::tuple(&[vmnk.mode(1 + rows)?, vmnk.mode(1 + cols)?])?;
        let (threads, values) = (all.mode(0)?, all.mode(1)?);
        let all = Layout::tuple(&[threads, values.mode(0)?, values.mode(1)?])?;
        at_thread(&IntTuple::tuple(&[vmnk.mode(0)?, atom])?, &all)
    }

    /// The tile of an operand as a tiler.
    fn tiler(&self, of: Operand) -> Result<Tiler, LayoutError> {
        Tiler::shape(&IntTuple::flat(&of.axes.map(|axis| self.tile[axis]))?)
    }

    /// The error with the operands.
    fn named<T>(&self, of: Operand, op: &'static str, l: &Layout, r: Result<T, Error>) -> Result<T, Error> {
        r.map_err(|e| match self.tiler(of) {
            Ok(tile) => Error::with_tiler(op, l, &tile, e.reason),
            Err(_) => e,
        })
    }
}

/// Registers of a factor, or its descriptors.
fn factor(op: &'static str, source: Source, partition: &Layout) -> Result<Layout, Error> {
    match source {
        Source::Registers => fragment(op, partition),
        Source::Shared(_) => fragment(op, &partition.replace(0, &layout!(1:0))?),
    }
}

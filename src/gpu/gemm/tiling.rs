//! How the work is cut.

use super::GemmError;
use super::skeleton::MOST;
use crate::gpu::kernel::shared_limit;
use crate::gpu::ptx::Target;

/// Tile sizes, warps and stages: all that is chosen of a kernel beside its types and orders.
///
/// With a column-major C the kernel computes the transposed product, and what is said of m and n is of the other.
///
/// A block computes a tile of C of `tile[0] x tile[1]` and walks through k by `tile[2]`; its warps lie `warps[0] x warps[1]` over
/// the tile, each with 64 x 64 of it. `stages` tiles of A and B are under way in shared memory, and `group` tiles along m follow
/// each other before the next along n, to share B in the L2 cache.
/// ```
/// use girih::gpu::gemm::Tiling;
/// assert_eq!(Tiling::SIMT.threads(), 256);
/// assert_eq!(Tiling { warps: [2, 2], tile: [128, 128, 8], ..Tiling::SIMT }.threads(), 128);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tiling {
    /// of C's rows, C's columns and k
    pub tile: [i64; 3],
    /// along m and along n
    pub warps: [i64; 2],
    /// 2 to 16; fewer are used where the target has no shared memory for these, and two where vectors along k are held in registers
    /// (f32, rows of A and B aligned to 16 bytes)
    pub stages: i64,
    /// 1 to 1024
    pub group: i64,
    /// that fit on a multiprocessor together, at least: 1 to 32
    pub blocks: u32,
}

/// Rows and columns of a warp's part of C.
pub(super) const WARP_TILE: i64 = 64;

impl Tiling {
    /// For `fma` of f32: 128 x 256 x 8, four stages. docs/performance.md has what it reaches.
    /// ```
    /// # use girih::gpu::gemm::Tiling;
    /// assert_eq!(Tiling::SIMT.tile, [128, 256, 8]);
    /// ```
    pub const SIMT: Tiling = Tiling { tile: [128, 256, 8], warps: [2, 4], stages: 4, group: 8, blocks: 1 };

    /// For `mma.sync` of elements of so many bits: 128 x 256 and 128 bytes of k in four stages, or 64 bytes where shared memory has no
    /// room for these. docs/performance.md has what it reaches.
    /// ```
    /// # use girih::gpu::{gemm::Tiling, ptx::Target};
    /// assert_eq!(Tiling::mma(16, Target::SM_90A).tile, [128, 256, 64]);
    /// assert_eq!(Tiling::mma(16, Target::SM_80).tile, [128, 256, 32]);
    /// ```
    pub const fn mma(bits: i64, target: Target) -> Tiling {
        // both operands, and their padding
        let stage = (128 + 256 + 64) * 128;
        let shallow = Tiling::shallow(bits);
        if 4 * stage > shared_limit(target) {
            return shallow;
        }
        let [m, n, k] = shallow.tile;
        Tiling { tile: [m, n, 2 * k], stages: 4, ..shallow }
    }

    /// For `mma.sync` of elements of so many bits, with 64 bytes of k in five stages.
    /// ```
    /// # use girih::gpu::gemm::Tiling;
    /// assert_eq!(Tiling::shallow(8).tile, [128, 256, 64]);
    /// ```
    pub const fn shallow(bits: i64) -> Tiling {
        let bits = if bits < 8 { 8 } else { bits };
        Tiling { tile: [128, 256, 512 / bits], warps: [2, 4], stages: 5, group: 8, blocks: 1 }
    }

    /// Threads of a block.
    /// ```
    /// # use girih::gpu::gemm::Tiling;
    /// assert_eq!(Tiling::SIMT.threads(), 256);
    /// ```
    pub const fn threads(&self) -> i64 {
        self.warps[0].saturating_mul(self.warps[1]).saturating_mul(32)
    }

    /// The sizes go together; `slice` is the depth of one step of a core.
    pub(super) fn check(&self, slice: i64) -> Result<(), GemmError> {
        let ([m, n, k], [wm, wn]) = (self.tile, self.warps);
        let refuse = |why| Err(GemmError::Tiling { tiling: *self, why });
        if !(1..=32).contains(&wm) || !(1..=32).contains(&wn) || self.threads() > 1024 {
            return refuse("a block has 1 to 32 warps");
        }
        if m != wm * WARP_TILE || n != wn * WARP_TILE {
            return refuse("each warp computes 64 x 64 of the tile");
        }
        if k < 2 * slice || k % (2 * slice) != 0 || k > 4096 {
            return refuse(
                "k is cut into an even number of steps, as fragments are read one step ahead into the other half",
            );
        }
        if !(2..=16).contains(&self.stages) {
            return refuse("2 to 16 stages");
        }
        if !(1..=1024).contains(&self.group) {
            return refuse("groups of 1 to 1024 tiles");
        }
        if self.group * (MOST / n + 1) > i32::MAX.into() {
            return refuse("a group of rows of tiles has less than 2^31 tiles, whatever the sizes");
        }
        if !(1..=32).contains(&self.blocks) {
            return refuse("1 to 32 blocks fit on a multiprocessor");
        }
        Ok(())
    }
}

//! A GEMM tiling from layouts alone, and the proof that it computes each output once.

use girih::prelude::*;

/// `C (M,N) = A (M,K) * B (N,K)^T`, cut into CTA tiles and k blocks, each CTA tile into the elements of threads.
pub struct Tiling {
    /// CTA tile of C, of A and of B.
    pub mn: Tiler,
    pub mk: Tiler,
    pub nk: Tiler,
    /// Threads of a CTA as they lie on the C tile, interleaved: neighbours are neighbours in m.
    pub threads: Layout,
    /// Shared memory tiles of A and B, k slowest: a thread reads consecutive k at a constant distance.
    pub smem_a: Layout,
    pub smem_b: Layout,
}

/// The CTA tile.
const BM: i64 = 64;
const BN: i64 = 64;
const BK: i64 = 16;

impl Tiling {
    pub fn simt() -> Tiling {
        Tiling {
            mn: tiler![64, 64],
            mk: tiler![64, 16],
            nk: tiler![64, 16],
            threads: layout!((16,16):(1,16)),
            smem_a: layout!((64,16):(1,64)),
            smem_b: layout!((64,16):(1,64)),
        }
    }

    /// `(thread, value)` to the index in the C tile.
    pub fn thread_value(&self) -> girih::Result<Layout> {
        let tile = layout!((64,64):(1,64));
        Ok(tile.zipped_divide(&Tiler::shape(&self.threads.shape())?)?)
    }

    /// Is every element of `c` computed by exactly one (CTA, thread, value), from every k exactly once? Decided on the layouts,
    /// without walking them.
    pub fn prove(&self, a: &Layout, b: &Layout, c: &Layout) -> girih::Result<Certificate> {
        let tiles = c.zipped_divide_ceil(&self.mn)?;
        // ((thread m, thread n), (value m, value n), (CTA m, CTA n)) to the coordinate (m, n)
        let coord = tiles.guard.coord;
        let elements = coord.mode(0)?.zipped_divide(&Tiler::shape(&self.threads.shape())?)?;
        let all = Layout::tuple(&[elements.mode(0)?, elements.mode(1)?, coord.mode(1)?])?;
        let blocks = |layout: &Layout, tiler: &Tiler| -> girih::Result<Layout> {
            let coord = layout.zipped_divide_ceil(tiler)?.guard.coord;
            axis(&coord, 1)
        };
        let m = bijection("m", &axis(&all, 0)?)?;
        let n = bijection("n", &axis(&all, 1)?)?;
        // a coordinate of the three levels moves m or n, never both: together they are a bijection too
        if m.reach * n.reach != all.size()? {
            return Err(LayoutError::SizeMismatch { left: m.reach * n.reach, right: all.size()? }.into());
        }
        // both operands cut k alike
        let (ka, kb) = (blocks(a, &self.mk)?, blocks(b, &self.nk)?);
        if !ka.filter().same_function(&kb.filter()) {
            return Err(LayoutError::SizeMismatch { left: ka.size()?, right: kb.size()? }.into());
        }
        let k = bijection("k", &ka)?;
        // distinct elements of C are distinct places in memory
        c.complement(1)?;
        Ok(Certificate { levels: all, limit: tiles.guard.limit, axes: [m, n, k] })
    }
}

/// One coordinate of a layout whose values are coordinates.
fn axis(coord: &Layout, i: usize) -> girih::Result<Layout> {
    let pick = [layout!((1,1):(1,0)), layout!((1,1):(0,1))][i];
    // continued past its shape: (m, n) to m, or to n
    let shape = coord.coshape()?;
    let pick = Layout::new(&shape, &pick.stride())?;
    Ok(pick.compose(coord)?)
}

/// An axis that some levels of the tiling walk, each place once.
pub struct Axis {
    pub name: &'static str,
    /// The levels that move it.
    pub levels: Layout,
    /// They reach exactly `0..reach`.
    pub reach: i64,
}

fn bijection(name: &'static str, axis: &Layout) -> girih::Result<Axis> {
    // only the levels that move it, not merged, to be read
    let (extents, strides) = axis.known_leaves().ok_or(LayoutError::Undecided)?;
    let (extents, strides): (Vec<i64>, Vec<i64>) = extents.iter().zip(strides).filter(|&(_, &d)| d != 0).unzip();
    let levels = if extents.is_empty() { layout!(1:0) } else { Layout::flat(&extents, &strides)? };
    let reach = levels.size()?;
    let rest = levels.complement_exact(reach)?;
    if rest != layout!(1:0) {
        return Err(LayoutError::NotInjective { first: 0, second: rest.size()? }.into());
    }
    Ok(Axis { name, levels, reach })
}

/// What [`Tiling::prove`] found.
pub struct Certificate {
    pub levels: Layout,
    pub limit: IntTuple,
    pub axes: [Axis; 3],
}

impl std::fmt::Display for Certificate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "  (threads, values, CTAs) to (m,n): {}", self.levels)?;
        for Axis { name, levels, reach } in &self.axes {
            writeln!(f, "  {name}: {levels} is a bijection onto 0..{reach} (its exact complement is 1:0)")?;
        }
        write!(f, "  so each (m,n) < {} has one CTA, thread and value, and meets each k once", self.limit)
    }
}

/// The sizes of the CTA tile and the k block.
pub const fn blocks() -> (i64, i64, i64) {
    (BM, BN, BK)
}

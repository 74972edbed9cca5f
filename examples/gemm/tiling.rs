//! A GEMM tiling from layouts alone, and the proof that it computes each output once.

use girih::algebra::prove::{BUDGET, Certificate, Claim, Verdict};
use girih::gpu::facts::Banks;
use girih::prelude::*;

/// `C (M,N) = A (M,K) * B (N,K)^T`, cut into CTA tiles and k blocks, each CTA tile into the elements of threads.
pub struct Tiling {
    /// CTA tile of C, of A and of B.
    pub mn: Tiler,
    pub mk: Tiler,
    pub nk: Tiler,
    /// Threads of a CTA as they lie on the C tile, interleaved: neighbours are neighbours in m.
    pub threads: Layout,
    /// `(thread, value)` to the index in a tile of A or B: each thread copies 4 neighbours in k.
    pub copy: Layout,
    /// Shared memory tile of A or B, k slowest. 66 words from one k to the next: the 4 threads that store neighbouring
    /// vectors of k are 8 banks apart.
    pub smem: Layout,
}

impl Tiling {
    pub fn simt() -> Tiling {
        Tiling {
            mn: tiler![64, 64],
            mk: tiler![64, 16],
            nk: tiler![64, 16],
            threads: layout!((16,16):(1,16)),
            copy: layout!(((4,64),4):((256,1),64)),
            smem: layout!((64,16):(1,66)),
        }
    }

    /// `(thread, value)` to the index in the C tile.
    pub fn thread_value(&self) -> girih::Result<Layout> {
        let tile = layout!((64,64):(1,64));
        Ok(tile.zipped_divide(&Tiler::shape(&self.threads.shape())?)?)
    }

    /// `(thread, value)` to the offset in shared memory that the copy stores to.
    pub fn stores(&self) -> girih::Result<Layout> {
        Ok(self.smem.compose(&self.copy)?)
    }

    /// `(thread, row, k)` to the offset in shared memory of what the thread multiplies: the rows of A that are the m of its
    /// places in C, or the rows of B that are their n.
    pub fn loads(&self, operand: Operand) -> girih::Result<Layout> {
        let row = match operand {
            Operand::A => layout!((64,64):(1,0)),
            Operand::B => layout!((64,64):(0,1)),
        };
        let rows = self.smem.mode(0)?.compose(&row.compose(&self.thread_value()?)?)?;
        Ok(Layout::tuple(&[rows.mode(0)?, rows.mode(1)?.filter(), self.smem.mode(1)?])?)
    }

    /// Is every element of `c` computed by exactly one (CTA, thread, value), from every k exactly once? Decided on the layouts,
    /// without walking them; every certificate is checked.
    pub fn prove(&self, a: &Layout, b: &Layout, c: &Layout) -> Result<Proof, Box<dyn std::error::Error>> {
        let tiles = c.zipped_divide_ceil(&self.mn)?;
        // (threads, values, CTAs) to the coordinate (m, n), and that to the index in C rounded up to whole tiles
        let coord = tiles.guard.coord;
        let elements = coord.mode(0)?.zipped_divide(&Tiler::shape(&self.threads.shape())?)?;
        let levels = Layout::tuple(&[elements.mode(0)?, elements.mode(1)?, coord.mode(1)?])?;
        let rounded = Layout::column_major(&coord.coshape()?)?;
        // (k of a block, block) to k, from ((row, k), (row of tiles, block)) to the coordinate (row, k)
        let k = |layout: &Layout, tiler: &Tiler| -> girih::Result<Layout> {
            let coord = layout.zipped_divide_ceil(tiler)?.guard.coord;
            let pick = Layout::new(&coord.coshape()?, &ints!((0, 1)))?;
            Ok(pick.compose(&Layout::tuple(&[coord.mode(0)?.mode(1)?, coord.mode(1)?.mode(1)?])?)?)
        };
        let (k_of_a, k_of_b) = (k(a, &self.mk)?, k(b, &self.nk)?);
        let claims = [
            ("C, rounded up", bijective(rounded.compose(&levels)?)?),
            ("C in memory", Claim::Injective(*c)),
            ("k of A", bijective(k_of_a)?),
            ("k of B", Claim::Equal(k_of_b, k_of_a)),
            ("C tile", bijective(self.thread_value()?)?),
            ("copies of A and B", bijective(self.copy)?),
            ("shared memory", Claim::Injective(self.smem)),
        ];
        let mut certificates = Vec::new();
        for (what, claim) in claims {
            match claim.decide(BUDGET) {
                Verdict::Proved(certificate) => {
                    certificate.check()?;
                    certificates.push((what, certificate));
                }
                verdict => return Err(format!("{what}: {verdict}").into()),
            }
        }
        Ok(Proof { certificates, limit: tiles.guard.limit })
    }

    /// What the banks of shared memory make of it.
    pub fn banks(&self) -> Result<[(&'static str, Banks); 3], Box<dyn std::error::Error>> {
        Ok([
            ("copy", banks(&self.stores()?, 32, Access::Store(4))?),
            ("rows of A", banks(&self.loads(Operand::A)?, 32, Access::Load(4))?),
            ("rows of B", banks(&self.loads(Operand::B)?, 32, Access::Load(4))?),
        ])
    }
}

/// One of the factors.
#[derive(Clone, Copy)]
pub enum Operand {
    A,
    B,
}

/// Onto as many places as it has coordinates.
fn bijective(layout: Layout) -> girih::Result<Claim> {
    Ok(Claim::Bijective { image: layout.into(), lo: 0, size: layout.size()?.into() })
}

/// What [`Tiling::prove`] found.
pub struct Proof {
    certificates: Vec<(&'static str, Certificate)>,
    limit: IntTuple,
}

impl std::fmt::Display for Proof {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (what, certificate) in &self.certificates {
            writeln!(f, "  {what}: {}", certificate.claim)?;
        }
        write!(f, "  so each (m,n) < {} has one CTA, thread and value, and meets each k once", self.limit)
    }
}

/// The sizes of the CTA tile and the k block.
pub const fn blocks() -> (i64, i64, i64) {
    (64, 64, 16)
}

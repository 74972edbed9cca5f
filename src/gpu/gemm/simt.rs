//! The core of `fma`: a thread multiplies 8 x 16 elements, read as vectors of four.

use super::GemmError;
use super::claims::Claims;
use super::copies::{Placed, plain};
use super::tiling::{Tiling, WARP_TILE};
use crate::algebra::prove;
use crate::gpu::facts::Access;
use crate::gpu::kernel::{Index, Kernel, Shared};
use crate::gpu::ptx::{Reg, Type};
use crate::layout::{Composed, Layout};

/// Words between the lines of k in shared memory: four threads along a line of memory write to other banks than the next four.
const PAD: i64 = 4;

/// The layouts of the core.
pub(super) struct Simt {
    pub shared: [Composed; 2],
    /// (thread, value) to the row of A, of B
    rows: [Layout; 2],
    /// (thread, value) to `row + rows * column` of C
    pub c: Layout,
    slices: i64,
}

impl Simt {
    pub const SLICE: i64 = 1;

    pub fn new(claims: &mut Claims, tiling: &Tiling) -> Result<Simt, GemmError> {
        let ([m, n, k], [wm, wn]) = (tiling.tile, tiling.warps);
        let shared = [m, n].map(|rows| Layout::flat(&[rows, k], &[1, rows + PAD]));
        let [a, b] = shared;
        let (a, b) = (a?, b?);
        // lanes in z order: neighbours share a vector of A's, or of B's; 8 of them along m, 4 along n
        let threads = [2, 8, 2, wm, wn];
        let (along_m, along_n) = ([0, 4, 0, WARP_TILE, 0], [4, 0, 8, 0, WARP_TILE]);
        let (values_m, values_n) = (Layout::flat(&[4, 2], &[1, 32])?, Layout::flat(&[4, 4], &[1, 16])?);
        let rows = [
            Layout::tuple(&[Layout::flat(&threads, &along_m)?, values_m])?,
            Layout::tuple(&[Layout::flat(&threads, &along_n)?, values_n])?,
        ];
        let both: Vec<i64> = along_m.iter().zip(along_n).map(|(a, b)| a + m * b).collect();
        let values = Layout::tuple(&[values_m, Layout::flat(&[4, 4], &[m, 16 * m])?])?;
        let c = Layout::tuple(&[Layout::flat(&threads, &both)?, values])?;
        claims.proved(prove::bijective(&c, m * n))?;
        for (rows, shared, what) in [(&rows[0], &a, "loads of A"), (&rows[1], &b, "loads of B")] {
            // one warp, the first slice
            let warp = Layout::tuple(&[Layout::flat(&[32], &[1])?, rows.mode(1)?])?;
            let lanes = rows.mode(0)?.compose(&warp.mode(0)?)?;
            let tv = shared.compose(&Layout::tuple(&[lanes, rows.mode(1)?])?)?;
            claims.proved(prove::aligned(
                shared.compose(&Layout::tuple(&[rows.mode(0)?, rows.mode(1)?.mode(1)?])?)?,
                4,
            ))?;
            claims.free(what, &tv, 32, Access::Load(16))?;
        }
        Ok(Simt { shared: [plain(a)?, plain(b)?], rows, c, slices: k })
    }

    pub fn begin(&self, k: &mut Kernel, ring: Shared, second: i64) -> SimtCore<'_> {
        let zero = |k: &mut Kernel| k.op("mov.f32", vec![0.0f32.into()]);
        let counts = self.rows.map(|rows| rows.mode(1).and_then(|l| l.size()).unwrap_or(0) as usize);
        let acc = (0..counts[0] * counts[1]).map(|_| zero(k)).collect();
        let fragments = [0, 1].map(|_| counts.map(|n| k.regs(Type::F32, n)));
        SimtCore { simt: self, ring, begins: [0, second], acc, fragments }
    }

    pub fn placed(&self, tiling: &Tiling) -> Result<Placed, GemmError> {
        Placed::new(&self.c, tiling.tile[0], tiling.tile[1])
    }
}

/// The core in a kernel.
pub(super) struct SimtCore<'a> {
    simt: &'a Simt,
    ring: Shared,
    /// bytes of A's and B's part in a stage
    begins: [i64; 2],
    pub acc: Vec<Reg>,
    fragments: [[Vec<Reg>; 2]; 2],
}

impl SimtCore<'_> {
    pub fn slices(&self) -> i64 {
        self.simt.slices
    }

    pub fn fragment(&self, k: &mut Kernel, slice: i64, half: usize, stage: &Index) {
        let thread = k.tid();
        for operand in 0..2 {
            let (rows, shared) = (&self.simt.rows[operand], &self.simt.shared[operand]);
            for (i, vector) in self.fragments[half][operand].chunks(4).enumerate() {
                let row = k.offset(rows, &[thread.clone(), (4 * i as i64).into()]);
                let at = k.offset_swizzled(shared, &[row, slice.into()]);
                k.load_into(&self.ring.at(&(at + self.begins[operand] / 4)).plus(stage), vector);
            }
        }
    }

    /// Row by row, back and forth: the operand at the turn is used again at once, as the others of a row are.
    pub fn multiply(&self, k: &mut Kernel, half: usize) {
        let [a, b] = &self.fragments[half];
        for (i, x) in a.iter().enumerate() {
            for step in 0..b.len() {
                let j = if i % 2 == 0 { step } else { b.len() - 1 - step };
                let sum = self.acc[i + a.len() * j];
                k.emit("fma.rn.f32", vec![sum.into(), x.into(), b[j].into(), sum.into()]);
            }
        }
    }
}

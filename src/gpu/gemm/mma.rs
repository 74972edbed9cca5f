//! The core of `mma.sync`: a warp multiplies 64 x 64 elements by 16 x 8 instructions, fed by `ldmatrix`.

use super::claims::Claims;
use super::copies::{Placed, plain};
use super::tiling::{Tiling, WARP_TILE};
use super::{GemmError, Matrix, Order};
use crate::algebra::prove;
use crate::gpu::atom::{CopyAtom, MmaAtom, NumericType, TiledCopy, TiledMma};
use crate::gpu::facts::Access;
use crate::gpu::kernel::{Index, Kernel, Shared};
use crate::gpu::ptx::{Operand, Reg, Type};
use crate::layout::{Composed, Layout, Swizzle, Tiler};

/// How an operand gets into registers.
enum Fragment {
    /// lanes to the rows of four 8 x 8 matrices of 16-bit elements, of which a warp has so many fours
    Ldmatrix { lanes: Placed, fours: i64, vector: i64, op: &'static str },
    /// each value by itself, so many in a register
    Words { values: Placed, registers: i64, packed: i64 },
}

/// The layouts of the core.
pub(super) struct Mma {
    atom: MmaAtom,
    op: String,
    pub shared: [Composed; 2],
    fragments: [Fragment; 2],
    /// (thread, value) to `row + rows * column` of C
    pub c: Layout,
    slice: i64,
    slices: i64,
    bytes: i64,
}

impl Mma {
    /// Elements along k of an instruction on elements of so many bytes: 32 bytes.
    pub fn slice(bytes: i64) -> i64 {
        32 / bytes
    }

    /// The instruction of these types, if there is one.
    pub fn atom(a: NumericType, b: NumericType, sum: NumericType) -> Option<MmaAtom> {
        let slice = Mma::slice(a.bits() as i64 / 8);
        MmaAtom::all().find(|atom| {
            let types = atom.types();
            (types.a, types.b, types.c, types.d) == (a, b, sum, sum)
                && atom.shape() == crate::literal(crate::layout::IntTuple::flat(&[16, 8, slice]))
                && atom.modifier().is_none()
                && atom.thr() == crate::layout!(32:1)
        })
    }

    pub fn new(claims: &mut Claims, tiling: &Tiling, atom: MmaAtom, operands: [&Matrix; 2]) -> Result<Mma, GemmError> {
        let ([m, n, k], [wm, wn]) = (tiling.tile, tiling.warps);
        let bytes = operands[0].bytes();
        let slice = Mma::slice(bytes);
        // each warp's part of C in one piece
        let piece = |atom: i64, warps: i64| Layout::flat(&[atom, warps, WARP_TILE / atom], &[1, WARP_TILE, atom]);
        let mma = TiledMma::new(atom, &Layout::flat(&[wm, wn], &[1, wm])?)?
            .permuted(&Tiler::flat(&[piece(16, wm)?, piece(8, wn)?])?)?;
        let c = mma.layout_c_tv()?;
        claims.proved(prove::bijective(&c, m * n))?;
        let tvs = [mma.layout_a_tv()?, mma.layout_b_tv()?];
        let mut shared = [plain(Layout::UNIT)?; 2];
        let mut fragments = Vec::new();
        for (side, operand) in operands.into_iter().enumerate() {
            let (rows, tv) = ([m, n][side], tvs[side]);
            let along_k = operand.order == Order::Row;
            shared[side] = shared_tile(rows, k, bytes, along_k)?;
            fragments.push(if along_k || bytes == 2 {
                let load = CopyAtom::Ldmatrix { matrices: 4, transposed: !along_k };
                let load = if side == 0 { TiledCopy::of_a(load, &mma)? } else { TiledCopy::of_b(load, &mma)? };
                // the registers of the loads, in their order, are those of the instruction
                claims.proved(prove::equal(&load.layout_d_tv()?, &tv))?;
                let (source, vector) = (load.layout_s_tv()?, 16 / bytes);
                let lane = Layout::flat(&[32], &[1])?;
                let one = Layout::tuple(&[
                    source.mode(0)?.compose(&lane)?,
                    source.mode(1)?.compose(&Layout::flat(&[vector], &[1])?)?,
                ])?;
                let what = ["ldmatrix of A", "ldmatrix of B"][side];
                claims.free(what, &shared[side].compose(&one)?, 8 * bytes, Access::Ldmatrix(4))?;
                Fragment::Ldmatrix {
                    lanes: Placed::new(&source, rows, slice)?,
                    fours: source.mode(1)?.size()? / vector,
                    vector,
                    op: match along_k {
                        true => "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
                        false => "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16",
                    },
                }
            } else {
                let packed = 4 / bytes;
                Fragment::Words {
                    values: Placed::new(&tv, rows, slice)?,
                    registers: tv.mode(1)?.size()? / packed,
                    packed,
                }
            });
        }
        let Ok(fragments) = <[Fragment; 2]>::try_from(fragments) else {
            return Err(crate::layout::LayoutError::Empty.into());
        };
        let op = atom.ptx().unwrap_or_default();
        Ok(Mma { atom, op, shared, fragments, c, slice, slices: k / slice, bytes })
    }

    pub fn begin(&self, k: &mut Kernel, ring: Shared, second: i64) -> MmaCore<'_> {
        let float = self.atom.types().d == NumericType::F32;
        let values = self.c.mode(1).and_then(|l| l.size()).unwrap_or(0);
        let acc = (0..values)
            .map(|_| if float { k.op("mov.f32", vec![0.0f32.into()]) } else { k.op("mov.b32", vec![0.into()]) })
            .collect();
        let registers = self.fragments.each_ref().map(|f| match f {
            Fragment::Ldmatrix { fours, .. } => 4 * fours,
            Fragment::Words { registers, .. } => *registers,
        });
        let fragments = [0, 1].map(|_| registers.map(|n| k.regs(Type::B32, n as usize)));
        MmaCore { mma: self, ring, begins: [0, second], acc, fragments }
    }

    pub fn placed(&self, tiling: &Tiling) -> Result<Placed, GemmError> {
        Placed::new(&self.c, tiling.tile[0], tiling.tile[1])
    }
}

/// A tile in shared memory, in the order of the operand's memory: vectors of 16 bytes are swizzled where `ldmatrix` reads them,
/// else lines are padded by 32 bytes (for words: four lines of k and eight rows lie in 32 banks).
fn shared_tile(rows: i64, depth: i64, bytes: i64, along_k: bool) -> Result<Composed, GemmError> {
    let log = |x: i64| i64::from(x.ilog2());
    let vector = 16 / bytes;
    if along_k {
        let tile = Layout::flat(&[rows, depth], &[depth, 1])?;
        let vectors = depth / vector;
        // eight rows of one column of vectors go to different banks: with less than eight vectors a row, rows share 128 bytes
        return Ok(tile.swizzled(&Swizzle::new(log(vectors.min(8)), log(vector), log(vectors.max(8)))?)?);
    }
    if bytes == 2 {
        let tile = Layout::flat(&[rows, depth], &[1, rows])?;
        return Ok(tile.swizzled(&Swizzle::new(3, log(vector), log(rows / vector))?)?);
    }
    plain(Layout::flat(&[rows, depth], &[1, rows + 32 / bytes])?)
}

/// The core in a kernel.
pub(super) struct MmaCore<'a> {
    mma: &'a Mma,
    ring: Shared,
    /// bytes of A's and B's part in a stage
    begins: [i64; 2],
    pub acc: Vec<Reg>,
    fragments: [[Vec<Reg>; 2]; 2],
}

impl MmaCore<'_> {
    pub fn slices(&self) -> i64 {
        self.mma.slices
    }

    pub fn fragment(&self, k: &mut Kernel, slice: i64, half: usize, stage: &Index) {
        let thread = k.tid();
        let Mma { fragments, shared, bytes, slice: depth, .. } = self.mma;
        for operand in 0..2 {
            let registers = &self.fragments[half][operand];
            let spot = |k: &mut Kernel, placed: &Placed, value: i64| {
                let [row, own] = placed.at(k, &thread, value);
                let at = k.offset_swizzled(&shared[operand], &[row, own + slice * depth]) * *bytes;
                self.ring.at(&0.into()).plus(&(at + self.begins[operand])).plus(stage)
            };
            match &fragments[operand] {
                Fragment::Ldmatrix { lanes, vector, op, .. } => {
                    for (i, four) in registers.chunks(4).enumerate() {
                        let spot = spot(k, lanes, i as i64 * vector);
                        let address = k.address(&spot).into();
                        k.emit(op, vec![four.into(), address]);
                    }
                }
                Fragment::Words { values, packed, .. } => {
                    for (i, register) in registers.iter().enumerate() {
                        let first = i as i64 * packed;
                        if *packed == 1 {
                            let spot = spot(k, values, first).of(Type::B32);
                            k.load_into(&spot, &[*register]);
                            continue;
                        }
                        let bytes: Vec<Reg> = (0..*packed)
                            .map(|v| {
                                let spot = spot(k, values, first + v).of(Type::U8);
                                let byte = k.reg(Type::B32);
                                k.load_into(&spot, &[byte]);
                                byte
                            })
                            .collect();
                        let pairs: Vec<Reg> = bytes
                            .chunks(2)
                            .map(|b| k.op("prmt.b32", vec![b[0].into(), b[1].into(), 0x40.into()]))
                            .collect();
                        k.emit("prmt.b32", vec![register.into(), pairs[0].into(), pairs[1].into(), 0x5410.into()]);
                    }
                }
            }
        }
    }

    /// Row by row, back and forth: the operand at the turn is used again at once, as the others of a row are.
    pub fn multiply(&self, k: &mut Kernel, half: usize) {
        let [a, b] = &self.fragments[half];
        let (a, b): (Vec<&[Reg]>, Vec<&[Reg]>) = (a.chunks(4).collect(), b.chunks(2).collect());
        for (i, x) in a.iter().enumerate() {
            for step in 0..b.len() {
                let j = if i % 2 == 0 { step } else { b.len() - 1 - step };
                let first = 4 * (i + a.len() * j);
                let sums: Operand = self.acc[first..first + 4].into();
                k.emit(&self.mma.op, vec![sums.clone(), (*x).into(), b[j].into(), sums]);
            }
        }
    }
}

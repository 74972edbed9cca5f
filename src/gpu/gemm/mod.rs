//! Matrix products derived from layouts: `C(M,N) = A(M,K) B(N,K)^T`.
//!
//! Types, orders and alignments are chosen when building, sizes and leading dimensions are arguments. One skeleton (copies into
//! a ring of stages in shared memory, fragments read one step ahead, one barrier for each tile of k, guards at the edges) has
//! two cores: `fma` for f32, and `mma.sync` fed by `ldmatrix` for the types of the tensor cores. All addresses come from layouts:
//! the matrix', the tile's in shared memory, and those from threads and values to coordinates. What is relied on is proved
//! before the kernel is written ([`Gemm::certificate`]): every element copied once, every element of C computed once, vectors
//! whole and aligned. A warp's loads of fragments as vectors or by `ldmatrix` are computed to have no bank conflict, else it is refused.
//! ```
//! use girih::gpu::atom::NumericType::{BF16, F32};
//! use girih::gpu::gemm::{Gemm, Matrix};
//! use girih::gpu::ptx::Target;
//!
//! // rows of A and B begin at multiples of 16 bytes
//! let (a, b) = (Matrix::row_major(BF16).aligned(16), Matrix::row_major(BF16).aligned(16));
//! let kernel = Gemm::new(a, b, Matrix::row_major(F32)).build(Target::SM_90A)?;
//! assert!(kernel.ptx().contains("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"));
//! assert_eq!(kernel.launch().grid[0].to_string(), "ceil(m / 128) * ceil(n / 256)");
//! assert!(kernel.certificate().iter().all(|c| c.check().is_ok()));
//! # Ok::<(), girih::gpu::gemm::GemmError>(())
//! ```

mod claims;
mod copies;
mod describe;
mod epilogue;
mod error;
mod layouts;
mod mma;
mod simt;
mod skeleton;
mod tiling;

pub use error::GemmError;
pub use layouts::GemmLayouts;
pub use tiling::Tiling;

use crate::algebra::prove::Certificate;
use crate::gpu::atom::{MmaAtom, NumericType};
use crate::gpu::copy::data_type;
use crate::gpu::kernel::{Kernel, shared_limit};
use crate::gpu::launch::{DataType, Launch};
use crate::gpu::ptx::{Module, Target, Type};
use crate::layout::Layout;
use claims::Claims;
use copies::{Copies, How};
use epilogue::Staged;
use mma::Mma;
use simt::Simt;
use skeleton::{Core, MOST};

/// Which neighbours of a matrix are neighbours in memory.
/// ```
/// use girih::gpu::atom::NumericType::F32;
/// use girih::gpu::gemm::{Matrix, Order};
/// assert_eq!(Matrix::column_major(F32).order, Order::Column);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    /// those of a row
    Row,
    /// those of a column
    Column,
}

/// A matrix as the kernel is told of it.
/// ```
/// use girih::gpu::atom::NumericType::F16;
/// use girih::gpu::gemm::Matrix;
/// assert_eq!(Matrix::row_major(F16).align, 2);
/// assert_eq!(Matrix::row_major(F16).aligned(16).align, 16);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Matrix {
    /// of its elements; TF32 are f32 in memory, whose lower 13 bits the hardware does not look at
    pub ty: NumericType,
    /// of its elements in memory
    pub order: Order,
    /// bytes of which its address and the distance of its rows (or columns) are multiples
    pub align: u32,
}

impl Matrix {
    /// Rows in one piece, aligned as the elements are.
    /// ```
    /// # use girih::gpu::{atom::NumericType::F32, gemm::{Matrix, Order}};
    /// assert_eq!(Matrix::row_major(F32), Matrix { ty: F32, order: Order::Row, align: 4 });
    /// ```
    pub const fn row_major(ty: NumericType) -> Matrix {
        Matrix { ty, order: Order::Row, align: ty.bits().div_ceil(8) as u32 }
    }

    /// Columns in one piece.
    /// ```
    /// # use girih::gpu::{atom::NumericType::F32, gemm::{Matrix, Order}};
    /// assert_eq!(Matrix::column_major(F32), Matrix { ty: F32, order: Order::Column, align: 4 });
    /// ```
    pub const fn column_major(ty: NumericType) -> Matrix {
        Matrix { order: Order::Column, ..Matrix::row_major(ty) }
    }

    /// With a promise that the launch checks: its address and the bytes between rows (columns) are multiples of this. 16 gives the
    /// fastest copies.
    /// ```
    /// # use girih::gpu::{atom::NumericType::F32, gemm::Matrix};
    /// assert_eq!(Matrix::row_major(F32).aligned(16).align, 16);
    /// ```
    pub const fn aligned(self, bytes: u32) -> Matrix {
        Matrix { align: bytes, ..self }
    }

    /// Bytes of an element.
    fn bytes(&self) -> i64 {
        self.ty.bits() as i64 / 8
    }

    fn data_type(&self) -> DataType {
        data_type(self.ty)
    }
}

/// The untyped memory of elements of so many bytes.
const fn memory_type(bytes: i64) -> Type {
    match bytes {
        1 => Type::U8,
        2 => Type::B16,
        _ => Type::B32,
    }
}

/// What multiplies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unit {
    Fma,
    Mma(MmaAtom),
}

/// A matrix product to be built. See the [module](self).
/// ```
/// use girih::gpu::atom::NumericType::F32;
/// use girih::gpu::gemm::{Gemm, Matrix, Tiling};
/// use girih::gpu::ptx::Target;
/// let f32s = Matrix::row_major(F32);
/// assert_eq!(Gemm::new(f32s, f32s, f32s).tiling(Target::SM_80), Tiling::SIMT);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gemm {
    a: Matrix,
    b: Matrix,
    c: Matrix,
    tiling: Option<Tiling>,
}

impl Gemm {
    /// The product of matrices of these types and orders, with the tiling that is best on an H200: A is M x K, B is N x K, C is
    /// M x N. f32 are multiplied exactly by `fma`; tf32, f16, bf16 and floats of 8 bits by tensor cores, added in f32; s8 in s32.
    /// ```
    /// # use girih::gpu::{atom::NumericType::{S32, S8}, gemm::{Gemm, Matrix}, ptx::Target};
    /// let s8 = Matrix::row_major(S8).aligned(16);
    /// assert!(Gemm::new(s8, s8, Matrix::column_major(S32)).build(Target::SM_80).is_ok());
    /// ```
    pub const fn new(a: Matrix, b: Matrix, c: Matrix) -> Gemm {
        Gemm { a, b, c, tiling: None }
    }

    /// Cut in another way.
    /// ```
    /// # use girih::gpu::{atom::NumericType::F32, gemm::{Gemm, Matrix, Tiling}, ptx::Target};
    /// let f32s = Matrix::row_major(F32);
    /// let small = Tiling { tile: [64, 64, 8], warps: [1, 1], ..Tiling::SIMT };
    /// assert_eq!(Gemm::new(f32s, f32s, f32s).tiled(small).build(Target::SM_80)?.launch().block, [32, 1, 1]);
    /// # Ok::<(), girih::gpu::gemm::GemmError>(())
    /// ```
    pub const fn tiled(mut self, tiling: Tiling) -> Gemm {
        self.tiling = Some(tiling);
        self
    }

    /// How it is cut for a target.
    /// ```
    /// # use girih::gpu::{atom::NumericType::{BF16, F32}, gemm::{Gemm, Matrix, Tiling}, ptx::Target};
    /// let a = Matrix::row_major(BF16).aligned(16);
    /// let gemm = Gemm::new(a, a, Matrix::row_major(F32));
    /// assert_eq!(gemm.tiling(Target::SM_90A), Tiling::mma(16, Target::SM_90A));
    /// ```
    pub fn tiling(&self, target: Target) -> Tiling {
        self.tiling.unwrap_or_else(|| match self.a.ty {
            NumericType::F32 => Tiling::SIMT,
            // element by element, half as much is copied at a time
            ty if self.a.align.min(self.b.align) < 16 => Tiling::shallow(ty.bits().max(8) as i64),
            ty => Tiling::mma(ty.bits().max(8) as i64, target),
        })
    }

    fn matrices(&self) -> [&Matrix; 3] {
        [&self.a, &self.b, &self.c]
    }

    /// The extents of a tile along M, N and K.
    fn tiles(&self, tiling: &Tiling) -> [i64; 3] {
        let [m, n, k] = tiling.tile;
        if self.c.order == Order::Row { [m, n, k] } else { [n, m, k] }
    }

    fn unit(&self) -> Result<Unit, GemmError> {
        use NumericType::*;
        let (a, b, c) = (self.a.ty, self.b.ty, self.c.ty);
        let refused = GemmError::Types { a, b, c };
        let sum = match (a, c) {
            (F32, F32) if b == F32 => return Ok(Unit::Fma),
            (S8, S32) => S32,
            (F16 | BF16 | TF32 | E4M3 | E5M2, F32 | F16 | BF16) => F32,
            _ => return Err(refused),
        };
        Mma::atom(a, b, sum).map(Unit::Mma).ok_or(refused)
    }

    fn name(&self) -> String {
        let matrix = |m: &Matrix| format!("{}{}", m.ty, if m.order == Order::Row { "r" } else { "c" });
        format!("gemm_{}_{}_{}", matrix(&self.a), matrix(&self.b), matrix(&self.c))
    }

    /// The proofs of what the kernel relies on.
    ///
    /// # Errors
    /// As [`Gemm::build`], but for the target.
    /// ```
    /// # use girih::gpu::{atom::NumericType::F32, gemm::{Gemm, Matrix}, ptx::Target};
    /// let f32s = Matrix::row_major(F32);
    /// let proofs = Gemm::new(f32s, f32s, f32s).certificate(Target::SM_80)?;
    /// // each element of the tile of C belongs to one thread
    /// assert!(proofs.iter().any(|p| p.claim.to_string().ends_with("takes each value of 0..32768 once and no other")));
    /// # Ok::<(), girih::gpu::gemm::GemmError>(())
    /// ```
    pub fn certificate(&self, target: Target) -> Result<Vec<Certificate>, GemmError> {
        Ok(self.plan(&self.tiling(target))?.claims.certificates)
    }

    fn plan(&self, tiling: &Tiling) -> Result<Plan, GemmError> {
        for (matrix, of) in ["A", "B", "C"].into_iter().zip(self.matrices()) {
            if !of.align.is_power_of_two() || i64::from(of.align) < of.bytes() || of.align > 1024 {
                return Err(GemmError::Alignment { matrix, align: of.align });
            }
        }
        let unit = self.unit()?;
        // a column-major C is a row-major one of the transposed product
        let swapped = self.c.order == Order::Column;
        let (left, right) = if swapped { (("b", self.b), ("a", self.a)) } else { (("a", self.a), ("b", self.b)) };
        let mut claims = Claims::default();
        let [m, n, depth] = tiling.tile;
        let (layouts, shared) = match unit {
            Unit::Fma => {
                tiling.check(Simt::SLICE)?;
                let simt = Simt::new(&mut claims, tiling)?;
                let shared = simt.shared;
                (Layouts::Simt(Box::new(simt)), shared)
            }
            Unit::Mma(atom) => {
                tiling.check(Mma::slice(left.1.bytes()))?;
                let mma = Mma::new(&mut claims, tiling, atom, [&left.1, &right.1])?;
                let shared = mma.shared;
                (Layouts::Mma(Box::new(mma)), shared)
            }
        };
        let threads = tiling.threads();
        let mut copies = |side: usize, (name, matrix): (&str, Matrix), rows| {
            // shared memory has the order of memory, but for `fma`, where rows are neighbours
            let lines_of_k = unit == Unit::Fma || matrix.order == Order::Column;
            Copies::new(&mut claims, (name, &matrix), [rows, depth], threads, shared[side], lines_of_k)
        };
        let copies = [copies(0, left, m)?, copies(1, right, n)?];
        let runs = epilogue::runs(layouts.c(), m)?;
        let staged = match &layouts {
            Layouts::Simt(_) => None,
            Layouts::Mma(mma) => Staged::new(&mut claims, tiling, &mma.c, &self.c)?,
        };
        Ok(Plan { claims, copies, layouts, runs, staged, swapped })
    }

    /// Proves what it relies on, and writes the kernel.
    ///
    /// # Errors
    /// No instruction for the types, sizes that do not go together, an alignment that is none; the target lacks an instruction or
    /// has too little shared memory.
    /// ```
    /// # use girih::gpu::{atom::NumericType::{E4M3, F32}, gemm::{Gemm, Matrix}, ptx::Target};
    /// let a = Matrix::row_major(E4M3).aligned(16);
    /// let gemm = Gemm::new(a, a, Matrix::row_major(F32));
    /// assert!(gemm.build(Target::SM_89).is_ok());
    /// assert!(gemm.build(Target::SM_80).unwrap_err().to_string().contains("needs"));
    /// # Ok::<(), girih::gpu::gemm::GemmError>(())
    /// ```
    pub fn build(&self, target: Target) -> Result<GemmKernel, GemmError> {
        let (tiling, name) = (self.tiling(target), self.name());
        let plan = self.plan(&tiling)?;
        let mut kernel = Kernel::new(&name, target, [tiling.threads() as u32, 1, 1]);
        let k = &mut kernel;
        k.min_blocks(tiling.blocks);
        let [a, b, c] = self.matrices();
        let pointers = [("a", a), ("b", b), ("c", c)].map(|(name, m)| k.pointer(name, memory_type(m.bytes())));
        let [m, n, depth] = ["m", "n", "k"].map(|name| k.size_at_most(name, MOST));
        for name in ["lda", "ldb", "ldc"] {
            let ld = k.size_at_most(name, MOST);
            k.bind(name, &ld);
        }
        let [pa, pb, pc] = pointers;
        let (rows, columns) = if plan.swapped { (n, m) } else { (m, n) };
        let (left, right) = if plan.swapped { (pb, pa) } else { (pa, pb) };
        let parts = skeleton::parts(&plan.copies)?;
        let stage = parts[0] + parts[1];
        // what is held needs no further stage to be under way in
        let wanted = if plan.copies.iter().all(|c| c.how == How::Held) { 2 } else { tiling.stages };
        let stages = (shared_limit(target) as i64 / stage).clamp(2, wanted);
        let tiling = Tiling { stages, ..tiling };
        let ring = k.shared(Type::F32, (stage * stages / 4) as u64, 128);
        let first = skeleton::raster(k, &tiling, [&rows, &columns]);
        let [x, y] = &plan.copies;
        let right = y.begin(k, right, first[1].clone(), columns.clone(), (&ring, parts[0]));
        let copies = [x.begin(k, left, first[0].clone(), rows.clone(), (&ring, 0)), right];
        let core = match &plan.layouts {
            Layouts::Simt(simt) => Core::Simt(simt.begin(k, ring.clone(), parts[0])),
            Layouts::Mma(mma) => Core::Mma(mma.begin(k, ring.clone(), parts[0])),
        };
        skeleton::main_loop(k, &tiling, &copies, &core, stage, &depth);

        let layout: Layout = format!("({},{}):(?ldc,1)", tiling.tile[0], tiling.tile[1]).parse()?;
        let (placed, acc) = match (&plan.layouts, &core) {
            (Layouts::Simt(simt), Core::Simt(core)) => (simt.placed(&tiling)?, &core.acc),
            (Layouts::Mma(mma), Core::Mma(core)) => (mma.placed(&tiling)?, &core.acc),
            _ => return Err(crate::layout::LayoutError::Empty.into()),
        };
        let results = epilogue::Target {
            pointer: pc,
            ty: c.ty,
            layout: &layout,
            rows: &rows,
            columns: &columns,
            first,
            vector: (i64::from(c.align).min(16) / c.bytes()) as usize,
        };
        match &plan.staged {
            // the ring is free, once its last copies are done and its last tile is read by everyone
            Some(staged) if staged.bytes()? <= stage * stages => {
                skeleton::drain(k, &copies);
                staged.store(k, &results, &ring, &placed, acc, &plan.runs);
            }
            _ => epilogue::store(k, &results, &placed, acc, &plan.runs),
        }

        let bytes = (stage * stages) as u32;
        let declared = kernel.dynamic_shared().is_none();
        let launch = self.describe(&name, &tiling, bytes, declared).map_err(|e| GemmError::Launch(Box::new(e)))?;
        let module = kernel.finish()?;
        let [x, y] = &plan.copies;
        let c = *plan.layouts.c();
        let layouts = GemmLayouts { tile: tiling.tile, copies: [x.tv, y.tv], shared: [x.shared, y.shared], c };
        Ok(GemmKernel { module, launch, layouts, certificates: plan.claims.certificates })
    }
}

/// The layouts of a core.
enum Layouts {
    Simt(Box<Simt>),
    Mma(Box<Mma>),
}

impl Layouts {
    /// (thread, value) to `row + rows * column`.
    fn c(&self) -> &Layout {
        match self {
            Layouts::Simt(simt) => &simt.c,
            Layouts::Mma(mma) => &mma.c,
        }
    }
}

/// All that is decided before code is written.
struct Plan {
    claims: Claims,
    copies: [Copies; 2],
    layouts: Layouts,
    /// of each row of C that a thread has, its values in runs of neighbours
    runs: Vec<Vec<Vec<usize>>>,
    staged: Option<Staged>,
    swapped: bool,
}

/// A built kernel: its code, its launch, its proofs.
/// ```
/// use girih::gpu::{atom::NumericType::F32, gemm::{Gemm, Matrix}, ptx::Target};
/// let f32s = Matrix::row_major(F32);
/// let kernel = Gemm::new(f32s, f32s, f32s).build(Target::SM_80)?;
/// assert_eq!(kernel.launch().params.len(), 9); // a, b, c, m, n, k, lda, ldb, ldc
/// # Ok::<(), girih::gpu::gemm::GemmError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GemmKernel {
    module: Module,
    launch: Launch,
    layouts: GemmLayouts,
    certificates: Vec<Certificate>,
}

impl GemmKernel {
    /// Its instructions.
    /// ```
    /// # use girih::gpu::{atom::NumericType::F32, gemm::{Gemm, Matrix}, ptx::Target};
    /// # let f32s = Matrix::row_major(F32);
    /// let kernel = Gemm::new(f32s, f32s, f32s).build(Target::SM_80)?;
    /// assert_eq!(kernel.module().check(), Ok(()));
    /// # Ok::<(), girih::gpu::gemm::GemmError>(())
    /// ```
    pub const fn module(&self) -> &Module {
        &self.module
    }

    /// Its text.
    /// ```
    /// # use girih::gpu::{atom::NumericType::F32, gemm::{Gemm, Matrix}, ptx::Target};
    /// # let f32s = Matrix::row_major(F32);
    /// let kernel = Gemm::new(f32s, f32s, f32s).build(Target::SM_80)?;
    /// assert!(kernel.ptx().contains(".visible .entry gemm_f32r_f32r_f32r("));
    /// # Ok::<(), girih::gpu::gemm::GemmError>(())
    /// ```
    pub fn ptx(&self) -> String {
        self.module.to_string()
    }

    /// How it is launched: parameters, grid, shared memory, and conditions on the arguments.
    /// ```
    /// # use girih::gpu::{atom::NumericType::F32, gemm::{Gemm, Matrix}, ptx::Target};
    /// # let f32s = Matrix::row_major(F32);
    /// let kernel = Gemm::new(f32s.aligned(16), f32s, f32s).build(Target::SM_80)?;
    /// assert!(kernel.launch().conditions.iter().any(|c| c.rule.to_string() == "lda % 4 == 0"));
    /// # Ok::<(), girih::gpu::gemm::GemmError>(())
    /// ```
    pub const fn launch(&self) -> &Launch {
        &self.launch
    }

    /// The layouts that it was written from.
    /// ```
    /// # use girih::gpu::{atom::NumericType::F32, gemm::{Gemm, Matrix}, ptx::Target};
    /// # let f32s = Matrix::row_major(F32);
    /// let kernel = Gemm::new(f32s, f32s, f32s).build(Target::SM_80)?;
    /// assert_eq!(kernel.layouts().c.size()?, 128 * 256);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn layouts(&self) -> &GemmLayouts {
        &self.layouts
    }

    /// The proofs of what it relies on; those with conditions hold under the launch's.
    /// ```
    /// # use girih::gpu::{atom::NumericType::F32, gemm::{Gemm, Matrix}, ptx::Target};
    /// # let f32s = Matrix::row_major(F32);
    /// let kernel = Gemm::new(f32s, f32s, f32s).build(Target::SM_80)?;
    /// assert!(kernel.certificate().iter().all(|proof| proof.check().is_ok()));
    /// # Ok::<(), girih::gpu::gemm::GemmError>(())
    /// ```
    pub fn certificate(&self) -> &[Certificate] {
        &self.certificates
    }
}

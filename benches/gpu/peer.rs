//! cuBLAS and cublasLt: the same products and streams.

use crate::Result;
use crate::args::Product;
use crate::data::Type;
use cudarc::cublas::{self, CudaBlas};
use cudarc::cublaslt::{self, sys};
use girih::gpu::device::{Buffer, Device, Stream};
use std::ffi::c_void;
use sys::cublasComputeType_t as Compute;
use sys::cudaDataType as Data;

static WORKSPACE: usize = 32 << 20;
/// Algorithms of cublasLt that are tried.
const TOP: usize = 8;

/// Both libraries on one stream.
pub struct Blas {
    blas: CudaBlas,
    lt: sys::cublasLtHandle_t,
    stream: Stream,
    workspace: Buffer<u8>,
}

impl Drop for Blas {
    fn drop(&mut self) {
        // SAFETY: made in `new`, destroyed once.
        let _ = unsafe { cublaslt::result::destroy_handle(self.lt) };
    }
}

/// 1 and 0 as cuBLAS scales by them.
struct Scale {
    of: Data,
    one: [u8; 4],
    zero: [u8; 4],
}

fn kinds(of: Type) -> (Compute, Scale) {
    let scale = |of, one| Scale { of, one, zero: [0; 4] };
    let float = || scale(Data::CUDA_R_32F, 1f32.to_le_bytes());
    match of {
        Type::Tf32 => (Compute::CUBLAS_COMPUTE_32F_FAST_TF32, float()),
        Type::S8 | Type::S32 => (Compute::CUBLAS_COMPUTE_32I, scale(Data::CUDA_R_32I, 1i32.to_le_bytes())),
        // of f32 itself: no narrower type on the way
        _ => (Compute::CUBLAS_COMPUTE_32F, float()),
    }
}

fn data(of: Type) -> Data {
    match of {
        Type::F32 | Type::Tf32 => Data::CUDA_R_32F,
        Type::Bf16 => Data::CUDA_R_16BF,
        Type::F16 => Data::CUDA_R_16F,
        Type::S8 => Data::CUDA_R_8I,
        Type::S32 => Data::CUDA_R_32I,
        Type::E4m3 => Data::CUDA_R_8F_E4M3,
    }
}

/// A product as cuBLAS sees it. It counts from columns: C row-major is the transpose of what it writes, so B comes first, and
/// an operand with K contiguous is to be transposed if it is B, not if it is A.
struct Call {
    m: usize,
    n: usize,
    k: usize,
    first: (bool, usize),
    second: (bool, usize),
}

impl Call {
    fn new(p: &Product) -> Call {
        Call { m: p.n, n: p.m, k: p.k, first: (p.b_along_k, p.ldb()), second: (!p.a_along_k, p.lda()) }
    }
}

impl Blas {
    /// None where the libraries are not found.
    pub fn new(device: &Device, stream: &Stream) -> Result<Option<Blas>> {
        // SAFETY: opens and closes the libraries.
        if !unsafe { cublas::sys::is_culib_present() && sys::is_culib_present() } {
            return Ok(None);
        }
        let blas = CudaBlas::new(stream.cudarc().clone())?;
        let workspace = Buffer::new(device, WORKSPACE)?;
        let lt = cublaslt::result::create_handle()?;
        Ok(Some(Blas { blas, lt, stream: stream.clone(), workspace }))
    }

    /// cublasGemmEx. The buffers hold what the shape says.
    pub fn product(&self, p: &Product, a: &Buffer<u8>, b: &Buffer<u8>, c: &Buffer<u8>) -> Result<()> {
        use cublas::sys::cublasOperation_t::{CUBLAS_OP_N, CUBLAS_OP_T};
        let call = Call::new(p);
        let op = |transposed| if transposed { CUBLAS_OP_T } else { CUBLAS_OP_N };
        let (compute, scale) = kinds(p.of);
        let int = |n: usize| i32::try_from(n);
        // SAFETY: the two bindings have the same C enum.
        let of = |t| unsafe { std::mem::transmute::<Data, cublas::sys::cudaDataType>(data(t)) };
        // SAFETY: likewise.
        let compute = unsafe { std::mem::transmute::<Compute, cublas::sys::cublasComputeType_t>(compute) };
        let (kind, out) = (of(p.of), of(p.of.result()));
        // SAFETY: the operands lie within the buffers, which outlive the stream's work; the scales are of the scale type.
        unsafe {
            cublas::result::gemm_ex(
                *self.blas.handle(),
                op(call.first.0),
                op(call.second.0),
                int(call.m)?,
                int(call.n)?,
                int(call.k)?,
                scale.one.as_ptr().cast(),
                b.address() as *const c_void,
                kind,
                int(call.first.1)?,
                a.address() as *const c_void,
                kind,
                int(call.second.1)?,
                scale.zero.as_ptr().cast(),
                c.address() as *mut c_void,
                out,
                int(call.m)?,
                compute,
                cublas::sys::cublasGemmAlgo_t::CUBLAS_GEMM_DFALT,
            )?;
        }
        Ok(())
    }

    /// The best algorithms by cublasLt's own heuristics.
    pub fn plans(&self, p: &Product) -> Result<Vec<Plan<'_>>> {
        let plan = Descriptions::new(p)?;
        let mut found: Vec<sys::cublasLtMatmulHeuristicResult_t> = Vec::with_capacity(TOP);
        let mut count = 0;
        // SAFETY: the descriptions live; `found` has room for TOP results, of which `count` are written.
        unsafe {
            let preference = cublaslt::result::create_matmul_pref()?;
            let set = cublaslt::result::set_matmul_pref_attribute(
                preference,
                sys::cublasLtMatmulPreferenceAttributes_t::CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                (&raw const WORKSPACE).cast(),
                size_of::<usize>(),
            );
            let status = sys::cublasLtMatmulAlgoGetHeuristic(
                self.lt,
                plan.product,
                plan.first,
                plan.second,
                plan.result,
                plan.result,
                preference,
                TOP as i32,
                found.as_mut_ptr(),
                &mut count,
            );
            cublaslt::result::destroy_matmul_pref(preference)?;
            set?;
            status.result()?;
            found.set_len((count.max(0) as usize).min(TOP));
        }
        let plan = std::rc::Rc::new(plan);
        let usable = found.into_iter().filter(|f| f.state == sys::cublasStatus_t::CUBLAS_STATUS_SUCCESS);
        Ok(usable.map(|f| Plan { blas: self, of: p.of, descriptions: plan.clone(), algorithm: f.algo }).collect())
    }

    /// y += alpha x.
    pub fn axpy(&self, n: usize, alpha: f32, x: &Buffer<f32>, y: &Buffer<f32>) -> Result<()> {
        let (x, y) = (x.address() as *const f32, y.address() as *mut f32);
        // SAFETY: both buffers have n elements and outlive the stream's work.
        unsafe { cublas::sys::cublasSaxpy_v2(*self.blas.handle(), i32::try_from(n)?, &alpha, x, 1, y, 1) }.result()?;
        Ok(())
    }
}

struct Descriptions {
    product: sys::cublasLtMatmulDesc_t,
    first: sys::cublasLtMatrixLayout_t,
    second: sys::cublasLtMatrixLayout_t,
    result: sys::cublasLtMatrixLayout_t,
}

impl Descriptions {
    fn new(p: &Product) -> Result<Descriptions> {
        use cublaslt::result::*;
        use sys::cublasLtMatmulDescAttributes_t::{CUBLASLT_MATMUL_DESC_TRANSA, CUBLASLT_MATMUL_DESC_TRANSB};
        let call = Call::new(p);
        let (compute, scale) = kinds(p.of);
        let layout = |of, rows: usize, columns: usize, ld: usize| {
            create_matrix_layout(data(of), rows as u64, columns as u64, ld as i64)
        };
        let operand = |(transposed, ld), rows, columns| {
            if transposed { layout(p.of, columns, rows, ld) } else { layout(p.of, rows, columns, ld) }
        };
        let product = create_matmul_desc(compute, scale.of)?;
        for (attribute, transposed) in
            [(CUBLASLT_MATMUL_DESC_TRANSA, call.first.0), (CUBLASLT_MATMUL_DESC_TRANSB, call.second.0)]
        {
            let op = i32::from(transposed); // CUBLAS_OP_N is 0, CUBLAS_OP_T is 1
            // SAFETY: the description lives, the attribute has four bytes.
            unsafe { set_matmul_desc_attribute(product, attribute, (&raw const op).cast(), size_of_val(&op)) }?;
        }
        Ok(Descriptions {
            product,
            first: operand(call.first, call.m, call.k)?,
            second: operand(call.second, call.k, call.n)?,
            result: layout(p.of.result(), call.m, call.n, call.m)?,
        })
    }
}

impl Drop for Descriptions {
    fn drop(&mut self) {
        use cublaslt::result::{destroy_matmul_desc, destroy_matrix_layout};
        // SAFETY: made in `new`, destroyed once.
        unsafe {
            let _ = destroy_matmul_desc(self.product);
            for layout in [self.first, self.second, self.result] {
                let _ = destroy_matrix_layout(layout);
            }
        }
    }
}

/// A product of cublasLt with an algorithm.
pub struct Plan<'a> {
    blas: &'a Blas,
    of: Type,
    descriptions: std::rc::Rc<Descriptions>,
    algorithm: sys::cublasLtMatmulAlgo_t,
}

impl Plan<'_> {
    /// cublasLtMatmul. The buffers hold what the shape says.
    pub fn run(&self, a: &Buffer<u8>, b: &Buffer<u8>, c: &Buffer<u8>) -> Result<()> {
        let (d, (_, scale)) = (&self.descriptions, kinds(self.of));
        let c = c.address() as *mut c_void;
        // SAFETY: the operands lie within the buffers, which outlive the stream's work; the scales are of the scale type.
        unsafe {
            cublaslt::result::matmul(
                self.blas.lt,
                d.product,
                scale.one.as_ptr().cast(),
                scale.zero.as_ptr().cast(),
                b.address() as *const c_void,
                d.first,
                a.address() as *const c_void,
                d.second,
                c,
                d.result,
                c,
                d.result,
                &self.algorithm,
                self.blas.workspace.address() as *mut c_void,
                WORKSPACE,
                self.blas.stream.cudarc().cu_stream().cast(),
            )?;
        }
        Ok(())
    }
}

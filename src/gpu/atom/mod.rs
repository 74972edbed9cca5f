//! Instructions as data: what a tiling is made of.
//!
//! A [`MmaAtom`] is a matrix instruction, with the thread-value layouts of its operands; a [`CopyAtom`] one that moves
//! values, with the layouts of source and destination. Their names are CuTe's.
//!
//! | to | use |
//! |---|---|
//! | see what one instruction does | [`MmaAtom`], [`CopyAtom`] |
//! | multiply tiles by many threads, each with fragments of A, B and C | [`TiledMma`]; with [`MmaAtom::fma`] where there is no matrix instruction |
//! | fill shared memory, by vectors or `cp.async` | [`TiledCopy::new`]: threads and values laid over a tile |
//! | load fragments (`ldmatrix`), store them (`stmatrix`) | [`TiledCopy::of_a`], `of_b`, `of_c`: made from the tiled instruction, so that each thread gets its own values |
//! | see such a fragment as the copy does | [`TiledCopy::retile_d`], `retile_s` |
//!
//! ```text
//! partition_a, partition_s, ..   (values, rest_m, rest_n, ..)        and an offset: one thread's part of a tensor
//! fragment_a, fragment, ..       (values, rest_m, rest_n, ..)        compact: its registers
//! retile_s, retile_d             ((values of a copy, copies), rest_m, rest_n, ..)   the same registers
//! ```
//! What divides a layout divides tensors and swizzled layouts: give it to their `narrow` ([`Tensor::narrow`],
//! [`Composed::narrow`], [`Part::narrow`]).
//!
//! [`Tensor::narrow`]: crate::layout::Tensor::narrow
//! [`Composed::narrow`]: crate::layout::Composed::narrow
//! [`Part::narrow`]: crate::algebra::Part::narrow
//!
//! ```
//! use girih::prelude::*;
//! let mma = MmaAtom::named("SM80_16x8x16_F32F16F16F32_TN").ok_or("no such atom")?;
//! assert_eq!(mma.shape(), ints!((16, 8, 16)));
//! assert_eq!(mma.a(), layout!(((4,8),(2,2,2)):((32,1),(16,8,128)))); // (thread, value) to (m, k)
//! assert_eq!(mma.ptx().as_deref(), Some("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"));
//!
//! let copy = CopyAtom::named("SM75_U32x4_LDSM_N").ok_or("no such atom")?;
//! assert_eq!(copy.src(), layout!((32,128):(128,1))); // in bits: each lane gives a row of 16 bytes
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! # One step of a GEMM
//! ```
//! use girih::gpu::atom::SM80_16x8x16_F32F16F16F32_TN as MMA;
//! use girih::prelude::*;
//! let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?.permuted(&tiler![_, 32])?;
//! let ldmatrix = CopyAtom::Ldmatrix { matrices: 4, transposed: false };
//! let (load_a, load_b) = (TiledCopy::of_a(ldmatrix, &warps)?, TiledCopy::of_b(ldmatrix, &warps)?);
//!
//! let smem = layout!((128,64):(64,1)).swizzled(&Swizzle::new(3, 3, 3)?)?;         // of A and of B
//! let thread = 37;
//! let (rows_a, _) = smem.narrow(|l| load_a.partition_s(l, thread))?;              // addresses for ldmatrix
//! let a = warps.fragment_a(&warps.partition_a(smem.inner(), thread)?.0)?;         // registers of A
//! let to_a = load_a.retile_d(&a)?;                                                // as ldmatrix fills them
//! let b = warps.fragment_b(&warps.partition_b(smem.inner(), thread)?.0)?;
//! let c = warps.fragment_c(&warps.partition_c(&layout!((128,128):(128,1)), thread)?.0)?;
//! // (values, rest_m, rest_k) of both sides of the copy, then of the operands of the instruction
//! assert_eq!((rows_a.shape(), to_a.shape()), (ints!(((8, 1), 4, 4)), ints!(((8, 1), 4, 4))));
//! assert_eq!((a.shape(), b.shape()), (ints!(((2, 2, 2), 4, 4)), ints!(((2, 2), 8, 4))));
//! assert_eq!(c.shape(), ints!(((2, 2), 4, 8)));
//! assert_eq!(load_b.retile_d(&b)?.shape(), ints!((((4, 2), 1), 4, 4)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod copy;
mod mma;
mod tiled;
mod value;

pub use copy::CopyAtom;
pub use mma::constants::*;
pub use mma::{MmaAtom, Modifier, Operands, Source};
pub use tiled::{TiledCopy, TiledError, TiledMma};
pub use value::{NumericType, RegisterType, Registers};

//! Instructions as data: what a tiling is made of.
//!
//! A [`MmaAtom`] is a matrix instruction, with the thread-value layouts of its operands; a [`CopyAtom`] one that moves
//! values, with the layouts of source and destination. Their names are CuTe's.
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

mod copy;
mod mma;
mod tiled;
mod value;

pub use copy::CopyAtom;
pub use mma::constants::*;
pub use mma::{MmaAtom, Modifier, Operands, Source};
pub use tiled::{TiledCopy, TiledError, TiledMma};
pub use value::{NumericType, RegisterType, Registers};

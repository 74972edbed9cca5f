//! What the hardware does with a layout: computed, and equal to the profiler's counters.
//!
//! | to know | use |
//! |---|---|
//! | bank conflicts in shared memory | [`banks`] |
//! | sectors and cache lines of global memory | [`sectors`] |
//! | how wide a thread may load and store | [`vectors`] |
//! | whether a view is the fragment that an instruction wants | [`difference`] |
//! | which swizzle frees all accesses to a tile | [`choose_swizzle`] |
//!
//! The input is a thread-value layout: mode 0 the threads, 32 to a warp, the other modes the values of each, offsets in
//! elements of `bits` bits. A [`Request`], one instruction of one warp, is also made from plain addresses.
//!
//! ```
//! use girih::gpu::facts::{Access, banks};
//! use girih::prelude::*;
//! // a warp reads a column of a row-major f32 tile: rows of 32 words, rows of 33 words, rows of 32 words swizzled
//! let column: Layout = layout!(32:32);
//! assert_eq!(banks(&column, 32, Access::Load(4))?.ways(), 32);
//! assert_eq!(banks(&layout!(32:33), 32, Access::Load(4))?.ways(), 1);
//! assert_eq!(banks(&column.swizzled(&"S<5,0,5>".parse()?)?, 32, Access::Load(4))?.ways(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The model, and how it is known
//! *Shared memory* has 32 banks of 4 bytes; in each wavefront a bank delivers one of its words, to every lane that wants
//! it. A request is served in *phases* of 128 bytes: 32 lanes at 1, 2 and 4 bytes, 16 at 8 bytes, 8 at 16 bytes, one matrix of
//! `ldmatrix` and `stmatrix` (the 8 lanes that hold the addresses of its rows). A phase takes as many wavefronts as the
//! fullest bank has different words; one without active lanes takes none. Stores are served like this, and so are the matrix
//! instructions and loads of up to 4 bytes.
//!
//! *Loads of 8 and 16 bytes* can do better. If all active lanes of the warp pair up, lane `i` with lane `i^1`, or all with
//! `i^2`, such that each two ask for the same address or only one of them is active, then phases join in twos: 32 lanes at 8
//! bytes, 16 at 16 bytes. A broadcast of 8 bytes is one wavefront, not two. (The whole warp must pair up, and in one way: one
//! half by `i^1` and the other by `i^2` does not do.)
//!
//! *Global memory* moves sectors of 32 bytes, of lines of 128: a request touches each that holds one of its bytes once, over
//! the whole warp at every width, loads and stores alike.
//!
//! All of this was measured on an H200 (compute capability 9.0, driver 580.159, CUDA 13.0), with the counters that Nsight
//! Compute 2025.3 reads; `benches/gpu/access.cu` is the program. `tests/data/h200_access.jsonl` has its 1900 requests, one
//! launch each: wavefronts and bank conflicts of loads and stores of 1 to 16 bytes and of `ldmatrix` and `stmatrix` with 1, 2
//! and 4 matrices, plain and transposed; sectors and lines of global loads and stores. A test compares these functions with
//! all of them. The model was made from the sets `named` (patterns with a layout) and `fit`, and then tested on the 482 of
//! `held out`: pairs at distances 1 to 16, pairs in one half of the warp, pairs that fail in one lane, and random requests.
//! Other generations were not measured.

mod banks;
mod draw;
mod error;
mod fragment;
mod request;
mod sectors;
mod swizzle;
mod vectors;

pub use banks::{Banks, Meeting, Phase, RequestBanks, banks};
pub use error::FactError;
pub use fragment::{Difference, difference};
pub use request::{Access, Request, VALUES};
pub use sectors::{RequestSectors, Sectors, sectors};
pub use swizzle::{NoSwizzle, choose_swizzle};
pub use vectors::{Vectors, vectors};

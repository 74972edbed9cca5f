//! PTX on the CPU: kernels run without a GPU, and what a GPU hides is found.
//!
//! [`Module::simulate`](crate::gpu::ptx::Module::simulate) runs a kernel; [`Simulation`] does so with limits and choices, and takes the
//! [launch descriptions](crate::gpu::launch) of generated kernels; [`Buffer`] is memory. `girih sim kernel.ptx` does it for PTX from
//! anywhere, launched in [words](Description). What comes back is a [`Report`], or a [`SimError`] with the [`Fault`]s.
//!
//! # Finding a race
//! Each thread puts its element into shared memory and takes that of the thread after it. A barrier is missing:
//! ```
//! use girih::gpu::ptx::Module;
//! use girih::gpu::sim::{Buffer, Grid, SimError};
//! let rotate = "
//!     .version 7.0
//!     .target sm_80
//!     .address_size 64
//!     .visible .entry rotate(.param .u64 x, .param .u64 y)
//!     {
//!         .reg .b32 %r<4>;
//!         .reg .b64 %rd<5>;
//!         .shared .align 4 .b32 tile[64];
//!         ld.param.u64 %rd0, [x];
//!         ld.param.u64 %rd1, [y];
//!         mov.u64 %rd2, tile;
//!         mov.u32 %r0, %tid.x;
//!         mad.wide.u32 %rd0, %r0, 4, %rd0;
//!         mad.wide.u32 %rd1, %r0, 4, %rd1;
//!         mad.wide.u32 %rd3, %r0, 4, %rd2;
//!         ld.global.u32 %r1, [%rd0];
//!         // my element, into the tile
//!         st.shared.u32 [%rd3], %r1;
//!         // BARRIER
//!         add.u32 %r2, %r0, 1;
//!         and.b32 %r2, %r2, 63;
//!         mad.wide.u32 %rd4, %r2, 4, %rd2;
//!         // that of the thread after me, the last one takes the first
//!         ld.shared.u32 %r3, [%rd4];
//!         st.global.u32 [%rd1], %r3;
//!         ret;
//!     }";
//! let x = Buffer::from_slice(&std::array::from_fn::<u32, 64, _>(|i| i as u32));
//! let mut y = Buffer::<u32>::new(64);
//! let e = Module::parse(rotate)?.simulate(Grid::new(1, 64), &[x.arg(), y.arg_mut()]).unwrap_err();
//! let SimError::Faults(report) = &e else { panic!("{e}") };
//! let race = &report.faults[0];
//! assert_eq!((race.site.instruction.as_str(), race.thread.thread), ("ld.shared.u32 %r3, [%rd4];", [0, 0, 0]));
//! let (store, by) = race.other.as_ref().unwrap();
//! assert_eq!((store.comment.as_deref(), by.thread), (Some("my element, into the tile"), [1, 0, 0]));
//!
//! let fixed = Module::parse(&rotate.replace("// BARRIER", "bar.sync 0;"))?;
//! fixed.simulate(Grid::new(1, 64), &[x.arg(), y.arg_mut()])?;
//! assert_eq!(y.to_vec()?[60..], [61, 62, 63, 0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! On the command line, where the file says in its first line how it is launched, and tells of lines as they are in the file:
//! ```console
//! $ head -1 rotate.ptx
//! // girih sim --grid 1 --block 64 u32[64]=iota u32[64]
//! $ girih sim rotate.ptx
//! race: reads 4 bytes at shared address 0x4 with nothing between it and an earlier access
//!   rotate, line 25: ld.shared.u32 %r3, [%rd4]; // that of the thread after me, the last one takes the first
//!   thread (0,0,0) of block (0,0,0)
//!   against
//!   rotate, line 19: st.shared.u32 [%rd3], %r1; // my element, into the tile
//!   thread (1,0,0) of block (0,0,0)
//! ```
//! Thread 1 is in the warp of thread 0: also threads of a warp run apart unless `bar.warp.sync` orders them. `--faults 10` goes on to
//! others, `--report` says where the time may go.
//!
//! # What is looked for
//! | [`FaultKind`] | for example | [off](Checks) by |
//! |---|---|---|
//! | `race` | reads 4 bytes at shared address 0x4 with nothing between it and an earlier access | `races` |
//! | `unwritten-memory` | 16 bytes at shared address 0x10, not all of which were written | `memory` |
//! | `unwritten-register` | %f1 was never written | `registers` |
//! | `out-of-bounds` | 4 bytes at offset 400 of argument 1, y, which has 400 | |
//! | `misaligned` | global address 0x1000000008 is no multiple of 16 bytes | |
//! | `read-only` | a store to constant memory | |
//! | `divergent-barrier` | lanes 0-7 of the warp wait elsewhere | |
//! | `exited-at-barrier` | lanes 18-31 of the warp have exited | `exited` |
//! | `inactive-lane` | it reads from a thread that does not take part | |
//! | `mbarrier` | no mbarrier is at 0x0 | |
//! | `deadlock` | nobody can go on; where each warp waits | |
//! | `budget` | 1000000 instructions of warps; where each warp is | |
//! | `trap` | the kernel traps | |
//!
//! Each names instruction, line, the comment before it, the `.loc` source, thread and block. Without a check the run goes on as
//! hardware might: what nothing wrote is whatever is there, zeros in fresh memory. Races and unwritten memory let a run go on to the
//! next fault ([`Simulation::faults`]), others end their block.
//!
//! *Memory that nothing wrote* is that of a new [`Buffer`], shared and local memory; known by the byte. Variables of the module
//! without a value are zero, and keep what kernels write as long as the [`Simulation`] lives. A register that nothing wrote may be
//! stored to local memory, where it stays unwritten: compilers copy structures with gaps so.
//!
//! *Bounds* are those of an argument (or its part: [`Buffer::range`]) and of the module's variables in global memory. Shared memory
//! is one variable at a time: static ones lie 128 bytes apart here, so that an overrun meets nothing. Local memory ends with the
//! frame of its function, constants and parameters with the last of them: an overrun from one into the next is not seen.
//!
//! # Arithmetic
//! Results have the bits of an H200's: rounding, `.ftz`, `.sat`, NaNs, conversions. Tensor cores do not add as IEEE 754 says;
//! [`tensor_core`] has their law. Approximate functions are a double's function, rounded, where hardware may be off by as much as
//! [`approx::error`] says. Atomics of floats are added in the order in which threads come, which is another one on each run, unless
//! [`Simulation::threads`] is 1.
//!
//! # Memory model
//! Two accesses of different threads to a byte, one of them a write, race unless one happens before the other, or both are *strong*
//! (atomics, `.volatile`, `.relaxed`, `.acquire`, `.release`), in each other's scope and of the same bytes. Whether they happen to
//! meet does not matter.
//! A thread's accesses happen in its order, and before those of another by
//! * `bar`, `barrier`: what comes before a `sync`, `arrive` or `red` happens before what follows the `sync` or `red` of others;
//! * `bar.warp.sync`, between the threads that it names. Shuffles, votes, `mma` and `ldmatrix` order nothing;
//! * release and acquire: `st.release`, `atom.release` and the like, or a fence and then a strong store or atomic; seen by `ld.acquire`
//!   and the like, or by a strong load and then a fence. An atomic passes on what was released before it, a store does not;
//! * `fence.sc` and `membar` beyond a CTA: also through barriers. What comes before such a fence of any thread, a barrier and then a
//!   strong write happens before what follows a strong read of that, a barrier and then such a fence of any thread;
//! * `mbarrier` arrivals, seen by a `test_wait` or `try_wait` that says that the phase is over; `.relaxed` ones with fences;
//! * `cp.async`: its source and destination count as touched from the instruction to its thread's `wait_group` or `wait_all`, or until a
//!   thread sees the phase complete in which a `cp.async.mbarrier.arrive` announces it. The bytes arrive at the wait or at the
//!   announcement, the latest that they may. Others see them by what orders them after that.
//!
//! What `ld.global.nc` reads the launch must not have written: reported as a race even if they are ordered.
//!
//! Scopes are `.cta` and `.gpu`; `.cluster` counts as `.cta`, since a cluster is one block here, and `.sys` as `.gpu`. There is one
//! proxy: fences between proxies do nothing, and a missing one is not seen.
//!
//! *Reported, though hardware may get away with it:* the same value stored by threads of different warps or by different instructions
//! (stored by one instruction of one warp it is no race); threads of a warp that count on going in step; a barrier of all threads
//! when some have exited, which PTX lets wait for those that have not (a lint); a shared address in 64 bits of which the upper ones are
//! not 0, which PTX cuts: mostly one that `cvta` has not seen.
//!
//! *Missed:* what is wrong only on a path that this run does not take, since another order of atomics, or other data, lead there; a race
//! with a store that an unordered one, itself reported, has already hidden.
//!
//! # Divergence
//! Threads at one place go on together. A branch that not all take splits them; the group that is furthest behind in the code goes
//! first, so that they meet again where the code does, and another has its turn after 1024 instructions, or a test of an mbarrier:
//! threads of a warp that wait for each other get on, as from Volta on. What is `.aligned` (`bar.sync`, `mma`, `ldmatrix`) waits for the
//! whole warp at one place; `barrier.sync` and what names its members for those that have not exited, wherever they come to the same
//! barrier, or to the same instruction with the same members.
//!
//! # What is refused
//! `wgmma`, bulk and tensor copies (TMA), clusters' barriers and addresses, `st.async`, `red.async`, `alloca`, special
//! registers of a device's counters and driver (`%pm0`, `%envreg0`, `%reserved_smem_offset_begin`), arguments of 128 bits by value: an
//! error of the launch
//! that may reach one ([`SimError::Unsupported`]). Textures, surfaces and `tcgen05` are not in the instruction table: text with them
//! is not read. A call of a function without a body, `vprintf` for example, is a trap when it is reached. Launches in
//! clusters of several blocks are refused. There is one device of one multiprocessor, no cache, and no time: `%clock` counts instructions of its
//! block.
//!
//! # Limits and speed
//! A run ends after 2^32 instructions of warps ([`Simulation::budget`]), the threads' places told; a grid that would take more is
//! refused at once, or when its first block says so, with the estimate. Blocks run beside each other on all cores of the host, each
//! on one; those that wait for others make room for more. Grids, blocks and their shared memory are no larger than
//! the largest device's ([`Limits::LARGEST`](crate::gpu::launch::Limits::LARGEST)); constants, local memory and parameters have 64 KiB,
//! 512 KiB and 32764 bytes. `cargo bench --bench simulate` measures instructions a second.
//!
//! # What a report counts
//! Instructions by [`Kind`], sectors of global memory and wavefronts of shared memory as [`facts`](crate::gpu::facts) has them for the
//! addresses that each warp asked for, atomics as stores. A copy that is cut short counts as a whole one, an instruction that its guard
//! forbids to the whole warp as none.

mod access;
mod atomic;
mod barrier;
mod buffer;
mod call;
mod clock;
mod collective;
mod copies;
mod count;
mod cta;
mod decode;
mod describe;
mod discard;
mod error;
mod frame;
mod group;
mod initial;
mod local;
mod mbarrier;
mod page;
mod program;
mod pure;
mod report;
mod run;
mod shadow;
mod simulation;
mod special;
mod strong;
#[cfg(all(test, feature = "gpu"))]
mod tests;
mod tiles;
mod translate;
mod warp;

pub use buffer::{Buffer, UnwrittenElement};
pub use describe::{Argument, DescribeError, Described, Description, Fill, Filled};
pub use error::{Fault, FaultKind, SimError, Site, ThreadId};
pub use pure::{approx, tensor_core};
pub use report::{Kind, Line, Report};
pub use run::Checks;
pub use simulation::{Dims, Grid, Simulation};

//! Tile programs: what each block of a grid does with tiles, as data.
//!
//! A program has parameters (spans of memory, scalars), conditions on the symbols in their extents, a grid, and statements: tile
//! operations, loads, stores and atomic operations on chunks of spans, loops that carry tiles, conditionals. It is written as Rust:
//! [`program`] calls a function with a [`Builder`], whose spans and tiles have the methods and operators of
//! [`TensorSpan`](crate::view::TensorSpan) and [`Tile`](crate::tile::Tile), and each of them records a statement with the line it
//! stands on.
//! ```
//! use girih::{Shape, program::program, view::NegativeInfinity};
//! use typenum::U1;
//! let softmax = program("softmax", |p| {
//!     let (rows, cols) = (p.symbol("rows"), p.symbol("cols"));
//!     p.require(cols.le(8));
//!     let x = p.input::<f32, 2>("x", [rows, cols]).partition::<Shape![1, 8]>();
//!     let y = p.output::<f32, 2>("y", [rows, cols]).partition::<Shape![1, 8]>();
//!     let [i] = p.grid([rows]);
//!     let row = x.load_masked((i, 0), NegativeInfinity);
//!     let e = (row - row.reduce_max::<U1>()).exp();
//!     y.store_masked(e / e.sum::<U1>(), (i, 0));
//! })?;
//!
//! let x = [0.0f32, 0.0, 0.0, 2f32.ln()];
//! let mut y = [0.0f32; 4];
//! softmax.host().arg("x", (&x, [2, 2])).arg("y", &mut y).run()?;
//! assert!((0.4999..0.5001).contains(&y[0]) && (0.6666..0.6667).contains(&y[3]));
//!
//! // `{:#}` leaves out the places in the source text
//! assert_eq!(format!("{softmax:#}"), "\
//! program softmax(x: f32(?rows,?cols) in, y: f32(?rows,?cols) out)
//!   symbols ?rows, ?cols
//!   require ?cols <= 8
//!   grid (?rows)
//!     %0: i32 = block_id 0
//!     %1: f32(1,8) = load x[%0, 0] by (1,8) masked -inf
//!     %2: f32(1,1) = reduce max %1 along 1
//!     %3: f32(1,8) = broadcast %2 to (1,8)
//!     %4: f32(1,8) = sub %1, %3
//!     %5: f32(1,8) = exp.full %4
//!     %6: f32(1,1) = reduce sum %5 along 1
//!     %7: f32(1,8) = broadcast %6 to (1,8)
//!     %8: f32(1,8) = div %5, %7
//!     store %8 to y[%0, 0] by (1,8) masked
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # When to use what
//! Tiles at hand ([`Tile`](crate::tile::Tile) with its default holder) are for trying out and for tests: an operation gives its
//! value at once. A program is for what is to run on many blocks, and on other machines than this one: the same methods, on
//! [`Var`]s, which are `Copy`: beside tiles at hand write `&x`. A function may serve both.
//! ```
//! use girih::prelude::*;
//! use girih::tile::F8E4M3;
//! use girih::tile::Value;
//!
//! type Rows = Shape![4, 16];
//!
//! /// Rows in 8 bits, and the scale of each.
//! fn quantise<V: Value>(x: &Tile<f32, Rows, V>) -> (Tile<F8E4M3, Rows, V>, Tile<f32, Shape![4, 1], V>) {
//!     let largest = x.abs().reduce_max::<U1>();
//!     let scale = largest.gt(0.0).select(&largest / 448.0, 1.0);
//!     ((x / &scale).cast(), scale)
//! }
//! let (q, scale) = quantise(&(Tile::<i32, Rows>::iota().cast::<f32>() * 0.5));
//! assert_eq!((q.to_vec()[63].to_f32(), scale.to_vec()[3]), (448.0, 31.5 / 448.0));
//!
//! let p = program("quantise", |p| {
//!     let x = p.input::<f32, 2>("x", [4, 16]).partition::<Rows>();
//!     let (q, s) = (p.output::<F8E4M3, 2>("q", [4, 16]), p.output::<f32, 2>("s", [4, 1]));
//!     let (tile, scale) = quantise(&x.load((0, 0)));
//!     q.partition::<Rows>().store(tile, (0, 0));
//!     s.partition::<Shape![4, 1]>().store(scale, (0, 0));
//! });
//! assert!(p.is_ok());
//! ```
//!
//! # What a program means
//! [`Program::host`] evaluates it: the meaning, which every other execution has to equal. Each block sees memory as it was before
//! the launch, and what it stored itself; what blocks store is stored at the end, in their order. That no order of the blocks
//! gives anything else is checked as far as accesses are weak: an element that two blocks access, one of them storing, is a
//! [race](Race), unless both do so by strong (atomic) operations of a scope that holds both: `Block` does not. Strong operations
//! of two blocks on one element are in the order of the blocks here, and may be in another one elsewhere: of two strong stores
//! of different values, or a strong load and a store, which is the last one is up to the program. Where a program loads by such
//! operations what blocks store, which is the one way to see what another block did, blocks run one after the other, the first
//! dimension of the grid the fastest. Sums of floats by atomic additions are made in the order of the blocks. So results are the
//! same on every machine and for every number of threads.
//!
//! A limit: that a release in one block and an acquire in another put other accesses in order is not taken into account. Weak
//! accesses of two blocks to one element are reported as a race, also where such a pair is between them.
//!
//! A grid with an extent of 0 has no blocks: its run does nothing.
//!
//! # What is checked when
//! | when | what |
//! |---|---|
//! | compiling | element types, shapes, ranks, orders, paddings |
//! | building | tiles and extents used where they exist, names, layouts, chunks that each block accesses: [`ProgramError`] |
//! | launching | arguments, values of symbols, conditions, the grid, layouts that are stored to: [`RunError`] |
//! | running | chunks within spans, indices, loops that advance, races: [`RunError`], with block and line |
//!
//! # Programs as data
//! A [`Program`] holds no closures: [bodies](ir::Body) of [statements](ir::Statement) on numbered values of known [types](crate::tile::TileType). A back
//! end reads them: see [`ir`].

mod builder;
mod control;
mod display;
mod error;
mod extent;
mod host;
pub mod ir;
mod live;
mod memory;
mod node;
mod operation;

pub use builder::{Builder, Outcome, program};
pub use control::{Carried, End, Over, Steps, steps};
pub use error::{Fault, ProgramError};
pub use extent::{Comparison, Condition, Extent, Known, Quotient, Relation};
pub use host::{Argument, Host, Party, Passed, Race, Report, RunError, Stop, Touch, WrongExtents};
pub use ir::{Line, Program};
pub use memory::{Extents, Input, Output, Span};
pub use node::{Node, Var};

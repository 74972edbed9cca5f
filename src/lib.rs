//! Layouts as values with an exact algebra.
//!
//! A [`Layout`](layout::Layout) is a function from coordinates to integers, given by a nested shape and stride, as in CuTe. It is
//! a small `Copy` value, every operation on it is a `const fn`, and `Ok` means that the operation's law holds for every
//! coordinate; what cannot be expressed is refused with a typed error and, where it can be, a witness.
//!
//! ```
//! use girih::prelude::*;
//!
//! let a = layout!((6,2):(8,2));
//! assert_eq!(a.compose(&layout!((4,3):(3,1)))?, layout!(((2,2),3):((24,2),8)));
//! let e = layout!((4,6,8):(2,3,5)).compose(&layout!(6:3)).unwrap_err();
//! assert!(e.to_string().ends_with("at 3 it is 8, every one that agrees before gives 13"));
//! # Ok::<(), girih::Error>(())
//! ```
//!
//! # The map
//! | module | what | when |
//! |---|---|---|
//! | [`layout`](mod@layout) | layouts, integer tuples, tilers, symbols, swizzles, tensors, text, drawings | always |
//! | [`layout::typed`] and [`algebra::typed`] | layouts as types, operations on them | known when compiling |
//! | [`layout::draw`] | pictures and tables: values, threads, banks | to look at them |
//! | [`algebra`] | operations as methods of the above; the guards of ragged divides | to cut, join and turn layouts around |
//! | [`algebra::linear`] | power-of-two layouts and swizzles as matrices over F2 | inverses and products of swizzles; thread-value conversions |
//! | [`algebra::prove`] | claims decided exactly: certificates and least counterexamples | to know that a tiling is right |
//! | [`algebra::laws`] | the laws as functions that check them | to test tilings of your own |
//! | `algebra::strategy` | layouts for property tests (feature `proptest`) | likewise |
//! | [`tile`] | element types and their conversions, tiles and every operation on them | to write references, and programs |
//! | [`view`] | tensors in memory, loaded and stored as tiles: partitioned, strided, gathered | around tiles |
//! | [`program`](mod@program) | tile programs: traced, printed, evaluated on the host | to say once what a kernel means |
//! | [`gpu::facts`] | what the hardware does with a layout: banks, sectors, vectors, the choice of a swizzle | to know before it runs |
//! | [`gpu::atom`] | matrix and copy instructions with their thread-value layouts, laid over threads | to build and check tilings |
//! | [`gpu::ptx`], [`gpu::kernel`] | instructions as data, and a builder whose addresses are layouts | to generate kernels |
//! | [`gpu::sim`] | PTX on the CPU, with a device's bits and its faults found | to run them without a GPU |
//! | [`gpu::gemm`], [`gpu::copy`] | matrix products and streams | to use them |
//!
//! Dependencies run one way: `gpu` knows `program`, which knows `view`, `tile`, `algebra` and `layout`, never the reverse.
//!
//! # Features
//! The required dependencies are typenum, num-integer and half. `gpu`, on by default: the device, through the driver if there is
//! one. `json`: launch descriptions as JSON. `ndarray`: tiles and spans from arrays and back. `proptest`: public strategies.
//! `serde`: layouts and their parts as text. `cli`: the `girih` command line. The crate uses `std`; the layout values and the
//! operations on them allocate nothing.
#![deny(unsafe_code)]
#![deny(missing_docs)]
// Errors carry their operands inline, so that the same error exists at compile time (no heap there).
#![allow(clippy::result_large_err)]

/// `?` for const functions.
macro_rules! tri {
    ($e:expr) => {
        match $e {
            Ok(v) => v,
            Err(e) => return Err(e),
        }
    };
}

pub mod algebra;
pub mod gpu;
pub mod layout;
pub mod program;
pub mod tile;
pub mod view;

pub use layout::{Error, LayoutError};

/// What functions of your own return: errors carry their operands inline, about a kilobyte, and are better boxed when passed on.
/// `?` boxes.
/// ```
/// use girih::prelude::*;
/// fn tile(a: &Layout) -> girih::Result<Layout> {
///     let tiles = a.zipped_divide(&tiler![4, 4])?;
///     Ok(tiles.mode(0)?)
/// }
/// assert_eq!(tile(&layout!((8,8):(8,1))).unwrap(), layout!((4,4):(8,1)));
/// ```
pub type Result<T> = core::result::Result<T, Box<Error>>;

/// The value of a layout operation in a const context; an error stops compilation with its message, at the caller's line.
/// ```
/// use girih::prelude::*;
/// const A: Layout = layout!((6,2):(8,2));
/// const R: Layout = girih::must(A.compose(&layout!((4,3):(3,1))));
/// assert_eq!(R.to_string(), "((2,2),3):((24,2),8)");
/// ```
///
/// # Panics
/// On an error.
#[track_caller]
pub const fn must<T: Copy>(r: core::result::Result<T, Error>) -> T {
    match r {
        Ok(v) => v,
        Err(e) => panic!("{}", layout::Text::new().error(&e).as_str()),
    }
}

/// What the literal macros expand to.
#[doc(hidden)]
#[track_caller]
pub const fn literal<T: Copy>(r: core::result::Result<T, LayoutError>) -> T {
    match r {
        Ok(v) => v,
        Err(e) => panic!("{}", layout::Text::new().reason(&e).as_str()),
    }
}

/// A [`Layout`](layout::Layout) from its text, read at compile time: `layout!((6,2):(8,2))`.
#[macro_export]
macro_rules! layout {
    ($($text:tt)+) => {
        const { $crate::literal($crate::layout::Layout::parse(stringify!($($text)+))) }
    };
}

/// An [`IntTuple`](layout::IntTuple) from its text, read at compile time: `ints!((2, (3, _)))`.
#[macro_export]
macro_rules! ints {
    ($($text:tt)+) => {
        const { $crate::literal($crate::layout::IntTuple::parse(stringify!($($text)+))) }
    };
}

/// A by-mode [`Tiler`](layout::Tiler), read at compile time: `tiler![128, 64]`, `tiler![4:2, _, (2,4):(1,8)]`.
#[macro_export]
macro_rules! tiler {
    ($($text:tt)+) => {
        const { $crate::literal($crate::layout::Tiler::parse(concat!("<", stringify!($($text)+), ">"))) }
    };
}

/// What most programs use.
pub mod prelude {
    pub use crate::algebra::linear::{Axes, Axis, LinearLayout};
    pub use crate::algebra::prove;
    pub use crate::algebra::typed::*;
    pub use crate::algebra::{Guard, Guarded, GuardedTensor, Major, Part, SmemSwizzle, smem_atom};
    pub use crate::gpu::atom::{CopyAtom, MmaAtom, TiledCopy, TiledMma};
    pub use crate::gpu::facts::{Access, banks, choose_swizzle, sectors};
    pub use crate::layout::typed::*;
    pub use crate::layout::{
        Bound, Composed, Drawable, Drawing, Error, Int, IntTuple, Layout, LayoutError, Swizzle, Tensor, TensorView,
        TensorViewMut, Tiler,
    };
    pub use crate::program::{Var, program};
    pub use crate::tile::{AnyTile, Tile, bf16, f16};
    pub use crate::view::TensorSpan;
    pub use crate::{Shape, ints, layout, tiler};
    pub use typenum::consts::*;
}

/// The README's examples run too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

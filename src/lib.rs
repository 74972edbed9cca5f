//! girih
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
pub mod layout;

pub use layout::{Error, LayoutError};

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
pub const fn must<T: Copy>(r: Result<T, Error>) -> T {
    match r {
        Ok(v) => v,
        Err(e) => panic!("{}", layout::Text::new().error(&e).as_str()),
    }
}

/// What the literal macros expand to.
#[doc(hidden)]
#[track_caller]
pub const fn literal<T: Copy>(r: Result<T, LayoutError>) -> T {
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
    pub use crate::algebra::typed::*;
    pub use crate::algebra::{Guard, Guarded, GuardedTensor, Major, Part, SmemSwizzle, smem_atom};
    pub use crate::layout::typed::*;
    pub use crate::layout::{
        Bound, Composed, Drawable, Drawing, Error, Int, IntTuple, Layout, LayoutError, Swizzle, Tensor, TensorView,
        TensorViewMut, Tiler,
    };
    pub use crate::{ints, layout, tiler};
    pub use typenum::consts::*;
}

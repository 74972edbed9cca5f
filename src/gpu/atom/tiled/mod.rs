//! Atoms laid over threads: the thread-value layouts of whole tiles, and each thread's part of a tensor.

mod copy;
mod error;
mod mma;

pub use copy::TiledCopy;
pub use error::TiledError;
pub use mma::TiledMma;

use crate::algebra::{Guard, Guarded};
use crate::layout::{Bound, Error, Int, IntTuple, Layout, LayoutError};

/// What `f` makes of the layout and, alike, of the coordinates in its guard.
fn guarded(g: Guarded, f: impl Fn(&Layout) -> Result<Layout, Error>) -> Result<Guarded, Error> {
    Ok(Guarded { layout: f(&g.layout)?, guard: Guard { coord: f(&g.guard.coord)?, limit: g.guard.limit } })
}

/// `(values, rest_m, rest_n, ..)` of the thread at `c` in mode 0 of `(threads, values, (rest_m, rest_n, ..))`.
fn at_thread(c: &IntTuple, threads_values_rest: &Layout) -> Result<(Layout, Bound), LayoutError> {
    let keep = IntTuple::leaf(&Int::UNDERSCORE)?;
    let rest = IntTuple::tuple(&vec![keep; threads_values_rest.mode(2)?.rank()])?;
    threads_values_rest.slice(&IntTuple::tuple(&[*c, keep, rest])?)
}

/// The registers of a partition `(values, rest_m, rest_n, ..)`: the values of one instruction compact, each in a register of its
/// own, then the rest in the order of its strides.
fn fragment(op: &'static str, partition: &Layout) -> Result<Layout, Error> {
    let distinct = || {
        let values = Layout::column_major(&partition.mode(0)?.shape())?;
        partition.replace(0, &values)?.make_fragment_like().map_err(|e| e.reason)
    };
    distinct().map_err(|e| Error::unary(op, partition, e))
}

/// The extents of a shape by modes, as numbers.
fn extents<const N: usize>(shape: [&Layout; N]) -> Result<[i64; N], LayoutError> {
    let mut all = [1; N];
    for (extent, l) in all.iter_mut().zip(shape) {
        *extent = l.size()?;
    }
    Ok(all)
}

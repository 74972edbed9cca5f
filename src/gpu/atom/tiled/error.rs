//! Why atoms do not tile.

use super::super::CopyAtom;
use crate::layout::{Error, Layout, LayoutError};
use core::fmt;

/// Why there is no such tiling of an atom.
/// ```
/// use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, TiledError, TiledMma};
/// use girih::prelude::*;
/// let warps = TiledMma::new(MMA, &layout!((2,2):(1,2)))?;
/// let e = warps.permuted(&tiler![48, 32, 16]).unwrap_err();
/// assert!(matches!(e, TiledError::Permutation { mode: 'M', of: 32, .. }));
/// assert_eq!(e.to_string(), "the tiler of M, 48:1, must permute a multiple of 32, the atoms of all threads: it has size 48");
/// # Ok::<(), TiledError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum TiledError {
    /// The algebra refuses it.
    Layout(Box<Error>),
    /// The threads are no layout of at most three modes M, N, K in which each place has its own thread.
    Threads {
        /// the layout of the atoms
        layout: Layout,
        /// what is wrong with it
        reason: LayoutError,
    },
    /// The tiler of a mode is no permutation of a multiple of what the threads' atoms cover.
    Permutation {
        /// M, N or K
        mode: char,
        /// the tiler
        tiler: Layout,
        /// what one atom of each thread covers
        of: i64,
    },
    /// The copy does not move whole values, or splits one between threads.
    Bits {
        /// the copy
        copy: CopyAtom,
        /// the width of a value
        bits: usize,
    },
    /// The instruction reads the operand from shared memory itself: no thread holds values of it to copy.
    Shared {
        /// A or B
        operand: char,
    },
    /// Threads and values of a tile are no whole number of copies.
    Copies {
        /// the copy
        copy: CopyAtom,
        /// its threads and the values of each
        atom: [i64; 2],
        /// those of the tile
        tile: [i64; 2],
    },
}

impl fmt::Display for TiledError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TiledError::Layout(e) => e.fmt(f),
            TiledError::Threads { layout, reason } => {
                write!(f, "atoms are laid over threads by (M,N,K), each place to its own thread; {layout}: {reason}")
            }
            TiledError::Permutation { mode, tiler, of } => {
                write!(
                    f,
                    "the tiler of {mode}, {tiler}, must permute a multiple of {of}, the atoms of all threads: it "
                )?;
                match tiler.size() {
                    Ok(n) if n % of != 0 => write!(f, "has size {n}"),
                    Ok(n) => write!(f, "does not take each value of 0..{n} once"),
                    Err(e) => e.fmt(f),
                }
            }
            TiledError::Bits { copy, bits } => {
                write!(
                    f,
                    "{copy} does not move whole values of {bits} bits: choose an atom of wider or other registers"
                )
            }
            TiledError::Shared { operand } => {
                write!(
                    f,
                    "the instruction reads {operand} from shared memory itself: there are no registers to copy to"
                )
            }
            TiledError::Copies { copy, atom: [t, v], tile: [threads, values] } => write!(
                f,
                "{copy} is of {t} threads with {v} values each; {threads} threads with {values} values each are no whole \
                 number of it"
            ),
        }
    }
}

impl core::error::Error for TiledError {}

impl From<Error> for TiledError {
    fn from(e: Error) -> TiledError {
        TiledError::Layout(e.into())
    }
}
impl From<LayoutError> for TiledError {
    fn from(e: LayoutError) -> TiledError {
        TiledError::Layout(e.into())
    }
}

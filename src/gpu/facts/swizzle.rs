//! The smallest swizzle that frees a set of accesses.

use super::{Access, FactError, Request};
use crate::layout::{Drawable, LayoutError, Swizzle};
use core::fmt;

/// No shared memory is larger: 228 KiB of a multiprocessor, rounded up to a power of two.
const SHARED_BYTES: i64 = 256 << 10;

/// No single swizzle frees all the accesses: every one was tried.
/// ```
/// use girih::gpu::facts::{Access, choose_swizzle};
/// use girih::prelude::*;
/// // a 32 x 32 tile of floats: columns alone, and columns with rows in vectors of 4
/// let (column, row) = (layout!(32:32), layout!(((8,4),4):((4,32),1)));
/// assert_eq!(choose_swizzle(&[(&column, Access::Load(4))], 32)?, Swizzle::new(5, 0, 5)?);
/// let e = choose_swizzle(&[(&column, Access::Load(4)), (&row, Access::Store(16))], 32).unwrap_err();
/// assert_eq!(
///     e.to_string(),
///     "no swizzle of bits 2..10 of the offsets frees all accesses (101 tried): \
///      S<3,2,3> comes nearest with 8 wavefronts where 5 would do"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoSwizzle {
    /// bits of the largest offset: swizzles of more bits are the same on the tile as one of these, or leave it
    pub offset_bits: u32,
    /// the low bits that may not change, because accesses are that wide
    pub vector_bits: u32,
    /// how many swizzles were tried, the identity with them
    pub tried: usize,
    /// the one with the fewest wavefronts
    pub nearest: Swizzle,
    /// its wavefronts
    pub wavefronts: usize,
    /// the wavefronts without conflicts
    pub ideal: usize,
    /// for each pattern, the fewest bank conflicts that any of the swizzles leaves
    pub conflicts: Vec<usize>,
}

/// The smallest `S<B,M,S>` that makes every access to a shared-memory tile free of bank conflicts. A pattern is the
/// thread-value layout of the offsets into the tile, in elements of `bits` bits, as it is without the swizzle (the tile's layout
/// composed with a partition), and the instruction.
///
/// Smallest: the fewest bits `B`; of these the lowest `M`, then the shortest shift, to the right before to the left. `M` is at
/// least the width of the widest access: every vector of that width stays whole, wherever in the tile. With offsets below
/// `2^n`, the swizzles with `M + |S| + B <= n` are tried, all of them: any other equals one of them on these offsets, or breaks
/// such a vector, or leaves the `2^n` elements (a tile whose size is no power of two needs memory up to the next one).
///
/// # Errors
/// [`FactError::NoSwizzle`] if there is none, with what the best ones leave; an offset lies 256 KiB off or
/// more; as [`Request::all`] if a pattern is none.
/// ```
/// use girih::gpu::facts::{Access, choose_swizzle};
/// use girih::prelude::*;
/// // a 64 x 64 tile of halves, row-major: written by rows, 8 halves to a thread; read by ldmatrix, plain and transposed
/// let tile = layout!((64,64):(64,1));
/// let write = tile.compose(&layout!(((8,4),8):((512,1),64)))?;
/// let read = tile.compose(&layout!(((16,2),8):((1,512),64)))?;
/// let chosen = choose_swizzle(&[(&write, Access::Store(16)), (&read, Access::Ldmatrix(4))], 16)?;
/// assert_eq!(chosen, Swizzle::new(3, 3, 3)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn choose_swizzle(patterns: &[(&dyn Drawable, Access)], bits: usize) -> Result<Swizzle, FactError> {
    let mut requests = Vec::new();
    let (mut vector, mut last) = (1, 0);
    for &(layout, access) in patterns {
        let all = Request::all(layout, bits, access)?;
        vector = vector.max(8 * access.bytes() / bits);
        last = all.iter().flat_map(Request::lanes).map(|(_, address)| address).fold(last, i64::max);
        requests.push(all);
    }
    if last >= SHARED_BYTES {
        return Err(FactError::NotShared { address: last });
    }
    // the last element of the last access
    let last = (last as u64).saturating_mul(8) / bits as u64 + vector as u64 - 1;
    let (vector_bits, offset_bits) = ((vector as u64).next_power_of_two().ilog2(), u64::BITS - last.leading_zeros());
    let mut proof = NoSwizzle {
        offset_bits,
        vector_bits,
        tried: 0,
        nearest: Swizzle::IDENTITY,
        wavefronts: usize::MAX,
        ideal: requests.iter().flatten().map(|r| r.banks().ideal()).sum(),
        conflicts: vec![usize::MAX; patterns.len()],
    };
    for swizzle in swizzles(vector_bits, offset_bits) {
        let conflicts = requests.iter().map(|all| conflicts(all, &swizzle, bits)).collect::<Result<Vec<_>, _>>()?;
        let sum: usize = conflicts.iter().sum();
        if sum == 0 {
            return Ok(swizzle);
        }
        proof.tried += 1;
        if proof.ideal + sum < proof.wavefronts {
            (proof.wavefronts, proof.nearest) = (proof.ideal + sum, swizzle);
        }
        proof.conflicts.iter_mut().zip(conflicts).for_each(|(least, c)| *least = c.min(*least));
    }
    Err(FactError::NoSwizzle(proof))
}

/// Those that keep `2^n` elements and the vectors in them, smallest first.
fn swizzles(vector: u32, n: u32) -> impl Iterator<Item = Swizzle> {
    let (vector, n) = (vector as i64, n as i64);
    let of_bits = move |bits: i64| {
        let bases = vector..=n - 2 * bits;
        bases.flat_map(move |base| (bits..=n - bits - base).flat_map(move |shift| [(base, shift), (base, -shift)]))
    };
    let some = (1..=n / 2).flat_map(move |bits| of_bits(bits).map(move |(base, shift)| (bits, base, shift)));
    core::iter::once(Swizzle::IDENTITY).chain(some.filter_map(|(b, m, s)| Swizzle::new(b, m, s).ok()))
}

fn conflicts(requests: &[Request], swizzle: &Swizzle, bits: usize) -> Result<usize, FactError> {
    let bits = bits as i64;
    let moved = |address: i64| -> Result<i64, FactError> {
        let offset = address.checked_mul(8).ok_or(LayoutError::Overflow)? / bits;
        Ok(swizzle.at(offset)? * bits / 8)
    };
    let mut sum = 0;
    for request in requests {
        sum += request.map(moved)?.banks().conflicts();
    }
    Ok(sum)
}

impl fmt::Display for NoSwizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NoSwizzle { offset_bits, vector_bits, tried, nearest, wavefronts, ideal, .. } = self;
        write!(
            f,
            "no swizzle of bits {vector_bits}..{offset_bits} of the offsets frees all accesses ({tried} tried): "
        )?;
        write!(f, "{nearest} comes nearest with {wavefronts} wavefronts where {ideal} would do")
    }
}

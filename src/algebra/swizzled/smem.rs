//! The shared-memory tiles that a warpgroup's matrix instructions (and TMA) read.

use crate::layout::{Composed, Layout, LayoutError, Swizzle, Unit};

/// Which mode of a matrix operand is contiguous in memory.
/// ```
/// # use girih::prelude::*;
/// let tile = |major| smem_atom(major, SmemSwizzle::B64, 16).map(|c| c.to_string());
/// assert_eq!(tile(Major::K)?, "S<2,3,3>[16b] o 0 o (8,32):(32,1)");
/// assert_eq!(tile(Major::MN)?, "S<2,3,3>[16b] o 0 o (32,8):(1,32)");
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Major {
    /// K, the mode that is summed over.
    K,
    /// M or N.
    MN,
}

/// How many bytes of a contiguous row the swizzle spans.
/// ```
/// # use girih::prelude::*;
/// use SmemSwizzle::*;
/// for (swizzle, bytes) in [(Interleave, 16), (B32, 32), (B64, 64), (B128, 128)] {
///     let atom = smem_atom(Major::K, swizzle, 8)?;
///     assert_eq!(atom.inner().shape(), IntTuple::flat(&[8, bytes])?);
/// }
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SmemSwizzle {
    /// 16 bytes, no swizzle: `S<0,4,3>`.
    Interleave,
    /// 32 bytes: `S<1,4,3>`.
    B32,
    /// 64 bytes: `S<2,4,3>`.
    B64,
    /// 128 bytes: `S<3,4,3>`.
    B128,
}

/// The smallest tile of the given order and swizzle, for elements of `bits` bits (a power of two up to 128): 8 rows of
/// 16 to 128 bytes, as CuTe's `Layout_{K,MN}_{INTER,SW32,SW64,SW128}_Atom`. Its values count elements; repeat it with
/// [`Composed::tile_to_shape`].
///
/// # Errors
/// `bits` is no power of two, or above 128.
/// ```
/// use girih::prelude::*;
/// let atom = smem_atom(Major::K, SmemSwizzle::B128, 16)?;
/// assert_eq!(atom.to_string(), "S<3,3,3>[16b] o 0 o (8,64):(64,1)");
/// let tile = atom.tile_to_shape(&ints!((128, 64)))?;
/// assert_eq!(tile.to_string(), "S<3,3,3>[16b] o 0 o ((8,16),(64,1)):((64,512),(1,0))");
/// # Ok::<(), girih::Error>(())
/// ```
pub const fn smem_atom(major: Major, swizzle: SmemSwizzle, bits: u16) -> Result<Composed, LayoutError> {
    if !bits.is_power_of_two() || bits > 128 {
        return Err(LayoutError::Swizzled { why: "shared-memory tiles have elements of 1, 2, 4, .. or 128 bits" });
    }
    let spans = swizzle as i64;
    let bytes = tri!(Swizzle::new(spans, 4, 3)).on(Unit::BYTES);
    let row = (128 << spans) / bits as i64;
    let tile = match major {
        Major::K => tri!(Layout::flat(&[8, row], &[row, 1])),
        Major::MN => tri!(Layout::flat(&[row, 8], &[1, row])),
    };
    tile.swizzled(&tri!(bytes.recast(tri!(Unit::elements(bits)))))
}

//! Tensors and boxes for the copy engine (TMA), derived from layouts.
//!
//! A [`TensorMap`] says how a tensor lies in global memory and which box of it one `cp.async.bulk.tensor` moves, and how the
//! box lies in shared memory. All that the driver demands of a tiled map (CUDA Driver API, `cuTensorMapEncodeTiled`) is checked
//! here, for the types of [`DataType`] and the swizzles of whole 16 bytes, and what is wrong is named, where the driver says
//! "invalid value". What no kernel can move, a box larger than shared memory, is refused too. Pure computation; with the feature `gpu` a device encodes
//! it together with an address.
//!
//! ```
//! use girih::gpu::launch::DataType;
//! use girih::gpu::tensor_map::TensorMap;
//! use girih::prelude::*;
//! // bf16, 4096 x 1024, rows contiguous, in boxes of 128 rows by 64 columns: rows of 128 bytes, swizzled
//! let map = TensorMap::new(DataType::BF16, &layout!((4096,1024):(1024,1)), &[128, 64])?.swizzled(&"S<3,3,3>".parse()?)?;
//! assert_eq!(map.order(), [1, 0]); // the instruction wants the column first
//! assert_eq!(map.shared()?.to_string(), "S<3,3,3>[16b] o 0 o (128,64):(64,1)");
//! assert_eq!((map.box_bytes(), map.alignment()), (16384, 1024));
//! let e = TensorMap::new(DataType::BF16, &layout!((4096,1028):(1028,1)), &[128, 64]).unwrap_err();
//! assert_eq!(e.to_string(), "mode 0 has a stride of 2056 bytes, which is no multiple of 16: pad it");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::launch::DataType;
use crate::layout::{Composed, Layout, LayoutError, Swizzle, Unit};
use core::fmt;

/// Modes of a tensor, at most.
pub const RANK: usize = 5;

/// Bytes of a box, at most: the shared memory of a block, of compute capability 9.0 to 11.0 (CUDA C++ Programming Guide,
/// Technical Specifications per Compute Capability).
pub const BOX: u64 = 227 << 10;

/// How many bytes of the second-level cache a miss brings in.
/// ```
/// use girih::gpu::tensor_map::L2Promotion;
/// assert_eq!(L2Promotion::default(), L2Promotion::None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum L2Promotion {
    /// as the access asks
    #[default]
    None,
    /// 64 bytes
    B64,
    /// 128 bytes
    B128,
    /// 256 bytes
    B256,
}

/// What a box holds beyond the tensor.
/// ```
/// use girih::gpu::tensor_map::Fill;
/// assert_eq!(Fill::default(), Fill::Zero);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Fill {
    /// zeros
    #[default]
    Zero,
    /// a NaN that FMA instructions with `.oob` take for zero; floats only
    Nan,
}

/// A tensor in global memory and the boxes that are moved of it. Dimensions are those of the instruction: the contiguous mode of
/// the layout, then the others in their order ([`TensorMap::order`]). See the [module](self) for an example.
/// ```
/// # use girih::gpu::{launch::DataType, tensor_map::TensorMap};
/// # use girih::prelude::*;
/// let vector = TensorMap::new(DataType::F32, &layout!(1024:1), &[256])?;
/// assert_eq!(vector.rank(), 1);
/// # Ok::<(), girih::gpu::tensor_map::TensorMapError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TensorMap {
    of: DataType,
    rank: usize,
    order: [usize; RANK],
    dims: [u64; RANK],
    /// In bytes; that of dimension 0 is the width of an element.
    strides: [u64; RANK],
    extents: [u32; RANK],
    steps: [u32; RANK],
    span: u32,
    l2: L2Promotion,
    fill: Fill,
}

use TensorMapError::*;

impl TensorMap {
    /// The tensor that `global` describes, offsets in elements, and boxes of `extents` elements, one for each leaf mode of the
    /// layout. Not swizzled, every element, zeros beyond the tensor.
    ///
    /// # Errors
    /// - symbols, basis strides, more than 5 leaf modes, another number of box extents;
    /// - no contiguous mode (stride 1; an extent of 1 will do);
    /// - an extent beyond 2^32; a stride (of an extent above 1) that is negative, no multiple of 16 bytes, or 2^40 bytes and more;
    /// - a box extent of 0 or above 256, or a row of the box that is no multiple of 16 bytes.
    /// ```
    /// # use girih::gpu::{launch::DataType, tensor_map::*};
    /// # use girih::prelude::*;
    /// let e = TensorMap::new(DataType::F32, &layout!((64,64):(64,1)), &[64, 2]).unwrap_err();
    /// assert_eq!(e, TensorMapError::Row { bytes: 8 });
    /// ```
    pub fn new(of: DataType, global: &Layout, extents: &[u32]) -> Result<TensorMap, TensorMapError> {
        let (shape, stride) = global.known_leaves().ok_or(Unknown)?;
        let (rank, width) = (shape.len(), u64::from(of.bits() / 8));
        if rank > RANK {
            return Err(Rank { rank });
        }
        if extents.len() != rank {
            return Err(BoxRank { got: extents.len(), expected: rank });
        }
        let first = (0..rank)
            .find(|&i| shape[i] > 1 && stride[i] == 1)
            .or_else(|| (0..rank).find(|&i| shape[i] == 1))
            .ok_or(NotContiguous)?;
        let mut map = TensorMap {
            of,
            rank,
            order: [0; RANK],
            dims: [1; RANK],
            strides: [width; RANK],
            extents: [1; RANK],
            steps: [1; RANK],
            span: 0,
            l2: L2Promotion::None,
            fill: Fill::Zero,
        };
        for (d, mode) in core::iter::once(first).chain((0..rank).filter(|i| *i != first)).enumerate() {
            (map.order[d], map.dims[d], map.extents[d]) = (mode, shape[mode].unsigned_abs(), extents[mode]);
            if map.dims[d] > 1 << 32 {
                return Err(Extent { mode, extent: shape[mode] });
            }
            if d > 0 {
                // one element has no stride: any legal one will do
                map.strides[d] = if shape[mode] == 1 { 16 } else { bytes(mode, stride[mode], width)? };
            }
            if !(1..=256).contains(&extents[mode]) {
                return Err(BoxExtent { mode, extent: extents[mode] });
            }
        }
        if !map.row().is_multiple_of(16) {
            return Err(Row { bytes: map.row() });
        }
        Ok(map)
    }

    /// The box is swizzled in shared memory: `S<1,4,3>`, `S<2,4,3>` or `S<3,4,3>` of bytes, or of any unit what is the same. A
    /// swizzle that names no unit counts elements, as one from [`choose_swizzle`](crate::gpu::facts::choose_swizzle).
    ///
    /// # Errors
    /// Another swizzle, or a row of the box longer than its span of 32, 64 or 128 bytes.
    /// ```
    /// # use girih::gpu::{launch::DataType, tensor_map::*};
    /// # use girih::layout::Unit;
    /// # use girih::prelude::*;
    /// let map = TensorMap::new(DataType::F32, &layout!((64,64):(64,1)), &[8, 32])?;
    /// let wide: Swizzle = "S<3,4,3>".parse()?;
    /// assert_eq!(map.swizzled(&wide.on(Unit::BYTES))?.swizzle(), wide.on(Unit::BYTES));
    /// let narrow: Swizzle = "S<2,4,3>".parse()?;
    /// assert_eq!(map.swizzled(&narrow.on(Unit::BYTES)), Err(TensorMapError::Span { bytes: 128, span: 64 }));
    /// assert!(matches!(map.swizzled(&wide), Err(TensorMapError::OtherSwizzle { .. }))); // of elements: too far up
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn swizzled(mut self, swizzle: &Swizzle) -> Result<TensorMap, TensorMapError> {
        let refused = OtherSwizzle { swizzle: *swizzle };
        let unit = if swizzle.unit() == Unit::ANY { self.unit() } else { swizzle.unit() };
        let bytes = swizzle.on(unit).recast(Unit::BYTES).map_err(|_| refused.clone())?;
        self.span = match (bytes.bits(), bytes.base(), bytes.shift()) {
            (0, ..) => 0,
            (b @ 1..=3, 4, 3) => 16 << b,
            _ => return Err(refused),
        };
        if self.span != 0 && self.row() > self.span.into() {
            return Err(Span { bytes: self.row(), span: self.span });
        }
        Ok(self)
    }

    /// Only every `steps[i]`-th element of mode i of the layout is moved. (The engine ignores that of the contiguous mode.)
    ///
    /// # Errors
    /// Another number of steps than leaf modes, or one that is not 1 to 8.
    /// ```
    /// # use girih::gpu::{launch::DataType, tensor_map::*};
    /// # use girih::prelude::*;
    /// let map = TensorMap::new(DataType::F32, &layout!((64,64):(64,1)), &[64, 32])?.every(&[2, 1])?;
    /// assert_eq!(map.shared()?.inner().to_string(), "(32,32):(32,1)");
    /// assert_eq!(map.every(&[9, 1]), Err(TensorMapError::Step { mode: 0, step: 9 }));
    /// # Ok::<(), TensorMapError>(())
    /// ```
    pub fn every(mut self, steps: &[u32]) -> Result<TensorMap, TensorMapError> {
        if steps.len() != self.rank {
            return Err(BoxRank { got: steps.len(), expected: self.rank });
        }
        for d in 0..self.rank {
            let mode = self.order[d];
            if !(1..=8).contains(&steps[mode]) {
                return Err(Step { mode, step: steps[mode] });
            }
            self.steps[d] = steps[mode];
        }
        Ok(self)
    }

    /// What a miss of the second-level cache brings in.
    /// ```
    /// # use girih::gpu::{launch::DataType, tensor_map::*};
    /// # use girih::prelude::*;
    /// let map = TensorMap::new(DataType::F32, &layout!(1024:1), &[256])?.promoting(L2Promotion::B256);
    /// # Ok::<(), TensorMapError>(())
    /// ```
    pub fn promoting(mut self, l2: L2Promotion) -> TensorMap {
        self.l2 = l2;
        self
    }

    /// What a box holds beyond the tensor.
    ///
    /// # Errors
    /// NaN in a tensor of integers.
    /// ```
    /// # use girih::gpu::{launch::DataType, tensor_map::*};
    /// # use girih::prelude::*;
    /// let integers = TensorMap::new(DataType::S32, &layout!(1024:1), &[256])?;
    /// assert_eq!(integers.filling(Fill::Nan), Err(TensorMapError::NanFill { of: DataType::S32 }));
    /// # Ok::<(), TensorMapError>(())
    /// ```
    pub fn filling(mut self, fill: Fill) -> Result<TensorMap, TensorMapError> {
        if fill == Fill::Nan && !self.of.is_float() {
            return Err(NanFill { of: self.of });
        }
        self.fill = fill;
        Ok(self)
    }

    /// The address and the buffer's size, from it on, will do, and so will the box: all that is wrong of a whole map.
    ///
    /// # Errors
    /// The address is null or no multiple of 16, the tensor reaches beyond the buffer or the last address, or the box has more
    /// than [`BOX`] bytes.
    /// ```
    /// # use girih::gpu::{launch::DataType, tensor_map::*};
    /// # use girih::prelude::*;
    /// let map = TensorMap::new(DataType::F32, &layout!((64,60):(64,1)), &[64, 32])?;
    /// assert_eq!(map.check(0x100, 4 * (63 * 64 + 60)), Ok(()));
    /// assert_eq!(map.check(0x108, 1 << 20), Err(TensorMapError::Address { address: 0x108 }));
    /// assert!(matches!(map.check(0x100, 1000), Err(TensorMapError::TooSmall { .. })));
    /// # Ok::<(), TensorMapError>(())
    /// ```
    pub fn check(&self, address: u64, bytes: u64) -> Result<(), TensorMapError> {
        if address == 0 || !address.is_multiple_of(16) {
            return Err(Address { address });
        }
        let (got, expected) = (bytes.min(u64::MAX - address), self.bytes());
        if expected > got.into() {
            return Err(TooSmall { got, expected });
        }
        if self.placed_bytes() > BOX { Err(LargeBox { bytes: self.placed_bytes() }) } else { Ok(()) }
    }

    /// Bytes of the tensor, from its first element to its last.
    pub(crate) fn bytes(&self) -> u128 {
        let last: u128 = (0..self.rank).map(|d| u128::from(self.dims[d] - 1) * u128::from(self.strides[d])).sum();
        last + u128::from(self.of.bits() / 8)
    }

    /// Bytes of shared memory from the box's first to its last, rows as far apart as they lie there.
    fn placed_bytes(&self) -> u64 {
        let rows: u64 = (1..self.rank).map(|d| u64::from(self.moved(d))).product();
        (rows - 1) * self.row().max(self.span.into()) + self.row()
    }

    /// The type of the elements.
    /// ```
    /// # use girih::gpu::{launch::DataType, tensor_map::*};
    /// # use girih::prelude::*;
    /// assert_eq!(TensorMap::new(DataType::F32, &layout!(1024:1), &[256])?.data_type(), DataType::F32);
    /// # Ok::<(), TensorMapError>(())
    /// ```
    pub fn data_type(&self) -> DataType {
        self.of
    }

    /// Dimensions.
    /// ```
    /// # use girih::gpu::{launch::DataType, tensor_map::*};
    /// # use girih::prelude::*;
    /// assert_eq!(TensorMap::new(DataType::F32, &layout!((8,8):(8,1)), &[8, 8])?.rank(), 2);
    /// # Ok::<(), TensorMapError>(())
    /// ```
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The layout's leaf mode of each dimension: coordinates go to the instruction in this order. The first must be a multiple
    /// of [`TensorMap::coordinate_multiple`].
    /// ```
    /// # use girih::gpu::{launch::DataType, tensor_map::*};
    /// # use girih::prelude::*;
    /// assert_eq!(TensorMap::new(DataType::F32, &layout!((8,(4,4)):(64,(1,4))), &[8, 4, 4])?.order(), [1, 0, 2]);
    /// # Ok::<(), TensorMapError>(())
    /// ```
    pub fn order(&self) -> &[usize] {
        &self.order[..self.rank]
    }

    /// Extents of the dimensions.
    /// ```
    /// # use girih::gpu::{launch::DataType, tensor_map::*};
    /// # use girih::prelude::*;
    /// assert_eq!(TensorMap::new(DataType::F32, &layout!((9,8):(8,1)), &[8, 8])?.dims(), [8, 9]);
    /// # Ok::<(), TensorMapError>(())
    /// ```
    pub fn dims(&self) -> &[u64] {
        &self.dims[..self.rank]
    }

    /// Strides of the dimensions from the second on, in bytes.
    /// ```
    /// # use girih::gpu::{launch::DataType, tensor_map::*};
    /// # use girih::prelude::*;
    /// assert_eq!(TensorMap::new(DataType::F32, &layout!((9,8):(8,1)), &[8, 8])?.strides(), [32]);
    /// # Ok::<(), TensorMapError>(())
    /// ```
    pub fn strides(&self) -> &[u64] {
        &self.strides[1..self.rank]
    }

    /// Extents of the box in each dimension.
    /// ```
    /// # use girih::gpu::{launch::DataType, tensor_map::*};
    /// # use girih::prelude::*;
    /// assert_eq!(TensorMap::new(DataType::F32, &layout!((9,8):(8,1)), &[2, 8])?.extents(), [8, 2]);
    /// # Ok::<(), TensorMapError>(())
    /// ```
    pub fn extents(&self) -> &[u32] {
        &self.extents[..self.rank]
    }

    /// Steps in each dimension.
    /// ```
    /// # use girih::gpu::{launch::DataType, tensor_map::*};
    /// # use girih::prelude::*;
    /// assert_eq!(TensorMap::new(DataType::F32, &layout!((9,8):(8,1)), &[2, 8])?.every(&[2, 1])?.steps(), [1, 2]);
    /// # Ok::<(), TensorMapError>(())
    /// ```
    pub fn steps(&self) -> &[u32] {
        &self.steps[..self.rank]
    }

    /// The swizzle, on bytes of shared memory.
    /// ```
    /// # use girih::gpu::{launch::DataType, tensor_map::*};
    /// # use girih::prelude::*;
    /// assert!(TensorMap::new(DataType::F32, &layout!(1024:1), &[256])?.swizzle().is_identity());
    /// # Ok::<(), TensorMapError>(())
    /// ```
    pub fn swizzle(&self) -> Swizzle {
        let bits = if self.span == 0 { 0 } else { (self.span / 16).ilog2().into() };
        Swizzle::new(bits, 4, 3).unwrap_or(Swizzle::IDENTITY).on(Unit::BYTES)
    }

    /// Bytes that the swizzle spans: 32, 64 or 128; 0 without one.
    /// ```
    /// # use girih::gpu::{launch::DataType, tensor_map::*};
    /// # use girih::prelude::*;
    /// let map = TensorMap::new(DataType::F16, &layout!((64,64):(64,1)), &[16, 32])?;
    /// assert_eq!((map.span(), map.swizzled(&"S<2,3,3>".parse().unwrap())?.span()), (0, 64));
    /// # Ok::<(), TensorMapError>(())
    /// ```
    pub fn span(&self) -> u32 {
        self.span
    }

    /// What a miss of the second-level cache brings in.
    /// ```
    /// # use girih::gpu::{launch::DataType, tensor_map::*};
    /// # use girih::prelude::*;
    /// assert_eq!(TensorMap::new(DataType::F32, &layout!(1024:1), &[256])?.l2_promotion(), L2Promotion::None);
    /// # Ok::<(), TensorMapError>(())
    /// ```
    pub fn l2_promotion(&self) -> L2Promotion {
        self.l2
    }

    /// What a box holds beyond the tensor.
    /// ```
    /// # use girih::gpu::{launch::DataType, tensor_map::*};
    /// # use girih::prelude::*;
    /// assert_eq!(TensorMap::new(DataType::F32, &layout!(1024:1), &[256])?.fill(), Fill::Zero);
    /// # Ok::<(), TensorMapError>(())
    /// ```
    pub fn fill(&self) -> Fill {
        self.fill
    }

    /// How the box lies in shared memory: over the leaf modes of the tensor's layout, offsets in elements. Rows follow each other;
    /// those shorter than the span of the swizzle are as far apart as it is long. The box's address must be a multiple of
    /// [`TensorMap::alignment`].
    ///
    /// # Errors
    /// The swizzle does not act on whole elements (never for these types).
    /// ```
    /// # use girih::gpu::{launch::DataType, tensor_map::*};
    /// # use girih::prelude::*;
    /// let map = TensorMap::new(DataType::U8, &layout!((64,8,64):(64,4096,1)), &[16, 2, 32])?;
    /// assert_eq!(map.shared()?.inner().to_string(), "(16,2,32):(32,512,1)");
    /// # Ok::<(), TensorMapError>(())
    /// ```
    pub fn shared(&self) -> Result<Composed, TensorMapError> {
        let (mut shape, mut stride, mut below) = ([1i64; RANK], [0i64; RANK], 1);
        for d in 0..self.rank {
            let (mode, extent) = (self.order[d], self.moved(d).into());
            (shape[mode], stride[mode]) = (extent, below);
            below *= if d == 0 { i64::from((8 * self.span / self.of.bits()).max(self.extents[0])) } else { extent };
        }
        let flat = Layout::flat(&shape[..self.rank], &stride[..self.rank])?;
        let swizzle = if self.span == 0 { Swizzle::IDENTITY } else { self.swizzle().recast(self.unit())? };
        Ok(flat.swizzled(&swizzle)?)
    }

    /// Bytes that one instruction brings: what its barrier expects.
    /// ```
    /// # use girih::gpu::{launch::DataType, tensor_map::*};
    /// # use girih::prelude::*;
    /// assert_eq!(TensorMap::new(DataType::F16, &layout!((64,64):(64,1)), &[16, 32])?.box_bytes(), 1024);
    /// # Ok::<(), TensorMapError>(())
    /// ```
    pub fn box_bytes(&self) -> u64 {
        (0..self.rank).map(|d| u64::from(self.moved(d))).product::<u64>() * u64::from(self.of.bits() / 8)
    }

    /// What the box's address in shared memory must be a multiple of, for [`TensorMap::shared`] to be true: the engine asks for
    /// 128 bytes, and swizzles by the address, with a period of 8 spans.
    /// ```
    /// # use girih::gpu::{launch::DataType, tensor_map::*};
    /// # use girih::prelude::*;
    /// let map = TensorMap::new(DataType::F16, &layout!((64,64):(64,1)), &[16, 32])?;
    /// assert_eq!((map.alignment(), map.swizzled(&"S<2,3,3>".parse().unwrap())?.alignment()), (128, 512));
    /// # Ok::<(), TensorMapError>(())
    /// ```
    pub fn alignment(&self) -> u32 {
        (8 * self.span).max(128)
    }

    /// What the coordinate of the contiguous mode must be a multiple of, negative or beyond the tensor as it may be: 16 bytes, in
    /// elements. Others are free. At any other coordinate the engine stops the kernel with an illegal instruction (seen on an
    /// H200); it is the kernel's number, so no check here can see it.
    /// ```
    /// # use girih::gpu::{launch::DataType, tensor_map::*};
    /// # use girih::prelude::*;
    /// assert_eq!(TensorMap::new(DataType::F16, &layout!((64,64):(64,1)), &[16, 32])?.coordinate_multiple(), 8);
    /// # Ok::<(), TensorMapError>(())
    /// ```
    pub fn coordinate_multiple(&self) -> u32 {
        128 / self.of.bits()
    }

    /// Elements that are moved along a dimension.
    fn moved(&self, d: usize) -> u32 {
        if d == 0 { self.extents[0] } else { self.extents[d].div_ceil(self.steps[d]) }
    }

    /// Bytes of a row of the box.
    fn row(&self) -> u64 {
        u64::from(self.extents[0]) * u64::from(self.of.bits() / 8)
    }

    fn unit(&self) -> Unit {
        Unit::elements(self.of.bits() as u16).unwrap_or(Unit::BYTES)
    }
}

/// A stride in bytes.
fn bytes(mode: usize, stride: i64, width: u64) -> Result<u64, TensorMapError> {
    let bytes = i128::from(stride) * i128::from(width);
    if bytes < 0 || bytes % 16 != 0 {
        return Err(Stride { mode, bytes });
    }
    if bytes >= 1 << 40 {
        return Err(FarStride { mode, bytes });
    }
    Ok(bytes as u64)
}

/// Why the copy engine does not move such boxes of such a tensor. Modes are the layout's leaf modes.
/// ```
/// # use girih::gpu::{launch::DataType, tensor_map::*};
/// # use girih::prelude::*;
/// let e = TensorMap::new(DataType::F32, &layout!((64,64):(64,2)), &[64, 32]).unwrap_err();
/// assert_eq!(e.to_string(), "no mode is contiguous: one of them needs stride 1");
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum TensorMapError {
    /// The layout has symbols or basis strides.
    Unknown,
    /// More than 5 leaf modes.
    Rank {
        /// this many
        rank: usize,
    },
    /// Not one number for each leaf mode.
    BoxRank {
        /// numbers
        got: usize,
        /// leaf modes
        expected: usize,
    },
    /// No mode has stride 1.
    NotContiguous,
    /// More than 2^32 elements along a mode.
    Extent {
        /// the mode
        mode: usize,
        /// its extent
        extent: i64,
    },
    /// A stride is negative or no multiple of 16 bytes.
    Stride {
        /// the mode
        mode: usize,
        /// its stride
        bytes: i128,
    },
    /// A stride is 2^40 bytes or more.
    FarStride {
        /// the mode
        mode: usize,
        /// its stride
        bytes: i128,
    },
    /// A box has 1 to 256 elements along each mode.
    BoxExtent {
        /// the mode
        mode: usize,
        /// the box's extent
        extent: u32,
    },
    /// The box is larger than the shared memory of a block.
    LargeBox {
        /// its bytes there
        bytes: u64,
    },
    /// A row of the box is no multiple of 16 bytes.
    Row {
        /// its bytes
        bytes: u64,
    },
    /// Not a swizzle of the engine.
    OtherSwizzle {
        /// the swizzle
        swizzle: Swizzle,
    },
    /// A row of the box is longer than the span of the swizzle.
    Span {
        /// bytes of the row
        bytes: u64,
        /// bytes of the span
        span: u32,
    },
    /// Steps are 1 to 8.
    Step {
        /// the mode
        mode: usize,
        /// the step
        step: u32,
    },
    /// NaN beyond a tensor of integers.
    NanFill {
        /// the type of the elements
        of: DataType,
    },
    /// The address is null or no multiple of 16.
    Address {
        /// the address
        address: u64,
    },
    /// The buffer ends before the tensor does.
    TooSmall {
        /// bytes of the buffer
        got: u64,
        /// bytes of the tensor, from its first element to its last
        expected: u128,
    },
    /// The layout of the box cannot be made.
    Layout(LayoutError),
}

impl From<LayoutError> for TensorMapError {
    fn from(e: LayoutError) -> TensorMapError {
        TensorMapError::Layout(e)
    }
}

impl fmt::Display for TensorMapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown => f.write_str("the layout has symbols or basis strides: bind it first"),
            Rank { rank } => write!(f, "{rank} leaf modes, at most {RANK}: coalesce the layout"),
            BoxRank { got, expected } => write!(f, "{got} numbers for {expected} leaf modes"),
            NotContiguous => f.write_str("no mode is contiguous: one of them needs stride 1"),
            Extent { mode, extent } => write!(f, "mode {mode} has {extent} elements, at most 2^32"),
            Stride { mode, bytes } if *bytes < 0 => write!(f, "mode {mode} has a stride of {bytes} bytes, below 0"),
            Stride { mode, bytes } => {
                write!(f, "mode {mode} has a stride of {bytes} bytes, which is no multiple of 16: pad it")
            }
            FarStride { mode, bytes } => {
                write!(f, "mode {mode} has a stride of {bytes} bytes, which is not below 2^40")
            }
            BoxExtent { mode, extent } => write!(f, "the box has {extent} elements along mode {mode}, not 1 to 256"),
            Row { bytes } => write!(f, "a row of the box has {bytes} bytes, which is no multiple of 16"),
            OtherSwizzle { swizzle } => {
                write!(f, "{swizzle} is none of S<1,4,3>, S<2,4,3> and S<3,4,3> on bytes, which the engine has")
            }
            Span { bytes, span } => {
                write!(f, "a row of the box has {bytes} bytes, the swizzle spans {span}: make it narrower")
            }
            Step { mode, step } => write!(f, "a step of {step} along mode {mode}, not 1 to 8"),
            NanFill { of } => write!(f, "{of} has no NaN to fill with"),
            LargeBox { bytes } => {
                write!(f, "the box takes {bytes} bytes of shared memory, a block has at most {BOX}: make it smaller")
            }
            Address { address: 0 } => f.write_str("the address is null"),
            Address { address } => write!(f, "the address {address:#x} is no multiple of 16"),
            TooSmall { got, expected } => write!(f, "the tensor has {expected} bytes, the buffer {got}"),
            TensorMapError::Layout(e) => e.fmt(f),
        }
    }
}

impl core::error::Error for TensorMapError {}

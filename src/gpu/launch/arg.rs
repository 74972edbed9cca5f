//! Types of memory and numbers, and arguments.

use crate::gpu::tensor_map::{TensorMap, TensorMapError};
use core::fmt;
use core::marker::PhantomData;
use half::{bf16, f16};

/// The type of a number, or of the elements of a buffer. Floats of 8 bits and less travel as [`DataType::U8`].
/// ```
/// use girih::gpu::launch::DataType;
/// assert_eq!((DataType::BF16.bits(), DataType::BF16.to_string().as_str()), (16, "bf16"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum DataType {
    /// integer of 8 bits without a sign, a byte
    U8,
    /// integer of 8 bits
    S8,
    /// integer of 16 bits without a sign
    U16,
    /// integer of 16 bits
    S16,
    /// integer of 32 bits without a sign
    U32,
    /// integer of 32 bits
    S32,
    /// integer of 64 bits without a sign
    U64,
    /// integer of 64 bits
    S64,
    /// IEEE half
    F16,
    /// upper half of an f32
    BF16,
    /// IEEE single
    F32,
    /// IEEE double
    F64,
}

impl DataType {
    /// All of them.
    /// ```
    /// # use girih::gpu::launch::DataType;
    /// assert!(DataType::ALL.iter().all(|t| t.bits().is_power_of_two()));
    /// ```
    pub const ALL: [DataType; 12] = {
        use DataType::*;
        [U8, S8, U16, S16, U32, S32, U64, S64, F16, BF16, F32, F64]
    };

    /// Its width.
    /// ```
    /// # use girih::gpu::launch::DataType;
    /// assert_eq!(DataType::S64.bits(), 64);
    /// ```
    pub const fn bits(self) -> u32 {
        use DataType::*;
        match self {
            U8 | S8 => 8,
            U16 | S16 | F16 | BF16 => 16,
            U32 | S32 | F32 => 32,
            U64 | S64 | F64 => 64,
        }
    }

    /// A float.
    /// ```
    /// # use girih::gpu::launch::DataType;
    /// assert!(DataType::F16.is_float() && !DataType::U16.is_float());
    /// ```
    pub const fn is_float(self) -> bool {
        matches!(self, DataType::F16 | DataType::BF16 | DataType::F32 | DataType::F64)
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format!("{self:?}").to_lowercase())
    }
}

/// A number that a kernel takes, and whose values a buffer holds: the Rust type of a [`DataType`]. Sealed: every bit pattern
/// of these is a value, so that memory may be copied to and fro.
/// ```
/// use girih::gpu::launch::{DataType, Element};
/// assert_eq!((f32::TYPE, half::bf16::TYPE), (DataType::F32, DataType::BF16));
/// assert_eq!(half::f16::from_f32(1.0).bits(), 0x3c00);
/// ```
pub trait Element: Copy + Default + Send + Sync + sealed::Sealed + 'static {
    /// Its type.
    const TYPE: DataType;
    /// Its bits, the lowest first.
    fn bits(self) -> u64;
    /// The value with these bits; those above its width are left out.
    /// ```
    /// # use girih::gpu::launch::Element;
    /// assert_eq!(<i8 as Element>::from_bits(0xff), -1);
    /// ```
    fn from_bits(bits: u64) -> Self;
}

mod sealed {
    pub trait Sealed {}
}

/// An argument: a number, a range of device memory that is borrowed for as long as the argument lives, or a tensor map.
///
/// Numbers are made by `From`, memory from the device's buffers (with the feature `gpu`), or from any other library's by
/// [`Arg::pointer`]. What may be written is borrowed alone, so an argument is not copied.
/// ```
/// use girih::gpu::launch::{Arg, DataType};
/// assert_eq!(Arg::from(-1i32).integer(), None); // not a size
/// assert_eq!(Arg::from(7u64).integer(), Some(7));
/// let x = Arg::pointer(0x1000, 4096, DataType::F32, true);
/// assert_eq!(x.integer(), Some(0x1000));
/// ```
/// ```compile_fail,E0382
/// # use girih::gpu::launch::{Arg, DataType};
/// let x = Arg::pointer(0x1000, 4096, DataType::F32, true);
/// let twice = [x, x];
/// ```
#[derive(Debug)]
pub struct Arg<'a> {
    pub(crate) value: Value<'a>,
    borrow: PhantomData<&'a ()>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Value<'a> {
    Number { of: DataType, bits: u64 },
    Pointer { to: DataType, memory: Memory },
    TensorMap(&'a EncodedTensorMap<'a>),
    Bytes(&'a [u8]),
}

/// A range of memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    pub address: u64,
    pub bytes: u64,
    pub write: bool,
    /// the number of the device whose memory it surely is
    #[cfg_attr(not(feature = "gpu"), expect(dead_code))]
    pub device: Option<usize>,
}

impl Memory {
    /// Some byte is in both.
    pub fn overlaps(&self, o: &Memory) -> bool {
        let before = |a: &Memory, b: &Memory| u128::from(a.address) + u128::from(a.bytes) <= b.address.into();
        self.bytes > 0 && o.bytes > 0 && !before(self, o) && !before(o, self)
    }
}

impl<'a> Arg<'a> {
    /// `bytes` bytes at `address` with elements of this type, which the kernel may write if `write`. Good for checks
    /// ([`Launch::check`](super::Launch::check)) and for launches by another library; to launch with it here somebody must vouch
    /// for it (the device's `Arg::on`, which is unsafe).
    /// ```
    /// # use girih::gpu::launch::{Arg, DataType};
    /// assert_eq!(Arg::pointer(256, 64, DataType::F16, false).integer(), Some(256));
    /// ```
    pub fn pointer(address: u64, bytes: u64, to: DataType, write: bool) -> Arg<'a> {
        Value::Pointer { to, memory: Memory { address, bytes, write, device: None } }.into()
    }

    /// A number of this type, by its bits; those above its width are left out.
    /// ```
    /// # use girih::gpu::launch::{Arg, DataType};
    /// assert_eq!(Arg::number(DataType::U8, 0x107).integer(), Some(7));
    /// ```
    pub fn number(of: DataType, bits: u64) -> Arg<'a> {
        Value::Number { of, bits: bits & u64::MAX >> (64 - of.bits()) }.into()
    }

    /// A parameter's bytes as they lie, a structure's: for [`sim`](crate::gpu::sim). No [`Param`](super::Param) takes it.
    /// ```
    /// # use girih::gpu::launch::Arg;
    /// assert_eq!(Arg::bytes(&[1, 2, 3]).to_bytes(), [1, 2, 3]);
    /// ```
    pub fn bytes(bytes: &'a [u8]) -> Arg<'a> {
        Value::Bytes(bytes).into()
    }

    /// The memory that it refers to.
    pub(crate) fn memory(&self) -> Option<&Memory> {
        match &self.value {
            Value::Number { .. } | Value::Bytes(_) => None,
            Value::Pointer { memory, .. } => Some(memory),
            Value::TensorMap(map) => Some(&map.memory),
        }
    }

    /// Its value in expressions: of an integer that is not negative itself, of a pointer the address.
    /// ```
    /// # use girih::gpu::launch::Arg;
    /// assert_eq!((Arg::from(3u8).integer(), Arg::from(3.0f32).integer()), (Some(3), None));
    /// ```
    pub fn integer(&self) -> Option<u64> {
        match self.value {
            Value::Pointer { memory, .. } => Some(memory.address),
            _ => self.signed().and_then(|v| u64::try_from(v).ok()),
        }
    }

    /// Its bytes in the kernel's parameter space, for launches by another library.
    /// ```
    /// # use girih::gpu::launch::Arg;
    /// assert_eq!(Arg::from(0x0102u16).to_bytes(), [2, 1]);
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        match self.value {
            Value::Number { of, bits } => bits.to_le_bytes()[..of.bits() as usize / 8].to_vec(),
            Value::Pointer { memory, .. } => memory.address.to_le_bytes().to_vec(),
            Value::TensorMap(map) => map.words.0.iter().flat_map(|w| w.to_le_bytes()).collect(),
            Value::Bytes(bytes) => bytes.to_vec(),
        }
    }

    /// The value of an integer.
    pub(super) fn signed(&self) -> Option<i128> {
        use DataType::*;
        let Value::Number { of, bits } = self.value else { return None };
        match of {
            U8 | U16 | U32 | U64 => Some(bits as i128),
            S8 => Some((bits as i8).into()),
            S16 => Some((bits as i16).into()),
            S32 => Some((bits as i32).into()),
            S64 => Some((bits as i64).into()),
            F16 | BF16 | F32 | F64 => None,
        }
    }
}

impl<'a> From<Value<'a>> for Arg<'a> {
    fn from(value: Value<'a>) -> Arg<'a> {
        Arg { value, borrow: PhantomData }
    }
}

impl<'a> From<&'a EncodedTensorMap<'a>> for Arg<'a> {
    fn from(map: &'a EncodedTensorMap<'a>) -> Arg<'a> {
        Value::TensorMap(map).into()
    }
}

macro_rules! elements {
    ($($rust:ty: $of:ident, $x:ident => $bits:expr, $from:expr;)+) => {$(
        impl sealed::Sealed for $rust {}
        impl Element for $rust {
            const TYPE: DataType = DataType::$of;
            fn bits(self) -> u64 {
                let $x = self;
                $bits
            }
            fn from_bits($x: u64) -> Self {
                $from
            }
        }
        impl From<$rust> for Arg<'_> {
            fn from(x: $rust) -> Self {
                Value::Number { of: DataType::$of, bits: x.bits() }.into()
            }
        }
    )+};
}

elements! {
    u8: U8, x => x.into(), x as u8;
    i8: S8, x => x.cast_unsigned().into(), x as i8;
    u16: U16, x => x.into(), x as u16;
    i16: S16, x => x.cast_unsigned().into(), x as i16;
    u32: U32, x => x.into(), x as u32;
    i32: S32, x => x.cast_unsigned().into(), x as i32;
    u64: U64, x => x, x;
    i64: S64, x => x.cast_unsigned(), x as i64;
    f16: F16, x => x.to_bits().into(), f16::from_bits(x as u16);
    bf16: BF16, x => x.to_bits().into(), bf16::from_bits(x as u16);
    f32: F32, x => x.to_bits().into(), f32::from_bits(x as u32);
    f64: F64, x => x.to_bits(), f64::from_bits(x);
}

/// The 128 bytes that describe a tensor to the device's copy engine, made by the driver from a [`TensorMap`] and an address
/// (with the feature `gpu`, by `TensorMap::encode`). Borrows the buffer that it describes.
/// ```
/// use girih::gpu::launch::{Arg, DataType, EncodedTensorMap};
/// use girih::gpu::tensor_map::TensorMap;
/// use girih::prelude::*;
/// let map = TensorMap::new(DataType::F32, &layout!((64,64):(64,1)), &[16, 32])?;
/// let encoded = EncodedTensorMap::foreign(&map, 0x1000, 64 * 64 * 4, false, [0; 16])?; // as another library has made it
/// assert_eq!(Arg::from(&encoded).integer(), None);
/// # Ok::<(), girih::gpu::tensor_map::TensorMapError>(())
/// ```
#[derive(Debug)]
pub struct EncodedTensorMap<'a> {
    pub(crate) words: Words,
    pub(crate) map: TensorMap,
    pub(crate) memory: Memory,
    borrow: PhantomData<&'a ()>,
}

/// Aligned as a kernel parameter.
#[derive(Debug)]
#[repr(C, align(128))]
pub(crate) struct Words(pub [u64; 16]);

impl<'a> EncodedTensorMap<'a> {
    /// What another library has encoded of this map for the `bytes` bytes at `address`, which the kernel may write if `write`;
    /// `words` are the map's bytes, eight by eight. As [`Arg::pointer`], good for checks.
    ///
    /// # Errors
    /// The address is null or no multiple of 16, or the tensor reaches beyond its bytes ([`TensorMap::check`]).
    /// ```
    /// # use girih::gpu::{launch::{DataType, EncodedTensorMap}, tensor_map::{TensorMap, TensorMapError}};
    /// # use girih::prelude::*;
    /// let map = TensorMap::new(DataType::F32, &layout!(1024:1), &[256])?;
    /// let e = EncodedTensorMap::foreign(&map, 0x1004, 4096, false, [0; 16]).unwrap_err();
    /// assert_eq!(e, TensorMapError::Address { address: 0x1004 });
    /// # Ok::<(), TensorMapError>(())
    /// ```
    pub fn foreign(
        map: &TensorMap,
        address: u64,
        bytes: u64,
        write: bool,
        words: [u64; 16],
    ) -> Result<EncodedTensorMap<'a>, TensorMapError> {
        map.check(address, bytes)?;
        // checked: no more than `bytes`
        let bytes = u64::try_from(map.bytes()).unwrap_or(bytes);
        let memory = Memory { address, bytes, write, device: None };
        Ok(EncodedTensorMap { words: Words(words), map: *map, memory, borrow: PhantomData })
    }

    /// What it describes.
    /// ```
    /// # use girih::gpu::{launch::{DataType, EncodedTensorMap}, tensor_map::TensorMap};
    /// # use girih::prelude::*;
    /// let map = TensorMap::new(DataType::F32, &layout!(1024:1), &[256])?;
    /// assert_eq!(*EncodedTensorMap::foreign(&map, 0x1000, 4096, false, [0; 16])?.map(), map);
    /// # Ok::<(), girih::gpu::tensor_map::TensorMapError>(())
    /// ```
    pub fn map(&self) -> &TensorMap {
        &self.map
    }
}

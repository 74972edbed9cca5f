//! Tensor maps, encoded by the driver.

use super::{Buffer, DeviceError};
use crate::gpu::launch::{DataType, Element, EncodedTensorMap};
use crate::gpu::tensor_map::{Fill, L2Promotion, TensorMap};
use cudarc::driver::{DriverError, sys};

/// What the driver is given.
struct Raw {
    of: sys::CUtensorMapDataType,
    address: u64,
    dims: Vec<u64>,
    strides: Vec<u64>,
    extents: Vec<u32>,
    steps: Vec<u32>,
    swizzle: sys::CUtensorMapSwizzle,
    l2: sys::CUtensorMapL2promotion,
    fill: sys::CUtensorMapFloatOOBfill,
}

impl Raw {
    fn encode(&self) -> Result<EncodedTensorMap, DriverError> {
        let mut map = sys::CUtensorMap { opaque: [0; 16] };
        let rank = self.dims.len();
        // SAFETY: the arrays have `rank` numbers, strides one less; the map is aligned by its type. Nothing is accessed on the device.
        unsafe {
            sys::cuTensorMapEncodeTiled(
                &mut map,
                self.of,
                rank as u32,
                self.address as *mut core::ffi::c_void,
                self.dims.as_ptr(),
                self.strides.as_ptr(),
                self.extents.as_ptr(),
                self.steps.as_ptr(),
                sys::CUtensorMapInterleave::CU_TENSOR_MAP_INTERLEAVE_NONE,
                self.swizzle,
                self.l2,
                self.fill,
            )
        }
        .result()?;
        Ok(EncodedTensorMap(map.opaque))
    }
}

impl TensorMap {
    fn raw(&self, address: u64) -> Raw {
        use sys::CUtensorMapDataType::*;
        use sys::CUtensorMapFloatOOBfill::*;
        use sys::CUtensorMapL2promotion::*;
        use sys::CUtensorMapSwizzle::*;
        Raw {
            of: match self.data_type() {
                DataType::U8 | DataType::S8 => CU_TENSOR_MAP_DATA_TYPE_UINT8,
                DataType::U16 | DataType::S16 => CU_TENSOR_MAP_DATA_TYPE_UINT16,
                DataType::U32 => CU_TENSOR_MAP_DATA_TYPE_UINT32,
                DataType::S32 => CU_TENSOR_MAP_DATA_TYPE_INT32,
                DataType::U64 => CU_TENSOR_MAP_DATA_TYPE_UINT64,
                DataType::S64 => CU_TENSOR_MAP_DATA_TYPE_INT64,
                DataType::F16 => CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
                DataType::BF16 => CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
                DataType::F32 => CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
                DataType::F64 => CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
            },
            address,
            dims: self.dims().into(),
            strides: self.strides().into(),
            extents: self.extents().into(),
            steps: self.steps().into(),
            swizzle: match self.swizzle().bits() {
                0 => CU_TENSOR_MAP_SWIZZLE_NONE,
                1 => CU_TENSOR_MAP_SWIZZLE_32B,
                2 => CU_TENSOR_MAP_SWIZZLE_64B,
                _ => CU_TENSOR_MAP_SWIZZLE_128B,
            },
            l2: match self.l2_promotion() {
                L2Promotion::None => CU_TENSOR_MAP_L2_PROMOTION_NONE,
                L2Promotion::B64 => CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
                L2Promotion::B128 => CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                L2Promotion::B256 => CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
            },
            fill: match self.fill() {
                Fill::Zero => CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
                Fill::Nan => CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA,
            },
        }
    }

    /// For the tensor that starts at element `at` of the buffer: an argument for kernels, as long as the buffer lives.
    ///
    /// The value holds the address only: a kernel that uses it after the buffer is gone goes wrong.
    ///
    /// # Errors
    /// The buffer has elements of another type, the tensor reaches beyond it, its address is no multiple of 16, or the driver's.
    /// ```
    /// use girih::gpu::device::{Buffer, Device};
    /// use girih::gpu::{launch::DataType, tensor_map::TensorMap};
    /// use girih::prelude::*;
    /// if Device::count() > 0 && Device::new(0)?.compute_capability() >= (9, 0) {
    ///     let x = Buffer::<f32>::new(&Device::new(0)?, 64 * 64)?;
    ///     let map = TensorMap::new(DataType::F32, &layout!((64,64):(64,1)), &[16, 32])?;
    ///     assert!(map.encode(&x, 0).is_ok());
    ///     assert!(map.encode(&x, 64).is_err()); // a row too far
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn encode<T: Element>(&self, buffer: &Buffer<T>, at: usize) -> Result<EncodedTensorMap, DeviceError> {
        let (got, expected) = (T::TYPE, self.data_type());
        if got != expected {
            let name = "the tensor".into();
            return Err(crate::gpu::launch::LaunchError::Type { name, got, expected }.into());
        }
        let arg = buffer.arg(at..buffer.len().max(at))?;
        let address = arg.integer().unwrap_or_default();
        self.check(address, ((buffer.len() - at) * size_of::<T>()) as u64)?;
        self.raw(address).encode().map_err(DeviceError::driver("encoding a tensor map"))
    }
}

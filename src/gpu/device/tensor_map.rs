//! Tensor maps, encoded by the driver.

use super::{Buffer, Device, DeviceError, current};
use crate::gpu::launch::{DataType, Element, EncodedTensorMap, LaunchError, Memory};
use crate::gpu::tensor_map::{Fill, L2Promotion, TensorMap};
use cudarc::driver::{CudaContext, DriverError, sys};

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
    fn encode(&self) -> Result<[u64; 16], DriverError> {
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
        Ok(map.opaque)
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

    /// For the tensor that starts at element `at` of the buffer, to be read by kernels.
    ///
    /// # Errors
    /// The buffer has elements of another type, the tensor reaches beyond it, its address is no multiple of 16, the box is too
    /// large, or the driver's.
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
    /// The buffer stays borrowed:
    /// ```compile_fail,E0505
    /// # use girih::gpu::{device::{Buffer, Kernel, Stream}, tensor_map::TensorMap};
    /// fn gone(map: TensorMap, x: Buffer<f32>, kernel: Kernel, stream: Stream) {
    ///     let encoded = map.encode(&x, 0).unwrap();
    ///     drop(x);
    ///     kernel.launch(&stream, &[(&encoded).into()]).unwrap();
    /// }
    /// ```
    pub fn encode<'a, T: Element>(
        &self,
        buffer: &'a Buffer<T>,
        at: usize,
    ) -> Result<EncodedTensorMap<'a>, DeviceError> {
        self.encoded(buffer.context(), T::TYPE, buffer.memory(at..buffer.len().max(at), false)?)
    }

    /// As [`TensorMap::encode`], to be written too.
    ///
    /// # Errors
    /// As [`TensorMap::encode`].
    /// ```
    /// use girih::gpu::device::{Buffer, Device};
    /// use girih::gpu::{launch::DataType, tensor_map::TensorMap};
    /// use girih::prelude::*;
    /// if Device::count() > 0 && Device::new(0)?.compute_capability() >= (9, 0) {
    ///     let mut x = Buffer::<f32>::new(&Device::new(0)?, 64 * 64)?;
    ///     let map = TensorMap::new(DataType::F32, &layout!((64,64):(64,1)), &[16, 32])?;
    ///     assert!(map.encode_mut(&mut x, 0).is_ok());
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn encode_mut<'a, T: Element>(
        &self,
        buffer: &'a mut Buffer<T>,
        at: usize,
    ) -> Result<EncodedTensorMap<'a>, DeviceError> {
        self.encoded(buffer.context(), T::TYPE, buffer.memory(at..buffer.len().max(at), true)?)
    }

    /// For memory with elements of type `got`; the caller borrows it for the map's lifetime.
    fn encoded<'a>(
        &self,
        context: &CudaContext,
        got: DataType,
        memory: Memory,
    ) -> Result<EncodedTensorMap<'a>, DeviceError> {
        let expected = self.data_type();
        if got != expected {
            return Err(LaunchError::Type { name: "the tensor".into(), got, expected }.into());
        }
        self.check(memory.address, memory.bytes)?;
        current(context).map_err(DeviceError::driver("choosing the device"))?;
        let words = self.raw(memory.address).encode().map_err(DeviceError::driver("encoding a tensor map"))?;
        let mut map = EncodedTensorMap::foreign(self, memory.address, memory.bytes, memory.write, words)?;
        map.memory.device = memory.device;
        Ok(map)
    }
}

impl EncodedTensorMap<'_> {
    /// Of memory of this device, for its launches.
    ///
    /// # Safety
    /// The words are those that the driver has encoded for the map and the address of [`EncodedTensorMap::foreign`], and what
    /// [`Arg::on`](crate::gpu::launch::Arg::on) demands of the memory.
    /// ```no_run
    /// // needs memory of another library
    /// # use girih::gpu::{device::Device, launch::EncodedTensorMap};
    /// # fn f<'a>(map: EncodedTensorMap<'a>, device: &Device) -> EncodedTensorMap<'a> {
    /// unsafe { map.on(device) }
    /// # }
    /// ```
    pub unsafe fn on(mut self, device: &Device) -> Self {
        self.memory.device = Some(device.ordinal());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::tensor_map::{BOX, TensorMapError};
    use crate::layout::{Layout, Swizzle, Unit};
    use sys::{CUtensorMapDataType as Type, CUtensorMapFloatOOBfill as Oob, CUtensorMapSwizzle as Mode};

    /// What the checks say of it, through the public functions.
    fn checked(raw: &Raw) -> Result<(), Box<dyn std::error::Error>> {
        let of = match raw.of {
            Type::CU_TENSOR_MAP_DATA_TYPE_UINT8 => DataType::U8,
            Type::CU_TENSOR_MAP_DATA_TYPE_INT32 => DataType::S32,
            Type::CU_TENSOR_MAP_DATA_TYPE_FLOAT16 => DataType::F16,
            Type::CU_TENSOR_MAP_DATA_TYPE_FLOAT64 => DataType::F64,
            _ => DataType::F32,
        };
        let shape: Vec<i64> = raw.dims.iter().map(|d| *d as i64).collect();
        let width = i64::from(of.bits() / 8);
        let strides = raw.strides.iter().map(|s| *s as i64 / width);
        let stride: Vec<i64> = core::iter::once(1).chain(strides).collect();
        let bits = raw.swizzle as i64;
        let map = TensorMap::new(of, &Layout::flat(&shape, &stride)?, &raw.extents)?
            .swizzled(&Swizzle::new(bits, 4, 3)?.on(Unit::BYTES))?
            .every(&raw.steps)?
            .filling(if raw.fill == Oob::CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE { Fill::Zero } else { Fill::Nan })?;
        Ok(map.check(raw.address, u64::MAX)?)
    }

    /// Legal maps and single steps away from them: the driver must say what the checks say.
    #[test]
    fn the_driver_accepts_what_the_checks_accept() {
        if Device::count() == 0 {
            return println!("skipped: no CUDA driver");
        }
        let device = Device::new(0).unwrap();
        if device.compute_capability() < (9, 0) {
            return println!("skipped: no tensor maps before compute capability 9.0");
        }
        let buffer = Buffer::<u8>::new(&device, 1 << 20).unwrap();
        let (mut cases, mut wrong) = (0, vec![]);
        let mut case = |name: String, change: &dyn Fn(&mut Raw)| {
            let mut raw = Raw {
                of: Type::CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
                address: buffer.address(),
                dims: vec![64, 64],
                strides: vec![256],
                extents: vec![32, 16],
                steps: vec![1, 1],
                swizzle: Mode::CU_TENSOR_MAP_SWIZZLE_NONE,
                l2: sys::CUtensorMapL2promotion::CU_TENSOR_MAP_L2_PROMOTION_NONE,
                fill: Oob::CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
            };
            change(&mut raw);
            let (ours, driver) = (checked(&raw), raw.encode());
            cases += 1;
            // whatever the driver says of boxes that no shared memory holds
            let large = ours.as_ref().is_err_and(|e| matches!(e.downcast_ref(), Some(TensorMapError::LargeBox { .. })));
            if ours.is_ok() != driver.is_ok() && !large {
                wrong.push(format!("{name}: checks {ours:?}, driver {:?}", driver.map(|_| ())));
            }
        };
        case("legal".into(), &|_| ());
        for offset in [1, 4, 8, 16, 32] {
            case(format!("address + {offset}"), &|r| r.address += offset);
        }
        for dim in [1, 2, 31, (1 << 32) - 1, 1 << 32, (1 << 32) + 1] {
            for d in 0..2 {
                case(format!("extent {dim} of dimension {d}"), &|r| r.dims[d] = dim);
            }
        }
        for stride in [0, 4, 8, 16, 24, 128, 272, (1 << 40) - 16, 1 << 40] {
            case(format!("stride {stride}"), &|r| r.strides[0] = stride);
        }
        for extent in [0, 1, 2, 3, 4, 5, 8, 64, 255, 256, 257, 260] {
            for d in 0..2 {
                case(format!("box of {extent} in dimension {d}"), &|r| r.extents[d] = extent);
            }
        }
        let types = [
            (Type::CU_TENSOR_MAP_DATA_TYPE_UINT8, 1),
            (Type::CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2),
            (Type::CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4),
            (Type::CU_TENSOR_MAP_DATA_TYPE_INT32, 4),
            (Type::CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 8),
        ];
        let modes = [
            Mode::CU_TENSOR_MAP_SWIZZLE_NONE,
            Mode::CU_TENSOR_MAP_SWIZZLE_32B,
            Mode::CU_TENSOR_MAP_SWIZZLE_64B,
            Mode::CU_TENSOR_MAP_SWIZZLE_128B,
        ];
        for (of, width) in types {
            for swizzle in modes {
                for row in [8, 16, 32, 48, 64, 80, 128, 144, 256] {
                    case(format!("{of:?}, {swizzle:?}, row of {row} bytes"), &|r| {
                        (r.of, r.swizzle, r.extents[0]) = (of, swizzle, row / width);
                    });
                }
            }
            case(format!("NaN in {of:?}"), &|r| {
                (r.of, r.fill) = (of, Oob::CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);
            });
        }
        for step in [0, 1, 2, 3, 7, 8, 9] {
            for d in 0..2 {
                case(format!("step {step} in dimension {d}"), &|r| r.steps[d] = step);
            }
        }
        for rank in 1..=5 {
            case(format!("rank {rank}"), &|r| {
                (r.dims, r.extents, r.steps) = (vec![64; rank], vec![4; rank], vec![1; rank]);
                r.strides = (0..rank as u32 - 1).map(|d| 256 * 64u64.pow(d)).collect();
            });
        }
        for box_ in [[256, 1, 1], [256, 227, 1], [256, 228, 1], [256, 256, 1], [256, 256, 2], [256, 256, 256]] {
            case(format!("box {box_:?} of {} bytes, {BOX} at most", 4 * box_.iter().product::<u32>()), &|r| {
                (r.dims, r.strides, r.steps) = (vec![256; 3], vec![1024, 1 << 18], vec![1; 3]);
                r.extents = box_.into();
            });
        }
        // strides that grow in no order, overlap, or are no multiples of each other
        for strides in [[256, 1 << 14], [1 << 14, 256], [256, 256], [256, 272], [272, 16], [16, 16], [0, 256]] {
            case(format!("strides {strides:?}"), &|r| {
                (r.dims, r.extents, r.steps) = (vec![64; 3], vec![4; 3], vec![1; 3]);
                r.strides = strides.into();
            });
        }
        assert!(wrong.is_empty(), "{} of {cases}:\n{}", wrong.len(), wrong.join("\n"));
        println!("{cases} tensor maps");
    }
}

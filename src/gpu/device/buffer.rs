//! Device memory.

use super::{Device, DeviceError, Stream, current, idle, same};
use crate::gpu::launch::{Arg, Element, Memory, Value};
use core::marker::PhantomData;
use core::ops::Range;
use cudarc::driver::{CudaContext, DriverError, result, sys};
use std::sync::Arc;

/// `len` elements in the memory of a device. Given back when dropped, after the device has finished what it does: drop buffers
/// outside of what is timed.
/// ```
/// use girih::gpu::device::{Buffer, Device, DeviceError};
/// if Device::count() > 0 {
///     let stream = Device::new(0)?.stream()?;
///     let mut x = Buffer::from_slice(&stream, &[1.0f32, 2.0, 3.0])?;
///     x.upload(&stream, 1, &[5.0, 6.0])?;
///     assert_eq!(x.download(&stream)?, [1.0, 5.0, 6.0]);
///     assert!(matches!(x.upload(&stream, 2, &[0.0; 2]), Err(DeviceError::Range { start: 2, end: 4, len: 3 })));
/// }
/// # Ok::<(), DeviceError>(())
/// ```
#[derive(Debug)]
pub struct Buffer<T: Element> {
    context: Arc<CudaContext>,
    address: sys::CUdeviceptr,
    len: usize,
    element: PhantomData<T>,
}

impl<T: Element> Buffer<T> {
    /// Room for `len` elements, whatever they are.
    ///
    /// # Errors
    /// Too large, or no memory left.
    /// ```
    /// # use girih::gpu::device::{Buffer, Device, DeviceError};
    /// if let Ok(device) = Device::new(0) {
    ///     assert_eq!(Buffer::<u8>::new(&device, 100)?.len(), 100);
    ///     assert!(matches!(Buffer::<u8>::new(&device, 1 << 60), Err(DeviceError::OutOfMemory { .. })));
    ///     assert!(matches!(Buffer::<f64>::new(&device, usize::MAX), Err(DeviceError::TooLarge { .. })));
    /// }
    /// # Ok::<(), DeviceError>(())
    /// ```
    pub fn new(device: &Device, len: usize) -> Result<Buffer<T>, DeviceError> {
        Buffer::in_context(&device.context, len)
    }

    fn in_context(context: &Arc<CudaContext>, len: usize) -> Result<Buffer<T>, DeviceError> {
        let width = size_of::<T>();
        let bytes = len.checked_mul(width).ok_or(DeviceError::TooLarge { len, width })?;
        current(context).map_err(DeviceError::driver("choosing the device"))?;
        let address = match bytes {
            0 => 0, // which the driver refuses to allocate
            // SAFETY: the context is current.
            _ => unsafe { result::malloc_sync(bytes) }.map_err(|e| match e.0 {
                sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => DeviceError::OutOfMemory { bytes },
                _ => DeviceError::driver("allocating memory")(e),
            })?,
        };
        Ok(Buffer { context: context.clone(), address, len, element: PhantomData })
    }

    /// `len` zeros.
    ///
    /// # Errors
    /// As [`Buffer::new`].
    /// ```
    /// # use girih::gpu::device::{Buffer, Device};
    /// if let Ok(device) = Device::new(0) {
    ///     let stream = device.stream()?;
    ///     assert_eq!(Buffer::<u64>::zeros(&stream, 2)?.download(&stream)?, [0, 0]);
    /// }
    /// # Ok::<(), girih::gpu::device::DeviceError>(())
    /// ```
    pub fn zeros(stream: &Stream, len: usize) -> Result<Buffer<T>, DeviceError> {
        let mut buffer = Buffer::in_context(stream.inner.context(), len)?;
        buffer.fill(stream, T::default())?;
        Ok(buffer)
    }

    /// A copy of `values`.
    ///
    /// # Errors
    /// As [`Buffer::new`].
    /// ```
    /// # use girih::gpu::device::{Buffer, Device};
    /// if let Ok(device) = Device::new(0) {
    ///     assert_eq!(Buffer::from_slice(&device.stream()?, &[1i8, 2, 3])?.bytes(), 3);
    /// }
    /// # Ok::<(), girih::gpu::device::DeviceError>(())
    /// ```
    pub fn from_slice(stream: &Stream, values: &[T]) -> Result<Buffer<T>, DeviceError> {
        let mut buffer = Buffer::in_context(stream.inner.context(), values.len())?;
        buffer.upload(stream, 0, values)?;
        Ok(buffer)
    }

    /// Elements.
    /// ```
    /// # use girih::gpu::device::{Buffer, Device};
    /// assert!(Device::new(0).map_or(true, |d| Buffer::<f32>::new(&d, 7).is_ok_and(|b| b.len() == 7)));
    /// ```
    pub fn len(&self) -> usize {
        self.len
    }

    /// No elements.
    /// ```
    /// # use girih::gpu::device::{Buffer, Device};
    /// assert!(Device::new(0).map_or(true, |d| Buffer::<f32>::new(&d, 0).is_ok_and(|b| b.is_empty())));
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes.
    /// ```
    /// # use girih::gpu::device::{Buffer, Device};
    /// assert!(Device::new(0).map_or(true, |d| Buffer::<f32>::new(&d, 7).is_ok_and(|b| b.bytes() == 28)));
    /// ```
    pub fn bytes(&self) -> usize {
        self.len * size_of::<T>()
    }

    /// Its address on the device, a multiple of 256; 0 if it is empty. To be given to other libraries.
    /// ```
    /// # use girih::gpu::device::{Buffer, Device};
    /// assert!(Device::new(0).map_or(true, |d| Buffer::<f32>::new(&d, 7).is_ok_and(|b| b.address() % 256 == 0)));
    /// ```
    pub fn address(&self) -> u64 {
        self.address
    }

    /// Copies `values` to the elements from `at` on, after the work of the stream so far, and waits for it.
    ///
    /// # Errors
    /// Not so many elements, a stream of another device, or the driver's.
    /// ```
    /// # use girih::gpu::device::{Buffer, Device};
    /// if let Ok(device) = Device::new(0) {
    ///     let stream = device.stream()?;
    ///     let mut x = Buffer::from_slice(&stream, &[0u16; 4])?;
    ///     x.upload(&stream, 2, &[7])?;
    ///     assert_eq!(x.download(&stream)?, [0, 0, 7, 0]);
    /// }
    /// # Ok::<(), girih::gpu::device::DeviceError>(())
    /// ```
    pub fn upload(&mut self, stream: &Stream, at: usize, values: &[T]) -> Result<(), DeviceError> {
        let address = self.at(at..at.saturating_add(values.len()))?;
        if !self.work_on(stream)? || values.is_empty() {
            return Ok(());
        }
        // SAFETY: the range is within the buffer; the slice outlives the copy, which is waited for.
        let copied = unsafe { result::memcpy_htod_async(address, values, stream.inner.cu_stream()) };
        // in any case: the slice may be gone after this
        let waited = stream.synchronize();
        copied.map_err(DeviceError::driver("copying to the device"))?;
        waited
    }

    /// The elements, after the work of the stream so far.
    ///
    /// # Errors
    /// A kernel went wrong, a stream of another device.
    /// ```
    /// # use girih::gpu::device::{Buffer, Device};
    /// if let Ok(device) = Device::new(0) {
    ///     let stream = device.stream()?;
    ///     assert_eq!(Buffer::from_slice(&stream, &[0.5f64])?.download(&stream)?, [0.5]);
    /// }
    /// # Ok::<(), girih::gpu::device::DeviceError>(())
    /// ```
    pub fn download(&self, stream: &Stream) -> Result<Vec<T>, DeviceError> {
        self.download_range(stream, 0..self.len)
    }

    /// Some of the elements, after the work of the stream so far.
    ///
    /// # Errors
    /// Not so many elements, a kernel went wrong, a stream of another device.
    /// ```
    /// # use girih::gpu::device::{Buffer, Device};
    /// if let Ok(device) = Device::new(0) {
    ///     let stream = device.stream()?;
    ///     assert_eq!(Buffer::from_slice(&stream, &[1u8, 2, 3])?.download_range(&stream, 1..2)?, [2]);
    /// }
    /// # Ok::<(), girih::gpu::device::DeviceError>(())
    /// ```
    pub fn download_range(&self, stream: &Stream, range: Range<usize>) -> Result<Vec<T>, DeviceError> {
        let address = self.at(range.clone())?;
        let mut values = vec![T::default(); range.len()];
        let copied = if self.work_on(stream)? && !values.is_empty() {
            // SAFETY: the range is within the buffer; the vector outlives the copy, which is waited for; all bits are values.
            unsafe { result::memcpy_dtoh_async(&mut values, address, stream.inner.cu_stream()) }
        } else {
            Ok(())
        };
        // in any case: the vector may be gone after this
        let waited = stream.synchronize();
        copied.map_err(DeviceError::driver("copying from the device"))?;
        waited.map(|()| values)
    }

    /// Becomes a copy of `from`, after the work of the stream so far; not waited for. The other buffer's memory is given back
    /// only after the device has become idle, so it may be dropped meanwhile.
    ///
    /// # Errors
    /// Another number of elements, a buffer or stream of another device, or the driver's.
    /// ```
    /// # use girih::gpu::device::{Buffer, Device, DeviceError};
    /// if let Ok(device) = Device::new(0) {
    ///     let stream = device.stream()?;
    ///     let x = Buffer::from_slice(&stream, &[1u8, 2, 3])?;
    ///     let mut y = Buffer::zeros(&stream, 3)?;
    ///     y.copy_from(&stream, &x)?;
    ///     assert_eq!(y.download(&stream)?, [1, 2, 3]);
    ///     let short = Buffer::<u8>::zeros(&stream, 2)?;
    ///     assert_eq!(y.copy_from(&stream, &short), Err(DeviceError::Range { start: 0, end: 3, len: 2 }));
    /// }
    /// # Ok::<(), DeviceError>(())
    /// ```
    pub fn copy_from(&mut self, stream: &Stream, from: &Buffer<T>) -> Result<(), DeviceError> {
        same(&from.context, &self.context)?;
        if from.len != self.len {
            return Err(DeviceError::Range { start: 0, end: self.len, len: from.len });
        }
        if !self.work_on(stream)? {
            return Ok(());
        }
        // SAFETY: both hold so many bytes, and do not overlap: this one is borrowed alone.
        unsafe { result::memcpy_dtod_async(self.address, from.address, self.bytes(), stream.inner.cu_stream()) }
            .map_err(DeviceError::driver("copying on the device"))
    }

    /// Every element becomes `value`, after the work of the stream so far; not waited for.
    ///
    /// # Errors
    /// A stream of another device, or the driver's.
    /// ```
    /// # use girih::gpu::device::{Buffer, Device};
    /// if let Ok(device) = Device::new(0) {
    ///     let stream = device.stream()?;
    ///     let mut x = Buffer::<f64>::new(&device, 3)?;
    ///     x.fill(&stream, 0.1)?;
    ///     assert_eq!(x.download(&stream)?, [0.1; 3]);
    /// }
    /// # Ok::<(), girih::gpu::device::DeviceError>(())
    /// ```
    pub fn fill(&mut self, stream: &Stream, value: T) -> Result<(), DeviceError> {
        if !self.work_on(stream)? {
            return Ok(());
        }
        let (to, n, queue, bits) = (self.address, self.len, stream.inner.cu_stream(), value.bits());
        let (low, high) = (bits as u32, (bits >> 32) as u32);
        // SAFETY: n elements of this width are the whole buffer; those of 64 bits are rows of two words with a pitch of 8 bytes.
        let done = unsafe {
            match size_of::<T>() {
                1 => sys::cuMemsetD8Async(to, bits as u8, n, queue),
                2 => sys::cuMemsetD16Async(to, bits as u16, n, queue),
                4 => sys::cuMemsetD32Async(to, low, n, queue),
                _ if low == high => sys::cuMemsetD32Async(to, low, 2 * n, queue),
                _ => match sys::cuMemsetD2D32Async(to, 8, low, 1, n, queue) {
                    sys::CUresult::CUDA_SUCCESS => sys::cuMemsetD2D32Async(to + 4, 8, high, 1, n, queue),
                    e => e,
                },
            }
        };
        done.result().map_err(DeviceError::driver("filling memory"))
    }

    /// Some of the elements as an argument that is read.
    ///
    /// # Errors
    /// Not so many elements.
    /// ```
    /// # use girih::gpu::device::{Buffer, Device};
    /// if let Ok(device) = Device::new(0) {
    ///     let x = Buffer::<f32>::new(&device, 100)?;
    ///     assert_eq!(x.arg(4..8)?.integer(), Some(x.address() + 16));
    /// }
    /// # Ok::<(), girih::gpu::device::DeviceError>(())
    /// ```
    pub fn arg(&self, range: Range<usize>) -> Result<Arg<'_>, DeviceError> {
        Ok(Value::Pointer { to: T::TYPE, memory: self.memory(range, false)? }.into())
    }

    /// Some of the elements as an argument that is written.
    ///
    /// # Errors
    /// Not so many elements.
    /// ```
    /// # use girih::gpu::device::{Buffer, Device, DeviceError};
    /// if let Ok(device) = Device::new(0) {
    ///     let mut x = Buffer::<f32>::new(&device, 100)?;
    ///     assert!(matches!(x.arg_mut(99..101), Err(DeviceError::Range { .. })));
    /// }
    /// # Ok::<(), DeviceError>(())
    /// ```
    pub fn arg_mut(&mut self, range: Range<usize>) -> Result<Arg<'_>, DeviceError> {
        Ok(Value::Pointer { to: T::TYPE, memory: self.memory(range, true)? }.into())
    }

    /// The memory of a range of elements.
    pub(super) fn memory(&self, range: Range<usize>, write: bool) -> Result<Memory, DeviceError> {
        let (address, bytes) = (self.at(range.clone())?, (range.len() * size_of::<T>()) as u64);
        Ok(Memory { address, bytes, write, device: Some(self.context.ordinal()) })
    }

    pub(super) fn context(&self) -> &CudaContext {
        &self.context
    }

    /// All of it as an argument.
    fn whole(&self, write: bool) -> Value<'static> {
        let device = Some(self.context.ordinal());
        Value::Pointer {
            to: T::TYPE,
            memory: Memory { address: self.address, bytes: self.bytes() as u64, write, device },
        }
    }

    /// The address of a range of elements.
    fn at(&self, range: Range<usize>) -> Result<sys::CUdeviceptr, DeviceError> {
        let Range { start, end } = range;
        if start > end || end > self.len {
            return Err(DeviceError::Range { start, end, len: self.len });
        }
        Ok(self.address + (start * size_of::<T>()) as u64)
    }

    /// The stream is of this device, which is made current; whether there is anything to do.
    fn work_on(&self, stream: &Stream) -> Result<bool, DeviceError> {
        same(stream.inner.context(), &self.context)?;
        stream.ready()?;
        Ok(self.len > 0)
    }
}

impl<T: Element> Drop for Buffer<T> {
    fn drop(&mut self) {
        if self.address != 0 {
            let free = || -> Result<(), DriverError> {
                idle(&self.context)?;
                // SAFETY: allocated here, freed once, and nothing on the device is running that could use it.
                unsafe { result::free_sync(self.address) }
            };
            // after a fault the driver has already taken the memory back, and says so again at the next call
            let _ = free();
        }
    }
}

impl<'a, T: Element> From<&'a Buffer<T>> for Arg<'a> {
    fn from(b: &'a Buffer<T>) -> Arg<'a> {
        b.whole(false).into()
    }
}

impl<'a, T: Element> From<&'a mut Buffer<T>> for Arg<'a> {
    fn from(b: &'a mut Buffer<T>) -> Arg<'a> {
        b.whole(true).into()
    }
}

impl<'a> Arg<'a> {
    /// Of memory of this device, for its launches ([`Arg::pointer`]); numbers and tensor maps are unchanged.
    ///
    /// # Safety
    /// The bytes are allocated on the device or accessible to it, and stay so until every launch with this argument has
    /// finished; what a kernel writes there nobody else uses meanwhile, and any bits are values of what Rust sees there.
    /// ```no_run
    /// // needs memory of another library
    /// # use girih::gpu::{device::{Device, DeviceError, Kernel, Stream}, launch::{Arg, DataType}};
    /// # fn f(address: u64, device: &Device, stream: &Stream, kernel: &Kernel) -> Result<(), DeviceError> {
    /// let x = unsafe { Arg::pointer(address, 4096, DataType::F32, false).on(device) };
    /// kernel.launch(stream, &[x])?;
    /// stream.synchronize()
    /// # }
    /// ```
    pub unsafe fn on(mut self, device: &Device) -> Arg<'a> {
        if let Value::Pointer { memory, .. } = &mut self.value {
            memory.device = Some(device.ordinal());
        }
        self
    }
}

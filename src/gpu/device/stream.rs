//! Order and time.

use super::{DeviceError, current};
use cudarc::driver::{CudaEvent, CudaStream, result, sys, sys::CUevent_flags};
use std::sync::Arc;
use std::time::Duration;

/// A queue of work on a device: what is given to one runs in order. From [`Device::stream`](super::Device::stream).
/// ```
/// use girih::gpu::device::Device;
/// if Device::count() > 0 {
///     let stream = Device::new(0)?.stream()?;
///     stream.synchronize()?;
/// }
/// # Ok::<(), girih::gpu::device::DeviceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Stream {
    pub(super) inner: Arc<CudaStream>,
}

impl Stream {
    /// Waits until all its work is done.
    ///
    /// # Errors
    /// A kernel went wrong.
    /// ```
    /// # use girih::gpu::device::Device;
    /// assert!(Device::new(0).map_or(true, |d| d.default_stream().synchronize().is_ok()));
    /// ```
    pub fn synchronize(&self) -> Result<(), DeviceError> {
        self.bind()?;
        // SAFETY: the stream lives.
        unsafe { result::stream::synchronize(self.inner.cu_stream()) }
            .map_err(DeviceError::driver("waiting for the stream"))
    }

    /// Notes when the work so far will be done.
    ///
    /// # Errors
    /// The driver's.
    /// ```
    /// # use girih::gpu::device::Device;
    /// assert!(Device::new(0).map_or(true, |d| d.default_stream().record().is_ok()));
    /// ```
    pub fn record(&self) -> Result<Event, DeviceError> {
        let flags = Some(CUevent_flags::CU_EVENT_DEFAULT); // with time
        let inner = self.inner.record_event(flags).map_err(DeviceError::driver("recording an event"))?;
        Ok(Event { inner })
    }

    /// What is given to this stream from now on waits for the event, which may be another stream's.
    ///
    /// # Errors
    /// The event is of another device, or the driver's.
    /// ```
    /// # use girih::gpu::device::Device;
    /// if let Ok(device) = Device::new(0) {
    ///     let (copies, kernels) = (device.stream()?, device.stream()?);
    ///     kernels.wait(&copies.record()?)?;
    /// }
    /// # Ok::<(), girih::gpu::device::DeviceError>(())
    /// ```
    pub fn wait(&self, event: &Event) -> Result<(), DeviceError> {
        super::same(event.inner.context(), self.inner.context())?;
        self.inner.wait(&event.inner).map_err(DeviceError::driver("waiting for an event"))
    }

    /// cudarc's stream, to share this one with its bindings of cuBLAS and others.
    /// ```no_run
    /// // needs a GPU with cuBLAS
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let stream = girih::gpu::device::Device::new(0)?.stream()?;
    /// let blas = cudarc::cublas::CudaBlas::new(stream.cudarc().clone())?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn cudarc(&self) -> &Arc<CudaStream> {
        &self.inner
    }

    /// Makes the device's context that of this thread.
    fn bind(&self) -> Result<(), DeviceError> {
        current(self.inner.context()).map_err(DeviceError::driver("choosing the device"))
    }

    /// What is given to it now runs once, and now: the context is current, and no graph is being captured from it (through
    /// [`Stream::cudarc`]), which would use buffers and host memory later.
    pub(super) fn ready(&self) -> Result<(), DeviceError> {
        self.bind()?;
        // SAFETY: the stream lives.
        let capturing = unsafe { result::stream::is_capturing(self.inner.cu_stream()) };
        match capturing.map_err(DeviceError::driver("asking the stream"))? {
            sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE => Ok(()),
            _ => Err(DeviceError::Capturing),
        }
    }
}

/// A point in the work of a stream, with its time. From [`Stream::record`].
/// ```
/// use girih::gpu::device::Device;
/// if Device::count() > 0 {
///     let stream = Device::new(0)?.stream()?;
///     let start = stream.record()?;
///     // launches
///     println!("{:?}", stream.record()?.since(&start)?);
/// }
/// # Ok::<(), girih::gpu::device::DeviceError>(())
/// ```
#[derive(Debug)]
pub struct Event {
    inner: CudaEvent,
}

impl Event {
    /// Waits for it.
    ///
    /// # Errors
    /// A kernel before it went wrong.
    /// ```
    /// # use girih::gpu::device::Device;
    /// if let Ok(device) = Device::new(0) {
    ///     device.default_stream().record()?.synchronize()?;
    /// }
    /// # Ok::<(), girih::gpu::device::DeviceError>(())
    /// ```
    pub fn synchronize(&self) -> Result<(), DeviceError> {
        self.inner.synchronize().map_err(DeviceError::driver("waiting for an event"))
    }

    /// Waits for both, and says how much later this one was, by the device's clock (of about half a microsecond).
    ///
    /// # Errors
    /// The events are of two devices, this one was earlier, or a kernel before them went wrong.
    /// ```
    /// # use girih::gpu::device::Device;
    /// if let Ok(device) = Device::new(0) {
    ///     let stream = device.stream()?;
    ///     let (a, b) = (stream.record()?, stream.record()?);
    ///     assert!(b.since(&a)?.as_secs() < 1);
    /// }
    /// # Ok::<(), girih::gpu::device::DeviceError>(())
    /// ```
    pub fn since(&self, earlier: &Event) -> Result<Duration, DeviceError> {
        super::same(earlier.inner.context(), self.inner.context())?;
        let ms = earlier.inner.elapsed_ms(&self.inner).map_err(DeviceError::driver("the time between events"))?;
        Duration::try_from_secs_f64(f64::from(ms) / 1e3).map_err(|_| DeviceError::Earlier { milliseconds: ms })
    }
}

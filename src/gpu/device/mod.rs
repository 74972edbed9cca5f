//! The GPU: memory, modules, launches. Feature `gpu`; needs no CUDA to build, and finds the driver when it runs.
//!
//! | to | use |
//! |---|---|
//! | ask whether there is a GPU | [`Device::count`]: 0 without a driver, never a panic |
//! | have memory on it | [`Buffer`] |
//! | load PTX | [`Device::load`]: the driver's log and the offending lines in the error; loaded once for each text |
//! | launch | [`Module::kernel`] with a [`Launch`](super::launch::Launch), [`Kernel::launch`]: arguments checked |
//! | order and time work | [`Stream`], [`Event`] |
//! | tensors for the copy engine | [`TensorMap::encode`](super::tensor_map::TensorMap::encode) |
//!
//! ```
//! use girih::gpu::device::{Buffer, Device, DeviceError};
//! use girih::gpu::launch::{Usage, Arg, DataType, Launch, Param};
//! const PTX: &str = "
//!     .version 7.0
//!     .target sm_80
//!     .address_size 64
//!     .visible .entry double(.param .u64 x, .param .u32 n) {
//!         .reg .pred %p;
//!         .reg .b32 %r<5>;
//!         .reg .b64 %d<3>;
//!         mov.u32 %r0, %ctaid.x;
//!         mov.u32 %r1, %tid.x;
//!         mad.lo.u32 %r2, %r0, 256, %r1;
//!         ld.param.u32 %r3, [n];
//!         setp.ge.u32 %p, %r2, %r3;
//!         @%p ret;
//!         ld.param.u64 %d0, [x];
//!         mad.wide.u32 %d1, %r2, 4, %d0;
//!         ld.global.u32 %r4, [%d1];
//!         shl.b32 %r4, %r4, 1;
//!         st.global.u32 [%d1], %r4;
//!         ret;
//!     }";
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     if Device::count() == 0 {
//!         assert_eq!(Device::new(0).err(), Some(DeviceError::NoDriver));
//!         return Ok(());
//!     }
//!     let device = Device::new(0)?;
//!     let double = device.load(PTX)?.kernel(&Launch {
//!         entry: "double".into(),
//!         params: vec![
//!             Param::pointer("x", DataType::U32, Usage::ReadWrite).holding("4 * n".parse()?),
//!             Param::number("n", DataType::U32),
//!         ],
//!         block: [256, 1, 1],
//!         grid: ["ceil(n / 256)".parse()?, 1.into(), 1.into()],
//!         ..Launch::default()
//!     })?;
//!     let stream = device.stream()?;
//!     let mut x = Buffer::from_slice(&stream, &[1u32, 2, 3])?;
//!     double.launch(&stream, &[Arg::from(&mut x), 3u32.into()])?;
//!     assert_eq!(x.download(&stream)?, [2, 4, 6]);
//!     Ok(())
//! }
//! ```
//!
//! # What is trusted
//! A kernel can do anything to the memory of its device. These functions check all that a description says, and are safe to
//! call on that ground: that the PTX keeps within what its [`Launch`](super::launch::Launch) says is the author's promise.
//! The arguments are no matter of trust: they borrow what they point to, it is of this device, and it is alive; for memory of
//! other libraries the caller vouches by an `unsafe` function, [`Arg::on`](super::launch::Arg::on).
//!
//! # The only `unsafe` code of the crate
//! is in this module: calls of the driver. What they rely on: handles live as long as the values here that own them; memory
//! and code are given back only after the device has become idle; host memory is never given to a copy that outlives the call;
//! nothing is captured into graphs, which would run later.

mod buffer;
mod error;
mod module;
mod stream;
mod tensor_map;

pub use buffer::Buffer;
pub use error::DeviceError;
pub use module::{Attributes, Kernel, Module};
pub use stream::{Event, Stream};

use super::launch::Limits;
use cudarc::driver::{CudaContext, DriverError, result, sys};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use sys::CUdevice_attribute_enum as Attribute;

/// A GPU, with the modules that were loaded on it. Cheap to clone; all clones are the same.
/// ```
/// use girih::gpu::device::Device;
/// if Device::count() > 0 {
///     let device = Device::new(0)?;
///     println!("{}: compute capability {:?}", device.name()?, device.compute_capability());
/// }
/// # Ok::<(), girih::gpu::device::DeviceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Device {
    context: Arc<CudaContext>,
    capability: (u32, u32),
    multiprocessors: u32,
    limits: Limits,
    modules: Arc<Mutex<HashMap<String, Loading>>>,
}

/// The module of a text, once it is compiled. Locked meanwhile: who asks for the same text gets the result of the first.
type Loading = Arc<Mutex<Option<Module>>>;

/// The oldest driver: CUDA 12.4, since when it tells a kernel's parameters.
const DRIVER: i32 = 12040;

impl Device {
    /// How many devices there are; 0 without a driver.
    /// ```
    /// # use girih::gpu::device::Device;
    /// assert_eq!(Device::count() == 0, Device::new(0).is_err());
    /// ```
    pub fn count() -> usize {
        // SAFETY: opens and closes the driver's library. Without it, every other function of cudarc panics.
        if !unsafe { sys::is_culib_present() } || result::init().is_err() {
            return 0;
        }
        result::device::get_count().map_or(0, |n| usize::try_from(n).unwrap_or(0))
    }

    /// The device of this number. Its primary context is used, as by the CUDA runtime.
    ///
    /// # Errors
    /// No driver, one older than CUDA 12.4, no such device, or the driver refuses it.
    /// ```
    /// # use girih::gpu::device::{Device, DeviceError};
    /// let e = Device::new(4096).unwrap_err();
    /// assert!(matches!(e, DeviceError::NoDriver | DeviceError::NoDevice { ordinal: 4096, .. }));
    /// ```
    pub fn new(ordinal: usize) -> Result<Device, DeviceError> {
        let count = Device::count();
        if count == 0 {
            return Err(DeviceError::NoDriver);
        }
        let mut version = 0;
        // SAFETY: writes one integer.
        unsafe { sys::cuDriverGetVersion(&mut version) }
            .result()
            .map_err(DeviceError::driver("the driver's version"))?;
        if version < DRIVER {
            return Err(DeviceError::OldDriver { version });
        }
        if ordinal >= count {
            return Err(DeviceError::NoDevice { ordinal, count });
        }
        let context = CudaContext::new(ordinal).map_err(DeviceError::driver("opening the device"))?;
        let get = |a| {
            let n = context.attribute(a).map_err(DeviceError::driver("asking the device"));
            n.map(|n| u32::try_from(n).unwrap_or(0))
        };
        use Attribute::*;
        let capability =
            (get(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?, get(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?);
        let clusters = get(CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH)? != 0;
        let limits = Limits {
            grid: [
                get(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X)?,
                get(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y)?,
                get(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)?,
            ],
            block: [
                get(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X)?,
                get(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y)?,
                get(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)?,
            ],
            threads: get(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
            cluster: if clusters { 8 } else { 1 },
            shared: get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
        };
        let multiprocessors = get(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
        Ok(Device { context, capability, multiprocessors, limits, modules: Arc::default() })
    }

    /// Its number.
    /// ```
    /// # use girih::gpu::device::Device;
    /// assert!(Device::new(0).is_ok_and(|d| d.ordinal() == 0) || Device::count() == 0);
    /// ```
    pub fn ordinal(&self) -> usize {
        self.context.ordinal()
    }

    /// Its name, as "NVIDIA H200".
    ///
    /// # Errors
    /// The driver's.
    /// ```
    /// # use girih::gpu::device::Device;
    /// assert!(Device::new(0).map_or(true, |d| d.name().is_ok_and(|n| !n.is_empty())));
    /// ```
    pub fn name(&self) -> Result<String, DeviceError> {
        self.context.name().map_err(DeviceError::driver("the device's name"))
    }

    /// Major and minor compute capability: (9, 0) runs `.target sm_90` and `sm_90a`.
    /// ```
    /// # use girih::gpu::device::Device;
    /// assert!(Device::new(0).map_or(true, |d| d.compute_capability() >= (5, 0)));
    /// ```
    pub fn compute_capability(&self) -> (u32, u32) {
        self.capability
    }

    /// Streaming multiprocessors.
    /// ```
    /// # use girih::gpu::device::Device;
    /// assert!(Device::new(0).map_or(true, |d| d.multiprocessors() > 0));
    /// ```
    pub fn multiprocessors(&self) -> u32 {
        self.multiprocessors
    }

    /// What a launch may ask for: grid, block, cluster, shared memory.
    /// ```
    /// # use girih::gpu::device::Device;
    /// assert!(Device::new(0).map_or(true, |d| d.limits().shared >= 48 << 10));
    /// ```
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Free and total bytes of its memory.
    ///
    /// # Errors
    /// The driver's.
    /// ```
    /// # use girih::gpu::device::Device;
    /// assert!(Device::new(0).map_or(true, |d| d.memory().is_ok_and(|(free, total)| free <= total)));
    /// ```
    pub fn memory(&self) -> Result<(usize, usize), DeviceError> {
        self.context.mem_get_info().map_err(DeviceError::driver("the device's memory"))
    }

    /// A new stream: work on it waits for work on itself only.
    ///
    /// # Errors
    /// The driver's.
    /// ```
    /// # use girih::gpu::device::Device;
    /// assert!(Device::new(0).map_or(true, |d| d.stream().is_ok()));
    /// ```
    pub fn stream(&self) -> Result<Stream, DeviceError> {
        self.context.new_stream().map(|inner| Stream { inner }).map_err(DeviceError::driver("a new stream"))
    }

    /// The default stream. Those of [`Device::stream`] do not wait for it.
    /// ```
    /// # use girih::gpu::device::Device;
    /// assert!(Device::new(0).map_or(true, |d| d.default_stream().synchronize().is_ok()));
    /// ```
    pub fn default_stream(&self) -> Stream {
        Stream { inner: self.context.default_stream() }
    }

    /// Waits for everything that was started on the device by this process.
    ///
    /// # Errors
    /// A kernel went wrong.
    /// ```
    /// # use girih::gpu::device::Device;
    /// assert!(Device::new(0).map_or(true, |d| d.synchronize().is_ok()));
    /// ```
    pub fn synchronize(&self) -> Result<(), DeviceError> {
        idle(&self.context).map_err(DeviceError::driver("waiting for the device"))
    }

    /// The module of this PTX, compiled by the driver. The same text is compiled once for all clones of this device.
    ///
    /// # Errors
    /// [`DeviceError::Ptx`] with the driver's log and the lines that it names, or the driver's error.
    /// ```
    /// use girih::gpu::device::{Device, DeviceError};
    /// if Device::count() > 0 {
    ///     let ptx = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry f() {\n  add.s33 1, 2;\n}";
    ///     let e = Device::new(0)?.load(ptx).unwrap_err();
    ///     assert!(matches!(&e, DeviceError::Ptx { .. }));
    ///     assert!(e.to_string().contains("5 | add.s33 1, 2;"));
    /// }
    /// # Ok::<(), DeviceError>(())
    /// ```
    pub fn load(&self, ptx: &str) -> Result<Module, DeviceError> {
        let all = || self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        let loading = all().entry(ptx.to_string()).or_default().clone();
        let mut module = loading.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(module) = &*module {
            return Ok(module.clone());
        }
        let compiled = Module::compile(&self.context, self.limits, ptx);
        match &compiled {
            Ok(compiled) => *module = Some(compiled.clone()),
            Err(_) => drop(all().remove(ptx)),
        }
        compiled
    }

    /// Forgets the modules; those in use stay.
    /// ```
    /// # use girih::gpu::device::Device;
    /// if let Ok(device) = Device::new(0) {
    ///     device.unload();
    /// }
    /// ```
    pub fn unload(&self) {
        self.modules.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// Makes the context that of this thread. Not by cudarc, which returns errors of past drops of its values instead.
fn current(context: &CudaContext) -> Result<(), DriverError> {
    // SAFETY: the context lives.
    unsafe { result::ctx::set_current(context.cu_ctx()) }
}

/// Waits until nothing runs on the device.
fn idle(context: &CudaContext) -> Result<(), DriverError> {
    current(context)?;
    result::ctx::synchronize()
}

/// Both are on one device.
fn same(got: &CudaContext, expected: &CudaContext) -> Result<(), DeviceError> {
    if got == expected {
        Ok(())
    } else {
        Err(DeviceError::OtherDevice { got: got.ordinal(), expected: expected.ordinal() })
    }
}

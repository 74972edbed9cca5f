//! Code on a device, and its launch.

use super::{DeviceError, Stream, current, idle, same};
use crate::gpu::launch::{Arg, Launch, Limits, Value};
use core::ffi::c_void;
use cudarc::driver::{CudaContext, DriverError, result, sys};
use std::ffi::CString;
use std::sync::{Arc, Mutex, PoisonError};
use sys::CUfunction_attribute_enum as Attribute;

/// Compiled PTX. From [`Device::load`](super::Device::load); unloaded with the last module and kernel that is made of it.
/// ```
/// use girih::gpu::device::{Device, DeviceError};
/// use girih::gpu::launch::Launch;
/// if Device::count() > 0 {
///     let ptx = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry f() { ret; }";
///     let module = Device::new(0)?.load(ptx)?;
///     assert!(module.kernel(&Launch { entry: "f".into(), ..Launch::default() }).is_ok());
///     let e = module.kernel(&Launch { entry: "g".into(), ..Launch::default() }).unwrap_err();
///     assert_eq!(e, DeviceError::NoEntry { entry: "g".into() });
/// }
/// # Ok::<(), DeviceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Module {
    code: Arc<Code>,
    limits: Limits,
}

#[derive(Debug)]
struct Code {
    context: Arc<CudaContext>,
    handle: sys::CUmodule,
}

// SAFETY: the driver's handles may be used from any thread; each call here makes the context current first.
unsafe impl Send for Code {}
unsafe impl Sync for Code {}

impl Drop for Code {
    fn drop(&mut self) {
        let unload = || -> Result<(), DriverError> {
            idle(&self.context)?;
            // SAFETY: loaded here, unloaded once, and nothing of it is running.
            unsafe { result::module::unload(self.handle) }
        };
        // after a fault there is nothing to unload, and the next call reports it again
        let _ = unload();
    }
}

/// Bytes of the driver's log.
const LOG: usize = 16 << 10;

impl Module {
    pub(super) fn compile(context: &Arc<CudaContext>, limits: Limits, ptx: &str) -> Result<Module, DeviceError> {
        let image = CString::new(ptx).map_err(|e| {
            let line = ptx[..e.nul_position()].lines().count().max(1);
            DeviceError::ptx(format!("line {line}: a zero byte"), ptx)
        })?;
        current(context).map_err(DeviceError::driver("choosing the device"))?;
        let mut log = vec![0u8; LOG];
        let mut options =
            [sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER, sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
        let mut values = [log.as_mut_ptr().cast::<c_void>(), LOG as *mut c_void];
        let mut handle = core::ptr::null_mut();
        // SAFETY: the image ends with a zero byte, the log has the size that is told, and both outlive the call.
        let loaded = unsafe {
            sys::cuModuleLoadDataEx(
                &mut handle,
                image.as_ptr().cast(),
                options.len() as u32,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        loaded.result().map_err(|e| {
            let end = log.iter().position(|b| *b == 0).unwrap_or(LOG);
            let log = String::from_utf8_lossy(&log[..end]).into_owned();
            let other = DeviceError::driver("loading the PTX")(e);
            match &other {
                DeviceError::Driver { name, text, .. }
                    if log.is_empty() && e.0 != sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY =>
                {
                    DeviceError::ptx(format!("{text} ({name})"), ptx)
                }
                DeviceError::Driver { .. } if !log.is_empty() => DeviceError::ptx(log, ptx),
                _ => other,
            }
        })?;
        Ok(Module { code: Arc::new(Code { context: context.clone(), handle }), limits })
    }

    /// The kernel that the description names, ready to be launched.
    ///
    /// # Errors
    /// The description makes no sense or is beyond the device's limits, there is no such kernel, its parameters have other
    /// sizes, or it cannot have so many threads or so much shared memory.
    /// ```
    /// use girih::gpu::device::{Device, DeviceError};
    /// use girih::gpu::launch::{DataType, Launch, Param};
    /// if Device::count() > 0 {
    ///     let ptx = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry f(.param .u32 n) { ret; }";
    ///     let wrong = Launch { entry: "f".into(), params: vec![Param::number("n", DataType::U64)], ..Launch::default() };
    ///     let e = Device::new(0)?.load(ptx)?.kernel(&wrong).unwrap_err();
    ///     assert_eq!(e, DeviceError::Signature { entry: "f".into(), got: vec![4], expected: vec![8] });
    /// }
    /// # Ok::<(), DeviceError>(())
    /// ```
    pub fn kernel(&self, launch: &Launch) -> Result<Kernel, DeviceError> {
        launch.validate()?;
        launch.fits(&self.limits)?;
        let entry = launch.entry.clone();
        let no_entry = || DeviceError::NoEntry { entry: entry.clone() };
        let name = CString::new(entry.as_str()).map_err(|_| no_entry())?;
        current(&self.code.context).map_err(DeviceError::driver("choosing the device"))?;
        // SAFETY: the module is loaded.
        let function = unsafe { result::module::get_function(self.code.handle, name) }.map_err(|e| match e.0 {
            sys::CUresult::CUDA_ERROR_NOT_FOUND => no_entry(),
            _ => DeviceError::driver("finding the kernel")(e),
        })?;
        let got = parameters(function)?;
        let expected: Vec<usize> = launch.params.iter().map(|p| p.size()).collect();
        if got != expected {
            return Err(DeviceError::Signature { entry, got, expected });
        }
        let kernel = Kernel { module: self.clone(), function, launch: launch.clone() };
        let Attributes { threads, shared, .. } = kernel.attributes()?;
        // what the PTX declares counts, if the description forgets it
        let declared = Launch { static_shared: launch.static_shared.max(shared), ..launch.clone() };
        declared.fits(&Limits { threads, ..self.limits })?;
        let (got, expected) = (kernel.cluster()?, launch.cluster);
        if got != [0; 3] && got != expected {
            return Err(DeviceError::Cluster { entry: launch.entry.clone(), got, expected });
        }
        kernel.allow_shared()?;
        Ok(kernel)
    }
}

/// Bytes of each parameter.
fn parameters(function: sys::CUfunction) -> Result<Vec<usize>, DeviceError> {
    let mut sizes = vec![];
    loop {
        let (mut offset, mut size) = (0, 0);
        // SAFETY: writes two numbers.
        match unsafe { sys::cuFuncGetParamInfo(function, sizes.len(), &mut offset, &mut size) } {
            sys::CUresult::CUDA_SUCCESS => sizes.push(size),
            sys::CUresult::CUDA_ERROR_INVALID_VALUE => return Ok(sizes), // no such parameter
            e => return Err(DeviceError::driver("asking for a parameter")(DriverError(e))),
        }
    }
}

/// What the compiler made of a kernel.
/// ```no_run
/// // needs a kernel on a GPU
/// # fn f(kernel: girih::gpu::device::Kernel) -> Result<(), girih::gpu::device::DeviceError> {
/// assert_eq!(kernel.attributes()?.local, 0, "registers were spilled");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Attributes {
    /// registers of a thread
    pub registers: u32,
    /// bytes of local memory of a thread: spilled registers and arrays
    pub local: u32,
    /// bytes of static shared memory
    pub shared: u32,
    /// threads of a block, at most
    pub threads: u32,
}

/// A kernel with its description. From [`Module::kernel`]; see [`device`](super) for an example.
/// ```no_run
/// // needs a kernel on a GPU
/// # fn f(kernel: girih::gpu::device::Kernel) {
/// println!("{}", kernel.description().entry);
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Kernel {
    module: Module,
    function: sys::CUfunction,
    launch: Launch,
}

// SAFETY: as `Code`, which it keeps loaded.
unsafe impl Send for Kernel {}
unsafe impl Sync for Kernel {}

impl Kernel {
    /// Its description.
    /// ```no_run
    /// // needs a kernel on a GPU
    /// # fn f(kernel: girih::gpu::device::Kernel) {
    /// assert_eq!(kernel.description().block, [256, 1, 1]);
    /// # }
    /// ```
    pub fn description(&self) -> &Launch {
        &self.launch
    }

    /// Above 48 KiB of dynamic shared memory a function must have asked for it. Other kernels may be of the same function: the
    /// bound is raised only.
    fn allow_shared(&self) -> Result<(), DeviceError> {
        static RAISING: Mutex<()> = Mutex::new(());
        let _between = RAISING.lock().unwrap_or_else(PoisonError::into_inner);
        const MOST: Attribute = Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        let bytes = i32::try_from(self.launch.dynamic_shared).unwrap_or(i32::MAX);
        // SAFETY: the function is of a loaded module.
        let allowed = unsafe { result::function::get_function_attribute(self.function, MOST) };
        if allowed.is_ok_and(|most| most >= bytes) {
            return Ok(());
        }
        // SAFETY: likewise.
        unsafe { result::function::set_function_attribute(self.function, MOST, bytes) }
            .map_err(DeviceError::driver("asking for dynamic shared memory"))
    }

    /// Registers, local and shared memory.
    ///
    /// # Errors
    /// The driver's.
    /// ```no_run
    /// // needs a kernel on a GPU
    /// # fn f(kernel: girih::gpu::device::Kernel) -> Result<(), girih::gpu::device::DeviceError> {
    /// println!("{} registers", kernel.attributes()?.registers);
    /// # Ok(())
    /// # }
    /// ```
    pub fn attributes(&self) -> Result<Attributes, DeviceError> {
        let get = |attribute| self.attribute(attribute);
        Ok(Attributes {
            registers: get(Attribute::CU_FUNC_ATTRIBUTE_NUM_REGS)?,
            local: get(Attribute::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?,
            shared: get(Attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?,
            threads: get(Attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
        })
    }

    /// Blocks of a cluster that the PTX demands (`.reqnctapercluster`); zeros if it demands none.
    fn cluster(&self) -> Result<[u32; 3], DeviceError> {
        Ok([
            self.attribute(Attribute::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH)?,
            self.attribute(Attribute::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT)?,
            self.attribute(Attribute::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH)?,
        ])
    }

    fn attribute(&self, attribute: Attribute) -> Result<u32, DeviceError> {
        current(&self.module.code.context).map_err(DeviceError::driver("choosing the device"))?;
        // SAFETY: the function is of a loaded module.
        unsafe { result::function::get_function_attribute(self.function, attribute) }
            .map(|n| u32::try_from(n).unwrap_or(0))
            .map_err(DeviceError::driver("asking for an attribute of the kernel"))
    }

    /// Blocks of a block's size that one multiprocessor holds at a time, with the dynamic shared memory of the description.
    ///
    /// # Errors
    /// The driver's.
    /// ```no_run
    /// // needs a kernel on a GPU
    /// # fn f(kernel: girih::gpu::device::Kernel) -> Result<(), girih::gpu::device::DeviceError> {
    /// assert!(kernel.blocks_per_multiprocessor()? >= 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn blocks_per_multiprocessor(&self) -> Result<u32, DeviceError> {
        current(&self.module.code.context).map_err(DeviceError::driver("choosing the device"))?;
        let (threads, dynamic) = (self.launch.block.iter().product::<u32>(), self.launch.dynamic_shared as usize);
        // SAFETY: the function is of a loaded module.
        unsafe { result::occupancy::max_active_block_per_multiprocessor(self.function, threads as i32, dynamic) }
            .map(|n| u32::try_from(n).unwrap_or(0))
            .map_err(DeviceError::driver("asking for the occupancy"))
    }

    /// Starts it after the work of the stream so far; not waited for. The arguments are checked against the description
    /// ([`Launch::check`]). A grid of no blocks is done at once.
    ///
    /// # Errors
    /// The arguments do not fit, memory or a stream of another device, memory for which nobody vouches ([`Arg::on`]), a stream
    /// from which a graph is captured, or the driver's. What goes wrong while the kernel runs is the
    /// error of a later call, [`DeviceError::Fault`].
    /// ```no_run
    /// // needs a kernel on a GPU; the module's example runs where there is one
    /// # use girih::gpu::device::*;
    /// # fn f(axpy: Kernel, stream: Stream, x: Buffer<f32>, mut y: Buffer<f32>) -> Result<(), DeviceError> {
    /// axpy.launch(&stream, &[1000u32.into(), 2f32.into(), (&x).into(), (&mut y).into()])?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn launch(&self, stream: &Stream, args: &[Arg]) -> Result<(), DeviceError> {
        same(stream.inner.context(), &self.module.code.context)?;
        let [x, y, z] = self.launch.check(args, &self.module.limits)?;
        let expected = self.module.code.context.ordinal();
        for (p, memory) in self.launch.params.iter().zip(args.iter().map(Arg::memory)) {
            match memory.map(|m| m.device) {
                Some(None) => return Err(DeviceError::Foreign { name: p.name().into() }),
                Some(Some(got)) if got != expected => return Err(DeviceError::OtherDevice { got, expected }),
                _ => {}
            }
        }
        if x == 0 {
            return Ok(());
        }
        stream.ready()?;
        // one 64-bit word holds any number or address, its first bytes those of a narrower one
        let words: Vec<u64> = args
            .iter()
            .map(|a| match a.value {
                Value::Number { bits, .. } => bits,
                Value::Pointer { memory, .. } => memory.address,
                // no parameter takes bytes
                Value::TensorMap(_) | Value::Bytes(_) => 0,
            })
            .collect();
        let mut params: Vec<*mut c_void> = args
            .iter()
            .zip(&words)
            .map(|(a, word)| match a.value {
                Value::TensorMap(map) => (&raw const map.words).cast_mut().cast(),
                _ => (&raw const *word).cast_mut().cast(),
            })
            .collect();
        let [cx, cy, cz] = self.launch.cluster;
        let mut cluster = sys::CUlaunchAttribute_st {
            id: sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
            pad: [0; 4],
            value: sys::CUlaunchAttributeValue_union {
                clusterDim: sys::CUlaunchAttributeValue_union__bindgen_ty_1 { x: cx, y: cy, z: cz },
            },
        };
        let [bx, by, bz] = self.launch.block;
        let config = sys::CUlaunchConfig_st {
            gridDimX: x,
            gridDimY: y,
            gridDimZ: z,
            blockDimX: bx,
            blockDimY: by,
            blockDimZ: bz,
            sharedMemBytes: self.launch.dynamic_shared,
            hStream: stream.inner.cu_stream(),
            attrs: &mut cluster,
            numAttrs: u32::from(self.launch.cluster != [1; 3]),
        };
        // SAFETY: one pointer for each parameter, to as many bytes as the driver said that it has (`Module::kernel`); the driver
        // copies them before it returns. Buffers and code are given back only after the device has become idle.
        unsafe { sys::cuLaunchKernelEx(&config, self.function, params.as_mut_ptr(), core::ptr::null_mut()) }
            .result()
            .map_err(DeviceError::driver("launching the kernel"))
    }
}

//! Where tests launch kernels: on the simulator, and on the first device if there is one, which must leave the same bits.

#![allow(dead_code)]

use core::ops::Range;
use girih::gpu::device::{self, Device, DeviceError, Stream};
use girih::gpu::launch::{Arg, Element, Launch, LaunchError};
use girih::gpu::ptx::{Module, Target};
use girih::gpu::sim::{self, Report, SimError, Simulation};

pub struct Machine {
    device: Option<(Device, Stream)>,
}

impl Machine {
    /// With the first device, if it is of this compute capability (90 is 9.0) or a later one.
    pub fn new(least: u32) -> Machine {
        let device = (Device::count() > 0).then(|| Device::new(0).unwrap()).filter(|device| {
            let (major, minor) = device.compute_capability();
            10 * major + minor >= least
        });
        println!("on the simulator{}", if device.is_some() { " and a device" } else { "" });
        Machine { device: device.map(|device| (device.clone(), device.stream().unwrap())) }
    }

    /// The device's; that of an H200 without one.
    pub fn target(&self) -> Target {
        self.device.as_ref().map_or(Target::SM_90A, |(device, _)| {
            let (major, minor) = device.compute_capability();
            Target::of_device(major as u16, minor as u16)
        })
    }

    pub fn buffer<T: Element>(&self, values: &[T]) -> Buffer<T> {
        let there = self.device.as_ref().map(|(_, stream)| {
            let buffer = device::Buffer::from_slice(stream, values).unwrap();
            (buffer, stream.clone())
        });
        Buffer { here: sim::Buffer::from_slice(values), there }
    }

    pub fn kernel(&self, module: &Module, launch: &Launch) -> Kernel {
        let there = self.device.as_ref().map(|(device, stream)| {
            let kernel = device.load(&module.to_string()).unwrap().kernel(launch).unwrap();
            (kernel, stream.clone())
        });
        Kernel { here: Simulation::new(module).unwrap(), launch: launch.clone(), there }
    }
}

pub struct Buffer<T: Element> {
    here: sim::Buffer<T>,
    there: Option<(device::Buffer<T>, Stream)>,
}

impl<T: Element> Buffer<T> {
    pub fn arg(&self, range: Range<usize>) -> Both<'_> {
        let there = self.there.as_ref().map(|(buffer, _)| buffer.arg(range.clone()).unwrap());
        Both { here: self.here.range(range), there }
    }

    pub fn arg_mut(&mut self, range: Range<usize>) -> Both<'_> {
        let there = self.there.as_mut().map(|(buffer, _)| buffer.arg_mut(range.clone()).unwrap());
        Both { here: self.here.range_mut(range), there }
    }

    pub fn all(&self) -> Both<'_> {
        self.arg(0..self.here.len())
    }

    pub fn all_mut(&mut self) -> Both<'_> {
        self.arg_mut(0..self.here.len())
    }

    /// The elements, whose bits are the same on both.
    pub fn download(&self) -> Vec<T> {
        let here = self.here.to_vec().unwrap();
        if let Some((buffer, stream)) = &self.there {
            let there = buffer.download(stream).unwrap();
            let differs = here.iter().zip(&there).position(|(h, t)| h.bits() != t.bits());
            if let Some(i) = differs {
                let (here, there) = (here[i].bits(), there[i].bits());
                panic!("element {i} is {here:#x} on the simulator and {there:#x} on the device");
            }
        }
        here
    }
}

/// An argument on both.
pub struct Both<'a> {
    here: Arg<'a>,
    there: Option<Arg<'a>>,
}

pub fn number<T: Element>(x: T) -> Both<'static>
where
    Arg<'static>: From<T>,
{
    Both { here: x.into(), there: Some(x.into()) }
}

pub struct Kernel {
    here: Simulation<'static>,
    launch: Launch,
    there: Option<(device::Kernel, Stream)>,
}

impl Kernel {
    /// What the simulator counted; or what was wrong with the arguments, on both.
    pub fn launch(&self, args: Vec<Both>) -> Result<Report, LaunchError> {
        let (here, there): (Vec<_>, Vec<_>) = args.into_iter().map(|a| (a.here, a.there)).unzip();
        let report = match self.here.launch(&self.launch, &here) {
            Err(SimError::Launch(e)) => Err(e),
            other => Ok(other.unwrap_or_else(|e| panic!("{e}"))),
        };
        if let Some((kernel, stream)) = &self.there {
            let there: Vec<_> = there.into_iter().flatten().collect();
            match (kernel.launch(stream, &there), &report) {
                (Ok(()), Ok(_)) => {}
                // addresses in it differ
                (Err(DeviceError::Launch(there)), Err(here))
                    if core::mem::discriminant(&there) == core::mem::discriminant(here) => {}
                (there, here) => panic!("{there:?} on the device, {here:?} on the simulator"),
            }
        }
        report
    }
}

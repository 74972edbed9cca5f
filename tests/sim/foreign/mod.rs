//! Kernels that nvcc and Triton made, launched as `tests/data/sim/kernels.txt` says: what an H200 left in their outputs is what
//! plain computations on the host give, what any other launch on a GPU leaves.

mod arrays;
mod host;
mod warps;

use girih::gpu::device::{Buffer, Device};
use girih::gpu::launch::{Arg, DataType, Launch, Param, Usage};
use girih::gpu::ptx::{Function, Module};
use girih::gpu::sim::{self, Argument, Description, Filled, Grid, Simulation};
use half::{bf16, f16};
use std::path::{Path, PathBuf};

/// A kernel and a launch of it.
pub struct Case {
    pub name: String,
    pub ptx: String,
    pub launch: Description,
    pub outputs: Vec<Output>,
}

/// An argument that the kernel writes.
pub struct Output {
    pub argument: usize,
    /// relative to the value, where PTX leaves bits open
    tolerance: Option<f64>,
}

pub fn folder() -> &'static Path {
    Path::new("tests/data/sim")
}

pub fn cases() -> Vec<Case> {
    let table = std::fs::read_to_string(folder().join("kernels.txt")).unwrap();
    let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split('|').map(str::trim).collect();
            let [name, path, launch, outputs, why @ ..] = &fields[..] else { panic!("{line}") };
            let output = |word: &str| match word.split_once('~') {
                None => Output { argument: word.parse().unwrap(), tolerance: None },
                Some((i, by)) => Output { argument: i.parse().unwrap(), tolerance: Some(by.parse().unwrap()) },
            };
            let outputs: Vec<Output> = outputs.split_whitespace().map(output).collect();
            assert_eq!(
                outputs.iter().any(|o| o.tolerance.is_some()),
                why.len() == 1,
                "{name}: an exception has a reason"
            );
            let ptx = std::fs::read_to_string(Path::new("tests/data/ptx").join(format!("{path}.ptx"))).unwrap();
            Case { name: name.to_string(), ptx, launch: launch.parse().unwrap(), outputs }
        })
        .collect()
}

impl Case {
    fn kernel(&self) -> Function {
        self.launch.kernel(&self.ptx.parse::<Module>().unwrap()).unwrap().clone()
    }

    fn buffer(&self, argument: usize) -> Filled {
        match &self.launch.arguments(&self.kernel()).unwrap()[argument] {
            Argument::Buffer(b) => (*b).clone(),
            Argument::Value(_) => panic!("{}: argument {argument} is no buffer", self.name),
        }
    }

    fn file(&self, argument: usize) -> PathBuf {
        folder().join(format!("{}.{argument}.bin", self.name))
    }

    /// What an H200 left in this argument.
    fn recorded(&self, argument: usize) -> Vec<u8> {
        std::fs::read(self.file(argument)).unwrap()
    }

    /// What a simulated launch leaves in the outputs, or what it found; only they may be written.
    fn simulated(&self) -> Result<Vec<Vec<u8>>, String> {
        let (module, lines) = Module::parse_with_lines(&self.ptx).unwrap();
        let kernel = self.kernel();
        let arguments = self.launch.arguments(&kernel).unwrap();
        let mut buffers: Vec<Option<sim::Buffer<u8>>> = arguments
            .iter()
            .map(|argument| match argument {
                Argument::Value(_) => None,
                Argument::Buffer(b) => Some(match b.bytes(folder()).unwrap() {
                    Some(bytes) => sim::Buffer::from_slice(&bytes),
                    None => sim::Buffer::new(b.size() as usize),
                }),
            })
            .collect();
        let args: Vec<Arg> = arguments
            .iter()
            .zip(&kernel.params)
            .zip(buffers.iter_mut().enumerate())
            .map(|((argument, p), (i, buffer))| match (argument, buffer) {
                (Argument::Value(bytes), _) => scalar(p.ty.is_float(), bytes),
                (_, Some(buffer)) => match self.outputs.iter().any(|o| o.argument == i) {
                    true => buffer.arg_mut(),
                    false => buffer.arg(),
                },
                _ => unreachable!(),
            })
            .collect();
        let grid = Grid { blocks: self.launch.grid, threads: self.launch.block, shared: self.launch.shared };
        let simulation = Simulation::with_lines(&module, lines).map_err(|e| e.to_string())?.entry(&kernel.name);
        simulation.run(grid, &args).map_err(|e| e.to_string())?;
        drop(args);
        let output = |o: &Output| buffers[o.argument].as_ref().unwrap().to_vec().map_err(|e| e.to_string());
        self.outputs.iter().map(output).collect()
    }

    /// What a launch on a device leaves in the outputs. Memory that nothing has written is full of `poison` before.
    fn on(&self, device: &Device, poison: u8) -> Vec<Vec<u8>> {
        let kernel = self.kernel();
        let arguments = self.launch.arguments(&kernel).unwrap();
        let stream = device.stream().unwrap();
        let mut buffers: Vec<Option<Buffer<u8>>> = arguments
            .iter()
            .map(|argument| match argument {
                Argument::Value(_) => None,
                Argument::Buffer(b) => {
                    let bytes = b.bytes(folder()).unwrap().unwrap_or_else(|| vec![poison; b.size() as usize]);
                    Some(Buffer::from_slice(&stream, &bytes).unwrap())
                }
            })
            .collect();
        let params = kernel.params.iter().zip(&arguments).map(|(p, argument)| match argument {
            Argument::Buffer(_) => Param::pointer(&*p.name, DataType::U8, Usage::ReadWrite),
            Argument::Value(bytes) => Param::number(&*p.name, number(p.ty.is_float(), bytes.len())),
        });
        let launch = Launch {
            entry: kernel.name.to_string(),
            params: params.collect(),
            block: self.launch.block,
            dynamic_shared: self.launch.shared,
            grid: self.launch.grid.map(|n| u64::from(n).into()),
            ..Launch::default()
        };
        let args: Vec<Arg> = arguments
            .iter()
            .zip(&kernel.params)
            .zip(&mut buffers)
            .map(|((argument, p), buffer)| match (argument, buffer) {
                (Argument::Value(bytes), _) => scalar(p.ty.is_float(), bytes),
                (_, Some(buffer)) => Arg::from(buffer),
                _ => unreachable!(),
            })
            .collect();
        device.load(&self.ptx).unwrap().kernel(&launch).unwrap().launch(&stream, &args).unwrap();
        drop(args);
        let output = |o: &Output| buffers[o.argument].as_ref().unwrap().download(&stream).unwrap();
        self.outputs.iter().map(output).collect()
    }
}

fn number(float: bool, bytes: usize) -> DataType {
    match (float, bytes) {
        (false, 4) => DataType::U32,
        (false, 8) => DataType::U64,
        (true, 4) => DataType::F32,
        other => panic!("{other:?}: no kernel takes this"),
    }
}

pub fn scalar(float: bool, bytes: &[u8]) -> Arg<'static> {
    match number(float, bytes.len()) {
        DataType::U32 => u32::from_le_bytes(bytes.try_into().unwrap()).into(),
        DataType::U64 => u64::from_le_bytes(bytes.try_into().unwrap()).into(),
        _ => f32::from_le_bytes(bytes.try_into().unwrap()).into(),
    }
}

/// The elements as f64; the integers of these kernels fit where they are asked for so.
fn floats(of: DataType, bytes: &[u8]) -> Vec<f64> {
    let width = of.bits() as usize / 8;
    bytes
        .chunks_exact(width)
        .map(|b| match of {
            DataType::F16 => f16::from_le_bytes(b.try_into().unwrap()).into(),
            DataType::BF16 => bf16::from_le_bytes(b.try_into().unwrap()).into(),
            DataType::F32 => f32::from_le_bytes(b.try_into().unwrap()).into(),
            DataType::F64 => f64::from_le_bytes(b.try_into().unwrap()),
            _ => panic!("{of} is no float"),
        })
        .collect()
}

/// What differs first, if an element is not within `tolerance` of what it should be, relative to that or, if it is smaller, to
/// `scale`.
fn far(got: &[f64], expected: &[f64], tolerance: f64, scale: f64) -> Option<String> {
    if got.len() != expected.len() {
        return Some(format!("{} elements, not {}", got.len(), expected.len()));
    }
    let within = |(g, e): (&f64, &f64)| (g - e).abs() <= tolerance * e.abs().max(scale);
    let at = got.iter().zip(expected).position(|both| !within(both))?;
    Some(format!("element {at}: {}, not {}", got[at], expected[at]))
}

/// The first byte that differs, with those after it.
fn differs(got: &[u8], expected: &[u8]) -> Option<String> {
    if got.len() != expected.len() {
        return Some(format!("{} bytes, not {}", got.len(), expected.len()));
    }
    let at = got.iter().zip(expected).position(|(g, e)| g != e)? / 8 * 8;
    let some = |bytes: &[u8]| bytes[at..bytes.len().min(at + 8)].to_vec();
    Some(format!("from byte {at} on {:?}, not {:?}", some(got), some(expected)))
}

/// Fails with what is wrong with each output of the kernels.
fn compare(wrong: impl Fn(&Case) -> Vec<Option<String>>) {
    let mut all = String::new();
    for case in cases() {
        let wrong = wrong(&case);
        assert_eq!(wrong.len(), case.outputs.len(), "{}", case.name);
        for (o, wrong) in case.outputs.iter().zip(wrong) {
            all.extend(wrong.map(|why| format!("{}.{}: {why}\n", case.name, o.argument)));
        }
    }
    assert!(all.is_empty(), "\n{all}");
}

#[test]
fn what_the_h200_made_is_what_the_host_computes() {
    compare(|case| {
        let wrong = |(o, expected): (&Output, host::Expected)| match expected {
            host::Expected::Exactly(bytes) => differs(&case.recorded(o.argument), &bytes),
            host::Expected::Near(values, tolerance) => {
                far(&floats(case.buffer(o.argument).of, &case.recorded(o.argument)), &values, tolerance, 1.0)
            }
        };
        case.outputs.iter().zip(host::expected(case)).map(wrong).collect()
    });
}

#[test]
fn a_device_makes_what_the_h200_made() {
    if Device::count() == 0 {
        println!("skipped: no CUDA driver");
        return;
    }
    let device = Device::new(0).unwrap();
    compare(|case| {
        let wrong = |(o, got): (&Output, Vec<u8>)| {
            let (of, recorded) = (case.buffer(o.argument).of, case.recorded(o.argument));
            match o.tolerance.filter(|_| device.compute_capability() != (9, 0)) {
                None => differs(&got, &recorded),
                Some(by) => far(&floats(of, &got), &floats(of, &recorded), by, 0.0),
            }
        };
        case.outputs.iter().zip(case.on(&device, 0xA5)).map(wrong).collect()
    });
}

#[test]
fn the_simulator_makes_what_the_h200_made() {
    compare(|case| {
        let got = match case.simulated() {
            Ok(got) => got,
            Err(why) => return case.outputs.iter().map(|_| Some(why.clone())).collect(),
        };
        let wrong = |(o, got): (&Output, Vec<u8>)| {
            let (of, recorded) = (case.buffer(o.argument).of, case.recorded(o.argument));
            match o.tolerance {
                None => differs(&got, &recorded),
                Some(by) => far(&floats(of, &got), &floats(of, &recorded), by, 0.0),
            }
        };
        case.outputs.iter().zip(got).map(wrong).collect()
    });
}

/// Makes the files beside `kernels.txt` anew.
#[test]
#[ignore = "writes tests/data/sim; needs an H200"]
fn record() {
    let device = Device::new(0).unwrap();
    for case in cases() {
        println!("{}", case.name);
        let (first, second) = (case.on(&device, 0xA5), case.on(&device, 0x5A));
        for (o, (first, second)) in case.outputs.iter().zip(first.iter().zip(&second)) {
            assert!(first == second, "{}.{}: two launches differ", case.name, o.argument);
            std::fs::write(case.file(o.argument), first).unwrap();
        }
    }
}

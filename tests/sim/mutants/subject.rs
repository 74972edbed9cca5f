//! Kernels of which mutants are made, their launches, and what these leave.

use super::super::foreign;
use girih::gpu::launch::Arg;
use girih::gpu::ptx::{Function, Item, Module, Register, Space, Statement};
use girih::gpu::sim::{Argument, Buffer, Description, FaultKind, Grid, SimError, Simulation, UnwrittenElement};
use std::path::Path;

use super::rules::Change;

/// A kernel that is right, and launches that show it.
pub struct Subject {
    pub name: String,
    pub module: Module,
    pub launches: Vec<Launch>,
}

pub struct Launch {
    pub entry: String,
    pub grid: Grid,
    pub given: Vec<Given>,
    /// instructions of warps that a mutant may take
    pub budget: u64,
}

/// An argument.
pub enum Given {
    Value(Box<dyn Fn() -> Arg<'static> + Send + Sync>),
    Memory(Memory),
}

/// A buffer, of which the kernel gets the part from `first` to `end`.
#[derive(Default)]
pub struct Memory {
    /// none where nothing is written
    pub bytes: Option<Vec<u8>>,
    pub first: usize,
    pub end: usize,
    pub writes: bool,
    /// what it should hold after the launch
    pub expected: Option<Result<Vec<u8>, UnwrittenElement>>,
}

/// What became of a launch.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    Right,
    Fault(FaultKind),
    /// an output is not what it should be
    Differs,
    /// it is no kernel that the simulator executes
    Refused(String),
}

/// The bytes of a buffer, unless nothing wrote one of them.
type Left = Result<Vec<u8>, UnwrittenElement>;

impl Launch {
    /// What a module does; the bytes of each buffer afterwards, and instructions of warps.
    fn run(&self, module: &Module) -> Result<(Vec<Left>, u64), SimError> {
        let mut buffers: Vec<Option<Buffer<u8>>> = self
            .given
            .iter()
            .map(|given| match given {
                Given::Value(_) => None,
                Given::Memory(Memory { bytes: Some(bytes), .. }) => Some(Buffer::from_slice(bytes)),
                Given::Memory(memory) => Some(Buffer::new(memory.end)),
            })
            .collect();
        let args: Vec<Arg> = self
            .given
            .iter()
            .zip(&mut buffers)
            .map(|(given, buffer)| match (given, buffer) {
                (Given::Memory(m), Some(buffer)) => match m.writes {
                    true => buffer.range_mut(m.first..m.end),
                    false => buffer.range(m.first..m.end),
                },
                (Given::Value(value), _) => value(),
                _ => unreachable!(),
            })
            .collect();
        let simulation = Simulation::new(module)?.entry(&self.entry).threads(1).budget(self.budget);
        let report = simulation.run(self.grid, &args)?;
        drop(args);
        let left = buffers.iter().flatten().map(Buffer::to_vec).collect();
        Ok((left, report.lines.iter().map(|l| l.executions).sum()))
    }

    fn memories(&mut self) -> impl Iterator<Item = &mut Memory> {
        self.given.iter_mut().filter_map(|given| match given {
            Given::Memory(memory) => Some(memory),
            Given::Value(_) => None,
        })
    }

    /// What becomes of a mutant.
    pub fn judge(&self, mutant: &Module) -> Verdict {
        let expected = self.given.iter().filter_map(|given| match given {
            Given::Memory(memory) => memory.expected.as_ref(),
            Given::Value(_) => None,
        });
        match self.run(mutant) {
            Ok((left, _)) if expected.eq(&left) => Verdict::Right,
            Ok(_) => Verdict::Differs,
            Err(SimError::Faults(report)) => Verdict::Fault(report.faults[0].kind),
            Err(SimError::TooLarge { .. }) => Verdict::Fault(FaultKind::Budget),
            Err(e) => Verdict::Refused(e.to_string()),
        }
    }
}

impl Subject {
    /// Runs it as it is: nothing is found, and it leaves what it should. What nobody else has computed is what it leaves.
    pub fn proven(mut self) -> Subject {
        for launch in &mut self.launches {
            let (left, steps) = launch.run(&self.module).unwrap_or_else(|e| panic!("{}: {e}", self.name));
            launch.budget = 4 * steps + 4096;
            for (i, (memory, left)) in launch.memories().zip(left).enumerate() {
                match &memory.expected {
                    Some(expected) => assert!(*expected == left, "{}: buffer {i} is wrong", self.name),
                    None => memory.expected = Some(left),
                }
            }
        }
        self
    }

    /// The kernel, and which of the module's functions it is.
    pub fn function(&self) -> (usize, &Function) {
        let entry = |(_, f): &(usize, &Function)| *f.name == *self.launches[0].entry;
        self.module.functions().enumerate().find(entry).unwrap_or_else(|| panic!("{}: no such kernel", self.name))
    }

    /// The module with a change at an instruction of its kernel, if it is legal.
    pub fn changed(&self, instruction: usize, change: Change) -> Option<Module> {
        let (number, function) = self.function();
        let spare = function.registers.len() as u32;
        let mut module = self.module.clone();
        let mut functions = module.items.iter_mut().filter_map(|item| match item {
            Item::Function(f) => Some(f),
            _ => None,
        });
        let function = functions.nth(number)?;
        let used = change.iter().flat_map(|i| i.registers()).map(|(r, _)| r);
        let mut new: Vec<_> = used.filter(|r| r.id >= spare).collect();
        new.sort_by_key(|r| r.id);
        new.dedup();
        // ids are places in the list, in the order of declaration
        let body = function.body.as_mut()?;
        let is_list = |s: &Statement| matches!(s, Statement::Registers { .. });
        let first = body.iter().rposition(is_list).map_or(0, |last| last + 1);
        for (at, id) in (first..).zip(spare..new.last().map_or(spare, |r| r.id + 1)) {
            let ty = new.iter().find(|r| r.id == id).map_or(new[0].ty, |r| r.ty);
            let name: Box<str> = format!("%spare{id}").into();
            function.registers.push(Register { name: name.clone(), ty });
            body.insert(at, Statement::Registers { ty, name, count: None, first: id });
        }
        let mut left = instruction;
        replace(function.body.as_mut()?, &mut left, &mut Some(change));
        module.check().is_ok().then_some(module)
    }
}

/// Replaces the instruction that has so many before it.
fn replace(body: &mut Vec<Statement>, left: &mut usize, change: &mut Option<Change>) {
    let mut at = 0;
    while at < body.len() {
        match &mut body[at] {
            Statement::Instruction(_) if *left == 0 => {
                if let Some(change) = change.take() {
                    body.splice(at..=at, change.into_iter().map(Statement::Instruction));
                }
                return;
            }
            Statement::Instruction(_) => *left -= 1,
            Statement::Block(inner) => {
                replace(inner, left, change);
                if change.is_none() {
                    return;
                }
            }
            _ => {}
        }
        at += 1;
    }
}

/// A kernel and a launch in words.
fn described(
    name: &str,
    module: Module,
    launch: &Description,
    folder: &Path,
    writes: impl Fn(usize) -> bool,
) -> Subject {
    let kernel = launch.kernel(&module).unwrap().clone();
    let given = launch.arguments(&kernel).unwrap().into_iter().zip(&kernel.params).enumerate();
    let given = given.map(|(i, (argument, param))| match argument {
        Argument::Value(bytes) => {
            let float = param.ty.is_float();
            Given::Value(Box::new(move || foreign::scalar(float, &bytes)))
        }
        Argument::Buffer(b) => Given::Memory(Memory {
            bytes: b.bytes(folder).unwrap(),
            end: b.size() as usize,
            writes: writes(i),
            ..Memory::default()
        }),
    });
    assert!(kernel.params.iter().all(|p| p.space == Space::Param));
    let grid = Grid { blocks: launch.grid, threads: launch.block, shared: launch.shared };
    let launch = Launch { entry: kernel.name.to_string(), grid, given: given.collect(), budget: 1 << 32 };
    Subject { name: name.into(), module, launches: vec![launch] }
}

/// A kernel of another compiler; that it leaves what an H200 does is tested beside this. With more launches.
pub fn foreign(name: &str, more: &[String]) -> Subject {
    let case = foreign::cases().into_iter().find(|c| c.name == name).unwrap_or_else(|| panic!("{name}"));
    let of = |launch: &Description| {
        let module = case.ptx.parse().unwrap();
        described(name, module, launch, foreign::folder(), |i| case.outputs.iter().any(|o| o.argument == i))
    };
    let mut subject = of(&case.launch);
    subject.launches.extend(more.iter().flat_map(|launch| of(&launch.parse().unwrap()).launches));
    subject
}

/// The clean twin of a planted fault, with four sets of random numbers.
pub fn twin(name: &str) -> Subject {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/bugs/{name}_clean.ptx"));
    let text = std::fs::read_to_string(path).unwrap();
    let of = |seed: &str| {
        let text = text.replace("random(", &format!("random({seed}"));
        let launch = Description::of_text(&text).unwrap().unwrap();
        described(&format!("{name}_clean"), text.parse().unwrap(), &launch, Path::new(""), |_| true)
    };
    let mut twin = of("");
    if text.contains("random(") {
        twin.launches.extend(["1", "2", "3"].into_iter().flat_map(|seed| of(seed).launches));
    }
    twin
}

//! Kernels with one planted fault each, and their clean twins, in `tests/data/bugs`. `// expect:` says which kinds of fault may be
//! found; where there are several it depends on which thread comes first. The fault is at an instruction below a `// fault:`.

use super::ptxas;
use girih::gpu::launch::Arg;
use girih::gpu::ptx::{Lines, Module};
use girih::gpu::sim::{Argument, Buffer, Description, Fault, FaultKind, Grid, SimError, Simulation};
use std::path::Path;

struct Kernel {
    name: String,
    launch: Description,
    kinds: Vec<FaultKind>,
    lines: Vec<u32>,
    module: Module,
    text: Lines,
}

impl Kernel {
    fn read(name: &str) -> Kernel {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/bugs").join(format!("{name}.ptx"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
        let kinds = text.lines().find_map(|l| l.strip_prefix("// expect: ")).unwrap_or_else(|| panic!("{name}"));
        let kind = |k| FaultKind::all().find(|kind| kind.to_string() == k).unwrap_or_else(|| panic!("{name}: {k}"));
        let marks = text.lines().zip(2..).filter(|(l, _)| l.trim_start().starts_with("// fault: "));
        let (module, lines) = Module::parse_with_lines(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        Kernel {
            name: name.into(),
            launch: Description::of_text(&text).unwrap().unwrap_or_else(|e| panic!("{name}: {e}")),
            kinds: if kinds == "nothing" { vec![] } else { kinds.split(" or ").map(kind).collect() },
            lines: marks.map(|(_, line)| line).collect(),
            module,
            text: lines,
        }
    }

    /// Launches it as it says on so many threads of the host; what is found.
    fn run(&self, cores: usize) -> Result<(), SimError> {
        let kernel = self.launch.kernel(&self.module).unwrap();
        let arguments = self.launch.arguments(kernel).unwrap_or_else(|e| panic!("{}: {e}", self.name));
        let memory = |a: &Argument| match a {
            Argument::Value(_) => None,
            Argument::Buffer(b) => Some(match b.bytes(Path::new("")).unwrap() {
                Some(bytes) => Buffer::from_slice(&bytes),
                None => Buffer::<u8>::new(b.size() as usize),
            }),
        };
        let mut buffers: Vec<_> = arguments.iter().map(memory).collect();
        let args = arguments.iter().zip(&mut buffers).map(|(argument, buffer)| match (argument, buffer) {
            (Argument::Value(bytes), _) => Arg::from(u32::from_le_bytes(bytes[..].try_into().unwrap())),
            (_, Some(buffer)) => buffer.arg_mut(),
            _ => unreachable!(),
        });
        let args: Vec<Arg> = args.collect();
        let Description { grid, block, shared, .. } = self.launch;
        let budget = if self.kinds.contains(&FaultKind::Budget) { 1 << 16 } else { 1 << 24 };
        let simulation = Simulation::with_lines(&self.module, self.text.clone())?.budget(budget).threads(cores);
        simulation.run(Grid::new(grid, block).shared(shared), &args).map(drop)
    }
}

/// Each with its twin.
fn pairs() -> Vec<[Kernel; 2]> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/bugs");
    let names = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path().file_stem().unwrap().to_owned());
    let names = names.map(|n| n.into_string().unwrap()).filter(|n| !n.ends_with("_clean"));
    let mut names: Vec<String> = names.collect();
    names.sort();
    names.iter().map(|n| [Kernel::read(n), Kernel::read(&format!("{n}_clean"))]).collect()
}

#[test]
fn each_planted_fault_is_marked_and_has_a_twin_of_the_same_interface() {
    let pairs = pairs();
    assert!(pairs.len() >= 48);
    for [bug, clean] in &pairs {
        assert!(!bug.kinds.is_empty() && !bug.lines.is_empty(), "{}", bug.name);
        assert!(clean.kinds.is_empty() && clean.lines.is_empty(), "{}", clean.name);
        assert_ne!((&bug.module, &bug.launch), (&clean.module, &clean.launch), "{}", bug.name);
        let [f, twin] = [bug, clean].map(|k| k.module.functions().next().unwrap());
        assert_eq!((&*f.name, &f.params), (&*bug.name, &twin.params));
    }
}

#[test]
fn faults_of_every_kind_are_planted() {
    let planted: Vec<FaultKind> = pairs().iter().flat_map(|[bug, _]| bug.kinds.clone()).collect();
    FaultKind::all().filter(|k| *k != FaultKind::Trap).for_each(|kind| assert!(planted.contains(&kind), "{kind}"));
}

#[test]
fn planted_faults_and_their_twins_assemble() {
    for kernel in pairs().iter().flatten() {
        assert_eq!(kernel.module.check(), Ok(()), "{}", kernel.name);
        ptxas::assemble(&kernel.module, kernel.module.target);
    }
}

/// What the fault is, and where: at a marked instruction, at either one of a race.
fn is_planted(fault: &Fault, kernel: &Kernel) -> bool {
    let other = fault.other.iter().map(|(site, _)| site.line);
    let at: Vec<u32> = other.chain([fault.site.line]).collect();
    kernel.kinds.contains(&fault.kind) && at.iter().any(|line| kernel.lines.contains(line))
}

/// With blocks one after the other, and side by side.
const CORES: [usize; 2] = [1, 4];

#[test]
fn every_planted_fault_is_found_where_it_is() {
    let wrong = |bug: &Kernel, cores| match bug.run(cores) {
        Err(SimError::Faults(report)) if is_planted(&report.faults[0], bug) => None,
        Ok(()) => Some(format!("{}: nothing was found", bug.name)),
        Err(e) => Some(format!("{}: {e}", bug.name)),
    };
    let pairs = pairs();
    let wrong = pairs.iter().flat_map(|[bug, _]| CORES.map(|cores| wrong(bug, cores))).flatten();
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_fault_is_found_in_the_clean_twins() {
    let wrong = |clean: &Kernel, cores| clean.run(cores).err().map(|e| format!("{}: {e}", clean.name));
    let pairs = pairs();
    let wrong = pairs.iter().flat_map(|[_, clean]| CORES.map(|cores| wrong(clean, cores))).flatten();
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

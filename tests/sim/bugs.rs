//! Kernels with one planted fault each, and their clean twins, in `tests/data/bugs`. `// expect:` says which kinds of fault may be
//! found; where there are several it depends on which thread comes first. The fault is at an instruction below a `// fault:`.

use super::ptxas;
use girih::gpu::ptx::Module;
use std::path::Path;

const KINDS: [&str; 12] = [
    "out-of-bounds",
    "misaligned",
    "unwritten-memory",
    "unwritten-register",
    "race",
    "divergent-barrier",
    "exited-at-barrier",
    "inactive-lane",
    "read-only",
    "deadlock",
    "budget",
    "mbarrier",
];

struct Kernel {
    name: String,
    launch: Vec<String>,
    kinds: Vec<String>,
    lines: Vec<u32>,
    module: Module,
}

impl Kernel {
    fn read(name: &str) -> Kernel {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/bugs").join(format!("{name}.ptx"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
        let header = |prefix| text.lines().find_map(|l| l.strip_prefix(prefix)).unwrap_or_else(|| panic!("{name}"));
        let marks = text.lines().zip(2..).filter(|(l, _)| l.trim_start().starts_with("// fault: "));
        Kernel {
            name: name.into(),
            launch: header("// girih sim ").split_whitespace().map(String::from).collect(),
            kinds: header("// expect: ").split(" or ").filter(|k| *k != "nothing").map(String::from).collect(),
            lines: marks.map(|(_, line)| line).collect(),
            module: Module::parse(&text).unwrap_or_else(|e| panic!("{name}: {e}")),
        }
    }
}

/// Each with its twin.
fn pairs() -> Vec<[Kernel; 2]> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/bugs");
    let names = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path().file_stem().unwrap().to_owned());
    let names: Vec<String> = names.map(|n| n.into_string().unwrap()).filter(|n| !n.ends_with("_clean")).collect();
    names.iter().map(|n| [Kernel::read(n), Kernel::read(&format!("{n}_clean"))]).collect()
}

#[test]
fn each_planted_fault_is_described_and_has_a_twin_of_the_same_interface() {
    let pairs = pairs();
    assert!(pairs.len() >= 48);
    for [bug, clean] in &pairs {
        let Kernel { name, launch, kinds, lines, module } = bug;
        assert!(!kinds.is_empty() && kinds.iter().all(|k| KINDS.contains(&&**k)), "{name}: {kinds:?}");
        assert!(!lines.is_empty(), "{name} has no marked instruction");
        assert!(clean.kinds.is_empty() && clean.lines.is_empty(), "{}", clean.name);
        assert_ne!((module, launch), (&clean.module, &clean.launch), "{name}");
        let [f, twin] = [bug, clean].map(|k| k.module.functions().next().unwrap());
        assert_eq!((&*f.name, &f.params), (&**name, &twin.params));
    }
}

#[test]
fn faults_of_every_kind_are_planted() {
    let planted: Vec<String> = pairs().into_iter().flat_map(|[bug, _]| bug.kinds).collect();
    KINDS.iter().for_each(|kind| assert!(planted.iter().any(|k| k == kind), "{kind}"));
}

#[test]
fn planted_faults_and_their_twins_assemble() {
    for kernel in pairs().iter().flatten() {
        assert_eq!(kernel.module.check(), Ok(()), "{}", kernel.name);
        ptxas::assemble(&kernel.module, kernel.module.target);
    }
}

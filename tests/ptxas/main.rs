//! The table of instructions against the real `ptxas`: what the table takes must be accepted, what is one step from it and what it
//! does not take must be refused, on each target and from the stated version of PTX on.
//!
//! `GIRIH_PTXAS` names the program, else it is looked for in the path. Without it the tests say that they were skipped, and fail
//! where `CI` is `true`. With `GIRIH_PTXAS_LONG` there are many more instances, and all disagreements are printed. `GIRIH_PTXAS_FAMILY` keeps
//! to one family, `GIRIH_PTXAS_LIST` says how many disagreements of a family are printed.

mod assembler;
mod instances;
mod neighbours;
#[path = "../common/ptxas.rs"]
mod ptxas;
mod random;

use assembler::Ptxas;
use girih::gpu::ptx::{Form, Instruction, Target, Version};
use instances::{line, opcodes, plain_list, text};
use random::Random;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Mutex;

const TARGETS: [&str; 4] = ["sm_80", "sm_90a", "sm_100a", "sm_120a"];

/// Targets whose requirements are tried.
const ALL_TARGETS: [&str; 13] = [
    "sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_100f", "sm_103a",
    "sm_120", "sm_120a",
];

/// Versions that `ptxas` 13 knows of those with a target from `sm_75` on.
#[rustfmt::skip]
const VERSIONS: [Version; 22] = [
    Version(6, 3), Version(6, 4), Version(6, 5), Version(7, 0), Version(7, 1), Version(7, 2), Version(7, 3), Version(7, 4),
    Version(7, 5), Version(7, 6), Version(7, 7), Version(7, 8), Version(8, 0), Version(8, 1), Version(8, 2), Version(8, 3),
    Version(8, 4), Version(8, 5), Version(8, 6), Version(8, 7), Version(8, 8), Version(9, 0),
];

const LATEST: Version = VERSIONS[VERSIONS.len() - 1];

/// The most lines of a kernel.
const LINES: usize = 400;

fn target(name: &str) -> Target {
    name.parse().expect("it is a target's name")
}

/// What is tried of a family on a target at a version: lines, and whether each is legal.
#[derive(Default)]
struct Cases(BTreeMap<Kernel, BTreeMap<String, (bool, usize)>>);

type Kernel = (&'static str, &'static str, Version);

impl Cases {
    fn add(&mut self, form: &'static Form, target: &'static str, version: Version, text: &str, legal: bool) {
        let lines = self.0.entry((form.family(), target, version)).or_default();
        lines.entry(text.into()).or_insert((legal, form.line()));
    }

    /// An instruction that is legal from the version on that it says.
    fn add_instruction(&mut self, form: &'static Form, name: &'static str, text: &str, i: Option<&Instruction>) {
        let version = i.and_then(|i| i.version_for(target(name)));
        self.add(form, name, LATEST, text, version.is_some_and(|v| v <= LATEST));
    }
}

/// A line about which table and `ptxas` differ.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Disagreement {
    row: usize,
    text: String,
    version: Version,
    /// what ptxas says of what the table takes
    error: Option<String>,
}

/// Tries all, on several threads, and prints a table; how many lines table and `ptxas` differ about.
fn judge(ptxas: &Ptxas, cases: &Cases) -> usize {
    let began = std::time::Instant::now();
    let mut kernels = Vec::new();
    for (kernel, lines) in &cases.0 {
        let lines: Vec<_> = lines.iter().collect();
        // legal ones first: they need no further run
        let (legal, illegal): (Vec<_>, Vec<_>) = lines.into_iter().partition(|(_, (legal, _))| *legal);
        kernels.extend(legal.chunks(LINES).chain(illegal.chunks(LINES)).map(|chunk| (*kernel, chunk.to_vec())));
    }
    // one target first, which learns all syntax errors
    kernels.sort_by_key(|((_, name, _), _)| *name == TARGETS[3]);
    let left = Mutex::new(kernels);
    let found = Mutex::new(BTreeMap::<(&str, Disagreement), Vec<&str>>::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, |n| n.get()) {
            scope.spawn(|| {
                while let Some(((family, name, version), lines)) = { left.lock().expect("no thread panics").pop() } {
                    let texts: Vec<_> = lines.iter().enumerate().map(|(i, (text, _))| line(text, i)).collect();
                    let errors = ptxas.errors(target(name), version, &texts);
                    for ((text, (legal, row)), error) in lines.into_iter().zip(errors) {
                        if *legal == error.is_some() {
                            let it = Disagreement { row: *row, text: text.clone(), version, error };
                            found.lock().expect("no thread panics").entry((family, it)).or_default().push(name);
                        }
                    }
                }
            });
        }
    });
    let found = found.into_inner().expect("no thread panics");
    report(cases, &found);
    println!("{} runs of ptxas, {:.1} s", ptxas.runs(), began.elapsed().as_secs_f64());
    found.values().map(Vec::len).sum()
}

fn report(cases: &Cases, found: &BTreeMap<(&str, Disagreement), Vec<&str>>) {
    let mut counts: BTreeMap<(&str, &str), [usize; 3]> = BTreeMap::new();
    for ((family, name, _), lines) in &cases.0 {
        let count = counts.entry((family, name)).or_default();
        let legal = lines.values().filter(|(legal, _)| *legal).count();
        count[0] += legal;
        count[1] += lines.len() - legal;
    }
    for ((family, _), names) in found {
        names.iter().for_each(|name| counts.entry((family, name)).or_default()[2] += 1);
    }
    let total = counts.values().fold([0; 3], |all, c| [0, 1, 2].map(|i| all[i] + c[i]));
    println!("{:<10} {:<8} {:>8} {:>8} {:>8}", "family", "target", "legal", "illegal", "differ");
    for ((family, name), [legal, illegal, differ]) in &counts {
        println!("{family:<10} {name:<8} {legal:>8} {illegal:>8} {differ:>8}");
    }
    println!("{:<10} {:<8} {:>8} {:>8} {:>8}", "all", "", total[0], total[1], total[2]);
    let most: usize = std::env::var("GIRIH_PTXAS_LIST").ok().and_then(|n| n.parse().ok()).unwrap_or(20);
    // of each row first the different errors
    let mut listed: HashMap<&str, usize> = HashMap::new();
    let mut seen = BTreeSet::new();
    for ((family, it), names) in found {
        let is_new = seen.insert((family, it.row, &it.error));
        let listed = listed.entry(family).or_default();
        if long() || is_new && *listed < most {
            *listed += 1;
            let error = it.error.as_deref().map_or("ptxas accepts it".into(), |e| format!("ptxas refuses it: {e}"));
            println!("{family}.txt:{} PTX {} {}: {}  {error}", it.row, it.version, names.join(" "), it.text);
        }
    }
}

/// The rows that are tried: of the family that `GIRIH_PTXAS_FAMILY` names, or all.
fn forms() -> impl Iterator<Item = &'static Form> {
    let family = std::env::var("GIRIH_PTXAS_FAMILY").ok();
    Form::all().filter(move |form| family.as_deref().is_none_or(|f| f == form.family()))
}

fn long() -> bool {
    std::env::var_os("GIRIH_PTXAS_LONG").is_some()
}

#[test]
fn table_and_ptxas_agree_about_instructions() {
    let Some(ptxas) = Ptxas::find() else { return };
    let (most, near) = if long() { (4096, 200) } else { (64, 12) };
    let mut random = Random(1);
    let mut cases = Cases::default();
    for form in forms() {
        let words = neighbours::vocabulary(form.mnemonic());
        let opcodes = opcodes(form, most, &mut random);
        let mut add = |(text, instruction): (String, Option<Instruction>)| {
            TARGETS.iter().for_each(|name| cases.add_instruction(form, name, &text, instruction.as_ref()));
        };
        for &opcode in &opcodes {
            for places in opcode.places() {
                add(text(opcode, plain_list(&places)));
            }
            let places = opcode.places().nth(random.below(opcode.places().count())).unwrap_or_default();
            add(text(opcode, neighbours::legal_operands(opcode, &places, &mut random)));
        }
        for _ in 0..near {
            neighbours::spelling(*random.of(&opcodes), &words, &mut random).into_iter().for_each(&mut add);
            neighbours::operands(*random.of(&opcodes), &mut random).into_iter().for_each(&mut add);
        }
    }
    assert_eq!(judge(&ptxas, &cases), 0, "lines on which the table and ptxas differ");
}

#[test]
fn table_and_ptxas_agree_about_requirements() {
    let Some(ptxas) = Ptxas::find() else { return };
    let mut random = Random(2);
    let mut cases = Cases::default();
    for form in forms() {
        // one instruction of each thing that a row needs
        let mut seen = BTreeSet::new();
        for opcode in opcodes(form, if long() { 4096 } else { 512 }, &mut random) {
            for places in opcode.places() {
                let (text, Some(instruction)) = text(opcode, plain_list(&places)) else { continue };
                let versions = ALL_TARGETS.map(|name| instruction.version_for(target(name)));
                if !seen.insert(versions) {
                    continue;
                }
                for (name, version) in ALL_TARGETS.into_iter().zip(versions) {
                    cases.add_instruction(form, name, &text, Some(&instruction));
                    let Some(version) = version else { continue };
                    let from = VERSIONS.iter().position(|v| *v >= version).unwrap_or(0);
                    cases.add(form, name, VERSIONS[from], &text, true);
                    if let Some(before) =
                        from.checked_sub(1).map(|i| VERSIONS[i]).filter(|v| *v >= target(name).version())
                    {
                        cases.add(form, name, before, &text, false);
                    }
                }
            }
        }
    }
    assert_eq!(judge(&ptxas, &cases), 0, "lines on which the table and ptxas differ");
}

#[test]
fn targets_are_known_from_the_version_stated() {
    let Some(ptxas) = Ptxas::find() else { return };
    #[rustfmt::skip]
    let names = [
        "sm_75", "sm_80", "sm_86", "sm_87", "sm_88", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_100f", "sm_103",
        "sm_103a", "sm_103f", "sm_110", "sm_110a", "sm_110f", "sm_120", "sm_120a", "sm_120f", "sm_121", "sm_121a", "sm_121f",
    ];
    let ret = ["ret;".to_string()];
    let known = |name, version| ptxas.errors(target(name), version, &ret) == [None];
    let differ: Vec<_> = names
        .iter()
        .flat_map(|&name| VERSIONS.map(|version| (name, version)))
        .filter(|&(name, version)| known(name, version) != (target(name).version() <= version))
        .collect();
    assert_eq!(differ, []);
}

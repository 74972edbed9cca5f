//! Every instruction that depends on its operands alone, in every spelling that Hopper has, on an H200 and here.
//!
//! `GIRIH_SWEEP` chooses a family, or the spellings with some text in them.

mod cases;
mod inputs;

use super::super::approx::{Error, error};
use super::super::pure::Lanes;
use super::super::{Simulation, buffer};
use crate::gpu::device::{Buffer, Device, Kernel, Stream};
use crate::gpu::launch::{DataType, Launch, Param, Usage};
use crate::gpu::ptx::{Module, Target, Version};
use cases::{Case, Source, cases};
use inputs::{Element, Kind, columns, mask, matrices, two, value};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::process::Command;

/// Kernels of a module.
const MODULE: usize = 128;

fn chosen() -> Vec<Case> {
    cases(&std::env::var("GIRIH_SWEEP").unwrap_or_default())
}

/// What a set of columns depends on.
type Key = (bool, Vec<Kind>);

fn key(case: &Case) -> Key {
    (case.instruction.opcode().mnemonic() == "mma", case.kinds())
}

fn instances((matrix, _): &Key) -> usize {
    if *matrix { 1 << 14 } else { 1 << 16 }
}

fn inputs(key: &Key, n: usize) -> Vec<Vec<u64>> {
    if key.0 { matrices(&key.1, n) } else { columns(&key.1, n) }
}

/// The results of the first `n` instances, a column each.
fn simulated(case: &Case, columns: &[Vec<u64>], n: usize) -> Vec<Vec<u64>> {
    let mut all = vec![Vec::with_capacity(n); case.pure.results()];
    let mut results = vec![[0; 32]; case.pure.results()];
    for warp in (0..n).step_by(32) {
        let mut columns = columns.iter();
        let sources: Vec<Lanes> = (case.sources.iter())
            .map(|source| match source {
                Source::Constant(x) => [*x; 32],
                Source::Column(_) => columns.next().map_or([0; 32], |c| std::array::from_fn(|l| c[warp + l])),
            })
            .collect();
        case.pure.run(&sources.iter().collect::<Vec<_>>(), &mut results);
        all.iter_mut().zip(&results).for_each(|(all, lanes)| all.extend(lanes));
    }
    all
}

fn module(cases: &[Case], version: Version, slots: impl Fn(&Case) -> usize) -> String {
    let kernels = cases.iter().enumerate().map(|(i, case)| case.kernel(i, slots(case)));
    format!(".version {version}\n.target sm_90a\n.address_size 64\n{}", kernels.collect::<String>())
}

fn version(cases: &[Case]) -> Version {
    cases.iter().filter_map(|c| c.instruction.version_for(Target::SM_90A)).fold(Version(8, 3), Version::max)
}

#[test]
fn results_fit_their_registers() {
    let cases = chosen();
    let counts = cases.par_iter().map(|case| {
        let columns = inputs(&key(case), 1024);
        let results = simulated(case, &columns, 1024);
        assert_eq!(results.len(), case.results.len(), "{}", case.instruction);
        for (column, bits) in results.iter().zip(&case.results) {
            let all = column.iter().fold(0, |all, x| all | x);
            assert_eq!(all & !mask(bits.unwrap_or(64)), 0, "{}", case.instruction);
        }
        case.instruction.opcode()
    });
    let opcodes: HashSet<_> = counts.collect();
    println!("{} cases of {} opcodes", cases.len(), opcodes.len());
}

/// Which says that the engine gives instructions the operands that the sweep gives them.
#[test]
fn a_simulated_kernel_gives_what_its_instruction_computes() {
    const SLOTS: usize = 256;
    let cases = chosen();
    let version = version(&cases);
    cases.par_iter().for_each(|case| {
        let columns = inputs(&key(case), SLOTS);
        let expected = simulated(case, &columns, SLOTS).concat();
        let text = module(std::slice::from_ref(case), version, |_| SLOTS);
        let simulation = Simulation::new(&Module::parse(&text).unwrap()).unwrap().threads(1);
        let input = buffer::Buffer::from_slice(&[columns.concat(), vec![0]].concat());
        let mut output = buffer::Buffer::from_slice(&vec![0u64; expected.len()]);
        let run = simulation.launch(&launch(0, SLOTS), &[input.arg(), output.arg_mut()]);
        assert!(run.is_ok(), "{text}: {}", run.unwrap_err());
        assert_eq!(output.to_vec().unwrap(), expected, "{}", case.instruction);
    });
}

#[test]
#[ignore = "minutes of ptxas, which GIRIH_PTXAS names"]
fn the_kernels_can_be_assembled() {
    let Some(ptxas) = std::env::var_os("GIRIH_PTXAS") else { return };
    let cases = chosen();
    let version = version(&cases);
    let refused: Vec<String> = (cases.par_chunks(MODULE).enumerate())
        .filter_map(|(i, cases)| {
            let file = std::env::temp_dir().join(format!("girih-sweep-{}-{i}.ptx", std::process::id()));
            let text = module(cases, version, |case| instances(&key(case)));
            std::fs::write(&file, &text).unwrap();
            let out = Command::new(&ptxas).arg("-arch=sm_90a").arg(&file).args(["-o", "/dev/null"]).output().unwrap();
            std::fs::remove_file(file).unwrap();
            let said = String::from_utf8_lossy(&out.stderr).into_owned();
            let line = said.split_once("line ").and_then(|(_, n)| n.split(';').next()?.parse::<usize>().ok());
            let line = line.and_then(|n| text.lines().nth(n - 1)).unwrap_or_default();
            (!out.status.success()).then(|| format!("{line}: {said}"))
        })
        .collect();
    assert_eq!(refused, [""; 0]);
}

/// What came of a case.
struct Verdict {
    family: &'static str,
    opcode: String,
    instances: usize,
    wrong: usize,
    /// of approximate functions, the largest error in units of the last place, and as it stands
    worst: [f64; 2],
    /// the first that are wrong
    examples: String,
}

#[test]
fn every_instruction_computes_what_an_h200_does() {
    if Device::count() == 0 {
        println!("skipped: no CUDA driver");
        return;
    }
    let device = Device::new(0).unwrap();
    if device.compute_capability() != (9, 0) {
        println!("skipped: the device is not of compute capability 9.0");
        return;
    }
    let cases = chosen();
    let mut keys: Vec<Key> = cases.iter().map(key).collect();
    keys.sort_by_key(|key| format!("{key:?}"));
    keys.dedup();
    let stream = device.stream().unwrap();
    let uploaded: HashMap<Key, (Vec<Vec<u64>>, Buffer<u64>)> = (keys.into_iter())
        .map(|key| {
            let columns = inputs(&key, instances(&key));
            // one word more, for kernels without sources
            let all: Vec<u64> = columns.iter().flatten().copied().chain([0]).collect();
            (key, (columns, Buffer::from_slice(&stream, &all).unwrap()))
        })
        .collect();
    let version = version(&cases);
    let verdicts: Vec<Verdict> = (cases.par_chunks(MODULE))
        .flat_map_iter(|cases| {
            let module = device.load(&module(cases, version, |case| instances(&key(case)))).unwrap();
            let stream = device.stream().unwrap();
            let verdicts: Vec<Verdict> = (cases.iter().enumerate())
                .map(|(i, case)| {
                    let (columns, input) = &uploaded[&key(case)];
                    let kernel = module.kernel(&launch(i, instances(&key(case)))).unwrap();
                    run(case, columns, input, &kernel, &stream)
                })
                .collect();
            verdicts
        })
        .collect();
    report(&verdicts);
}

fn launch(kernel: usize, n: usize) -> Launch {
    Launch {
        entry: format!("k{kernel}"),
        params: vec![
            Param::pointer("in", DataType::U64, Usage::Read),
            Param::pointer("out", DataType::U64, Usage::Write),
        ],
        block: [256, 1, 1],
        grid: [(n as u64 / 256).into(), 1.into(), 1.into()],
        ..Launch::default()
    }
}

fn run(case: &Case, columns: &[Vec<u64>], input: &Buffer<u64>, kernel: &Kernel, stream: &Stream) -> Verdict {
    const POISON: u64 = 0xa5a5_a5a5_a5a5_a5a5;
    let n = instances(&key(case));
    let mut output = Buffer::from_slice(stream, &vec![POISON; n * case.results.len()]).unwrap();
    kernel.launch(stream, &[input.into(), (&mut output).into()]).unwrap();
    let output = output.download(stream).unwrap();
    let here = simulated(case, columns, n);
    let opcode = case.instruction.opcode();
    let mut verdict = Verdict {
        family: opcode.form().family(),
        opcode: opcode.to_string(),
        instances: n,
        wrong: 0,
        worst: [0.0; 2],
        examples: String::new(),
    };
    for i in 0..n {
        let there: Vec<u64> = (case.results.iter().enumerate())
            .map(|(r, bits)| bits.map_or(0, |bits| output[r * n + i] & mask(bits)))
            .collect();
        let here: Vec<u64> =
            here.iter().zip(&case.results).map(|(x, bits)| if bits.is_some() { x[i] } else { 0 }).collect();
        let sources: Vec<u64> = columns.iter().map(|c| c[i]).collect();
        if here != there && !near(case, &sources, here[0], there[0], &mut verdict.worst) {
            verdict.wrong += 1;
            if verdict.wrong <= 6 {
                let line = format!("  {:x?} -> {there:x?}, not {here:x?}\n", sources);
                verdict.examples.push_str(&line);
            }
        }
    }
    if verdict.wrong > 0 {
        verdict.examples =
            format!("{} {}: {} of {n}\n{}", case.after, case.instruction, verdict.wrong, verdict.examples);
    }
    verdict
}

/// Is what an approximate function makes there as near to what is rounded from the exact result as the ISA says?
fn near(case: &Case, sources: &[u64], here: u64, there: u64, worst: &mut [f64; 2]) -> bool {
    let op = case.instruction.opcode();
    let (Some(kind), Some(source)) = (case.kinds().first().copied(), sources.last()) else { return false };
    let Element::Float(e, m) = kind.element else { return false };
    if !op.qualifiers().any(|q| q == "approx" || q == "full") {
        return false;
    }
    let bias = mask(e - 1) as i32;
    (0..kind.parts).all(|p| {
        let (here, there, source) = (kind.part(here, p), kind.part(there, p), value(e, m, kind.part(*source, p)));
        let [x, y] = [here, there].map(|z| value(e, m, z).clamp(-two(bias + 1), two(bias + 1)));
        if here == there || x.is_nan() || y.is_nan() {
            return here == there;
        }
        let smallest = two(1 - bias);
        if op.has("ftz") && x.abs() <= smallest && y.abs() <= smallest {
            return true;
        }
        let ulp = two(x.abs().max(smallest).log2().floor() as i32 - m as i32);
        let bound = match (error(&op, source), op.mnemonic()) {
            (Some(Error::Ulp(n)), _) => n * ulp,
            (Some(Error::Relative(_)), _) if x.abs() < smallest => ulp,
            (Some(Error::Relative(r)), _) => r * x.abs(),
            // from the reduced source on, an H200 is better than the ISA states for all
            (_, "sin" | "cos") => two(-21),
            (Some(Error::Absolute(a)), _) => a,
            // what the ISA does not state is what an H200 keeps to
            (None, "rcp" | "rsqrt") if op.has("ftz") => ulp * two(32),
            (None, "rsqrt") => ulp,
            (None, _) => 2.0 * ulp,
        };
        let far = (y - x).abs();
        worst.iter_mut().zip([far / ulp, far]).for_each(|(worst, far)| *worst = worst.max(far));
        far <= bound + ulp / 2.0
    })
}

fn report(verdicts: &[Verdict]) {
    let mut families: BTreeMap<&str, (BTreeSet<&str>, usize, usize)> = BTreeMap::new();
    for v in verdicts {
        let (opcodes, instances, wrong) = families.entry(v.family).or_default();
        opcodes.insert(&v.opcode);
        *instances += v.instances;
        *wrong += v.wrong;
        print!("{}", v.examples);
        let [ulp, far] = v.worst;
        if ulp > 0.0 {
            println!("{}: at most {ulp} ulp or {far:e} from what is computed here", v.opcode);
        }
    }
    for (family, (opcodes, instances, wrong)) in &families {
        println!("{family}: {} opcodes, {instances} instances, {wrong} mismatches", opcodes.len());
    }
    let wrong = verdicts.iter().filter(|v| v.wrong > 0).count();
    assert_eq!(wrong, 0, "cases with mismatches");
}

//! How much the simulator finds: kernels that are right are made wrong by rule, one instruction at a time. Each mutant must be found,
//! by a fault or by what it computes, or be argued in `tests/data/mutants/equivalent.txt` to mean the same.
//!
//! `GIRIH_MUTANTS_OF=gemm` takes only kernels with this in their names, `GIRIH_MUTANTS_PRINT=1` prints them, and
//! `GIRIH_MUTANTS=all` makes all mutants in place of a few of each rule.

mod equivalent;
mod ours;
mod rules;
mod subject;

use equivalent::Equivalents;
use girih::gpu::ptx::Module;
use girih::gpu::sim::FaultKind;
use rayon::prelude::*;
use rules::{Change, RULES, Rule};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use subject::{Subject, Verdict};

/// A subject with one change.
struct Mutant<'a> {
    subject: &'a Subject,
    rule: &'static str,
    instruction: usize,
    change: Change,
}

/// What became of it.
enum Outcome {
    Fault(FaultKind),
    Differs,
    /// every launch is right
    Missed,
    Refused(String),
    Panicked,
    /// it is not legal PTX
    Illegal,
}

impl Mutant<'_> {
    fn module(&self) -> Option<Module> {
        self.subject.changed(self.instruction, self.change.clone())
    }

    fn run(&self) -> Outcome {
        let Some(module) = self.module() else { return Outcome::Illegal };
        for launch in &self.subject.launches {
            match catch_unwind(AssertUnwindSafe(|| launch.judge(&module))) {
                Ok(Verdict::Right) => {}
                Ok(Verdict::Fault(kind)) => return Outcome::Fault(kind),
                Ok(Verdict::Differs) => return Outcome::Differs,
                Ok(Verdict::Refused(why)) => return Outcome::Refused(why),
                Err(_) => return Outcome::Panicked,
            }
        }
        Outcome::Missed
    }
}

/// At most so many of these, evenly spread; all if `GIRIH_MUTANTS` is `all`.
fn sample<T>(all: Vec<T>, most: usize) -> impl Iterator<Item = T> {
    let n = all.len();
    let most = if std::env::var("GIRIH_MUTANTS").is_ok_and(|v| v == "all") { n } else { most.min(n) };
    all.into_iter().enumerate().filter(move |(i, _)| i * most / n != (i + 1) * most / n).map(|(_, one)| one)
}

fn mutants(subject: &Subject, most: usize) -> Vec<Mutant<'_>> {
    let (_, function) = subject.function();
    let spare = function.registers.len() as u32;
    let of = |rule: &Rule| {
        let instructions = function.instructions().enumerate();
        let mutants = instructions.flat_map(|(instruction, i)| {
            let changes = (rule.changes)(i, spare).into_iter();
            let rule = rule.name;
            changes.map(move |change| Mutant { subject, rule, instruction, change })
        });
        sample(mutants.collect(), most)
    };
    RULES.iter().flat_map(of).collect()
}

#[test]
fn every_mutant_that_is_wrong_is_found() {
    let only = std::env::var("GIRIH_MUTANTS_OF").unwrap_or_default();
    let subjects: Vec<(Subject, usize)> =
        ours::subjects().into_iter().filter(|(s, _)| s.name.contains(&only)).collect();
    let subjects: Vec<(Subject, usize)> = subjects.into_par_iter().map(|(s, most)| (s.proven(), most)).collect();
    let all: Vec<Mutant> = subjects.par_iter().flat_map(|(s, most)| mutants(s, *most)).collect();
    let outcomes: Vec<Outcome> = all.par_iter().map(Mutant::run).collect();
    if std::env::var_os("GIRIH_MUTANTS_PRINT").is_some() {
        subjects.iter().for_each(|(s, _)| println!("// {}\n{}", s.name, s.module));
    }
    let mut equivalents = Equivalents::read();
    let mut table: BTreeMap<usize, [usize; 4]> = BTreeMap::new();
    let (mut kinds, mut wrong): (BTreeMap<String, usize>, Vec<String>) = Default::default();
    for (mutant, outcome) in all.iter().zip(&outcomes) {
        let rule = RULES.iter().position(|r| r.name == mutant.rule).unwrap();
        let row = table.entry(rule).or_default();
        row[0] += usize::from(!matches!(outcome, Outcome::Illegal));
        match outcome {
            Outcome::Fault(kind) => {
                row[1] += 1;
                *kinds.entry(kind.to_string()).or_default() += 1;
            }
            Outcome::Differs => {
                row[2] += 1;
                *kinds.entry("another result".into()).or_default() += 1;
            }
            Outcome::Missed => match equivalents.take(&mutant.key()) {
                true => row[3] += 1,
                false => wrong.push(mutant.key()),
            },
            Outcome::Refused(why) => wrong.push(format!("{}: refused: {why}", mutant.key())),
            Outcome::Illegal => {}
            Outcome::Panicked => wrong.push(format!("{}: PANIC", mutant.key())),
        }
    }
    println!("{:28} {:>7} {:>7} {:>7} {:>10}", "rule", "mutants", "faults", "results", "equivalent");
    let mut total = [0; 4];
    for (rule, row) in &table {
        println!("{:28} {:>7} {:>7} {:>7} {:>10}", RULES[*rule].name, row[0], row[1], row[2], row[3]);
        (0..4).for_each(|i| total[i] += row[i]);
    }
    println!("{:28} {:>7} {:>7} {:>7} {:>10}", "all", total[0], total[1], total[2], total[3]);
    println!("found by: {kinds:?}");
    println!("score: {} of {} that are not equivalent", total[1] + total[2], total[0] - total[3]);
    assert!(wrong.is_empty(), "{} mutants are not found:\n{}", wrong.len(), wrong.join("\n"));
    if only.is_empty() && std::env::var_os("GIRIH_MUTANTS").is_none() {
        assert!(total[0] >= 500 && table.values().filter(|row| row[0] > 0).count() == RULES.len());
        assert_eq!(equivalents.unused(), Vec::<String>::new(), "no mutant that was missed is argued by these");
    }
}

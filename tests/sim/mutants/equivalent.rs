//! Mutants that mean the same as their kernels, with reasons.

use super::Mutant;
use girih::gpu::ptx::Module;
use std::collections::BTreeMap;

/// Keys of mutants that are argued, and whether one was missed that has it. Paragraphs of the file are a reason, then its
/// mutants, a line each: `= kernel | rule | old => new`, with ` (n)` behind `old` for the n-th of equal lines.
pub struct Equivalents(BTreeMap<String, bool>);

impl Equivalents {
    pub fn read() -> Equivalents {
        let text = std::fs::read_to_string("tests/data/mutants/equivalent.txt").unwrap();
        let mut all = BTreeMap::new();
        for paragraph in text.split("\n\n") {
            let (keys, reason): (Vec<&str>, Vec<&str>) =
                paragraph.lines().filter(|l| !l.starts_with('#')).partition(|l| l.starts_with("= "));
            assert!(keys.is_empty() || !reason.is_empty(), "no reason: {paragraph}");
            for key in keys {
                assert_eq!(all.insert(key[2..].to_string(), false), None, "twice: {key}");
            }
        }
        Equivalents(all)
    }

    /// Is the mutant argued?
    pub fn take(&mut self, key: &str) -> bool {
        self.0.get_mut(key).map(|used| *used = true).is_some()
    }

    pub fn unused(&self) -> Vec<String> {
        self.0.iter().filter(|(_, used)| !**used).map(|(key, _)| key.clone()).collect()
    }
}

impl Mutant<'_> {
    /// Kernel, rule, and what the text has instead of what.
    pub fn key(&self) -> String {
        let (function, _) = self.subject.function();
        let text = self.subject.module.to_string();
        let (_, places) = Module::parse_with_lines(&text).unwrap();
        let line = places.of(function, self.instruction).unwrap() - 1;
        let old: Vec<&str> = text.lines().map(str::trim).collect();
        let changed = self.module().unwrap().to_string();
        // declarations of spare registers stand before
        let new: Vec<&str> =
            changed.lines().map(str::trim).filter(|l| !l.starts_with(".reg") || !l.contains("%spare")).collect();
        let after = new[line..].len() - old[line + 1..].len();
        let nth = old[..line].iter().filter(|l| **l == old[line]).count();
        let nth = if nth > 0 { format!(" ({})", nth + 1) } else { String::new() };
        let new = if after == 0 { "nothing".into() } else { new[line..line + after].join(" ") };
        format!("{} | {} | {}{nth} => {new}", self.subject.name, self.rule, old[line])
    }
}

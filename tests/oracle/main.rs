//! Agreement with other implementations on the recorded cases of `tests/data`, through the command line.
//!
//! The witnesses are no law. A line is settled when both answer alike (same function, same profile; strides of extent-1
//! modes do not matter) or when a [`classes::Class`] explains the difference; a class is a sentence together with a check
//! of this very line that can fail. What no class explains fails the test.

mod brute;
mod classes;
mod exact;
mod law;
mod line;
mod reports;

use std::collections::BTreeMap;

/// Settles every line and prints how many each class explains.
fn settle(file: &str) {
    let mut counts = BTreeMap::new();
    let mut unexplained = Vec::new();
    for line in line::read(file) {
        match classes::settle(&line) {
            Ok(class) => *counts.entry(class.to_string()).or_insert(0) += 1,
            Err(why) => unexplained.push(format!("{line}\n    {why}")),
        }
    }
    println!("{file}");
    for (class, n) in &counts {
        println!("{n:6}  {class}");
    }
    assert!(unexplained.is_empty(), "{} lines unexplained:\n{}", unexplained.len(), unexplained.join("\n"));
}

#[test]
fn every_answer_of_pycute_is_agreed_with_or_explained_by_a_law() {
    settle("pycute.jsonl");
}

#[test]
fn every_answer_of_cute_cpp_is_agreed_with_or_explained_by_a_law() {
    settle("cute_cpp.jsonl");
}

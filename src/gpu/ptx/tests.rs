//! The table against itself.

use super::opcode::Opcode;
use super::table::{Table, faults};
use std::collections::HashMap;

#[test]
fn every_row_can_be_read() {
    assert_eq!(faults(), []);
}

#[test]
fn no_spelling_is_of_two_rows() {
    let mut seen: HashMap<String, (&str, usize)> = HashMap::new();
    let mut twice = Vec::new();
    for op in Opcode::all() {
        let here = (op.form().family, op.form().line);
        if let Some(there) = seen.insert(op.to_string(), here) {
            twice.push(format!("{op} in {there:?} and {here:?}"));
        }
    }
    println!("{} rows, {} spellings", Table::get().forms.len(), seen.len());
    assert!(twice.is_empty(), "{} of {}:\n{}", twice.len(), seen.len(), twice[..twice.len().min(20)].join("\n"));
}

#[test]
fn every_spelling_is_read_back() {
    for op in Opcode::all() {
        assert_eq!(Opcode::parse(&op.to_string()), Ok(op));
    }
}

/// For `scripts/compare_forms.py`.
#[test]
#[ignore = "prints all spellings"]
fn spellings_are_printed() {
    // after the name of the test, which is on the same line
    println!();
    Opcode::all().for_each(|op| println!("{op}"));
}

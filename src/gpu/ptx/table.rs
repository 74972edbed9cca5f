//! The table itself: every row of `forms/*.txt`, found by its mnemonic.

use super::form::Form;
use std::collections::HashMap;
use std::sync::OnceLock;

/// Each file is a family of instructions.
const FAMILIES: [(&str, &str); 19] = [
    ("integer", include_str!("forms/integer.txt")),
    ("float", include_str!("forms/float.txt")),
    ("half", include_str!("forms/half.txt")),
    ("logic", include_str!("forms/logic.txt")),
    ("compare", include_str!("forms/compare.txt")),
    ("convert", include_str!("forms/convert.txt")),
    ("move", include_str!("forms/move.txt")),
    ("load", include_str!("forms/load.txt")),
    ("store", include_str!("forms/store.txt")),
    ("atomic", include_str!("forms/atomic.txt")),
    ("async", include_str!("forms/async.txt")),
    ("tensor", include_str!("forms/tensor.txt")),
    ("barrier", include_str!("forms/barrier.txt")),
    ("mma", include_str!("forms/mma.txt")),
    ("ldmatrix", include_str!("forms/ldmatrix.txt")),
    ("wgmma", include_str!("forms/wgmma.txt")),
    ("warp", include_str!("forms/warp.txt")),
    ("control", include_str!("forms/control.txt")),
    ("cluster", include_str!("forms/cluster.txt")),
];

/// Rows in order, and those of each mnemonic.
pub(super) struct Table {
    pub forms: Vec<Form>,
    by_mnemonic: HashMap<&'static str, Vec<usize>>,
}

impl Table {
    /// The table. A row that cannot be read is left out; a test holds that there is none.
    pub fn get() -> &'static Table {
        static TABLE: OnceLock<Table> = OnceLock::new();
        TABLE.get_or_init(|| {
            let forms: Vec<Form> =
                rows().filter_map(|(family, line, row)| Form::parse(row, family, line).ok()).collect();
            let mut by_mnemonic: HashMap<_, Vec<usize>> = HashMap::new();
            for (i, form) in forms.iter().enumerate() {
                by_mnemonic.entry(form.mnemonic).or_default().push(i);
            }
            Table { forms, by_mnemonic }
        })
    }

    /// The rows of a mnemonic.
    pub fn of(&self, mnemonic: &str) -> impl Iterator<Item = &Form> {
        self.by_mnemonic.get(mnemonic).into_iter().flatten().map(|&i| &self.forms[i])
    }

    /// All mnemonics.
    pub fn mnemonics(&self) -> impl Iterator<Item = &'static str> {
        self.by_mnemonic.keys().copied()
    }
}

/// Family, line and text of every row: a line that begins with white space continues the one before.
fn rows() -> impl Iterator<Item = (&'static str, usize, &'static str)> {
    FAMILIES.iter().flat_map(|&(family, text)| {
        let mut rows = Vec::new();
        let (mut begin, mut line) = (0, 1);
        let mut at = 0;
        for (number, text_line) in text.split_inclusive('\n').enumerate() {
            if !text_line.starts_with([' ', '\t']) {
                rows.push((family, line, &text[begin..at]));
                (begin, line) = (at, number + 1);
            }
            at += text_line.len();
        }
        rows.push((family, line, &text[begin..]));
        rows.into_iter().filter(|(_, _, row)| !row.trim().is_empty() && !row.starts_with('#')).map(
            |(family, line, row)| {
                // the few rows of several lines are joined once, for as long as the program runs
                let lines: Vec<&str> = row.lines().map(str::trim).collect();
                let row = if let [one] = lines[..] { one } else { Box::leak(lines.join(" ").into_boxed_str()) };
                (family, line, row)
            },
        )
    })
}

/// What is wrong with rows that cannot be read.
#[cfg(test)]
pub(super) fn faults() -> Vec<(&'static str, usize, super::form::Fault)> {
    rows().filter_map(|(family, line, row)| Form::parse(row, family, line).err().map(|e| (family, line, e))).collect()
}

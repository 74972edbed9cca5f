//! The legal spelling nearest to a wrong one.

use super::form::{Form, SLOTS};
use super::table::Table;

/// More bytes than any spelling has.
const LONGEST: usize = 256;

/// The spelling with the fewest qualifiers left out, put in or replaced, of the mnemonic with the fewest letters changed;
/// none for a text that is far longer than any.
pub(super) fn nearest(spelling: &str) -> Option<String> {
    let mut words = spelling.split('.');
    let mnemonic = words.next()?;
    let given: Vec<&str> = words.collect();
    if given.len() > SLOTS + 2 || spelling.len() > LONGEST {
        return None;
    }
    let table = Table::get();
    let mnemonic =
        table.mnemonics().min_by_key(|m| (letters(m, mnemonic), *m)).filter(|m| letters(m, mnemonic) <= 2)?;
    table.of(mnemonic).map(|form| align(form, &given)).min_by_key(|(cost, _)| *cost).map(|(_, spelling)| spelling)
}

/// Levenshtein's distance.
fn letters(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = core::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.bytes().enumerate() {
            let cost = (diagonal + (x != y) as usize).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = core::mem::replace(&mut row[j + 1], cost);
        }
    }
    row[b.len()]
}

/// The cheapest way to spell the row with what was given: 3 for each word dropped or put in, 3 for one replaced, 2 by a like one.
fn align(form: &Form, given: &[&str]) -> (usize, String) {
    let n = given.len();
    // best[j]: cost and spelling of the slots so far with the first j words used
    let mut best: Vec<(usize, String)> = (0..=n).map(|j| (3 * j, form.mnemonic.to_string())).collect();
    for slot in &form.slots {
        let first = slot.values[0].name;
        let mut next: Vec<(usize, String)> = Vec::with_capacity(n + 1);
        for j in 0..=n {
            let (cost, text) = &best[j];
            let mut least = match slot.optional {
                true => (*cost, text.clone()),
                false => (cost + 3, format!("{text}.{first}")),
            };
            let mut consider = |cost: usize, text: String| {
                if cost < least.0 {
                    least = (cost, text);
                }
            };
            for value in &slot.values {
                let words = value.name.split('.').count();
                if j >= words {
                    let (cost, text) = &best[j - words];
                    match given[j - words..j].join(".") == value.name {
                        true => consider(*cost, format!("{text}.{}", value.name)),
                        // a word of like letters is the likelier slip
                        false if words == 1 => {
                            let far = (letters(given[j - 1], value.name) > 1) as usize;
                            consider(cost + 2 + far, format!("{text}.{}", value.name));
                        }
                        false => {}
                    }
                }
            }
            if j > 0 {
                let (cost, text): (usize, String) = next[j - 1].clone();
                consider(cost + 3, text);
            }
            next.push(least);
        }
        best = next;
    }
    best.swap_remove(n)
}

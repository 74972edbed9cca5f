//! `ptxas` takes qualifiers in any order, and Triton prints some in another than the PTX ISA's.

use crate::gpu::ptx::form::{Form, Slot};
use crate::gpu::ptx::table::Table;
use crate::gpu::ptx::types::Type;

/// The legal spelling with the same qualifiers; types and state spaces, which mean what their place says, keep their order.
pub(super) fn ordered(spelling: &str) -> Option<String> {
    let mut words = spelling.split('.');
    let mnemonic = words.next()?;
    let words: Vec<&str> = words.collect();
    Table::get().of(mnemonic).find_map(|form| {
        let mut chosen = Vec::new();
        (known(form, &words) && fill(&form.slots, &words, &mut chosen))
            .then(|| format!("{mnemonic}.{}", chosen.join(".")))
    })
}

fn known(form: &Form, words: &[&str]) -> bool {
    words.iter().all(|word| form.slots.iter().flat_map(|slot| &slot.values).any(|value| value.name == *word))
}

/// Chooses values for the slots that are these words, all of them.
fn fill<'a>(slots: &'a [Slot], words: &[&str], chosen: &mut Vec<&'a str>) -> bool {
    let Some((slot, more)) = slots.split_first() else { return words.is_empty() };
    if words.len() > slots.len() {
        return false;
    }
    for value in &slot.values {
        let keeps = keeps_order(value.name);
        let free = |at: &usize| !keeps || !words[..*at].iter().any(|word| keeps_order(word));
        if let Some(at) = words.iter().position(|word| *word == value.name).filter(free) {
            let rest = [&words[..at], &words[at + 1..]].concat();
            chosen.push(value.name);
            if fill(more, &rest, chosen) {
                return true;
            }
            chosen.pop();
        }
    }
    slot.optional && fill(more, words, chosen)
}

fn keeps_order(word: &str) -> bool {
    let space = word.split("::").next().unwrap_or(word);
    word.parse::<Type>().is_ok() || matches!(space, "global" | "shared" | "const" | "local" | "param")
}

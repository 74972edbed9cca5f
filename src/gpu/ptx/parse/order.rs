//! `ptxas` takes many qualifiers in any order, and Triton prints some in another than the PTX ISA's.

use crate::gpu::ptx::form::{Form, SLOTS, Slot};
use crate::gpu::ptx::table::Table;
use crate::gpu::ptx::types::Type;

/// The legal spelling with the same qualifiers, if there is exactly one that keeps the order of those which mean what their place
/// says.
pub(super) fn ordered(spelling: &str) -> Option<String> {
    let mut words = spelling.split('.');
    let mnemonic = words.next()?;
    let words: Vec<&str> = words.collect();
    if words.len() > SLOTS {
        return None;
    }
    let mut found = Vec::new();
    for form in Table::get().of(mnemonic).filter(|form| known(form, &words)) {
        fill(&form.slots, &words, &mut Vec::new(), &mut found);
    }
    match &found[..] {
        [one] => Some(format!("{mnemonic}.{}", one.join("."))),
        _ => None,
    }
}

fn known(form: &Form, words: &[&str]) -> bool {
    words.iter().all(|word| form.slots.iter().flat_map(|slot| &slot.values).any(|value| value.name == *word))
}

/// All ways to choose values for the slots that are these words, up to two different ones.
fn fill<'a>(slots: &'a [Slot], words: &[&str], chosen: &mut Vec<&'a str>, found: &mut Vec<Vec<&'a str>>) {
    let Some((slot, more)) = slots.split_first() else {
        if words.is_empty() && !found.contains(chosen) {
            found.push(chosen.clone());
        }
        return;
    };
    if words.len() > slots.len() || found.len() > 1 {
        return;
    }
    for value in &slot.values {
        let Some(at) = words.iter().position(|word| *word == value.name) else { continue };
        let class = class(value.name);
        if class == Class::First && (at > 0 || !chosen.is_empty())
            || class != Class::Free && words[..at].iter().any(|word| self::class(word) == class)
        {
            continue;
        }
        chosen.push(value.name);
        fill(more, &[&words[..at], &words[at + 1..]].concat(), chosen, found);
        chosen.pop();
    }
    if slot.optional {
        fill(more, words, chosen, found);
    }
}

/// What a qualifier's place decides.
#[derive(Clone, Copy, PartialEq)]
enum Class {
    /// nothing
    Free,
    /// it belongs to the mnemonic, which it must follow
    First,
    /// which operand's type it is
    Type,
    /// which matrix it lays out
    Layout,
    /// which accesses or level it is the hint of
    Cache,
    /// which address lies there
    Space,
}

fn class(word: &str) -> Class {
    match word.split("::").next().unwrap_or(word) {
        _ if word.parse::<Type>().is_ok() => Class::Type,
        "lo" | "hi" | "wide" | "l" | "r" | "to" => Class::First,
        "row" | "col" => Class::Layout,
        "L1" | "L2" => Class::Cache,
        "global" | "shared" | "const" | "local" | "param" => Class::Space,
        _ => Class::Free,
    }
}

//! Where values are used for the last time.

use super::ir::{Body, Id, Kind};
use std::collections::BTreeSet;

/// Writes into each statement of the block which of the block's own values nothing after it uses, so that whoever executes the
/// block can let go of them. Values from outside outlive it: a loop's next pass needs them again. What is used is returned.
pub(super) fn mark(block: &mut Body, arguments: &[Id]) -> BTreeSet<Id> {
    let mut own: BTreeSet<Id> = arguments.iter().copied().collect();
    own.extend(block.statements.iter().flat_map(|statement| statement.kind.results()));
    let mut used: BTreeSet<Id> = block.results.iter().copied().collect();
    for statement in block.statements.iter_mut().rev() {
        let mut mine: BTreeSet<Id> = statement.kind.operands().into_iter().chain(statement.kind.results()).collect();
        match &mut statement.kind {
            Kind::For { index, carried, body, .. } => {
                let arguments: Vec<Id> = carried.iter().map(|carry| carry.inside).chain([*index]).collect();
                mine.extend(mark(body, &arguments));
            }
            Kind::If { then, otherwise, .. } => {
                mine.extend(mark(then, &[]));
                mine.extend(mark(otherwise, &[]));
            }
            _ => {}
        }
        statement.last = mine.into_iter().filter(|&id| used.insert(id) && own.contains(&id)).collect();
    }
    used
}

//! Which names mean what, scope by scope.

use super::module::Space;
use super::operand::Reg;
use super::special::Special;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Named {
    Register(Reg),
    Label,
    /// a table of labels
    Branches,
    /// a table of functions, or their prototype
    Callees,
    Variable {
        defined: bool,
        space: Space,
    },
    Function {
        defined: bool,
        is_entry: bool,
    },
}

impl Named {
    /// In words.
    pub fn what(self) -> &'static str {
        match self {
            Named::Register(_) => "a register",
            Named::Label => "a label",
            Named::Branches => "a table of labels",
            Named::Callees => "a prototype or a list of targets",
            Named::Variable { .. } => "a variable",
            Named::Function { is_entry: true, .. } => "a kernel",
            Named::Function { .. } => "a function",
        }
    }
}

/// Scopes, the innermost last; an inner name hides an outer one.
pub(super) struct Names<'a> {
    scopes: Vec<HashMap<Cow<'a, str>, Named>>,
}

impl<'a> Names<'a> {
    /// One scope, without names.
    pub fn new() -> Names<'a> {
        Names { scopes: vec![HashMap::new()] }
    }

    pub fn enter(&mut self) {
        self.scopes.push(HashMap::new());
    }

    pub fn leave(&mut self) {
        self.scopes.pop();
    }

    /// Gives a name to the innermost scope; false if it has it. What is declared may be declared again, and defined once.
    pub fn declare(&mut self, name: impl Into<Cow<'a, str>>, named: Named) -> bool {
        use Named::*;
        let Some(scope) = self.scopes.last_mut() else { return false };
        let name = name.into();
        let all = match (scope.get(&*name), named) {
            (None, named) => named,
            (Some(Function { defined: a, .. }), Function { defined: b, is_entry }) if !(*a && b) => {
                Function { defined: *a || b, is_entry }
            }
            (Some(Variable { defined: a, .. }), Variable { defined: b, space }) if !(*a && b) => {
                Variable { defined: *a || b, space }
            }
            _ => return false,
        };
        scope.insert(name, all);
        true
    }

    /// Is the module's the only scope?
    pub fn is_outermost(&self) -> bool {
        self.scopes.len() == 1
    }

    pub fn find(&self, name: &str) -> Option<Named> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied()
    }
}

/// PTX ISA, identifiers.
pub(crate) fn is_identifier(name: &str) -> bool {
    let follows = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let mut chars = name.chars();
    match chars.next() {
        Some(c) if c.is_ascii_alphabetic() => chars.all(follows),
        Some('_' | '$' | '%') => name.len() > 1 && chars.all(follows),
        _ => false,
    }
}

/// PTX ISA, predefined identifiers: does a special register begin with this word?
pub(super) fn is_special(name: &str) -> bool {
    static SPECIAL: OnceLock<HashSet<&str>> = OnceLock::new();
    let special = || Special::all().map(|s| s.name().split('.').next().unwrap_or_default()).collect();
    name.starts_with('%') && SPECIAL.get_or_init(special).contains(name)
}

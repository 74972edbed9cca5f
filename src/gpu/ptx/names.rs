//! Which names mean what, scope by scope.

use super::module::Space;
use super::operand::Reg;
use std::borrow::Cow;
use std::collections::HashMap;

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Named {
    Register(Reg),
    /// a label, or a table of them or of functions
    Label,
    Variable {
        defined: bool,
        space: Space,
    },
    Function {
        defined: bool,
    },
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
            (Some(Function { defined: a }), Function { defined: b }) if !(*a && b) => Function { defined: *a || b },
            (Some(Variable { defined: a, .. }), Variable { defined: b, space }) if !(*a && b) => {
                Variable { defined: *a || b, space }
            }
            _ => return false,
        };
        scope.insert(name, all);
        true
    }

    pub fn find(&self, name: &str) -> Option<Named> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied()
    }
}

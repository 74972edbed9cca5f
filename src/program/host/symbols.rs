//! Values of symbols: given, or told by what is passed.

use super::RunError;
use crate::layout::{Bound, Int, Layout, LayoutError, Name};

/// The values that are known.
#[derive(Default)]
pub(super) struct Symbols(Vec<(String, i64)>);

impl Symbols {
    /// A symbol has a value; the first one counts.
    pub fn give(&mut self, name: &str, value: i64) {
        if !self.has(name) {
            self.0.push((name.into(), value));
        }
    }

    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    /// All of these have a value.
    ///
    /// # Errors
    /// One has none.
    pub fn complete(&self, symbols: &[Name]) -> Result<(), RunError> {
        match symbols.iter().find(|symbol| !self.has(&symbol.to_string())) {
            Some(&symbol) => Err(RunError::Unbound { symbol }),
            None => Ok(()),
        }
    }

    /// As the functions of layouts take them.
    pub fn values(&self) -> Vec<(&str, i64)> {
        self.0.iter().map(|(name, value)| (name.as_str(), *value)).collect()
    }

    /// The number that a sum is.
    ///
    /// # Errors
    /// A broken promise, or overflow.
    pub fn number(&self, bound: &Bound) -> Result<i64, LayoutError> {
        // all symbols have values
        Ok(bound.bind(&self.values())?.value().unwrap_or_default())
    }

    /// A monomial is this number: that tells its symbol, if only one is unknown and it is not rounded.
    fn tell(&mut self, monomial: &Int, number: i64) -> Option<()> {
        let rest = monomial.bind(&self.values()).ok()?;
        let mut unknown = rest.divisors();
        let (Some((name, 1, multiple)), None) = (unknown.next(), unknown.next()) else { return None };
        // `coefficient * ceil(symbol / multiple)`, where `multiple` divides it by promise
        let per = rest.coefficient() / multiple;
        (per > 0 && number % per == 0).then(|| self.give(&name.to_string(), number / per))
    }

    /// What the extents of a span tell.
    pub fn from_extents(&mut self, span: &Layout, extents: &[i64]) {
        for (dim, &extent) in extents.iter().enumerate() {
            if let Ok(length) = span.mode(dim).and_then(|mode| mode.size_int()) {
                self.tell(&length, extent);
            }
        }
    }

    /// What the length of memory tells, for a span that fills it.
    pub fn from_length(&mut self, span: &Layout, len: usize) {
        let shape = span.shape();
        let fills = [Layout::row_major(&shape), Layout::column_major(&shape)].contains(&Ok(*span));
        if let (true, Ok(size), Ok(len)) = (fills, span.size_int(), i64::try_from(len)) {
            self.tell(&size, len);
        }
    }
}

//! Values of symbols: given, or told by what is passed.

use super::error::{RunError, WrongExtents};
use crate::layout::{Int, Layout, LayoutError, Name};
use crate::program::ir::{Parameter, Symbol};
use crate::program::{Line, Quotient};

/// The values that are known.
#[derive(Default)]
pub(super) struct Symbols {
    known: Vec<Known>,
    /// why something passed tells no value
    silent: Option<RunError>,
}

struct Known {
    name: String,
    value: i64,
    /// the parameter that tells it
    told: Option<String>,
    by_length: bool,
}

impl Symbols {
    /// A symbol is bound to a value.
    ///
    /// # Errors
    /// It is bound to another one.
    pub fn give(&mut self, symbol: &Symbol, value: i64) -> Result<(), RunError> {
        let name = symbol.name.to_string();
        match self.known.iter().find(|known| known.name == name) {
            Some(known) if known.value != value => {
                let (symbol, line) = (symbol.name, symbol.line);
                Err(RunError::BoundTwice { symbol, line, first: known.value, second: value })
            }
            Some(_) => Ok(()),
            None => {
                self.known.push(Known { name, value, told: None, by_length: false });
                Ok(())
            }
        }
    }

    /// All of these have a value, and one that they may have.
    ///
    /// # Errors
    /// One has not.
    pub fn complete(&self, symbols: &[Symbol]) -> Result<(), RunError> {
        for &Symbol { name: symbol, multiple, line } in symbols {
            let Some(known) = self.known.iter().find(|known| known.name == symbol.to_string()) else {
                return Err(self.silent.clone().unwrap_or(RunError::Unbound { symbol, line }));
            };
            if known.value < 1 || known.value % i64::from(multiple) != 0 {
                let told = known.told.clone();
                return Err(RunError::Symbol { symbol, line, value: known.value, multiple, told });
            }
        }
        Ok(())
    }

    /// The value of a symbol.
    pub fn value(&self, symbol: &Name) -> Option<i64> {
        let name = symbol.to_string();
        self.known.iter().find(|known| known.name == name).map(|known| known.value)
    }

    /// As the functions of layouts take them.
    pub fn values(&self) -> Vec<(&str, i64)> {
        self.known.iter().map(|known| (known.name.as_str(), known.value)).collect()
    }

    /// The number that is at a line.
    ///
    /// # Errors
    /// Overflow.
    pub fn number(&self, quotient: &Quotient, line: Line) -> Result<i64, RunError> {
        match self.bound(line, |values| quotient.bind(values))?.value() {
            Some(number) => Ok(number),
            None => unreachable!("{quotient}: a program has only symbols of its own, and all have values"),
        }
    }

    /// What is at a line, without symbols.
    ///
    /// # Errors
    /// Overflow.
    pub fn bound<T>(
        &self,
        line: Line,
        bind: impl FnOnce(&[(&str, i64)]) -> Result<T, LayoutError>,
    ) -> Result<T, RunError> {
        bind(&self.values()).map_err(|error| RunError::Layout { line, error: Box::new(error) })
    }

    /// A monomial is this number: that tells its symbol, if only one is unknown and it is not rounded.
    ///
    /// # Errors
    /// What the number is no multiple of, or a multiple of by which the symbol is none of 64 bits.
    fn tell(&mut self, monomial: &Int, number: usize, of: &Parameter, by_length: bool) -> Result<(), i64> {
        let Ok(rest) = monomial.bind(&self.values()) else { return Ok(()) };
        let mut unknown = rest.divisors();
        let (Some((name, 1, multiple)), None) = (unknown.next(), unknown.next()) else { return Ok(()) };
        // `coefficient * ceil(symbol / multiple)`, where `multiple` divides it by promise
        let per = rest.coefficient();
        let whole = i64::try_from(number).ok().filter(|number| per > 0 && number % per == 0).ok_or(per)?;
        let (name, value) = (name.to_string(), (whole / per).checked_mul(multiple).ok_or(per)?);
        self.known.push(Known { name, value, told: Some(of.name.clone()), by_length });
        Ok(())
    }

    /// What the extents of a span tell.
    pub fn tell_by_extents(&mut self, of: &Parameter, span: &Layout, extents: &[usize]) {
        for (dim, &extent) in extents.iter().enumerate() {
            if let Ok(length) = span.mode(dim).and_then(|mode| mode.size_int())
                && self.tell(&length, extent, of, false).is_err()
            {
                self.silent.get_or_insert_with(|| WrongExtents::new(of, extents, Some(span.shape())).into());
            }
        }
    }

    /// What the length of memory tells, for a span that fills it.
    pub fn tell_by_length(&mut self, parameter: &Parameter, span: &Layout, len: usize) {
        if let (true, Ok(size)) = (fills(span), span.size_int())
            && let Err(of) = self.tell(&size, len, parameter, true)
        {
            let (name, line) = (parameter.name.clone(), parameter.line);
            self.silent.get_or_insert(RunError::Length { name, line, len, of });
        }
    }

    /// A length that told a symbol told all: the other spans that it sizes have theirs.
    ///
    /// # Errors
    /// One has not.
    pub fn agree(&self, parameter: &Parameter, span: &Layout, len: usize) -> Result<(), RunError> {
        let (name, line) = (parameter.name.clone(), parameter.line);
        let size = self.bound(line, |values| span.bind(values)?.size())?;
        let told = |known: &Known| known.by_length && span.size_int().is_ok_and(|size| mentions(&size, &known.name));
        if fills(span) && usize::try_from(size) != Ok(len) && self.known.iter().any(told) {
            return Err(RunError::Lengths { name, line, len, size });
        }
        Ok(())
    }
}

fn mentions(int: &Int, name: &str) -> bool {
    int.divisors().any(|(symbol, ..)| symbol.to_string() == name)
}

/// Does the span have each element of its memory?
fn fills(span: &Layout) -> bool {
    let shape = span.shape();
    [Layout::row_major(&shape), Layout::column_major(&shape)].contains(&Ok(*span))
}

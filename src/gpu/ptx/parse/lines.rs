//! Where instructions stand.

#[cfg(test)]
mod tests;

/// The lines of a text on which instructions stand, from [`Module::parse_with_lines`](crate::gpu::ptx::Module::parse_with_lines).
/// ```
/// use girih::gpu::ptx::Module;
/// let (_, lines) = Module::parse_with_lines(".version 8.0\n.target sm_90a\n.entry k() {\n  ret;\n}")?;
/// assert_eq!(lines.of(0, 0), Some(4));
/// # Ok::<(), girih::gpu::ptx::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lines {
    functions: Vec<Vec<usize>>,
}

impl Lines {
    /// Lines in place of bytes, which ascend.
    pub(super) fn new(text: &str, mut functions: Vec<Vec<usize>>) -> Lines {
        let (mut line, mut seen) = (1, 0);
        for place in functions.iter_mut().flatten() {
            line += text[seen..*place].matches('\n').count();
            seen = core::mem::replace(place, line);
        }
        Lines { functions }
    }

    /// The line, from 1, on which the mnemonic of an instruction stands. Functions and instructions are counted from 0, in the order
    /// of [`Module::functions`](crate::gpu::ptx::Module::functions) and
    /// [`Function::instructions`](crate::gpu::ptx::Function::instructions); none if there are not so many.
    /// ```
    /// # use girih::gpu::ptx::Module;
    /// let text = ".version 8.0\n.target sm_90a\n.func f;\n.entry k() {\n  .reg .pred p;\n  @p\n  ret;\n}";
    /// let (_, lines) = Module::parse_with_lines(text)?;
    /// assert_eq!((lines.of(0, 0), lines.of(1, 0)), (None, Some(7)));
    /// # Ok::<(), girih::gpu::ptx::ParseError>(())
    /// ```
    pub fn of(&self, function: usize, instruction: usize) -> Option<usize> {
        self.functions.get(function)?.get(instruction).copied()
    }
}

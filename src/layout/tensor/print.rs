//! Tensors as tables: what CuTe's `print_tensor` shows.

use super::{Coordinates, Counting, Tensor};
use crate::layout::{IntTuple, Layout, LayoutError};
use core::fmt;

/// The layout (after the base, if that is not 0), then mode 0 downwards and mode 1 to the right, one table for each
/// coordinate of mode 2, separated by `-`, and of what follows, separated by `=`. A precision goes to the elements.
/// ```
/// use girih::prelude::*;
/// let a = Tensor::from_fn(layout!((2,3):(3,1)), |i| i as f32 / 2.0)?;
/// assert_eq!(format!("{a:.1}"), "(2,3):(3,1)\n  0.0  1.0  2.0\n  0.5  1.5  2.5\n");
/// # Ok::<(), girih::LayoutError>(())
/// ```
impl<E: fmt::Display, S: AsRef<[E]>> fmt::Display for Tensor<E, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        header(f, self.base, &self.layout)?;
        table(f, &self.layout, self.iter().map(Some))
    }
}

/// As a tensor in memory.
impl fmt::Display for Tensor<i64, Counting> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        header(f, self.base, &self.layout)?;
        table(f, &self.layout, self.iter().map(Some))
    }
}

/// The origin and the layout, then the table.
impl fmt::Display for Tensor<IntTuple, Coordinates> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} o {}", self.storage.origin, self.layout)?;
        table(f, &self.layout, self.iter().map(Result::ok))
    }
}

fn header(f: &mut fmt::Formatter<'_>, base: i64, layout: &Layout) -> fmt::Result {
    if base != 0 {
        write!(f, "{base} o ")?;
    }
    writeln!(f, "{layout}")
}

/// The elements in a table, `.` where there is none.
pub(crate) fn table<E: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    layout: &Layout,
    elements: impl Iterator<Item = Option<E>>,
) -> fmt::Result {
    let cells: Vec<String> = elements
        .map(|e| match (e, f.precision()) {
            (None, _) => ".".into(),
            (Some(e), Some(p)) => format!("{e:.p$}"),
            (Some(e), None) => e.to_string(),
        })
        .collect();
    let extent = |mode: usize| match layout.mode(mode).and_then(|m| m.size()) {
        Ok(n) => usize::try_from(n).map_err(|_| fmt::Error),
        Err(LayoutError::NoSuchMode { .. }) => Ok(1),
        Err(_) => Err(fmt::Error),
    };
    let (rows, columns, tables) = (extent(0)?, extent(1)?, extent(2)?);
    let width = cells.iter().map(|c| c.chars().count()).max().unwrap_or(0) + 2;
    for (t, table) in cells.chunks(rows * columns).enumerate() {
        if t > 0 {
            writeln!(f, "{}", if t % tables == 0 { "=" } else { "-" }.repeat(width * columns))?;
        }
        for i in 0..rows {
            for cell in table.iter().skip(i).step_by(rows) {
                write!(f, "{cell:>width$}")?;
            }
            writeln!(f)?;
        }
    }
    Ok(())
}

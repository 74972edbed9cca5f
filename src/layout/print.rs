//! Layouts as ASCII tables.

use super::LayoutError;
use super::draw::{Drawable, Grid};
use std::fmt;

/// The values of a layout as text, one cell for each coordinate: what CuTe's `print_layout` prints. Made by
/// [`Drawable::table`]; `Display` writes it. A nested mode has its hierarchical coordinates in the header, and `=` and
/// `#` in the rules where an outer part of it moves on; modes 2 and up follow as further tables.
/// ```
/// use girih::prelude::*;
/// let table = layout!((2,(2,2)):(1,(4,2))).table()?.to_string();
/// assert_eq!(
///     table,
///     "\
/// (2,(2,2)):(1,(4,2))
///      (0,0)   (1,0)   (0,1)   (1,1)
///    +-------+-------#-------+-------+
///  0 |     0 |     4 #     2 |     6 |
///    +-------+-------#-------+-------+
///  1 |     1 |     5 #     3 |     7 |
///    +-------+-------#-------+-------+
/// "
/// );
/// # Ok::<(), girih::LayoutError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    title: String,
    grid: Grid,
}

impl Table {
    /// The table of anything drawable.
    ///
    /// # Errors
    /// As [`Drawable::table`].
    /// ```
    /// # use girih::prelude::*;
    /// # use girih::layout::Table;
    /// let l = layout!((8,(4,2)):(8,(1,4)));
    /// assert_eq!(Table::of(&l)?.to_string(), l.table()?.to_string());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn of(layout: &(impl Drawable + ?Sized)) -> Result<Table, LayoutError> {
        let grid = Grid::new(&layout.shape(), |i| layout.value(i))?;
        Ok(Table { title: layout.notation(), grid })
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grid = &self.grid;
        let (rows, cols) = (&grid.rows, &grid.cols);
        let longest = |texts: &[String]| texts.iter().map(|t| t.chars().count()).max().unwrap_or(0);
        let width = longest(&grid.labels).max(longest(&cols.coords));
        let head = longest(&rows.coords).max(2);
        let rule = |f: &mut fmt::Formatter<'_>, row: usize| {
            let outer = row < rows.extent() && row > 0 && rows.level(row) > 0;
            write!(f, "{:head$} ", "")?;
            for j in 0..=cols.extent() {
                write!(f, "{}", if j > 0 && j < cols.extent() && cols.level(j) > 0 { '#' } else { '+' })?;
                if j < cols.extent() {
                    write!(f, "{}", if outer { "=" } else { "-" }.repeat(width + 2))?;
                }
            }
            writeln!(f)
        };
        if !self.title.is_empty() {
            writeln!(f, "{}", self.title)?;
        }
        for p in 0..grid.panels.extent() {
            if grid.rank > 2 {
                writeln!(f, "{}", grid.caption(p))?;
            }
            write!(f, "{:head$}  ", "")?;
            for (j, c) in cols.coords.iter().enumerate() {
                write!(f, "{}{c:>width$}", if j == 0 { " " } else { "   " })?;
            }
            writeln!(f)?;
            for i in 0..rows.extent() {
                rule(f, i)?;
                write!(f, "{:>head$} ", rows.coords[i])?;
                for j in 0..cols.extent() {
                    let wall = if j > 0 && cols.level(j) > 0 { '#' } else { '|' };
                    write!(f, "{wall} {:>width$} ", grid.labels[grid.at(i, j, p)])?;
                }
                writeln!(f, "|")?;
            }
            rule(f, rows.extent())?;
        }
        Ok(())
    }
}

//! Tiles as text: matrices of aligned columns.

use super::value::{AnyTile, any};
use core::fmt;

/// Rows in parentheses, one a line; blocks of higher dimensions are separated by an empty line. A scalar is its number.
impl fmt::Display for AnyTile {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let cells: Vec<String> = any!(self.element(), E => {
            self.to_vec::<E>().unwrap_or_default().iter().map(E::to_string).collect()
        });
        let shape = self.shape();
        let (rank, width) = (shape.rank(), cells.iter().map(String::len).max().unwrap_or(0));
        let Some(last) = rank.checked_sub(1) else { return f.write_str(&cells.concat()) };
        let (columns, rows) = (shape.extent(last) as usize, if rank > 1 { shape.extent(rank - 2) as usize } else { 1 });
        for (i, row) in cells.chunks(columns).enumerate() {
            let between = if i == 0 {
                ""
            } else if i % rows == 0 {
                "\n\n"
            } else {
                "\n"
            };
            let row: Vec<String> = row.iter().map(|cell| format!("{cell:>width$}")).collect();
            write!(f, "{between}({})", row.join(" "))?;
        }
        Ok(())
    }
}

impl fmt::Debug for AnyTile {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}\n{self}", self.ty())
    }
}

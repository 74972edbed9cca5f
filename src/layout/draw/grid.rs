//! A function evaluated on all its coordinates, and the axes of its picture.

use super::CELLS;
use crate::layout::{IntTuple, Layout, LayoutError};
use std::collections::HashMap;

/// One direction of a picture: the coordinates of a mode, leftmost part fastest.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    /// its hierarchical coordinates
    pub coords: Vec<String>,
    /// extents above 1 of its leaves
    pub leaves: Vec<usize>,
    /// size of mode 0 of a nested mode, else 1
    pub tile: usize,
    pub nested: bool,
}

impl Axis {
    fn new(shape: &IntTuple) -> Result<Axis, LayoutError> {
        let n = shape.product()?.value().ok_or(LayoutError::Undecided)?;
        let coords = (0..n).map(|i| Ok(shape.idx2crd(i)?.to_string())).collect::<Result<_, LayoutError>>()?;
        let leaves = shape.known().unwrap_or_default().iter().filter(|&&s| s > 1).map(|&s| s as usize).collect();
        let nested = !shape.is_int();
        let tile = if nested { shape.mode(0)?.product()?.value().map_or(1, |s| s as usize) } else { 1 };
        Ok(Axis { coords, leaves, tile, nested })
    }

    pub fn extent(&self) -> usize {
        self.coords.len()
    }

    /// Nested boundaries before position `at`: how many leaves start again there.
    pub fn level(&self, at: usize) -> usize {
        let mut span = 1;
        let ends = self.leaves.iter().take_while(|&&s| {
            span *= s;
            at.is_multiple_of(span)
        });
        ends.count()
    }

    /// Span of one step, and extent, of each leaf; none for an axis that is not nested.
    pub fn tiers(&self) -> Vec<(usize, usize)> {
        let mut span = 1;
        let step = |&s: &usize| {
            let tier = (span, s);
            span *= s;
            tier
        };
        if self.leaves.len() < 2 { Vec::new() } else { self.leaves.iter().map(step).collect() }
    }
}

/// The values, colexicographic: rows, then columns, then panels.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    pub rows: Axis,
    pub cols: Axis,
    /// modes 2 and up
    pub panels: Axis,
    pub rank: usize,
    /// the integer, or a number for each different coordinate in order of appearance
    pub values: Vec<i64>,
    pub labels: Vec<String>,
    pub integers: bool,
}

impl Grid {
    pub fn new(shape: &IntTuple, value: impl Fn(i64) -> Result<IntTuple, LayoutError>) -> Result<Grid, LayoutError> {
        let cells = Layout::column_major(shape)?.size()?;
        if cells > CELLS {
            return Err(LayoutError::TooLarge { cells, most: CELLS });
        }
        let (unit, rank) = (IntTuple::int(1), shape.rank());
        let (rows, cols) = if rank == 1 { (unit, shape.mode(0)?) } else { (shape.mode(0)?, shape.mode(1)?) };
        let panels = match rank {
            1 | 2 => unit,
            3 => shape.mode(2)?,
            _ => IntTuple(shape.0.take(2, rank)?),
        };
        let mut grid = Grid {
            rows: Axis::new(&rows)?,
            cols: Axis::new(&cols)?,
            panels: Axis::new(&panels)?,
            rank,
            values: Vec::new(),
            labels: Vec::new(),
            integers: true,
        };
        let mut known = HashMap::new();
        for i in 0..cells {
            let v = value(i)?;
            let label = v.to_string();
            let next = known.len() as i64;
            grid.integers &= v.is_int();
            grid.values.push(match v.as_int() {
                Some(v) => v,
                None => *known.entry(label.clone()).or_insert(next),
            });
            grid.labels.push(label);
        }
        Ok(grid)
    }

    pub fn at(&self, row: usize, col: usize, panel: usize) -> usize {
        row + self.rows.extent() * (col + self.cols.extent() * panel)
    }

    /// `(_,_,1)` of a panel; nothing for a single one.
    pub fn caption(&self, panel: usize) -> String {
        let c = &self.panels.coords[panel];
        match self.rank {
            1 | 2 => String::new(),
            3 => format!("(_,_,{c})"),
            _ => format!("(_,_,{}", c.strip_prefix('(').unwrap_or(c)),
        }
    }

    /// Coordinate of a cell, for its tooltip.
    pub fn coordinate(&self, row: usize, col: usize, panel: usize) -> String {
        let (i, j) = (&self.rows.coords[row], &self.cols.coords[col]);
        if self.rank == 1 {
            return j.clone();
        }
        match self.caption(panel).strip_prefix("(_,_") {
            Some(rest) => format!("({i},{j}{rest}"),
            None => format!("({i},{j})"),
        }
    }
}

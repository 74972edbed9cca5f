//! What every picture is made of: panels of cells, with a legend. [`svg`](super::svg) and [`tikz`](super::tikz) draw them.

use super::color::{Rgb, qualitative, ramp};
use super::grid::{Axis, Grid};
use super::{Color, Content, Drawable, Drawing};
use crate::layout::{IntTuple, LayoutError};
use std::ops::Range;

pub(crate) struct Panel<'a> {
    pub caption: String,
    pub rows: &'a Axis,
    /// the rows of the axis that this panel has
    pub window: Range<usize>,
    pub cols: &'a Axis,
    /// what is written before the numbers in the headers
    pub row_name: &'static str,
    pub col_name: &'static str,
    /// column after column
    pub cells: Vec<Cell>,
    pub footer: Option<Footer>,
}

pub(crate) struct Cell {
    pub fill: Option<Rgb>,
    /// the first is the more important one
    pub lines: Vec<String>,
    pub tip: String,
    pub mark: bool,
}

/// Numbers below groups of columns; a group of rows each.
pub(crate) struct Footer {
    pub rows_each: usize,
    pub cols_each: usize,
    pub lines: Vec<(String, Vec<usize>)>,
}

#[derive(Default)]
pub(crate) struct Legend {
    pub subtitle: String,
    pub ramp: Option<(String, String)>,
    /// colours and their meaning, preceded by a word
    pub name: &'static str,
    pub swatches: Vec<(Rgb, String)>,
    /// there are more colours than swatches
    pub more: bool,
    /// what a marked cell means
    pub mark: Option<&'static str>,
    /// what stands in a cell of two lines
    pub cell: &'static str,
}

/// What can be drawn besides layouts and thread-value layouts.
pub(crate) trait Picture: std::fmt::Debug + Send + Sync {
    fn panels(&self) -> (Vec<Panel<'_>>, Legend);
}

const SWATCHES: usize = 32;

impl Legend {
    fn of_indices(name: &'static str, prefix: &str, n: usize) -> Legend {
        let swatches = (0..n.min(SWATCHES)).map(|i| (qualitative(i), format!("{prefix}{i}")));
        Legend { name, swatches: swatches.collect(), more: n > SWATCHES, ..Legend::default() }
    }
}

impl Drawing {
    pub(super) fn panels(&self) -> (Vec<Panel<'_>>, Legend) {
        match &self.content {
            Content::Values(grid) => values(grid, self.color),
            Content::ThreadValue(tv) => tv.panels(self.color),
            Content::Other(picture) => picture.panels(),
        }
    }
}

/// One panel for each coordinate of modes 2 and up.
pub(crate) fn grid_panels<'a>(grid: &'a Grid, cell: impl Fn(usize, usize, usize) -> Cell) -> Vec<Panel<'a>> {
    let panel = |p| window(grid, 0..grid.rows.extent(), grid.caption(p), |i, j| cell(i, j, p));
    (0..grid.panels.extent()).map(panel).collect()
}

fn window(grid: &Grid, rows: Range<usize>, caption: String, cell: impl Fn(usize, usize) -> Cell) -> Panel<'_> {
    let cells = (0..grid.cols.extent()).flat_map(|j| rows.clone().map(move |i| (i, j))).map(|(i, j)| cell(i, j));
    Panel {
        caption,
        rows: &grid.rows,
        cols: &grid.cols,
        row_name: "",
        col_name: "",
        cells: cells.collect(),
        window: rows,
        footer: None,
    }
}

fn values(grid: &Grid, color: Color) -> (Vec<Panel<'_>>, Legend) {
    let (min, max) = grid.values.iter().fold((i64::MAX, i64::MIN), |(a, b), &v| (a.min(v), b.max(v)));
    let span = (max as f64 - min as f64).max(1.0);
    let (rows, cols) = (&grid.rows, &grid.cols);
    let tile = |i: usize, j: usize| {
        if !rows.nested && !cols.nested {
            return j;
        }
        i / rows.tile + rows.extent().div_ceil(rows.tile) * (j / cols.tile)
    };
    let panels = grid_panels(grid, |i, j, p| {
        let at = grid.at(i, j, p);
        let fill = match color {
            Color::Value => ramp((grid.values[at] as f64 - min as f64) / span),
            Color::Thread => qualitative(i),
            Color::Tile => qualitative(tile(i, j)),
        };
        let label = &grid.labels[at];
        let tip = format!("{} \u{2192} {label}", grid.coordinate(i, j, p));
        Cell { fill: Some(fill), lines: vec![label.clone()], tip, mark: false }
    });
    let last = (rows.extent() - 1, cols.extent() - 1);
    let legend = match color {
        Color::Value if grid.integers => {
            Legend { name: "value", ramp: Some((min.to_string(), max.to_string())), ..Legend::default() }
        }
        Color::Value => {
            let ends = (grid.labels.first(), grid.labels.last());
            let ends = ends.0.zip(ends.1).map(|(a, b)| (a.clone(), b.clone()));
            Legend { name: "coordinate", ramp: ends, ..Legend::default() }
        }
        Color::Thread => Legend::of_indices("mode 0", "", last.0 + 1),
        Color::Tile => Legend::of_indices("tile", "", tile(last.0, last.1) + 1),
    };
    (panels, legend)
}

/// A thread-value layout and the tile that it covers.
#[derive(Clone, Debug)]
pub(crate) struct ThreadValue {
    /// threads x values: index in the tile
    grid: Grid,
    /// its labels are coordinates
    tile: Grid,
    shape: String,
    /// for each index of the tile, who holds it
    holders: Vec<Vec<(usize, usize)>>,
}

impl ThreadValue {
    pub fn new(layout: &(impl Drawable + ?Sized), tile: &IntTuple) -> Result<ThreadValue, LayoutError> {
        let tile_grid = Grid::new(tile, |i| tile.idx2crd(i))?;
        let grid = Grid::new(&layout.shape(), |i| Ok(IntTuple::int(tile.crd2idx(&layout.value(i)?)?)))?;
        if grid.rank != 2 {
            return Err(LayoutError::RankMismatch { rank: grid.rank, other: 2 });
        }
        let mut holders = vec![Vec::new(); tile_grid.values.len()];
        let threads = grid.rows.extent();
        for (i, &at) in grid.values.iter().enumerate() {
            holders[at as usize].push((i % threads, i / threads));
        }
        Ok(ThreadValue { grid, tile: tile_grid, shape: tile.to_string(), holders })
    }

    fn panels(&self, color: Color) -> (Vec<Panel<'_>>, Legend) {
        let (grid, tile) = (&self.grid, &self.tile);
        let (threads, values) = (grid.rows.extent(), grid.cols.extent());
        let group = if grid.rows.nested { grid.rows.tile } else { 1 };
        let fill = |t: usize, v: usize| match color {
            Color::Thread => qualitative(t),
            Color::Value => qualitative(v),
            Color::Tile => qualitative(t / group),
        };
        let mut panels = grid_panels(tile, |i, j, p| {
            let at = tile.at(i, j, p);
            let holders = &self.holders[at];
            let coordinate = &tile.labels[at];
            let Some(&(t, v)) = holders.first() else {
                let tip = format!("{coordinate}: held by no thread");
                return Cell { fill: None, lines: vec!["\u{b7}".into()], tip, mark: false };
            };
            let more = if holders.len() > 1 { format!("+{}", holders.len() - 1) } else { String::new() };
            let all: Vec<_> = holders.iter().map(|(t, v)| format!("T{t} V{v}")).collect();
            let tip = format!("{coordinate} \u{2190} {}", all.join(", "));
            Cell { fill: Some(fill(t, v)), lines: vec![format!("T{t}"), format!("V{v}{more}")], tip, mark: false }
        });
        for p in &mut panels {
            p.caption = format!("tile {} {}", self.shape, p.caption).trim_end().to_string();
        }
        let inverse = |t: usize, v: usize| {
            let at = grid.values[grid.at(t, v, 0)];
            let coordinate = &tile.labels[at as usize];
            let mut lines = vec![at.to_string()];
            if tile.rank > 1 {
                lines.push(coordinate.clone());
            }
            let tip = format!("T{t} V{v} \u{2192} {at} = {coordinate}");
            Cell { fill: Some(fill(t, v)), lines, tip, mark: false }
        };
        // about as many threads below each other as the tile has rows
        let each = threads.div_ceil(threads.div_ceil(tile.rows.extent().max(16)));
        for first in (0..threads).step_by(each) {
            let rows = first..(first + each).min(threads);
            let caption = if each < threads {
                format!("threads {}\u{2013}{} \u{d7} values", first, rows.end - 1)
            } else {
                "threads \u{d7} values".to_string()
            };
            let mut panel = window(grid, rows, caption, inverse);
            (panel.row_name, panel.col_name) = ("T", "V");
            panels.push(panel);
        }
        let mut legend = match color {
            Color::Thread => Legend::of_indices("thread", "T", threads),
            Color::Value => Legend::of_indices("value", "V", values),
            Color::Tile => Legend::of_indices("thread group", "", threads / group),
        };
        legend.cell = "threads \u{d7} values: index in the tile, below it the coordinate";
        legend.subtitle = format!("{threads} threads \u{d7} {values} values");
        (panels, legend)
    }
}

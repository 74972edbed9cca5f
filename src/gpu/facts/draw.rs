//! The picture of shared-memory banks.

use super::banks::{BANKS, PHASE_BYTES, Phase, words};
use super::request::WARP;
use super::{Access, FactError, Request};
use crate::layout::draw::Grid;
use crate::layout::draw::color::bank;
use crate::layout::draw::panel::{Cell, Footer, Legend, Panel, Picture, grid_panels};
use crate::layout::{Drawable, Drawing, IntTuple, LayoutError};

#[derive(Debug)]
struct BankPicture {
    grid: Grid,
    /// bytes of a value
    unit: usize,
    /// bytes of an access
    access: usize,
    /// threads of a phase
    lanes: usize,
    /// columns of an access
    vector: usize,
    /// for each panel, phase and request
    ways: Vec<usize>,
    /// cells in conflict
    marks: Vec<bool>,
}

impl Drawing {
    /// Shared-memory banks (32 of 4 bytes). Mode 0 is the thread, 32 to a warp; mode 1 the values that each thread moves,
    /// in accesses of `access` bytes; values are offsets in units of `unit` bytes. Each group of `access / unit` columns
    /// is one request of each warp, which the hardware serves in phases of at most 128 bytes: 32 threads at 1, 2 or 4 bytes,
    /// 16 at 8, 8 at 16. Two different words of one bank in one phase are a conflict: those cells are marked, and below
    /// each request stands the number of wavefronts (ways) of each phase; the same word is broadcast.
    ///
    /// These are the phases of stores and of `ldmatrix`; loads of 8 and 16 bytes with broadcasts can do with fewer
    /// ([`banks`](super::banks)).
    ///
    /// # Errors
    /// As [`Request::all`] and [`Drawing::of`].
    /// ```
    /// use girih::prelude::*;
    /// // one warp reads a column of a row-major f32 tile: every thread in the same bank
    /// let svg = Drawing::banks(&layout!((32,32):(32,1)), 4, 4)?.svg();
    /// assert!(svg.contains("at most 32-way"));
    /// # Ok::<(), girih::gpu::facts::FactError>(())
    /// ```
    pub fn banks(layout: &(impl Drawable + ?Sized), unit: usize, access: usize) -> Result<Drawing, FactError> {
        let grid = Grid::new(&layout.shape(), |i| layout.value(i))?;
        Ok(Drawing::other(layout.notation(), BankPicture::new(grid, unit, access)?))
    }
}

impl BankPicture {
    fn new(grid: Grid, unit: usize, access: usize) -> Result<BankPicture, FactError> {
        if !grid.integers {
            return Err(LayoutError::Codomain.into());
        }
        let (rows, cols) = (grid.rows.extent(), grid.cols.extent());
        let shape = IntTuple::flat(&[rows as i64, cols as i64])?;
        let requests = |panel: usize| {
            let values = (shape, |i: i64| grid.values[i as usize + rows * cols * panel]);
            Request::all(&values, unit.saturating_mul(8), Access::Store(access))
        };
        let panels = (0..grid.panels.extent()).map(requests).collect::<Result<Vec<_>, _>>()?;
        let (vector, lanes) = (access / unit, WARP.min(PHASE_BYTES / access));
        let marks = vec![false; grid.values.len()];
        let mut picture = BankPicture { grid, unit, access, lanes, vector, ways: Vec::new(), marks };
        for (p, requests) in panels.iter().enumerate() {
            for (warp, requests) in requests.chunks(cols / vector).enumerate() {
                picture.serve(p, warp, requests);
            }
        }
        Ok(picture)
    }

    /// Ways and marks of the requests of one warp.
    fn serve(&mut self, panel: usize, warp: usize, requests: &[Request]) {
        let served: Vec<_> = requests.iter().map(|r| r.banks().phases).collect();
        for phase in 0..served[0].len() {
            for (request, phases) in served.iter().enumerate() {
                let Phase { lanes, ways, crowded, .. } = &phases[phase];
                self.ways.push(*ways);
                for lane in lanes {
                    for e in 0..self.vector {
                        let at = self.grid.at(warp * WARP + lane, request * self.vector + e, panel);
                        self.marks[at] = self.banks_of(at).any(|b| crowded >> b & 1 == 1);
                    }
                }
            }
        }
    }

    /// The banks of the bytes of one value, whose address was checked.
    fn banks_of(&self, at: usize) -> impl Iterator<Item = usize> + use<> {
        words(self.grid.values[at] * self.unit as i64, self.unit).map(|w| w as usize % BANKS)
    }
}

impl Picture for BankPicture {
    fn panels(&self) -> (Vec<Panel<'_>>, Legend) {
        let (rows, requests) = (self.grid.rows.extent(), self.grid.cols.extent() / self.vector);
        let mut panels = grid_panels(&self.grid, |i, j, p| {
            let at = self.grid.at(i, j, p);
            let banks: Vec<_> = self.banks_of(at).collect();
            let name = match banks[..] {
                [b] => b.to_string(),
                _ => format!("{}\u{2013}{}", banks[0], banks[banks.len() - 1]),
            };
            let offset = &self.grid.labels[at];
            let conflict = if self.marks[at] { ", conflict" } else { "" };
            let tip = format!("{} \u{2192} {offset}, bank {name}{conflict}", self.grid.coordinate(i, j, p));
            Cell { fill: Some(bank(banks[0])), lines: vec![name, offset.clone()], tip, mark: self.marks[at] }
        });
        let each = rows.div_ceil(self.lanes) * requests;
        for (panel, ways) in panels.iter_mut().zip(self.ways.chunks(each)) {
            panel.row_name = "T";
            panel.col_name = "V";
            let line = |(phase, ways): (usize, &[usize])| {
                let last = ((phase + 1) * self.lanes).min(rows) - 1;
                (format!("T{}\u{2013}{last}", phase * self.lanes), ways.to_vec())
            };
            let lines = ways.chunks(requests).enumerate().map(line).collect();
            panel.footer = Some(Footer { rows_each: self.lanes, cols_each: self.vector, lines });
        }
        let worst = self.ways.iter().max().copied().unwrap_or(0);
        let (total, ideal) = (self.ways.iter().sum::<usize>(), self.ways.len());
        let verdict = match worst {
            0 | 1 => "no bank conflict".to_string(),
            _ => format!("bank conflicts, at most {worst}-way: {total} wavefronts where {ideal} would do"),
        };
        let bytes = |n: usize| if n == 1 { "1 byte".to_string() } else { format!("{n} bytes") };
        let subtitle = format!("accesses of {}, values of {}: {verdict}", bytes(self.access), bytes(self.unit));
        let swatches = (0..BANKS).map(|b| (bank(b), b.to_string())).collect();
        let mark = (worst > 1).then_some("different words of one bank in one phase");
        let cell = "each cell: bank, below it the offset";
        (panels, Legend { subtitle, name: "bank", swatches, mark, cell, ..Legend::default() })
    }
}

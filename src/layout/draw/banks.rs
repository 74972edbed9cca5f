//! Shared-memory banks: which cells of a request meet in one.

use super::color::bank;
use super::grid::Grid;
use super::panel::{Cell, Footer, Legend, Panel, grid_panels};
use crate::layout::LayoutError;

const BANKS: i64 = 32;
const BANK_BYTES: i64 = 4;
/// What one phase of a request delivers at most.
const PHASE_BYTES: usize = 128;
const WARP: usize = 32;

#[derive(Clone, Debug)]
pub(crate) struct Banks {
    grid: Grid,
    unit: i64,
    access: i64,
    /// threads of a phase
    lanes: usize,
    /// columns of an access
    vector: usize,
    /// for each panel, phase and request
    pub ways: Vec<usize>,
    /// cells in conflict
    marks: Vec<bool>,
}

impl Banks {
    pub fn new(grid: Grid, unit: usize, access: usize) -> Result<Banks, LayoutError> {
        if ![1, 2, 4, 8, 16].contains(&access) || unit == 0 || !access.is_multiple_of(unit) {
            return Err(LayoutError::BadAccess { unit, access });
        }
        if !grid.integers {
            return Err(LayoutError::Codomain);
        }
        let (vector, lanes) = (access / unit, WARP.min(PHASE_BYTES / access));
        if !grid.cols.extent().is_multiple_of(vector) {
            return Err(LayoutError::NotDivisible { extent: grid.cols.extent() as i64, by: vector as i64 });
        }
        let marks = vec![false; grid.values.len()];
        let (unit, access) = (unit as i64, access as i64);
        let mut banks = Banks { grid, unit, access, lanes, vector, ways: Vec::new(), marks };
        for p in 0..banks.grid.panels.extent() {
            for phase in 0..banks.phases() {
                for request in 0..banks.requests() {
                    let ways = banks.serve(p, phase, request)?;
                    banks.ways.push(ways);
                }
            }
        }
        Ok(banks)
    }

    fn phases(&self) -> usize {
        self.grid.rows.extent().div_ceil(self.lanes)
    }

    fn requests(&self) -> usize {
        self.grid.cols.extent() / self.vector
    }

    /// Ways of one phase of one request: the most different words in one bank. Marks the cells of banks with several.
    fn serve(&mut self, panel: usize, phase: usize, request: usize) -> Result<usize, LayoutError> {
        let rows = phase * self.lanes..((phase + 1) * self.lanes).min(self.grid.rows.extent());
        let mut words: [Vec<i64>; BANKS as usize] = Default::default();
        for i in rows.clone() {
            let first = self.grid.at(i, request * self.vector, panel);
            let start = self.grid.values[first];
            let address = start.checked_mul(self.unit).ok_or(LayoutError::Overflow)?;
            for e in 0..self.vector {
                let v = self.grid.values[self.grid.at(i, request * self.vector + e, panel)];
                if Some(v) != start.checked_add(e as i64) || address.rem_euclid(self.access) != 0 {
                    return Err(LayoutError::NotVector { index: first, width: self.access as usize });
                }
            }
            let last = address.checked_add(self.access - 1).ok_or(LayoutError::Overflow)?;
            for word in address.div_euclid(BANK_BYTES)..=last.div_euclid(BANK_BYTES) {
                let bank = &mut words[word.rem_euclid(BANKS) as usize];
                if !bank.contains(&word) {
                    bank.push(word);
                }
            }
        }
        for i in rows {
            for e in 0..self.vector {
                let at = self.grid.at(i, request * self.vector + e, panel);
                self.marks[at] = self.banks_of(at).any(|b| words[b].len() > 1);
            }
        }
        Ok(words.iter().map(Vec::len).max().unwrap_or(0))
    }

    /// The banks of the bytes of one value, whose address was checked.
    fn banks_of(&self, at: usize) -> impl Iterator<Item = usize> + use<> {
        let address = self.grid.values[at] * self.unit;
        let words = address.div_euclid(BANK_BYTES)..=(address + self.unit - 1).div_euclid(BANK_BYTES);
        words.map(|w| w.rem_euclid(BANKS) as usize)
    }

    pub fn panels(&self) -> (Vec<Panel<'_>>, Legend) {
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
        let each = self.phases() * self.requests();
        for (panel, ways) in panels.iter_mut().zip(self.ways.chunks(each)) {
            panel.row_name = "T";
            panel.col_name = "V";
            let line = |(phase, ways): (usize, &[usize])| {
                let last = ((phase + 1) * self.lanes).min(self.grid.rows.extent()) - 1;
                (format!("T{}\u{2013}{last}", phase * self.lanes), ways.to_vec())
            };
            let lines = ways.chunks(self.requests()).enumerate().map(line).collect();
            panel.footer = Some(Footer { rows_each: self.lanes, cols_each: self.vector, lines });
        }
        let worst = self.ways.iter().max().copied().unwrap_or(0);
        let (total, ideal) = (self.ways.iter().sum::<usize>(), self.ways.len());
        let verdict = match worst {
            0 | 1 => "no bank conflict".to_string(),
            _ => format!("bank conflicts, at most {worst}-way: {total} wavefronts where {ideal} would do"),
        };
        let bytes = |n: i64| if n == 1 { "1 byte".to_string() } else { format!("{n} bytes") };
        let subtitle = format!("accesses of {}, values of {}: {verdict}", bytes(self.access), bytes(self.unit));
        let swatches = (0..BANKS as usize).map(|b| (bank(b), b.to_string())).collect();
        let mark = (worst > 1).then_some("different words of one bank in one phase");
        let cell = "each cell: bank, below it the offset";
        (panels, Legend { subtitle, name: "bank", swatches, mark, cell, ..Legend::default() })
    }
}

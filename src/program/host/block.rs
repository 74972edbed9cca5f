//! What one block of the grid does.

use super::error::{RunError, Stop, Touch};
use super::region::{Place, Private, Record, Region};
use crate::program::ir::{Body, ChunkAccess, Id, Kind, Line, Statement};
use crate::tile::{AnyTile, Op, TileType};
use crate::view::At;

/// What every block sees.
#[derive(Clone, Copy)]
pub(super) struct Launch<'b, 'g> {
    /// the body, without symbols
    pub body: &'b Body,
    pub types: &'g [TileType],
    pub grid: &'g [i64],
    /// of each parameter
    pub given: &'g [Given<'g>],
}

/// What was passed for a parameter.
pub(super) enum Given<'m> {
    Scalar(AnyTile),
    /// memory that is only loaded from
    Constant(Box<dyn Region + 'm>),
    /// memory that is stored to
    Shared(Box<dyn Region + 'm>),
}

/// Executes blocks one after the other.
pub(super) struct Executor<'b, 'g> {
    launch: Launch<'b, 'g>,
    block: usize,
    values: Vec<Option<AnyTile>>,
    /// of each parameter: what was done to its memory
    log: Vec<Vec<Record<'b>>>,
    private: Vec<Option<Box<dyn Private + 'g>>>,
}

impl<'b, 'g> Executor<'b, 'g> {
    pub fn new(launch: Launch<'b, 'g>) -> Executor<'b, 'g> {
        let parameters = launch.given.len();
        Executor {
            launch,
            block: 0,
            values: vec![None; launch.types.len()],
            log: (0..parameters).map(|_| vec![]).collect(),
            private: (0..parameters).map(|_| None).collect(),
        }
    }

    /// Executes a block, which sees what the blocks before it stored.
    ///
    /// # Errors
    /// Its first one.
    pub fn execute(&mut self, block: usize) -> Result<(), RunError> {
        self.block = block;
        self.statements(self.launch.body)
    }

    /// What was done to the memory of each parameter; the next block sees memory as it was.
    pub fn take_log(&mut self) -> Vec<Vec<Record<'b>>> {
        self.private.iter_mut().for_each(|private| *private = None);
        self.log.iter_mut().map(core::mem::take).collect()
    }

    fn statements(&mut self, block: &'b Body) -> Result<(), RunError> {
        for statement in &block.statements {
            self.statement(statement)?;
            for id in &statement.last {
                self.values[id.index()] = None;
            }
        }
        Ok(())
    }

    fn statement(&mut self, Statement { line, kind, .. }: &'b Statement) -> Result<(), RunError> {
        let launch = self.launch;
        let line = *line;
        match kind {
            Kind::Let { result, op, operands } => {
                let operands: Vec<&AnyTile> = operands.iter().map(|id| self.value(*id)).collect();
                let tile = op.eval(&operands).map_err(|e| self.stop(line, e))?;
                self.set(*result, tile);
            }
            Kind::BlockId { result, dim } => {
                let tile = self.number(line, self.coordinate()[*dim], *result)?;
                self.set(*result, tile);
            }
            Kind::Extent { result, value } => {
                // bound: see `Launch`
                let tile = self.number(line, value.value().unwrap_or_default(), *result)?;
                self.set(*result, tile);
            }
            Kind::Scalar { result, parameter } => {
                if let Given::Scalar(tile) = &launch.given[*parameter] {
                    self.set(*result, tile.clone());
                }
            }
            Kind::Load { result, chunk } => {
                let tile = self.load(line, chunk).map_err(|e| self.stop(line, e))?;
                self.set(*result, tile);
            }
            Kind::Store { tile, chunk } => self.store(line, chunk, *tile).map_err(|e| self.stop(line, e))?,
            Kind::For { range, index, carried, body } => {
                let [start, end, step] = range.map(|id| self.integer(id));
                if step < 1 {
                    return Err(self.stop(line, Stop::Step(step)));
                }
                let mut carry: Vec<AnyTile> = carried.iter().map(|c| self.value(c.initial).clone()).collect();
                let mut at = start;
                while at < end {
                    let tile = self.number(line, at, *index)?;
                    self.set(*index, tile);
                    for (c, tile) in carried.iter().zip(carry.drain(..)) {
                        self.set(c.inside, tile);
                    }
                    self.statements(body)?;
                    carry.extend(body.results.iter().map(|id| self.value(*id).clone()));
                    let Some(next) = at.checked_add(step) else { break };
                    at = next;
                }
                for (c, tile) in carried.iter().zip(carry) {
                    self.set(c.result, tile);
                }
            }
            Kind::If { condition, results, then, otherwise } => {
                let branch = if self.integer(*condition) != 0 { then } else { otherwise };
                self.statements(branch)?;
                for (&result, id) in results.iter().zip(&branch.results) {
                    let tile = self.value(*id).clone();
                    self.set(result, tile);
                }
            }
        }
        Ok(())
    }

    fn load(&mut self, line: Line, chunk: &'b ChunkAccess) -> Result<AnyTile, Stop> {
        let place = self.place(chunk);
        let region: &'g dyn Region = match &self.launch.given[chunk.parameter] {
            Given::Shared(region) => region.as_ref(),
            Given::Constant(region) => return Ok(region.load(&place)?),
            Given::Scalar(_) => unreachable!("a chunk is one of memory"),
        };
        let records = &mut self.log[chunk.parameter];
        let private = self.private[chunk.parameter].get_or_insert_with(|| region.private());
        let (tile, runs) = private.load(&place, records)?;
        let touch = if chunk.access.strong.is_some() { Touch::StrongLoad } else { Touch::Load };
        records.push(Record { block: self.block, line, touch, runs, stored: None });
        Ok(tile)
    }

    fn store(&mut self, line: Line, chunk: &'b ChunkAccess, tile: Id) -> Result<(), Stop> {
        let (place, tile) = (self.place(chunk), self.value(tile).clone());
        let Given::Shared(region) = &self.launch.given[chunk.parameter] else {
            unreachable!("memory that is stored to is shared")
        };
        let runs = region.check(&place, &tile)?;
        let touch = if chunk.access.strong.is_some() { Touch::StrongStore } else { Touch::Store };
        self.log[chunk.parameter].push(Record { block: self.block, line, touch, runs, stored: Some((place, tile)) });
        Ok(())
    }

    fn place(&self, chunk: &'b ChunkAccess) -> Place<'b> {
        let index = chunk.index.iter().map(|at| match at {
            At::Number(n) => At::Number(*n),
            At::Tile(id) => At::Tile(self.value(*id).clone()),
        });
        Place { view: &chunk.view, access: &chunk.access, index: index.collect() }
    }

    fn value(&self, id: Id) -> &AnyTile {
        match &self.values[id.index()] {
            Some(tile) => tile,
            None => unreachable!("a value is made before it is used"),
        }
    }

    fn set(&mut self, id: Id, tile: AnyTile) {
        self.values[id.index()] = Some(tile);
    }

    /// The number of a scalar of an integral type.
    fn integer(&self, id: Id) -> i64 {
        i64::try_from(self.value(id).index().unwrap_or_default()).unwrap_or(i64::MAX)
    }

    /// A number as a scalar of the type of a value.
    fn number(&self, line: Line, value: i64, of: Id) -> Result<AnyTile, RunError> {
        let ty = self.launch.types[of.index()];
        let unused = 64 - ty.element.bits();
        let bits = value as u64;
        let back = match ty.element.is_signed() {
            true => (bits << unused) as i64 >> unused,
            false => i64::try_from(bits << unused >> unused).unwrap_or(-1),
        };
        if back != value || value < 0 && !ty.element.is_signed() {
            return Err(self.stop(line, Stop::Number { value, ty }));
        }
        Op::Full(ty, bits).eval(&[]).map_err(|e| self.stop(line, e))
    }

    /// Where the block is in the grid: the first dimension is the fastest.
    fn coordinate(&self) -> Vec<i64> {
        coordinate(self.launch.grid, self.block)
    }

    fn stop(&self, line: Line, error: impl Into<Stop>) -> RunError {
        RunError::Block { block: self.coordinate(), line, error: error.into() }
    }
}

/// The coordinate of a block in a grid.
pub(super) fn coordinate(grid: &[i64], block: usize) -> Vec<i64> {
    let mut rest = block as i64;
    let one = |extent: &i64| {
        let at = rest % extent;
        rest /= extent;
        at
    };
    grid.iter().map(one).collect()
}

//! What one block of the grid does.

use super::error::{RunError, Stop, Touch};
use super::footprint::Footprint;
use super::race::Record;
use super::region::{Changes, Private, Region};
use crate::program::ir::{Body, Carry, ChunkAccess, Id, Kind, Line, Statement};
use crate::tile::{AnyTile, Op, TileType};
use crate::view::host::Located;
use crate::view::{At, ViewError};
use std::collections::HashMap;

/// What every block sees.
#[derive(Clone, Copy)]
pub(super) struct Launch<'b, 'g> {
    /// the body, without symbols
    pub body: &'b Body,
    pub types: &'g [TileType],
    pub grid: &'g [i64],
    /// of each parameter
    pub given: &'g [Given<'g>],
    /// does a block see what those before it stored?
    pub ordered: bool,
}

/// What was passed for a parameter.
pub(super) enum Given<'m> {
    Scalar(Box<AnyTile>),
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
    /// what blocks did that ended
    done: Memories,
    /// of each parameter: what was done to its memory since
    records: Vec<Vec<Record>>,
    private: Vec<Option<Box<dyn Private + 'g>>>,
    /// the block's record of a chunk's accesses, by the chunk's address
    sites: HashMap<*const ChunkAccess, usize>,
}

/// What was done to memory by some blocks, in their order.
pub(super) struct Memories {
    /// of each parameter
    pub records: Vec<Vec<Record>>,
    /// with the number of a parameter
    pub changes: Vec<(usize, Box<Changes>)>,
}

impl Memories {
    /// Of so many parameters: nothing.
    pub fn new(parameters: usize) -> Memories {
        Memories { records: (0..parameters).map(|_| vec![]).collect(), changes: vec![] }
    }

    pub fn is_empty(&self) -> bool {
        self.records.iter().all(Vec::is_empty)
    }

    /// And then this.
    pub fn append(&mut self, later: Memories) {
        self.records.iter_mut().zip(later.records).for_each(|(all, records)| all.extend(records));
        self.changes.extend(later.changes);
    }
}

impl<'b, 'g> Executor<'b, 'g> {
    pub fn new(launch: Launch<'b, 'g>) -> Executor<'b, 'g> {
        let parameters = launch.given.len();
        Executor {
            launch,
            block: 0,
            values: vec![None; launch.types.len()],
            done: Memories::new(parameters),
            records: Memories::new(parameters).records,
            private: (0..parameters).map(|_| None).collect(),
            sites: HashMap::new(),
        }
    }

    /// Executes a block, which sees what those before it stored since [`Executor::end`].
    ///
    /// # Errors
    /// Its first one.
    pub fn execute(&mut self, block: usize) -> Result<(), RunError> {
        self.block = block;
        self.sites.clear();
        self.statements(self.launch.body)
    }

    /// The next block sees memory as it was before all blocks.
    pub fn end(&mut self) {
        for ((records, private), done) in self.records.iter_mut().zip(&mut self.private).zip(&mut self.done.records) {
            if let Some(private) = private {
                let own = records.iter().filter(|record| match record.touch {
                    Touch::Store | Touch::BlockStore => true,
                    Touch::StrongStore => self.launch.ordered,
                    Touch::Load | Touch::BlockLoad | Touch::StrongLoad => false,
                });
                private.end(&Footprint::union(own.map(|record| &record.elements)));
            }
            done.append(records);
        }
    }

    /// What was done to memory by the blocks that ended.
    pub fn take(&mut self) -> Memories {
        let done = Memories::new(self.private.len());
        let mut done = core::mem::replace(&mut self.done, done);
        for (parameter, private) in self.private.iter_mut().enumerate() {
            done.changes.extend(private.take().map(|private| (parameter, private.changes())));
        }
        done
    }

    fn statements(&mut self, body: &'b Body) -> Result<(), RunError> {
        for Statement { line, kind, last } in &body.statements {
            // bodies in bodies are many, and what else a statement does takes stack
            match kind {
                Kind::For { range, index, carried, body } => self.repeat(*line, range, *index, carried, body)?,
                Kind::If { condition, results, then, otherwise } => {
                    let branch = if self.integer(*condition) != 0 { then } else { otherwise };
                    self.statements(branch)?;
                    results.iter().zip(&branch.results).for_each(|(&result, &id)| self.copy(id, result));
                }
                _ => self.statement(*line, kind)?,
            }
            for id in last {
                self.values[id.index()] = None;
            }
        }
        Ok(())
    }

    fn repeat(
        &mut self,
        line: Line,
        range: &[Id; 3],
        index: Id,
        carried: &[Carry],
        body: &'b Body,
    ) -> Result<(), RunError> {
        let [mut at, end, step] = range.map(|id| self.integer(id));
        if step < 1 {
            return Err(self.stop(line, Stop::Step(step)));
        }
        let mut carry: Vec<AnyTile> = carried.iter().map(|c| self.value(c.initial).clone()).collect();
        while at < end {
            self.number(line, at, index)?;
            carried.iter().zip(carry.drain(..)).for_each(|(c, tile)| self.set(c.inside, tile));
            self.statements(body)?;
            carry.extend(body.results.iter().map(|id| self.value(*id).clone()));
            at += step;
        }
        carried.iter().zip(carry).for_each(|(c, tile)| self.set(c.result, tile));
        Ok(())
    }

    /// A statement without a body.
    fn statement(&mut self, line: Line, kind: &'b Kind) -> Result<(), RunError> {
        let launch = self.launch;
        match kind {
            Kind::Let { result, op, operands } => {
                let operands: Vec<&AnyTile> = operands.iter().map(|id| self.value(*id)).collect();
                let tile = op.eval(&operands).map_err(|e| self.stop(line, e))?;
                self.set(*result, tile);
            }
            Kind::BlockId { result, dim } => {
                self.number(line, self.coordinate()[*dim].into(), *result)?;
            }
            Kind::Extent { result, value } => {
                let Some(number) = value.value() else { unreachable!("see `Launch::body`") };
                self.number(line, number.into(), *result)?;
            }
            Kind::Scalar { result, parameter } => {
                if let Given::Scalar(tile) = &launch.given[*parameter] {
                    self.set(*result, (**tile).clone());
                }
            }
            Kind::Load { result, chunk } => {
                let tile = self.load(line, chunk).map_err(|e| self.stop(line, e))?;
                self.set(*result, tile);
            }
            Kind::Store { tile, chunk } => self.store(line, chunk, *tile).map_err(|e| self.stop(line, e))?,
            Kind::For { .. } | Kind::If { .. } => unreachable!("they have bodies"),
        }
        Ok(())
    }

    fn load(&mut self, line: Line, chunk: &'b ChunkAccess) -> Result<AnyTile, Stop> {
        let place = self.place(chunk)?;
        match &self.launch.given[chunk.parameter] {
            Given::Constant(region) => Ok(region.load(&place)?),
            Given::Shared(region) => {
                self.note(line, chunk, &place);
                Ok(self.private(chunk, region.as_ref()).load(&place)?)
            }
            Given::Scalar(_) => unreachable!("a chunk is one of memory"),
        }
    }

    fn store(&mut self, line: Line, chunk: &'b ChunkAccess, tile: Id) -> Result<(), Stop> {
        let (place, tile) = (self.place(chunk)?, self.value(tile).clone());
        let Given::Shared(region) = &self.launch.given[chunk.parameter] else {
            unreachable!("memory that is stored to is shared")
        };
        self.note(line, chunk, &place);
        let shared = !self.launch.ordered && Touch::of(&chunk.access) == Touch::StrongStore;
        Ok(self.private(chunk, region.as_ref()).store(&place, &tile, shared)?)
    }

    fn private(&mut self, chunk: &ChunkAccess, region: &'g dyn Region) -> &mut (dyn Private + 'g) {
        self.private[chunk.parameter].get_or_insert_with(|| region.private()).as_mut()
    }

    fn note(&mut self, line: Line, chunk: &'b ChunkAccess, place: &Located) {
        let records = &mut self.records[chunk.parameter];
        let site = *self.sites.entry(chunk).or_insert_with(|| {
            let touch = Touch::of(&chunk.access);
            records.push(Record { block: self.block, line, touch, elements: Footprint::default() });
            records.len() - 1
        });
        records[site].elements.add(place);
    }

    fn place(&self, chunk: &'b ChunkAccess) -> Result<Located, ViewError> {
        let index = chunk.index.iter().map(|at| match at {
            At::Number(n) => At::Number(*n),
            At::Tile(id) => At::Tile(self.value(*id).clone()),
        });
        Located::new(&chunk.view, &chunk.access, &index.collect::<Vec<_>>())
    }

    fn value(&self, id: Id) -> &AnyTile {
        match &self.values[id.index()] {
            Some(tile) => tile,
            None => unreachable!("a value is made before it is used"),
        }
    }

    fn copy(&mut self, from: Id, to: Id) {
        let tile = self.value(from).clone();
        self.set(to, tile);
    }

    fn set(&mut self, id: Id, tile: AnyTile) {
        self.values[id.index()] = Some(tile);
    }

    /// The number of a scalar of an integral type.
    fn integer(&self, id: Id) -> i128 {
        match self.value(id).index() {
            Some(number) => number,
            None => unreachable!("ends of loops and conditions are integral scalars"),
        }
    }

    /// A value is a number, if it is one of the value's type.
    fn number(&mut self, line: Line, number: i128, id: Id) -> Result<(), RunError> {
        let ty = self.launch.types[id.index()];
        // the element type's own bits, which say the number again if it is one of the type
        let bits = number as u64 & (u64::MAX >> (64 - ty.element.bits()));
        if ty.element.integer(bits) != number {
            return Err(self.stop(line, Stop::Number { value: number, ty }));
        }
        let tile = Op::Full(ty, bits).eval(&[]).map_err(|e| self.stop(line, e))?;
        self.set(id, tile);
        Ok(())
    }

    /// Where the block is in the grid: the first dimension is the fastest.
    fn coordinate(&self) -> Vec<i64> {
        coordinate(self.launch.grid, self.block)
    }

    fn stop(&self, line: Line, error: impl Into<Stop>) -> RunError {
        RunError::Block { block: self.coordinate(), line, error: Box::new(error.into()) }
    }
}

/// The coordinate of number `block` in a grid, whose first dimension is the fastest.
pub(super) fn coordinate(grid: &[i64], block: usize) -> Vec<i64> {
    let mut rest = block as i64;
    let one = |extent: &i64| {
        let at = rest % extent;
        rest /= extent;
        at
    };
    grid.iter().map(one).collect()
}

//! A launch: arguments are checked, blocks evaluated, and what they stored is stored.

use super::argument::{Argument, Passed, What};
use super::block::{Given, Launch, coordinate};
use super::error::{Party, Race, RunError, Touch, WrongExtents};
use super::footprint::Footprint;
use super::race::{self, Record};
use super::run::{Outcome, in_order, in_parallel};
use super::symbols::Symbols;
use crate::layout::{Bound, Int, IntTuple, Layout, LayoutError, Name};
use crate::program::Quotient;
use crate::program::ir::{Body, Kind, Parameter, ParameterKind, Program, Statement, Symbol, Use};
use crate::view::ViewError;
use core::convert::Infallible;
use std::{num::NonZero, thread};

/// A launch of a program on the host: arguments, values of symbols, a number of threads.
///
/// Stores are kept aside until all blocks are done, so that a run takes about as much memory again as the program stores, and
/// some 100 bytes for each access of each block to memory that is stored to.
/// ```
/// # use girih::{Shape, program::*, view::Zero};
/// let p = program("double", |p| {
///     let n = p.symbol("n");
///     let y = p.inout::<f32, 1>("y", [n]).partition::<Shape![4]>();
///     let [i] = p.grid([n.ceil_div(4)]);
///     y.store_masked(y.load_masked(i, Zero) * 2, i);
/// })?;
/// let mut y = [1.0f32; 10];
/// let report = p.host().arg("y", &mut y).threads(2).run()?;
/// assert_eq!((y, report.grid), ([2.0; 10], vec![3]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Host<'p, 'm> {
    program: &'p Program,
    arguments: Vec<(String, Passed<'m>)>,
    symbols: Vec<(String, i64)>,
    threads: usize,
}

/// No run of more ends.
const MOST_BLOCKS: i64 = 1 << 40;
/// More would only wait for each other.
const MOST_THREADS: usize = 256;

/// What a run was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// the values of the program's symbols, in their order
    pub symbols: Vec<(Name, i64)>,
    /// how many blocks there were along each dimension
    pub grid: Vec<i64>,
    /// of each output, how many of its elements no block stored: they are as before
    pub unwritten: Vec<(String, i64)>,
}

impl Program {
    /// A launch on the host: see [`Host`].
    pub fn host<'m>(&self) -> Host<'_, 'm> {
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        Host { program: self, arguments: vec![], symbols: vec![], threads }
    }
}

impl<'m> Host<'_, 'm> {
    /// Passes an argument: see [`Argument`].
    pub fn arg(mut self, name: &str, argument: impl Argument<'m>) -> Self {
        self.arguments.push((name.into(), argument.passed()));
        self
    }

    /// Gives a symbol its value. Symbols that the extents of arguments tell, or the length of memory, need none.
    pub fn bind(mut self, symbol: &str, value: i64) -> Self {
        self.symbols.push((symbol.into(), value));
        self
    }

    /// How many threads evaluate blocks; as many as the machine has, if this is not called. At most 256. Results do not
    /// depend on it.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.clamp(1, MOST_THREADS);
        self
    }

    /// Checks the arguments, evaluates all blocks, and then stores what they stored.
    ///
    /// # Errors
    /// See [`RunError`]; memory is as before then.
    pub fn run(self) -> Result<Report, RunError> {
        let program = self.program;
        let passed = arguments(program, self.arguments)?;
        let symbols = values(program, &self.symbols, &passed)?;
        for (condition, line) in program.requirements() {
            let (left, right) = (symbols.number(&condition.left, line)?, symbols.number(&condition.right, line)?);
            if !condition.relation.holds(left, right) {
                return Err(RunError::Requirement { condition: Box::new(*condition), line, left, right });
            }
        }
        let (grid, blocks) = grid(program, &symbols)?;
        for (parameter, passed) in program.parameters.iter().zip(&passed) {
            reaches(parameter, passed, &symbols)?;
        }
        let mut body = program.body.clone();
        bind(&mut body, &symbols)?;
        let facts = Facts::of(&body, passed.len());
        let given = passed.into_iter().zip(&facts.stored).map(|(passed, stored)| match passed.what {
            What::Scalar(tile) => Given::Scalar(tile),
            What::Memory(region) if *stored => Given::Shared(region),
            What::Memory(region) => Given::Constant(region),
        });
        let mut given: Vec<Given> = given.collect();
        admits(&body, &given)?;
        let launch = Launch { body: &body, types: &program.types, grid: &grid, given: &given, ordered: facts.ordered };
        let Outcome { done, error } = match facts.ordered {
            true => in_order(launch, blocks),
            false => in_parallel(launch, blocks, self.threads.min(blocks).max(1)),
        };
        if let Some(race) = first_race(program, &done.records, &symbols, &grid)? {
            return Err(race);
        }
        if let Some(error) = error {
            return Err(error);
        }
        let unwritten = unwritten(program, &done.records, &symbols)?;
        for (parameter, changes) in done.changes {
            if let Given::Shared(region) = &mut given[parameter] {
                region.apply(changes.as_ref());
            }
        }
        let value = |symbol: &Symbol| Some((symbol.name, symbols.value(&symbol.name)?));
        Ok(Report { symbols: program.symbols.iter().filter_map(value).collect(), grid, unwritten })
    }
}

/// What is passed for each parameter.
fn arguments<'m>(program: &Program, mut arguments: Vec<(String, Passed<'m>)>) -> Result<Vec<Passed<'m>>, RunError> {
    if let Some((name, _)) = arguments.iter().find(|(name, _)| program.parameters.iter().all(|p| p.name != *name)) {
        return Err(RunError::NoParameter { name: name.clone() });
    }
    let one = |Parameter { name, .. }: &Parameter| {
        let given = arguments.iter().filter(|(of, _)| of == name).count();
        match arguments.iter().position(|(of, _)| of == name) {
            Some(at) if given == 1 => Ok(arguments.swap_remove(at).1),
            _ => Err(RunError::Arguments { name: name.clone(), given }),
        }
    };
    let passed = program.parameters.iter().map(one).collect::<Result<Vec<_>, _>>()?;
    program.parameters.iter().zip(&passed).try_for_each(|(parameter, passed)| check(parameter, passed))?;
    Ok(passed)
}

/// Is this the right kind of argument?
fn check(parameter: &Parameter, passed: &Passed) -> Result<(), RunError> {
    let (name, line) = (|| parameter.name.clone(), parameter.line);
    let (element, scalar) = match &passed.what {
        What::Scalar(tile) => (tile.element(), true),
        What::Memory(region) => (region.element(), false),
    };
    if scalar != matches!(parameter.kind, ParameterKind::Scalar) {
        return Err(RunError::Shape { name: name(), line, scalar });
    }
    if element != parameter.element {
        return Err(RunError::Element { name: name(), line, got: element, expected: parameter.element });
    }
    match (&parameter.kind, &passed.what, &passed.extents) {
        (ParameterKind::Scalar, _, Some(extents)) => Err(WrongExtents::new(parameter, extents, None).into()),
        (ParameterKind::Span(layout, _), _, Some(extents)) if extents.len() != layout.rank() => {
            Err(WrongExtents::new(parameter, extents, Some(layout.shape())).into())
        }
        (ParameterKind::Span(_, Use::Out | Use::InOut), What::Memory(region), _) if !region.is_writable() => {
            Err(RunError::ReadOnly { name: name(), line })
        }
        _ => Ok(()),
    }
}

/// The values of all symbols.
fn values(program: &Program, given: &[(String, i64)], passed: &[Passed]) -> Result<Symbols, RunError> {
    let mut symbols = Symbols::default();
    for (name, value) in given {
        match program.symbols.iter().find(|symbol| symbol.name.to_string() == *name) {
            Some(symbol) => symbols.give(symbol, *value)?,
            None => return Err(RunError::NoSymbol { name: name.clone() }),
        }
    }
    let spans = || {
        program.parameters.iter().zip(passed).filter_map(|(parameter, passed)| match (&parameter.kind, &passed.what) {
            (ParameterKind::Span(layout, _), What::Memory(region)) => {
                Some((parameter, layout, region.len(), &passed.extents))
            }
            _ => None,
        })
    };
    for (parameter, layout, _, extents) in spans() {
        symbols.tell_by_extents(parameter, layout, extents.as_deref().unwrap_or_default());
    }
    let lengths = || spans().filter(|(.., extents)| extents.is_none());
    // what one length tells may make another one tell
    for _ in passed {
        lengths().for_each(|(parameter, layout, len, _)| symbols.tell_by_length(parameter, layout, len));
    }
    symbols.complete(&program.symbols)?;
    lengths().try_for_each(|(parameter, layout, len, _)| symbols.agree(parameter, layout, len))?;
    Ok(symbols)
}

/// Does the memory that is passed have all elements of the span?
fn reaches(parameter: &Parameter, passed: &Passed, symbols: &Symbols) -> Result<(), RunError> {
    let (ParameterKind::Span(layout, _), What::Memory(region)) = (&parameter.kind, &passed.what) else {
        return Ok(());
    };
    let line = parameter.line;
    let layout = symbols.bound(line, |values| layout.bind(values))?;
    if let Some(extents) = &passed.extents {
        let length = |dim: usize| layout.mode(dim)?.size();
        let lengths = symbols.bound(line, |_| (0..layout.rank()).map(length).collect::<Result<Vec<_>, _>>())?;
        if !lengths.iter().map(|&length| usize::try_from(length).ok()).eq(extents.iter().map(|&extent| Some(extent))) {
            return Err(WrongExtents::new(parameter, extents, Some(layout.shape())).into());
        }
    }
    if let Some(own) = passed.layout.filter(|own| !own.same_function(&layout)) {
        let name = parameter.name.clone();
        return Err(RunError::Tensor { name, line, got: Box::new(own), expected: Box::new(layout) });
    }
    let failed = |error| RunError::Memory { name: parameter.name.clone(), line, error: Box::new(error) };
    region.holds(&layout).map_err(failed)
}

/// How many blocks there are along each dimension, and in all.
fn grid(program: &Program, symbols: &Symbols) -> Result<(Vec<i64>, usize), RunError> {
    // a program without a grid has a single block
    let Some(line) = program.grid_line else { return Ok((vec![], 1)) };
    let grid = program.grid.iter().map(|extent| symbols.number(extent, line)).collect::<Result<Vec<_>, _>>()?;
    let all = grid.iter().try_fold(1i64, |all, extent| all.checked_mul(*extent)).filter(|all| *all <= MOST_BLOCKS);
    let along = |extent: &i64| (0..=i64::from(i32::MAX)).contains(extent);
    match all.and_then(|all| usize::try_from(all).ok()) {
        Some(all) if grid.iter().all(along) => Ok((grid, all)),
        _ => Err(RunError::Grid { line, grid }),
    }
}

/// The statements without symbols.
fn bind(body: &mut Body, symbols: &Symbols) -> Result<(), RunError> {
    body.each_mut(&mut |Statement { line, kind, .. }| {
        match kind {
            Kind::Extent { value, .. } => {
                let sum = Bound::of(&Int::known(symbols.number(value, *line)?));
                **value = Quotient { sum, by: 1 };
            }
            Kind::Load { chunk, .. } | Kind::Store { chunk, .. } => {
                let failed = |e: ViewError| RunError::Access { line: *line, error: Box::new(e) };
                chunk.view = chunk.view.bind(&symbols.values()).map_err(failed)?;
            }
            _ => {}
        }
        Ok(())
    })
}

/// Can the memory that was passed be accessed as the statements do, whatever the chunk?
fn admits(body: &Body, given: &[Given]) -> Result<(), RunError> {
    body.each(&mut |Statement { line, kind, .. }| {
        if let Kind::Load { chunk, .. } | Kind::Store { chunk, .. } = kind
            && let Given::Constant(region) | Given::Shared(region) = &given[chunk.parameter]
        {
            let failed = |e: ViewError| RunError::Access { line: *line, error: Box::new(e) };
            region.admits(&chunk.view, &chunk.access).map_err(failed)?;
        }
        Ok(())
    })
}

/// What the statements do to memory.
struct Facts {
    /// of each parameter: is its memory stored to?
    stored: Vec<bool>,
    /// may a block see what another one stored: is memory that is stored to loaded by strong operations?
    ordered: bool,
}

impl Facts {
    fn of(body: &Body, parameters: usize) -> Facts {
        let (mut stored, mut watched) = (vec![false; parameters], vec![false; parameters]);
        let Ok(()) = body.each(&mut |statement| {
            match &statement.kind {
                Kind::Load { chunk, .. } => watched[chunk.parameter] |= Touch::of(&chunk.access) == Touch::StrongLoad,
                Kind::Store { chunk, .. } => stored[chunk.parameter] = true,
                _ => {}
            }
            Ok::<(), Infallible>(())
        });
        let ordered = stored.iter().zip(&watched).any(|(stored, watched)| *stored && *watched);
        Facts { stored, ordered }
    }
}

/// How many elements of each output no block stored.
fn unwritten(program: &Program, records: &[Vec<Record>], symbols: &Symbols) -> Result<Vec<(String, i64)>, RunError> {
    let mut unwritten = vec![];
    for (parameter, records) in program.parameters.iter().zip(records) {
        if let ParameterKind::Span(layout, Use::Out) = &parameter.kind {
            let size = symbols.bound(parameter.line, |values| layout.bind(values)?.size())?;
            let stored = Footprint::union(records.iter().map(|record| &record.elements));
            unwritten.push((parameter.name.clone(), size - stored.len() as i64));
        }
    }
    Ok(unwritten)
}

/// The race whose later access is of the first block; of equal ones that of the first parameter.
fn first_race(
    program: &Program,
    records: &[Vec<Record>],
    symbols: &Symbols,
    grid: &[i64],
) -> Result<Option<RunError>, RunError> {
    let found = program.parameters.iter().zip(records).filter_map(|(parameter, records)| {
        let (first, second, offset) = race::find(records)?;
        Some((parameter, &records[first], &records[second], offset))
    });
    let Some((parameter, first, second, offset)) = found.min_by_key(|(_, _, second, _)| second.block) else {
        return Ok(None);
    };
    let ParameterKind::Span(layout, _) = &parameter.kind else { return Ok(None) };
    let party =
        |record: &Record| Party { block: coordinate(grid, record.block), line: record.line, does: record.touch };
    let race = Race {
        name: parameter.name.clone(),
        element: symbols.bound(parameter.line, |values| element(&layout.bind(values)?, offset))?,
        first: party(first),
        second: party(second),
    };
    Ok(Some(RunError::Race(Box::new(race))))
}

/// The coordinate of the element at an offset, a number for each dimension.
fn element(span: &Layout, offset: usize) -> Result<IntTuple, LayoutError> {
    let Some(index) = span.offsets()?.position(|at| usize::try_from(at) == Ok(offset)) else {
        unreachable!("what is accessed is an element of the span")
    };
    let extents = (0..span.rank()).map(|dim| span.mode(dim)?.size()).collect::<Result<Vec<_>, _>>()?;
    match coordinate(&extents, index)[..] {
        [one] => Ok(IntTuple::int(one)),
        ref all => IntTuple::flat(all),
    }
}

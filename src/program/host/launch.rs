//! A launch: arguments are checked, blocks evaluated, and what they stored is stored.

use super::argument::{Argument, Passed, What};
use super::block::{Given, Launch, coordinate};
use super::error::{Party, Race, RunError};
use super::race;
use super::region::Record;
use super::run::{Outcome, in_order, in_parallel};
use super::symbols::Symbols;
use crate::layout::{Bound, Int, Layout, LayoutError, Name};
use crate::program::ir::{Body, Kind, Parameter, ParameterKind, Program, Use};
use crate::view::ViewError;
use std::{num::NonZero, thread};

/// A launch of a program on the host: arguments, values of symbols, a number of threads.
///
/// Stores are kept aside until all blocks are done, so that a run takes about as much memory again as the program stores.
/// ```
/// # use girih::{Shape, program::*, view::Zero};
/// let p = program("double", |p| {
///     let n = p.symbol("n");
///     let y = p.inout::<f32, 1>("y", [n]).partition::<Shape![4]>();
///     let [i] = p.grid([n.ceil_div(4)]);
///     y.store_masked(&(y.load_masked::<Zero>(i) * 2), i);
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

/// What a run was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// the values of the program's symbols, in their order
    pub symbols: Vec<(Name, i64)>,
    /// how many blocks there were along each dimension
    pub grid: Vec<i64>,
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

    /// How many threads evaluate blocks; as many as the machine has, if this is not called. Results do not depend on it.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
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
            let (left, right) = (symbols.number(&condition.left)?, symbols.number(&condition.right)?);
            if !condition.relation.holds(left, right) {
                return Err(RunError::Requirement { condition: *condition, line, left, right });
            }
        }
        let grid = program.grid.iter().map(|extent| symbols.number(extent)).collect::<Result<Vec<_>, _>>()?;
        let blocks = blocks(&grid)?;
        for (parameter, passed) in program.parameters.iter().zip(&passed) {
            check(parameter, passed, &symbols)?;
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
        let launch = Launch { body: &body, types: &program.types, grid: &grid, given: &given };
        let Outcome { log, error } = match facts.ordered {
            true => in_order(launch, blocks),
            false => in_parallel(launch, blocks, self.threads),
        };
        if let Some(race) = first_race(program, &given, &log, &symbols, &grid)? {
            return Err(race);
        }
        if let Some(error) = error {
            return Err(error);
        }
        for (given, records) in given.iter_mut().zip(log) {
            let Given::Shared(region) = given else { continue };
            for Record { block, line, stored, .. } in records {
                if let Some((place, tile)) = stored {
                    let stop =
                        |e: ViewError| RunError::Block { block: coordinate(&grid, block), line, error: e.into() };
                    region.apply(&place, &tile).map_err(stop)?;
                }
            }
        }
        let of_symbol = |&symbol: &Name| Ok((symbol, symbols.number(&Bound::of(&Int::of_name(symbol, 1)?))?));
        let symbols = program.symbols.iter().map(of_symbol).collect::<Result<_, LayoutError>>()?;
        Ok(Report { symbols, grid })
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
    program.parameters.iter().map(one).collect()
}

/// The values of all symbols.
fn values(program: &Program, given: &[(String, i64)], passed: &[Passed]) -> Result<Symbols, RunError> {
    let mut symbols = Symbols::default();
    for (name, value) in given {
        if program.symbols.iter().all(|symbol| symbol.to_string() != *name) {
            return Err(RunError::NoSymbol { name: name.clone() });
        }
        symbols.give(name, *value);
    }
    let spans = || {
        program.parameters.iter().zip(passed).filter_map(|(parameter, passed)| match (&parameter.kind, &passed.what) {
            (ParameterKind::Span(layout, _), What::Memory(region)) => Some((layout, region.len(), &passed.extents)),
            _ => None,
        })
    };
    for (layout, _, extents) in spans() {
        symbols.from_extents(layout, extents.as_deref().unwrap_or_default());
    }
    // what one length tells may make another one tell
    for _ in passed {
        spans().for_each(|(layout, len, _)| symbols.from_length(layout, len));
    }
    symbols.complete(&program.symbols)?;
    Ok(symbols)
}

/// Is this the right argument?
fn check(parameter: &Parameter, passed: &Passed, symbols: &Symbols) -> Result<(), RunError> {
    let name = || parameter.name.clone();
    let element = match &passed.what {
        What::Scalar(tile) => tile.element(),
        What::Memory(region) => region.element(),
    };
    let scalar = matches!(passed.what, What::Scalar(_));
    if scalar != matches!(parameter.kind, ParameterKind::Scalar) {
        return Err(RunError::Shape { name: name(), scalar });
    }
    if element != parameter.element {
        return Err(RunError::Element { name: name(), got: element, expected: parameter.element });
    }
    let (ParameterKind::Span(layout, direction), What::Memory(region)) = (&parameter.kind, &passed.what) else {
        return Ok(());
    };
    if *direction != Use::In && !region.is_writable() {
        return Err(RunError::ReadOnly { name: name() });
    }
    let layout = layout.bind(&symbols.values())?;
    if let Some(extents) = &passed.extents {
        let lengths: Result<Vec<i64>, _> = (0..layout.rank()).map(|dim| layout.mode(dim)?.size()).collect();
        if lengths? != *extents {
            return Err(RunError::Extents { name: name(), got: extents.clone(), expected: layout.shape().to_string() });
        }
    }
    region.holds(&layout).map_err(|error| RunError::Memory { name: name(), error })
}

/// How many blocks there are.
fn blocks(grid: &[i64]) -> Result<usize, RunError> {
    let most = i64::from(i32::MAX);
    let fits = |(dim, &extent): (usize, &i64)| match (1..=most).contains(&extent) {
        true => Ok(extent),
        false => Err(RunError::Grid { dim, extent }),
    };
    let extents = grid.iter().enumerate().map(fits).collect::<Result<Vec<_>, _>>()?;
    let all =
        extents.iter().try_fold(1i64, |all, extent| all.checked_mul(*extent)).and_then(|all| usize::try_from(all).ok());
    all.ok_or(RunError::Layout(LayoutError::Overflow))
}

/// The statements without symbols.
fn bind(block: &mut Body, symbols: &Symbols) -> Result<(), RunError> {
    for statement in &mut block.statements {
        let line = statement.line;
        match &mut statement.kind {
            Kind::Extent { value, .. } => *value = value.bind(&symbols.values())?,
            Kind::Load { chunk, .. } | Kind::Store { chunk, .. } => {
                let failed = |e: ViewError| RunError::Block { block: vec![], line, error: e.into() };
                chunk.view = chunk.view.bind(&symbols.values()).map_err(failed)?;
            }
            Kind::For { body, .. } => bind(body, symbols)?,
            Kind::If { then, otherwise, .. } => {
                bind(then, symbols)?;
                bind(otherwise, symbols)?;
            }
            Kind::Let { .. } | Kind::BlockId { .. } | Kind::Scalar { .. } => {}
        }
    }
    Ok(())
}

/// What the statements do to memory.
struct Facts {
    /// of each parameter: is its memory stored to?
    stored: Vec<bool>,
    /// of each parameter: is it loaded by strong operations?
    watched: Vec<bool>,
    /// may a block see what another one stored?
    ordered: bool,
}

impl Facts {
    fn of(body: &Body, parameters: usize) -> Facts {
        let mut facts = Facts { stored: vec![false; parameters], watched: vec![false; parameters], ordered: false };
        facts.collect(body);
        facts.ordered = facts.stored.iter().zip(&facts.watched).any(|(stored, watched)| *stored && *watched);
        facts
    }

    fn collect(&mut self, block: &Body) {
        for statement in &block.statements {
            match &statement.kind {
                Kind::Load { chunk, .. } => self.watched[chunk.parameter] |= chunk.access.strong.is_some(),
                Kind::Store { chunk, .. } => self.stored[chunk.parameter] = true,
                Kind::For { body, .. } => self.collect(body),
                Kind::If { then, otherwise, .. } => {
                    self.collect(then);
                    self.collect(otherwise);
                }
                Kind::Let { .. } | Kind::BlockId { .. } | Kind::Extent { .. } | Kind::Scalar { .. } => {}
            }
        }
    }
}

/// The race whose later access is of the first block; of equal ones that of the first parameter.
fn first_race(
    program: &Program,
    given: &[Given],
    log: &[Vec<Record>],
    symbols: &Symbols,
    grid: &[i64],
) -> Result<Option<RunError>, RunError> {
    let found = program.parameters.iter().zip(given).zip(log).filter_map(|((parameter, given), records)| match given {
        Given::Shared(region) => race::find(records, region.len()).map(|race| (parameter, race)),
        Given::Scalar(_) | Given::Constant(_) => None,
    });
    let Some((parameter, (first, second, offset))) = found.min_by_key(|(_, (_, second, _))| second.block) else {
        return Ok(None);
    };
    let ParameterKind::Span(layout, _) = &parameter.kind else { return Ok(None) };
    let party =
        |record: &Record| Party { block: coordinate(grid, record.block), line: record.line, does: record.touch };
    let race = Race {
        name: parameter.name.clone(),
        element: element(&layout.bind(&symbols.values())?, offset)?,
        first: party(first),
        second: party(second),
    };
    Ok(Some(RunError::Race(Box::new(race))))
}

/// The coordinate of the element at an offset.
fn element(span: &Layout, offset: usize) -> Result<crate::layout::IntTuple, LayoutError> {
    let index = span.offsets()?.position(|at| at as usize == offset).unwrap_or_default();
    span.coord_at(index as i64)
}

//! The builder: parameters, symbols, the grid, and what is recorded.

use super::ir::{Body, Id, Kind, Line, Parameter, ParameterKind, Program, Statement, Symbol};
use super::{Comparison, Extent, Fault, Known, Node, ProgramError, Var, live};
use crate::layout::{Bound, Int, Name};
use crate::tile::typed::{Counts, HasZero};
use crate::tile::{Element, Integer, Op, Tile, TileShape, TileType, cast};
use core::cell::RefCell;

/// A program, from a function that builds it.
///
/// The function may end with `Ok(())` and use `?` for what tiles, views and layouts refuse.
///
/// # Errors
/// The first mistake that the types of the tiles could not show, with its line: see [`Fault`]. What `?` returned comes with the
/// line of this call.
/// ```
/// use girih::prelude::*;
/// let p = program("next", |p| {
///     let y = p.inout::<i32, 1>("y", [4]).partition::<Shape![4]>();
///     y.store(y.load(0) + 1, 0);
/// })?;
/// let mut y = [1, 2, 3, 4];
/// p.host().arg("y", &mut y).run()?;
/// assert_eq!(y, [2, 3, 4, 5]);
///
/// let e = program("twice", |p| {
///     p.symbol("n");
///     p.symbol("n");
/// });
/// let e = e.unwrap_err();
/// assert!(e.to_string().ends_with("`n` names something else already"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
/// ```
/// # use girih::program::*;
/// let p = program("transposed", |p| {
///     p.symbol("n");
///     p.input_with::<f32, 2>("x", "(?n,8):(1,?n)".parse()?);
///     Ok(())
/// })?;
/// assert_eq!(format!("{p:#}"), "program transposed(x: f32(?n,8):(1,?n) in)\n  symbols ?n\n");
/// # Ok::<(), ProgramError>(())
/// ```
#[track_caller]
pub fn program<O: Outcome>(name: &str, build: impl FnOnce(&Builder) -> O) -> Result<Program, ProgramError> {
    let builder = Builder::new(name);
    builder.name(name);
    if let Err(fault) = build(&builder).outcome() {
        builder.fail(fault, ());
    }
    builder.finish()
}

/// What a function that builds a program returns: nothing, or a [`Fault`] instead.
#[diagnostic::on_unimplemented(
    message = "a program is built by a function that returns `()` or `Result<(), Fault>`, not `{Self}`",
    note = "end it with a semicolon, or with `Ok(())` if it uses `?`"
)]
pub trait Outcome {
    /// As a result.
    ///
    /// # Errors
    /// What it is.
    fn outcome(self) -> Result<(), Fault>;
}
impl Outcome for () {
    fn outcome(self) -> Result<(), Fault> {
        Ok(())
    }
}
impl Outcome for Result<(), Fault> {
    fn outcome(self) -> Result<(), Fault> {
        self
    }
}

/// Records a program: its methods declare what the program gets and make the tiles that are not made of others.
///
/// The tiles are [`Var`]s: typed [tiles](Tile) with all the methods and operators, each of which records one operation.
pub struct Builder {
    state: RefCell<State>,
}

/// How deep loops and branches nest. To execute them takes half a mebibyte of stack without optimization, and a thread has two.
pub(super) const MOST_NESTED: usize = 64;

struct State {
    program: Program,
    /// the blocks around the next statement, the innermost last
    open: Vec<Open>,
    /// how many blocks there were
    blocks: usize,
    /// of each value the block and the line that made it
    made: Vec<(usize, Line)>,
    error: Option<ProgramError>,
}

struct Open {
    number: usize,
    statements: Vec<Statement>,
}

impl Builder {
    fn new(name: &str) -> Builder {
        let program = Program {
            name: name.into(),
            symbols: vec![],
            parameters: vec![],
            requirements: vec![],
            grid: vec![],
            grid_line: None,
            types: vec![],
            body: Body::default(),
        };
        let body = Open { number: 0, statements: vec![] };
        Builder { state: RefCell::new(State { program, open: vec![body], blocks: 1, made: vec![], error: None }) }
    }

    fn finish(self) -> Result<Program, ProgramError> {
        let State { mut program, mut open, error, .. } = self.state.into_inner();
        if let Some(error) = error {
            return Err(error);
        }
        symbols_are_own(&program)?;
        program.body.statements = open.pop().map(|body| body.statements).unwrap_or_default();
        live::mark(&mut program.body, &[]);
        Ok(program)
    }

    /// A number that every launch knows, at least 1. Its name is an identifier of up to eight letters, digits and `_`.
    #[track_caller]
    pub fn symbol(&self, name: &str) -> Extent<'_> {
        self.symbol_multiple_of(name, 1)
    }

    /// A symbol that is a multiple of a number, `?n{8}`: layouts and tilings know it, and every launch is checked.
    /// ```
    /// # use girih::program::*;
    /// let p = program("p", |p| p.require(p.symbol_multiple_of("n", 8).le(64)))?;
    /// assert!(p.host().bind("n", 16).run().is_ok());
    /// let e = p.host().bind("n", 12).run().unwrap_err();
    /// assert!(e.to_string().ends_with("?n = 12: a symbol is at least 1 and this one a multiple of 8"));
    /// # Ok::<(), ProgramError>(())
    /// ```
    #[track_caller]
    pub fn symbol_multiple_of(&self, name: &str, multiple: u32) -> Extent<'_> {
        self.name(name);
        let symbol = Int::symbol(name, multiple).and_then(|symbol| Ok((symbol, Name::new(name)?)));
        let value = match symbol {
            Ok((value, name)) if self.state.borrow().program.symbols.iter().all(|symbol| symbol.name != name) => {
                self.state.borrow_mut().program.symbols.push(Symbol { name, multiple, line: Line::here() });
                value
            }
            Ok((value, _)) => self.fail(Fault::NameTaken { name: name.into() }, value),
            Err(e) => self.fail(e.into(), Int::known(1)),
        };
        Extent::new(self, Bound::of(&value))
    }

    /// A condition that every launch must satisfy: what the program is right for.
    #[track_caller]
    pub fn require<'t>(&'t self, comparison: Comparison<'t>) {
        let Comparison { builder, condition } = comparison;
        if !core::ptr::eq(self, builder) {
            return self.fail(Fault::Foreign, ());
        }
        self.state.borrow_mut().program.requirements.push((condition, Line::here()));
    }

    /// How many blocks there are along each dimension, and the coordinate of the one that executes this.
    ///
    /// A program without it has a single block.
    /// ```
    /// # use girih::{Shape, program::*};
    /// let p = program("table", |p| {
    ///     let [rows, cols] = ["rows", "cols"].map(|name| p.symbol(name));
    ///     let y = p.output::<i32, 2>("y", [rows, cols]).partition::<Shape![1, 1]>();
    ///     let [i, j] = p.grid([rows, cols]);
    ///     y.store(&(i * 10 + j).reshape(), (i, j));
    /// })?;
    /// let mut y = [0; 6];
    /// let report = p.host().arg("y", (&mut y, [2, 3])).run()?;
    /// assert_eq!((y, report.grid), ([0, 1, 2, 10, 11, 12], vec![2, 3]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn grid<'t, const R: usize>(&'t self, extents: [Extent<'t>; R]) -> [Var<'t, i32, ()>; R] {
        let here = Line::here();
        let mut grid = vec![];
        for extent in extents {
            grid.push(self.own(extent).value());
        }
        let first = self.state.borrow().program.grid_line;
        match first {
            Some(first) => self.fail(Fault::SecondGrid { first }, ()),
            None => {
                let mut state = self.state.borrow_mut();
                state.program.grid_line = Some(here);
                state.program.grid = grid;
            }
        }
        let mut nodes = [Node::none(self); R];
        for (dim, node) in nodes.iter_mut().enumerate() {
            *node = *self.block_id(dim).value();
        }
        nodes.map(Tile::wrap)
    }

    /// The coordinate of the block along a dimension of the grid.
    #[track_caller]
    pub fn block_id(&self, dim: usize) -> Var<'_, i32, ()> {
        let rank = self.state.borrow().program.grid.len();
        if dim >= rank {
            return Tile::wrap(self.fail(Fault::NoGridDimension { dim, rank }, Node::none(self)));
        }
        self.leaf(|result| Kind::BlockId { result, dim })
    }

    /// One element that the launch passes.
    #[track_caller]
    pub fn scalar<E: Element>(&self, name: &str) -> Var<'_, E, ()> {
        let parameter = self.parameter(
            name,
            Parameter { line: Line::here(), name: name.into(), element: E::TYPE, kind: ParameterKind::Scalar },
        );
        self.leaf(|result| Kind::Scalar { result, parameter })
    }

    /// An extent as a scalar: an error of the launch if the type does not have the number.
    #[track_caller]
    pub fn value<'t, I: Integer>(&'t self, extent: Extent<'t>) -> Var<'t, I, ()> {
        let value = Box::new(self.own(extent).value());
        self.leaf(|result| Kind::Extent { result, value })
    }

    /// An extent, if it is one of this program.
    #[track_caller]
    pub(super) fn own<'t>(&'t self, number: impl Known<'t>) -> Extent<'t> {
        let extent = number.extent(self);
        match core::ptr::eq(self, extent.builder()) {
            true => extent,
            false => self.fail(Fault::Foreign, 1.extent(self)),
        }
    }

    /// A name is one that a listing shows as a name.
    #[track_caller]
    fn name(&self, name: &str) {
        let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
        let identifier = name.starts_with(letter) && name.chars().all(|c| letter(c) || c.is_ascii_digit());
        if !identifier || ["true", "false", "inf", "NaN"].contains(&name) {
            self.fail(Fault::Name { name: name.into() }, ());
        }
    }

    /// All elements equal to one.
    #[track_caller]
    pub fn full<E: Element, S: TileShape>(&self, x: E) -> Var<'_, E, S> {
        Tile::wrap(self.operation(Op::Full(Tile::<E, S>::TYPE, x.to_bits()), &[]))
    }

    /// All elements 1; of `bool`, `true`.
    #[track_caller]
    pub fn ones<E: Element, S: TileShape>(&self) -> Var<'_, E, S> {
        self.full(cast(true))
    }

    /// All elements 0.
    #[track_caller]
    pub fn zeros<E: HasZero, S: TileShape>(&self) -> Var<'_, E, S> {
        self.full(E::from_bits(0))
    }

    /// 0, 1, 2, ... in row-major order; the last number exists in the type.
    #[track_caller]
    pub fn iota<E: Counts<S::Size>, S: TileShape>(&self) -> Var<'_, E, S> {
        Tile::wrap(self.operation(Op::Iota(Tile::<E, S>::TYPE), &[]))
    }

    /// A value that no tile is needed for.
    #[track_caller]
    fn leaf<E: Element>(&self, kind: impl FnOnce(Id) -> Kind) -> Var<'_, E, ()> {
        let result = self.fresh(TileType::scalar(E::TYPE));
        self.push(kind(result));
        Tile::wrap(Node::new(self, result))
    }

    /// The number of a parameter.
    #[track_caller]
    pub(super) fn parameter(&self, name: &str, parameter: Parameter) -> usize {
        self.name(name);
        let taken = self.state.borrow().program.parameters.iter().any(|p| p.name == name);
        if taken {
            self.fail(Fault::NameTaken { name: name.into() }, ());
        }
        let mut state = self.state.borrow_mut();
        state.program.parameters.push(parameter);
        state.program.parameters.len() - 1
    }

    /// The first mistake is kept; `instead` goes on.
    #[track_caller]
    pub(super) fn fail<T>(&self, fault: Fault, instead: T) -> T {
        self.state.borrow_mut().error.get_or_insert(ProgramError { line: Line::here(), fault });
        instead
    }

    /// A new value in the innermost block.
    #[track_caller]
    pub(super) fn fresh(&self, ty: TileType) -> Id {
        let mut state = self.state.borrow_mut();
        let id = Id(state.made.len() as u32);
        let block = state.open.last().map_or(0, |open| open.number);
        state.made.push((block, Line::here()));
        state.program.types.push(ty);
        id
    }

    /// A statement behind the others of the innermost block.
    #[track_caller]
    pub(super) fn push(&self, kind: Kind) {
        if let Some(open) = self.state.borrow_mut().open.last_mut() {
            open.statements.push(Statement { line: Line::here(), kind, last: vec![] });
        }
    }

    /// A statement that applies an operation; none, and no value, if it has no result.
    #[track_caller]
    pub(super) fn operation(&self, op: Op, operands: &[&Node]) -> Node<'_> {
        let none = Node::none(self);
        let Some(operands) = self.usable_all(operands.iter().copied()) else { return none };
        let types = self.types(&operands);
        match op.result(&types) {
            Ok(ty) => {
                let result = self.fresh(ty);
                self.push(Kind::Let { result, op, operands });
                Node::new(self, result)
            }
            Err(e) => self.fail(e.into(), none),
        }
    }

    /// What was declared.
    pub(super) fn declared(&self, parameter: usize) -> Parameter {
        self.state.borrow().program.parameters[parameter].clone()
    }

    /// What values are.
    pub(super) fn types(&self, values: &[Id]) -> Vec<TileType> {
        let state = self.state.borrow();
        values.iter().map(|id| state.program.types[id.index()]).collect()
    }

    /// The value of a node, if it may be used here.
    #[track_caller]
    pub(super) fn usable(&self, node: &Node) -> Option<Id> {
        if !core::ptr::eq(self, node.builder()) {
            return self.fail(Fault::Foreign, None);
        }
        let id = node.id()?;
        let (block, made) = self.state.borrow().made[id.index()];
        if self.state.borrow().open.iter().any(|open| open.number == block) {
            return Some(id);
        }
        let ty = self.types(&[id])[0];
        self.fail(Fault::OutOfScope { made, ty }, None)
    }

    /// The values of nodes, if all of them may be used here.
    #[track_caller]
    pub(super) fn usable_all<'n>(&self, nodes: impl IntoIterator<Item = &'n Node<'n>>) -> Option<Vec<Id>> {
        // no closure: it would hide the caller's line
        let mut ids = vec![];
        for node in nodes {
            ids.push(self.usable(node)?);
        }
        Some(ids)
    }

    /// New values of these types in the innermost block.
    #[track_caller]
    pub(super) fn fresh_all(&self, types: &[TileType]) -> Vec<Id> {
        let mut ids = vec![];
        for ty in types {
            ids.push(self.fresh(*ty));
        }
        ids
    }

    /// Begins a block in the innermost one: what follows is recorded there.
    #[track_caller]
    pub(super) fn open(&self) {
        if self.depth() == MOST_NESTED {
            self.fail(Fault::Nested, ());
        }
        let mut state = self.state.borrow_mut();
        let number = state.blocks;
        state.blocks += 1;
        state.open.push(Open { number, statements: vec![] });
    }

    /// How many loops and branches there are around the next statement.
    pub(super) fn depth(&self) -> usize {
        self.state.borrow().open.len() - 1
    }

    /// Ends the innermost block, which yields these tiles.
    #[track_caller]
    pub(super) fn close<'n>(&self, results: impl IntoIterator<Item = &'n Node<'n>>) -> Option<Body> {
        let results = self.usable_all(results);
        let statements = self.state.borrow_mut().open.pop()?.statements;
        Some(Body { statements, results: results? })
    }
}

/// Every symbol in a layout of memory is one of the program's.
fn symbols_are_own(program: &Program) -> Result<(), ProgramError> {
    for Parameter { line, kind, .. } in &program.parameters {
        let ParameterKind::Span(layout, _) = kind else { continue };
        let ints = (0..layout.leaves()).flat_map(|leaf| [layout.extent_int(leaf), layout.stride_int(leaf)]);
        for int in ints {
            let unknown =
                int.divisors().map(|(name, ..)| name).find(|name| program.symbols.iter().all(|s| s.name != *name));
            if let Some(symbol) = unknown {
                return Err(ProgramError { line: *line, fault: Fault::Undeclared { symbol } });
            }
        }
    }
    Ok(())
}

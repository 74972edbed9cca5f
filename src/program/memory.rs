//! Memory that a program will be given: spans over it record loads and stores.

use super::ir::{Chunk, Direction, Kind, Line, Parameter, ParameterKind};
use super::{Builder, Fault, Known, Node};
use crate::layout::{Bound, IntTuple, Layout};
use crate::tile::Element;
use crate::view::{self, Access, At, Memory, MemoryMut, Numbered, Rank, Runtime, TensorSpan, View, ViewError};

/// Memory that a program only loads from.
#[derive(Clone, Copy)]
pub struct Input<'t> {
    builder: &'t Builder,
    parameter: usize,
}

/// Memory that a program stores to.
#[derive(Clone, Copy)]
pub struct Output<'t> {
    memory: Input<'t>,
    loaded: bool,
}

/// A span of a program: its views load and store as those of memory at hand, with [`Var`](super::Var)s for tiles.
pub type Span<'t, E, const R: usize, M = Input<'t>> = TensorSpan<E, Runtime<R>, M>;

impl<'t> Input<'t> {
    /// A chunk whose index may be used here.
    #[track_caller]
    fn chunk(&self, view: &View, access: &Access, index: &[At<Node<'t>>]) -> Option<Chunk> {
        let known = index.iter().map(|at| match at {
            At::Number(n) => Some(*n),
            At::Tile(_) => None,
        });
        if let Err(e) = view::foreseen(view, access, known) {
            return self.builder.fail(e.into(), None);
        }
        let mut entries = vec![];
        for at in index {
            entries.push(match at {
                At::Number(n) => At::Number(*n),
                At::Tile(node) => At::Tile(self.builder.usable(node)?),
            });
        }
        Some(Chunk { parameter: self.parameter, view: *view, access: *access, index: entries })
    }
}

impl<'t, E: Element> Memory<E> for Input<'t> {
    type Value = Node<'t>;
    type Done<T> = T;

    /// What a launch passes is checked then.
    fn holds(&self, _: &Layout) -> Result<(), ViewError> {
        Ok(())
    }

    #[track_caller]
    fn load<T>(&self, view: &View, access: &Access, index: &[At<Node<'t>>], wrap: impl FnOnce(Node<'t>) -> T) -> T {
        let Some(chunk) = self.chunk(view, access, index) else { return wrap(Node::none(self.builder)) };
        let result = self.builder.fresh(view.tile());
        self.builder.push(Kind::Load { result, chunk });
        wrap(Node::new(self.builder, result))
    }
}

impl<'t, E: Element> Memory<E> for Output<'t> {
    type Value = Node<'t>;
    type Done<T> = T;

    fn holds(&self, _: &Layout) -> Result<(), ViewError> {
        Ok(())
    }

    #[track_caller]
    fn load<T>(&self, view: &View, access: &Access, index: &[At<Node<'t>>], wrap: impl FnOnce(Node<'t>) -> T) -> T {
        if !self.loaded {
            let none = Node::none(self.memory.builder);
            return wrap(self.memory.builder.fail(Fault::LoadFromOutput, none));
        }
        Memory::<E>::load(&self.memory, view, access, index, wrap)
    }
}

impl<'t, E: Element> MemoryMut<E> for Output<'t> {
    #[track_caller]
    fn store(&self, view: &View, access: &Access, tile: &Node<'t>, index: &[At<Node<'t>>]) {
        let builder = self.memory.builder;
        if !self.loaded && matches!(access.kind, view::Kind::Atomic(_)) {
            return builder.fail(Fault::AtomicOnOutput, ());
        }
        if let (Some(tile), Some(chunk)) = (builder.usable(tile), self.memory.chunk(view, access, index)) {
            builder.push(Kind::Store { tile, chunk });
        }
    }
}

impl Builder {
    /// Memory to load from: a tensor of these extents in row-major order.
    #[track_caller]
    pub fn input<E: Element, const R: usize>(&self, name: &str, extents: impl Extents<R>) -> Span<'_, E, R>
    where
        Rank<R>: Numbered,
    {
        self.input_with(name, self.row_major(extents))
    }

    /// Memory to load from: a tensor of any layout, symbols in it included.
    #[track_caller]
    pub fn input_with<E: Element, const R: usize>(&self, name: &str, layout: Layout) -> Span<'_, E, R>
    where
        Rank<R>: Numbered,
    {
        let parameter = self.span_parameter::<E>(name, layout, Direction::In);
        self.span(layout, Input { builder: self, parameter })
    }

    /// Memory to store to: a tensor of these extents in row-major order. It is not loaded from.
    #[track_caller]
    pub fn output<E: Element, const R: usize>(&self, name: &str, extents: impl Extents<R>) -> Span<'_, E, R, Output<'_>>
    where
        Rank<R>: Numbered,
    {
        self.output_with(name, self.row_major(extents))
    }

    /// Memory to store to: a tensor of any layout that has no element twice.
    #[track_caller]
    pub fn output_with<E: Element, const R: usize>(&self, name: &str, layout: Layout) -> Span<'_, E, R, Output<'_>>
    where
        Rank<R>: Numbered,
    {
        let parameter = self.span_parameter::<E>(name, layout, Direction::Out);
        self.span(layout, Output { memory: Input { builder: self, parameter }, loaded: false })
    }

    /// Memory to load from and to store to: a tensor of these extents in row-major order.
    #[track_caller]
    pub fn inout<E: Element, const R: usize>(&self, name: &str, extents: impl Extents<R>) -> Span<'_, E, R, Output<'_>>
    where
        Rank<R>: Numbered,
    {
        self.inout_with(name, self.row_major(extents))
    }

    /// Memory to load from and to store to: a tensor of any layout that has no element twice.
    #[track_caller]
    pub fn inout_with<E: Element, const R: usize>(&self, name: &str, layout: Layout) -> Span<'_, E, R, Output<'_>>
    where
        Rank<R>: Numbered,
    {
        let parameter = self.span_parameter::<E>(name, layout, Direction::InOut);
        self.span(layout, Output { memory: Input { builder: self, parameter }, loaded: true })
    }

    #[track_caller]
    fn span_parameter<E: Element>(&self, name: &str, layout: Layout, direction: Direction) -> usize {
        let kind = ParameterKind::Span(layout, direction);
        self.parameter(name, Parameter { line: Line::here(), name: name.into(), element: E::TYPE, kind })
    }

    #[track_caller]
    fn row_major<const R: usize>(&self, extents: impl Extents<R>) -> Layout {
        let modes = extents.bounds().map(|bound| match bound.terms() {
            [one] => IntTuple::leaf(one).map_err(Fault::from),
            _ => Err(Fault::Sum { extent: Box::new(bound) }),
        });
        let layout = modes
            .into_iter()
            .collect::<Result<Vec<_>, _>>()
            .and_then(|modes| Ok(Layout::row_major(&IntTuple::tuple(&modes)?)?));
        match layout {
            Ok(layout) => layout,
            Err(fault) => self.fail(fault, Layout::UNIT),
        }
    }

    #[track_caller]
    fn span<E: Element, const R: usize, M: Memory<E>>(&self, layout: Layout, memory: M) -> TensorSpan<E, Runtime<R>, M>
    where
        Rank<R>: Numbered,
    {
        let mapping = match Runtime::new(layout) {
            Ok(mapping) => Ok(mapping),
            // another mapping of the rank stands in: the program has an error
            Err(e) => {
                self.fail(e.into(), Layout::flat(&[1; R], &[0; R]).map_err(ViewError::from).and_then(Runtime::new))
            }
        };
        match mapping.and_then(|mapping| TensorSpan::new(memory, mapping)) {
            Ok(span) => span,
            Err(e) => unreachable!("{e}"),
        }
    }
}

/// The extents of a span: numbers and [`Extent`](super::Extent)s in a tuple, or an array of one of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` are no {R} extents of a span",
    note = "extents are a tuple or an array of `i64`s and `Extent`s, one for each dimension: `[rows, cols]`, `(rows, 64)`"
)]
pub trait Extents<const R: usize> {
    /// As sums of monomials.
    fn bounds(self) -> [Bound; R];
}
impl<K: Known, const R: usize> Extents<R> for [K; R] {
    fn bounds(self) -> [Bound; R] {
        self.map(K::bound)
    }
}
macro_rules! extents {
    ($($rank:literal: $($k:ident)+;)+) => {$(
        #[allow(non_snake_case)]
        impl<$($k: Known),+> Extents<$rank> for ($($k,)+) {
            fn bounds(self) -> [Bound; $rank] {
                let ($($k,)+) = self;
                [$($k.bound()),+]
            }
        }
    )+};
}
extents! {
    1: A;
    2: A B;
    3: A B C;
    4: A B C D;
    5: A B C D E;
}

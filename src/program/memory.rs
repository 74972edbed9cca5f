//! Memory that a program will be given: spans over it record loads and stores.

use super::ir::{ChunkAccess, Kind, Line, Parameter, ParameterKind, Use};
use super::{Builder, Extent, Fault, Known, Node, Quotient};
use crate::layout::{IntTuple, Layout};
use crate::tile::Element;
use crate::view::{self, Access, At, Memory, MemoryMut, Numbered, Rank, Runtime, TensorSpan, View, ViewError};

/// Memory that a program only loads from: elements of one type, through the parameter's layout.
#[derive(Clone, Copy)]
pub struct Input<'t> {
    builder: &'t Builder,
    parameter: usize,
}

/// Memory that a program stores to: elements of one type, through the parameter's layout.
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
    fn chunk(&self, view: &View, access: &Access, index: &[At<Node<'t>>]) -> Option<ChunkAccess> {
        // a span can be made over the memory of another one
        let Parameter { name, element, kind, .. } = self.builder.declared(self.parameter);
        if element != view.element() {
            let fault = ViewError::Element { got: view.element(), expected: element };
            return self.builder.fail(Fault::of(&name, fault), None);
        }
        if let ParameterKind::Span(layout, _) = kind
            && *layout != *view.span()
        {
            let fault = Fault::SpanLayout { got: Box::new(*view.span()), expected: layout };
            return self.builder.fail(Fault::of(&name, fault), None);
        }
        // what is in a loop or a branch may never be executed
        let certain = self.builder.depth() == 0;
        let known = index.iter().map(|at| match at {
            At::Number(n) if certain => Some(*n),
            _ => None,
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
        Some(ChunkAccess { parameter: self.parameter, view: *view, access: *access, index: entries })
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
        if !self.loaded && matches!(access.kind, view::AccessKind::Atomic(_)) {
            return builder.fail(Fault::AtomicOnOutput, ());
        }
        if let (Some(tile), Some(chunk)) = (builder.usable(tile), self.memory.chunk(view, access, index)) {
            builder.push(Kind::Store { tile, chunk });
        }
    }
}

impl Builder {
    /// Memory to load from: a tensor of these extents in row-major order: an array of numbers or one of symbols, or a tuple of
    /// both: `[8, 4]`, `[rows, cols]`, `(rows, 4)`.
    #[track_caller]
    pub fn input<'t, E: Element, const R: usize>(&'t self, name: &str, extents: impl Extents<'t, R>) -> Span<'t, E, R>
    where
        Rank<R>: Numbered,
    {
        self.input_with(name, self.row_major(name, extents))
    }

    /// Memory to load from: a tensor of any layout, symbols in it included.
    /// ```
    /// # use girih::{Shape, program::*};
    /// let p = program("column", |p| {
    ///     p.symbol("ld");
    ///     // eight rows, of which the memory may have more columns than these four
    ///     let x = p.input_with::<i32, 2>("x", "(8,4):(?ld,1)".parse().unwrap()).partition::<Shape![8, 1]>();
    ///     let y = p.output::<i32, 1>("y", [8]).partition::<Shape![8]>();
    ///     y.store(&x.load((0, 1)).reshape(), 0);
    /// })?;
    /// let (x, mut y): (Vec<i32>, _) = ((0..80).collect(), [0; 8]);
    /// p.host().arg("x", &x).arg("y", &mut y).bind("ld", 10).run()?;
    /// assert_eq!(y, [1, 11, 21, 31, 41, 51, 61, 71]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn input_with<E: Element, const R: usize>(&self, name: &str, layout: Layout) -> Span<'_, E, R>
    where
        Rank<R>: Numbered,
    {
        let parameter = self.span_parameter::<E>(name, layout, Use::In);
        self.span(name, layout, Input { builder: self, parameter })
    }

    /// Memory to store to: a tensor of these extents in row-major order. It is not loaded from.
    #[track_caller]
    pub fn output<'t, E: Element, const R: usize>(
        &'t self,
        name: &str,
        extents: impl Extents<'t, R>,
    ) -> Span<'t, E, R, Output<'t>>
    where
        Rank<R>: Numbered,
    {
        self.output_with(name, self.row_major(name, extents))
    }

    /// Memory to store to: a tensor of any layout that has no element twice.
    #[track_caller]
    pub fn output_with<E: Element, const R: usize>(&self, name: &str, layout: Layout) -> Span<'_, E, R, Output<'_>>
    where
        Rank<R>: Numbered,
    {
        let parameter = self.span_parameter::<E>(name, layout, Use::Out);
        self.span(name, layout, Output { memory: Input { builder: self, parameter }, loaded: false })
    }

    /// Memory to load from and to store to: a tensor of these extents in row-major order.
    #[track_caller]
    pub fn inout<'t, E: Element, const R: usize>(
        &'t self,
        name: &str,
        extents: impl Extents<'t, R>,
    ) -> Span<'t, E, R, Output<'t>>
    where
        Rank<R>: Numbered,
    {
        self.inout_with(name, self.row_major(name, extents))
    }

    /// Memory to load from and to store to: a tensor of any layout that has no element twice.
    #[track_caller]
    pub fn inout_with<E: Element, const R: usize>(&self, name: &str, layout: Layout) -> Span<'_, E, R, Output<'_>>
    where
        Rank<R>: Numbered,
    {
        let parameter = self.span_parameter::<E>(name, layout, Use::InOut);
        self.span(name, layout, Output { memory: Input { builder: self, parameter }, loaded: true })
    }

    #[track_caller]
    fn span_parameter<E: Element>(&self, name: &str, layout: Layout, direction: Use) -> usize {
        let kind = ParameterKind::Span(Box::new(layout), direction);
        self.parameter(name, Parameter { line: Line::here(), name: name.into(), element: E::TYPE, kind })
    }

    /// A layout of these extents and strides, for `input_with` and its like: `p.layout([k, n], (1, k))` is a matrix of `n` rows
    /// of `k`, transposed. A stride may be 0.
    ///
    /// A sum among them is a [`Fault`], as it is in extents.
    #[track_caller]
    pub fn layout<'t, const R: usize>(&'t self, extents: impl Extents<'t, R>, strides: impl Extents<'t, R>) -> Layout {
        let (extents, strides) = (self.quotients(extents), self.quotients(strides));
        let parts = tuple(extents).and_then(|shape| Ok((shape, tuple(strides)?)));
        match parts.and_then(|(shape, strides)| Ok(Layout::new(&shape, &strides)?)) {
            Ok(layout) => layout,
            Err(fault) => self.fail(fault, unit::<R>()),
        }
    }

    #[track_caller]
    fn row_major<'t, const R: usize>(&'t self, name: &str, extents: impl Extents<'t, R>) -> Layout {
        match tuple(self.quotients(extents)).and_then(|shape| Ok(Layout::row_major(&shape)?)) {
            Ok(layout) => layout,
            Err(fault) => self.fail(Fault::of(name, fault), unit::<R>()),
        }
    }

    #[track_caller]
    fn quotients<'t, const R: usize>(&'t self, extents: impl Extents<'t, R>) -> Vec<Quotient> {
        let mut quotients = vec![];
        for extent in extents.extents(self) {
            quotients.push(self.own(extent).value());
        }
        quotients
    }

    #[track_caller]
    fn span<E: Element, const R: usize, M: Memory<E>>(
        &self,
        name: &str,
        layout: Layout,
        memory: M,
    ) -> TensorSpan<E, Runtime<R>, M>
    where
        Rank<R>: Numbered,
    {
        let mapping = match Runtime::new(layout) {
            Ok(mapping) => Ok(mapping),
            Err(e) => self.fail(Fault::of(name, e), Runtime::new(unit::<R>())),
        };
        match mapping.and_then(|mapping| TensorSpan::new(memory, mapping)) {
            Ok(span) => span,
            Err(e) => unreachable!("{e}"),
        }
    }
}

/// Extents or strides as a tuple.
fn tuple(numbers: Vec<Quotient>) -> Result<IntTuple, Fault> {
    let mut modes = vec![];
    for number in numbers {
        modes.push(match (number.sum.terms(), number.by) {
            ([], 1) => IntTuple::int(0),
            ([one], 1) => IntTuple::leaf(one)?,
            _ => return Err(Fault::Sum { extent: Box::new(number) }),
        });
    }
    Ok(IntTuple::tuple(&modes)?)
}

/// A layout of a rank, which stands in where there is none: the program has an error then.
fn unit<const R: usize>() -> Layout {
    Layout::flat(&[1; R], &[0; R]).unwrap_or(Layout::UNIT)
}

/// The extents of a span: numbers and [`Extent`](super::Extent)s in a tuple, or an array of one of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` are no {R} extents of a span",
    note = "extents are a tuple or an array of `i64`s and `Extent`s, one for each dimension: `[rows, cols]`, `(rows, 64)`"
)]
pub trait Extents<'t, const R: usize> {
    /// Each as an extent.
    fn extents(self, builder: &'t Builder) -> [Extent<'t>; R];
}
impl<'t, K: Known<'t>, const R: usize> Extents<'t, R> for [K; R] {
    fn extents(self, builder: &'t Builder) -> [Extent<'t>; R] {
        self.map(|k| k.extent(builder))
    }
}
macro_rules! extents {
    ($($rank:literal: $($k:ident)+;)+) => {$(
        #[allow(non_snake_case)]
        impl<'t, $($k: Known<'t>),+> Extents<'t, $rank> for ($($k,)+) {
            fn extents(self, builder: &'t Builder) -> [Extent<'t>; $rank] {
                let ($($k,)+) = self;
                [$($k.extent(builder)),+]
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
    6: A B C D E F;
    7: A B C D E F G;
    8: A B C D E F G H;
}

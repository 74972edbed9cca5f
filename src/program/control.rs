//! Loops and conditionals.

use super::ir::{Carry, Id, Kind};
use super::{Builder, Extent, Fault, Node, Var};
use crate::tile::{Element, Integer, Tile, TileShape, TileType};
use core::ops::{Range, RangeTo};

/// Tiles that a loop carries or a conditional gives: a [`Var`], or a tuple or array of them; `()` for none.
///
/// For a type of your own, `from_nodes` takes the nodes in the order in which `nodes` lists them. All values of the type have
/// tiles of the same number and types. What does otherwise is a [`Fault`].
pub trait Carried<'t>: Copy {
    /// Their nodes, in order.
    fn nodes(&self) -> Vec<Node<'t>>;
    /// Tiles of the same types with other nodes, taken from these.
    fn from_nodes(nodes: &mut impl Iterator<Item = Node<'t>>) -> Option<Self>;
}

impl<'t, E: Element, S: TileShape> Carried<'t> for Var<'t, E, S> {
    fn nodes(&self) -> Vec<Node<'t>> {
        vec![*self.value()]
    }
    fn from_nodes(nodes: &mut impl Iterator<Item = Node<'t>>) -> Option<Self> {
        nodes.next().map(Tile::wrap)
    }
}

impl<'t, C: Carried<'t>, const N: usize> Carried<'t> for [C; N] {
    fn nodes(&self) -> Vec<Node<'t>> {
        self.iter().flat_map(C::nodes).collect()
    }
    fn from_nodes(nodes: &mut impl Iterator<Item = Node<'t>>) -> Option<Self> {
        let all: Option<Vec<C>> = (0..N).map(|_| C::from_nodes(nodes)).collect();
        all?.try_into().ok()
    }
}

macro_rules! tuples {
    ($($($c:ident)*;)+) => {$(
        #[allow(non_snake_case, unused_variables, clippy::unused_unit)]
        impl<'t, $($c: Carried<'t>),*> Carried<'t> for ($($c,)*) {
            fn nodes(&self) -> Vec<Node<'t>> {
                let ($($c,)*) = self;
                let nodes: &[Vec<Node<'t>>] = &[$($c.nodes()),*];
                nodes.concat()
            }
            fn from_nodes(nodes: &mut impl Iterator<Item = Node<'t>>) -> Option<Self> {
                Some(($($c::from_nodes(nodes)?,)*))
            }
        }
    )+};
}
tuples! {
    ;
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
}

/// One end of a loop: a number, an [`Extent`], or a scalar of the program.
pub trait End<'t>: Copy {
    /// The type of the loop's index: that of a scalar, else `i32`.
    type Index: Integer;
    /// As a scalar.
    fn scalar(self, builder: &'t Builder) -> Var<'t, Self::Index, ()>;
}

impl<'t> End<'t> for i32 {
    type Index = i32;
    #[track_caller]
    fn scalar(self, builder: &'t Builder) -> Var<'t, i32, ()> {
        builder.full(self)
    }
}
impl<'t> End<'t> for Extent<'t> {
    type Index = i32;
    #[track_caller]
    fn scalar(self, builder: &'t Builder) -> Var<'t, i32, ()> {
        builder.value(self)
    }
}
impl<'t, I: Integer> End<'t> for Var<'t, I, ()> {
    type Index = I;
    fn scalar(self, _: &'t Builder) -> Var<'t, I, ()> {
        self
    }
}

/// What a loop runs over: `n` or `..n` for 0 to `n`, `a..b`, or [`steps`] with ends of different kinds and a step.
///
/// A range of Rust has ends of one type, so that `0..n` is none of an [`Extent`] `n`: write `n`.
#[diagnostic::on_unimplemented(
    message = "no loop runs over `{Self}`",
    note = "take `n` or `..n` for 0 to `n`, `a..b` of one type, or `steps(a, b, step)`; ends are `i32`, an `Extent` or a scalar tile"
)]
pub trait Over<'t> {
    /// The type of the index.
    type Index: Integer;
    /// Start, end and step.
    fn range(self, builder: &'t Builder) -> [Var<'t, Self::Index, ()>; 3];
}

/// From a start to below an end, by a step: see [`steps`].
#[derive(Clone, Copy)]
pub struct Steps<A, B, C>(A, B, C);

/// What a loop runs over: `start, start + step, ...` below `end`; the step is positive.
pub fn steps<A, B, C>(start: A, end: B, step: C) -> Steps<A, B, C> {
    Steps(start, end, step)
}

impl<'t, E: End<'t>> Over<'t> for E {
    type Index = E::Index;
    #[track_caller]
    fn range(self, builder: &'t Builder) -> [Var<'t, E::Index, ()>; 3] {
        [builder.full(E::Index::from_bits(0)), self.scalar(builder), builder.full(E::Index::from_bits(1))]
    }
}
impl<'t, E: End<'t>> Over<'t> for Range<E> {
    type Index = E::Index;
    #[track_caller]
    fn range(self, builder: &'t Builder) -> [Var<'t, E::Index, ()>; 3] {
        [self.start.scalar(builder), self.end.scalar(builder), builder.full(E::Index::from_bits(1))]
    }
}
impl<'t, E: End<'t>> Over<'t> for RangeTo<E> {
    type Index = E::Index;
    #[track_caller]
    fn range(self, builder: &'t Builder) -> [Var<'t, E::Index, ()>; 3] {
        self.end.range(builder)
    }
}
impl<'t, I: Integer, A, B, C> Over<'t> for Steps<A, B, C>
where
    A: End<'t, Index = I>,
    B: End<'t, Index = I>,
    C: End<'t, Index = I>,
{
    type Index = I;
    #[track_caller]
    fn range(self, builder: &'t Builder) -> [Var<'t, I, ()>; 3] {
        [self.0.scalar(builder), self.1.scalar(builder), self.2.scalar(builder)]
    }
}

impl Builder {
    /// A loop that carries tiles: `body` makes the tiles of the next pass from the index and those of this one. What it gives
    /// are the tiles after the last pass; without any pass, `initial`.
    ///
    /// Loops and conditionals nest up to 64 deep.
    /// ```
    /// # use girih::{Shape, program::*};
    /// let p = program("fibonacci", |p| {
    ///     let n = p.symbol("n");
    ///     let y = p.output::<i32, 1>("y", [1]).partition::<Shape![1]>();
    ///     let (zero, one) = (p.zeros::<i32, Shape![1]>(), p.ones::<i32, Shape![1]>());
    ///     let (last, _) = p.fold(n, (zero, one), |_, (a, b)| (b, a + b));
    ///     y.store(&last, 0);
    /// })?;
    /// let mut y = [0];
    /// p.host().arg("y", &mut y).bind("n", 10).run()?;
    /// assert_eq!(y, [55]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn fold<'t, R: Over<'t>, C: Carried<'t>>(
        &'t self,
        over: R,
        initial: C,
        body: impl FnOnce(Var<'t, R::Index, ()>, C) -> C,
    ) -> C {
        let range = over.range(self);
        let ends = self.usable_all(range.iter().map(Var::value));
        let (Some(ends), Some(before)) = (ends, self.usable_all(&initial.nodes())) else { return initial };
        let types = self.types(&before);
        self.open();
        let index = self.fresh(TileType::scalar(R::Index::TYPE));
        let inside = self.fresh_all(&types);
        let next = body(Tile::wrap(Node::new(self, index)), self.tiles(&inside, initial));
        let Some(body) = self.close(&next.nodes()) else { return initial };
        self.same(&body.results, &types);
        let after = self.fresh_all(&types);
        let carried = before.iter().zip(&inside).zip(&after);
        let carried = carried.map(|((&initial, &inside), &result)| Carry { initial, inside, result }).collect();
        self.push(Kind::For { range: [ends[0], ends[1], ends[2]], index, carried, body });
        self.tiles(&after, initial)
    }

    /// Tiles with these nodes; others stand in where [`Carried`] does not give them.
    #[track_caller]
    fn tiles<'t, C: Carried<'t>>(&'t self, ids: &[Id], instead: C) -> C {
        match C::from_nodes(&mut ids.iter().map(|&id| Node::new(self, id))) {
            Some(tiles) if tiles.nodes().iter().map(Node::id).eq(ids.iter().copied().map(Some)) => tiles,
            _ => self.fail(Fault::FromNodes, instead),
        }
    }

    /// Tiles that go on as others are of their types.
    #[track_caller]
    fn same(&self, got: &[Id], expected: &[TileType]) {
        let got = self.types(got);
        if got != expected {
            self.fail(Fault::Carried { got: got.into(), expected: expected.into() }, ());
        }
    }

    /// A loop that carries nothing: `body` stores.
    /// ```
    /// # use girih::{Shape, program::*};
    /// let p = program("odd", |p| {
    ///     let y = p.inout::<i32, 1>("y", [8]).partition::<Shape![1]>();
    ///     p.each(steps(1, 8, 2), |i| y.store(&(y.load(i) * 100), i));
    /// })?;
    /// let mut y = [1; 8];
    /// p.host().arg("y", &mut y).run()?;
    /// assert_eq!(y, [1, 100, 1, 100, 1, 100, 1, 100]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn each<'t, R: Over<'t>>(&'t self, over: R, body: impl FnOnce(Var<'t, R::Index, ()>)) {
        self.fold(over, (), |index, ()| body(index));
    }

    /// The tiles of one of two branches: only one of them is executed.
    /// ```
    /// # use girih::{Shape, program::*};
    /// let p = program("abs", |p| {
    ///     let (x, y) = (p.scalar::<i32>("x"), p.output::<i32, 1>("y", [1]).partition::<Shape![1]>());
    ///     y.store(&p.choose(x.lt(0), || -x, || x).reshape(), 0);
    /// })?;
    /// let mut y = [0];
    /// p.host().arg("x", -7).arg("y", &mut y).run()?;
    /// assert_eq!(y, [7]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn choose<'t, C: Carried<'t>>(
        &'t self,
        condition: Var<'t, bool, ()>,
        then: impl FnOnce() -> C,
        otherwise: impl FnOnce() -> C,
    ) -> C {
        self.open();
        let first = then();
        let then = self.close(&first.nodes());
        self.open();
        let otherwise = self.close(&otherwise().nodes());
        let condition = self.usable(condition.value());
        // behind a mistake the tiles of a branch stand in
        let (Some(condition), Some(then), Some(otherwise)) = (condition, then, otherwise) else { return first };
        let types = self.types(&then.results);
        self.same(&otherwise.results, &types);
        let results = self.fresh_all(&types);
        let tiles = self.tiles(&results, first);
        self.push(Kind::If { condition, results, then, otherwise });
        tiles
    }

    /// What is executed only under a condition: `body` stores.
    #[track_caller]
    pub fn when<'t>(&'t self, condition: Var<'t, bool, ()>, body: impl FnOnce()) {
        self.choose(condition, body, || ());
    }
}

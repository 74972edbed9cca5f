//! What holds a tile of a program: the number of a value that a statement makes.

use super::Builder;
use super::ir::Id;
use crate::tile::typed::Evaluate;
use crate::tile::{Op, Tile, Value};

/// A tile of a program that is being built: all typed operations, each recorded as a statement. `Copy`.
pub type Var<'t, E, S> = Tile<E, S, Node<'t>>;

/// A value of a program that is being built.
#[derive(Clone, Copy)]
pub struct Node<'t> {
    builder: &'t Builder,
    /// none behind a mistake: the program has an error then
    id: Option<Id>,
}

impl<'t> Node<'t> {
    pub(super) fn new(builder: &'t Builder, id: Id) -> Node<'t> {
        Node { builder, id: Some(id) }
    }

    pub(super) fn none(builder: &'t Builder) -> Node<'t> {
        Node { builder, id: None }
    }

    pub(super) fn builder(&self) -> &'t Builder {
        self.builder
    }

    pub(super) fn id(&self) -> Option<Id> {
        self.id
    }
}

impl<'t> Value for Node<'t> {
    type Checked<T> = T;
}

impl<'t> Evaluate for Node<'t> {
    #[track_caller]
    fn apply(op: Op, operands: &[&Node<'t>]) -> Node<'t> {
        match operands {
            [first, ..] => first.builder.operation(op, operands),
            [] => unreachable!("an operation without operands is made by a builder"),
        }
    }

    #[track_caller]
    fn constant(&self, op: Op) -> Node<'t> {
        self.builder.operation(op, &[])
    }

    #[track_caller]
    fn checked<T>(op: Op, operands: &[&Node<'t>], wrap: impl FnOnce(Node<'t>) -> T) -> <Self as Value>::Checked<T> {
        wrap(Node::apply(op, operands))
    }
}

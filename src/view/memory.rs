//! What a span lies in: memory on the host, or memory that a program will be given.

use super::index::At;
use super::{Access, View, ViewError, host};
use crate::layout::Layout;
use crate::tile::{AnyTile, Element, Value};
use core::cell::Cell;

/// Memory of elements `E` that chunks are loaded from.
///
/// `&[E]` and `&[Cell<E>]` are memory on the host: a load gives the tile, or why there is none. A program has memory of its own
/// that records loads; the methods of views are the same.
pub trait Memory<E: Element>: Copy {
    /// What holds loaded tiles.
    type Value: Value;
    /// What an access gives that may be refused: a `Result` where it is done at once.
    type Done<T>;

    /// Is there an element for every value of the layout?
    ///
    /// # Errors
    /// There is not.
    fn holds(&self, layout: &Layout) -> Result<(), ViewError>;

    /// The tile of a chunk, wrapped.
    #[track_caller]
    fn load<T>(
        &self,
        view: &View,
        access: &Access,
        index: &[At<Self::Value>],
        wrap: impl FnOnce(Self::Value) -> T,
    ) -> Self::Done<T>;
}

/// Memory that can also be written.
#[diagnostic::on_unimplemented(
    message = "nothing can be stored to `{Self}`",
    note = "a span over `&mut [{E}]` can be stored to, one over `&[{E}]` only loaded from",
    note = "in a program, memory to store to is an `output` or an `inout`"
)]
pub trait MemoryMut<E: Element>: Memory<E> {
    /// Stores a tile to a chunk, or combines the two by an atomic operation, as the access says.
    #[track_caller]
    fn store(&self, view: &View, access: &Access, tile: &Self::Value, index: &[At<Self::Value>]) -> Self::Done<()>;
}

impl<E: Element> Memory<E> for &[E] {
    type Value = AnyTile;
    type Done<T> = Result<T, ViewError>;

    fn holds(&self, layout: &Layout) -> Result<(), ViewError> {
        reaches(layout, self.len())
    }

    fn load<T>(
        &self,
        view: &View,
        access: &Access,
        index: &[At<AnyTile>],
        wrap: impl FnOnce(AnyTile) -> T,
    ) -> Result<T, ViewError> {
        host::load::<E, _>(view, access, index, *self).map(wrap)
    }
}

impl<E: Element> Memory<E> for &[Cell<E>] {
    type Value = AnyTile;
    type Done<T> = Result<T, ViewError>;

    fn holds(&self, layout: &Layout) -> Result<(), ViewError> {
        reaches(layout, self.len())
    }

    fn load<T>(
        &self,
        view: &View,
        access: &Access,
        index: &[At<AnyTile>],
        wrap: impl FnOnce(AnyTile) -> T,
    ) -> Result<T, ViewError> {
        host::load::<E, _>(view, access, index, *self).map(wrap)
    }
}

impl<E: Element> MemoryMut<E> for &[Cell<E>] {
    fn store(&self, view: &View, access: &Access, tile: &AnyTile, index: &[At<AnyTile>]) -> Result<(), ViewError> {
        host::store::<E, _>(view, access, tile, index, *self)
    }
}

/// Does a layout stay within memory that begins at its 0?
pub(super) fn reaches(layout: &Layout, len: usize) -> Result<(), ViewError> {
    let (least, last) = layout.image_range()?;
    if least < 0 {
        return Err(ViewError::Backwards { least });
    }
    match usize::try_from(last) {
        Ok(last) if last < len => Ok(()),
        _ => Err(ViewError::Memory { last, len }),
    }
}

/// What a span can be made over: slices, arrays and vectors, borrowed.
#[diagnostic::on_unimplemented(
    message = "no span lies over `{Self}`",
    note = "take `&memory[..]` of a slice, an array or a vector, or `&mut memory[..]` to store to it"
)]
pub trait Borrowed {
    /// The type of the elements.
    type Element: Element;
    /// The memory: elements that are mutably borrowed become cells, so that several views can write them.
    type Memory: Memory<Self::Element>;
    /// The memory.
    fn memory(self) -> Self::Memory;
}
impl<'a, E: Element> Borrowed for &'a [E] {
    type Element = E;
    type Memory = &'a [E];
    fn memory(self) -> &'a [E] {
        self
    }
}
impl<'a, E: Element> Borrowed for &'a mut [E] {
    type Element = E;
    type Memory = &'a [Cell<E>];
    fn memory(self) -> &'a [Cell<E>] {
        Cell::from_mut(self).as_slice_of_cells()
    }
}
impl<'a, E: Element> Borrowed for &'a [Cell<E>] {
    type Element = E;
    type Memory = &'a [Cell<E>];
    fn memory(self) -> &'a [Cell<E>] {
        self
    }
}
macro_rules! borrowed {
    ($([$($n:tt)*] $of:ty;)+) => {$(
        impl<'a, E: Element, $($n)*> Borrowed for &'a $of {
            type Element = E;
            type Memory = &'a [E];
            fn memory(self) -> &'a [E] {
                self
            }
        }
        impl<'a, E: Element, $($n)*> Borrowed for &'a mut $of {
            type Element = E;
            type Memory = &'a [Cell<E>];
            fn memory(self) -> &'a [Cell<E>] {
                self.as_mut_slice().memory()
            }
        }
    )+};
}
borrowed! {
    [] Vec<E>;
    [const N: usize] [E; N];
}

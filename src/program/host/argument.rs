//! What a launch passes.

use super::region::{Region, Slice};
use crate::tile::{AnyTile, Element};

/// An argument of a program: an element for a scalar; a slice, a vector or an array of elements for memory, borrowed, and mutably
/// where the program stores; with `(memory, extents)` its extents, from which symbols get their values.
pub trait Argument<'m> {
    /// What is passed.
    fn passed(self) -> Passed<'m>;
}

/// What is passed for a parameter.
pub struct Passed<'m> {
    pub(super) what: What<'m>,
    pub(super) extents: Option<Vec<usize>>,
}

pub(super) enum What<'m> {
    Scalar(Box<AnyTile>),
    Memory(Box<dyn Region + 'm>),
}

impl<'m> Passed<'m> {
    fn memory<E: Element>(slice: Slice<'m, E>) -> Passed<'m> {
        Passed { what: What::Memory(Box::new(slice)), extents: None }
    }
}

impl<'m, E: Element> Argument<'m> for E {
    fn passed(self) -> Passed<'m> {
        Passed { what: What::Scalar(Box::new(AnyTile::scalar(self))), extents: None }
    }
}
impl<'m, E: Element> Argument<'m> for &'m [E] {
    fn passed(self) -> Passed<'m> {
        Passed::memory(Slice::Read(self))
    }
}
impl<'m, E: Element> Argument<'m> for &'m mut [E] {
    fn passed(self) -> Passed<'m> {
        Passed::memory(Slice::Write(self))
    }
}
impl<'m, E: Element> Argument<'m> for &'m Vec<E> {
    fn passed(self) -> Passed<'m> {
        self.as_slice().passed()
    }
}
impl<'m, E: Element> Argument<'m> for &'m mut Vec<E> {
    fn passed(self) -> Passed<'m> {
        self.as_mut_slice().passed()
    }
}
impl<'m, E: Element, const N: usize> Argument<'m> for &'m [E; N] {
    fn passed(self) -> Passed<'m> {
        self.as_slice().passed()
    }
}
impl<'m, E: Element, const N: usize> Argument<'m> for &'m mut [E; N] {
    fn passed(self) -> Passed<'m> {
        self.as_mut_slice().passed()
    }
}
impl<'m, A: Argument<'m>, const R: usize> Argument<'m> for (A, [usize; R]) {
    fn passed(self) -> Passed<'m> {
        let (memory, extents) = self;
        Passed { extents: Some(extents.to_vec()), ..memory.passed() }
    }
}

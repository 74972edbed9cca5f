//! What a launch passes.

use super::region::{Region, Slice};
use crate::layout::{Layout, Tensor};
use crate::tile::{AnyTile, Element};

/// An argument of a program: an element for a scalar; a slice, a vector or an array of elements for memory, borrowed, and mutably
/// where the program stores; with `(memory, extents)` its extents, from which symbols get their values. A [`Tensor`] says its
/// extents itself, and its layout must be the parameter's.
/// ```
/// use girih::{Shape, prelude::*};
/// let p = program("twice", |p| {
///     let (m, n) = (p.symbol("m"), p.symbol("n"));
///     let x = p.input::<i32, 2>("x", [m, n]).partition::<Shape![2, 4]>();
///     let y = p.output::<i32, 2>("y", [m, n]).partition::<Shape![2, 4]>();
///     let [i, j] = p.grid([m.ceil_div(2), n.ceil_div(4)]);
///     y.store(x.load((i, j)) * 2, (i, j));
/// })?;
/// let x = Tensor::from_fn(layout!((4,8):(8,1)), |i| i as i32)?;
/// let mut y = Tensor::filled(layout!((4,8):(8,1)), 0)?;
/// p.host().arg("x", &x).arg("y", &mut y).run()?;
/// assert_eq!(y.get((3, 7))?, &62);
///
/// let x = Tensor::from_fn(layout!((4,8):(1,4)), |i| i as i32)?;
/// let e = p.host().arg("x", &x).arg("y", &mut y).run().unwrap_err();
/// assert!(e.to_string().ends_with("`x` is (4,8):(8,1), a tensor (4,8):(1,4) is passed"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Memory may be longer than the parameter's extents, if these, or the symbols in them, are told by something else: what lies
/// behind is not touched. Where the length tells a symbol, it must be the parameter's.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no argument of a program",
    note = "arguments are elements, `&memory` and `&mut memory` of slices, vectors, arrays and `Tensor`s, and `(&memory, [m, n])` with \
            extents that are `usize`"
)]
pub trait Argument<'m> {
    /// What is passed.
    fn passed(self) -> Passed<'m>;
}

/// What is passed for a parameter.
pub struct Passed<'m> {
    pub(super) what: What<'m>,
    pub(super) extents: Option<Vec<usize>>,
    pub(super) layout: Option<Layout>,
}

pub(super) enum What<'m> {
    Scalar(Box<AnyTile>),
    Memory(Box<dyn Region + 'm>),
}

impl<'m> Passed<'m> {
    fn memory<E: Element>(slice: Slice<'m, E>) -> Passed<'m> {
        Passed { what: What::Memory(Box::new(slice)), extents: None, layout: None }
    }

    /// Memory from the first element of a layout on.
    fn tensor<E: Element>(slice: Slice<'m, E>, layout: Layout) -> Passed<'m> {
        let extent = |dim| layout.mode(dim).and_then(|mode| mode.size()).ok().and_then(|n| usize::try_from(n).ok());
        // of layouts with symbols there are no tensors
        let extents = (0..layout.rank()).map(|dim| extent(dim).unwrap_or_default()).collect();
        Passed { extents: Some(extents), layout: Some(layout), ..Passed::memory(slice) }
    }
}

impl<'m, E: Element> Argument<'m> for E {
    fn passed(self) -> Passed<'m> {
        Passed { what: What::Scalar(Box::new(AnyTile::scalar(self))), extents: None, layout: None }
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
impl<'m, E: Element, S: AsRef<[E]>> Argument<'m> for &'m Tensor<E, S> {
    fn passed(self) -> Passed<'m> {
        let memory = self.memory().get(self.base() as usize..).unwrap_or_default();
        Passed::tensor(Slice::Read(memory), *self.layout())
    }
}
impl<'m, E: Element, S: AsRef<[E]> + AsMut<[E]>> Argument<'m> for &'m mut Tensor<E, S> {
    fn passed(self) -> Passed<'m> {
        let (base, layout) = (self.base() as usize, *self.layout());
        Passed::tensor(Slice::Write(self.memory_mut().get_mut(base..).unwrap_or_default()), layout)
    }
}
impl<'m, A: Argument<'m>, const R: usize> Argument<'m> for (A, [usize; R]) {
    fn passed(self) -> Passed<'m> {
        let (memory, extents) = self;
        Passed { extents: Some(extents.to_vec()), ..memory.passed() }
    }
}

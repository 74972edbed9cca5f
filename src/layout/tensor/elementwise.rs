//! Copies, fills, maps and reductions over tensors of equal size: element `i` of one meets element `i` of the other, in
//! one-dimensional coordinates, whatever the shapes.

use super::{Tensor, place, place_mut};
use crate::layout::iter::zip_offsets;
use crate::layout::{LayoutError, Offsets};
use core::ops::{Add, Mul};

impl<E, S: AsRef<[E]>> Tensor<E, S> {
    /// Calls `f` on each element, in order.
    /// ```
    /// # use girih::prelude::*;
    /// let mut row = vec![];
    /// Tensor::new([1, 2, 3, 4, 5, 6], layout!((2,3):(3,1)))?.slice((1, ..))?.for_each(|x| row.push(*x));
    /// assert_eq!(row, [4, 5, 6]);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn for_each(&self, f: impl FnMut(&E)) {
        self.iter().for_each(f);
    }

    /// `f(.. f(f(init, x0), x1) ..)`, in order.
    /// ```
    /// # use girih::prelude::*;
    /// let a = Tensor::new([1, 5, 3, 2], layout!((2,2):(2,1)))?;
    /// assert_eq!(a.reduce(0, |max, &x| max.max(x)), 5);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn reduce<B>(&self, init: B, f: impl FnMut(B, &E) -> B) -> B {
        self.iter().fold(init, f)
    }
}

impl<E, S: AsRef<[E]> + AsMut<[E]>> Tensor<E, S> {
    /// Calls `f` on each element, in order; on one with several coordinates once for each.
    /// ```
    /// # use girih::prelude::*;
    /// let mut a = Tensor::filled(layout!((3,2):(1,0)), 0)?; // one column, broadcast
    /// a.for_each_mut(|x| *x += 1);
    /// assert_eq!(a.memory(), [2, 2, 2]);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn for_each_mut(&mut self, mut f: impl FnMut(&mut E)) {
        let memory = self.storage.as_mut();
        Offsets::of_known(&self.layout).for_each(|o| {
            if let Some(x) = place_mut(self.base, o, memory) {
                f(x);
            }
        });
    }

    /// Sets each element to `value`.
    /// ```
    /// # use girih::prelude::*;
    /// let mut a = Tensor::filled(layout!((2,3):(3,1)), 1)?;
    /// a.view_mut().slice((.., 1))?.fill(0);
    /// assert_eq!(a.memory(), [1, 0, 1, 1, 0, 1]);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn fill(&mut self, value: E)
    where
        E: Clone,
    {
        self.for_each_mut(|x| x.clone_from(&value));
    }

    /// Sets each element to its default: 0 for numbers.
    /// ```
    /// # use girih::prelude::*;
    /// let mut accumulator = Tensor::filled(layout!((2,2):(2,1)), 0.5)?;
    /// accumulator.clear();
    /// assert_eq!(accumulator.memory(), [0.0; 4]);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn clear(&mut self)
    where
        E: Default,
    {
        self.for_each_mut(|x| *x = E::default());
    }

    /// Replaces each element `x` by `f(x)`.
    /// ```
    /// # use girih::prelude::*;
    /// let mut a = Tensor::new([-1.0, 2.0, -3.0, 4.0], layout!((2,2):(2,1)))?;
    /// a.transform(|x: &f64| x.max(0.0));
    /// assert_eq!(a.memory(), [0.0, 2.0, 0.0, 4.0]);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn transform(&mut self, mut f: impl FnMut(&E) -> E) {
        self.for_each_mut(|x| *x = f(x));
    }

    /// Calls `f(y, x)` on each element `y` and the element `x` of `src` at the same one-dimensional coordinate.
    ///
    /// # Errors
    /// The sizes differ.
    /// ```
    /// # use girih::prelude::*;
    /// let x = Tensor::new([1, 2, 3, 4, 5, 6], layout!((2,3):(3,1)))?;
    /// let mut y = Tensor::filled(layout!((2,3):(1,2)), 10)?;
    /// y.zip_with(&x, |y, x| *y -= x)?;
    /// assert_eq!(y.memory(), [9, 6, 8, 5, 7, 4]);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn zip_with<F, T: AsRef<[F]>>(
        &mut self,
        src: &Tensor<F, T>,
        mut f: impl FnMut(&mut E, &F),
    ) -> Result<(), LayoutError> {
        let (to, from) = (self.storage.as_mut(), src.storage.as_ref());
        zip_offsets([&self.layout, &src.layout], |[y, x]| {
            if let (Some(y), Some(x)) = (place_mut(self.base, y, to), place(src.base, x, from)) {
                f(y, x);
            }
        })
    }

    /// `self = src`.
    ///
    /// # Errors
    /// The sizes differ.
    /// ```
    /// # use girih::prelude::*;
    /// // from row-major to column-major
    /// let src = Tensor::new([1, 2, 3, 4, 5, 6], layout!((2,3):(3,1)))?;
    /// let mut dst = Tensor::filled(layout!((2,3):(1,2)), 0)?;
    /// dst.copy_from(&src)?;
    /// assert_eq!(dst.memory(), [1, 4, 2, 5, 3, 6]);
    /// assert!(dst.view_mut().mode(0)?.copy_from(&src).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn copy_from<T: AsRef<[E]>>(&mut self, src: &Tensor<E, T>) -> Result<(), LayoutError>
    where
        E: Clone,
    {
        self.zip_with(src, |y, x| y.clone_from(x))
    }

    /// `self = f(src)`.
    ///
    /// # Errors
    /// The sizes differ.
    /// ```
    /// # use girih::prelude::*;
    /// let src = Tensor::new([1u8, 2, 3, 4], layout!((2,2):(2,1)))?;
    /// let mut dst = Tensor::filled(layout!((2,2):(2,1)), 0.0)?;
    /// dst.transform_from(&src, |&x| f32::from(x) / 4.0)?;
    /// assert_eq!(dst.memory(), [0.25, 0.5, 0.75, 1.0]);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn transform_from<F, T: AsRef<[F]>>(
        &mut self,
        src: &Tensor<F, T>,
        mut f: impl FnMut(&F) -> E,
    ) -> Result<(), LayoutError> {
        self.zip_with(src, |y, x| *y = f(x))
    }

    /// `self = a * x + b * self`.
    ///
    /// # Errors
    /// The sizes differ.
    /// ```
    /// # use girih::prelude::*;
    /// let x = Tensor::new([1.0, 2.0, 3.0, 4.0], layout!((2,2):(2,1)))?;
    /// let mut y = Tensor::filled(layout!((2,2):(1,2)), 1.0)?;
    /// y.axpby(2.0, &x, 10.0)?;
    /// assert_eq!(y.memory(), [12.0, 16.0, 14.0, 18.0]);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn axpby<T: AsRef<[E]>>(&mut self, a: E, x: &Tensor<E, T>, b: E) -> Result<(), LayoutError>
    where
        E: Copy + Mul<Output = E> + Add<Output = E>,
    {
        self.zip_with(x, |y, &x| *y = a * x + b * *y)
    }

    /// `self = src` where `predicate` holds.
    ///
    /// # Errors
    /// The sizes differ.
    /// ```
    /// # use girih::prelude::*;
    /// let l = layout!((2,2):(1,2));
    /// let inside = Tensor::from_fn(l, |i| i != 2)?;
    /// let mut y = Tensor::filled(l, 0)?;
    /// y.copy_if(&inside, &Tensor::from_fn(l, |i| i + 1)?)?;
    /// assert_eq!(y.memory(), [1, 2, 0, 4]);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn copy_if<P: AsRef<[bool]>, T: AsRef<[E]>>(
        &mut self,
        predicate: &Tensor<bool, P>,
        src: &Tensor<E, T>,
    ) -> Result<(), LayoutError>
    where
        E: Clone,
    {
        let (to, from, real) = (self.storage.as_mut(), src.storage.as_ref(), predicate.storage.as_ref());
        zip_offsets([&self.layout, &src.layout, &predicate.layout], |[y, x, p]| {
            if let Some(true) = place(predicate.base, p, real)
                && let (Some(y), Some(x)) = (place_mut(self.base, y, to), place(src.base, x, from))
            {
                y.clone_from(x);
            }
        })
    }
}

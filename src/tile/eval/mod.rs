//! The meaning of operations on the host.
//!
//! Elementwise operations and reductions read operands where they are in memory if they are in row-major order, and collect them
//! before otherwise; a tile of equal elements is computed once.

mod bits;
mod float;
mod fold;
mod integer;
mod matrix;
mod operand;
mod step;

use super::TileError;
use super::element::*;
use super::op::{Compare, Op, Unary};
use super::value::{AnyTile, any, arithmetic, dispatch};
use fold::{Reduce, Scan};
use operand::{map, zip, zip3};
use step::{Arithmetic as _, Loop, Outcome};

impl Op {
    /// The result of the operation on tiles.
    ///
    /// What cuda::tiles leaves undefined or open has one meaning here, that of the PTX instruction where there is one. Where
    /// IEEE 754 asks for the exact result rounded once, that is what there is, the same on every machine; the functions that
    /// the table leaves to the platform may differ between platforms.
    ///
    /// | operation | integers and `bool` | floats |
    /// |---|---|---|
    /// | add, sub, mul, neg, abs | modulo 2^n, signed ones too (PTX ISA 9.7.1) | rounded once in the mode; neg and abs are exact |
    /// | div, rem | toward zero; by zero all bits are set, as on an H200; the least by -1 is itself | rounded once; rem is C's `fmod` |
    /// | min, max | `false` below `true` | `maximumNumber`, `maximum` and likewise of IEEE 754-2019: -0 is below +0 |
    /// | and, or, xor, not | bit by bit | |
    /// | shl, shr | by the count as an unsigned number; by the width or more, zeros, or copies of the sign (PTX ISA 9.7.8) | |
    /// | fma, sqrt | | rounded once in the mode |
    /// | rsqrt, exp, exp2, log, log2, sin, cos, tanh, pow, powi | | the platform's in `f64`, within a unit, rounded once to narrower types |
    /// | comparisons | | IEEE 754: with a NaN only `ne` holds, zeros are equal |
    /// | sum, prod, ... of a dimension | wrapping | a balanced tree, neighbours first; each step rounded in the mode |
    /// | scans | wrapping | in order; each step rounded in the mode |
    /// | arg min, arg max | the first of equals | likewise, -0 is below +0; a NaN only if there is nothing else |
    /// | mma | wrapping in `i32` | in `f64` in the order of k from c on, each step rounded once, and the sum to the type of c |
    /// | scaled mma | | the same, each factor times its scale, which is exact |
    /// | bitcast | of `bool` 0 or 1; to `bool` the lowest bit | |
    /// | repack | the bits of a dimension cut anew, lower bits first: a `recast` of its layout | likewise |
    ///
    /// Directed rounding is exact for all four basic floats. Flushing reads subnormal operands as zeros, and gives zeros for
    /// what is subnormal before it is rounded to fewer bits, as an H200 does. Full and approximate functions are computed
    /// alike, as well as possible: hardware differs within the bounds of [`gpu::sim::approx`](crate::gpu::sim::approx), and
    /// tensor cores from `mma` within those of [`tensor_core`](crate::gpu::sim::tensor_core). Where a result is no number, it
    /// is one NaN, as an H200 makes it: all bits are set but the sign. Of an `f64`, add, sub, mul, div, fma, sqrt, neg, abs,
    /// min and max, and their folds, keep the first NaN among the operands, made quiet and looked for as the H200 does: b
    /// before a, of fma b, c, a, of div a before b. All else makes of it the one with the sign, the exponent and the highest
    /// bit after it.
    ///
    /// Sums of products are slow where the machine has no fused instruction for `f64`: the platform's function computes each.
    ///
    /// # Errors
    /// As [`Op::result`], and a part that there is not.
    /// ```
    /// use girih::tile::{AnyTile, Binary, Fold, Mode, Op, Shape};
    /// let x = AnyTile::new(Shape::new(&[2, 4])?, vec![1, 2, 3, 4, 5, 6, 7, 8])?;
    /// assert_eq!(Op::Reduce(Fold::Sum(Mode::default()), 1).eval(&[&x])?.to_string(), "(10)\n(26)");
    /// let sum = Op::Binary(Binary::Add(Mode::default()));
    /// assert_eq!(sum.eval(&[&x, &AnyTile::scalar(1)]).unwrap_err().to_string(),
    ///     "operand 1 of add is i32() where it takes i32(2,4): reshape or broadcast it");
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    pub fn eval(&self, operands: &[&AnyTile]) -> Result<AnyTile, TileError> {
        let types: Vec<_> = operands.iter().map(|tile| tile.ty()).collect();
        let ty = self.result(&types)?;
        let element = operands.first().map_or(ty.element, |tile| tile.element());
        let refused = || Err(TileError::Element { op: *self, got: element });
        match (*self, operands) {
            (Op::Full(_, bits), _) => any!(ty.element, E => AnyTile::splat(ty.shape, <E as Element>::from_bits(bits))),
            (Op::Iota(_), _) => any!(ty.element, E => {
                AnyTile::new(ty.shape, (0..ty.shape.size() as u64).map(<E as Element>::from_bits).collect())
            }),
            (Op::Unary(f @ (Unary::IsNan | Unary::IsInf)), [x]) => is(f, x),
            (Op::Unary(f), [x]) => arithmetic!(element, E => E::unary(f, x), else None).unwrap_or_else(refused),
            (Op::Binary(f), &[a, b]) => arithmetic!(element, E => match f.fold() {
                Some(fold) => E::fold(fold, Zip { a, b }),
                None => E::binary(f, Zip { a, b }),
            }, else None)
            .unwrap_or_else(refused),
            (Op::Powi, [x, n]) => real!(element, E => float::powi::<E>(x, n), else refused()),
            (Op::Fma(m), &[a, b, c]) => real!(element, E => float::fma::<E>(m, [a, b, c]), else refused()),
            (Op::Compare(f), &[a, b]) => arithmetic!(element, E => compare::<E>(f, a, b), else refused()),
            (Op::Select, &[c, a, b]) => any!(ty.element, E => zip3([c, a, b], |c, a: E, b: E| if c { a } else { b })),
            (Op::Cast(how), [x]) => bits::cast(x, how),
            (Op::Bitcast(to), [x]) => bits::bitcast(x, to),
            (Op::Reshape(to), [x]) => x.reshape(to),
            (Op::Permute(map), [x]) => x.permute(map.dims()),
            (Op::Broadcast(to), [x]) => x.broadcast(to),
            (Op::Cat(dim), [a, b]) => any!(ty.element, E => bits::cat::<E>(a, b, dim, ty.shape)),
            (Op::Extract(part), [x, at @ ..]) => x.part(part, at),
            (Op::Insert, [x, part, at @ ..]) => any!(ty.element, E => x.insert::<E>(part, at)),
            (Op::Repack(to, dim), [x]) => bits::repack(x, to, dim, ty.shape),
            (Op::Reduce(f, dim), &[x]) => {
                let x = &float::read(f, x)?;
                arithmetic!(element, E => E::fold(f, Reduce { x, dim, to: ty.shape }), else None)
                    .unwrap_or_else(refused)
            }
            (Op::Arg(extreme, dim), [x]) => {
                arithmetic!(element, E => fold::arg::<E>(x, extreme, dim, ty.shape), else refused())
            }
            (Op::Scan(f, dim, direction), &[x]) => {
                let x = &float::read(f, x)?;
                arithmetic!(element, E => E::fold(f, Scan { x, dim, direction }), else None).unwrap_or_else(refused)
            }
            (Op::Mma, &[a, b, c]) => matrix::mma([a, b, c]),
            (Op::ScaledMma, &[a, b, c, scale_a, scale_b]) => matrix::scaled([a, b, c, scale_a, scale_b]),
            // the number of operands was checked
            _ => refused(),
        }
    }
}

/// `body` for the basic floats.
macro_rules! real {
    ($element:expr, $E:ident => $body:expr, else $other:expr) => {
        dispatch!($element, [F16: f16, Bf16: bf16, F32: f32, F64: f64], $E => $body, else $other)
    };
}
use real;

/// An elementwise function of two tiles.
struct Zip<'a> {
    a: &'a AnyTile,
    b: &'a AnyTile,
}

impl<E: Element> Loop<E> for Zip<'_> {
    fn with(self, f: impl Fn(E, E) -> E + Copy) -> Outcome {
        zip(self.a, self.b, f)
    }
}

fn compare<E: step::Arithmetic>(f: Compare, a: &AnyTile, b: &AnyTile) -> Outcome {
    match f {
        Compare::Eq => zip(a, b, |a: E, b: E| a == b),
        Compare::Ne => zip(a, b, |a: E, b: E| a != b),
        Compare::Lt => zip(a, b, |a: E, b: E| a < b),
        Compare::Le => zip(a, b, |a: E, b: E| a <= b),
        Compare::Gt => zip(a, b, |a: E, b: E| a > b),
        Compare::Ge => zip(a, b, |a: E, b: E| a >= b),
    }
}

/// What kind of number is it?
fn is(f: Unary, x: &AnyTile) -> Outcome {
    let Some(format) = format::Format::of(x.element()) else {
        return Err(TileError::Element { op: Op::Unary(f), got: x.element() });
    };
    any!(x.element(), E => match f {
        Unary::IsNan => map(x, |x: E| format.is_nan(Element::to_bits(x))),
        _ => map(x, |x: E| format.is_infinite(Element::to_bits(x))),
    })
}

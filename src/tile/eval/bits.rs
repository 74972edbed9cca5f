//! Elements joined, and their bits taken apart.

use super::operand::{CHUNK, all};
use super::step::Outcome;
use crate::tile::element::{Element, ElementType};
use crate::tile::shape::Shape;
use crate::tile::value::{AnyTile, any};

/// The second tile behind the first along a dimension.
pub(super) fn cat<E: Element>(first: &AnyTile, second: &AnyTile, dim: u8, to: Shape) -> Outcome {
    let (a, b) = (all::<E>(first), all::<E>(second));
    let block = first.shape().extents().skip(dim.into()).product::<u32>() as usize;
    let mut values = Vec::with_capacity(to.size());
    for (a, b) in a.chunks_exact(block).zip(b.chunks_exact(block)) {
        values.extend_from_slice(a);
        values.extend_from_slice(b);
    }
    AnyTile::new(to, values)
}

/// The same bits in another type; of a `bool` 0 or 1, and for one the lowest.
pub(super) fn bitcast(x: &AnyTile, to: ElementType) -> Outcome {
    let mut values = buffer(to, x.shape().size());
    each_code(x, |codes| values.push(codes));
    values.tile(x.shape())
}

/// The bits along a dimension as elements of another type; meanwhile that dimension is the last.
pub(super) fn repack(x: &AnyTile, to: ElementType, dim: u8, shape: Shape) -> Outcome {
    let rank = x.shape().rank() as u8;
    let last: Vec<u8> = (0..rank).filter(|&d| d != dim).chain([dim]).collect();
    let back: Vec<u8> = (0..dim).chain([rank - 1]).chain(dim..rank - 1).collect();
    let shape = shape.permute(&last)?;
    let (mut values, mut regroup) = (buffer(to, shape.size()), Regroup::new(x.element().bits(), to.bits()));
    each_code(&x.permute(&last)?, |codes| values.push(regroup.next(codes)));
    values.tile(shape)?.permute(&back)
}

/// The codes of all elements, some at a time.
fn each_code(x: &AnyTile, mut f: impl FnMut(&[u64])) {
    let mut codes = Vec::with_capacity(CHUNK);
    any!(x.element(), E => for chunk in all::<E>(x).chunks(CHUNK) {
        codes.clear();
        codes.extend(chunk.iter().copied().map(Element::to_bits));
        f(&codes);
    });
}

/// Elements to be, given by their codes.
trait Buffer {
    fn push(&mut self, codes: &[u64]);
    fn tile(self: Box<Self>, shape: Shape) -> Outcome;
}

fn buffer(element: ElementType, size: usize) -> Box<dyn Buffer> {
    any!(element, E => Box::new(Vec::<E>::with_capacity(size)))
}

impl<E: Element> Buffer for Vec<E> {
    fn push(&mut self, codes: &[u64]) {
        self.extend(codes.iter().copied().map(E::from_bits));
    }
    fn tile(self: Box<Self>, shape: Shape) -> Outcome {
        AnyTile::new(shape, *self)
    }
}

/// A sequence of bits cut anew, the lowest of each code first.
struct Regroup {
    from: u32,
    to: u32,
    /// bits that do not make a code yet: `held` of them
    pending: u128,
    held: u32,
    codes: Vec<u64>,
}

impl Regroup {
    fn new(from: u32, to: u32) -> Regroup {
        Regroup { from, to, pending: 0, held: 0, codes: Vec::new() }
    }

    /// The codes that these complete, with bits of later ones above.
    fn next(&mut self, codes: &[u64]) -> &[u64] {
        self.codes.clear();
        for &code in codes {
            self.pending |= u128::from(code) << self.held;
            self.held += self.from;
            while self.held >= self.to {
                self.codes.push(self.pending as u64);
                self.pending >>= self.to;
                self.held -= self.to;
            }
        }
        &self.codes
    }
}

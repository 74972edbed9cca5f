//! Elements joined, converted, and their bits taken apart.

use super::operand::all;
use super::step::Outcome;
use crate::tile::element::cast::{Lanes, codes, lanes};
use crate::tile::element::pack::Regroup;
use crate::tile::element::{Conversion, Element, ElementType};
use crate::tile::shape::Shape;
use crate::tile::value::{AnyTile, any};
use crate::tile::{gather, layouts};

/// The second tile behind the first along a dimension.
pub(super) fn cat<E: Element>(first: &AnyTile, second: &AnyTile, dim: u8, to: Shape) -> Outcome {
    let (whole, mut values) = (to.layout()?, vec![E::default(); to.size()]);
    for (half, tile) in [first, second].into_iter().enumerate() {
        let at: Vec<i64> = (0..to.rank()).map(|d| if d == usize::from(dim) { half as i64 } else { 0 }).collect();
        let (layout, offset) = layouts::part(&whole, &tile.shape(), &at)?;
        gather::scatter(&all::<E>(tile), &mut values[offset as usize..], &layout);
    }
    AnyTile::new(to, values)
}

/// The same bits in another type; of a `bool` 0 or 1, and for one the lowest.
pub(super) fn bitcast(x: &AnyTile, to: ElementType) -> Outcome {
    once(x, |x| {
        let mut values = buffer(to, x.shape().size());
        any!(x.element(), E => codes(&all::<E>(x), &mut |codes| values.push(codes)));
        values.tile(x.shape())
    })
}

/// Each element as another type.
pub(super) fn cast(x: &AnyTile, how: Conversion) -> Outcome {
    once(x, |x| {
        let mut values = buffer(how.to(), x.shape().size());
        any!(x.element(), E => lanes(&all::<E>(x), how.to(), &mut |lanes| values.convert(lanes, how)));
        values.tile(x.shape())
    })
}

/// An elementwise function; of a tile whose elements are one in memory, of that one.
fn once(x: &AnyTile, f: impl Fn(&AnyTile) -> Outcome) -> Outcome {
    match x.single() {
        Some(element) => f(&element)?.broadcast(x.shape()),
        None => f(x),
    }
}

/// The bits along a dimension as elements of another type; meanwhile that dimension is the last.
pub(super) fn repack(x: &AnyTile, to: ElementType, dim: u8, shape: Shape) -> Outcome {
    let rank = x.shape().rank() as u8;
    let last: Vec<u8> = (0..rank).filter(|&d| d != dim).chain([dim]).collect();
    let back: Vec<u8> = (0..dim).chain([rank - 1]).chain(dim..rank - 1).collect();
    let (x, shape) = (x.permute(&last)?, shape.permute(&last)?);
    let (mut values, mut regroup) = (buffer(to, shape.size()), Regroup::new(x.element().bits(), to.bits()));
    any!(x.element(), E => codes(&all::<E>(&x), &mut |codes| values.push(regroup.next(codes))));
    values.tile(shape)?.permute(&back)
}

/// Elements to be, of a type that the loops over the others need not know.
trait Buffer {
    fn push(&mut self, codes: &[u64]);
    fn convert(&mut self, lanes: Lanes, how: Conversion);
    fn tile(self: Box<Self>, shape: Shape) -> Outcome;
}

fn buffer(element: ElementType, size: usize) -> Box<dyn Buffer> {
    any!(element, E => Box::new(Vec::<E>::with_capacity(size)))
}

impl<E: Element> Buffer for Vec<E> {
    fn push(&mut self, codes: &[u64]) {
        self.extend(codes.iter().copied().map(E::from_bits));
    }
    fn convert(&mut self, lanes: Lanes, how: Conversion) {
        lanes.append(how, self);
    }
    fn tile(self: Box<Self>, shape: Shape) -> Outcome {
        AnyTile::new(shape, *self)
    }
}

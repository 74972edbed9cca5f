//! The meaning of operations on the host.

use super::op::Op;
use super::value::{AnyTile, any};
use super::{TileError, element::*};

impl Op {
    /// The result of the operation on tiles.
    ///
    /// # Errors
    /// As [`Op::result`], and a part that there is not.
    pub fn eval(&self, operands: &[&AnyTile]) -> Result<AnyTile, TileError> {
        let types: Vec<_> = operands.iter().map(|tile| tile.ty()).collect();
        let ty = self.result(&types)?;
        match (*self, operands) {
            (Op::Full(_, bits), _) => any!(ty.element, E => AnyTile::splat(ty.shape, <E as Element>::from_bits(bits))),
            (Op::Reshape(to), [x]) => x.reshape(to),
            (Op::Permute(map), [x]) => x.permute(map.dims()),
            (Op::Broadcast(to), [x]) => x.broadcast(to),
            (Op::Extract(part), [x, at @ ..]) => x.part(part, at),
            (Op::Insert, [x, part, at @ ..]) => any!(ty.element, E => x.insert::<E>(part, at)),
            _ => todo!(),
        }
    }
}

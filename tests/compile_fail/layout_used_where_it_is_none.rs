use girih::prelude::*;

type Tiles = LogicalDivide<Col<C<10>>, Col<C<4>>>;
const SIZE: usize = <Tiles as StaticLayout>::SIZE;
const _: () = assert!(SIZE > 0);

fn main() {}

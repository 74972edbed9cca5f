use girih::prelude::*;

const fn tiles<A: StaticLayout, T: StaticTiler>() -> usize {
    const { assert_ok::<ZippedDivide<A, T>>() };
    <Mode<ZippedDivide<A, T>, 1> as StaticLayout>::SIZE
}

const _: usize = tiles::<Col<(C<128>, C<64>)>, (C<32>, C<16>)>();
const _: usize = tiles::<Col<(C<100>, C<64>)>, (C<32>, C<16>)>();

fn main() {}

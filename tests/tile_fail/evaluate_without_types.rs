// only the methods, whose bounds check types, evaluate operations on what a typed tile holds
use girih::tile::*;

fn result<V: Value>(operands: &[&V]) -> V {
    V::apply(Op::Mma, operands)
}

fn main() {
    result::<AnyTile>(&[]);
}

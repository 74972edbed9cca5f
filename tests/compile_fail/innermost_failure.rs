use girih::prelude::*;

// one report: the divide, not the operations around it
type Inner = LogicalDivide<Col<C<10>>, Col<C<3>>>;
const _: () = assert_ok::<Coalesce<Compose<Inner, Col<C<4>>>>>();

fn main() {}

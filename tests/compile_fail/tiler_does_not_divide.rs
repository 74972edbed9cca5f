use girih::prelude::*;

type Gmem = Col<(U100, U64)>;
const _: () = assert_ok::<ZippedDivide<Gmem, (U32, U16)>>();

fn main() {}

use girih::prelude::*;

const _: () = assert_same::<Col<(U4, U8)>, Row<(U4, U8)>>();

fn main() {}

use girih::prelude::*;

const _: () = assert_ok::<L<(U4, (U2, U8)), (U16, U1)>>();

fn main() {}

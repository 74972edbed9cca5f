use girih::prelude::*;

const _: () = assert_ok::<ComplementExact<L<(U4, U2), (U1, U0)>, U8>>();

fn main() {}

use girih::prelude::*;

const _: () = assert_ok::<Compose<L<(U4, U6, U8), (U2, U3, U5)>, L<U6, U3>>>();

fn main() {}

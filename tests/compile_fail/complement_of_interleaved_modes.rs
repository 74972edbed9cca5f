use girih::prelude::*;

const _: () = assert_ok::<Complement<L<(U2, U2), (U2, U3)>, U19>>();

fn main() {}

use girih::prelude::*;

type Bits = (U2, U2, U2, U2, U2);
const _: () = assert_ok::<Col<(Bits, Bits, Bits, Bits, Bits)>>();

fn main() {}

use girih::prelude::*;

girih::symbols!(M, N, Lda = "lda");
type Gmem = L<(Sym<M>, Sym<N, 64>), (U1, Sym<Lda>)>;
const _: () = assert_ok::<ZippedDivide<Gmem, (U128, U64)>>();

fn main() {}

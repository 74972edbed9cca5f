use girih::prelude::*;

girih::symbols!(M, Lda = "lda");
type Gmem = L<(Sym<M>, C<8>), (C<1>, Sym<Lda>)>;
const _: () = assert!(<Gmem as StaticLayout>::SIZE > 0);

fn main() {}

use girih::prelude::*;
girih::symbols!(M, N, Lda = "lda");
type A = L<((U4, U8), (U4, U8)), ((U32, U1), (U8, U128))>;
type B = L<((U2, U4), (U4, U8)), ((U1, U8), (U2, U32))>;
type R = Compose<A, B>;
type T12 = (U2, U2, U2, U2, U2, U2, U2, U2, U2, U2, U2, U2);
type S12 = (U1, U7, U50, U100, U1000, U3, C<7000>, C<20000>, U30, U11, U13, U17);
type Q24 = L<(T12, T12), (S12, S12)>;
type T4 = (U2, U3, U2, U5);
type A12 = L<(T4, T4, T4), ((U1, U7, U50, U100), (U1000, C<2001>, C<7000>, C<20000>), (U3, U11, U13, U17))>;
type G = ZippedDivide<L<(Sym<M, 128>, Sym<N, 64>), (U1, Sym<Lda>)>, (U128, U64)>;
#[unsafe(no_mangle)]
#[inline(never)]
pub fn static_at(i: i64) -> i64 {
    at::<R>(i)
}
#[unsafe(no_mangle)]
#[inline(never)]
pub fn static_pow24(i: i64) -> i64 {
    at::<Q24>(i)
}
#[unsafe(no_mangle)]
#[inline(never)]
pub fn static_at12(i: i64) -> i64 {
    at::<A12>(i)
}
#[unsafe(no_mangle)]
#[inline(never)]
pub fn static_coord(c: [i64; 6]) -> i64 {
    at_coord::<R, 6>(c)
}
#[unsafe(no_mangle)]
#[inline(never)]
pub fn bound_coord(g: &BoundLayout<G>, c: [i64; 4]) -> i64 {
    g.at_coord(c)
}
#[unsafe(no_mangle)]
#[inline(never)]
pub fn bound_at(g: &BoundLayout<G>, i: i64) -> i64 {
    g.at(i)
}
fn main() {
    println!("{}", R::LAYOUT);
    let i = std::env::args().count() as i64;
    let g = bind::<G>(&[("M", 256), ("N", 64 * i), ("lda", 1000)]).unwrap();
    println!(
        "{} {} {} {} {} {}",
        static_at(i),
        static_pow24(i),
        static_at12(i),
        static_coord([i; 6]),
        bound_coord(&g, [i; 4]),
        bound_at(&g, i)
    );
}

use girih::prelude::*;
use std::hint::black_box;
use std::time::Instant;
fn time(name: &str, mut f: impl FnMut()) {
    let n = 400_000;
    let mut best = f64::MAX;
    for _ in 0..15 {
        let t = Instant::now();
        for _ in 0..n {
            f()
        }
        best = best.min(t.elapsed().as_nanos() as f64 / n as f64);
    }
    println!("{name:34} {best:7.1} ns");
}
fn main() {
    println!(
        "Layout {} Error {} LayoutError {} Result {}",
        size_of::<Layout>(),
        size_of::<Error>(),
        size_of::<LayoutError>(),
        size_of::<Result<Layout, Error>>()
    );
    let p = |s: &str| s.parse::<Layout>().unwrap();
    let a = p("(8,16,4):(64,4,1)");
    let b = p("(4,8):(2,8)");
    let c = p("4:2");
    let a2 = p("((4,2),(8,3)):((1,16),(32,4))");
    let co = p("(2,(1,6),4):(1,(6,2),12)");
    let sh = p("(4,8):(2,7)");
    println!("{a} o {b} = {}", a.compose(&b).unwrap());
    println!("{a2} o {b} = {}", a2.compose(&b).unwrap());
    println!("{}", a.compose(&sh).unwrap_err());
    println!("{}", p("(?M{8},?N,1):(1,?lda,4)"));
    println!("{}", p("(?M{8},?M):(1,?M)").coalesce());
    println!("{:?}", p("(?M{8},?N):(1,?lda)").shape());
    time("compose (8,16,4) o (4,8)", || {
        black_box(&black_box(&a).compose(black_box(&b)));
    });
    time("compose (8,16,4) o 4:2", || {
        black_box(&black_box(&a).compose(black_box(&c)));
    });
    time("compose ((4,2),(8,3)) o (4,8)", || {
        black_box(&black_box(&a2).compose(black_box(&b)));
    });
    time("refused", || {
        black_box(&black_box(&a).compose(black_box(&sh)));
    });
    time("coalesce", || {
        black_box(&black_box(&co).coalesce());
    });
    time("complement", || {
        black_box(&black_box(&c).complement(black_box(512)));
    });
    time("at 77", || {
        let _ = black_box(black_box(&a).at(black_box(77)));
    });
    time("at 300", || {
        let _ = black_box(black_box(&a).at(black_box(300)));
    });
    time("at_coord", || {
        let _ = black_box(black_box(&a).at_coord(black_box([3, 7, 2])));
    });
    time("copy", || {
        black_box(*black_box(&a));
    });
}

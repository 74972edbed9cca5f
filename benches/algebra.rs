//! The operations of the algebra on the inputs that the peers were timed on: `cargo bench --bench algebra`.

use criterion::{Criterion, criterion_group, criterion_main};
use girih::prelude::*;
use std::hint::black_box;

fn operations(c: &mut Criterion) {
    let a = layout!((8,16,4):(64,4,1));
    let nested = layout!(((4,2),(8,3)):((1,16),(32,4)));
    let rows = layout!((4,8):(2,8));
    let four = layout!(4:2);
    // results are looked at where they are: a caller does not move 512 bytes either
    let mut compose = |name: &str, a: &Layout, b: &Layout| {
        c.bench_function(name, |t| t.iter(|| _ = black_box(&black_box(a).compose(black_box(b)))));
    };
    compose("compose (8,16,4) o (4,8)", &a, &rows);
    compose("compose (8,16,4) o 4:2", &a, &four);
    compose("compose ((4,2),(8,3)) o (4,8)", &nested, &rows);
    compose("refuse (8,16,4) o (4,8):(2,7)", &a, &layout!((4,8):(2,7)));
    compose("compensated (2,2,2,3) o (3,2)", &layout!((2,2,2,3):(1,12,6,2)), &layout!((3,2):(5,5)));

    let split = layout!((2,(1,6),4):(1,(6,2),12));
    c.bench_function("coalesce (2,(1,6),4)", |t| t.iter(|| _ = black_box(&black_box(&split).coalesce())));
    c.bench_function("complement 4:2 in 512", |t| {
        t.iter(|| _ = black_box(&black_box(&four).complement(black_box(512))))
    });
    c.bench_function("logical_divide by 4:2", |t| {
        t.iter(|| _ = black_box(&black_box(&a).logical_divide(black_box(&four))));
    });
    let tiler = tiler![4, 8];
    c.bench_function("zipped_divide by <4,8>", |t| {
        t.iter(|| _ = black_box(&black_box(&a).zipped_divide(black_box(&tiler))));
    });
    c.bench_function("logical_product by 4:2", |t| {
        t.iter(|| _ = black_box(&black_box(&a).logical_product(black_box(&four))));
    });
    c.bench_function("right_inverse", |t| t.iter(|| _ = black_box(&black_box(&a).right_inverse())));
    c.bench_function("left_inverse", |t| t.iter(|| _ = black_box(&black_box(&a).left_inverse())));
    c.bench_function("parse", |t| t.iter(|| _ = black_box(Layout::parse(black_box("((2,2),3):((24,2),8)")))));
    c.bench_function("print", |t| t.iter(|| _ = black_box(black_box(&nested).to_string())));
}

fn evaluation(c: &mut Criterion) {
    let a = layout!((8,16,4):(64,4,1));
    c.bench_function("at 77", |t| t.iter(|| _ = black_box(black_box(&a).at(black_box(77)))));
    c.bench_function("at_coord (3,7,2)", |t| t.iter(|| _ = black_box(black_box(&a).at_coord(black_box([3, 7, 2])))));
}

criterion_group!(benches, operations, evaluation);
criterion_main!(benches);

//! Programs on the host beside arrays of the crate ndarray, on 2^24 elements of `f32`.
//!
//! ```text
//! cargo bench --bench programs
//! ```

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use girih::Shape;
use girih::program::{Program, program};
use girih::view::{Device, Relaxed};
use ndarray::{Array1, Array2};
use std::time::Duration;
use typenum::{U0, U1};

const N: usize = 1 << 24;
const SIDE: usize = 1 << 12;

fn axpy() -> Program {
    program("axpy", |p| {
        let n = p.symbol("n");
        let a = p.scalar::<f32>("a");
        let x = p.input::<f32, 1>("x", [n]).partition::<Shape![16384]>();
        let y = p.inout::<f32, 1>("y", [n]).partition::<Shape![16384]>();
        let [i] = p.grid([n.ceil_div(16384)]);
        y.store(x.load(i) * a + y.load(i), i);
    })
    .expect("a program")
}

fn transpose() -> Program {
    program("transpose", |p| {
        let (m, n) = (p.symbol("m"), p.symbol("n"));
        let x = p.input::<f32, 2>("x", [m, n]).partition::<Shape![128, 128]>();
        let y = p.output::<f32, 2>("y", [n, m]).partition::<Shape![128, 128]>();
        let [i, j] = p.grid([m.ceil_div(128), n.ceil_div(128)]);
        y.store(x.load((i, j)).transpose(), (j, i));
    })
    .expect("a program")
}

fn sum() -> Program {
    program("sum", |p| {
        let n = p.symbol("n");
        let x = p.input::<f32, 1>("x", [n]).partition::<Shape![16384]>();
        let sum = p.inout::<f32, 1>("sum", [1]).partition::<Shape![1]>();
        let [i] = p.grid([n.ceil_div(16384)]);
        sum.atomic_add(x.load(i).sum::<U0>(), 0, Relaxed, Device);
    })
    .expect("a program")
}

fn softmax() -> Program {
    program("softmax", |p| {
        let (m, n) = (p.symbol("m"), p.symbol("n"));
        let x = p.input::<f32, 2>("x", [m, n]).partition::<Shape![4, 4096]>();
        let y = p.output::<f32, 2>("y", [m, n]).partition::<Shape![4, 4096]>();
        let [i] = p.grid([m.ceil_div(4)]);
        let row = x.load((i, 0));
        let e = (row - row.reduce_max::<U1>()).exp();
        y.store(e / e.sum::<U1>(), (i, 0));
    })
    .expect("a program")
}

/// The same with arrays of the crate ndarray, on one thread: results are new arrays, as a program's are kept aside until it ends,
/// and for axpy in place, too.
mod peer {
    use ndarray::{Array1, Array2, Axis, Zip, azip};

    pub fn axpy(a: f32, x: &Array1<f32>, y: &Array1<f32>) -> Array1<f32> {
        Zip::from(x).and(y).map_collect(|x, y| a * x + y)
    }

    pub fn axpy_in_place(a: f32, x: &Array1<f32>, y: &mut Array1<f32>) {
        y.scaled_add(a, x);
    }

    pub fn transpose(x: &Array2<f32>) -> Array2<f32> {
        x.t().as_standard_layout().into_owned()
    }

    pub fn softmax(x: &Array2<f32>) -> Array2<f32> {
        let largest = x.fold_axis(Axis(1), f32::NEG_INFINITY, |a, b| a.max(*b));
        let mut e = x - &largest.insert_axis(Axis(1));
        e.mapv_inplace(f32::exp);
        let sums = e.sum_axis(Axis(1));
        azip!((mut row in e.rows_mut(), sum in &sums) row /= *sum);
        e
    }
}

fn programs(c: &mut Criterion) {
    let x: Vec<f32> = (0..N).map(|i| (i % 1021) as f32 / 1021.0).collect();
    let mut y = vec![0.0f32; N];
    let mut group = c.benchmark_group("programs");
    group.throughput(Throughput::Elements(N as u64)).sample_size(10).measurement_time(Duration::from_secs(5));
    let side = [SIDE, SIDE];
    for threads in [1, 2] {
        let id = |name: &str| BenchmarkId::new(name, format!("program, {threads} threads"));
        let (axpy, transpose, sum, softmax) = (axpy(), transpose(), sum(), softmax());
        group.bench_function(id("axpy"), |b| {
            b.iter(|| axpy.host().arg("a", 0.5f32).arg("x", &x).arg("y", &mut y).threads(threads).run())
        });
        group.bench_function(id("transpose"), |b| {
            b.iter(|| transpose.host().arg("x", (&x, side)).arg("y", &mut y).threads(threads).run())
        });
        group.bench_function(id("sum"), |b| {
            b.iter(|| sum.host().arg("x", &x).arg("sum", &mut [0.0f32]).threads(threads).run())
        });
        group.bench_function(id("softmax"), |b| {
            b.iter(|| softmax.host().arg("x", (&x, side)).arg("y", &mut y).threads(threads).run())
        });
    }
    let (line, mut in_place) = (Array1::from(x.clone()), Array1::from(y));
    let square = Array2::from_shape_vec((SIDE, SIDE), x).unwrap_or_default();
    let id = |name: &str| BenchmarkId::new(name, "ndarray");
    group.bench_function(id("axpy"), |b| b.iter(|| peer::axpy(0.5, &line, &in_place)));
    group.bench_function(id("axpy in place"), |b| b.iter(|| peer::axpy_in_place(0.5, &line, &mut in_place)));
    group.bench_function(id("transpose"), |b| b.iter(|| peer::transpose(&square)));
    group.bench_function(id("sum"), |b| b.iter(|| line.sum()));
    group.bench_function(id("softmax"), |b| b.iter(|| peer::softmax(&square)));
    group.finish();
}

criterion_group!(benches, programs);
criterion_main!(benches);

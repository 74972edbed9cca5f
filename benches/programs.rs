//! Programs on the host beside plain loops, on 2^24 elements of `f32`.
//!
//! ```text
//! cargo bench --bench programs
//! ```

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use girih::Shape;
use girih::program::{Program, program};
use girih::view::{Device, Relaxed};
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

/// Plain loops: one pass over memory for each result, on one thread.
mod plain {
    use super::SIDE;

    pub fn axpy(a: f32, x: &[f32], y: &mut [f32]) {
        y.iter_mut().zip(x).for_each(|(y, x)| *y += a * x);
    }

    pub fn transpose(x: &[f32], y: &mut [f32]) {
        for (j, row) in y.chunks_mut(SIDE).enumerate() {
            row.iter_mut().enumerate().for_each(|(i, y)| *y = x[i * SIDE + j]);
        }
    }

    pub fn sum(x: &[f32]) -> f32 {
        x.chunks(16384).map(|part| part.iter().sum::<f32>()).sum()
    }

    pub fn softmax(x: &[f32], y: &mut [f32]) {
        for (x, y) in x.chunks(SIDE).zip(y.chunks_mut(SIDE)) {
            let largest = x.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            y.iter_mut().zip(x).for_each(|(y, x)| *y = (x - largest).exp());
            let sum: f32 = y.iter().sum();
            y.iter_mut().for_each(|y| *y /= sum);
        }
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
    group.bench_function(BenchmarkId::new("axpy", "plain"), |b| b.iter(|| plain::axpy(0.5, &x, &mut y)));
    group.bench_function(BenchmarkId::new("transpose", "plain"), |b| b.iter(|| plain::transpose(&x, &mut y)));
    group.bench_function(BenchmarkId::new("sum", "plain"), |b| b.iter(|| plain::sum(&x)));
    group.bench_function(BenchmarkId::new("softmax", "plain"), |b| b.iter(|| plain::softmax(&x, &mut y)));
    group.finish();
}

criterion_group!(benches, programs);
criterion_main!(benches);

//! Iteration over a layout against loops written by hand: a sum over memory in the order of the layout.
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use girih::prelude::*;
use std::hint::black_box;

/// Three loops, as one writes them for a known rank.
#[inline(never)]
fn by_hand(shape: [i64; 3], stride: [i64; 3], data: &[f32]) -> f32 {
    let mut sum = 0.0;
    for k in 0..shape[2] {
        for j in 0..shape[1] {
            for i in 0..shape[0] {
                sum += data[(i * stride[0] + j * stride[1] + k * stride[2]) as usize];
            }
        }
    }
    sum
}

#[inline(never)]
fn fold(layout: &Layout, data: &[f32]) -> Result<f32, LayoutError> {
    Ok(layout.offsets()?.fold(0.0, |sum, o| sum + data[o as usize]))
}

#[inline(never)]
fn for_loop(layout: &Layout, data: &[f32]) -> Result<f32, LayoutError> {
    let mut sum = 0.0;
    for o in layout.offsets()? {
        sum += data[o as usize];
    }
    Ok(sum)
}

#[inline(never)]
fn coords(layout: &Layout, data: &[f32]) -> Result<f32, LayoutError> {
    Ok(layout.coords_and_offsets()?.fold(0.0, |sum, ([i, j, k], o)| sum + data[o as usize] * (i + j + k) as f32))
}

#[inline(never)]
fn coords_by_hand(shape: [i64; 3], stride: [i64; 3], data: &[f32]) -> f32 {
    let mut sum = 0.0;
    for k in 0..shape[2] {
        for j in 0..shape[1] {
            for i in 0..shape[0] {
                sum += data[(i * stride[0] + j * stride[1] + k * stride[2]) as usize] * (i + j + k) as f32;
            }
        }
    }
    sum
}

#[inline(never)]
fn coords_for(layout: &Layout, data: &[f32]) -> Result<f32, LayoutError> {
    let mut sum = 0.0;
    for ([i, j, k], o) in layout.coords_and_offsets()? {
        sum += data[o as usize] * (i + j + k) as f32;
    }
    Ok(sum)
}

/// At every one-dimensional coordinate anew, with divisions.
#[inline(never)]
fn evaluate(layout: &Layout, data: &[f32]) -> Result<f32, LayoutError> {
    let mut sum = 0.0;
    for i in 0..layout.size()? {
        sum += data[layout.at(i)? as usize];
    }
    Ok(sum)
}

fn iterate(c: &mut Criterion) {
    for (shape, stride) in [
        ([8, 16, 4], [64, 4, 1]),
        ([3, 5, 7], [35, 7, 1]),
        ([256, 256, 64], [64, 16384, 1]),
        ([256, 256, 64], [1, 257, 65793]),
    ] {
        let layout = Layout::flat(&shape, &stride).expect("a layout");
        let data = vec![1.0; layout.cosize().expect("known") as usize];
        let mut group = c.benchmark_group(layout.to_string());
        group.throughput(Throughput::Elements(shape.iter().product::<i64>() as u64));
        group.sample_size(if data.len() > 10000 { 20 } else { 100 });
        group.bench_function(BenchmarkId::from_parameter("by hand"), |b| {
            b.iter(|| by_hand(black_box(shape), black_box(stride), &data))
        });
        group.bench_function(BenchmarkId::from_parameter("fold"), |b| b.iter(|| fold(black_box(&layout), &data)));
        group.bench_function(BenchmarkId::from_parameter("for"), |b| b.iter(|| for_loop(black_box(&layout), &data)));
        group.bench_function(BenchmarkId::from_parameter("coords by hand"), |b| {
            b.iter(|| coords_by_hand(black_box(shape), black_box(stride), &data))
        });
        group.bench_function(BenchmarkId::from_parameter("coords fold"), |b| {
            b.iter(|| coords(black_box(&layout), &data))
        });
        group.bench_function(BenchmarkId::from_parameter("coords for"), |b| {
            b.iter(|| coords_for(black_box(&layout), &data))
        });
        group.bench_function(BenchmarkId::from_parameter("at"), |b| b.iter(|| evaluate(black_box(&layout), &data)));
        group.finish();
    }
}

#[inline(never)]
fn transpose_by_hand(n: usize, to: &mut [f32], from: &[f32]) {
    for j in 0..n {
        for i in 0..n {
            to[i + j * n] = from[i * n + j];
        }
    }
}

/// Copies between tensors, and of a tile of one.
fn copy(c: &mut Criterion) {
    for n in [8, 64, 256] {
        let shape = IntTuple::flat(&[n, n]).expect("a shape");
        let (rows, columns) = (Layout::row_major(&shape).expect("known"), Layout::column_major(&shape).expect("known"));
        let src = Tensor::from_fn(rows, |i| i as f32).expect("known");
        let mut dst = Tensor::filled(columns, 0.0).expect("known");
        let mut group = c.benchmark_group(format!("transpose {n}"));
        group.throughput(Throughput::Elements((n * n) as u64));
        group.bench_function(BenchmarkId::from_parameter("by hand"), |b| {
            b.iter(|| transpose_by_hand(black_box(n as usize), dst.memory_mut(), src.memory()))
        });
        group.bench_function(BenchmarkId::from_parameter("copy_from"), |b| {
            b.iter(|| dst.copy_from(black_box(&src)).expect("equal sizes"))
        });
        group.bench_function(BenchmarkId::from_parameter("sum"), |b| b.iter(|| black_box(&src).iter().sum::<f32>()));
        group.finish();
    }
    let a = Tensor::from_fn(layout!((250,250):(1,250)), |i| i as f32).expect("known");
    let mut group = c.benchmark_group("tile of 64 x 64");
    group.bench_function(BenchmarkId::from_parameter("local_tile_ceil"), |b| {
        b.iter(|| black_box(&a).view().local_tile_ceil(&tiler![64, 64], (3, 3)).expect("a tile"))
    });
    let edge = a.view().local_tile_ceil(&tiler![64, 64], (3, 3)).expect("a tile");
    group.bench_function(BenchmarkId::from_parameter("load"), |b| b.iter(|| black_box(&edge).load(0.0)));
    let square = Tensor::from_fn(layout!((256,256):(1,256)), |i| i as f32).expect("known");
    group.bench_function(BenchmarkId::from_parameter("local_tile"), |b| {
        b.iter(|| black_box(&square).view().local_tile(&tiler![64, 64], (3, 3)).expect("a tile"))
    });
    let (tile, threads) = (square.view().local_tile(&tiler![64, 64], (3, 3)).expect("a tile"), layout!((16,8):(8,1)));
    group.bench_function(BenchmarkId::from_parameter("local_partition"), |b| {
        b.iter(|| black_box(&tile).local_partition(&threads, black_box(77)).expect("a thread"))
    });
    group.finish();
}

criterion_group!(benches, iterate, copy);
criterion_main!(benches);

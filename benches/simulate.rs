//! Speed of the simulator: instructions of threads a second, with all checks and without.

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use girih::gpu::atom::NumericType::{self, BF16, F32};
use girih::gpu::gemm::{Gemm, Matrix};
use girih::gpu::launch::{Arg, Element};
use girih::gpu::ptx::{Module, Target};
use girih::gpu::sim::{Buffer, Checks, Grid, Report, SimError, Simulation};
use half::bf16;

/// A loop of 1024 turns around a body, on 16 blocks of 256 threads; r is the turn, x what the thread stores.
fn kernel(body: &str) -> Module {
    let text = format!(
        ".version 7.0 .target sm_80 .address_size 64
         .visible .entry f(.param .u64 out) {{
             .reg .pred %p; .reg .b32 %r, %x, %y, %t, %n; .reg .f32 %f, %g; .reg .b64 %to, %at;
             ld.param.u64 %to, [out];
             mov.u32 %t, %tid.x;
             mov.u32 %n, %ctaid.x;
             mad.lo.u32 %t, %n, 256, %t;
             mad.wide.u32 %at, %t, 4, %to;
             mov.u32 %x, %t;
             mov.u32 %y, 12345;
             mov.f32 %f, 0f3F800000;
             cvt.rn.f32.u32 %g, %t;
             mov.u32 %r, 0;
         again:
             {body}
             add.u32 %r, %r, 1;
             setp.lt.u32 %p, %r, 1024;
             @%p bra again;
             cvt.rzi.u32.f32 %y, %f;
             add.u32 %x, %x, %y;
             st.global.u32 [%at], %x;
         }}"
    );
    Module::parse(&text).unwrap()
}

const INTEGER: &str = "
    mad.lo.u32 %x, %x, 1664525, 1013904223;
    shr.u32 %y, %x, 16;
    xor.b32 %x, %x, %y;
    and.b32 %y, %x, 255;
    add.u32 %x, %x, %y;";

const FLOAT: &str = "
    fma.rn.f32 %f, %f, 0f3F7FFFFF, %g;
    fma.rn.f32 %g, %g, 0f3F000000, %f;
    fma.rn.f32 %f, %g, 0f3E000000, %f;
    fma.rn.f32 %g, %f, 0f3F000000, %g;
    mul.f32 %f, %f, 0f3F000000;";

const NONE: Checks = Checks { races: false, memory: false, registers: false, exited: false };

/// With all checks and without.
fn both(
    group: &mut BenchmarkGroup<WallTime>,
    name: &str,
    module: &Module,
    mut run: impl FnMut(&Simulation) -> Result<Report, SimError>,
) {
    for (how, checks) in [("checked", Checks::default()), ("unchecked", NONE)] {
        let entry = module.functions().find(|f| f.is_entry).unwrap();
        let simulation = Simulation::new(module).unwrap().entry(&entry.name).checks(checks);
        let report = run(&simulation).unwrap_or_else(|e| panic!("{name}: {e}"));
        group.throughput(Throughput::Elements(report.thread_instructions()));
        group.bench_function(format!("{name}/{how}"), |b| b.iter(|| run(&simulation).unwrap()));
    }
}

/// A square product by `mma.sync`, or by `fma`.
fn gemm<T: Element>(group: &mut BenchmarkGroup<WallTime>, ty: NumericType, n: usize, [a, b]: [Buffer<T>; 2]) {
    let matrices = [Matrix::row_major(ty), Matrix::column_major(ty), Matrix::row_major(ty)];
    let [x, y, z] = matrices.map(|m| m.aligned(16));
    let kernel = Gemm::new(x, y, z).build(Target::SM_80).unwrap();
    let mut c = Buffer::<T>::new(n * n);
    both(group, &format!("gemm {ty} {n}^3"), kernel.module(), |s| {
        let sizes = [n as u32; 6].map(Arg::from);
        let args: Vec<Arg> = [a.arg(), b.arg(), c.arg_mut()].into_iter().chain(sizes).collect();
        s.launch(kernel.launch(), &args)
    });
}

fn bench(c: &mut Criterion) {
    let mut group = c.benchmark_group("simulate");
    group.sample_size(10);
    for (name, body) in [("integer", INTEGER), ("f32", FLOAT)] {
        let mut out = Buffer::<u32>::new(16 * 256);
        both(&mut group, name, &kernel(body), |s| s.run(Grid::new(16, 256), &[out.arg_mut()]));
    }

    // nvcc's, through a tile of 32 x 33 words of shared memory
    let module = Module::parse(include_str!("../tests/data/ptx/cuda/transpose.ptx")).unwrap();
    let (x, mut y) = (Buffer::from_slice(&[1f32; 512 * 512]), Buffer::<f32>::new(512 * 512));
    let run = |s: &Simulation| {
        let args: [Arg; 4] = [x.arg(), y.arg_mut(), 512u32.into(), 512u32.into()];
        s.run(Grid::new([16, 16], [32, 8]), &args)
    };
    both(&mut group, "transpose", &module, run);

    for n in [128, 512] {
        let of = |x| Buffer::from_slice(&vec![bf16::from_f32(x); n * n]);
        gemm(&mut group, BF16, n, [of(1.0), of(2.0)]);
    }
    gemm(&mut group, F32, 512, [1f32, 2.0].map(|x| Buffer::from_slice(&vec![x; 512 * 512])));
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);

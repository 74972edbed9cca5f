//! From layouts to PTX text, proofs included, and text read back.

use criterion::{Criterion, criterion_group, criterion_main};
use girih::gpu::atom::NumericType::{BF16, F32};
use girih::gpu::gemm::{Gemm, Matrix};
use girih::gpu::ptx::{Module, Opcode, Target};
use std::hint::black_box;

fn codegen(c: &mut Criterion) {
    let gemms = [("f32", F32), ("bf16", BF16)].map(|(name, ty)| {
        let of = |ty| Matrix::row_major(ty).aligned(16);
        (name, Gemm::new(of(ty), of(ty), of(ty)))
    });
    for (name, gemm) in gemms {
        c.bench_function(&format!("gemm {name}: layouts, proofs, PTX text"), |b| {
            b.iter(|| black_box(&gemm).build(Target::SM_90A).map(|kernel| kernel.ptx()))
        });
        c.bench_function(&format!("gemm {name}: proofs alone"), |b| {
            b.iter(|| black_box(&gemm).certificate(Target::SM_90A))
        });
        let text = gemm.build(Target::SM_90A).map(|kernel| kernel.ptx()).unwrap_or_default();
        c.bench_function(&format!("gemm {name}: its text parsed"), |b| b.iter(|| Module::parse(black_box(&text))));
    }
    c.bench_function("an opcode looked up", |b| b.iter(|| Opcode::parse(black_box("ld.global.v4.f32"))));
}

criterion_group!(benches, codegen);
criterion_main!(benches);

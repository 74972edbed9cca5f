//! The kernels, small but ragged: several blocks, more tiles of k than stages, edges in every direction.

use super::subject::{self, Given, Launch, Memory, Subject};
use girih::gpu::apply::{ApplyOptions, MemoryTensor, RegisterTensor};
use girih::gpu::atom::NumericType::{self, *};
use girih::gpu::copy::Stream;
use girih::gpu::gemm::{Gemm, Matrix, Order, Tiling};
use girih::gpu::kernel::{Index, Kernel};
use girih::gpu::ptx::{Target, Type};
use girih::gpu::sim::Grid;
use girih::prelude::*;
use half::{bf16, f16};

/// Each with how many mutants of a rule are made of it.
pub fn subjects() -> Vec<(Subject, usize)> {
    let mut all = Vec::new();
    let (row, column) = (Order::Row, Order::Column);
    let [bf16s, f16s, f32s] = [
        |x: i32| u64::from(bf16::from_f32(x as f32).to_bits()),
        |x| u64::from(f16::from_f32(x as f32).to_bits()),
        |x| u64::from((x as f32).to_bits()),
    ];
    let e4m3s = |x: i32| [0, 0x38, 0x40, 0x44][x.unsigned_abs() as usize] | if x < 0 { 0x80 } else { 0 };
    let s32s = |x: i32| u64::from(x as u32);
    let shallow =
        |bits: i64, stages| Tiling { tile: [64, 128, 512 / bits], warps: [1, 2], stages, ..Tiling::shallow(16) };
    let simt = Tiling { tile: [128, 64, 8], warps: [2, 1], stages: 3, group: 1, blocks: 1 };
    let mut gemm = |name: &str, values: [Number; 2], orders, align, tiling| {
        all.push((product(name, values, orders, align, tiling), 4));
    };
    gemm("gemm_bf16_f32", [(BF16, bf16s), (F32, f32s)], [row, row, row], Some(16), shallow(16, 3));
    gemm("gemm_bf16_bf16_staged", [(BF16, bf16s), (BF16, bf16s)], [column, row, row], Some(16), shallow(16, 2));
    gemm("gemm_f16_f16_unaligned", [(F16, f16s), (F16, f16s)], [row, column, column], None, shallow(16, 2));
    gemm("gemm_tf32", [(TF32, f32s), (F32, f32s)], [row, column, row], Some(16), shallow(32, 3));
    gemm("gemm_s8", [(S8, |x| u64::from(x as u8)), (S32, s32s)], [row, row, row], Some(16), shallow(8, 3));
    gemm("gemm_e4m3", [(E4M3, e4m3s), (F32, f32s)], [row, row, column], Some(8), shallow(8, 3));
    gemm("gemm_f32", [(F32, f32s), (F32, f32s)], [column, column, row], Some(16), simt);
    gemm("gemm_f32_rows", [(F32, f32s), (F32, f32s)], [row, row, column], Some(16), simt);
    let square = Tiling { tile: [128, 128, 8], warps: [2, 2], ..simt };
    gemm("gemm_f32_unaligned", [(F32, f32s), (F32, f32s)], [row, column, column], None, square);
    all.extend([
        (stream("axpy_f32", Stream::axpy(F32).aligned(16), f32s, 4, 4), 12),
        (stream("axpy_f16", Stream::axpy(F16).aligned(8), f16s, 2, 4), 12),
        (stream("copy_s8", Stream::copy(S8).aligned(16), |x| u64::from(x as u8), 1, 16), 12),
        (packed_add(), 12),
        (transposition(), 12),
        (sums(), 12),
        (moving_sums(), 12),
    ]);
    all.extend(foreign().map(|s| (s, 4)));
    all.extend(TWINS.map(|name| (subject::twin(name), 4)));
    all
}

/// Kernels of other compilers, launched as they are tested and with sizes at other edges.
fn foreign() -> [Subject; 9] {
    let stages = [(36, 96), (44, 32), (52, 64), (60, 32), (48, 32), (64, 64), (33, 0)].map(|(m, k)| {
        let [a, b, c] = [m * k, 80 * k, m * 80].map(|n| n.max(8));
        format!("--grid 2,2 --block 128 --shared 12288 bf16[{a}]=random(1) bf16[{b}]=random(2) f32[{c}] {m} 80 {k} 0 0")
    });
    let transpose = [(56, 56), (44, 37), (60, 37)].map(|(m, n)| {
        let size = m * n;
        format!("--entry transpose_f32 --grid 2,2 --block 32,8 f32[{size}]=random(1) f32[{size}] {m} {n}")
    });
    let launches = |all: &[&str]| all.iter().map(|l| l.to_string()).collect::<Vec<_>>();
    [
        ("histogram", launches(&["--grid 1 --block 256 --shared 1024 u8[4004]=random(4) u32[256]=0 1001"])),
        ("matmul", launches(&["--grid 1 --block 16,16 f32[512]=random(8) f32[512]=random(9) f32[256] 16 16 32"])),
        ("reduce", vec![]),
        ("scan", vec![]),
        ("transpose_f32", transpose.into()),
        ("last_block", launches(&["--grid 256 --block 128 f32[300]=random(2) 300 f32[256] u32[1]=0 f32[1]"])),
        ("aggregated", vec![]),
        ("triton_scan", launches(&["--grid 1 --block 128 --shared 64 s32[512]=random(4,0,1000) s32[512] 512 0 0"])),
        ("triton_matmul_stages", stages.into()),
    ]
    .map(|(name, launches)| subject::foreign(name, &launches))
}

/// Twins of planted faults that synchronize.
const TWINS: [&str; 24] = [
    "arrive_before_store",
    "atom_scope_cta",
    "atomic_and_plain",
    "barrier_in_loop",
    "barriers_crossed",
    "consumer_without_producer",
    "cp_async_buffer_reused",
    "cp_async_last_stage",
    "cp_async_ragged",
    "cp_async_wait_too_large",
    "cp_async_plain_arrive",
    "double_buffer_same_stage",
    "flag_within_warp",
    "grid_barrier_no_fence",
    "last_block_fence_cta",
    "last_block_no_acquire",
    "loop_one_barrier",
    "mbarrier_parity_not_flipped",
    "mbarrier_read_before_wait",
    "pair_barrier_wrong_number",
    "redux_half_mask",
    "ring_slot_reused",
    "scan_one_barrier",
    "shared_counter_read_plain",
];

/// A type, and its bits of a small integer.
type Number = (NumericType, fn(i32) -> u64);

fn bytes(ty: NumericType) -> usize {
    ty.bits() / 8
}

/// Integers of which neighbours differ, from -3 to 3.
fn small(i: usize) -> i32 {
    ((i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as i32 % 7 - 3
}

/// Integers from -150 to 150.
fn wide(i: usize) -> i32 {
    ((i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as i32 % 301 - 150
}

/// Memory of a matrix, all ones where no element is; its leading dimension.
fn stored(
    (ty, bits): Number,
    [rows, columns]: [usize; 2],
    order: Order,
    gap: usize,
    value: impl Fn(usize, usize) -> i32,
) -> (Vec<u8>, usize) {
    let (lines, line) = if order == Order::Row { (rows, columns) } else { (columns, rows) };
    let (ld, size) = (line + gap, bytes(ty));
    let mut memory = vec![0xff; lines * ld * size];
    for i in 0..rows {
        for j in 0..columns {
            let at = size * if order == Order::Row { i * ld + j } else { j * ld + i };
            memory[at..at + size].copy_from_slice(&bits(value(i, j)).to_le_bytes()[..size]);
        }
    }
    (memory, ld)
}

/// A product of small integers, which is exact in all types.
fn product(name: &str, [ab, c]: [Number; 2], orders: [Order; 3], align: Option<u32>, tiling: Tiling) -> Subject {
    let matrix = |ty: NumericType, order| {
        let m = Matrix { order, ..Matrix::row_major(ty) };
        align.map_or(m, |align| m.aligned(align))
    };
    let [x, y, z] = [matrix(ab.0, orders[0]), matrix(ab.0, orders[1]), matrix(c.0, orders[2])];
    let target = if ab.0 == E4M3 { Target::SM_89 } else { Target::SM_80 };
    let kernel = Gemm::new(x, y, z).tiled(tiling).build(target).unwrap();
    // with a column-major C the tile is of the transposed product
    let [tm, tn] = if orders[2] == Order::Row { [0, 1] } else { [1, 0] }.map(|i| tiling.tile[i] as usize);
    let tk = tiling.tile[2] as usize;
    // tiles that are cut, whole ones, no product at all, and edges at every fragment
    let edges = (0..40).flat_map(|t| {
        let pairs = |t: usize| 2 * (t % 32) + 1 + t % 2;
        let fours = |t: usize| 4 * (t % 16) + 1 + t % 4;
        [[pairs(5 * t + 3), pairs(t), t + 1], [fours(t + 1), fours(t), t + 1], [fours(t + 2), fours(t + 3), 2 * t + 1]]
    });
    let some = [[tm + 7, tn - 30, 3 * tk + tk / 2 + 1], [tm, tn, 2 * tk], [5, 3, 0]];
    let sizes = some.into_iter().chain(edges);
    let launches = sizes.map(|[m, n, k]| {
        let a = |i, l| small(i * k + l);
        let b = |j, l| small(7919 + j * k + l);
        let gap = |order, ty, [rows, columns]: [usize; 2]| {
            let line = if order == Order::Row { columns } else { rows };
            let vector = align.map_or(1, |align| align as usize / bytes(ty));
            line.next_multiple_of(vector) - line + vector
        };
        let [oa, ob, oc] = orders;
        let (left, lda) = stored(ab, [m, k], oa, gap(oa, ab.0, [m, k]), a);
        let (right, ldb) = stored(ab, [n, k], ob, gap(ob, ab.0, [n, k]), b);
        let sum = |i, j| (0..k).map(|l| a(i, l) * b(j, l)).sum();
        let (out, ldc) = stored(c, [m, n], oc, gap(oc, c.0, [m, n]), sum);
        // an element further, where nothing is promised
        let memory = |data: Vec<u8>, ty, writes: bool| {
            let first = align.map_or(bytes(ty), |_| 0);
            let shifted = |data: &[u8]| [&vec![0xff; first], data].concat();
            let (expected, end) = (shifted(&data), first + data.len());
            let before = if writes { vec![0xff; end] } else { expected.clone() };
            Given::Memory(Memory { bytes: Some(before), first, end, writes, expected: Some(Ok(expected)) })
        };
        let mut given = vec![memory(left, ab.0, false), memory(right, ab.0, false), memory(out, c.0, true)];
        given.extend([m, n, k, lda, ldb, ldc].map(size));
        let blocks = m.div_ceil(tm) * n.div_ceil(tn);
        let built = kernel.launch();
        let grid = Grid::new(blocks as u32, built.block).shared(built.dynamic_shared);
        Launch { entry: built.entry.clone(), grid, given, budget: 1 << 32 }
    });
    Subject { name: name.into(), module: kernel.module().clone(), launches: launches.collect() }
}

/// Numbers in memory.
fn numbers(size: usize, values: impl IntoIterator<Item = u64>) -> Vec<u8> {
    values.into_iter().flat_map(|v| v.to_le_bytes().into_iter().take(size)).collect()
}

fn input(bytes: Vec<u8>) -> Given {
    Given::Memory(Memory {
        end: bytes.len(),
        expected: Some(Ok(bytes.clone())),
        bytes: Some(bytes),
        ..Memory::default()
    })
}

/// Memory that the kernel writes, with what it holds first.
fn output(before: Option<Vec<u8>>, after: Vec<u8>) -> Given {
    Given::Memory(Memory { bytes: before, first: 0, end: after.len(), writes: true, expected: Some(Ok(after)) })
}

/// `y = 3 x + y` or `y = x`, between bytes of ones.
fn stream(name: &str, stream: Stream, bits: fn(i32) -> u64, bytes: usize, vector: usize) -> Subject {
    let (module, built) = stream.build(Target::SM_80).unwrap();
    let axpy = built.params.len() == 4;
    let around = 16;
    // every place at which the last vector may be cut
    let launches = (0..=vector).map(|cut| 256 * vector + cut).map(|n| {
        let part = |values: Vec<u64>| [vec![0xff; around], numbers(bytes, values), vec![0xff; around]].concat();
        let x: Vec<u64> = (0..n).map(|i| bits(wide(i))).collect();
        let y: Vec<u64> = (0..n).map(|i| bits(wide(i + 5000))).collect();
        let z = (0..n).map(|i| bits(if axpy { 3 * wide(i) + wide(i + 5000) } else { wide(i) })).collect();
        let memory = |before: Vec<u8>, after: Vec<u8>, writes| {
            let end = before.len() - around;
            Given::Memory(Memory { bytes: Some(before), first: around, end, writes, expected: Some(Ok(after)) })
        };
        let three = move || if bytes == 4 { 3f32.into() } else { f16::from_f32(3.0).into() };
        let mut given = if axpy { vec![Given::Value(Box::new(three))] } else { vec![] };
        let x = part(x);
        given.extend([memory(x.clone(), x, false), memory(part(y), part(z), true), size(n)]);
        let blocks = n.div_ceil(256 * vector);
        Launch { entry: built.entry.clone(), grid: Grid::new(blocks as u32, built.block), given, budget: 1 << 32 }
    });
    Subject { name: name.into(), module, launches: launches.collect() }
}

/// Eight additions of two halves by one thread, as in the example of the same name.
fn packed_add() -> Subject {
    let mut k = Kernel::new("packed_add", Target::SM_80, [1, 1, 1]);
    let [a, b, out] = ["a", "b", "out"].map(|name| {
        let pointer = k.pointer(name, Type::B32);
        MemoryTensor::new(&pointer.at(&0.into()), &layout!((8,1):(1,1)), 8, 4)
    });
    let [x, y] = [(); 2].map(|()| RegisterTensor::new(&k.regs(Type::B32, 8), &layout!((8,1):(1,1))));
    let options = ApplyOptions::default();
    for (opcode, operands) in [
        ("ld.global.b32", vec![(&x).into(), (&a).into()]),
        ("ld.global.b32", vec![(&y).into(), (&b).into()]),
        ("add.rn.f16x2", vec![(&x).into(), (&x).into(), (&y).into()]),
        ("st.global.b32", vec![(&out).into(), (&x).into()]),
    ] {
        k.apply(opcode, &operands, &options).unwrap();
    }
    let halves = |of: &dyn Fn(usize) -> i32| numbers(2, (0..16).map(|i| f16::from_f32(of(i) as f32).to_bits().into()));
    let (p, q) = (|i| i as i32, |i| small(i) * 10);
    let given = vec![input(halves(&p)), input(halves(&q)), output(None, halves(&|i| p(i) + q(i)))];
    subject(k, Grid::new(1, 1), vec![given])
}

fn subject(k: Kernel, grid: Grid, launches: Vec<Vec<Given>>) -> Subject {
    let module = k.finish().unwrap();
    let entry = module.functions().next().unwrap().name.to_string();
    let launch = |given| Launch { entry: entry.clone(), grid, given, budget: 1 << 32 };
    Subject { name: entry.clone(), launches: launches.into_iter().map(launch).collect(), module }
}

fn size(n: usize) -> Given {
    Given::Value(Box::new(move || (n as u32).into()))
}

/// Tiles of a matrix through swizzled shared memory, two rows at a time.
fn transposition() -> Subject {
    let mut k = Kernel::new("transposition", Target::SM_80, [64, 1, 1]);
    let (x, y) = (k.pointer("x", Type::B32), k.pointer("y", Type::B32));
    let (rows, columns) = (k.size_at_most("rows", 1000), k.size_at_most("columns", 1000));
    let tile: Composed = "S<5,0,5> o 0 o (32,32):(32,1)".parse().unwrap();
    let s = k.shared(Type::B32, 1024, 16);
    let (tid, bx, by) = (k.tid(), k.ctaid(), k.ctaid_y());
    let (bx, by) = (k.promised(&bx, 0, 100), k.promised(&by, 0, 100));
    let (column, row) = (k.rem(&tid, 32), k.div(&tid, 32));
    let walk = |k: &mut Kernel, blocks: [&Index; 2], limits: [&Index; 2], load: bool| {
        k.for_each(&0.into(), &32.into(), 2, |k, i| {
            let r = i + &row;
            let (line, at) = (blocks[0] * 32 + &r, blocks[1] * 32 + &column);
            let (p, q) = (k.lt(&line, limits[0]), k.lt(&at, limits[1]));
            let inside = k.and(p, q);
            let begin = k.mul(&line, limits[1]);
            let here = if load { [r, column.clone()] } else { [column.clone(), r] };
            let here = k.offset_swizzled(&tile, &here);
            k.branch(&inside, |k| match load {
                true => {
                    let v = k.load(&x.at(&(begin + &at)), 1);
                    k.store(&s.at(&here), &v);
                }
                false => {
                    let v = k.load(&s.at(&here), 1);
                    k.store(&y.at(&(begin + &at)), &v);
                }
            });
        });
    };
    walk(&mut k, [&by, &bx], [&rows, &columns], true);
    k.barrier();
    walk(&mut k, [&bx, &by], [&columns, &rows], false);
    let (rows, columns) = (37, 53);
    let from = numbers(4, 0..rows * columns);
    let to = numbers(4, (0..rows * columns).map(|i| i % rows * columns + i / rows));
    let given = vec![input(from), output(None, to), size(rows as usize), size(columns as usize)];
    subject(k, Grid::new([2, 2], 64), vec![given])
}

/// Sums of two blocks: each thread of its own elements, then of each other's in halves.
fn sums() -> Subject {
    let mut k = Kernel::new("sums", Target::SM_80, [128, 1, 1]);
    let (x, y, n) = (k.pointer("x", Type::B32), k.pointer("y", Type::B32), k.size_at_most("n", 1 << 20));
    let (tid, block) = (k.tid(), k.ctaid());
    let block = k.promised(&block, 0, 1);
    let sum = k.reg(Type::B32);
    k.emit("mov.b32", vec![sum.into(), 0.into()]);
    k.for_each(&(&block * 128 + &tid), &n, 256, |k, i| {
        let v = k.load(&x.at(i), 1)[0];
        k.emit("add.s32", vec![sum.into(), sum.into(), v.into()]);
    });
    let s = k.shared(Type::B32, 128, 16);
    k.store(&s.at(&tid), &[sum]);
    for half in [64, 32, 16, 8, 4, 2, 1] {
        k.barrier();
        let first = k.lt(&tid, &half.into());
        k.branch(&first, |k| {
            let v = k.load(&s.at(&(&tid + half)), 1)[0];
            k.emit("add.s32", vec![sum.into(), sum.into(), v.into()]);
            k.store(&s.at(&tid), &[sum]);
        });
    }
    let last = k.eq(&tid, &0.into());
    k.branch(&last, |k| k.store(&y.at(&block), &[sum]));
    let n = 1000;
    let of = |block| (0..n).filter(|i| i / 128 % 2 == block).map(|i| small(i) as u32).fold(0, u32::wrapping_add);
    let x = numbers(4, (0..n).map(|i| u64::from(small(i) as u32)));
    let given = vec![input(x), output(None, numbers(4, [of(0), of(1)].map(u64::from))), size(n)];
    subject(k, Grid::new(2, 128), vec![given])
}

/// `y = x + x` turned round within 64, through a ring of three stages.
fn moving_sums() -> Subject {
    let mut k = Kernel::new("moving_sums", Target::SM_80, [64, 1, 1]);
    let (x, y, n) = (k.pointer("x", Type::B32), k.pointer("y", Type::B32), k.size_at_most("n", 1 << 20));
    let (s, tid) = (k.shared(Type::B32, 192, 16), k.tid());
    let turned = k.xor(&tid, &63.into());
    let copy = |k: &mut Kernel, tile: &Index, stage: &Index| {
        let i = tile * 64 + &tid;
        let inside = k.lt(&i, &n);
        k.copy_async(&s.at(&(stage * 64 + &tid)), &x.at(&i), 4, &inside);
        k.copies_committed();
    };
    copy(&mut k, &0.into(), &0.into());
    copy(&mut k, &1.into(), &1.into());
    let tiles = k.ceil_div(&n, 64);
    k.for_each(&0.into(), &tiles, 1, |k, i| {
        k.copies_done(1);
        k.barrier();
        let stage = k.rem(i, 3) * 64;
        let (a, b) = (k.load(&s.at(&(&stage + &tid)), 1)[0], k.load(&s.at(&(&stage + &turned)), 1)[0]);
        let sum = k.op("add.s32", vec![a.into(), b.into()]);
        let next = i + 2;
        let stage = k.rem(&next, 3);
        copy(k, &next, &stage);
        let at = i * 64 + &tid;
        let inside = k.lt(&at, &n);
        k.branch(&inside, |k| k.store(&y.at(&at), &[sum]));
    });
    let launches = [357usize, 128, 100, 64, 63, 1, 0].map(|n| {
        let x = |i: usize| if i < n { (i as u64 + 1) * 1000 } else { 0 };
        let sum = |i: usize| x(i) + x(i ^ 63);
        vec![input(numbers(4, (0..n).map(x))), output(None, numbers(4, (0..n).map(sum))), size(n)]
    });
    subject(k, Grid::new(1, 64), launches.into())
}

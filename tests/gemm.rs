//! Matrix products: every variant is built, checked and proved; executed, and compared with the host.

use girih::gpu::atom::NumericType::{self, *};
use girih::gpu::facts::{Access, banks, sectors};
use girih::gpu::gemm::*;
use girih::gpu::launch::{Element, LaunchError};
use girih::gpu::ptx::{Module, Target};
use girih::gpu::sim::{Buffer, Line, Simulation};
use girih::prelude::*;
use half::{bf16, f16};

#[path = "common/machine.rs"]
mod machine;
#[path = "common/ptxas.rs"]
mod ptxas;
#[allow(dead_code)]
#[path = "common/random.rs"]
mod random;
use machine::{Machine, number};
use random::Rng;

/// The types that can be multiplied, and what they are added up in.
const TYPES: [(NumericType, NumericType); 14] = [
    (F32, F32),
    (TF32, F32),
    (BF16, F32),
    (BF16, BF16),
    (BF16, F16),
    (F16, F32),
    (F16, F16),
    (F16, BF16),
    (S8, S32),
    (E4M3, F32),
    (E5M2, F32),
    (E4M3, BF16),
    (E5M2, F16),
    (TF32, BF16),
];

/// All orders of A, B and C.
fn orders() -> impl Iterator<Item = [Order; 3]> {
    let order = |bit: usize| if bit == 0 { Order::Row } else { Order::Column };
    (0..8).map(move |i| [order(i & 1), order(i >> 1 & 1), order(i >> 2)])
}

fn gemm(ab: NumericType, c: NumericType, [x, y, z]: [Order; 3], align: Option<u32>) -> Gemm {
    let matrix = |ty: NumericType, order| {
        let m = Matrix { order, ..Matrix::row_major(ty) };
        align.map_or(m, |align| m.aligned(align))
    };
    Gemm::new(matrix(ab, x), matrix(ab, y), matrix(c, z))
}

fn target(ab: NumericType) -> Target {
    if matches!(ab, E4M3 | E5M2) { Target::SM_89 } else { Target::SM_80 }
}

#[test]
fn every_variant_is_legal_ptx_and_proved() {
    for (ab, c) in TYPES {
        for orders in orders() {
            for align in [None, Some(16)] {
                let gemm = gemm(ab, c, orders, align);
                let kernel = gemm.build(target(ab)).unwrap_or_else(|e| panic!("{gemm:?}: {e}"));
                assert_eq!(kernel.module().check(), Ok(()), "{gemm:?}");
                let text = kernel.ptx();
                assert_eq!(text.parse::<Module>().as_ref(), Ok(kernel.module()), "{gemm:?}");
                assert_eq!(kernel.launch().validate(), Ok(()));
                for proof in kernel.certificate() {
                    assert_eq!(proof.check(), Ok(()), "{gemm:?}: {}", proof.claim);
                }
                assert_eq!(gemm.certificate(target(ab)).as_deref(), Ok(kernel.certificate()));
            }
        }
    }
}

#[test]
fn halves_are_stored_as_rows_where_the_ring_has_room() {
    let staged = |gemm: Gemm| gemm.build(Target::SM_90A).unwrap().ptx().contains("ld.shared.v4.b32");
    for orders in orders() {
        let bf16s = |align| gemm(BF16, BF16, orders, align);
        assert!(staged(bf16s(Some(16))));
        assert!(staged(bf16s(Some(16)).tiled(Tiling::shallow(16))));
        assert!(!staged(bf16s(Some(8))));
        assert!(!staged(gemm(BF16, F32, orders, Some(16))));
        // 256 rows of 528 bytes do not fit into two stages of 32 KiB
        let square = Tiling { tile: [256, 256, 32], warps: [4, 4], stages: 2, ..Tiling::shallow(16) };
        assert!(!staged(bf16s(Some(16)).tiled(square)));
    }
}

/// Each type with the fastest copies, for each target that has it.
#[test]
fn ptxas_assembles_for_every_generation() {
    for (ab, c) in [(F32, F32), (TF32, F32), (BF16, BF16), (F16, F32), (S8, S32), (E4M3, F32)] {
        for target in [Target::SM_80, Target::SM_90A, Target::SM_100A, Target::SM_120A] {
            if target.provides(self::target(ab)) {
                let kernel = gemm(ab, c, [Order::Row; 3], Some(16)).build(target).unwrap();
                ptxas::assemble(kernel.module(), target);
            }
        }
    }
}

#[test]
fn what_cannot_be_built_says_why() {
    let f32s = Matrix::row_major(F32);
    let says = |gemm: Gemm, text: &str| {
        let e = gemm.build(Target::SM_80).unwrap_err().to_string();
        assert!(e.contains(text), "{e}");
    };
    let gemm = Gemm::new(f32s, f32s, f32s);
    says(Gemm::new(f32s, Matrix::row_major(F16), f32s), "no product of f32 and f16 into f32");
    says(Gemm::new(f32s.aligned(2), f32s, f32s), "A cannot be aligned to 2 bytes");
    says(gemm.tiled(Tiling { tile: [128, 128, 8], ..Tiling::SIMT }), "each warp computes 64 x 64");
    says(gemm.tiled(Tiling { tile: [128, 256, 7], ..Tiling::SIMT }), "an even number of steps");
    says(gemm.tiled(Tiling { stages: 1, ..Tiling::SIMT }), "2 to 16 stages");
    says(gemm.tiled(Tiling { blocks: 0, ..Tiling::SIMT }), "1 to 32 blocks");
    says(gemm.tiled(Tiling { warps: [i64::MAX, 2], ..Tiling::SIMT }), "1 to 32 warps");
    // 2^28 columns in tiles of 64, 1024 rows of them: more than 32 bits count
    let tall = Tiling { tile: [64, 64, 8], warps: [1, 1], group: 1024, ..Tiling::SIMT };
    says(gemm.tiled(tall), "less than 2^31 tiles");
    let deep = Tiling { tile: [256, 256, 128], warps: [4, 4], ..Tiling::SIMT };
    says(gemm.tiled(deep), "bytes of shared memory; a block can have 166912");
    says(gemm.tiled(Tiling { tile: [128, 256, 12], ..Tiling::SIMT }), "they do not divide it");
    let e = Gemm::new(Matrix::row_major(E4M3), Matrix::row_major(E4M3), f32s).build(Target::SM_80).unwrap_err();
    assert!(e.to_string().contains("needs PTX 8.4 for sm_89"), "{e}");
}

/// What a test does with a type.
#[derive(Clone, Copy)]
struct Values<T> {
    of: fn(f64) -> T,
    poison: T,
}

const F32S: Values<f32> = Values { of: |x| x as f32, poison: f32::NAN };
const F16S: Values<f16> = Values { of: f16::from_f64, poison: f16::NAN };
const BF16S: Values<bf16> = Values { of: bf16::from_f64, poison: bf16::NAN };
const S8S: Values<i8> = Values { of: |x| x as i8, poison: 127 };
const S32S: Values<i32> = Values { of: |x| x as i32, poison: i32::MIN };
const E4M3S: Values<u8> = Values { of: |x| small_float(x, [0x38, 0x40, 0x44]), poison: 0x7f };
const E5M2S: Values<u8> = Values { of: |x| small_float(x, [0x3c, 0x40, 0x42]), poison: 0x7f };

/// -3 to 3, from the codes of 1, 2 and 3.
fn small_float(x: f64, codes: [u8; 3]) -> u8 {
    let code = if x == 0.0 { 0 } else { codes[x.abs() as usize - 1] };
    if x < 0.0 { code | 0x80 } else { code }
}

/// A matrix on the host, with poison between its lines.
struct Stored<T> {
    memory: Vec<T>,
    ld: usize,
}

impl<T: Element> Stored<T> {
    /// `line + gap` elements from line to line; one more first, if the memory need not be aligned.
    fn new(
        [rows, columns]: [usize; 2],
        order: Order,
        gap: usize,
        poison: T,
        value: impl Fn(usize, usize) -> T,
    ) -> Stored<T> {
        let (lines, line) = if order == Order::Row { (rows, columns) } else { (columns, rows) };
        let ld = line + gap;
        let strides = if order == Order::Row { [ld, 1] } else { [1, ld] };
        let mut memory = vec![poison; lines * ld];
        for i in 0..rows {
            for j in 0..columns {
                memory[i * strides[0] + j * strides[1]] = value(i, j);
            }
        }
        Stored { memory, ld }
    }
}

/// Elements to the next multiple of 16 bytes, and on.
fn gap<T: Element>(line: usize, aligned: bool, random: &mut Rng) -> usize {
    let vector = 16 / (T::TYPE.bits() as usize / 8);
    if aligned {
        line.next_multiple_of(vector) - line + vector * random.below(2) as usize
    } else {
        random.below(3) as usize
    }
}

/// With GIRIH_ONE_SHAPE a single ragged one: tools that watch every access take their time. So does the simulator: without a device
/// kernels take turns at the larger ones.
fn shapes(random: &mut Rng, turn: Option<usize>) -> Vec<[usize; 3]> {
    if std::env::var_os("GIRIH_ONE_SHAPE").is_some() {
        return vec![[129, 257, 33]];
    }
    let any = [1 + random.below(300) as usize, 1 + random.below(300) as usize, 1 + random.below(150) as usize];
    let large = [[64, 64, 64], [129, 257, 33], [127, 131, 67], [257, 61, 131], any];
    let small = [[0, 5, 3], [5, 0, 7], [3, 2, 0], [1, 1, 1]];
    match turn {
        None => [&small[..], &large].concat(),
        Some(turn) => [&small[..], &[large[turn % 5]]].concat(),
    }
}

/// Every order and alignment of a product of small integers, whose sums are exact in 32 bits; C is the exact sum, rounded once.
fn equal_to_the_host<T: Element, C: Element>(
    (ab, input): (NumericType, Values<T>),
    (c, output): (NumericType, Values<C>),
) {
    let machine = Machine::new(if matches!(ab, E4M3 | E5M2) { 89 } else { 80 });
    let mut random = Rng::new(7);
    for (turn, orders) in (0..).step_by(2).zip(orders()) {
        for aligned in [false, true] {
            let turn = (!machine.has_device()).then_some(turn + usize::from(aligned));
            let gemm = gemm(ab, c, orders, aligned.then_some(16));
            let built = gemm.build(machine.target()).unwrap();
            let kernel = machine.kernel(built.module(), built.launch());
            for [m, n, k] in shapes(&mut random, turn) {
                let numbers =
                    |random: &mut Rng, n: usize| -> Vec<i32> { (0..n).map(|_| random.below(7) as i32 - 3).collect() };
                let (x, y) = (numbers(&mut random, m * k), numbers(&mut random, n * k));
                let [oa, ob, oc] = orders;
                let line = |order, rows, columns| if order == Order::Row { columns } else { rows };
                let gaps = [
                    gap::<T>(line(oa, m, k), aligned, &mut random),
                    gap::<T>(line(ob, n, k), aligned, &mut random),
                    gap::<C>(line(oc, m, n), aligned, &mut random),
                ];
                let a = Stored::new([m, k], oa, gaps[0], input.poison, |i, l| (input.of)(x[i * k + l].into()));
                let b = Stored::new([n, k], ob, gaps[1], input.poison, |j, l| (input.of)(y[j * k + l].into()));
                let want = Stored::new([m, n], oc, gaps[2], output.poison, |i, j| {
                    let (row, column) = (&x[i * k..][..k], &y[j * k..][..k]);
                    (output.of)(row.iter().zip(column).map(|(x, y)| x * y).sum::<i32>().into())
                });
                // an element further, where nothing is promised
                let first = usize::from(!aligned);
                let shifted = |v: &[T]| [&vec![input.poison; first], v].concat();
                let (da, db) = (machine.buffer(&shifted(&a.memory)), machine.buffer(&shifted(&b.memory)));
                let mut dc = machine.buffer(&vec![output.poison; first + want.memory.len()]);
                let mut args = vec![
                    da.arg(first..first + a.memory.len()),
                    db.arg(first..first + b.memory.len()),
                    dc.arg_mut(first..first + want.memory.len()),
                ];
                args.extend([m, n, k, a.ld, b.ld, want.ld].map(|x| number(x as u32)));
                kernel.launch(args).unwrap();
                let got = dc.download();
                let bits = |v: &[C]| -> Vec<u64> { v.iter().map(|x| x.bits()).collect() };
                assert_eq!(bits(&got[..first]), bits(&vec![output.poison; first]));
                if let Some(at) = bits(&got[first..]).iter().zip(bits(&want.memory)).position(|(g, w)| *g != w) {
                    let place = (at / want.ld, at % want.ld);
                    let (got, want) = (got[first + at].bits(), want.memory[at].bits());
                    panic!(
                        "{gemm:?} {m} x {n} x {k}, {gaps:?}: line and element {place:?} are {got:#x}, not {want:#x}"
                    );
                }
            }
        }
    }
}

#[test]
fn f32_products_are_exact() {
    equal_to_the_host((F32, F32S), (F32, F32S));
}

#[test]
fn tf32_products_are_exact() {
    equal_to_the_host((TF32, F32S), (F32, F32S));
}

#[test]
fn bf16_products_are_exact() {
    equal_to_the_host((BF16, BF16S), (F32, F32S));
}

#[test]
fn bf16_products_are_rounded_once() {
    equal_to_the_host((BF16, BF16S), (BF16, BF16S));
}

#[test]
fn f16_products_are_exact() {
    equal_to_the_host((F16, F16S), (F32, F32S));
}

#[test]
fn f16_products_are_rounded_once() {
    equal_to_the_host((F16, F16S), (F16, F16S));
}

#[test]
fn s8_products_are_exact() {
    equal_to_the_host((S8, S8S), (S32, S32S));
}

#[test]
fn e4m3_products_are_exact() {
    equal_to_the_host((E4M3, E4M3S), (F32, F32S));
}

#[test]
fn e5m2_products_are_rounded_once() {
    equal_to_the_host((E5M2, E5M2S), (F16, F16S));
}

/// Rng numbers of all magnitudes. With `u = 2^-24`, a chain of `k` fused additions in any order is off by at most
/// `k u / (1 - k u)` times the sum of the products' magnitudes. Tensor cores add 8 or 16 exact products and the sum so far
/// after aligning them to the greatest, where each of these may lose one unit of its last place (`4 u` of the greatest, which the sum of
/// magnitudes bounds): `4 u (1 + 1/8)` for each element of k.
fn within_the_bound<T: Element>((ab, input): (NumericType, Values<T>), value: fn(T) -> f64, unit: f64) {
    let (machine, mut random) = (Machine::new(80), Rng::new(11));
    let built = gemm(ab, F32, [Order::Row; 3], None).build(machine.target()).unwrap();
    let kernel = machine.kernel(built.module(), built.launch());
    for [m, n, k] in [[61, 67, 1009], [130, 70, 257]] {
        let numbers = |random: &mut Rng, n: usize| -> Vec<T> {
            let number = |r: &mut Rng| {
                let mantissa = r.below(1 << 20) as f64 / f64::from(1 << 19) - 1.0;
                mantissa * 2f64.powi(r.below(17) as i32 - 8)
            };
            (0..n).map(|_| (input.of)(number(random))).collect()
        };
        let (x, y) = (numbers(&mut random, m * k), numbers(&mut random, n * k));
        let (dx, dy) = (machine.buffer(&x), machine.buffer(&y));
        let mut c = machine.buffer(&vec![0f32; m * n]);
        let mut args = vec![dx.all(), dy.all(), c.all_mut()];
        args.extend([m, n, k, k, k, n].map(|x| number(x as u32)));
        kernel.launch(args).unwrap();
        let got = c.download();
        for i in 0..m {
            for j in 0..n {
                let products = (0..k).map(|l| value(x[i * k + l]) * value(y[j * k + l]));
                let (sum, magnitude) = products.fold((0.0, 0.0), |(s, t), p| (s + p, t + p.abs()));
                // the host's own sum, in doubles, is off by less than a millionth of the bound
                let bound = k as f64 * unit / (1.0 - k as f64 * unit) * magnitude;
                let off = (f64::from(got[i * n + j]) - sum).abs();
                assert!(off <= bound, "{ab} {m} x {n} x {k} at ({i}, {j}): off by {off}, bound {bound}");
            }
        }
    }
}

const U: f64 = 1.0 / (1 << 24) as f64;

#[test]
fn f32_sums_are_within_the_bound_of_fma() {
    within_the_bound((F32, F32S), f64::from, U);
}

#[test]
fn bf16_sums_are_within_the_bound_of_tensor_cores() {
    within_the_bound((BF16, BF16S), f64::from, 4.5 * U);
}

#[test]
fn arguments_that_break_a_promise_are_refused() {
    let machine = Machine::new(80);
    let built = gemm(F32, F32, [Order::Column; 3], Some(16)).build(machine.target()).unwrap();
    let kernel = machine.kernel(built.module(), built.launch());
    let (x, mut y) = (machine.buffer(&[0f32; 64]), machine.buffer(&[0f32; 64]));
    let mut args = vec![x.all(), x.all(), y.all_mut()];
    args.extend([8u32, 8, 8, 8, 8, 6].map(number));
    let e = kernel.launch(args).unwrap_err();
    assert!(matches!(e, LaunchError::Condition { .. }), "{e}");
}

/// What the facts predict of the layouts is what the simulator counts of the kernel's instructions.
fn costs_are_those_of_the_layouts<T: Element>(ty: NumericType, order: Order) {
    let built = gemm(ty, F32, [order, order, Order::Row], Some(16)).build(Target::SM_90A).unwrap();
    let GemmLayouts { tile: [m, n, depth], copies, shared, c } = built.layouts().clone();
    let (bits, tiles) = (T::TYPE.bits() as usize, 7);
    let k = tiles * depth;
    let [x, y] = [m, n].map(|rows| Buffer::from_slice(&vec![T::default(); (rows * k) as usize]));
    let mut z = Buffer::<f32>::new((m * n) as usize);
    let ld = |rows| if order == Order::Row { k } else { rows };
    let mut args = vec![x.arg(), y.arg(), z.arg_mut()];
    args.extend([m, n, k, ld(m), ld(n), n].map(|x| (x as u32).into()));
    let report = Simulation::new(built.module()).unwrap().launch(built.launch(), &args).unwrap();
    let sum = |mnemonic: &str, space: &str, of: fn(&Line) -> u64| -> usize {
        let lines = report.lines.iter().filter(|l| l.mnemonic == mnemonic && l.space == Some(space));
        lines.map(of).sum::<u64>() as usize
    };

    // the copies of one tile of each operand: wavefronts of shared, sectors of global memory
    let tile = [(m, 0), (n, 1)].map(|(rows, i)| {
        let (row, step) = if order == Order::Row { (k, 1) } else { (1, rows) };
        let global = Layout::flat(&[rows, depth], &[row, step]).unwrap().compose(&copies[i]).unwrap();
        let stores = banks(&shared[i].compose(&copies[i]).unwrap(), bits, Access::Store(16)).unwrap();
        [stores.requests.len(), stores.wavefronts(), sectors(&global, bits, 16).unwrap().sectors()]
    });
    let [requests, wavefronts, touched] = [0, 1, 2].map(|what| tile[0][what] + tile[1][what]);
    assert_eq!(sum("cp", "shared", |l| l.sectors), tiles as usize * touched);
    // beyond the last tile as many are under way, of zeros
    let stages = sum("cp", "shared", |l| l.executions) / requests;
    assert!(stages >= tiles as usize);
    assert_eq!(sum("cp", "shared", |l| l.wavefronts), stages * wavefronts);

    // the fragments of one slice of k
    let slice = [(m, 0), (n, 1)].map(|(rows, i)| {
        if ty == F32 {
            // a thread's rows, or columns, of its elements of C: in vectors of four
            let (values, project) = match i {
                0 => (Layout::flat(&[8], &[1]), Layout::flat(&[m, n], &[1, 0])),
                _ => (Layout::flat(&[16], &[8]), Layout::flat(&[m, n], &[0, 1])),
            };
            let values = c.mode(1).unwrap().compose(&values.unwrap()).unwrap();
            let of_c = Layout::tuple(&[c.mode(0).unwrap(), values]).unwrap();
            let at = shared[i].compose(&project.unwrap().compose(&of_c).unwrap()).unwrap();
            banks(&at, bits, Access::Load(16)).unwrap()
        } else {
            // 16 rows and 16 elements of k are four matrices, read by every warp that needs them
            let rows = Layout::tuple(&[
                Layout::flat(&[16, 2], &[1, 8 * rows]).unwrap(),
                Layout::flat(&[8, rows / 16, c.mode(0).unwrap().size().unwrap() / 32 * 64 / rows], &[rows, 16, 0])
                    .unwrap(),
            ]);
            banks(&shared[i].compose(&rows.unwrap()).unwrap(), bits, Access::Ldmatrix(4)).unwrap()
        }
    });
    let requests = slice[0].requests.len() + slice[1].requests.len();
    let wavefronts = slice[0].wavefronts() + slice[1].wavefronts();
    let load = if ty == F32 { "ld" } else { "ldmatrix" };
    let slices = sum(load, "shared", |l| l.executions) / requests;
    println!("{ty}: {stages} stages, {slices} slices");
    assert_eq!(sum(load, "shared", |l| l.executions), slices * requests);
    assert_eq!(sum(load, "shared", |l| l.wavefronts), slices * wavefronts);
    assert_eq!(sum(load, "shared", Line::conflicts), 0);
}

#[test]
fn costs_of_f32_products_are_those_of_the_layouts() {
    costs_are_those_of_the_layouts::<f32>(F32, Order::Column);
}

#[test]
fn costs_of_bf16_products_are_those_of_the_layouts() {
    costs_are_those_of_the_layouts::<bf16>(BF16, Order::Row);
}

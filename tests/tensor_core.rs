//! The arithmetic of tensor cores: results read off an H200, and laws.

use girih::gpu::sim::tensor_core::Arithmetic;
use girih::prelude::*;
use half::bf16;
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;

fn of(name: &str) -> Arithmetic {
    let mma = MmaAtom::named(name).unwrap_or_else(|| panic!("no atom {name}"));
    Arithmetic::of(&mma).unwrap_or_else(|| panic!("{name} is not of a tensor core"))
}

/// The instruction of a line: rows of `mma_e4m3_f32_k16` are shorter than its K of 32, which makes no difference.
fn atom(instr: &str) -> &'static str {
    match instr {
        "dmma_m8n8k4" => "SM80_8x8x4_F64F64F64F64_TN",
        "dmma_m16n8k4" => "SM90_16x8x4_F64F64F64F64_TN",
        "dmma_m16n8k8" => "SM90_16x8x8_F64F64F64F64_TN",
        "dmma_m16n8k16" => "SM90_16x8x16_F64F64F64F64_TN",
        "mma_bf16_f32_k8" => "SM80_16x8x8_F32BF16BF16F32_TN",
        "mma_bf16_f32_k16" => "SM80_16x8x16_F32BF16BF16F32_TN",
        "mma_f16_f16_k8" => "SM80_16x8x8_F16F16F16F16_TN",
        "mma_f16_f16_k16" => "SM80_16x8x16_F16F16F16F16_TN",
        "mma_f16_f32_k8" => "SM80_16x8x8_F32F16F16F32_TN",
        "mma_f16_f32_k16" => "SM80_16x8x16_F32F16F16F32_TN",
        "mma_tf32_f32_k4" => "SM80_16x8x4_F32TF32TF32F32_TN",
        "mma_tf32_f32_k8" => "SM80_16x8x8_F32TF32TF32F32_TN",
        "mma_e4m3_f16_k32" => "SM89_16x8x32_F16E4M3E4M3F16_TN",
        "mma_e5m2_f16_k32" => "SM89_16x8x32_F16E5M2E5M2F16_TN",
        "mma_e4m3_f32_k16" | "mma_e4m3_f32_k32" => "SM89_16x8x32_F32E4M3E4M3F32_TN",
        "mma_e5m2_f32_k32" => "SM89_16x8x32_F32E5M2E5M2F32_TN",
        "mma_e4m3e5m2_f32_k32" => "SM89_16x8x32_F32E4M3E5M2F32_TN",
        "mma_s8_s32_k32" => "SM80_16x8x32_S32S8S8S32_TN",
        "mma_s8_s32_k32_sat" => "SM80_16x8x32_S32S8S8S32_TN_SATURATE",
        "mma_u8s8_s32_k32" => "SM80_16x8x32_S32U8S8S32_TN",
        _ => warpgroup(instr),
    }
}

/// Where A lies and how wide D is are options at the end.
fn warpgroup(instr: &str) -> &'static str {
    let types = instr.split("_k").next().unwrap_or_default();
    match types {
        "wg_bf16_f32" => "SM90_64x8x16_F32BF16BF16_RS<K,K>",
        "wg_f16_f32" => "SM90_64x256x16_F32F16F16_SS<K,K>",
        "wg_f16_f16" => "SM90_64x8x16_F16F16F16_RS<K,K>",
        "wg_tf32_f32" => "SM90_64x8x8_F32TF32TF32_RS_TN",
        "wg_e4m3_f32" => "SM90_64x16x32_F32E4M3E4M3_SS_TN",
        "wg_e5m2_f32" => "SM90_64x8x32_F32E5M2E5M2_RS_TN",
        "wg_e4m3e5m2_f32" => "SM90_64x8x32_F32E4M3E5M2_RS_TN",
        "wg_e4m3_f16" => "SM90_64x8x32_F16E4M3E4M3_RS_TN",
        "wg_e5m2_f16" => "SM90_64x8x32_F16E5M2E5M2_RS_TN",
        "wg_s8_s32" => "SM90_64x8x32_S32S8S8_RS_TN",
        _ => panic!("{instr}"),
    }
}

#[test]
fn every_instance_read_off_an_h200_is_equal() {
    let hex = |text: &str| u64::from_str_radix(text, 16).unwrap();
    let row = |line: &Value, key: &str| line[key].as_str().unwrap().split(' ').map(hex).collect::<Vec<_>>();
    let mut instances = BTreeMap::new();
    let mut wrong = Vec::new();
    for text in include_str!("data/tensor_core.jsonl").lines() {
        let line: Value = serde_json::from_str(text).unwrap();
        let instr = line["instr"].as_str().unwrap();
        let (mut a, b, mut c) = (row(&line, "a"), row(&line, "b"), row(&line, "c")[0]);
        let sum = of(atom(instr));
        if instr.ends_with("scaleD0") {
            c = 0;
        }
        if instr.ends_with("negA") {
            a.iter_mut().for_each(|x| *x ^= 0x8000);
        }
        let mut d = sum.dot(&a, &b, c);
        if instr.ends_with("chain2") {
            d = sum.dot(&a, &b, d);
        }
        *instances.entry(instr.to_string()).or_insert(0) += 1;
        if d != row(&line, "d")[0] {
            wrong.push(format!("{d:x}: {text}"));
        }
    }
    assert!(instances.len() == 42 && instances.values().all(|&n| n == 60), "{instances:?}");
    assert!(wrong.is_empty(), "{}\n{} of 2520", wrong.join("\n"), wrong.len());
}

/// Floating-point instructions that make one sum, with K, the width of a factor and whether D is f16.
const SUMS: [(&str, usize, u32, bool); 6] = [
    ("SM80_16x8x16_F32BF16BF16F32_TN", 16, 16, false),
    ("SM80_16x8x16_F32F16F16F32_TN", 16, 16, false),
    ("SM80_16x8x16_F16F16F16F16_TN", 16, 16, true),
    ("SM80_16x8x8_F32TF32TF32F32_TN", 8, 32, false),
    ("SM90_64x8x32_F32E4M3E5M2_RS_TN", 32, 8, false),
    ("SM90_64x8x32_F16E5M2E4M3_SS_TN", 32, 8, true),
];

/// Bits of a factor, often zero or one of few, so that sums cancel.
fn factor(bits: u32) -> impl Strategy<Value = u64> {
    let all = u64::MAX >> (64 - bits);
    prop_oneof![4 => any::<u64>().prop_map(move |x| x & all), 1 => Just(0), 1 => (0..8u64).prop_map(move |x| x << (bits - 3))]
}

/// An instruction with operands.
fn instance() -> impl Strategy<Value = (usize, Vec<u64>, Vec<u64>, u64)> {
    (0..SUMS.len()).prop_flat_map(|i| {
        let (_, k, bits, half) = SUMS[i];
        let row = || prop::collection::vec(factor(bits), k);
        (Just(i), row(), row(), factor(if half { 16 } else { 32 }))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_k_does_not_matter((i, a, b, c) in instance(), keys in prop::collection::vec(any::<u32>(), 32)) {
        let sum = of(SUMS[i].0);
        let mut order: Vec<usize> = (0..a.len()).collect();
        order.sort_by_key(|&k| keys[k]);
        let permuted = |row: &[u64]| order.iter().map(|&k| row[k]).collect::<Vec<_>>();
        prop_assert_eq!(sum.dot(&a, &b, c), sum.dot(&permuted(&a), &permuted(&b), c));
    }

    #[test]
    fn factors_change_places((i, a, b, c) in instance()) {
        let (name, ..) = SUMS[i];
        if i < 4 {
            prop_assert_eq!(of(name).dot(&a, &b, c), of(name).dot(&b, &a, c));
        }
    }

    #[test]
    fn the_opposite_of_all_terms_has_the_opposite_sum((i, a, b, c) in instance()) {
        let (name, _, bits, half) = SUMS[i];
        let sign = |bits: u32| 1u64 << (bits - 1);
        let of_d = sign(if half { 16 } else { 32 });
        let d = of(name).dot(&a, &b, c);
        let opposite: Vec<u64> = a.iter().map(|x| x ^ sign(bits)).collect();
        let expected = if d == 0 || d == of_d - 1 { d } else { d ^ of_d };
        prop_assert_eq!(of(name).dot(&opposite, &b, c ^ of_d), expected);
    }

    #[test]
    fn a_sum_that_fits_is_exact(
        a in prop::collection::vec(-128i32..=128, 16), b in prop::collection::vec(-16i32..=16, 16), c in -4096i32..=4096,
    ) {
        let exact = a.iter().zip(&b).map(|(a, b)| a * b).sum::<i32>() + c;
        let row = |row: &[i32]| row.iter().map(|&x| bf16::from_f32(x as f32).to_bits().into()).collect::<Vec<u64>>();
        let d = of(SUMS[0].0).dot(&row(&a), &row(&b), (c as f32).to_bits().into());
        prop_assert_eq!(f32::from_bits(d as u32), exact as f32);
    }

    /// |D - exact| < (K + 1) 2^-25 t + ulp(D), as the documentation says.
    #[test]
    fn the_error_is_bounded(
        a in prop::collection::vec(-1e3f32..1e3, 16), b in prop::collection::vec(-1e3f32..1e3, 16), c in -1e6f32..1e6,
    ) {
        let round = |row: &[f32]| row.iter().map(|&x| bf16::from_f32(x)).collect::<Vec<_>>();
        let bits = |row: &[bf16]| row.iter().map(|x| x.to_bits().into()).collect::<Vec<u64>>();
        let (a, b) = (round(&a), round(&b));
        let d = f32::from_bits(of(SUMS[0].0).dot(&bits(&a), &bits(&b), c.to_bits().into()) as u32);
        // doubles hold the products exactly, and their sum to 2^-53
        let terms: Vec<f64> =
            a.iter().zip(&b).map(|(a, b)| a.to_f64() * b.to_f64()).chain([c.into()]).collect();
        let largest = terms.iter().fold(0.0, |t: f64, x| t.max(x.abs()));
        let error = (f64::from(d) - terms.iter().sum::<f64>()).abs();
        prop_assert!(error < 17.0 * largest / (1 << 25) as f64 + f64::from(d.abs()) / (1 << 23) as f64 + 1e-40);
    }

    #[test]
    fn a_product_of_zero_changes_nothing((i, mut a, mut b, c) in instance(), k in 0..8usize, minus in any::<bool>()) {
        let (name, _, bits, _) = SUMS[i];
        (a[k], b[k]) = (u64::from(minus) << (bits - 1), 0);
        let d = of(name).dot(&a, &b, c);
        a.remove(k);
        b.remove(k);
        prop_assert_eq!(of(name).dot(&a, &b, c), d);
    }

    #[test]
    fn integers_are_exact(
        a in prop::collection::vec(any::<i8>(), 32), b in prop::collection::vec(any::<u8>(), 32), c in any::<i32>(),
    ) {
        let exact = i64::from(c) + a.iter().zip(&b).map(|(&a, &b)| i64::from(a) * i64::from(b)).sum::<i64>();
        let (a, b) = (a.iter().map(|&x| x as u8 as u64).collect::<Vec<_>>(), b.iter().map(|&x| x.into()).collect::<Vec<_>>());
        let dot = |name| of(name).dot(&a, &b, c as u32 as u64) as u32 as i32;
        prop_assert_eq!(dot("SM80_16x8x32_S32S8U8S32_TN"), exact as i32);
        let saturated = exact.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        prop_assert_eq!(dot("SM80_16x8x32_S32S8U8S32_TN_SATURATE"), saturated);
    }

    #[test]
    fn bits_are_counted(a in prop::collection::vec(any::<u32>(), 8), b in prop::collection::vec(any::<u32>(), 8), c in any::<u32>()) {
        let count = |f: fn(u32, u32) -> u32| a.iter().zip(&b).map(|(&a, &b)| f(a, b).count_ones()).sum::<u32>().wrapping_add(c);
        let wide = |row: &[u32]| row.iter().map(|&x| x.into()).collect::<Vec<u64>>();
        let dot = |name| of(name).dot(&wide(&a), &wide(&b), c.into()) as u32;
        prop_assert_eq!(dot("SM80_16x8x256_S32U1U1S32_TN_XORPOPC"), count(|a, b| a ^ b));
        prop_assert_eq!(dot("SM80_16x8x256_S32U1U1S32_TN_ANDPOPC"), count(|a, b| a & b));
    }
}

#[test]
fn what_no_tensor_core_has_is_none() {
    let none: Vec<_> = MmaAtom::all().filter(|mma| Arithmetic::of(mma).is_none()).map(|mma| mma.to_string()).collect();
    let expected = [
        "SM61_DP4A",
        "SM61_DP2A",
        "SM80_8x8x4_C64C64C64C64_TN",
        "SM80_8x8x4_GC64C64C64GC64_TN",
        "SM90_16x8x4_C64C64C64C64_TN",
        "SM90_16x8x8_C64C64C64C64_TN",
        "SM90_16x8x16_C64C64C64C64_TN",
    ];
    assert_eq!(none, expected);
}

#[test]
fn rows_of_any_length_are_taken() {
    for mma in MmaAtom::all().filter(|mma| mma.sm() < 90 || mma.to_string().starts_with("SM90_64x8x")) {
        if let Some(sum) = Arithmetic::of(&mma) {
            assert_eq!(sum.dot(&[], &[7], 5), 5, "{mma}");
            let ones = vec![u64::MAX; 1000];
            for length in [1, 3, 15, 33, 1000] {
                sum.dot(&ones[..length], &ones, u64::MAX);
            }
        }
    }
}

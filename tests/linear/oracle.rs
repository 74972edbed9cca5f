//! CuTe's swizzles, swizzled layouts and MMA atoms as linear layouts.

use crate::brute::table;
use girih::algebra::linear::{MixedRadix, Scope};
use girih::algebra::{SmemSwizzle, laws, smem_atom};
use girih::prelude::*;
use serde_json::Value;

fn lines(file: &'static str) -> impl Iterator<Item = Value> {
    file.lines().map(|l| serde_json::from_str::<Value>(l).unwrap())
}

fn cute(op: &'static str) -> impl Iterator<Item = (Vec<String>, String, Vec<i64>)> {
    lines(include_str!("../data/cute_cpp.jsonl")).filter(move |v| v["op"] == op).map(|v| {
        let args = v["args"].as_array().unwrap().iter().map(|a| a.as_str().unwrap().to_string()).collect();
        let table = v["table"].as_array().map_or(vec![], |t| t.iter().map(|x| x.as_i64().unwrap()).collect());
        (args, v["result"].as_str().unwrap().to_string(), table)
    })
}

#[test]
fn swizzle_eval() {
    let mut n = 0;
    for (args, _, values) in cute("swizzle_eval") {
        let s: Swizzle = args[0].parse().unwrap();
        let bits = values.len().trailing_zeros();
        assert_eq!(1 << bits, values.len());
        let l = LinearLayout::from_swizzle(&s, bits).unwrap();
        assert_eq!(table(&l), values, "{s}");
        let back = l.to_swizzle().unwrap();
        assert!(values.iter().enumerate().all(|(x, &v)| back.at(x as i64) == Ok(v)), "{s}: {back}");
        n += 1;
    }
    assert!(n > 50, "{n}");
}

#[test]
fn swizzle_layout() {
    let (mut linear, mut mixed) = (0, 0);
    for (_, result, values) in cute("swizzle_layout") {
        let c: Composed = result.parse().unwrap();
        match LinearLayout::from_composed(&c) {
            Ok(l) => {
                linear += 1;
                assert_eq!(table(&l), values, "{c}");
                let back = l.to_composed().unwrap();
                assert!(values.iter().enumerate().all(|(i, &v)| back.at(i as i64) == Ok(v)), "{c}: {back}");
            }
            Err(LayoutError::NotPowerOfTwo { .. } | LayoutError::Carries { .. }) => {
                mixed += 1;
                let back = MixedRadix::from_composed(&c).unwrap().to_composed().unwrap();
                assert!(values.iter().enumerate().all(|(i, &v)| back.at(i as i64) == Ok(v)), "{c}: {back}");
            }
            Err(e) => panic!("{c}: {e}"),
        }
    }
    assert_eq!((linear, mixed), (29, 14));
}

/// As elements of its width, and the byte form of the table: the swizzle of bytes as a matrix on the values of the layout.
#[test]
fn gmma_atoms() {
    let mut n = 0;
    for (args, result, values) in cute("gmma_atom") {
        let c: Composed = result.parse().unwrap();
        let bytes: Swizzle = result.split_once(" o ").unwrap().0.parse().unwrap();
        let inner = LinearLayout::from_layout(c.inner()).unwrap();
        let l = LinearLayout::from_swizzle(&bytes, inner.outputs().bits()).unwrap().compose(&inner).unwrap();
        assert!(values.is_empty() || table(&l) == values, "{args:?}");
        // the atom is a bijection onto its memory, and its text comes back
        let l = LinearLayout::from_composed(&c).unwrap();
        assert!(l.is_invertible(), "{c}");
        let back = l.to_composed().unwrap();
        assert_eq!((back.inner(), back.offset()), (&c.inner().coalesce_by_mode(&ints!((1, 1))).unwrap(), 0));
        let s = c.swizzle().unwrap();
        if !s.is_identity() {
            assert_eq!(back.swizzle().unwrap().on(s.unit()), s, "{c}");
        }
        n += 1;
    }
    assert!(n > 10, "{n}");
    let atom = smem_atom(Major::K, SmemSwizzle::B128, 16).unwrap();
    let l = LinearLayout::from_composed(&atom).unwrap();
    assert_eq!(l.to_string(), "dim0:[72,144,288] dim1:[1,2,4,8,16,32] -> offset:512");
}

/// Every thread-value layout of the 353 MMA atoms, each once: those of powers of two as they are, the others as bits and a digit.
#[test]
fn thread_value_layouts_convert_and_come_back() {
    let (mut linear, mut mixed) = (0, 0);
    for v in lines(include_str!("../data/mma_layouts.jsonl")) {
        let Ok(tv) = v["layout"].as_str().unwrap().parse::<Layout>() else {
            // CuTe's own text of one atom has a parenthesis too many in its stride
            assert_eq!(v["atom"], "SM80_16x8x128_S32U1U1S32_TN_XORPOPC");
            continue;
        };
        let c = tv.swizzled(&Swizzle::IDENTITY).unwrap();
        match LinearLayout::from_layout(&tv) {
            Ok(l) => {
                linear += 1;
                laws::linear(&c, &l).unwrap();
                assert_eq!(l.to_layout().unwrap(), tv.coalesce_by_mode(&ints!((1, 1))).unwrap(), "{v}");
                let threads = l.inputs().extent(Axis::dim(0).unwrap());
                let values = l.inputs().extent(Axis::dim(1).unwrap());
                let axes =
                    [(Axis::LANE, threads.min(32)), (Axis::WARP, (threads / 32).max(1)), (Axis::REGISTER, values)];
                let named = l.with_inputs(&Axes::new(&axes).unwrap()).unwrap();
                assert_eq!(named.conversion(&named).unwrap().scope(), Scope::Thread);
            }
            Err(LayoutError::NotPowerOfTwo { .. }) => {
                mixed += 1;
                let m = MixedRadix::from_composed(&c).unwrap();
                assert_eq!(m.to_composed().unwrap().inner(), &tv, "{v}");
                // at least the replicas, or the lanes and the rows of a core matrix
                assert!(m.bits().inputs().size() >= 128, "{v}");
            }
            Err(e) => panic!("{v}: {e}"),
        }
    }
    assert_eq!((linear, mixed), (50, 32));
}

/// The accumulator of one tensor-core product is the first operand of the next, as in attention: no data moves.
#[test]
fn an_accumulator_feeds_the_next_product_in_its_thread() {
    let axes = Axes::new(&[(Axis::LANE, 32), (Axis::REGISTER, 8)]).unwrap();
    // two accumulators of 16 x 8 side by side, and A of m16n8k16, both to m + 16 * k
    let c = LinearLayout::from_layout(&layout!(((4,8),(2,2,2)):((32,1),(16,8,128)))).unwrap();
    let a = LinearLayout::from_layout(&layout!(((4,8),(2,2,2)):((32,1),(16,8,128)))).unwrap();
    let (c, a) = (c.with_inputs(&axes).unwrap(), a.with_inputs(&axes).unwrap());
    assert_eq!(c.conversion(&a).unwrap().scope(), Scope::Thread);
    // its transpose (k + 16 * m) does move
    let t =
        LinearLayout::from_layout(&layout!(((4,8),(2,2,2)):((2,16),(1,128,8)))).unwrap().with_inputs(&axes).unwrap();
    assert_eq!(c.conversion(&t).unwrap().scope(), Scope::Warp);
}

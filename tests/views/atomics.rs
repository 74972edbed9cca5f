//! Every atomic operation on every element type that has it, whole and masked.

use girih::Shape;
use girih::tile::{Element, Tile, bf16, f16};
use girih::view::{Block, Device, Relaxed, TensorSpan, ViewError};
use typenum::U0;

/// Combines `tile` with the chunk 1 of `memory`, of which 2 elements are whole and 1 is partly there, by a method and its masked
/// form, and compares with what plain arithmetic makes of them.
macro_rules! check {
    ($($t:ty: $memory:expr, $tile:expr => $($whole:ident $masked:ident $f:expr),+;)+) => {$(
        let (memory, tile): ([$t; 4], [$t; 2]) = ($memory, $tile);
        let values = Tile::<$t, Shape![2]>::new(tile.to_vec()).unwrap();
        $({
            let f: fn($t, $t) -> $t = $f;
            let mut x = memory;
            let view = TensorSpan::right(&mut x, [4]).unwrap().partition::<Shape![2]>();
            view.$whole(&values, 1, Relaxed, Device).unwrap();
            assert_eq!(bits(&x), bits(&[memory[0], memory[1], f(memory[2], tile[0]), f(memory[3], tile[1])]), "{}", stringify!($whole $t));

            let mut x = memory;
            let view = TensorSpan::right(&mut x[..3], [3]).unwrap().partition::<Shape![2]>();
            let e = view.$whole(&values, 1, Relaxed, Block).unwrap_err();
            assert!(matches!(e, ViewError::Partial { dim: 0, index: 1, .. }), "{e}");
            view.$masked(&values, 1, Relaxed, Block).unwrap();
            assert_eq!(bits(&x), bits(&[memory[0], memory[1], f(memory[2], tile[0]), memory[3]]), "{}", stringify!($masked $t));
        })+
    )+};
}

fn bits<E: Element>(x: &[E]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn integers_combine_as_plain_arithmetic_does() {
    macro_rules! integers {
        ($($t:ty: $memory:expr, $tile:expr;)+) => {
            check! {$($t: $memory, $tile =>
                atomic_and atomic_and_masked |k, v| k & v,
                atomic_or atomic_or_masked |k, v| k | v,
                atomic_xor atomic_xor_masked |k, v| k ^ v,
                atomic_max atomic_max_masked |k, v| if k < v { v } else { k },
                atomic_min atomic_min_masked |k, v| if k < v { k } else { v },
                atomic_add atomic_add_masked |k, v| k.wrapping_add(v),
                atomic_sub atomic_sub_masked |k, v| k.wrapping_sub(v);
            )+}
        };
    }
    integers! {
        i32: [5, -6, -7, 12345], [-3, 70000];
        i32: [5, -6, i32::MAX - 1, i32::MIN + 1], [1, 1];
        u32: [5, 6, 0xf000_0001, 3], [0x7000_0000, 4];
        u32: [5, 6, u32::MAX, 0], [1, u32::MAX];
        i64: [5, -6, -7, 1 << 40], [-3, 1 << 41];
        i64: [5, -6, i64::MAX - 1, i64::MIN + 1], [1, 1];
        u64: [5, 6, u64::MAX, 1 << 63], [1, u64::MAX];
    }
}

#[test]
fn floats_are_added_and_subtracted_with_one_rounding() {
    check! {
        f32: [0.5, -1.5, 1.0e8, -0.0], [3.0, -0.0] =>
            atomic_add atomic_add_masked |k, v| (f64::from(k) + f64::from(v)) as f32,
            atomic_sub atomic_sub_masked |k, v| (f64::from(k) - f64::from(v)) as f32;
        f64: [0.5, -1.5, 0.1, f64::INFINITY], [0.2, 1.0] =>
            atomic_add atomic_add_masked |k, v| k + v,
            atomic_sub atomic_sub_masked |k, v| k - v;
        f16: [0.5, -1.5, 2048.0, 65504.0].map(f16::from_f32), [1.0, -65504.0].map(f16::from_f32) =>
            atomic_add atomic_add_masked |k, v| f16::from_f64(k.to_f64() + v.to_f64()),
            atomic_sub atomic_sub_masked |k, v| f16::from_f64(k.to_f64() - v.to_f64());
        bf16: [0.5, -1.5, 256.0, 3.0].map(bf16::from_f32), [1.0, 0.0078125].map(bf16::from_f32) =>
            atomic_add atomic_add_masked |k, v| bf16::from_f64(k.to_f64() + v.to_f64()),
            atomic_sub atomic_sub_masked |k, v| bf16::from_f64(k.to_f64() - v.to_f64());
    }
}

#[test]
fn the_least_integer_cannot_be_subtracted() {
    let least = Tile::<i32, Shape![2]>::new(vec![0, i32::MIN]).unwrap();
    let mut x = [7, -7, 1];
    let view = TensorSpan::right(&mut x, [3]).unwrap().partition::<Shape![2]>();
    let e = view.atomic_sub(&least, 0, Relaxed, Device).unwrap_err();
    assert_eq!(e.to_string(), "the least i32 is subtracted: its negative is no i32");
    // where it is outside the span, it is not subtracted from anything
    view.atomic_sub_masked(&least, 1, Relaxed, Device).unwrap();
    assert_eq!(x, [7, -7, 1]);

    let mut x = [7u32];
    let view = TensorSpan::right(&mut x, [1]).unwrap().partition::<Shape![1]>();
    view.atomic_sub(&Tile::<u32, Shape![1]>::full(1 << 31), 0, Relaxed, Device).unwrap();
    assert_eq!(x, [7u32.wrapping_sub(1 << 31)]);
}

#[test]
fn signed_sums_wrap_whatever_their_order() {
    let mut x = [i32::MAX - 1, 0, i32::MIN];
    let span = TensorSpan::right(&mut x, [3]).unwrap();
    let view = span.gather::<Shape![2], U0>();
    let rows = |at: [i32; 2]| Tile::<i32, Shape![2]>::new(at.to_vec()).unwrap();
    view.atomic_add(Tile::<i32, Shape![2]>::full(1), rows([0, 0]), Relaxed, Device).unwrap();
    let both = Tile::<i32, Shape![2]>::new(vec![1, -1]).unwrap();
    view.atomic_sub(both, rows([2, 2]), Relaxed, Device).unwrap();
    assert_eq!(x, [i32::MIN, 0, i32::MIN]);
}

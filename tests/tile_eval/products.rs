//! Products of matrices.

use crate::{Plain, Random, check, shape};
use girih::tile::*;

const PAIRS: [(ElementType, ElementType, ElementType); 15] = {
    use ElementType::*;
    [
        (I8, I8, I32),
        (I8, U8, I32),
        (U8, I8, I32),
        (U8, U8, I32),
        (F8E4M3, F8E4M3, F16),
        (F8E4M3, F8E4M3, F32),
        (F8E5M2, F8E5M2, F16),
        (F8E5M2, F8E5M2, F32),
        (F16, F16, F16),
        (F16, F16, F32),
        (Bf16, Bf16, F32),
        (Tf32, Tf32, F32),
        (F32, F32, F32),
        (F64, F64, F64),
        (F64, F64, F64),
    ]
};

#[test]
fn products_in_the_order_of_k() {
    let mut random = Random(11);
    for (a, b, c) in PAIRS {
        for [m, n, k] in [[1, 1, 1], [2, 4, 8], [16, 8, 16], [4, 64, 32], [8, 1, 4], [1, 16, 2]] {
            let operands =
                [random.plain(a, shape(&[m, k])), random.plain(b, shape(&[k, n])), random.plain(c, shape(&[m, n]))];
            check(Op::Mma, &operands);
        }
    }
}

#[test]
fn batches_and_single_matrices_for_all_of_them() {
    let mut random = Random(12);
    for (a, b, c) in PAIRS {
        for (batch_a, batch_b, batch) in [(4, 4, 4), (1, 4, 4), (4, 1, 4), (1, 1, 4), (1, 1, 1)] {
            let operands = [
                random.plain(a, shape(&[batch_a, 4, 8])),
                random.plain(b, shape(&[batch_b, 8, 16])),
                random.plain(c, shape(&[batch, 4, 16])),
            ];
            check(Op::Mma, &operands);
        }
    }
}

#[test]
fn scaled_products() {
    use ElementType::*;
    let mut random = Random(13);
    let cases = [
        (F8E4M3, F8E8M0, 32),
        (F8E5M2, F8E8M0, 32),
        (F4E2M1, F8E8M0, 16),
        (F4E2M1, F8E8M0, 32),
        (F4E2M1, F8UE5M3, 16),
        (F4E2M1, F8UE5M3, 32),
        (F4E2M1, F8E4M3, 16),
    ];
    for (element, scale, length) in cases {
        for batch in [&[][..], &[2]] {
            let of = |extents: [u32; 2]| shape(&[batch, &extents].concat());
            let operands = [
                random.plain(element, of([8, 64])),
                random.plain(element, of([64, 4])),
                random.plain(F32, of([8, 4])),
                random.plain(scale, of([8, 64 / length])),
                random.plain(scale, of([64 / length, 4])),
            ];
            check(Op::ScaledMma, &operands);
        }
    }
}

#[test]
fn sums_of_integers_wrap() {
    let full = |element, extents: [u32; 2], code: u64| {
        Plain::new(TileType::new(element, shape(&extents)), vec![code; (extents[0] * extents[1]) as usize])
    };
    let operands = [
        full(ElementType::I8, [1, 2], 0x7f),
        full(ElementType::U8, [2, 1], 0xff),
        full(ElementType::I32, [1, 1], 0x7fff_ffff),
    ];
    let sum = i32::MAX.wrapping_add(2 * 127 * 255);
    assert_eq!(crate::run(Op::Mma, &operands).codes, [u64::from(sum as u32)]);
}

//! Elementwise operations.

use crate::{Plain, Random, check, run, shape, with};
use girih::tile::*;

const UNARY: [Unary; 16] = [
    Unary::Neg,
    Unary::Abs,
    Unary::Not,
    Unary::IsNan,
    Unary::IsInf,
    Unary::Sqrt(NEAR),
    Unary::Rsqrt(FULL),
    Unary::Exp(FULL),
    Unary::Exp2(FULL),
    Unary::Log,
    Unary::Log2,
    Unary::Sin,
    Unary::Cos,
    Unary::Tanh(FULL),
    Unary::Floor,
    Unary::Ceil,
];
pub const NEAR: Mode = Mode { precision: Precision::Rounded(Rounding::TiesToEven), flush: false };
pub const FULL: Mode = Mode { precision: Precision::Full, flush: false };
const BINARY: [Binary; 15] = [
    Binary::Add(NEAR),
    Binary::Sub(NEAR),
    Binary::Mul(NEAR),
    Binary::Div(NEAR),
    Binary::Rem,
    Binary::Min(Extremum::SUPPRESS),
    Binary::Min(Extremum::PROPAGATE),
    Binary::Max(Extremum::SUPPRESS),
    Binary::Max(Extremum::PROPAGATE),
    Binary::Pow,
    Binary::And,
    Binary::Or,
    Binary::Xor,
    Binary::Shl,
    Binary::Shr,
];
const COMPARE: [Compare; 6] = [Compare::Eq, Compare::Ne, Compare::Lt, Compare::Le, Compare::Gt, Compare::Ge];

/// Tiles of each element type.
fn each(count: usize, f: impl Fn(ElementType, &[Plain])) {
    for element in ElementType::ALL {
        let mut random = Random(element as u64);
        let operands: Vec<_> = (0..count).map(|_| random.plain(element, shape(&[8, 1024]))).collect();
        f(element, &operands);
    }
}

#[test]
fn functions_of_one_tile() {
    each(1, |element, x| UNARY.into_iter().filter(|f| f.takes(element)).for_each(|f| check(Op::Unary(f), x)));
}

#[test]
fn functions_of_two_tiles() {
    each(2, |element, x| BINARY.into_iter().filter(|f| f.takes(element)).for_each(|f| check(Op::Binary(f), x)));
}

/// All pairs of numbers of 8 bits.
#[test]
fn bytes_exhaustively() {
    for element in [ElementType::I8, ElementType::U8] {
        let ty = TileType::new(element, shape(&[256, 256]));
        let (a, b) = (Plain::new(ty, (0..65536).map(|i| i >> 8)), Plain::new(ty, (0..65536).map(|i| i & 0xff)));
        BINARY.into_iter().filter(|f| f.takes(element)).for_each(|f| check(Op::Binary(f), &[a.clone(), b.clone()]));
    }
}

#[test]
fn all_numbers_of_16_bits() {
    for element in [ElementType::F16, ElementType::Bf16, ElementType::I16, ElementType::U16] {
        let x = [Plain::new(TileType::new(element, shape(&[65536])), 0..65536)];
        UNARY.into_iter().filter(|f| f.takes(element)).for_each(|f| check(Op::Unary(f), &x));
    }
}

#[test]
fn fused_multiplication() {
    each(3, |element, x| {
        if element.is_basic_float() {
            check(Op::Fma(NEAR), x);
        }
    });
}

#[test]
fn whole_powers() {
    each(1, |element, x| {
        if element.is_basic_float() {
            let exponents =
                (0..).map(|i: u64| [0, 1, 2, 3, 5, 2049, u64::MAX, -2i64 as u64][i as usize % 8] & 0xffff_ffff);
            let ty = x[0].ty.of(ElementType::I32);
            check(Op::Powi, &[x[0].clone(), Plain::new(ty, exponents.take(ty.shape.size()))]);
        }
    });
}

#[test]
fn extremes_flush_subnormal_operands() {
    let ty = TileType::new(ElementType::F32, shape(&[2, 4]));
    let codes = [1, 0x8000_0001, 0x007f_ffff, 0x0080_0000, 0, 0x7fc0_0000, 0x3f80_0000, 0x807f_ffff];
    let (a, b) = (Plain::new(ty, codes), Plain::new(ty, codes.map(|code| code ^ 0x8000_0000)));
    for nan in [Nan::Suppress, Nan::Propagate] {
        let mode = Extremum { nan, flush: true };
        for f in [Binary::Min(mode), Binary::Max(mode)] {
            check(Op::Binary(f), &[a.clone(), b.clone()]);
            check(Op::Binary(f), &[a.clone(), a.clone()]);
        }
    }
    let flush = Extremum { flush: true, ..Extremum::SUPPRESS };
    assert_eq!(Plain::of(&Op::Binary(Binary::Max(flush)).eval(&[&a.tile(), &a.tile()]).unwrap()).codes[1], 0x8000_0000);
}

#[test]
fn comparison() {
    each(2, |element, x| {
        if element.is_arithmetic() {
            COMPARE.into_iter().for_each(|f| check(Op::Compare(f), x));
            // equal ones are rare
            COMPARE.into_iter().for_each(|f| check(Op::Compare(f), &[x[0].clone(), x[0].clone()]));
        }
    });
}

#[test]
fn selection() {
    each(2, |_, x| {
        let condition = Random(0).plain(ElementType::Bool, x[0].ty.shape);
        check(Op::Select, &[condition, x[0].clone(), x[1].clone()]);
    });
}

#[test]
fn bits_in_another_type() {
    each(1, |element, x| {
        for to in ElementType::ALL.into_iter().filter(|to| to.bitcast_bits() == element.bitcast_bits()) {
            check(Op::Bitcast(to), x);
        }
    });
}

#[test]
fn equal_elements_and_counts() {
    for element in ElementType::ALL {
        let ty = TileType::new(element, shape(&[2, 4]));
        Random(1).codes(element, 20).into_iter().for_each(|code| check(Op::Full(ty, code), &[]));
        if element.is_integer() {
            check(Op::Iota(ty), &[]);
        }
    }
    check(Op::Iota(TileType::new(ElementType::I8, shape(&[128]))), &[]);
    check(Op::Iota(TileType::new(ElementType::Bool, shape(&[2]))), &[]);
}

/// Operands that are not in row-major order, and those that are one element.
#[test]
fn operands_of_any_layout() {
    let mut random = Random(7);
    let element = ElementType::I32;
    let x = random.plain(element, shape(&[64, 128]));
    let rows = random.plain(element, shape(&[128, 64]));
    let (column, one) = (random.plain(element, shape(&[64, 1])), random.plain(element, Shape::SCALAR));
    let transpose = Op::Permute(Map::new(&[1, 0]));
    let tiles = |op: Op, x: &Plain| op.eval(&[&x.tile()]).unwrap();
    let lazy = [
        x.tile(),
        tiles(transpose, &rows),
        tiles(Op::Broadcast(shape(&[64, 128])), &column),
        tiles(Op::Broadcast(shape(&[64, 128])), &one),
    ];
    let condition = Random(8).plain(ElementType::Bool, shape(&[64, 128]));
    for a in &lazy {
        for b in &lazy {
            let got = Op::Binary(Binary::Sub(NEAR)).eval(&[a, b]).unwrap();
            assert_eq!(Plain::of(&got), run(Op::Binary(Binary::Sub(NEAR)), &[Plain::of(a), Plain::of(b)]));
            let got = Op::Select.eval(&[&condition.tile(), a, b]).unwrap();
            assert_eq!(Plain::of(&got), run(Op::Select, &[condition.clone(), Plain::of(a), Plain::of(b)]));
        }
    }
}

#[test]
fn results_of_integers_without_a_number() {
    let scalar = |f, a: i32, b: i32| {
        let [a, b] = [a, b].map(AnyTile::scalar);
        Op::Binary(f).eval(&[&a, &b]).unwrap().to_vec::<i32>().unwrap()[0]
    };
    assert_eq!(scalar(Binary::Div(NEAR), 7, 0), -1);
    assert_eq!(scalar(Binary::Rem, 7, 0), -1);
    assert_eq!(scalar(Binary::Div(NEAR), i32::MIN, -1), i32::MIN);
    assert_eq!(scalar(Binary::Rem, i32::MIN, -1), 0);
    assert_eq!(scalar(Binary::Add(NEAR), i32::MAX, 1), i32::MIN);
    assert_eq!(scalar(Binary::Shl, 1, 32), 0);
    assert_eq!(scalar(Binary::Shl, 1, -1), 0);
    assert_eq!(scalar(Binary::Shr, -5, 40), -1);
    assert_eq!(scalar(Binary::Shr, -5, 1), -3);
}

#[test]
fn the_lesser_zero_has_a_sign() {
    for element in [ElementType::F16, ElementType::Bf16, ElementType::F32, ElementType::F64] {
        with!(element, E => {
            let [minus, plus] = [1 << (element.bits() - 1), 0].map(|code| AnyTile::scalar::<E>(Element::from_bits(code)));
            for nan in [Extremum::SUPPRESS, Extremum::PROPAGATE] {
                for pair in [[&minus, &plus], [&plus, &minus]] {
                    let code = |f: Binary| Plain::of(&Op::Binary(f).eval(&pair).unwrap()).codes[0];
                    assert_eq!((code(Binary::Min(nan)), code(Binary::Max(nan))), (1 << (element.bits() - 1), 0));
                }
            }
        });
    }
}

//! What operations refuse, and how they say it.

use crate::elementwise::{FULL, NEAR};
use crate::shape;
use ElementType::*;
use girih::tile::*;

fn ty(element: ElementType, extents: &[u32]) -> TileType {
    TileType::new(element, shape(extents))
}

/// The message of an operation that has no result, whether its type is asked for or its value.
#[track_caller]
fn refused(op: Op, operands: &[TileType], message: &str) {
    let zeros: Vec<AnyTile> = operands.iter().map(|&ty| Op::Full(ty, 0).eval(&[]).unwrap()).collect();
    let e = op.result(operands).unwrap_err();
    assert_eq!(op.eval(&zeros.iter().collect::<Vec<_>>()).unwrap_err(), e);
    assert_eq!(e.to_string(), message);
}

#[test]
fn shapes() {
    let message = |extents: &[u32]| Shape::new(extents).unwrap_err().to_string();
    assert_eq!(message(&[4, 3]), "(_,3) is no shape of a tile: dimension 1 is 3, which is no power of two");
    assert_eq!(message(&[0]), "(0) is no shape of a tile: dimension 0 is 0, which is no power of two");
    assert_eq!(message(&[1 << 20, 32]), "a tile has at most 16777216 elements (2^24), these are 2^25");
    assert_eq!(message(&[1; 9]), "a tile has at most 8 dimensions, these are 9");
    assert_eq!(message(&[1; 256]), "a tile has at most 8 dimensions, these are 256");
    let values = AnyTile::new(shape(&[2, 4]), vec![1i32]).unwrap_err().to_string();
    assert_eq!(values, "1 values are not the 8 elements of (2,4)");
}

#[test]
fn elements_that_an_operation_does_not_have() {
    let x = |e| ty(e, &[2, 4]);
    let add = Op::Binary(Binary::Add(NEAR));
    refused(add, &[x(F8E4M3); 2], "add does not exist for f8e4m3: cast to f16, bf16, f32 or f64 first");
    refused(add, &[x(Bool); 2], "add does not exist for bool: cast to a number first");
    let exp = Op::Unary(Unary::Exp(FULL));
    refused(exp, &[x(I32)], "exp.full does not exist for i32: cast to f16, bf16, f32 or f64 first");
    refused(Op::Binary(Binary::Shl), &[x(F32); 2], "shl does not exist for f32: cast to an integer first");
    refused(Op::Fma(NEAR), &[x(Tf32); 3], "fma does not exist for tf32: cast to f16, bf16, f32 or f64 first");
    let compare = Op::Compare(Compare::Lt);
    refused(compare, &[x(F4E2M1); 2], "lt does not exist for f4e2m1: cast to f16, bf16, f32 or f64 first");
    refused(Op::Reduce(Fold::Sum(NEAR), 0), &[x(Bool)], "reduce sum does not exist for bool: cast to a number first");
    refused(
        Op::Scan(Fold::And, 0, Direction::Forward),
        &[x(F64)],
        "scan and does not exist for f64: cast to an integer first",
    );
    let arg = Op::Arg(Extreme::Max, 0);
    refused(arg, &[x(F8E8M0)], "arg max does not exist for f8e8m0: cast to f16, bf16, f32 or f64 first");
    let or = Op::Binary(Binary::Or);
    refused(or, &[x(Tf32); 2], "or does not exist for tf32: cast to an integer first");
    refused(Op::Fma(NEAR), &[x(Bool); 3], "fma does not exist for bool: cast to f16, bf16, f32 or f64 first");
    refused(Op::Iota(x(F32)), &[], "iota counts in integers, not in f32: cast its result");
    refused(Op::Full(x(F4E2M1), 0x10), &[], "0x10 is no f4e2m1: it has 4 bits");
    assert_eq!(Op::Full(x(U8), 0x100).result(&[]), Err(TileError::Bits { bits: 0x100, element: U8 }));
    let index = "an index of extract is an integer, not f32: cast it";
    refused(Op::Extract(shape(&[2])), &[ty(I8, &[4]), TileType::scalar(F32)], index);
}

#[test]
fn a_map_of_too_many_dimensions_permutes_nothing() {
    let permute = Op::Permute(Map::new(&[0, 1, 2, 3, 4, 5, 6, 7, 8]));
    assert!(permute.result(&[ty(F32, &[1; 8])]).is_err());
}

#[test]
fn an_index_is_an_integer_and_printed_as_it_is() {
    let x = Op::Iota(ty(I32, &[4])).eval(&[]).unwrap();
    let extract = |index: &AnyTile| Op::Extract(shape(&[2])).eval(&[&x, index]).unwrap_err().to_string();
    assert_eq!(extract(&AnyTile::scalar(true)), "an index of extract is an integer, not bool: cast it");
    let most = "there is no part 18446744073709551615 along dimension 0: there are 2, counted from 0";
    assert_eq!(extract(&AnyTile::scalar(u64::MAX)), most);
}

#[test]
fn operands() {
    let x = |e| ty(e, &[2, 4]);
    let add = Op::Binary(Binary::Add(NEAR));
    refused(add, &[x(F32)], "add takes 2 operands, not 1");
    refused(add, &[x(F32), x(F64)], "operand 1 of add is f64(2,4) where it takes f32(2,4): cast it");
    let other = ty(F32, &[4]);
    refused(add, &[x(F32), other], "operand 1 of add is f32(4) where it takes f32(2,4): reshape or broadcast it");
    refused(Op::Fma(NEAR), &[x(F16), x(F16), x(F32)], "operand 2 of fma is f32(2,4) where it takes f16(2,4): cast it");
    let select = "operand 0 of select is i32(2,4) where it takes bool(2,4): cast it";
    refused(Op::Select, &[x(I32), x(F32), x(F32)], select);
    refused(Op::Select, &[x(Bool), x(F32), x(F64)], "operand 2 of select is f64(2,4) where it takes f32(2,4): cast it");
    let compare = Op::Compare(Compare::Eq);
    refused(compare, &[x(I8), x(U8)], "operand 1 of eq is u8(2,4) where it takes i8(2,4): cast it");
    let cast = Op::Cast(Conversion::new(F32, I8));
    refused(cast, &[x(F64)], "operand 0 of cast is f64(2,4) where it takes f32(2,4): cast it");
    refused(
        Op::Insert,
        &[x(I8), ty(U8, &[1, 1]), TileType::scalar(I8), TileType::scalar(I8)],
        "operand 1 of insert is u8(1,1) where it takes i8(1,1): cast it",
    );
    let index = "operand 1 of extract is i8(1) where it takes i8(): reshape or broadcast it";
    refused(Op::Extract(shape(&[2])), &[ty(I8, &[4]), ty(I8, &[1])], index);
}

#[test]
fn shape_operations() {
    let x = ty(I16, &[2, 4]);
    refused(Op::Reshape(shape(&[4, 4])), &[x], "(2,4) has 8 elements and (4,4) 16: a reshape keeps their number");
    let none = "is no permutation of (2,4): it names each of 2 dimensions once, counted from 0";
    refused(Op::Permute(Map::new(&[0, 0])), &[x], &format!("[0, 0] {none}"));
    refused(Op::Permute(Map::new(&[1, 0, 2])), &[x], &format!("[1, 0, 2] {none}"));
    let broadcast =
        "(2,4) and (4,4) do not broadcast: aligned at the last one, dimensions are equal or one of them is 1";
    refused(Op::Broadcast(shape(&[4, 4])), &[x], broadcast);
    let cat = "i16(2,4) and i16(2,8) do not join along dimension 1: that takes the same elements and equal shapes (a sum of two \
               lengths is a power of two only if they are equal)";
    refused(Op::Cat(1), &[x, ty(I16, &[2, 8])], cat);
    refused(Op::Cat(2), &[x, x], "(2,4) has no dimension 2: they count from 0, the last is 1");
    let scalar = TileType::scalar(I8);
    refused(Op::Cat(0), &[scalar, scalar], "a scalar has no dimension 0");
    refused(Op::Reduce(Fold::Xor, 2), &[x], "(2,4) has no dimension 2: they count from 0, the last is 1");
    refused(
        Op::Scan(Fold::Xor, 3, Direction::Forward),
        &[x],
        "(2,4) has no dimension 3: they count from 0, the last is 1",
    );
    refused(Op::Arg(Extreme::Min, 2), &[x], "(2,4) has no dimension 2: they count from 0, the last is 1");
    let part = "(4,1) is no part of (2,4): each length divides the one there, in as many dimensions";
    refused(Op::Extract(shape(&[4, 1])), &[x, scalar, scalar], part);
    let part = "(4) is no part of (2,4): each length divides the one there, in as many dimensions";
    refused(Op::Insert, &[x, ty(I16, &[4]), scalar, scalar], part);
}

#[test]
fn parts_that_there_are_not() {
    let whole = AnyTile::new(shape(&[8]), vec![0i32; 8]).unwrap();
    let part = |index: &AnyTile| Op::Extract(shape(&[2])).eval(&[&whole, index]).unwrap_err().to_string();
    assert_eq!(part(&AnyTile::scalar(4u8)), "there is no part 4 along dimension 0: there are 4, counted from 0");
    assert_eq!(part(&AnyTile::scalar(-1i64)), "there is no part -1 along dimension 0: there are 4, counted from 0");
    let insert = Op::Insert.eval(&[&whole, &whole, &AnyTile::scalar(u64::MAX)]).unwrap_err().to_string();
    assert_eq!(insert, format!("there is no part {} along dimension 0: there are 1, counted from 0", u64::MAX));
}

#[test]
fn bits() {
    let x = |e, n| ty(e, &[n]);
    let iota = "iota of i8(256) would count to 255, beyond the largest i8: take a wider integer";
    refused(Op::Iota(x(I8, 256)), &[], iota);
    refused(Op::Bitcast(F16), &[x(F32, 4)], "f32 has 32 bits and f16 16, a bitcast keeps them: use repack, or cast");
    let repack = "dimension 0 of f4e2m1(1) has 4 bits, which are no whole bytes: they do not become bool of 1 bit each";
    refused(Op::Repack(Bool, 0), &[x(F4E2M1, 1)], repack);
    refused(
        Op::Repack(I64, 0),
        &[x(I8, 4)],
        "dimension 0 of i8(4) has 32 bits: they do not become i64 of 64 bits each",
    );
    let tf32 = "dimension 0 of tf32(8) has 152 bits, and 19 elements are no power of two: they do not become u8 of 8 bits each";
    refused(Op::Repack(U8, 0), &[x(Tf32, 8)], tf32);
    refused(Op::Repack(U8, 1), &[x(U8, 8)], "(8) has no dimension 1: they count from 0, the last is 0");
}

#[test]
fn modes() {
    let none = "does not exist: sums, products, quotients and roots of floats are .rn, .rz, .rm or .rp; exp, exp2, tanh and rsqrt \
                are .full; .ftz and .approx, and .full of quotients, are for f32";
    let rounded = |rounding| Mode { precision: Precision::Rounded(rounding), flush: false };
    let flush = Mode { flush: true, ..NEAR };
    let refused = |op: Op, e: ElementType, name: &str| {
        let operands = vec![ty(e, &[2]); if matches!(op, Op::Binary(_)) { 2 } else { 1 }];
        self::refused(op, &operands, &format!("{name} of {e} {none}"));
    };
    let approximate = Mode { precision: Precision::Approximate, flush: false };
    refused(Op::Binary(Binary::Add(rounded(Rounding::TowardZero))), I32, "add.rz");
    refused(Op::Binary(Binary::Mul(rounded(Rounding::TiesAway))), F32, "mul.rna");
    refused(Op::Binary(Binary::Sub(flush)), F64, "sub.rn.ftz");
    refused(Op::Binary(Binary::Div(FULL)), F16, "div.full");
    refused(Op::Reduce(Fold::Sum(FULL), 0), F32, "reduce sum.full");
    refused(Op::Scan(Fold::Prod(flush), 0, Direction::Forward), Bf16, "scan prod.rn.ftz");
    refused(Op::Unary(Unary::Exp(NEAR)), F32, "exp.rn");
    refused(Op::Unary(Unary::Tanh(approximate)), F64, "tanh.approx");
    refused(Op::Unary(Unary::Sqrt(approximate)), F16, "sqrt.approx");
    refused(Op::Unary(Unary::Exp2(Mode { flush: true, ..FULL })), F16, "exp2.full.ftz");
    refused(Op::Unary(Unary::Rsqrt(NEAR)), F32, "rsqrt.rn");
    let fma = Op::Fma(FULL);
    self::refused(fma, &[ty(F32, &[2]); 3], &format!("fma.full of f32 {none}"));
}

#[test]
fn matrices() {
    let x = |e, extents: [u32; 2]| ty(e, &extents);
    let rules = "is no mma: the shapes are (M,K), (K,N) and (M,N), in batches (B,M,K), (B,K,N) and (B,M,N); i8 and u8 add to i32, \
                 f8e4m3, f8e5m2 and f16 to f16 or f32, bf16, tf32 and f32 to f32, f64 to f64";
    let refused = |a: TileType, b: TileType, c: TileType| {
        self::refused(Op::Mma, &[a, b, c], &format!("{a} times {b} plus {c} {rules}"));
    };
    refused(x(F32, [2, 4]), x(F32, [8, 2]), x(F32, [2, 2]));
    refused(x(F32, [2, 4]), x(F32, [4, 2]), x(F32, [4, 2]));
    refused(x(Bf16, [2, 4]), x(Bf16, [4, 2]), x(Bf16, [2, 2]));
    refused(x(F16, [2, 4]), x(Bf16, [4, 2]), x(F32, [2, 2]));
    refused(x(F4E2M1, [2, 4]), x(F4E2M1, [4, 2]), x(F32, [2, 2]));
    refused(ty(F32, &[4]), ty(F32, &[4]), ty(F32, &[1]));
    refused(ty(F32, &[2, 2, 2]), ty(F32, &[4, 2, 2]), ty(F32, &[4, 2, 2]));
    let scaled = [x(F8E4M3, [2, 64]), x(F8E4M3, [64, 2]), x(F32, [2, 2]), x(F8E8M0, [2, 4]), x(F8E8M0, [2, 2])];
    let scales = "f8e8m0(2,4) are no scales of f8e4m3(2,64): one for every 32 elements along k (f8e8m0 for f8e4m3, f8e5m2 and f4e2m1, \
                  f8ue5m3 for f4e2m1) or every 16 (f8e8m0, f8e4m3 and f8ue5m3 for f4e2m1)";
    self::refused(Op::ScaledMma, &scaled, scales);
    let [a, b, c, scale, _] = scaled;
    let sum = "f8e4m3(2,64) times f8e4m3(64,2) plus f16(2,2) is no scaled mma: the shapes are (M,K), (K,N) and (M,N), in batches \
               (B,M,K), (B,K,N) and (B,M,N); both factors are f8e4m3, f8e5m2 or f4e2m1, and the sum is f32";
    self::refused(Op::ScaledMma, &[a, b, c.of(F16), scale, scale], sum);
    let (a, b) = (x(F4E2M1, [2, 64]), x(F4E2M1, [64, 2]));
    let unlike =
        "scales f8e8m0(2,2) and f8e8m0(4,2) are not alike: both matrices have scales of one type, as many along k";
    self::refused(Op::ScaledMma, &[a, b, c, x(F8E8M0, [2, 2]), x(F8E8M0, [4, 2])], unlike);
}

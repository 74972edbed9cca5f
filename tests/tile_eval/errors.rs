//! What operations refuse, and how they say it.

use crate::elementwise::NEAR;
use crate::{Plain, shape};
use ElementType::*;
use girih::tile::*;

fn ty(element: ElementType, extents: &[u32]) -> TileType {
    TileType::new(element, shape(extents))
}

/// The message of an operation that has no result.
fn refused(op: Op, operands: &[TileType]) -> String {
    let zeros: Vec<AnyTile> = operands.iter().map(|&ty| Op::Full(ty, 0).eval(&[]).unwrap()).collect();
    let e = op.result(operands).unwrap_err();
    assert_eq!(op.eval(&zeros.iter().collect::<Vec<_>>()).unwrap_err(), e);
    e.to_string()
}

#[test]
fn elements() {
    let x = |e| ty(e, &[2, 4]);
    let cases = [
        (Op::Unary(Unary::Neg), vec![x(U8)]),
    ];
    let _ = cases;
    let add = Op::Binary(Binary::Add(NEAR));
    assert_eq!(
        refused(add, &[x(F8E4M3), x(F8E4M3)]),
        "add does not exist for f8e4m3: convert to an arithmetic type first, as f32"
    );
    assert_eq!(refused(add, &[x(Bool), x(Bool)]), "add does not exist for bool: convert to an integer first, as i32");
    assert_eq!(refused(Op::Unary(Unary::Exp(NEAR)), &[x(I32)]), "exp does not exist for i32: convert to a float first, as f32");
    assert_eq!(refused(Op::Binary(Binary::Shl), &[x(F32), x(F32)]), "shl does not exist for f32: convert to an integer first, as i32");
}

fn _unused(_: Plain) {}

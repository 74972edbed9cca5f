//! Reductions, scans and indices of extremes.

use crate::elementwise::NEAR;
use crate::{Plain, Random, check, shape};
use girih::tile::*;

const FOLDS: [Fold; 9] = [
    Fold::Sum(NEAR),
    Fold::Prod(NEAR),
    Fold::Min(Nan::Suppress),
    Fold::Min(Nan::Propagate),
    Fold::Max(Nan::Suppress),
    Fold::Max(Nan::Propagate),
    Fold::And,
    Fold::Or,
    Fold::Xor,
];

/// Each fold of each type along each dimension, of long, short and wide tiles.
fn each(f: impl Fn(Fold, u8, &Plain)) {
    for element in ElementType::ALL.into_iter().filter(|e| e.is_arithmetic()) {
        let mut random = Random(element as u64 + 100);
        for extents in [&[16384][..], &[4, 8, 16], &[64, 256], &[2, 4096], &[2, 2048, 2], &[1, 8, 1]] {
            let x = random.plain(element, shape(extents));
            for dim in 0..extents.len() as u8 {
                FOLDS.into_iter().filter(|f| f.takes(element)).for_each(|fold| f(fold, dim, &x));
            }
        }
    }
}

#[test]
fn reductions() {
    each(|fold, dim, x| check(Op::Reduce(fold, dim), std::slice::from_ref(x)));
}

#[test]
fn scans() {
    each(|fold, dim, x| {
        // the definition takes time in the square of the length
        if x.ty.shape.extent(dim.into()) <= 64 {
            check(Op::Scan(fold, dim, Direction::Forward), std::slice::from_ref(x));
            check(Op::Scan(fold, dim, Direction::Backward), std::slice::from_ref(x));
        }
    });
}

#[test]
fn indices_of_extremes() {
    each(|fold, dim, x| match fold {
        Fold::Min(Nan::Suppress) => check(Op::Arg(Extreme::Min, dim), std::slice::from_ref(x)),
        Fold::Max(Nan::Suppress) => check(Op::Arg(Extreme::Max, dim), std::slice::from_ref(x)),
        _ => {}
    });
}

#[test]
fn a_nan_is_no_extreme_unless_there_is_nothing_else() {
    let index = |values: [f32; 4]| {
        let tile = AnyTile::new(shape(&[4]), values.to_vec()).unwrap();
        [Extreme::Min, Extreme::Max].map(|e| Op::Arg(e, 0).eval(&[&tile]).unwrap().to_vec::<u32>().unwrap()[0])
    };
    let nan = f32::NAN;
    assert_eq!(index([nan, 2.0, nan, 2.0]), [1, 1]);
    assert_eq!(index([3.0, nan, 2.0, 4.0]), [2, 3]);
    assert_eq!(index([nan; 4]), [0, 0]);
}

#[test]
fn the_zero_with_a_sign_is_the_lesser_one() {
    let index = |e, values: [f32; 2]| {
        let tile = AnyTile::new(shape(&[2]), values.to_vec()).unwrap();
        Op::Arg(e, 0).eval(&[&tile]).unwrap().to_vec::<u32>().unwrap()[0]
    };
    assert_eq!([index(Extreme::Min, [0.0, -0.0]), index(Extreme::Min, [-0.0, 0.0])], [1, 0]);
    assert_eq!([index(Extreme::Max, [0.0, -0.0]), index(Extreme::Max, [-0.0, 0.0])], [0, 1]);
}

#[test]
fn a_single_element_is_flushed_too() {
    let flush = Fold::Sum(Mode { flush: true, ..Mode::default() });
    let x = AnyTile::new(shape(&[2, 1]), vec![-1e-40f32, 1.0]).unwrap();
    for op in [Op::Reduce(flush, 1), Op::Scan(flush, 1, Direction::Forward), Op::Scan(flush, 0, Direction::Backward)] {
        let values = op.eval(&[&x]).unwrap().to_vec::<f32>().unwrap();
        let first = if op == Op::Scan(flush, 0, Direction::Backward) { 1.0f32 } else { -0.0 };
        assert_eq!(values.iter().map(|x| x.to_bits()).collect::<Vec<_>>(), [first.to_bits(), 1f32.to_bits()], "{op}");
    }
}

/// Tiles that are not in row-major order in memory.
#[test]
fn of_any_layout() {
    let x = Random(3).plain(ElementType::F32, shape(&[32, 4, 64]));
    let lazy = Op::Permute(Map::new(&[2, 0, 1])).eval(&[&x.tile()]).unwrap();
    let plain = Plain::of(&lazy);
    for dim in 0..3 {
        let op = Op::Reduce(Fold::Sum(NEAR), dim);
        assert_eq!(Plain::of(&op.eval(&[&lazy]).unwrap()), crate::run(op, std::slice::from_ref(&plain)));
    }
}

/// `1e8 + 1 + 1 + ...`: a sum in order would never leave `1e8`.
#[test]
fn sums_are_trees() {
    let mut values = vec![1f32; 1 << 12];
    values[0] = 1e8;
    let tile = AnyTile::new(shape(&[1 << 12]), values).unwrap();
    let sum = Op::Reduce(Fold::Sum(NEAR), 0).eval(&[&tile]).unwrap().to_vec::<f32>().unwrap()[0];
    // singles of this size are 8 apart
    assert!((sum - (1e8 + 4095.0)).abs() <= 8.0, "{sum}");
}

#[test]
fn each_step_rounds_in_the_mode() {
    let values: Vec<f32> = (0..64).map(|i| 1.0 + (i * i) as f32 * f32::EPSILON).collect();
    let tile = AnyTile::new(shape(&[64]), values.clone()).unwrap();
    let one = |op: Op, operands: &[&AnyTile]| op.eval(operands).unwrap().to_vec::<f32>().unwrap()[0];
    for rounding in [Rounding::TowardZero, Rounding::TowardNegative, Rounding::TowardPositive, Rounding::TiesToEven] {
        let mode = Mode { precision: Precision::Rounded(rounding), flush: false };
        let add =
            |pair: &[f32]| one(Op::Binary(Binary::Add(mode)), &[&AnyTile::scalar(pair[0]), &AnyTile::scalar(pair[1])]);
        let mut level = values.clone();
        while level.len() > 1 {
            level = level.chunks(2).map(add).collect();
        }
        assert_eq!(one(Op::Reduce(Fold::Sum(mode), 0), &[&tile]), level[0], "{rounding}");
    }
}
